package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// classBlocks are row blocks of two classes.
type classBlocks struct {
	*passes
	classes []string
	code    map[float64]float64 // 0 or 1 for every label
	weight  [2]float64          // of each class
	small   *Design             // all rows, if they are few
	sums    problem.Sums        // of the columns but that of the offset
	start   []float64           // parameters of the fit to the first block, nil if there is none
}

// newClassBlocks makes the first pass.
func newClassBlocks(rows RowBlocks, f *Logistic, s LogisticSettings) (*classBlocks, error) {
	p, err := newPasses(rows)
	if err != nil {
		return nil, err
	}
	b := &classBlocks{passes: p, code: map[float64]float64{}}
	var all gatherer
	var labels Design // a row for every label, to be told apart as those of a design are
	seen, weight := 0, map[float64]float64{}
	first := true
	err = p.each(func(block *Design) error {
		if err := block.checkResponse(); err != nil {
			return err
		}
		all.add(block)
		for i, y := range block.Y {
			if w := block.weight(i); w > 0 {
				if weight[y] == 0 && len(weight) < 3 {
					labels.Y, labels.RowNumbers = append(labels.Y, y), append(labels.RowNumbers, seen+i+1)
				}
				if len(weight) < 3 || weight[y] > 0 {
					weight[y] += w
				}
			}
		}
		seen += block.NObs()
		labels.Classes, labels.Response, labels.Names, labels.NoIntercept = block.Classes, block.Response, block.Names, block.NoIntercept
		if block.weightless() {
			return nil
		}
		terms, _, err := f.split(block)
		if err != nil {
			return err
		}
		r := terms.rows()
		r.Low = blas64.General{}
		sums := problem.SumRows(r)
		if first {
			b.sums = sums
			b.start = startOf(block, s)
			f.l = linearState{header: terms.header()}
			first = false
			return nil
		}
		b.sums.Merge(&sums)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case all.d != nil:
		b.small = all.d
		return b, nil
	case len(labels.Y) == 0:
		return nil, errWeightless
	case len(labels.Y) == 1:
		return nil, fmt.Errorf("%w: response %q has one class only, %s, in all %d rows of positive weight", ErrLabels, labels.Response, labels.label(labels.Y[0]), p.w)
	}
	labels.X = newDense(len(labels.Y), len(labels.Names))
	var code []float64
	if b.classes, code, err = labels.binaryLabels(); err != nil {
		return nil, err
	}
	for i, y := range labels.Y {
		b.code[y] = code[i]
		b.weight[int(code[i])] = weight[y]
	}
	return b, nil
}

// startOf returns the parameters of a fit to the first block, nil if it has none.
func startOf(block *Design, s LogisticSettings) []float64 {
	const enough = 50 // rows a parameter
	if block.NObs() < enough*(block.NTerms()+1) {
		return nil
	}
	s.Tol, s.MaxIterations = 1e-3, 12
	if s.L2 == 0 {
		s.L2 = 1e-3 // in case its classes are separated
	}
	f, err := logisticOfRows(block, s)
	if err != nil {
		return nil
	}
	return f.Coef()
}

// fitLogisticBlocks is FitLogistic for rows that come in blocks.
func fitLogisticBlocks(rows RowBlocks, s LogisticSettings) (*Logistic, error) {
	f := &Logistic{logit{c: logitState{Offset: s.Offset}}, likelihoodState{L2: s.L2}}
	b, err := newClassBlocks(rows, f, s)
	if err != nil {
		return nil, err
	}
	if b.small != nil {
		return logisticOfRows(b.small, s)
	}
	f.c.Classes, f.s.N = b.classes, b.w
	f.l.Omitted = b.h.Omitted
	q := &newton.Passes{
		Problem: newton.Problem{
			X: blas64.General{Rows: b.n, Cols: len(f.l.Names)}, L2: s.L2, Intercept: !f.l.NoIntercept, Scaling: b.scaling(!f.l.NoIntercept),
		},
		Each: func(use func(newton.Block) error) error {
			return b.each(func(block *Design) error {
				terms, offset, err := f.split(block)
				if err != nil {
					return err
				}
				y := make([]float64, len(block.Y))
				for i, label := range block.Y {
					y[i] = b.code[label]
				}
				return use(newton.Block{X: terms.X.RawMatrix(), Y: y, Weights: block.Weights, Offset: offset, Fit: newton.NewLogistic(y, block.Weights)})
			})
		},
	}
	if f.l.B0, f.s.Null, err = q.Null(math.Log(b.weight[1] / b.weight[0])); err != nil {
		return nil, b.explained(err)
	}
	start := b.startFrom(q, f.l.B0)
	n := newton.Settings{Tol: s.Tol, Most: s.MaxIterations}
	if s.L2 == 0 {
		n.Doubt = func() error {
			return separated(func() (*newton.Separation, error) { return q.Separation(start) }, f.Names(), f.l.Response, b.classes)
		}
	}
	solution, certificate, err := q.Solve(start, n)
	if errors.Is(err, newton.ErrSingular) {
		return nil, rankDeficient(f.Names(), b.kept(q, solution.Hessian.Keep), f.s.N, "LogisticSettings")
	}
	if err != nil {
		return nil, b.explained(err)
	}
	if err := f.s.set(&f.linear, &q.Problem, solution, certificate, b.weight[0]+b.weight[1]); err != nil {
		return nil, err
	}
	return f, notConverged(solution.Converged, solution.Iterations, solution.Decrement, s.Tol)
}

// scaling centers columns at powers of two of their deviations, so that cross-products
// keep their digits.
func (b *classBlocks) scaling(intercept bool) *newton.Scaling {
	p := len(b.sums.SXY)
	s := &newton.Scaling{Center: make([]float64, p), Scale: make([]float64, p)}
	for j := range p {
		ss := b.sums.SXX[j*p+j]
		if intercept {
			s.Center[j] = b.sums.MeanX[j]
		} else {
			ss += b.sums.W * square(b.sums.MeanX[j])
		}
		s.Scale[j] = math.Ldexp(1, problem.HalfExponent(ss/b.sums.W))
	}
	return s
}

// startFrom returns the parameters to start from, in the columns of the iteration: those of
// the first block, or those of the null model.
func (b *classBlocks) startFrom(q *newton.Passes, null float64) []float64 {
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
func (b *classBlocks) kept(q *newton.Passes, keep []int) []int {
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
func (b *classBlocks) explained(err error) error {
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
