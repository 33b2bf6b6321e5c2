package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// likelihoodBlocks are row blocks of a model that Newton's method fits.
type likelihoodBlocks struct {
	*passes
	all   gatherer
	sums  problem.Sums // of the columns but that of the offset
	start []float64    // parameters of the fit to the first block, nil if there is none
	some  bool         // rows of positive weight were added
}

// blockModel is what a model says of a block of the first pass.
type blockModel struct {
	responses func(block *Design) error            // takes the responses
	terms     func(block *Design) (*Design, error) // without that of the offset
	fit       func(block *Design, rough LogisticSettings) (Wald, error)
}

// newLikelihoodBlocks makes the first pass, whose settings have L2.
func newLikelihoodBlocks(rows RowBlocks, m blockModel, s LogisticSettings) (*likelihoodBlocks, error) {
	p, err := newPasses(rows)
	if err != nil {
		return nil, err
	}
	b := &likelihoodBlocks{passes: p}
	err = p.each(func(block *Design) error {
		if err := m.responses(block); err != nil {
			return err
		}
		b.all.add(block)
		if block.weightless() {
			return nil
		}
		terms, err := m.terms(block)
		if err != nil {
			return err
		}
		r := terms.rows()
		r.Low = blas64.General{}
		sums := problem.SumRows(r)
		if b.some {
			b.sums.Merge(&sums)
			return nil
		}
		b.sums, b.some = sums, true
		b.start = m.startOf(block, s)
		return nil
	})
	if err == nil && b.all.d == nil && !b.some {
		err = errWeightless
	}
	return b, err
}

// startOf returns the parameters of a rough fit to the first block, nil if it has too few
// rows for one or it fails.
func (m *blockModel) startOf(block *Design, s LogisticSettings) []float64 {
	const enough = 50 // rows a parameter
	if block.NObs() < enough*(block.NTerms()+1) {
		return nil
	}
	s.Tol, s.MaxIterations = 1e-3, 12
	if s.L2 == 0 {
		s.L2 = 1e-3 // in case its classes are separated
	}
	f, err := m.fit(block, s)
	if err != nil {
		return nil
	}
	return f.Coef()
}

// problem is that of the columns without rows.
func (b *likelihoodBlocks) problem(l2 float64, intercept bool) newton.Problem {
	return newton.Problem{X: blas64.General{Rows: b.n, Cols: len(b.sums.SXY)}, L2: l2, Intercept: intercept, Scaling: b.scaling(intercept)}
}

// binaryBlocks are the labels of two classes in row blocks.
type binaryBlocks struct {
	seen    Design // a row for every label, to be told apart as those of a design are
	rows    int
	total   map[float64]float64 // weight of every label
	classes []string
	code    map[float64]float64 // 0 or 1 for every label
	weight  [2]float64          // of each class
}

// add takes the labels of a block of the first pass.
func (c *binaryBlocks) add(block *Design) error {
	if err := block.checkResponse(); err != nil {
		return err
	}
	if c.total == nil {
		c.total = map[float64]float64{}
	}
	for i, y := range block.Y {
		if w := block.Weight(i); w > 0 {
			if c.total[y] == 0 && len(c.total) < 3 {
				c.seen.Y, c.seen.RowNumbers = append(c.seen.Y, y), append(c.seen.RowNumbers, c.rows+i+1)
			}
			if len(c.total) < 3 || c.total[y] > 0 {
				c.total[y] += w
			}
		}
	}
	c.rows += block.NObs()
	c.seen.Classes, c.seen.Response, c.seen.Names, c.seen.NoIntercept = block.Classes, block.Response, block.Names, block.NoIntercept
	return nil
}

// finish codes the labels, given the number of rows of positive weight.
func (c *binaryBlocks) finish(rows int) error {
	switch {
	case len(c.seen.Y) == 0:
		return errWeightless
	case len(c.seen.Y) == 1:
		return fmt.Errorf("%w: response %q has one class only, %s, in all %d rows of positive weight", ErrLabels, c.seen.Response, format.Line(c.seen.label(c.seen.Y[0])), rows)
	}
	c.seen.X = algebra.NewDense(len(c.seen.Y), len(c.seen.Names))
	var code []float64
	var err error
	if c.classes, code, err = c.seen.binaryLabels(); err != nil {
		return err
	}
	c.code = map[float64]float64{}
	for i, y := range c.seen.Y {
		c.code[y] = code[i]
		c.weight[int(code[i])] = c.total[y]
	}
	return nil
}

// mean returns the share of the second class and the sum of the weights.
func (c *binaryBlocks) mean() (mean, w float64) {
	w = c.weight[0] + c.weight[1]
	return c.weight[1] / w, w
}

// coded returns 0 or 1 for every label.
func (c *binaryBlocks) coded(labels []float64) []float64 {
	y := make([]float64, len(labels))
	for i, label := range labels {
		y[i] = c.code[label]
	}
	return y
}

