package lsq

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Stack is the upper trapezoidal factor R of rows that come some at a time: those that
// come are factored below the R of all before them, so that it takes no memory of the size of
// all. (Golub and Van Loan, 4th ed., section 5.3.3, with reflections; Demmel, Grigori,
// Hoemmen and Langou, 2012, SIAM Journal on Scientific Computing 34, A206-A239, section 3.)
type Stack struct {
	a   blas64.General // R, and room below it
	top int            // rows of R
	qr  *blocked.QR
}

// heightOf returns for how many of the rows, of k columns, there is best room: all, or
// few, for the cache, but many times k, since R is factored with them, and room for R.
func heightOf(rows, k int) int {
	few := max(1024, 4*k)
	if rows < 2*few {
		return max(rows, 1)
	}
	return few + k
}

// NewStack returns that of rows with k columns, of which there will be at most so many.
func NewStack(rows, k int) *Stack {
	height := heightOf(rows, k)
	a := blas64.General{Rows: height, Cols: k, Stride: k, Data: make([]float64, height*k)}
	return &Stack{a: a, qr: blocked.NewQR(height, k)}
}

// Room returns where rows are to come.
func (s *Stack) Room() blas64.General { return s.rows(s.top, s.a.Rows) }

// rows views some rows.
func (s *Stack) rows(from, to int) blas64.General {
	return blas64.General{Rows: to - from, Cols: s.a.Cols, Stride: s.a.Stride, Data: s.a.Data[from*s.a.Stride : to*s.a.Stride]}
}

// Add takes so many rows of Room into R.
func (s *Stack) Add(rows int) {
	if rows == 0 {
		return
	}
	height := s.top + rows
	s.top = min(height, s.a.Cols)
	s.qr.Factor(s.rows(0, height))
	for i := range s.top { // reflections below the diagonal are not wanted
		clear(s.a.Data[i*s.a.Stride : i*s.a.Stride+i])
	}
}

// R returns a copy of R, of as many rows as came but at most k.
func (s *Stack) R() blas64.General {
	r := s.rows(0, s.top)
	r.Data = slices.Clone(r.Data)
	return r
}

func (s *Stack) reset() { s.top = 0 }

func (s *Stack) read(from *System, start, end int) (next int) {
	got, next := from.Read(s.Room(), start, end)
	s.Add(got)
	return next
}

func (s *Stack) join(r blas64.General) {
	copy(s.Room().Data, r.Data)
	s.Add(r.Rows)
}

// reducer is a Stack in one arithmetic or another, whose factor is an R.
type reducer[R any] interface {
	reset()
	read(from *System, start, end int) (next int) // as many rows as there is room for
	join(r R)                                     // the factor of other rows
	R() R
}

// reduce returns the factor of [A y]: of parts of the rows, on all processors, and then of
// the factors of the parts. It is the same on any number of processors.
func reduce[R any, S reducer[R]](s *System, newStack func(rows, k int) S) R {
	n, k, parts := s.Rows(), s.Columns()+1, s.parts()
	factors := make([]R, parts)
	gram.EachPart(n, parts, func() func(part, start, end int) {
		stack := newStack((n+parts-1)/parts, k)
		return func(part, start, end int) {
			stack.reset()
			for start < end {
				start = stack.read(s, start, end)
			}
			factors[part] = stack.R()
		}
	})
	if parts == 1 {
		return factors[0]
	}
	whole := newStack(2*k, k)
	for _, r := range factors {
		whole.join(r)
	}
	return whole.R()
}

// parts returns into how many parts rows are cut: not more than the work of bringing
// their factors together is worth.
func (s *System) parts() int {
	return max(1, min(gram.Chunks(s.Rows()), s.Rows()/(16*s.Columns()+16)))
}

// twofoldStack is a Stack in double-double arithmetic, by columns.
type twofoldStack struct {
	columns []dd.Vector
	top     int
}

func newTwofoldStack(rows, k int) *twofoldStack {
	return &twofoldStack{columns: twofoldColumns(heightOf(rows, k), k)}
}

// twofoldColumns returns k columns of zeros.
func twofoldColumns(rows, k int) []dd.Vector {
	columns := make([]dd.Vector, k)
	for j := range columns {
		columns[j] = dd.NewVector(rows)
	}
	return columns
}

// reflection is I + scale v v' = I - 2 v v'/(v'v), which takes the vector that it was made
// of to one whose first element is alpha, and the others zeros.
type reflection struct {
	v            dd.Vector
	scale, alpha dd.Number
}

// reflectionOf makes v, of a positive length, that of a reflection.
func reflectionOf(v dd.Vector, length dd.Number) reflection {
	alpha := length
	if v.Hi[0] > 0 {
		alpha = length.Neg()
	}
	v.Set(0, v.At(0).Sub(alpha))
	return reflection{v, dd.Of(-2).Div(dd.Dot(v, v)), alpha}
}

func (q reflection) apply(c dd.Vector) { c.AddScaled(dd.Dot(q.v, c).Mul(q.scale), q.v) }

// add takes the rows below R into it. A reflection stays in its column, from the diagonal
// on, until all later columns have had it.
func (s *twofoldStack) add(rows int) {
	height := s.top + rows
	s.top = min(height, len(s.columns))
	reflections := make([]reflection, s.top) // none, of zeros, where a column is zero
	for j, c := range s.columns {
		for m, q := range reflections[:min(j, s.top)] {
			if q.alpha.Hi != 0 {
				q.apply(c.Slice(m, height))
			}
		}
		if j >= s.top {
			continue
		}
		v := c.Slice(j, height)
		if length := v.Norm(); length.Hi > 0 {
			reflections[j] = reflectionOf(v, length)
		}
	}
	for j, q := range reflections {
		v := s.columns[j].Slice(j, height)
		v.Clear()
		v.Set(0, q.alpha)
	}
}

// R returns a copy of the columns of R.
func (s *twofoldStack) R() []dd.Vector {
	r := make([]dd.Vector, len(s.columns))
	for j, c := range s.columns {
		r[j] = c.Slice(0, s.top).Clone()
	}
	return r
}

func (s *twofoldStack) reset() { s.top = 0 }

func (s *twofoldStack) read(from *System, start, end int) (next int) {
	got, next := from.ReadTwofold(s.columns, s.top, start, end)
	s.add(got)
	return next
}

func (s *twofoldStack) join(r []dd.Vector) {
	for j, c := range s.columns {
		copy(c.Hi[s.top:], r[j].Hi)
		copy(c.Lo[s.top:], r[j].Lo)
	}
	s.add(len(r[0].Hi))
}
