package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Moments are the sufficient statistics of a Gaussian linear model: with
// weights w_i (all 1 unless given) and W = sum w_i,
//
//	mean_x = sum w_i x_i / W               (p)
//	S_xx   = sum w_i (x_i - mean_x)(x_i - mean_x)'   (p x p)
//	S_xy   = sum w_i (x_i - mean_x)(y_i - mean_y)    (p)
//	S_yy   = sum w_i (y_i - mean_y)^2
//
// They take p^2 numbers whatever n is. Rows are centered before they are multiplied,
// and the update of Chan, Golub and LeVeque (1983, The American Statistician 37, eq.
// 2.1) combines sums, so that a large mean does not drown a small variance. Means are
// kept to twice the digits. XLow is not summed. Moments of disjoint sets of rows
// merge, and those of a subset (a fold) can be subtracted. Sums of squares that leave
// the range of float64, such as those of a column that varies by less than 1e-145,
// are refused.
//
// The zero value is not usable; make one with NewMoments or Design.Moments. Gob
// stores Moments.
type Moments struct {
	s momentsState
}

type momentsState struct {
	header
	problem.Sums
}

// NewMoments returns the moments of no rows, with the terms, the response, the
// scaling and the intercept of like, whose rows are not used.
func NewMoments(like *Design) *Moments {
	m := &Moments{momentsState{like.columnsHeader(), problem.NewSums(len(like.Names))}}
	m.s.Omitted = 0
	return m
}

// Moments returns the sufficient statistics of the design, in its units, by one pass
// over its rows. Errors: ErrNoData without a response, ErrNotFinite for a value that
// is not finite.
func (d *Design) Moments() (*Moments, error) {
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	d = d.LessOffset()
	m := &Moments{momentsState{d.columnsHeader(), problem.SumRows(d.rows())}}
	if err := m.check(d.varies); err != nil {
		if bad := d.checkFinite(); bad != nil {
			return nil, bad
		}
		return nil, err
	}
	return m, nil
}

func init() {
	door.MomentsOf = func(like any, sums problem.Sums, varies func(column int) bool) (any, error) {
		m := &Moments{momentsState{like.(*Design).columnsHeader(), sums}}
		return m, m.check(varies)
	}
	door.Prepare = func(design any, below int) (*problem.Prepared, error) {
		d := design.(*Design)
		rows, err := problem.Prepare(d.rows(), below)
		return rows, d.named(err)
	}
	door.SumsOf = func(moments any) *problem.Sums { return &moments.(*Moments).s.Sums }
}

// Moments returns m itself, so that *Moments is Data.
func (m *Moments) Moments() (*Moments, error) {
	if m == nil {
		return nil, fmt.Errorf("%w: the moments are nil", ErrNoData)
	}
	return m, nil
}

// sumsOf returns the moments of data that have a row and a term.
func sumsOf(data Data) (*Moments, error) {
	if data == nil {
		return nil, fmt.Errorf("%w: data is nil", ErrNoData)
	}
	m, err := data.Moments()
	switch {
	case err != nil:
		return nil, err
	case m.s.N == 0:
		return nil, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	case len(m.s.Names) == 0:
		return nil, errNoTerms
	}
	return m, nil
}

// Add adds the rows of d, which must have the terms, the response, the scaling and
// the intercept of m (ErrShape). A value that is not finite is ErrNotFinite, which
// names row and term. An error leaves m unchanged.
func (m *Moments) Add(d *Design) error {
	block, err := d.Moments()
	if err != nil {
		return err
	}
	sum, err := m.Merge(block)
	if err != nil {
		return err
	}
	*m = *sum
	return nil
}

// rows are those of the design as numbers.
func (d *Design) rows() problem.Rows {
	r := problem.Rows{X: d.X.RawMatrix(), Y: d.Y, Weights: d.Weights, NoIntercept: d.NoIntercept}
	if d.XLow != nil {
		r.Low = d.XLow.RawMatrix()
	}
	return r
}

// Merge returns the moments of the rows of m and o together. It is ErrShape if their
// terms, responses or scalings differ.
func (m *Moments) Merge(o *Moments) (*Moments, error) {
	if err := m.compatible(o); err != nil {
		return nil, err
	}
	sum := m.clone()
	sum.s.Merge(&o.s.Sums)
	sum.s.Omitted += o.s.Omitted
	if sum.s.Coding == nil {
		sum.s.Coding = o.s.Coding
	}
	return valid(sum, sum.check(func(j int) bool {
		switch {
		case m.s.N == 0 || o.s.N == 0:
			return false
		case j == len(m.s.Names):
			return m.s.MeanY != o.s.MeanY
		}
		return m.s.MeanX[j] != o.s.MeanX[j]
	}))
}