// fitLogisticBlocks is FitLogistic for rows that come in blocks.
func fitLogisticBlocks(rows RowBlocks, s LogisticSettings) (*Logistic, error) {
	f := &Logistic{logit: logit{c: logitState{Offset: s.Offset}}}
	var labels binaryBlocks
	first := true
	b, err := newLikelihoodBlocks(rows, blockModel{
		responses: labels.add,
		terms: func(block *Design) (*Design, error) {
			terms, _, err := f.split(block)
			if first && err == nil {
				first, f.l = false, linearState{header: terms.header()}
			}
			return terms, err
		},
		fit: func(block *Design, rough LogisticSettings) (Wald, error) { return logisticOfRows(block, rough) },
	}, s)
	if err != nil {
		return nil, err
	}
	if b.all.d != nil {
		return logisticOfRows(b.all.d, s)
	}
	if err := labels.finish(b.w); err != nil {
		return nil, err
	}
	f.c.Classes = labels.classes
	f.l.Omitted, f.l.Observed = b.h.Omitted, b.h.Observed
	q := &newton.Passes{
		Problem: b.problem(s.L2, !f.l.NoIntercept),
		Each: func(use func(newton.Block) error) error {
			return b.each(func(block *Design) error {
				terms, offset, err := f.split(block)
				if err != nil {
					return err
				}
				y := labels.coded(block.Y)
				return use(newton.Block{X: terms.X.RawMatrix(), Y: y, Weights: block.Weights, Offset: offset, Fit: newton.NewLogistic(y, block.Weights)})
			})
		},
	}
	mean, w := labels.mean()
	n := newton.Settings{Tol: s.Tol, Most: s.MaxIterations}
	err = b.maximize(&f.linear, &f.s, q, n, likelihoodMean{mean, math.Log(labels.weight[1] / labels.weight[0]), w}, func(separation func() (*newton.Separation, error)) func() error {
		return func() error { return separated(separation, f.Names(), f.l.Response, labels.classes) }
	}, "LogisticSettings")
	if best(err) {
		return f, err
	}
	return nil, err
}

// likelihoodMean is the mean of the responses, its linear predictor, and the sum of the weights.
type likelihoodMean struct{ mean, eta, w float64 }

// maximize is likelihoodState.maximize for rows that come in blocks; doubt makes of what decides
// separation the error of it.
func (b *likelihoodBlocks) maximize(f *linear, s *likelihoodState, q *newton.Passes, n newton.Settings, m likelihoodMean,
	doubt func(func() (*newton.Separation, error)) func() error, settings string) (err error) {
	s.L2, s.N = q.L2, b.w
	if f.l.B0, s.Null, err = q.Null(m.mean, m.eta); err != nil {
		return b.explained(err)
	}
	start := b.startFrom(q, f.l.B0)
	if q.L2 == 0 {
		n.Doubt = doubt(func() (*newton.Separation, error) { return q.Separation(start) })
	}
	solution, certificate, err := q.Solve(start, n)
	if errors.Is(err, newton.ErrNotFinite) {
		if start, err = q.Working(m.mean); err == nil {
			solution, certificate, err = q.Solve(start, n)
		}
	}
	if errors.Is(err, newton.ErrSingular) {
		return rankDeficient(f.Names(), b.kept(q, solution.Hessian.Keep), s.N, settings)
	}
	if err != nil {
		return b.explained(err)
	}
	if err := s.set(f, &q.Problem, solution, certificate, m.w); err != nil {
		return err
	}
	return notConverged(solution.Converged, solution.Iterations, solution.Decrement, n.Tol)
}

// scaling centers columns at powers of two of their deviations, so that cross-products
// keep their digits.
func (b *likelihoodBlocks) scaling(intercept bool) *newton.Scaling {
	p := len(b.sums.SXY)
	s := &newton.Scaling{Center: make([]float64, p), Scale: make([]float64, p)}
	for j := range p {
		ss := b.sums.SXX[j*p+j]
		if intercept {
			s.Center[j] = b.sums.MeanX[j]
		} else {
			ss += b.sums.W * gram.Square(b.sums.MeanX[j])
		}
		s.Scale[j] = math.Ldexp(1, problem.HalfExponent(ss/b.sums.W))
	}
	return s
}

// startFrom returns the parameters to start from, in the columns of the iteration: those of
// the first block, or those of the null model.
func (b *likelihoodBlocks) startFrom(q *newton.Passes, null float64) []float64 {
	start := make([]float64, q.Parameters())
	if b.start == nil {
		if q.Intercept {
			start[0] = null
		}
		return start
	}
	copy(start, b.start)
	for j, center := range q.Scaling.Center {
		v := b.start[j+q.First()]
		start[j+q.First()] = v * q.Scaling.Scale[j]
		if q.Intercept {
			start[0] += v * center
		}
	}
	return start
}

// kept returns the columns of A = [1 X], given those that the Hessian kept, of X alone if
// its cross-products were too far from full rank to be factored.
func (b *likelihoodBlocks) kept(q *newton.Passes, keep []int) []int {
	if !q.Intercept {
		return keep
	}
	kept := []int{0}
	for _, j := range keep {
		kept = append(kept, j+1)
	}
	return kept
}

// explained names what made sums no finite numbers.
func (b *likelihoodBlocks) explained(err error) error {
	if !errors.Is(err, newton.ErrNotFinite) {
		return err
	}
	p := len(b.sums.SXY)
	if p == 0 {
		return fmt.Errorf("%w: %v", ErrNotFinite, err)
	}
	largest := slices.Max(b.sums.Squares()[:p])
	j := slices.Index(b.sums.Squares()[:p], largest)
	return fmt.Errorf("%w: sums over the rows overflow; rescale %q, their largest term", ErrNotFinite, b.h.Names[max(j, 0)])
}
