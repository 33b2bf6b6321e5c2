package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Rows in blocks: a likelihood by passes over them.

// ofBlocks fits rows that come in blocks.
func (m *likelihoodModel) ofBlocks(rows RowBlocks) (*GLM, error) {
	switch d, err := m.counted(rows); {
	case err != nil:
		return nil, err
	case d != nil:
		return m.ofRows(d)
	}
	if f, err := m.pushed(rows); f != nil || err != nil {
		return f, err
	}
	b, err := m.newBlocks(rows)
	if err != nil {
		return nil, err
	}
	if b.all.d != nil {
		return m.ofRows(b.all.d)
	}
	h := b.header()
	if err := b.responses.finish(b.w, h.Response); err != nil {
		return nil, err
	}
	f := m.start(h, nil, b.responses.own)
	if b.responses.classes != nil {
		f.c.Classes = slices.Clone(b.responses.classes.classes)
	}
	q := &newton.Passes{
		Problem: newton.Problem{
			X: blas64.General{Rows: b.n, Cols: len(b.sums.SXY)}, L2: m.L2, Intercept: !f.l.NoIntercept, Scaling: b.sums.Conditioning(f.l.NoIntercept),
		},
		Each: func(use func(newton.Block) error) error {
			return b.each(func(block *Design) error { return use(b.block(b.whole(block), m)) })
		},
	}
	if b.cells != nil {
		q.Cells = &newton.Cells{Columns: b.cells.Columns, Each: func(use func(newton.Block, []int) error) error {
			return b.each(func(block *Design) error { return use(b.block(block, m), b.of) })
		}}
	}
	if err := b.maximize(f, q, m); err != nil || m.link != IdentityLink {
		return f, err
	}
	return f, b.each(func(block *Design) error { return f.checkBoundary(b.whole(block)) })
}

// block returns rows with their losses.
func (b *likelihoodBlocks) block(d *Design, m *likelihoodModel) newton.Block {
	y := b.responses.of(d)
	return newton.Block{X: d.X.RawMatrix(), Y: m.sides(y), Weights: d.Weights, Offset: d.Offset, Fit: m.loss(y, d.Weights)}
}

// whole returns a block of a pass with the columns of the fit.
func (b *likelihoodBlocks) whole(block *Design) *Design {
	if b.cells == nil {
		return block
	}
	return block.expanded(b.cells.Like.(*Design), b.of, b.cells.Columns)
}

// header returns that of the fit.
func (b *likelihoodBlocks) header() header {
	if b.cells == nil {
		return b.h.clone()
	}
	h := b.cells.Like.(*Design).columnsHeader()
	h.Omitted, h.Observed = b.h.Omitted, b.h.Observed
	return h
}

// counted returns row blocks of which those of one cell, response and offset are one row, nil if they are to be read. Rows
// of one response are as good as one that has the sum of their weights for labels and counts, and for shares that are 0 or 1;
// the weights of others are numbers of trials.
func (m *likelihoodModel) counted(rows RowBlocks) (*Design, error) {
	kind := m.family.kind()
	if kind != glm.Binomial && kind != glm.Poisson {
		return nil, nil
	}
	d, err := countedRows(rows)
	if d == nil || err != nil || !m.countable(d) {
		return nil, err
	}
	return d, nil
}

// countable tells whether rows of one response are as good as one, and no response is wrong: its row is named by those who
// read it.
func (m *likelihoodModel) countable(d *Design) bool {
	if _, _, wrong := m.responses(d); wrong != nil {
		return false
	}
	share := func(y float64) bool { return y != 0 && y != 1 }
	return m.family.kind() != glm.Binomial || m.labels || d.Classes != nil || !slices.ContainsFunc(d.Y, share)
}

// likelihoodBlocks are row blocks of a model that Newton's method fits. If they come by cells of factors, blocks are of the numbers.
type likelihoodBlocks struct {
	*passes
	cells     *compressed.Blocks // nil if there are none
	of        []int              // the cell of every row of the block that is read
	responses glmResponses
	all       gatherer
	sums      problem.Sums // of the columns
	start     []float64    // parameters of the fit to the first block, nil if there is none
}

// newBlocks makes the first pass.
func (m *likelihoodModel) newBlocks(rows RowBlocks) (*likelihoodBlocks, error) {
	cells, err := compressed.BlocksOf(rows)
	if err != nil {
		return nil, err
	}
	b := &likelihoodBlocks{cells: cells, responses: glmResponses{family: m.family, labels: m.labels}}
	if cells != nil {
		rows = RowBlocksFunc(func(f func(block *Design) error) error {
			return cells.Each(func(d any, of []int) error {
				b.of = of
				return f(d.(*Design))
			})
		})
	}
	if b.passes, err = newPasses(rows); err != nil {
		return nil, err
	}
	some, byCell := false, problem.CellSums{} // rows of positive weight were added
	err = b.each(func(block *Design) error {
		if err := b.responses.add(block); err != nil {
			return err
		}
		if first := !some && !block.weightless(); first || !b.all.full {
			whole := b.whole(block)
			b.all.add(whole)
			if first {
				b.start = m.startOf(whole)
			}
		}
		switch {
		case block.weightless():
			return nil
		case cells != nil:
			byCell.Add(block.X.RawMatrix(), block.Weights, b.of)
		case some:
			b.sums.Merge(block.sumsOfColumns())
		default:
			b.sums = *block.sumsOfColumns()
		}
		some = true
		return nil
	})
	switch {
	case err != nil || b.all.d != nil:
	case !some:
		err = errWeightless
	case cells != nil:
		b.sums = byCell.Expand(len(cells.Like.(*Design).Names), cells.Columns)
	}
	return b, err
}

