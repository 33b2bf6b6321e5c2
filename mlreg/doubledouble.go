package mlreg

import (
	"slices"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"gonum.org/v1/gonum/mat"
)

// solveDoubleDouble solves the system by Householder QR in double-double
// arithmetic, one column after the other, leaving out a column whose part
// orthogonal to the columns kept before it is shorter than aliasRows times its
// length. (Golub and Van Loan, 4th ed., algorithms 5.1.1 and 5.2.1.)
func (s *system) solveDoubleDouble(d *Design) *solution {
	columns, y := s.doubleDouble(d)
	n := len(s.y)
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
		if !(left.Hi > aliasRows*length) {
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

	k := len(keep)
	if k == 0 {
		return &solution{keep: keep, rest: rest, rinv: &mat.TriDense{}, cond: 1, rss: dd.Dot(y, y).Float()}
	}
	sol := &solution{
		keep: keep, rest: rest, b: make([]float64, k), qty: slices.Clone(y.Hi[:k]), rinv: mat.NewTriDense(k, mat.Upper, nil),
		bLow: make([]float64, k), rinvLow: mat.NewTriDense(k, mat.Upper, nil),
	}
	upper := mat.NewDense(k, k, nil)
	for c := range k {
		for i := range c + 1 {
			upper.Set(i, c, r[c].At(i).Float())
		}
	}
	// R^-1 by columns, R x = e_c, and b = R^-1 Q'y, all in double-double.
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
			sol.rinv.SetTri(i, c, x.Hi[i])
			sol.rinvLow.SetTri(i, c, x.Lo[i])
		}
	}
	x := dd.NewVector(k)
	copy(x.Hi, y.Hi)
	copy(x.Lo, y.Lo)
	back(x, k-1)
	copy(sol.b, x.Hi)
	copy(sol.bLow, x.Lo)
	tail := y.From(k)
	sol.rss = dd.Dot(tail, tail).Float()
	sol.cond = conditionNumber(upper, sol.rinv)
	eta := 16 * float64(n) * float64(k) * dd.Eps
	sol.lengths = s.lengths(keep, sol.rss)
	sol.bounds = backwardBound(eta, sol.rinv, sol.b, sol.lengths)
	return sol
}

// doubleDouble returns the columns of A and y in double-double, from the
// design itself, so that sqrt(w_i) x_ij is not rounded.
func (s *system) doubleDouble(d *Design) (columns []dd.Vector, y dd.Vector) {
	n, k, x := len(s.y), s.columns(), d.doubleColumns()
	offset := k - d.NTerms()
	columns = make([]dd.Vector, k)
	for j := range columns {
		columns[j] = dd.NewVector(n)
	}
	y = dd.NewVector(n)
	row := 0
	for i := range d.NObs() {
		w := d.weight(i)
		if w == 0 {
			continue
		}
		root := dd.Of(w).Sqrt()
		y.Set(row, root.Mul(dd.Of(d.Y[i])).Ldexp(-s.yexp))
		if offset == 1 {
			columns[0].Set(row, root.Ldexp(-s.exp[0]))
		}
		for j := range k - offset {
			columns[j+offset].Set(row, root.Mul(x.at(i, j)).Ldexp(-s.exp[j+offset]))
		}
		row++
	}
	return columns, y
}
