// Package dd is double-double arithmetic: a number is the unevaluated sum of
// two float64, Hi + Lo with |Lo| <= ulp(Hi)/2, and carries about 32 decimal
// digits. float64(a*b) keeps the compiler from fusing products that are not meant to be.
//
// References: Dekker, Numerische Mathematik 18 (1971), 224-242; Hida, Li and
// Bailey, Library for double-double and quad-double arithmetic (2007); Ogita,
// Rump and Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26 (2005),
// algorithm 5.3.
package dd

import (
	"math"
	"slices"
)

// Unit is the relative rounding error of float64: 2^-53.
const Unit = 0x1p-53

// Eps bounds the relative rounding error of one operation below: 2^-102.
const Eps = 0x1p-102

// Number is Hi + Lo.
type Number struct {
	Hi, Lo float64
}

// Of returns x as a Number.
func Of(x float64) Number { return Number{Hi: x} }

// Float returns the float64 nearest to a.
func (a Number) Float() float64 { return a.Hi + a.Lo }

// Add returns a + b.
func (a Number) Add(b Number) Number {
	s, e := twoSum(a.Hi, b.Hi)
	t, f := twoSum(a.Lo, b.Lo)
	s, e = quickTwoSum(s, e+t)
	return normal(s, e+f)
}

// Sub returns a - b.
func (a Number) Sub(b Number) Number { return a.Add(Number{-b.Hi, -b.Lo}) }

// Mul returns a b.
func (a Number) Mul(b Number) Number {
	p := float64(a.Hi * b.Hi)
	return normal(p, Rest(a.Hi, b.Hi, p)+(a.Hi*b.Lo+a.Lo*b.Hi))
}

// Div returns a / b.
func (a Number) Div(b Number) Number {
	q := a.Hi / b.Hi
	r := a.Sub(b.Mul(Of(q)))
	p := r.Hi / b.Hi
	r = r.Sub(b.Mul(Of(p)))
	return normal(q, p).Add(Of(r.Hi / b.Hi))
}

// Sqrt returns the root of a >= 0, by one Newton step on the inverse root.
func (a Number) Sqrt() Number {
	if a.Hi <= 0 {
		return Number{}
	}
	root := Of(math.Sqrt(a.Hi))
	rest := a.Sub(root.Mul(root))
	root = root.Add(Of(rest.Hi / (2 * root.Hi)))
	rest = a.Sub(root.Mul(root))
	return root.Add(Of(rest.Hi / (2 * root.Hi)))
}

// Ldexp returns a 2^e.
func (a Number) Ldexp(e int) Number { return Number{math.Ldexp(a.Hi, e), math.Ldexp(a.Lo, e)} }

// Neg returns -a.
func (a Number) Neg() Number { return Number{-a.Hi, -a.Lo} }

// twoSum returns a+b rounded, and what rounding lost.
func twoSum(a, b float64) (sum, lost float64) {
	sum = a + b
	t := sum - a
	return sum, (a - (sum - t)) + (b - t)
}

// quickTwoSum is twoSum for |a| >= |b|.
func quickTwoSum(a, b float64) (sum, lost float64) {
	sum = a + b
	return sum, b - (sum - a)
}

func normal(hi, lo float64) Number {
	s, e := quickTwoSum(hi, lo)
	return Number{s, e}
}

// Vector is a vector of Numbers, the two parts apart.
type Vector struct {
	Hi, Lo []float64
}

// NewVector returns a vector of n zeros.
func NewVector(n int) Vector {
	return Vector{make([]float64, n), make([]float64, n)}
}

// At returns element i.
func (v Vector) At(i int) Number { return Number{v.Hi[i], v.Lo[i]} }

// Set sets element i.
func (v Vector) Set(i int, a Number) { v.Hi[i], v.Lo[i] = a.Hi, a.Lo }

// From returns elements i and on; it shares memory.
func (v Vector) From(i int) Vector { return Vector{v.Hi[i:], v.Lo[i:]} }

// Slice returns elements i to j; it shares memory.
func (v Vector) Slice(i, j int) Vector { return Vector{v.Hi[i:j], v.Lo[i:j]} }

// Clone returns a copy.
func (v Vector) Clone() Vector { return Vector{slices.Clone(v.Hi), slices.Clone(v.Lo)} }

// Clear sets all elements to 0.
func (v Vector) Clear() {
	clear(v.Hi)
	clear(v.Lo)
}

// Dot returns sum_i v_i w_i.
func Dot(v, w Vector) Number {
	var sum, low float64
	wh, vl, wl := w.Hi[:len(v.Hi)], v.Lo[:len(v.Hi)], w.Lo[:len(v.Hi)]
	for i, a := range v.Hi {
		b := wh[i]
		p := float64(a * b)
		low += Rest(a, b, p) + (a*wl[i] + vl[i]*b)
		s := sum + p
		t := s - sum
		low += (sum - (s - t)) + (p - t)
		sum = s
	}
	return normal(twoSum(sum, low))
}

// AddScaled adds c w to v.
func (v Vector) AddScaled(c Number, w Vector) {
	wh, vl, wl := w.Hi[:len(v.Hi)], v.Lo[:len(v.Hi)], w.Lo[:len(v.Hi)]
	for i, a := range v.Hi {
		b := wh[i]
		p := float64(c.Hi * b)
		e := Rest(c.Hi, b, p) + (c.Hi*wl[i] + c.Lo*b)
		s := a + p
		t := s - a
		e += vl[i] + ((a - (s - t)) + (p - t))
		hi := s + e
		v.Hi[i], vl[i] = hi, e-(hi-s)
	}
}

// Norm returns the Euclidean length of v.
func (v Vector) Norm() Number { return Dot(v, v).Sqrt() }