// Subtract returns the moments of the rows of m without those of o, which must
// be among them: those without a fold, for example. Errors: ErrNoData if no row is
// left, ErrShape if what remains cannot be the moments of any rows. Digits are lost in
// proportion to how much of the sums is taken away; OLS.Digits counts them.
func (m *Moments) Subtract(o *Moments) (*Moments, error) {
	if err := m.compatible(o); err != nil {
		return nil, err
	}
	if o.s.N >= m.s.N {
		return nil, fmt.Errorf("%w: taking %d rows from %d leaves none", ErrNoData, o.s.N, m.s.N)
	}
	rest := m.clone()
	if o.s.N > 0 && o.s.W >= m.s.W {
		return nil, fmt.Errorf("%w: taking weights that sum to %g from %g leaves none", ErrNoData, o.s.W, m.s.W)
	}
	rest.s.Subtract(&o.s.Sums)
	p := len(rest.s.Names)
	for j := range p {
		if err := notNegative(&rest.s.SXX[j*p+j], m.s.SXX[j*p+j], rest.s.Names[j]); err != nil {
			return nil, err
		}
	}
	if err := notNegative(&rest.s.SYY, m.s.SYY, rest.s.Response); err != nil {
		return nil, err
	}
	return valid(rest, rest.check(func(int) bool { return false }))
}

// notNegative sets a sum of squares that rounding made negative to zero, and
// refuses one that is more negative than rounding explains.
func notNegative(ss *float64, before float64, name string) error {
	if *ss >= 0 {
		return nil
	}
	if *ss < -1e-8*before {
		return fmt.Errorf("%w: the sum of squares of %q would be negative; the rows to subtract are not among those summed", ErrShape, name)
	}
	*ss = 0
	return nil
}

func (m *Moments) compatible(o *Moments) error {
	if err := args.Given("the other moments", o); err != nil {
		return err
	}
	switch {
	case !slices.Equal(m.s.Names, o.s.Names):
		return fmt.Errorf("%w: the moments have the terms %s and %s", ErrShape, format.Quoted(m.s.Names), format.Quoted(o.s.Names))
	case m.s.Response != o.s.Response:
		return fmt.Errorf("%w: the moments have the responses %q and %q", ErrShape, m.s.Response, o.s.Response)
	case m.s.NoIntercept != o.s.NoIntercept:
		return fmt.Errorf("%w: one of the models has an intercept and the other has none", ErrShape)
	case m.s.Offset != o.s.Offset:
		return fmt.Errorf("%w: one of the models has an offset and the other has none", ErrShape)
	case !m.s.Scaling.equal(o.s.Scaling, len(m.s.Names)):
		return fmt.Errorf("%w: the columns of the moments are scaled differently", ErrShape)
	}
	return m.s.Coding.check(o.s.Coding, m.s.Names)
}

// check reports sums of squares that overflow, or lose digits to underflow,
// naming the column. One of zero underflows if the column varies; column p is
// the response.
func (m *Moments) check(varies func(column int) bool) error {
	return m.s.named(m.s.Check(m.s.NoIntercept, varies))
}

// varies tells whether a column of X, or column p, the response, has two values
// in rows of positive weight.
func (d *Design) varies(column int) bool {
	var first float64
	seen := false
	for i, v := range d.Y {
		if d.Weight(i) == 0 {
			continue
		}
		if column < len(d.Names) {
			v = d.X.At(i, column)
		}
		if seen && v != first {
			return true
		}
		first, seen = v, true
	}
	return false
}

// header returns what a fit to m keeps of it; the rows of sums of y less an offset are not
// known.
func (m *Moments) header() header {
	h, s := m.s.header.clone(), &m.s.Sums
	if !h.Offset && s.W > 0 {
		h.Observed = observed{N: s.N, W: s.W, LogW: s.LogW, Y: meanSD{s.MeanY, math.Sqrt(s.SYY / s.W)}}
	}
	return h
}

func (m *Moments) clone() *Moments {
	return &Moments{momentsState{m.s.header, m.s.Sums.Clone()}}
}

// NObs returns the number of rows of positive weight.
func (m *Moments) NObs() int { return m.s.N }

// SumWeights returns W, the sum of the weights; NObs if there are none.
func (m *Moments) SumWeights() float64 { return m.s.W }

// Terms returns the p names of the columns.
func (m *Moments) Terms() []string { return slices.Clone(m.s.Names) }

// Response returns the name of the response.
func (m *Moments) Response() string { return m.s.Response }

