package plotting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// FitLine draws a regression on one predictor: the rows of the design, the
// fitted line and, if level is not 0, pointwise bands of that level:
//
//	plotting.FitLine(d, fit, 0.95)                                     // confidence
//	plotting.FitLine(d, fit, 0.95, mlreg.Prediction, mlreg.Confidence) // both
//
// The confidence band is for the mean of y and is narrowest at the mean of x; the
// prediction band is for a new observation (of weight 1), see
// mlreg.OLS.ConfidenceBand and PredictionBand. Both use Student's t, or the
// normal distribution if the noise variance is known. x is in the units of the
// design.
//
// Errors: mlreg.ErrShape if the design does not have exactly one term,
// mlreg.ErrNoData without a response, mlreg.ErrSetting for an unknown kind of
// band, and those of ConfidenceBand.
func FitLine(d *mlreg.Design, fit *mlreg.OLS, level float64, kinds ...mlreg.BandKind) (*plot.Plot, error) {
	x, err := onePredictor("fit line", d, fit)
	if err != nil {
		return nil, err
	}
	at := Range(slices.Min(x), slices.Max(x), 120)
	grid := &mlreg.Design{
		X: mat.NewDense(len(at), 1, at), Names: d.Names, Response: d.Response, NoIntercept: d.NoIntercept, Scaling: d.Scaling,
	}
	line, err := fit.Predict(grid)
	if err != nil {
		return nil, err
	}
	if len(kinds) == 0 {
		kinds = []mlreg.BandKind{mlreg.Confidence}
	}
	layers := []Layer{Points{X: x, Y: d.Y, Name: "data"}}
	if level != 0 {
		bands, err := bandLayers(fit, grid, at, level, kinds)
		if err != nil {
			return nil, err
		}
		layers = append(layers, bands...)
	}
	layers = append(layers, Line{X: at, Y: line, Name: "least squares"})
	title := fmt.Sprintf("%s = %s", d.Response, lineFormula(fit, d.Names[0]))
	return Draw(Labels{Title: title, X: d.Names[0], Y: d.Response}, layers...)
}

// bandLayers returns the bands of a fit at the rows of the design, whose only
// term is at, the wide prediction band first.
func bandLayers(fit *mlreg.OLS, d *mlreg.Design, at []float64, level float64, kinds []mlreg.BandKind) ([]Layer, error) {
	kinds = slices.Clone(kinds)
	slices.Sort(kinds)
	slices.Reverse(kinds)
	var layers []Layer
	for _, kind := range slices.Compact(kinds) {
		var b *mlreg.Band
		var err error
		l := Ribbon{X: at, Name: format.Number(100*level, 6) + "% "}
		switch kind {
		case mlreg.Confidence:
			l.Name += "confidence"
			b, err = fit.ConfidenceBand(d, level)
		case mlreg.Prediction:
			l.Name, l.Color, l.Opacity = l.Name+"prediction", Gray, 0.15
			b, err = fit.PredictionBand(d, level)
		default:
			err = fmt.Errorf("plotting: fit line: %w: %v is neither mlreg.Confidence nor mlreg.Prediction", mlreg.ErrSetting, kind)
		}
		if err != nil {
			return nil, err
		}
		l.Lower, l.Upper = b.Lower, b.Upper
		layers = append(layers, l)
	}
	return layers, nil
}

// SlopeLimits draws a regression on one predictor with limits of its slope: the
// least-squares line in red and, in green, the lines whose slopes are the
// two-sided confidence limits at the given level,
//
//	y = ybar + (slope -+ q stderr) (x - xbar),
//
// through the (weighted) means of x and y, where the intercept does not matter;
// without an intercept, through the origin. q is normal (z) if sigma is known to
// the fit, as in the lectures, and Student's t if it is estimated: see
// mlreg.ConfInt. For one-sided limits at level c, give 2c - 1. x is in
// the units of the fit. Errors are those of FitLine; the level is between 0 and 1.
func SlopeLimits(d *mlreg.Design, fit *mlreg.OLS, level float64) (*plot.Plot, error) {
	if _, err := onePredictor("slope limits", d, fit); err != nil {
		return nil, err
	}
	d, err := d.Rescale(fit.Scaling())
	if err != nil {
		return nil, err
	}
	limits, err := fit.ConfInt(level)
	if err != nil {
		return nil, err
	}
	slope := limits[len(limits)-1]
	distribution := "t"
	if fit.SigmaKnown() {
		distribution = "z"
	}
	middle := throughMeans(d, fit, fit.Slopes()[0])
	middle.Name, middle.Color = "least squares", Vermillion
	lower, upper := throughMeans(d, fit, slope.Lower), throughMeans(d, fit, slope.Upper)
	lower.Name = fmt.Sprintf("%s%% limits of the slope (%s)", format.Number(100*level, 6), distribution)
	lower.Color, upper.Color = Green, Green
	title := fmt.Sprintf("slope %s, limits %s and %s", threeNumbers(fit.Slopes()[0], slope.Lower, slope.Upper)...)
	return Draw(Labels{Title: title, X: d.Names[0], Y: d.Response},
		Points{X: mat.Col(nil, 0, d.X), Y: d.Y, Name: "data"}, lower, upper, middle)
}

// threeNumbers writes an estimate and its limits with the decimals that suit the
// estimate and the width.
func threeNumbers(estimate, lower, upper float64) []any {
	decimals, common := format.CommonDecimals([]float64{estimate, upper - estimate}, 3)
	text := make([]any, 0, 3)
	for _, v := range []float64{estimate, lower, upper} {
		if common {
			text = append(text, format.Decimal(v, decimals))
		} else {
			text = append(text, format.Number(v, 4))
		}
	}
	return text
}

// throughMeans returns the line of the given slope through the means of the
// rows, or through the origin if the fit has no intercept.
func throughMeans(d *mlreg.Design, fit *mlreg.OLS, slope float64) Line {
	x := mat.Col(nil, 0, d.X)
	var xbar, ybar float64
	if fit.HasIntercept() {
		xbar, ybar = stat.Mean(x, d.Weights), stat.Mean(d.Y, d.Weights)
	}
	l := Line{X: []float64{slices.Min(x), slices.Max(x)}}
	for _, at := range l.X {
		l.Y = append(l.Y, ybar+slope*(at-xbar))
	}
	return l
}

// onePredictor returns the column of a design of one term.
func onePredictor(what string, d *mlreg.Design, fit *mlreg.OLS) ([]float64, error) {
	if d == nil || fit == nil {
		return nil, check.Nothing(what, "the design or the fit is nil")
	}
	if d.NTerms() != 1 {
		return nil, fmt.Errorf("plotting: %s: %w: the design has %d terms; a line needs a design of 1, see Design.Select", what, mlreg.ErrShape, d.NTerms())
	}
	if len(fit.Slopes()) != 1 {
		return nil, fmt.Errorf("plotting: %s: %w: the fit has %d terms", what, mlreg.ErrShape, len(fit.Slopes()))
	}
	if d.Y == nil {
		return nil, check.Nothing(what, "the design has no response")
	}
	return mat.Col(nil, 0, d.X), nil
}

// lineFormula writes the fitted line: "1.52 + 0.719 x".
func lineFormula(fit *mlreg.OLS, x string) string {
	slope := fit.Slopes()[0]
	if !fit.HasIntercept() {
		return format.Number(slope, 3) + " " + x
	}
	sign := "+"
	if slope < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s %s %s %s", format.Number(fit.Intercept(), 3), sign, format.Number(math.Abs(slope), 3), x)
}
