package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// penaltyData are data brought to the form that the solver of L1-penalised
// problems wants: centred if there is an intercept, weighted, and with columns
// and response divided by powers of two so that their lengths are about 1.
type penaltyData struct {
	l            linearState // without coefficients
	n            int
	src          descent.Source
	meanX        []float64
	meanY        float64
	exp          []int
	yexp         int
	xscale, unit []float64 // 2^-exp, and 2^(yexp-exp): slopes are unit times weights
	// deviation are scales of the columns for which the penalty is meant, nil
	// for ones: that of slope b_j is of deviation_j b_j.
	deviation []float64
	logistic  *descent.LogisticData // of a logistic regression
	rows      bool                  // src is of rows, not of cross-products
}

// pathSolver is a *descent.Solver or a *descent.Logistic.
type pathSolver interface {
	Solve(descent.Problem, descent.Tolerance) descent.Certificate
	Active() (set []int, w []float64)
	Gradient() []float64
	Null() float64
	Intercept() float64
}

// solver returns a solver that starts from slopes of zero.
func (d *penaltyData) solver(positive []bool) pathSolver {
	if d.logistic != nil {
		return descent.NewLogistic(*d.logistic, positive)
	}
	return descent.New(d.src, positive)
}

// newPenaltyData chooses between rows and sums.
func newPenaltyData(data Data) (*penaltyData, error) {
	if data == nil {
		return nil, fmt.Errorf("%w: data is nil", ErrNoData)
	}
	if d, ok := data.(*Design); ok && preferRows(d.NObs(), d.NTerms()) {
		return rowsData(d)
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	if m.s.N == 0 {
		return nil, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	}
	if err := checkTerms(m.s.Names); err != nil {
		return nil, err
	}
	return sumsData(m), nil
}

// preferRows tells whether a path over n rows and p columns takes less time with
// the rows than with all cross-products: these are n p^2/2 products at the speed
// of the processor; with rows there are about forty passes over X at the speed of
// memory, which is a sixteenth of it, and the cross-products of the columns that
// become active, perhaps half of what can.
func preferRows(n, p int) bool {
	most := float64(min(n, p)) / 2
	sums := float64(p) * float64(p) / 2
	rows := 40*16*float64(p) + 4*most*most/2
	return n < p || rows < sums
}

// sumsData are moments.
func sumsData(m *Moments) *penaltyData {
	e := newNormalEquations(m)
	p := len(e.c)
	raw := e.g.RawSymmetric()
	for i := range p {
		for j := i + 1; j < p; j++ {
			raw.Data[j*raw.Stride+i] = raw.Data[i*raw.Stride+j]
		}
	}
	d := &penaltyData{
		l: linearState{header: m.s.header.clone()},
		n: m.s.N, src: descent.NewSums(raw.Data, e.c, e.yy), exp: e.exp[e.offset():], yexp: e.yexp,
	}
	d.scale()
	if !m.s.NoIntercept {
		d.meanX, d.meanY = m.s.MeanX, m.s.MeanY
	}
	return d
}

// rowsData are the rows of a design.
func rowsData(d *Design) (*penaltyData, error) {
	c, out, err := designColumns(d, nil)
	if err != nil {
		return nil, err
	}
	out.src, out.rows = descent.NewRows(c), true
	return out, nil
}

// designColumns copies the rows of d, in the given order if it is not nil, by
// columns: centred, scaled and multiplied by the roots of the weights.
func designColumns(d *Design, order []int) (*descent.Columns, *penaltyData, error) {
	if err := d.checkFit(); err != nil {
		return nil, nil, err
	}
	if err := checkTerms(d.Names); err != nil {
		return nil, nil, err
	}
	n, p := d.NObs(), d.NTerms()
	out := &penaltyData{
		l:   linearState{header: d.header()},
		exp: make([]int, p), meanX: make([]float64, p),
	}
	if order == nil {
		order = make([]int, n)
		for i := range order {
			order[i] = i
		}
	}
	var total float64
	weights := make([]float64, n)
	for i, row := range order {
		weights[i] = d.weight(row)
		total += weights[i]
		if weights[i] > 0 {
			out.n++
		}
	}
	root := make([]float64, n)
	for i, w := range weights {
		root[i] = math.Sqrt(w)
	}
	center := func(v []float64) (mean float64, exp int, err error) {
		if !d.NoIntercept {
			mean = centre(v, weights, total)
		}
		for i := range v {
			v[i] *= root[i]
		}
		exp, err = exponent(blas64.Nrm2(vector(v)))
		if err != nil {
			return 0, 0, err
		}
		f := math.Ldexp(1, -exp)
		for i := range v {
			v[i] *= f
		}
		return mean, exp, nil
	}
	c := descent.NewColumns(n, p)
	copyColumns(c, d.X, order)
	bad := make([]error, p)
	gram.Each(p, func(j int) { out.meanX[j], out.exp[j], bad[j] = center(c.Column(j)) })
	for j, err := range bad {
		if err != nil {
			return nil, nil, d.notFinite(j)
		}
	}
	for i, row := range order {
		c.Y()[i] = d.Y[row]
	}
	var err error
	if out.meanY, out.yexp, err = center(c.Y()); err != nil || max(out.yexp, -out.yexp) > mostSquared {
		return nil, nil, d.notFinite(-1)
	}
	out.scale()
	return c, out, nil
}

// centre subtracts the weighted mean and returns it; a constant column becomes
// exactly zero. Values of weight zero are not looked at.
func centre(v, weights []float64, total float64) (mean float64) {
	for pass := range 2 {
		var first, sum float64
		seen := false
		for i, x := range v {
			if weights[i] == 0 {
				continue
			}
			if !seen {
				first, seen = x, true
			}
			sum += weights[i] * (x - first)
		}
		m := first + sum/total
		if pass == 1 && !(math.Abs(m) > 0) {
			break
		}
		mean += m
		for i := range v {
			if weights[i] > 0 {
				v[i] -= m
			} else {
				v[i] = 0
			}
		}
	}
	return mean
}

// copyColumns copies rows of x into columns, block by block.
func copyColumns(c *descent.Columns, x *mat.Dense, order []int) {
	const width = 16
	_, p := x.Dims()
	raw := x.RawMatrix()
	gram.Each((p+width-1)/width, func(task int) {
		from, to := task*width, min((task+1)*width, p)
		var cols [width][]float64
		for j := from; j < to; j++ {
			cols[j-from] = c.Column(j)
		}
		for i, row := range order {
			for j, v := range raw.Data[row*raw.Stride+from : row*raw.Stride+to] {
				cols[j][i] = v
			}
		}
	})
}

// scale sets the scales from the exponents.
func (d *penaltyData) scale() {
	p := len(d.exp)
	d.xscale, d.unit = make([]float64, p), make([]float64, p)
	for j, e := range d.exp {
		d.xscale[j], d.unit[j] = math.Ldexp(1, -e), math.Ldexp(1, d.yexp-e)
	}
}

// squares brings a sum of squares of the response to the units of the data.
func (d *penaltyData) squares(v float64) float64 { return math.Ldexp(v, 2*d.yexp) }

// term returns the position of a term.
func (d *penaltyData) term(name, field string) (int, error) {
	j := slices.Index(d.l.Names, name)
	if j < 0 {
		return 0, fmt.Errorf("%w: %s: no term %q among %s", ErrSetting, field, name, quoteAll(d.l.Names))
	}
	return j, nil
}

// coefficients returns the terms of weights that are not zero, their slopes, and
// the intercept.
func (d *penaltyData) coefficients(set []int, w []float64) (slopes []float64, intercept float64) {
	slopes = make([]float64, len(set))
	intercept = d.meanY
	for i, j := range set {
		slopes[i] = w[i] * d.unit[j]
		if d.meanX != nil {
			intercept -= slopes[i] * d.meanX[j]
		}
	}
	return slopes, intercept
}