// Scaling returns the scaling of the columns, nil if they are raw.
func (m *Moments) Scaling() *Scaling { return m.s.Scaling.clone() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (m *Moments) Coding() *Coding { return m.s.Coding }

// NoIntercept tells whether the model has no intercept.
func (m *Moments) NoIntercept() bool { return m.s.NoIntercept }

// MeanX returns the p weighted means of the columns.
func (m *Moments) MeanX() []float64 { return slices.Clone(m.s.MeanX) }

// MeanY returns the weighted mean of the response.
func (m *Moments) MeanY() float64 { return m.s.MeanY }

// SXX returns S_xx, the p x p centered cross-products of the columns; the empty
// matrix if there are none.
func (m *Moments) SXX() *mat.SymDense {
	s := algebra.NewSym(len(m.s.Names))
	copy(s.RawSymmetric().Data, m.s.SXX)
	return s
}

// SXY returns S_xy, the p centered cross-products of columns and response.
func (m *Moments) SXY() []float64 { return slices.Clone(m.s.SXY) }

// SYY returns S_yy, the centered sum of squares of the response.
func (m *Moments) SYY() float64 { return m.s.SYY }

// GobEncode implements gob.GobEncoder.
func (m *Moments) GobEncode() ([]byte, error) { return stream.Encode(m, &m.s.header, &m.s.Sums) }

// GobDecode implements gob.GobDecoder.
func (m *Moments) GobDecode(b []byte) error { return gobDecode(b, m, &m.s.header, &m.s.Sums) }

// restored looks at the lengths of the sums.
func (m *Moments) restored() error {
	s, p := &m.s, len(m.s.Names)
	known := func(values []float64, n int) bool { return len(values) == 0 || len(values) == n }
	if len(s.MeanX) != p || len(s.SXY) != p || len(s.SXX) != p*p || !known(s.MeanXLow, p) || !known(s.Lost, p) ||
		!known(s.Gross, p+1) || !known(s.MeanErr, p+1) {
		return fmt.Errorf("%w: the sums are not those of %d terms", ErrShape, p)
	}
	return nil
}

// squares returns sum_i w_i (y_i - b_0 - x_i'b)^2 over the rows of m, whose terms
// are those of the fit in its order.
func (m *Moments) squares(f *linear) float64 {
	s := &m.s
	b := gram.WithoutNaN(f.l.B)
	bias := s.MeanY - f.l.B0
	ss := s.SYY
	if p := len(b); p > 0 {
		v, image := gram.Vector(b), gram.Vector(make([]float64, p))
		bias -= blas64.Dot(gram.Vector(s.MeanX), v)
		blas64.Symv(1, m.SXX().RawSymmetric(), v, 0, image)
		ss += blas64.Dot(image, v) - 2*blas64.Dot(gram.Vector(s.SXY), v)
	}
	return math.Max(ss, 0) + s.W*bias*bias
}

// Select returns the moments of the named terms only, in the order given. The
// error names a term that does not exist.
func (m *Moments) Select(names ...string) (*Moments, error) {
	s := m.s
	p, k := len(m.s.Names), len(names)
	cols, err := args.Positions(names, m.s.Names)
	if err != nil {
		return nil, err
	}
	s.MeanX, s.SXY, s.SXX = make([]float64, k), make([]float64, k), make([]float64, k*k)
	for i, j := range cols {
		s.MeanX[i], s.SXY[i] = m.s.MeanX[j], m.s.SXY[j]
	}
	s.MeanXLow, s.Gross, s.Lost = gram.Take(m.s.MeanXLow, cols), gram.Take(m.s.Gross, append(slices.Clone(cols), p)), gram.Take(m.s.Lost, cols)
	s.MeanErr = gram.Take(m.s.MeanErr, append(slices.Clone(cols), p))
	for i, a := range cols {
		for j := i; j < k; j++ {
			s.SXX[i*k+j] = m.s.SXX[min(a, cols[j])*p+max(a, cols[j])]
		}
	}
	s.header = m.s.header.columns(cols)
	return &Moments{s}, nil
}

// Describe returns the columns of the data as a table, the response first: weighted mean
// and standard deviation, the root of the centered sum of squares over the sum of the
// weights. Of more than 25 columns it has the first ten. Below stand the number of rows
// and the sum of the weights.
func (m *Moments) Describe() *report.Table {
	w, sxx := m.SumWeights(), m.SXX()
	terms := append([]string{orResponse(m.Response())}, m.Terms()...)
	means := append([]float64{m.MeanY()}, m.MeanX()...)
	sd := []float64{math.Sqrt(m.SYY() / w)}
	for j := range m.Terms() {
		sd = append(sd, math.Sqrt(sxx.At(j, j)/w))
	}
	for j := range means {
		means[j] = orZero(means[j], sd[j])
	}
	t := tables.Shortened(tables.Rows(tables.Of("Moments", m.Response()), report.TextColumn("column", terms...),
		report.NumberColumn("mean", means, 0), report.NumberColumn(format.StdDev, sd, 0)))
	size := format.Plural(m.NObs(), "row")
	if w != float64(m.NObs()) {
		size += ", sum of weights " + format.Number(w, 6)
	}
	if m.NoIntercept() {
		size += ", no intercept"
	}
	t.Notes = append(t.Notes, size)
	if m.Scaling() != nil {
		t.Notes = append(t.Notes, "predictors are scaled")
	}
	return t
}

// String writes the columns of the data as text.
func (m *Moments) String() string { return m.Describe().String() }
