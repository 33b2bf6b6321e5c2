package mlreg

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
)

// RowBlocks gives the rows of a model in blocks, one after the other, as often as asked:
// each call of EachBlock is one pass over the same rows. A table that does not fit into
// memory is one. A *Design is one, of one block.
//
// What needs rows and can do with a few passes over them takes RowBlocks; a fit that
// needs only sums takes Data.
type RowBlocks interface {
	// EachBlock calls f with every block. Blocks have the same terms in the same order,
	// the same response, scaling, intercept and coding; they may have weights. A block
	// is valid during the call only: its memory may be used again for the next one. An
	// error of f ends the pass and is returned as it is.
	EachBlock(f func(block *Design) error) error
}

// EachBlock calls f with d itself, so that a *Design is RowBlocks.
func (d *Design) EachBlock(f func(block *Design) error) error {
	if d == nil {
		return errNilDesign
	}
	if f == nil {
		return errNilVisit
	}
	return f(d)
}

var errNilVisit = fmt.Errorf("%w: the function that gets the blocks is nil", ErrNoData)

// RowBlocksFunc is a function that makes one pass over the rows, as RowBlocks and as
// Data.
type RowBlocksFunc func(f func(block *Design) error) error

// EachBlock calls the function.
func (b RowBlocksFunc) EachBlock(f func(block *Design) error) error {
	switch {
	case b == nil:
		return fmt.Errorf("%w: the function that gives the blocks is nil", ErrNoData)
	case f == nil:
		return errNilVisit
	}
	return b(f)
}

// Moments returns MomentsOfBlocks(b).
func (b RowBlocksFunc) Moments() (*Moments, error) { return MomentsOfBlocks(b) }

// MomentsOfBlocks returns the sufficient statistics of all rows by one pass. Memory is
// one block and its moments. Errors: ErrNoData if there is no block, ErrShape if a block
// has other terms than the first, and those of Design.Moments and of the pass.
func MomentsOfBlocks(rows RowBlocks) (*Moments, error) {
	p, err := newPasses(rows)
	if err != nil {
		return nil, err
	}
	if d, ok := rows.(*Design); ok {
		return d.Moments()
	}
	p.once = true
	var sum *Moments
	err = p.each(func(block *Design) error {
		if block.weightless() {
			return block.checkFinite()
		}
		if sum == nil {
			sum, err = block.Moments()
			return err
		}
		return sum.Add(block)
	})
	switch {
	case err != nil:
		return nil, err
	case sum == nil:
		return nil, errWeightless
	}
	sum.s.Omitted = p.h.Omitted
	return sum, nil
}

var errWeightless = fmt.Errorf("%w: every weight is zero", ErrNoData)

var errNoBlocks = fmt.Errorf("%w: the row blocks have no block", ErrNoData)

// passes makes passes over row blocks and sees that each has the same rows.
type passes struct {
	rows RowBlocks
	h    header // of the first block; Omitted of all
	n, w int    // rows, and those of positive weight
	mark uint64 // a hash of the values, whatever the order of the rows
	done bool   // the first pass
	once bool   // there is no other, and what is done with the blocks checks values

	absorbs bool // what is done with the blocks knows of an absorbed factor
}

// newPasses returns those of row blocks that are not nil.
func newPasses(rows RowBlocks) (*passes, error) {
	if err := args.Given("the row blocks", rows); err != nil {
		return nil, err
	}
	return &passes{rows: rows}, nil
}

// each makes a pass. Blocks without rows are left out. The first pass checks the values of
// every block and that all have the same terms; later ones that the rows are those of the
// first (ErrChanged).
func (p *passes) each(f func(block *Design) error) error {
	if f == nil {
		return errNilVisit
	}
	design, whole := p.rows.(*Design) // cannot change between passes
	if whole && p.done {
		return f(design)
	}
	now := passes{}
	first := true
	err := p.rows.EachBlock(func(block *Design) error {
		if block.NObs() == 0 && block != nil && block.X != nil {
			return nil
		}
		if err := p.admit(block, first); err != nil {
			return err
		}
		first = false
		now.n += block.NObs()
		now.w += block.PositiveRows()
		if !whole && !p.once {
			now.mark += block.mark()
		}
		return f(block)
	})
	switch {
	case err != nil:
		return err
	case now.n == 0 && !p.done:
		return errNoBlocks
	case !p.done:
		p.n, p.w, p.mark, p.done = now.n, now.w, now.mark, true
	case now.n != p.n:
		return fmt.Errorf("%w: %d rows in the first pass and %d in a later one", ErrChanged, p.n, now.n)
	case now.mark != p.mark:
		return fmt.Errorf("%w: the %d rows of a later pass have other values than those of the first", ErrChanged, p.n)
	}
	return nil
}

// admit checks a block, and has the header know what the first pass finds: the first block gives the columns.
func (p *passes) admit(block *Design, first bool) error {
	if err := block.checkBlock(); err != nil {
		return err
	}
	if !p.absorbs {
		if err := block.refuseAbsorb(); err != nil {
			return err
		}
	}
	if first && !p.done {
		p.h = block.columnsHeader()
		p.h.Omitted = 0
	}
	if err := p.h.sameColumns(block); err != nil || p.done {
		return err
	}
	if !p.once {
		if err := block.checkFinite(); err != nil {
			return err
		}
		p.h.Observed = p.h.Observed.and(block.observed())
	}
	p.h.Omitted += block.Omitted
	return nil
}

