package mlreg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Newton's method by sums that a database computes.

// pushed fits rows whose sums a database computes, a step by one statement. It is nil if they are to be read: for
// other likelihoods than those of two classes and of counts by their own links, for what SQL does not compute, and where
// Newton's method does not settle that there is an estimate, which rows tell.
func (m *likelihoodModel) pushed(rows RowBlocks) (f *GLM, err error) {
	switch m.family.with(m.link) {
	case glm.Family{Kind: glm.Binomial, Link: glm.Logit}, glm.Family{Kind: glm.Poisson, Link: glm.Log}:
	default:
		return nil, nil
	}
	err = compressed.WeightedOf(rows, func(w *compressed.Weighted) (err error) {
		f, err = m.ofWeighted(w)
		return err
	})
	switch {
	case errors.Is(err, compressed.ErrRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return f, nil
}

// ofWeighted fits rows whose sums are computed where they are.
func (m *likelihoodModel) ofWeighted(w *compressed.Weighted) (*GLM, error) {
	t, some := w.Rows.(*countedTable)
	like := w.Like.(*Design)
	if !some || len(t.keys) == 0 || len(t.keys)*(len(like.Names)+1) > mostGathered {
		return nil, compressed.ErrRows
	}
	d := t.design(like, func(int) []compressed.Column { return nil }) // a row for every response
	if !m.countable(d) {
		return nil, compressed.ErrRows
	}
	classes, y, err := m.responses(d)
	if err != nil {
		return nil, err
	}
	f, total := m.start(d.header(), classes, 0), floats.Sum(d.Weights)
	if !m.labels {
		f.c.Own = m.family.saturated(y, d.Weights)
	}
	null := newton.Problem{X: blas64.General{Rows: d.NObs()}, Weights: d.Weights, Fit: m.loss(y, d.Weights), Intercept: !d.NoIntercept}
	f.s.L2, f.s.N = m.L2, d.counted.observed.N
	if f.l.B0, f.s.Null, err = null.Null(); err != nil {
		return nil, compressed.ErrRows
	}
	loss := compressed.Loss{Counts: m.family.kind() == glm.Poisson}
	for i, v := range y {
		if v == 1 {
			loss.One = d.Y[i]
		}
	}
	q := newtonOfSums(w, loss, m.L2, f)
	start := make([]float64, q.Parameters())
	copy(start[:q.First()], []float64{f.l.B0})
	n := m.newton()
	if m.L2 == 0 {
		n.Doubt = func() error { return compressed.ErrRows }
	}
	solution, certificate, err := q.Solve(start, n)
	switch {
	case errors.Is(err, newton.ErrNotFinite), errors.Is(err, newton.ErrSingular), err == nil && !solution.Converged:
		return nil, compressed.ErrRows
	case err != nil:
		return nil, err
	}
	if err := f.s.set(&f.linear, &q.Problem, solution, certificate, total); err != nil {
		return nil, err
	}
	f.s.Method += ", summed by the database"
	return f, nil
}

// newtonOfSums is the problem of a fit that has not begun.
func newtonOfSums(w *compressed.Weighted, loss compressed.Loss, l2 float64, f *GLM) *newton.Passes {
	p := len(w.Center)
	s := &problem.Scaling{Center: w.Center, Scale: make([]float64, p)}
	floats.AddConst(1, s.Scale)
	return &newton.Passes{
		Problem: newton.Problem{X: blas64.General{Rows: f.s.N, Cols: p}, L2: l2, Intercept: !f.l.NoIntercept, Scaling: s},
		Sum: func(b0 float64, b []float64) (*newton.Sums, error) {
			sums, err := w.At(loss, b0, b)
			if err != nil {
				return nil, err
			}
			return newtonSums(sums, w.Center), nil
		},
	}
}

// newtonSums are those of a Newton step of the sums of least squares of z_i = r_i/c_i with weights c_i:
//
//	sum r_i = W mean(z),  sum r_i x_i = S_xz + W mean(x) mean(z),  sum r_i^2/c_i = S_zz + W mean(z)^2,
//
// with the columns x about their centers.
func newtonSums(s *compressed.LossSums, center []float64) *newton.Sums {
	p := len(center)
	out := &newton.Sums{LossSums: &gram.LossSums{Loss: s.Loss, Least: s.Least, Largest: s.Largest, X: make([]float64, p)}}
	if !(s.Loss-s.Loss == 0) {
		return out
	}
	e := problem.Expand(p, partsOf(s.Cells))
	products := &gram.Sums{N: e.N, W: e.W, Mean: make([]float64, p), S: blas64.Symmetric{N: p, Stride: max(p, 1), Uplo: blas.Upper, Data: e.SXX}}
	out.Ones, out.Curvature, out.Pearson = e.W*e.MeanY, e.W, e.SYY+e.W*gram.Square(e.MeanY)
	const own = 32 * 0x1p-53 // that of what is added here
	out.Products, out.RelErr, out.Cross, out.Eta, out.Lost = products, s.RelErr+own, s.RelErr+own, s.Eta, e.Lost
	for j := range p {
		products.Mean[j] = e.MeanX[j] - center[j] + e.MeanXLow[j]
		out.X[j] = e.SXY[j] + e.W*products.Mean[j]*e.MeanY
		out.Cross = math.Max(out.Cross, out.RelErr*e.Gross[j]/e.SXX[j*p+j])
	}
	return out
}
