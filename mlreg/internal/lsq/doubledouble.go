package lsq

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// DoubleDouble solves the system by Householder QR in double-double
// arithmetic, one column after the other, leaving out a column whose part
// orthogonal to the columns kept before it is shorter than AliasRows times its
// length. (Golub and Van Loan, 4th ed., algorithms 5.1.1 and 5.2.1.)
func (s *System) DoubleDouble() *Solution { return s.solveTwofold(s.twofold()) }

// solveTwofold solves for the columns of A and y, or of a factor R of both.
func (s *System) solveTwofold(columns []dd.Vector) *Solution {
	last := s.Columns()
	columns, y := columns[:last], columns[last]
	n := len(y.Hi)
	var keep []int
	var rest [][]float64         // the columns not kept, after the reflections
	var r []dd.Vector            // kept columns of R: their first len(keep) elements
	var reflections []reflection // from row len(keep) on
	reflect := func(c dd.Vector) {
		for m, q := range reflections {
			q.apply(c.From(m))
		}
	}
	for j, c := range columns {
		length := c.Norm().Hi
		reflect(c)
		m := len(keep)
		if m == n {
			rest = append(rest, c.Hi[:m])
			continue
		}
		left := c.From(m).Norm()
		if !(left.Hi > AliasRows*length) {
			rest = append(rest, c.Hi[:m])
			continue
		}
		q := reflectionOf(c.From(m).Clone(), left)
		c.Set(m, q.alpha)
		keep, r, reflections = append(keep, j), append(r, c), append(reflections, q)
	}
	reflect(y)

	k := len(keep)
	if k == 0 {
		return &Solution{Keep: keep, Rest: rest, T: &mat.TriDense{}, Cond: 1, RSS: dd.Dot(y, y).Float()}
	}
	sol := &Solution{
		Keep: keep, Rest: rest, B: make([]float64, k), QtY: slices.Clone(y.Hi[:k]), T: mat.NewTriDense(k, mat.Upper, nil),
		BLow: make([]float64, k), TLow: mat.NewTriDense(k, mat.Upper, nil),
	}
	sol.backSolve(r, y)
	tail := y.From(k)
	sol.RSS = dd.Dot(tail, tail).Float()
	upper := mat.NewDense(k, k, nil)
	for c := range k {
		for i := range c + 1 {
			upper.Set(i, c, r[c].At(i).Float())
		}
	}
	sol.Cond = ConditionNumber(upper, sol.T)
	eta := 16 * float64(s.N) * float64(k) * dd.Eps
	sol.Lengths = s.lengths(keep, sol.RSS)
	sol.Bounds = BackwardBound(eta, sol.T, sol.B, sol.Lengths)
	return sol
}

// backSolve sets T = R^-1, by columns R x = e_c, and b = R^-1 Q'y, all in
// double-double, given the columns of R and Q'y.
func (sol *Solution) backSolve(r []dd.Vector, qty dd.Vector) {
	k := len(r)
	back := func(x dd.Vector, from int) {
		for i := from; i >= 0; i-- {
			sum := x.At(i)
			for c := i + 1; c <= from; c++ {
				sum = sum.Sub(r[c].At(i).Mul(x.At(c)))
			}
			x.Set(i, sum.Div(r[i].At(i)))
		}
	}
	for c := range k {
		x := dd.NewVector(k)
		x.Set(c, dd.Of(1))
		back(x, c)
		for i := range c + 1 {
			sol.T.SetTri(i, c, x.Hi[i])
			sol.TLow.SetTri(i, c, x.Lo[i])
		}
	}
	x := dd.NewVector(k)
	copy(x.Hi, qty.Hi)
	copy(x.Lo, qty.Lo)
	back(x, k-1)
	copy(sol.B, x.Hi)
	copy(sol.BLow, x.Lo)
}

// twofold returns the columns of A and y in double-double, or, of many rows, of a factor
// R of [A y] = QR, which has the same solution.
func (s *System) twofold() []dd.Vector {
	if s.parts() > 1 {
		return reduce(s, newTwofoldStack)
	}
	all := twofoldColumns(s.Rows(), s.Columns()+1)
	rows, _ := s.ReadTwofold(all, 0, 0, s.Rows())
	for j, c := range all {
		all[j] = c.Slice(0, rows)
	}
	return all
}