// checkBlock is checkTraining of a block, all of whose rows may have weight zero.
func (d *Design) checkBlock() error {
	if err := d.checkShape(); err != nil {
		return err
	}
	if err := checkCoefficients(d.Names, d.NoIntercept); err != nil {
		return err
	}
	if d.Y == nil {
		return errNoResponse
	}
	return nil
}

var errNoResponse = fmt.Errorf("%w: the rows have no response; they can be predicted, not fitted", ErrNoData)

// sameColumns refuses a block whose columns are not those of the first.
func (h *header) sameColumns(d *Design) error {
	switch {
	case !slices.Equal(h.Names, d.Names):
		return fmt.Errorf("%w: one block has the terms %s and another %s", ErrShape, format.Quoted(h.Names), format.Quoted(d.Names))
	case h.Response != d.Response:
		return fmt.Errorf("%w: one block has the response %q and another %q", ErrShape, h.Response, d.Response)
	case h.NoIntercept != d.NoIntercept:
		return fmt.Errorf("%w: one block has an intercept and another has none", ErrShape)
	case !h.Scaling.equal(d.Scaling, len(h.Names)):
		return fmt.Errorf("%w: the columns of two blocks are scaled differently", ErrShape)
	}
	return h.Coding.check(d.Coding, h.Names)
}

// mark returns the sum of hashes of the rows.
func (d *Design) mark() uint64 {
	var sum uint64
	mix := func(h uint64, v float64) uint64 {
		hi, lo := bits.Mul64(math.Float64bits(v+0)^h, 0x9e3779b97f4a7c15) // 0 for -0
		return hi ^ lo ^ h<<1
	}
	x := d.X.RawMatrix()
	for i, y := range d.Y {
		h := mix(0xd6e8feb86659fd93, y)
		if d.Weights != nil {
			h = mix(h, d.Weights[i])
		}
		if d.Offset != nil {
			h = mix(h, d.Offset[i])
		}
		// Four at a time, since a product waits for the one before.
		a, b, c, e := h, h+1, h+2, h+3
		row := x.Data[i*x.Stride : i*x.Stride+x.Cols]
		for ; len(row) >= 4; row = row[4:] {
			a, b, c, e = mix(a, row[0]), mix(b, row[1]), mix(c, row[2]), mix(e, row[3])
		}
		for _, v := range row {
			a = mix(a, v)
		}
		hi, lo := bits.Mul64(a^bits.RotateLeft64(c, 29), (b^bits.RotateLeft64(e, 41))|1)
		sum += hi ^ lo
	}
	return sum
}

// mostGathered is how many numbers row blocks may have in all that are put into one design,
// which a fit of blocks then treats as it does a design.
var mostGathered = compressed.MostGathered

// gatherer puts blocks together as long as they are small.
type gatherer struct {
	d    *Design
	full bool
}

// add takes a copy of a block.
func (g *gatherer) add(block *Design) {
	n, p := block.NObs(), block.NTerms()
	had := 0
	if g.d != nil {
		had = g.d.NObs()
	}
	if g.full || (had+n)*(p+1) > mostGathered {
		g.d, g.full = nil, true
		return
	}
	if g.d == nil {
		c := *block
		c.X, c.XLow = algebra.NewDense(0, 0), nil
		c.Y, c.Weights, c.Offset, c.RowNumbers, c.Omitted = nil, nil, nil, nil, 0
		c.Names = slices.Clone(block.Names)
		c.X.SetRawMatrix(blas64.General{Cols: p, Stride: max(p, 1)})
		g.d = &c
	}
	d := g.d
	add := func(to *mat.Dense, from *mat.Dense) {
		raw := to.RawMatrix()
		for i := range n {
			raw.Data = append(raw.Data, from.RawRowView(i)...)
		}
		if p == 0 {
			raw.Data = append(raw.Data, make([]float64, n)...)
		}
		raw.Rows = had + n
		to.SetRawMatrix(raw)
	}
	add(d.X, block.X)
	if block.XLow != nil || d.XLow != nil {
		if d.XLow == nil {
			d.XLow = algebra.NewDense(0, 0)
			d.XLow.SetRawMatrix(blas64.General{Rows: had, Cols: p, Stride: max(p, 1), Data: make([]float64, had*p)})
		}
		low := block.XLow
		if low == nil {
			low = algebra.NewDense(n, p)
		}
		add(d.XLow, low)
	}
	d.Y = append(d.Y, block.Y...)
	d.Weights = gather(d.Weights, block.Weights, had, n, 1)
	d.Offset = gather(d.Offset, block.Offset, had, n, 0)
	d.Clusters = gather(d.Clusters, block.Clusters, had, n, "")
	d.Omitted += block.Omitted
	if block.RowNumbers != nil || d.RowNumbers != nil {
		if d.RowNumbers == nil {
			d.RowNumbers = sequenceFrom(1, had)
		}
		if block.RowNumbers != nil {
			d.RowNumbers = append(d.RowNumbers, block.RowNumbers...)
		} else {
			d.RowNumbers = append(d.RowNumbers, sequenceFrom(had+1, n)...)
		}
	}
}

// gather appends the values of n rows to those of the rows before, where nil stands for
// rows of the same value.
func gather[T any](to, values []T, had, n int, same T) []T {
	if values == nil && to == nil {
		return nil
	}
	if to == nil {
		to = slices.Repeat([]T{same}, had)
	}
	if values == nil {
		values = slices.Repeat([]T{same}, n)
	}
	return append(to, values...)
}

// sequenceFrom returns n numbers from the first on.
func sequenceFrom(first, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}
