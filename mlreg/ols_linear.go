package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/stream"
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
	header
	coefficients
}

// columns returns the number of coefficients.
func (l *linearState) columns() int {
	if l.NoIntercept {
		return len(l.Names)
	}
	return len(l.Names) + 1
}

func (l *linearState) active() []string {
	var names []string
	for j, b := range l.B {
		if b != 0 {
			names = append(names, l.Names[j])
		}
	}
	return names
}

type coefficients struct {
	B0 float64
	B  []float64 // p; an aliased term has NaN
	// What rounding took from B0 and B; BLow is nil if that is not known.
	B0Low float64
	BLow  []float64
}

// restored looks at the number of coefficients.
func (f *linear) restored() error {
	if p, low := len(f.l.Names), len(f.l.BLow); len(f.l.B) != p || low > 0 && low != p {
		return fmt.Errorf("%w: %d terms have %d slopes", ErrShape, p, len(f.l.B))
	}
	return nil
}

// GobEncode implements gob.GobEncoder.
func (l *linearState) GobEncode() ([]byte, error) {
	return stream.Encode(l, &l.header, &l.coefficients)
}

// GobDecode implements gob.GobDecoder.
func (l *linearState) GobDecode(b []byte) error {
	return gobDecode(b, l, &l.header, &l.coefficients)
}

func (f *linear) head() *header { return &f.l.header }

