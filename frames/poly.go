package frames

import (
	"fmt"
	"math"
	"strconv"
)

func init() {
	registerBasis("poly", basisFunction{params: []string{"x", "degree", "raw"}, data: 1, fit: fitPoly}, &Poly{})
}

// Poly is the basis poly(x, degree, raw): polynomials p_1 ... p_degree that
// are orthonormal over the training rows and to the constant,
//
//	sum_i p_j(x_i) p_k(x_i) = 1 if j = k, 0 if not,   sum_i p_j(x_i) = 0,
//
// with a positive leading coefficient: the columns of R's poly. They obey the
// three-term recurrence
//
//	sqrt(b_{k+1}) p_{k+1}(x) = (x - a_k) p_k(x) - sqrt(b_k) p_{k-1}(x),
//	p_0 = 1/sqrt(n),   p_{-1} = 0,
//
// by which training rows and new rows alike are computed (Forsythe 1957, J.
// SIAM 5:74-88, with orthogonalisation repeated while the constants are
// learnt). With Raw the columns are the powers x, x^2, ... x^degree.
type Poly struct {
	Degree int
	Raw    bool
	N      int       // number of training rows
	Alpha  []float64 // a_0 ... a_{degree-1}, alpha of R's attribute "coefs"
	Beta   []float64 // b_1 ... b_degree, ratios of successive norms squared
}

// NewPoly learns the orthogonal polynomials of the given degree on x. The
// error says if x has not more distinct values than the degree.
func NewPoly(x []float64, degree int) (*Poly, error) {
	n := len(x)
	if degree < 1 {
		return nil, errorf(ErrSetting, "the degree of a polynomial is at least 1, not %d", degree)
	}
	distinct := make(map[float64]bool)
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errorf(ErrNotFinite, "value %d of the polynomial's variable is %v", i+1, v)
		}
		distinct[v] = true
	}
	if len(distinct) <= degree {
		return nil, errorf(ErrSetting, "a polynomial of degree %d needs more than %d distinct values; there are %d", degree, degree, len(distinct))
	}
	p := &Poly{Degree: degree, N: n}
	basis := [][]float64{make([]float64, n)}
	for i := range x {
		basis[0][i] = 1 / math.Sqrt(float64(n))
	}
	for k := range degree {
		last := basis[k]
		var a float64
		for i, v := range x {
			a += v * last[i] * last[i]
		}
		next := make([]float64, n)
		for i, v := range x {
			next[i] = (v - a) * last[i]
		}
		for range 2 {
			for j, q := range basis {
				c := dot(q, next)
				if j == k {
					a += c
				}
				for i := range next {
					next[i] -= c * q[i]
				}
			}
		}
		b := dot(next, next)
		if !(b > 0) || math.IsInf(b, 0) {
			return nil, errorf(ErrNotFinite, "the values of a polynomial's variable are too large or too small to square; rescale them")
		}
		for i := range next {
			next[i] /= math.Sqrt(b)
		}
		p.Alpha, p.Beta = append(p.Alpha, a), append(p.Beta, b)
		basis = append(basis, next)
	}
	return p, nil
}

func dot(a, b []float64) float64 {
	var s float64
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func fitPoly(x []values, o *options) (Basis, error) {
	degree, err := o.integer("degree", 1)
	if err != nil {
		return nil, err
	}
	raw, err := o.boolean("raw")
	if err != nil {
		return nil, err
	}
	if raw {
		return &Poly{Degree: degree, Raw: true, N: len(x[0].num)}, nil
	}
	p, err := NewPoly(x[0].num, degree)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Columns returns 1, 2, ... degree, or nothing to add if the degree is 1.
func (p *Poly) Columns() []string {
	if p.Degree == 1 {
		return []string{""}
	}
	names := make([]string, p.Degree)
	for k := range names {
		names[k] = strconv.Itoa(k + 1)
	}
	return names
}

// Eval returns p_1(x) ... p_degree(x).
func (p *Poly) Eval(x float64) []float64 {
	row := make([]float64, p.Degree)
	if p.Raw {
		for k := range row {
			row[k] = apply("^", x, float64(k+1))
		}
		return row
	}
	before, last, root := 0.0, 1/math.Sqrt(float64(p.N)), 0.0
	for k := range row {
		next := (x-p.Alpha[k])*last - root*before
		root = math.Sqrt(p.Beta[k])
		before, last = last, next/root
		row[k] = last
	}
	return row
}

// Norm2 returns norm2 of R's attribute "coefs": 1, n, and the sums of squares
// of the polynomials with leading coefficient 1.
func (p *Poly) Norm2() []float64 {
	norm2 := []float64{1, float64(p.N)}
	for k, b := range p.Beta {
		norm2 = append(norm2, norm2[k+1]*b)
	}
	return norm2
}

func (p *Poly) expand(x []values) ([][]float64, error) {
	cols := make([][]float64, p.Degree)
	for k := range cols {
		cols[k] = make([]float64, len(x[0].num))
	}
	for i, v := range x[0].num {
		for k, value := range p.Eval(v) {
			if math.IsNaN(value) || math.IsInf(value, 0) {
				return nil, fmt.Errorf("power %d of %v is out of range", k+1, v)
			}
			cols[k][i] = value
		}
	}
	return cols, nil
}
