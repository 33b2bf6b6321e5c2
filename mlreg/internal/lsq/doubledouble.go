package lsq

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// DoubleDouble solves the system by Householder QR in double-double
// arithmetic, one column after the other, leaving out a column whose part
// orthogonal to the columns kept before it is shorter than AliasRows times its
// length. (Golub and Van Loan, 4th ed., algorithms 5.1.1 and 5.2.1.)
func (s *System) DoubleDouble() *Solution { return s.solveTwofold(s.twofold()) }

// solveTwofold solves for the columns of A and y, or of a factor R of both.
func (s *System) solveTwofold(columns []dd.Vector) *Solution {
	k := s.Columns()
	columns, y := columns[:k], columns[k]
	n := len(y.Hi)
	var keep []int
	var rest [][]float64       // the columns not kept, after the reflections
	var r []dd.Vector          // kept columns of R: their first len(keep) elements
	var reflectors []dd.Vector // v of I - 2 v v'/(v'v), from row len(keep) on
	var scale []dd.Number      // 2/(v'v)
	reflect := func(c dd.Vector) {
		for m, v := range reflectors {
			tail := c.From(m)
			tail.AddScaled(dd.Dot(v, tail).Mul(scale[m]).Neg(), v)
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
		alpha := left
		if c.Hi[m] > 0 {
			alpha = left.Neg()
		}
		v := dd.NewVector(n - m)
		copy(v.Hi, c.Hi[m:])
		copy(v.Lo, c.Lo[m:])
		v.Set(0, v.At(0).Sub(alpha))
		c.Set(m, alpha)
		keep, r, reflectors = append(keep, j), append(r, c), append(reflectors, v)
		scale = append(scale, dd.Of(2).Div(dd.Dot(v, v)))
	}
	reflect(y)

	k = len(keep)
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
// R of [A y] = QR, which has the same solution. It is the same on any number of processors.
func (s *System) twofold() []dd.Vector {
	n, k, parts := s.Rows(), s.Columns()+1, s.parts()
	part := (n + parts - 1) / parts
	if parts == 1 {
		all := twofoldColumns(n, k)
		rows, _ := s.ReadTwofold(all, 0, 0, n)
		for j, c := range all {
			all[j] = c.Slice(0, rows)
		}
		return all
	}
	triangles := make([][]dd.Vector, parts)
	gram.Parallel(parts, func() func(int) {
		stack := newTwofoldStack(part, k)
		return func(part int) {
			stack.top = 0
			for start, end := part*n/parts, (part+1)*n/parts; start < end; {
				var got int
				got, start = s.ReadTwofold(stack.columns, stack.top, start, end)
				stack.add(got)
			}
			triangles[part] = stack.r()
		}
	})
	whole := newTwofoldStack(2*k, k)
	for _, t := range triangles {
		rows := len(t[0].Hi)
		for j, c := range whole.columns {
			copy(c.Hi[whole.top:], t[j].Hi)
			copy(c.Lo[whole.top:], t[j].Lo)
		}
		whole.add(rows)
	}
	return whole.r()
}
