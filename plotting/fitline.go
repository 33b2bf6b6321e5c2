package plotting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
)

// FitLine draws a regression on one predictor: the rows of the design, the
// fitted line and, if level is not 0, its confidence band
//
//	yhat(x) +- q se(x),   se(x)^2 = (1, x) V (1, x)',
//
// with V the covariance of the coefficients (VCov) and q the quantile of the
// fit: Student's t on its residual degrees of freedom, or normal if the noise
// variance is known. The band is for the mean of y at each x by itself; it is
// not for new observations. x is in the units of the design.
//
// The error says if the design has more than one term, if the fit is to other
// data, or if level is not 0 or inside (0, 1).
func FitLine(d *mlreg.Design, fit *mlreg.OLS, level float64) (*plot.Plot, error) {
	if d == nil || fit == nil {
		return nil, fmt.Errorf("plotting: fit line: %w: the design or the fit is nil", mlreg.ErrNoData)
	}
	if d.NTerms() != 1 {
		return nil, fmt.Errorf("plotting: fit line: %w: the design has %d terms; a line needs a design of 1, see Design.Select", mlreg.ErrShape, d.NTerms())
	}
	if d.Y == nil {
		return nil, fmt.Errorf("plotting: fit line: %w: the design has no response", mlreg.ErrNoData)
	}
	x := mat.Col(nil, 0, d.X)
	grid := *d
	at := Range(slices.Min(x), slices.Max(x), 120)
	grid.X, grid.Y, grid.Weights = mat.NewDense(len(at), 1, at), nil, nil
	line, err := fit.Predict(&grid)
	if err != nil {
		return nil, err
	}
	layers := []Layer{Points{X: x, Y: d.Y, Name: "data"}}
	if level != 0 {
		band, err := confidenceBand(fit, at, line, level)
		if err != nil {
			return nil, err
		}
		layers = append(layers, band)
	}
	layers = append(layers, Line{X: at, Y: line, Name: "least squares"})
	title := fmt.Sprintf("%s = %s", d.Response, lineFormula(fit, d.Names[0]))
	return Draw(Labels{Title: title, X: d.Names[0], Y: d.Response}, layers...)
}

// lineFormula writes the fitted line: "1.52 + 0.719 x".
func lineFormula(fit *mlreg.OLS, x string) string {
	slope := fit.Slopes()[0]
	if !fit.HasIntercept() {
		return Number(slope, 3) + " " + x
	}
	sign := "+"
	if slope < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s %s %s %s", Number(fit.Intercept(), 3), sign, Number(math.Abs(slope), 3), x)
}

// confidenceBand returns the limits of the mean response at x.
func confidenceBand(fit *mlreg.OLS, x, mean []float64, level float64) (Band, error) {
	rows, err := fit.Table(level)
	if err != nil {
		return Band{}, err
	}
	last := rows[len(rows)-1]
	quantile := (last.Upper - last.Estimate) / last.StdErr
	if !finite(quantile) {
		return Band{}, fmt.Errorf("plotting: fit line: %w: the slope has standard error %v, so there is no band; set level to 0", mlreg.ErrNotFinite, last.StdErr)
	}
	v := fit.VCov()
	b := Band{X: x, Name: Number(100*level, 6) + "% confidence"}
	for i, xi := range x {
		variance := xi * xi * v.At(0, 0)
		if fit.HasIntercept() {
			variance = v.At(0, 0) + 2*xi*v.At(0, 1) + xi*xi*v.At(1, 1)
		}
		half := quantile * math.Sqrt(math.Max(0, variance))
		b.Lower = append(b.Lower, mean[i]-half)
		b.Upper = append(b.Upper, mean[i]+half)
	}
	return b, nil
}
