package mlreg

import (
	"encoding/gob"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/report"
)

func init() { gob.Register(&Poly{}) }

// Poly is the basis of polynomials p_1 ... p_m of one input that are orthonormal
// over the n training rows, and orthogonal to the constant,
//
//	sum_i p_j(x_i) p_k(x_i) = 1 if j = k, 0 if not,   sum_i p_j(x_i) = 0,
//
// with a positive leading coefficient: the columns of R's poly. They obey the
// three-term recurrence
//
//	sqrt(b_{k+1}) p_{k+1}(x) = (x - a_k) p_k(x) - sqrt(b_k) p_{k-1}(x),
//	p_0 = 1/sqrt(n),   p_{-1} = 0,
//
// which computes training rows and new rows alike (Forsythe 1957, J. SIAM 5:74-88;
// the orthogonalization is repeated while the constants are learned).
type Poly struct {
	N     int       // number of training rows
	Alpha []float64 // a_0 ... a_{m-1}, alpha of R's attribute "coefs"
	Beta  []float64 // b_1 ... b_m, ratios of successive norms squared
	// Low and High are the least and the largest training value; see Extrapolation.
	Low, High float64
}

// NewPoly learns the orthogonal polynomials up to the given degree on x. The
// error matches ErrSetting if the degree is below 1 or x has too few distinct
// values, and ErrNotFinite if x or its square is not finite.
func NewPoly(x []float64, degree int) (*Poly, error) {
	n := len(x)
	if degree < 1 {
		return nil, fmt.Errorf("%w: the degree of a polynomial is at least 1, not %d", ErrSetting, degree)
	}
	distinct, err := distinctValues(x)
	if err != nil {
		return nil, err
	}
	if len(distinct) <= degree {
		return nil, fmt.Errorf("%w: a polynomial of degree %d needs more than %d distinct values; there are %d", ErrSetting, degree, degree, len(distinct))
	}
	p := &Poly{N: n, Low: distinct[0], High: distinct[len(distinct)-1]}
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
				c := blas64.Dot(gram.Vector(q), gram.Vector(next))
				if j == k {
					a += c
				}
				blas64.Axpy(-c, gram.Vector(q), gram.Vector(next))
			}
		}
		b := blas64.Dot(gram.Vector(next), gram.Vector(next))
		if !(b > 0) || math.IsInf(b, 0) {
			return nil, fmt.Errorf("%w: the input of a polynomial is too large or too small to square; rescale it", ErrNotFinite)
		}
		blas64.Scal(1/math.Sqrt(b), gram.Vector(next))
		p.Alpha, p.Beta = append(p.Alpha, a), append(p.Beta, b)
		basis = append(basis, next)
	}
	return p, nil
}

// Degree returns m, the highest degree and the number of columns.
func (p *Poly) Degree() int { return len(p.Alpha) }

// Inputs returns 1.
func (p *Poly) Inputs() int { return 1 }

// Names returns poly(x, m)1 ... poly(x, m)m, as R does.
func (p *Poly) Names(inputs ...string) []string {
	return numbered(fmt.Sprintf("poly(%s, %d)", inputs[0], p.Degree()), p.Degree())
}

// Eval returns p_1(x) ... p_m(x).
func (p *Poly) Eval(dst []float64, x ...float64) []float64 {
	dst = evalSpace(dst, p.Degree(), x, 1)
	before, last, root := 0.0, 1/math.Sqrt(float64(p.N)), 0.0
	for k := range dst {
		next := (x[0]-p.Alpha[k])*last - root*before
		root = math.Sqrt(p.Beta[k])
		before, last = last, next/root
		dst[k] = last
	}
	return dst
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

// Describe returns the functions of the basis as a table.
func (p *Poly) Describe() *report.Table { return describeBasis(p, "Orthogonal polynomials") }

// String writes the functions of the basis as text.
func (p *Poly) String() string { return p.Describe().String() }