// sumsOfColumns returns the sums of rows, of the digits that their columns have.
func (d *Design) sumsOfColumns() *problem.Sums {
	r := d.rows()
	r.Low = blas64.General{}
	s := problem.SumRows(r)
	return &s
}

// startOf returns the parameters of a rough fit to the first block, nil if it has too few
// rows for one or it fails.
func (m *likelihoodModel) startOf(block *Design) []float64 {
	const enough = 50 // rows a parameter
	if block.NObs() < enough*(block.NTerms()+1) {
		return nil
	}
	rough := *m
	rough.Tol, rough.MaxIterations = 1e-3, 12
	if rough.L2 == 0 {
		rough.L2 = 1e-3 // in case its classes are separated
	}
	f, err := rough.ofRows(block)
	if err != nil {
		return nil
	}
	return f.Coef()
}

// maximize is likelihoodState.maximize for rows that come in blocks.
func (b *likelihoodBlocks) maximize(f *GLM, q *newton.Passes, m *likelihoodModel) (err error) {
	s, n := &f.s, m.newton()
	s.L2, s.N = q.L2, b.w
	mean, eta, w := b.responses.mean(m.family.with(m.link))
	if f.l.B0, s.Null, err = q.Null(mean, eta); err != nil {
		return b.explained(err)
	}
	start := b.startFrom(q, f.l.B0)
	if q.L2 == 0 {
		n.Doubt = m.doubt(f, func() (*newton.Separation, error) { return q.Separation(start) })
	}
	solution, certificate, err := q.Solve(start, n)
	if errors.Is(err, newton.ErrNotFinite) {
		if start, err = q.Working(mean); err == nil {
			solution, certificate, err = q.Solve(start, n)
		}
	}
	if errors.Is(err, newton.ErrSingular) {
		return rankDeficient(f.Names(), b.kept(q, solution.Hessian.Keep), s.N, m.settings)
	}
	if err != nil {
		return b.explained(err)
	}
	if err := s.set(&f.linear, &q.Problem, solution, certificate, w); err != nil {
		return err
	}
	return notConverged(solution.Converged, solution.Iterations, solution.Decrement, n.Tol)
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
	return fmt.Errorf("%w: sums over the rows overflow; rescale %q, their largest term", ErrNotFinite, b.header().Names[max(j, 0)])
}

// glmResponses are the responses of a family in row blocks.
type glmResponses struct {
	family  GLMFamily
	labels  bool // of two classes, whatever they are
	some    bool
	classes *binaryBlocks // nil if the responses are numbers
	numbers responseSums
	own     float64 // see GLMFamily.saturated
}

// add takes those of a block of the first pass.
func (r *glmResponses) add(block *Design) error {
	if !r.some && (r.labels || block.Classes != nil) {
		if err := r.family.checkClasses(block); err != nil {
			return err
		}
		r.classes = &binaryBlocks{}
	}
	r.some = true
	if r.classes != nil {
		return r.classes.add(block)
	}
	if err := block.checkResponse(); err != nil {
		return err
	}
	if err := r.family.addResponses(block, &r.numbers); err != nil {
		return err
	}
	r.own += r.family.saturated(block.Y, block.Weights)
	return nil
}

// finish checks them, given the number of rows of positive weight.
func (r *glmResponses) finish(rows int, response string) error {
	if r.classes != nil {
		return r.classes.finish(rows)
	}
	return r.family.checkBoundary(&r.numbers, response)
}

// of returns those of a block as numbers.
func (r *glmResponses) of(block *Design) []float64 {
	if r.classes != nil {
		return r.classes.coded(block.Y)
	}
	return block.Y
}

// mean returns the mean of the responses, its linear predictor, and the sum of the weights.
func (r *glmResponses) mean(family glm.Family) (mean, eta, w float64) {
	if r.classes != nil {
		ones, zeros := r.classes.weight[1], r.classes.weight[0]
		mean, w = ones/(zeros+ones), zeros+ones
		if r.labels {
			return mean, math.Log(ones / zeros), w
		}
		return mean, family.Eta(mean), w
	}
	mean = r.numbers.sum / r.numbers.w
	return mean, family.Eta(mean), r.numbers.w
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

// coded returns 0 or 1 for every label.
func (c *binaryBlocks) coded(labels []float64) []float64 {
	y := make([]float64, len(labels))
	for i, label := range labels {
		y[i] = c.code[label]
	}
	return y
}
