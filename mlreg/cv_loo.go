package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// LinearSmoother is a fit whose fitted values are linear in the response, yhat =
// H y with an H that depends on the rows alone: least squares, and ridge at a
// given lambda. Leverage is the diagonal of H.
type LinearSmoother interface {
	Residuals(d *Design) ([]float64, error)
	Leverage(d *Design) ([]float64, error)
}

// LOOResiduals returns the leave-one-out residuals of the rows d that f was
// fitted to: what y_i differs by from its prediction by the fit to the other
// rows,
//
//	y_i - yhat_(i) = r_i / (1 - h_i),
//
// in closed form. The error names a row of leverage 1, whose prediction the other
// rows do not determine (ErrNotEstimable).
//
// Allen, Technometrics 16 (1974), 125-127; Hastie, Tibshirani and Friedman, The
// Elements of Statistical Learning, 2nd ed., eq. 7.64.
func LOOResiduals(f LinearSmoother, d *Design) ([]float64, error) {
	if err := args.Given("the fit", f); err != nil {
		return nil, err
	}
	r, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	h, err := f.Leverage(d)
	if err != nil {
		return nil, err
	}
	for i := range r {
		if h[i] >= lsq.LeverageOne {
			return nil, fmt.Errorf("%w: row %d has leverage 1, so the other rows do not determine its prediction; "+
				"leave the row and the terms that only it has out", ErrNotEstimable, i+1)
		}
		r[i] /= 1 - h[i]
	}
	return r, nil
}

// LOOMSE returns the leave-one-out estimate of the mean squared prediction
// error, the mean of the squares of LOOResiduals (PRESS/n), weighted as the rows are. Errors are
// those of LOOResiduals.
func LOOMSE(f LinearSmoother, d *Design) (float64, error) {
	r, err := LOOResiduals(f, d)
	if err != nil {
		return 0, err
	}
	return d.weightedSquares(r, 0) / d.sumWeights(), nil
}

// GCV returns the generalized cross-validation score,
//
//	GCV = (RSS/n) / (1 - DoF/n)^2.
//
// It has the mean leverage DoF/n where LOOMSE has each row's own. It is NaN if
// DoF is n. Golub, Heath and Wahba, Technometrics 21 (1979), eq. 1.4.
func GCV(f interface {
	RSS() float64
	DoF() float64
	NObs() int
}) float64 {
	n := float64(f.NObs())
	rest := 1 - f.DoF()/n
	if rest <= 0 {
		return math.NaN()
	}
	return f.RSS() / n / (rest * rest)
}
