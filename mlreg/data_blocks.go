package mlreg

import "fmt"

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
	if err := given("the row blocks", rows); err != nil {
		return nil, err
	}
	var sum *Moments
	err := rows.EachBlock(func(block *Design) error {
		if sum == nil {
			m, err := block.Moments()
			sum = m
			return err
		}
		return sum.Add(block)
	})
	switch {
	case err != nil:
		return nil, err
	case sum == nil:
		return nil, errNoBlocks
	}
	return sum, nil
}

var errNoBlocks = fmt.Errorf("%w: the row blocks have no block", ErrNoData)
