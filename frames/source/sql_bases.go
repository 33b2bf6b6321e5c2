package source

import (
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// This file writes bases of functions as SQL.

// mostPoly bounds the degree of orthogonal polynomials in SQL, whose text grows like the
// Fibonacci numbers.
const mostPoly = 8

// basis writes the functions of a basis.
func (w *sqlPlan) basis(c *compiler, v *table.Variable) (func(table.Part) (value, error), error) {
	if len(v.Inputs) != 1 {
		return nil, refuse("%s is not written as SQL", v.Text)
	}
	in, err := c.rounded(v.Inputs[0])
	if err != nil {
		return nil, err
	}
	in = w.bound(in)
	x, d := in.sql, w.e.d
	if r, ok := table.RangeOf(v.Text, v.Basis); ok {
		w.ranged = append(w.ranged, rangedInput{r, x})
	}
	each := func(f func(k int) string, off func(k int) string) func(table.Part) (value, error) {
		return func(p table.Part) (value, error) { return value{sql: f(p.Index), off: off(p.Index)}, nil }
	}
	spline := func(b mlreg.Basis, knots, boundary []float64, degree int, natural bool) func(table.Part) (value, error) {
		center, half := boundary[0]/2+boundary[1]/2, boundary[1]/2-boundary[0]/2
		return each(piecesOf(b, knots, boundary, degree, natural).write(d, x), func(k int) string { return d.offBasis(b, k, degree, center, half, in) })
	}
	switch b := v.Basis.(type) {
	case *mlreg.Poly:
		if b.Degree() > mostPoly {
			return nil, refuse("%s is of a degree that is not written as SQL", v.Text)
		}
		spread := math.Sqrt(b.Beta[0])
		return each(func(k int) string { return polySQL(d, b, x)[k] }, func(k int) string { return d.offBasis(b, k, k+1, b.Alpha[0], spread, in) }), nil
	case *mlreg.Powers:
		power := func(k int) string { return "(" + strings.TrimSuffix(strings.Repeat(x+" * ", k+1), " * ") + ")" }
		return each(power, func(k int) string {
			if k == 0 {
				return in.off
			}
			return sumOf("("+d.number(float64(k))+" * "+absolute(power(k))+")", times(d.number(float64(k+1))+" * "+absolute(power(k-1)), in.off))
		}), nil
	case *mlreg.Fourier:
		turn := "((" + x + " - " + d.number(b.Period) + " * floor(" + x + " / " + d.number(b.Period) + ")) / " + d.number(b.Period) + ")"
		return each(func(k int) string {
			return []string{"sin", "cos"}[k%2] + "(" + d.number(2*math.Pi*float64(k/2+1)) + " * " + turn + ")"
		}, func(k int) string { // x and the multiple of the period are rounded at the size of x
			rate := d.number(2 * math.Pi * float64(k/2+1) / math.Abs(b.Period))
			return sumOf(d.number(elementary+16*math.Pi*float64(k/2+1)), times("3 * "+rate, absolute(x)), times(rate, in.off))
		}), nil
	case *mlreg.BSpline:
		return spline(b, b.Knots, b.Boundary, b.Degree, false), nil
	case *mlreg.NaturalSpline:
		return spline(b, b.Knots, b.Boundary, 3, true), nil
	case table.Affine:
		center, scale := b.Constants()
		return each(func(int) string {
			return "((" + x + " - " + d.number(center) + ") / " + d.number(scale) + ")"
		}, func(int) string {
			inner := sumOf(in.off, d.offConstant(center), "(2 * "+absolute(x+" - "+d.number(center))+")")
			return "(" + inner + " / " + d.number(math.Abs(scale)) + ")"
		}), nil
	}
	return nil, refuse("%s is not written as SQL", v.Text)
}

// polySQL writes the recurrence of orthogonal polynomials.
func polySQL(d *Dialect, p *mlreg.Poly, x string) []string {
	before, last, root := d.number(0), d.number(1/math.Sqrt(float64(p.N))), 0.0
	var out []string
	for k := range p.Alpha {
		next := "(" + x + " - " + d.number(p.Alpha[k]) + ") * " + last
		if k > 0 {
			next += " - " + d.number(root) + " * " + before
		}
		root = math.Sqrt(p.Beta[k])
		before, last = last, "(("+next+") / "+d.number(root)+")"
		out = append(out, last)
	}
	return out
}

// pieces are functions that are polynomials between knots: of piece i, function k is
// sum_j coef[i][k][j] u^j, u = (x - mid[i])/half[i].
type pieces struct {
	to        []float64 // the ends of all pieces but the last
	mid, half []float64
	coef      [][][]float64
}

// piecesOf finds the polynomials of a spline by its values at as many points as they
// have coefficients. Beyond the boundary a natural spline is linear, and the
// outermost polynomials of a B-spline continue.
func piecesOf(b mlreg.Basis, knots, boundary []float64, degree int, natural bool) *pieces {
	p := &pieces{}
	ends := slices.Concat(boundary[:1], knots, boundary[1:])
	add := func(low, high float64, degree int) {
		mid, half := low/2+high/2, high/2-low/2
		nodes := make([]float64, degree+1)
		values := make([][]float64, degree+1)
		for i := range nodes {
			nodes[i] = math.Cos(math.Pi * (float64(i) + 0.5) / float64(degree+1))
			x := mid + half*nodes[i]
			nodes[i] = (x - mid) / half // of the x that was rounded
			values[i] = b.Eval(nil, x)
		}
		m := len(values[0])
		coef := make([][]float64, m)
		for k := range coef {
			y := make([]float64, len(nodes))
			for i := range y {
				y[i] = values[i][k]
			}
			coef[k] = interpolate(nodes, y)
		}
		p.mid, p.half, p.coef = append(p.mid, mid), append(p.half, half), append(p.coef, coef)
	}
	width := boundary[1] - boundary[0]
	if natural {
		add(boundary[0]-width, boundary[0], 1)
		p.to = append(p.to, boundary[0])
	}
	for i := range ends[1:] {
		add(ends[i], ends[i+1], degree)
		p.to = append(p.to, ends[i+1])
	}
	if natural {
		add(boundary[1], boundary[1]+width, 1)
	} else {
		p.to = p.to[:len(p.to)-1]
	}
	return p
}

// interpolate returns the coefficients of the polynomial through points, by divided
// differences.
func interpolate(x, y []float64) []float64 {
	n := len(x)
	d := slices.Clone(y)
	for k := 1; k < n; k++ {
		for i := n - 1; i >= k; i-- {
			d[i] = (d[i] - d[i-1]) / (x[i] - x[i-k])
		}
	}
	coef := make([]float64, n)
	for k := n - 1; k >= 0; k-- { // coef = coef (u - x_k) + d_k
		for i := n - 1; i > 0; i-- {
			coef[i] = coef[i-1] - x[k]*coef[i]
		}
		coef[0] = d[k] - x[k]*coef[0]
	}
	return coef
}

// write returns what writes function k.
func (p *pieces) write(d *Dialect, x string) func(k int) string {
	return func(k int) string {
		poly := func(i int) string {
			u := "((" + x + " - " + d.number(p.mid[i]) + ") / " + d.number(p.half[i]) + ")"
			c := p.coef[i][k]
			text := d.number(c[len(c)-1])
			for j := len(c) - 2; j >= 0; j-- {
				text = "(" + text + " * " + u + " + " + d.number(c[j]) + ")"
			}
			return text
		}
		if len(p.to) == 0 {
			return poly(0)
		}
		text := "CASE"
		for i, to := range p.to {
			text += " WHEN " + x + " < " + d.number(to) + " THEN " + poly(i)
		}
		return "(" + text + " ELSE " + poly(len(p.to)) + " END)"
	}
}
