package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// linear is the part that every fit of a linear predictor shares,
//
//	yhat = b_0 + x'b,
//
// in the units of the design it was fitted to. Fits embed it.
type linear struct {
	l linearState
}

type linearState struct {
	TermNames   []string // p
	Response    string
	NoIntercept bool
	Scaling     *Scaling
	B0          float64
	B           []float64 // p; an aliased term has NaN
}

// Names returns the names of the coefficients: "(Intercept)" first if one was
// fitted, then the terms.
func (f *linear) Names() []string {
	if f.l.NoIntercept {
		return slices.Clone(f.l.TermNames)
	}
	return append([]string{InterceptName}, f.l.TermNames...)
}

// Coef returns the coefficients in the order of Names, in the units of the
// design fitted. The coefficient of an aliased term is NaN.
func (f *linear) Coef() []float64 {
	if f.l.NoIntercept {
		return slices.Clone(f.l.B)
	}
	return append([]float64{f.l.B0}, f.l.B...)
}

// Intercept returns b_0, or 0 if none was fitted.
func (f *linear) Intercept() float64 { return f.l.B0 }

// Slopes returns the p coefficients without the intercept.
func (f *linear) Slopes() []float64 { return slices.Clone(f.l.B) }

// HasIntercept tells whether an intercept was fitted.
func (f *linear) HasIntercept() bool { return !f.l.NoIntercept }

// Response returns the name of the response.
func (f *linear) Response() string { return f.l.Response }

// Scaling returns the scaling of the design fitted, nil if its columns were
// raw.
func (f *linear) Scaling() *Scaling { return f.l.Scaling }

// Predict returns b_0 + x'b for every row of d. Columns are found by name and
// brought to the units of the fit, whatever scaling d has; d needs no response.
// The error names a missing term (ErrShape) or a value that is not finite.
func (f *linear) Predict(d *Design) ([]float64, error) {
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	return f.predict(x), nil
}

// Fitted is Predict: the fitted values of the rows of d.
func (f *linear) Fitted(d *Design) ([]float64, error) { return f.Predict(d) }

// Residuals returns y - yhat for every row of d, which must have a response
// (ErrNoData). Other errors are those of Predict.
func (f *linear) Residuals(d *Design) ([]float64, error) {
	if d.Y == nil {
		return nil, fmt.Errorf("%w: residuals need the response %q, and the design has none", ErrNoData, f.l.Response)
	}
	yhat, err := f.Predict(d)
	if err != nil {
		return nil, err
	}
	for i, y := range d.Y {
		yhat[i] = y - yhat[i]
	}
	return yhat, nil
}

// rows returns the columns of d that the fit has terms for, in the fit's order
// and units, rounded to float64.
func (f *linear) rows(d *Design) (*mat.Dense, error) {
	d, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	return d.X, nil
}

// columnsOf returns the design of those columns with both their parts.
func (f *linear) columnsOf(d *Design) (*Design, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if !slices.Equal(d.Names, f.l.TermNames) {
		selected, err := d.Select(f.l.TermNames...)
		if err != nil {
			return nil, err
		}
		d = selected
	}
	return d.Rescale(f.l.Scaling)
}

// predict is Predict on columns that are in the fit's order and units. Aliased
// terms do not count.
func (f *linear) predict(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	yhat := make([]float64, n)
	for i := range yhat {
		yhat[i] = f.l.B0
	}
	b := withoutNaN(f.l.B)
	blas64.Gemv(blas.NoTrans, 1, x.RawMatrix(), blas64.Vector{N: len(b), Inc: 1, Data: b}, 1,
		blas64.Vector{N: n, Inc: 1, Data: yhat})
	return yhat
}

// toRaw brings the coefficients to raw units, and with them the rows of a root
// of their covariance, which it changes in place.
func (f *linear) toRaw(root func(j int) blas64.Vector) error {
	scaling := f.l.Scaling
	if scaling == nil {
		return nil
	}
	first := 1
	if f.l.NoIntercept {
		first = 0
	}
	f.l.B, f.l.Scaling = slices.Clone(f.l.B), nil
	for j := range f.l.B {
		center, scale := scaling.at(j)
		if f.l.NoIntercept && center != 0 {
			return fmt.Errorf("%w: the fit has no intercept, and term %q was centred at %v; in raw units it needs one",
				ErrShape, f.l.TermNames[j], center)
		}
		f.l.B[j] /= scale
		row := root(j + first)
		blas64.Scal(1/scale, row)
		if center != 0 && !math.IsNaN(f.l.B[j]) {
			f.l.B0 -= f.l.B[j] * center
			blas64.Axpy(-center, row, root(0))
		}
	}
	return nil
}

// withoutNaN returns a copy of b with 0 for NaN.
func withoutNaN(b []float64) []float64 {
	c := slices.Clone(b)
	for j, v := range c {
		if v != v {
			c[j] = 0
		}
	}
	return c
}
