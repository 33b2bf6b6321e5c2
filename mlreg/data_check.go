package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

var (
	errNilDesign = fmt.Errorf("%w: the design is nil", ErrNoData)
	// errNoTerms refuses the model of the intercept alone.
	errNoTerms = fmt.Errorf("%w to choose from or to penalize; fit the intercept alone by FitOLS, FitBayes or FitLogistic", ErrNoTerms)
)

// CheckFit is what a fit to the rows of a number checks before it starts: shapes, a response that
// is a number, weights, the offset, at least one row of positive weight, and that every value is
// finite. The error names the culprit.
func (d *Design) CheckFit() error {
	if err := d.checkFit(); err != nil {
		return err
	}
	return d.checkFinite()
}

// checkFit is CheckFit without its pass over the values, which Gaussian fits make by their sums: what every
// fit checks, and that the response is a number, for which the code of one of two
// classes may pass.
func (d *Design) checkFit() error {
	if d != nil && len(d.Classes) > 2 {
		return fmt.Errorf("%w: response %q is one of the %d classes %s, and the fit is of a number; fit a classifier",
			ErrSetting, d.Response, len(d.Classes), format.Quoted(d.Classes))
	}
	return d.checkTraining()
}

// checkTraining is what every fit to rows checks before it starts: shapes, a
// coefficient, a response, weights, and at least one row of positive weight.
func (d *Design) checkTraining() error {
	if err := d.checkShape(); err != nil {
		return err
	}
	if err := d.refuseAbsorb(); err != nil {
		return err
	}
	if err := checkCoefficients(d.Names, d.NoIntercept); err != nil {
		return err
	}
	if d.Y == nil {
		return fmt.Errorf("%w: the design has no response; these rows can be predicted, not fitted", ErrNoData)
	}
	total := float64(len(d.Y))
	if d.Weights != nil {
		total = 0
	}
	for i, w := range d.Weights {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("%w: weight of row %d is %v; weights are finite and not negative", ErrSetting, d.RowNumber(i), w)
		}
		total += w
	}
	if err := d.checkOffset(); err != nil {
		return err
	}
	switch {
	case total == 0:
		return fmt.Errorf("%w: every weight is zero", ErrNoData)
	case total < problem.LeastSquares || total > 1/problem.LeastSquares:
		return fmt.Errorf("%w: the weights sum to %g; rescale them to about 1", ErrNotFinite, total)
	}
	return nil
}

// checkShape is Check without its pass over the values of X.
func (d *Design) checkShape() error {
	if d == nil {
		return errNilDesign
	}
	n, p := d.NObs(), d.NTerms()
	switch {
	case n == 0:
		return fmt.Errorf("%w: X is %d x %d", ErrNoData, n, p)
	case len(d.Names) != p:
		return fmt.Errorf("%w: %d names for the %d columns of X", ErrShape, len(d.Names), p)
	case d.Y != nil && len(d.Y) != n:
		return fmt.Errorf("%w: response %q has %d values for the %d rows of X", ErrShape, d.Response, len(d.Y), n)
	case d.Clusters != nil && len(d.Clusters) != n:
		return fmt.Errorf("%w: %d clusters for the %d rows of X", ErrShape, len(d.Clusters), n)
	case d.Levels != nil && len(d.Levels) != n:
		return fmt.Errorf("%w: %d levels of %q for the %d rows of X", ErrShape, len(d.Levels), d.Absorb, n)
	case d.Weights != nil && len(d.Weights) != n:
		return fmt.Errorf("%w: %d weights for the %d rows of X", ErrShape, len(d.Weights), n)
	case d.Offset != nil && len(d.Offset) != n:
		return fmt.Errorf("%w: %d offsets for the %d rows of X", ErrShape, len(d.Offset), n)
	case d.RowNumbers != nil && len(d.RowNumbers) != n:
		return fmt.Errorf("%w: %d row numbers for the %d rows of X", ErrShape, len(d.RowNumbers), n)
	}
	if d.XLow != nil {
		if r, c := d.XLow.Dims(); r != n || c != p {
			return fmt.Errorf("%w: XLow is %d x %d and X %d x %d", ErrShape, r, c, n, p)
		}
		if !gram.Finite(d.XLow.RawMatrix()) {
			return fmt.Errorf("%w: XLow has a value that is NaN or infinite", ErrNotFinite)
		}
	}
	seen := make(map[string]int, p)
	for j, name := range d.Names {
		if k, ok := seen[name]; ok {
			return fmt.Errorf("%w: columns %d and %d are both named %q", ErrShape, k+1, j+1, name)
		}
		seen[name] = j
	}
	if d.Scaling != nil {
		return d.Scaling.check(p)
	}
	return nil
}

// checkFinite looks at every value of the design.
func (d *Design) checkFinite() error {
	for i, w := range d.Weights {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("%w: weight of row %d is %v; weights are finite and not negative", ErrSetting, d.RowNumber(i), w)
		}
	}
	if err := d.checkOffset(); err != nil {
		return err
	}
	if err := d.checkResponse(); err != nil {
		return err
	}
	if d.NObs() == 0 || gram.Finite(d.X.RawMatrix()) {
		return nil
	}
	for i := range d.NObs() {
		for j, x := range d.X.RawRowView(i) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%w: term %q is %v in row %d", ErrNotFinite, d.Names[j], x, d.RowNumber(i))
			}
		}
	}
	return nil
}

// checkSquares names the first term, or the response, whose squares are not.
func (d *Design) checkSquares() error {
	for j := range d.Names {
		if u, ok := problem.Measure(blas64.Nrm2(gram.Column(d.X, j))); !ok || !u.Squarable() {
			return d.notFinite(j)
		}
	}
	if u, ok := problem.Measure(blas64.Nrm2(gram.Vector(d.Y))); !ok || !u.Squarable() {
		return d.notFinite(-1)
	}
	return nil
}

// notFinite names what makes the length of term j (of the response if j < 0)
// no number to work with.
func (d *Design) notFinite(j int) error { return d.named(&problem.RangeError{Column: j}) }

// checkCoefficients refuses a model of nothing.
func checkCoefficients(terms []string, noIntercept bool) error {
	if noIntercept && len(terms) == 0 {
		return fmt.Errorf("%w, and no intercept: the model predicts 0, and there is nothing to fit", ErrNoTerms)
	}
	return nil
}

func init() {
	door.CheckTraining = func(design any) error { return design.(*Design).checkTraining() }
}
