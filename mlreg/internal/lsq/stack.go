package lsq

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// Stack is the upper trapezoidal factor R of rows that come some at a time: those that
// come are factored below the R of all before them, so that it takes no memory of the size of
// all. (Golub and Van Loan, 4th ed., section 5.3.3, with reflections; Demmel, Grigori,
// Hoemmen and Langou, 2012, SIAM Journal on Scientific Computing 34, A206-A239, section 3.)
type Stack struct {
	a         blas64.General // R, and room below it
	top       int            // rows of R
	tau, work []float64
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
	s := &Stack{a: blas64.General{Rows: height, Cols: k, Stride: k, Data: make([]float64, height*k)}}
	s.tau = make([]float64, min(height, k))
	query := make([]float64, 1)
	lapack64.Geqrf(s.a, s.tau, query, -1)
	s.work = make([]float64, int(query[0]))
	return s
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
	lapack64.Geqrf(s.rows(0, height), s.tau[:s.top], s.work, len(s.work))
	for i := range s.top { // reflections below the diagonal are not wanted
		clear(s.a.Data[i*s.a.Stride : i*s.a.Stride+i])
	}
}

// Reset forgets all rows.
func (s *Stack) Reset() { s.top = 0 }

// R returns a copy of R, of as many rows as came but at most k.
func (s *Stack) R() blas64.General {
	r := s.rows(0, s.top)
	r.Data = slices.Clone(r.Data)
	return r
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

// add takes the rows below R into it. A reflection I - 2 v v'/(v'v) stays in its column,
// from the diagonal on, until all later columns have had it.
func (s *twofoldStack) add(rows int) {
	height := s.top + rows
	s.top = min(height, len(s.columns))
	alpha, scale := make([]dd.Number, s.top), make([]dd.Number, s.top)
	for j, c := range s.columns {
		for m := range min(j, s.top) {
			if v := s.columns[m].Slice(m, height); alpha[m].Hi != 0 {
				tail := c.Slice(m, height)
				tail.AddScaled(dd.Dot(v, tail).Mul(scale[m]), v)
			}
		}
		if j >= s.top {
			continue
		}
		v := c.Slice(j, height)
		alpha[j] = v.Norm()
		if v.Hi[0] > 0 {
			alpha[j] = alpha[j].Neg()
		}
		v.Set(0, v.At(0).Sub(alpha[j]))
		scale[j] = dd.Of(-2).Div(dd.Dot(v, v))
	}
	for j, a := range alpha {
		v := s.columns[j].Slice(j, height)
		v.Clear()
		v.Set(0, a)
	}
}

// r returns a copy of the columns of R.
func (s *twofoldStack) r() []dd.Vector {
	r := make([]dd.Vector, len(s.columns))
	for j, c := range s.columns {
		r[j] = c.Slice(0, s.top).Clone()
	}
	return r
}