// Names returns the names of the coefficients: "(Intercept)" first if one was
// fitted, then the terms.
func (f *linear) Names() []string {
	if f.l.NoIntercept {
		return slices.Clone(f.l.Names)
	}
	return append([]string{InterceptName}, f.l.Names...)
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
func (f *linear) Scaling() *Scaling { return f.l.Scaling.clone() }

// Coding returns how the columns of the design fitted were computed, nil if they
// were given.
func (f *linear) Coding() *Coding { return f.l.Coding }

// Omitted returns the number of rows omitted for missing values before the fit; see
// Design.Omitted.
func (f *linear) Omitted() int { return f.l.Omitted }

// Predict returns b_0 + x'b for every row of d, plus its offset. Columns are found by name and
// brought to the units of the fit, whatever scaling d has; d needs no response.
// The error names a missing term (ErrShape), a term coded differently from the fit
// (ErrCoding), or a value that is not finite.
func (f *linear) Predict(d *Design) ([]float64, error) {
	d, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	return f.predictRows(d), nil
}

// Fitted is Predict: the fitted values of the rows of d.
func (f *linear) Fitted(d *Design) ([]float64, error) { return f.Predict(d) }

// Residuals returns y - yhat for every row of d, which must have a response
// (ErrNoData). Other errors: as Predict.
func (f *linear) Residuals(d *Design) ([]float64, error) {
	return residualsOf(d, f.l.Response, f.Predict)
}

// residualsOf returns the response of d less what is predicted.
func residualsOf(d *Design, response string, predict func(d *Design) ([]float64, error)) ([]float64, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if d.Y == nil {
		return nil, fmt.Errorf("%w: residuals need the response %q, and the design has none", ErrNoData, response)
	}
	yhat, err := predict(d)
	if err != nil {
		return nil, err
	}
	for i, y := range d.Y {
		yhat[i] = y - yhat[i]
	}
	return yhat, nil
}

// rows returns the columns of d that the fit has terms for, in the fit's order
// and units, rounded to float64; see header.columnsOf.
func (f *linear) rows(d *Design) (*mat.Dense, error) { return f.l.rows(d) }

// quadratic returns a'root'root a of every row a = (1, x) of d.
func (f *linear) quadratic(d *Design, root []float64) ([]float64, error) {
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	return newton.Quadratic(x.RawMatrix(), root, !f.l.NoIntercept), nil
}

// columnsOf returns the design of those columns with both their parts.
func (f *linear) columnsOf(d *Design) (*Design, error) { return f.l.columnsOf(d) }

// predict is Predict on columns x + low that are in the fit's order and units; low
// may be nil. Aliased terms do not count. A fit that knows its coefficients to
// twice the digits is summed so, and rounded once.
func (f *linear) predict(x, low *mat.Dense) []float64 {
	n, _ := x.Dims()
	b := gram.WithoutNaN(f.l.B)
	if f.l.BLow != nil {
		rows := gram.Rows{X: x.RawMatrix()}
		if low == nil {
			return rows.Combine(nil, f.l.B0, f.l.B0Low, b, f.l.BLow)
		}
		lower := blas64.Vector{N: n, Inc: 1, Data: make([]float64, n)}
		blas64.Gemv(blas.NoTrans, 1, low.RawMatrix(), gram.Vector(b), 1, lower)
		return rows.Combine(lower.Data, f.l.B0, f.l.B0Low, b, f.l.BLow)
	}
	yhat := make([]float64, n)
	for i := range yhat {
		yhat[i] = f.l.B0
	}
	blas64.Gemv(blas.NoTrans, 1, x.RawMatrix(), blas64.Vector{N: len(b), Inc: 1, Data: b}, 1,
		blas64.Vector{N: n, Inc: 1, Data: yhat})
	return yhat
}

// columns returns the number of coefficients.
func (f *linear) columns() int { return f.l.columns() }

// squaredLengths returns |a'root|^2 for every row a = (1, x) of columns x that are in
// the fit's order and units; root has a row for every coefficient, NaN for an aliased
// one, which does not count.
func (f *linear) squaredLengths(x blas64.General, root []float64) []float64 {
	r := len(root) / max(f.columns(), 1)
	root = gram.WithoutNaN(root)
	var first []float64
	if !f.l.NoIntercept {
		first, root = root[:r], root[r:]
	}
	return gram.SquaredLengths(x, first, blas64.General{Rows: x.Cols, Cols: r, Stride: max(r, 1), Data: root})
}

// toRaw brings the coefficients to raw units, and with them the rows of a root
// of their covariance, which it changes in place, with what rounding took from
// them, low; a nil low is zero. It computes in double-double.
func (f *linear) toRaw(root, low func(j int) blas64.Vector) error {
	scaling := f.l.Scaling
	if scaling == nil {
		return nil
	}
	first := 1
	if f.l.NoIntercept {
		first = 0
	}
	row := func(j int) dd.Vector {
		v := dd.Vector{Hi: root(j).Data}
		if low == nil {
			v.Lo = make([]float64, len(v.Hi))
		} else {
			v.Lo = low(j).Data
		}
		return v
	}
	before := f.Coef()
	f.l.B, f.l.Scaling = slices.Clone(f.l.B), nil
	known := f.l.BLow != nil
	f.l.BLow = append(make([]float64, 0, len(f.l.B)), f.l.BLow...)[:len(f.l.B)]
	b0 := dd.Number{Hi: f.l.B0, Lo: f.l.B0Low}
	var row0 dd.Vector
	if first == 1 {
		row0 = row(0)
	}
	for j := range f.l.B {
		center, scale := scaling.at(j)
		if f.l.NoIntercept && center != 0 {
			return fmt.Errorf("%w: the fit has no intercept, and term %q was centered at %v; in raw units it needs one",
				ErrShape, f.l.Names[j], center)
		}
		if math.IsNaN(f.l.B[j]) {
			continue
		}
		b := dd.Number{Hi: f.l.B[j], Lo: f.l.BLow[j]}.Div(dd.Of(scale))
		f.l.B[j], f.l.BLow[j] = b.Hi, b.Lo
		v := row(j + first)
		for i := range v.Hi {
			v.Set(i, v.At(i).Div(dd.Of(scale)))
		}
		if center != 0 {
			b0 = b0.Sub(b.Mul(dd.Of(center)))
			row0.AddScaled(dd.Of(-center), v)
		}
	}
	f.l.B0, f.l.B0Low = b0.Hi, b0.Lo
	if !known {
		f.l.B0Low, f.l.BLow = 0, nil
	}
	for j, b := range f.Coef() {
		if math.IsInf(b, 0) || math.IsNaN(b) && !math.IsNaN(before[j]) {
			return fmt.Errorf("%w: the coefficient of %q leaves the range of float64 in raw units; rescale the data", ErrNotFinite, f.Names()[j])
		}
	}
	return nil
}

// CoefFit is a fit of a linear predictor: *OLS, *Ridge, *Lasso, *ElasticNet, *PCR, *Bayes.
type CoefFit interface {
	Names() []string
	Coef() []float64
	Predict(d *Design) ([]float64, error)
}

// linearOf reads the linear predictor of a fit.
func linearOf(fit CoefFit) (*linear, error) {
	names, coef := fit.Names(), fit.Coef()
	if len(names) != len(coef) {
		return nil, fmt.Errorf("%w: a %T has %d names for %d coefficients", ErrShape, fit, len(names), len(coef))
	}
	f := &linear{linearState{header: header{NoIntercept: true}}}
	if len(names) > 0 && names[0] == InterceptName {
		f.l.NoIntercept, f.l.B0 = false, coef[0]
		names, coef = names[1:], coef[1:]
	}
	f.l.Names, f.l.B = names, coef
	if s, ok := fit.(interface{ Scaling() *Scaling }); ok {
		f.l.Scaling = s.Scaling()
	}
	if c, ok := fit.(interface{ Coding() *Coding }); ok {
		f.l.Coding = c.Coding()
	}
	return f, nil
}
