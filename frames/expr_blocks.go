package frames

import (
	"math"
	"slices"
	"sync"

	"github.com/go-gota/gota/series"
)

// blockRows is how many rows of a condition are computed at a time: few enough for
// the values to stay in the processor's cache.
const blockRows = 4096

// block is a place for the values of some rows.
type block struct {
	columns map[string]*column
	spare   [][]float64 // for results within an expression
	used    int
}

// next returns n values that the expression may overwrite.
func (b *block) next(n int) []float64 {
	if b.used == len(b.spare) {
		b.spare = append(b.spare, make([]float64, blockRows))
	}
	b.used++
	return b.spare[b.used-1][:n]
}

// results returns n values for the result of an operator.
func (e *evaluator) results(n int) []float64 {
	if e.block != nil {
		return e.block.next(n)
	}
	return make([]float64, n)
}

// inBlocks reports whether an expression looks at one row at a time, and at
// numbers and truth values only; columns are those that it uses.
func (e *evaluator) inBlocks(n node) (columns []string, ok bool) {
	ok = true
	var look func(n node)
	look = func(n node) {
		switch n := n.(type) {
		case *number, *truth:
		case *name:
			if e.constantName(n) == nil {
				s, known := e.frame().series[n.name]
				ok = ok && known && e.cols[n.name] == nil && s.Type() != series.String
				columns = append(columns, n.name)
			}
		case *paren, *unary:
		case *binary:
			ok = ok && n.op != "%in%"
		case *call:
			_, known := mathFunctions[n.fn]
			ok = ok && (known || n.fn == "I" || n.fn == "is.na")
		default:
			ok = false
		}
		for _, x := range operands(n) {
			look(x)
		}
	}
	look(n)
	return columns, ok
}

// byBlocks sets out to whether an expression is true, row by row, as evaluate
// would; it returns the type of the expression.
func (e *evaluator) byBlocks(n node, columns []string, out []bool) (series.Type, error) {
	typ, err := e.kind(n)
	if err != nil || typ != series.Bool {
		return typ, err
	}
	var lock sync.Mutex
	first := len(out) // where the first error is
	inParts(len(out), func(from, to int) {
		b := &block{columns: make(map[string]*column)}
		w := *e
		w.cols, w.block = b.columns, b
		for start := from; start < to; start += blockRows {
			end := min(to, start+blockRows)
			if wrong := w.oneBlock(n, columns, start, out[start:end]); wrong != nil {
				lock.Lock()
				if start < first {
					first, err = start, wrong
				}
				lock.Unlock()
			}
		}
	})
	return typ, err
}

// oneBlock computes the rows from start on.
func (e *evaluator) oneBlock(n node, columns []string, start int, out []bool) error {
	b := e.block
	b.used, e.blockSize = 0, len(out)
	for _, col := range columns {
		s := e.frame().series[col]
		c := b.columns[col]
		if c == nil {
			c = &column{name: col, typ: s.Type(), num: make([]float64, blockRows), missing: make([]bool, blockRows)}
			b.columns[col] = c
		}
		c.num, c.missing, c.complete = c.num[:len(out)], c.missing[:len(out)], true
		for i := range c.num {
			v := s.Elem(start + i).Float()
			gap := math.IsNaN(v)
			c.num[i], c.missing[i] = v, gap
			c.complete = c.complete && !gap
		}
		if c.low = nil; c.typ == series.Int && slices.ContainsFunc(c.num, beyond) {
			c.lowFrom(s, start)
		}
	}
	c, err := e.evaluate(n)
	if err != nil {
		return err
	}
	for i := range out {
		out[i] = c.num[i] != 0 && !c.missing[i]
	}
	return nil
}
