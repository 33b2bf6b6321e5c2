package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/check"
)

// QuantileCoefficientsSettings are the options of QuantileCoefficients.
type QuantileCoefficientsSettings struct {
	// Level is that of the limits; the default 0 is 0.9.
	Level float64
	// Columns is the number of panels beside each other; the default 0 is 2.
	Columns int
}

// QuantileFits are lines of several quantiles, such as *quantreg.Quantiles.
type QuantileFits interface {
	Tau() []float64
	Names() []string
	Coef() *mat.Dense                                                              // a row for every quantile
	Predict(d *mlreg.Design) (*mat.Dense, error)                                   // a column for every quantile
	ConfInt(d *mlreg.Design, level float64) ([]report.Rows[mlreg.Interval], error) // of every quantile
}

// QuantileCoefficients draws every coefficient of quantile regressions against tau, with its
// limits, beside least squares, fitted to the same rows d, with its limits dashed: where
// the band leaves the line, a term moves the quantiles of the response differently from
// its mean. It is R's plot of summary.rqs. Nil settings are the defaults.
//
// Errors: mlreg.ErrNoData for a nil argument, mlreg.ErrSetting for fewer than two fits;
// those of ConfInt and mlreg.FitOLS.
//
// Koenker, Quantile Regression (2005), figure 1.5.
func QuantileCoefficients(fits QuantileFits, d *mlreg.Design, settings *QuantileCoefficientsSettings) (*Figure, error) {
	const what = "coefficients of quantiles"
	if check.IsNil(fits) || len(fits.Tau()) == 0 {
		return nil, check.Nothing(what, "there are no fits")
	}
	if d == nil {
		return nil, check.Nothing(what, "there is no design")
	}
	s := check.OrDefaults(settings)
	s.Level = cmp.Or(s.Level, 0.9)
	if s.Columns <= 0 {
		s.Columns = 2
	}
	if len(fits.Tau()) < 2 {
		return nil, fmt.Errorf("plotting: %s: %w: there is one fit; take several probabilities", what, mlreg.ErrSetting)
	}
	least, err := mlreg.FitOLS(d, nil)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	straight, err := least.ConfInt(s.Level)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	tau, coef := fits.Tau(), fits.Coef()
	limits, err := fits.ConfInt(d, s.Level)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	var panels []*plot.Plot
	for j, name := range fits.Names() {
		lower, upper := make([]float64, len(tau)), make([]float64, len(tau))
		for k := range tau {
			lower[k], upper[k] = limits[k][j].Lower, limits[k][j].Upper
		}
		layers := []Layer{
			Ribbon{X: tau, Lower: lower, Upper: upper},
			Line{X: tau, Y: mat.Col(nil, j, coef), Name: "quantiles"},
			HLine{Y: least.Coef()[j], Color: Palette(1), Solid: true, Name: "least squares"},
			HLine{Y: straight[j].Lower, Color: Palette(1)},
			HLine{Y: straight[j].Upper, Color: Palette(1)},
		}
		p, err := Draw(Labels{Title: name, X: "τ", Y: "coefficient"}, layers...)
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	f := Grid(min(s.Columns, len(panels)), panels...)
	f.Width, f.Height = 4.2*float64(min(s.Columns, len(panels))), 3.2*math.Ceil(float64(len(panels))/float64(s.Columns))
	return f, nil
}

// QuantileFan draws the rows of a design of one term with the line of every fit: where the
// lines spread, so do the rows. The mean by least squares is dashed.
//
// Errors: mlreg.ErrNoData for a nil argument or rows without a response; mlreg.ErrShape
// for a design of several terms; those of Predict.
func QuantileFan(fits QuantileFits, d *mlreg.Design) (*plot.Plot, error) {
	const what = "fan of quantiles"
	if check.IsNil(fits) || len(fits.Tau()) == 0 {
		return nil, check.Nothing(what, "there are no fits")
	}
	if d == nil || d.Y == nil {
		return nil, check.Nothing(what, "there are no rows with a response")
	}
	if d.NTerms() != 1 {
		return nil, fmt.Errorf("plotting: %s: %w: the design has %d terms, and a fan is drawn over one", what, mlreg.ErrShape, d.NTerms())
	}
	if err := d.Check(); err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	x := mat.Col(nil, 0, d.X)
	ends := []float64{slices.Min(x), slices.Max(x)}
	at := *d
	at.X, at.XLow, at.Y, at.Weights, at.Offset, at.RowNumbers = mat.NewDense(2, 1, slices.Clone(ends)), nil, nil, nil, nil, nil
	lines, err := fits.Predict(&at)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	least, err := mlreg.FitOLS(d, nil)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	mean, err := least.Predict(&at)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	layers := []Layer{Points{X: x, Y: d.Y, Color: Fade(Gray, 0.7)}}
	var labels endLabels
	for k, tau := range fits.Tau() {
		y := mat.Col(nil, k, lines)
		c := Palette(0)
		if tau == 0.5 {
			c = Palette(2)
		}
		layers = append(layers, Line{X: ends, Y: y, Color: c})
		labels = append(labels, endLabel{x: ends[1], y: y[1], text: "τ = " + format.Number(tau, 3), color: c})
	}
	layers = append(layers, Line{X: ends, Y: mean, Color: Palette(1), Dashed: true, Name: "mean (least squares)"}, drawn{labels})
	p, err := Draw(Labels{X: d.Names[0], Y: d.Response}, layers...)
	if err != nil {
		return nil, err
	}
	p.Legend.Left, p.Legend.Top, p.Legend.XOffs = true, true, vg.Points(8) // off the axis
	return p, nil
}

// PsiFunction is what a row pulls with by its residual u in scales, such as an rlm.Psi.
type PsiFunction interface {
	Value(u float64) float64
	String() string
}

// PsiCurves draws what a row pulls with, psi(u), against its residual u in scales, for some
// losses: a straight line for least squares, a bound for Huber's, nothing far out for the
// bisquare. The error is mlreg.ErrNoData for no losses, or a nil one.
func PsiCurves[P PsiFunction](losses ...P) (*plot.Plot, error) {
	if len(losses) == 0 {
		return nil, check.Nothing("psi", "there are no losses")
	}
	const reach, steps = 8, 400
	x := make([]float64, steps+1)
	for i := range x {
		x[i] = reach * (2*float64(i)/steps - 1)
	}
	var layers []Layer
	for _, loss := range losses {
		if check.IsNil(loss) {
			return nil, check.Nothing("psi", "a loss is nil")
		}
		y := make([]float64, len(x))
		for i, u := range x {
			const near = 1e-9
			if y[i] = loss.Value(u); math.Abs(loss.Value(u+near)-loss.Value(u-near)) > 1 { // a jump, of least absolute deviations
				y[i] = math.NaN()
			}
		}
		layers = append(layers, Line{X: x, Y: y, Name: loss.String()})
	}
	p, err := Draw(Labels{X: "residual u, in scales", Y: "pull ψ(u)"}, append([]Layer{HLine{Y: 0}}, layers...)...)
	if err != nil {
		return nil, err
	}
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs = true, true, vg.Points(8) // off the axis
	p.Y.Min, p.Y.Max = math.Max(p.Y.Min, -5), math.Min(p.Y.Max, 5)
	return p, nil
}

// Weighted is a fit that weighs rows by their residuals, such as *rlm.MEstimate and
// *rlm.Student.
type Weighted interface {
	Weights(d *mlreg.Design) ([]float64, error)
	Residuals(d *mlreg.Design) ([]float64, error)
	Response() string
}

// RobustWeights draws the weight of every row of d against its residual, with the numbers
// of up to ten rows of the least weights. Errors are mlreg.ErrNoData for a nil argument,
// and those of Weights.
func RobustWeights(fit Weighted, d *mlreg.Design) (*plot.Plot, error) {
	const what, most = "robust weights", 10
	if check.IsNil(fit) {
		return nil, check.Nothing(what, "there is no fit")
	}
	if d == nil {
		return nil, check.Nothing(what, "there is no design")
	}
	weights, err := fit.Weights(d)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	residuals, err := fit.Residuals(d)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	layers := []Layer{HLine{Y: 1}, HLine{Y: 0}, Points{X: residuals, Y: weights}}
	for _, i := range rising(weights)[:min(most, len(weights))] {
		if weights[i] < 0.5*slices.Max(weights) {
			layers = append(layers, Note{X: residuals[i], Y: weights[i], Text: fmt.Sprintf(" %d", d.RowNumber(i))})
		}
	}
	return Draw(Labels{X: "residual of " + fit.Response(), Y: "weight"}, layers...)
}
