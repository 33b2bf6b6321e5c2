package lsq

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Blocks is the least-squares problem of rows that come in blocks. It keeps the triangle R of
// [A y] = QR in double-double arithmetic, which has the solution of the rows: k+1 numbers
// squared, whatever the number of rows is, and no cross-product. The triangle of a block is
// factored below that of the blocks before it (Demmel, Grigori, Hoemmen and Langou, 2012,
// SIAM Journal on Scientific Computing 34, A206-A239, section 3).
type Blocks struct {
	like  *problem.Scaled // how columns and y are scaled
	stack *twofoldStack
	n     int // rows of positive weight
}

// NewBlocks returns the problem of no rows, whose p columns, without that of ones, and y are
// divided by these powers of two.
func NewBlocks(exp []int, yexp int, noIntercept bool) *Blocks {
	r := problem.Rows{X: blas64.General{Cols: len(exp)}, NoIntercept: noIntercept}
	like := problem.ScaledBy(r, exp, yexp)
	k := like.Columns() + 1
	return &Blocks{like: like, stack: newTwofoldStack(2*k, k)}
}

// Add takes rows, of which some have a positive weight.
func (b *Blocks) Add(r problem.Rows) {
	s := b.like.Of(r)
	n, _, _ := r.Totals()
	b.n += n
	b.stack.join(reduce(&System{s}, newTwofoldStack))
}

// Solve returns the solution, and the total sum of squares: about the mean of y, or about zero
// without an intercept. Exponents returns the powers of two that both are scaled by.
func (b *Blocks) Solve() (sol *Solution, tss float64) {
	r := b.stack.R()
	k := len(r) - 1
	s := &System{b.like}
	s.N, s.YLength, s.Lengths = b.n, r[k].Norm().Float(), make([]float64, k)
	for j, c := range r[:k] {
		s.Lengths[j] = c.Norm().Float()
	}
	y := r[k].From(min(b.like.Ones(), len(r[k].Hi)))
	tss = dd.Dot(y, y).Float()
	columns := make([]dd.Vector, k+1)
	for j, c := range r {
		columns[j] = c.Clone() // which is reflected
	}
	sol = s.solveTwofold(columns)
	sol.Cosine = cosineOf(r, sol, s)
	return sol, tss
}

// cosineOf returns max_j |a_j'(y - A b)|/(|a_j||y|) of the columns of a triangle [A y].
func cosineOf(r []dd.Vector, sol *Solution, s *System) float64 {
	residual := r[len(r)-1].Clone()
	for c, j := range sol.Keep {
		residual.AddScaled(dd.Number{Hi: sol.B[c], Lo: sol.BLow[c]}.Neg(), r[j])
	}
	var worst float64
	for j, c := range r[:len(r)-1] {
		if size := s.Lengths[j] * s.YLength; size > 0 {
			worst = math.Max(worst, math.Abs(dd.Dot(c, residual).Float())/size)
		}
	}
	return worst
}

// Exponents returns the powers of two that the columns of A, and y, are divided by.
func (b *Blocks) Exponents() (exp []int, yexp int) { return b.like.Exp, b.like.YExp }
