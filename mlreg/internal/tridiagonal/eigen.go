package tridiagonal

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Eigen is A = V diag(Values) V' for a symmetric A.
type Eigen struct {
	Values []float64 // ascending

	form  *Form
	order []int     // of the rows of turned
	z     *turnable // S', for T = S diag S', and V = Q S
}

// Decompose returns the eigenvalues and eigenvectors of the symmetric matrix whose
// upper triangle is a, and false if they are not found. Rotations of the method of
// Francis are applied many sweeps at a time to columns that the cache holds, which
// changes the time only. The result is the same to the bit whatever GOMAXPROCS is.
// (Golub and Van Loan, 4th ed., section 8.3; Parlett, The Symmetric Eigenvalue
// Problem, section 8.11.)
func Decompose(a blas64.Symmetric) (*Eigen, bool) {
	form, exp := reduceScaled(a)
	z := newTurnable(a.N, a.N)
	for i := range a.N {
		z.set(i, i, 1)
	}
	e := &Eigen{form: form, z: z}
	ok := e.diagonalize(exp)
	return e, ok
}

// Project returns the eigenvalues of the symmetric matrix whose upper triangle is a,
// ascending, and V'b for its eigenvectors V, which are not formed; false if they are
// not found.
func Project(a blas64.Symmetric, b []float64) (values, projections []float64, ok bool) {
	form, exp := reduceScaled(a)
	rotated := slices.Clone(b)
	form.MultiplyTransposed(rotated)
	z := newTurnable(a.N, 1)
	for i, v := range rotated {
		z.set(i, 0, v)
	}
	e := &Eigen{form: form, z: z}
	ok = e.diagonalize(exp)
	projections = make([]float64, a.N)
	for k, i := range e.order {
		projections[k] = z.at(i, 0)
	}
	return e.Values, projections, ok
}

// Vectors returns the eigenvectors of the eigenvalues from to end, n x (end-from), a
// column each.
func (e *Eigen) Vectors(from, end int) blas64.General {
	n := len(e.Values)
	v := zeros(n, end-from)
	for i := range n {
		row := rowOf(v, i)
		for c := range row {
			row[c] = e.z.at(e.order[from+c], i)
		}
	}
	e.form.Multiply(v)
	return v
}

// reduceScaled reduces a copy of a, whose largest element becomes about 1 by a power
// of two.
func reduceScaled(a blas64.Symmetric) (f *Form, exp int) {
	var largest float64
	for i := range a.N {
		for _, v := range a.Data[i*a.Stride+i : i*a.Stride+a.N] {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	_, exp = math.Frexp(largest) // 0 of what is not finite
	c := blas64.Symmetric{N: a.N, Stride: a.N, Uplo: a.Uplo, Data: make([]float64, a.N*a.N)}
	for i := range a.N {
		for j := i; j < a.N; j++ {
			c.Data[i*a.N+j] = math.Ldexp(a.Data[i*a.Stride+j], -exp)
		}
	}
	return Reduce(c), exp
}

// diagonalize takes the form to its eigenvalues.
func (e *Eigen) diagonalize(exp int) bool {
	d, ok := e.form.D, e.z.francis(e.form.D, append(slices.Clone(e.form.E), 0))
	e.order = gram.NumbersTo(len(d))
	slices.SortStableFunc(e.order, func(i, j int) int { return cmp.Compare(d[i], d[j]) })
	e.Values = make([]float64, len(d))
	for k, i := range e.order {
		e.Values[k] = math.Ldexp(d[i], exp)
	}
	return ok
}

// turnable is a matrix whose rows are rotated, n x m, in panels of gram.RotateWidth
// columns. Rotations wait until there are enough of them.
type turnable struct {
	n      int
	data   []float64
	sweeps []sweep
	cs     []float64
}

// sweep are rotations of neighboring rows, from the row high down.
type sweep struct{ high, from, end int } // the last two in cs

func newTurnable(n, m int) *turnable {
	panels := (m + gram.RotateWidth - 1) / gram.RotateWidth
	return &turnable{n: n, data: make([]float64, panels*n*gram.RotateWidth)}
}

func (z *turnable) index(i, j int) int {
	return (j/gram.RotateWidth*z.n+i)*gram.RotateWidth + j%gram.RotateWidth
}

func (z *turnable) at(i, j int) float64     { return z.data[z.index(i, j)] }
func (z *turnable) set(i, j int, v float64) { z.data[z.index(i, j)] = v }

// turn applies the rotations that wait, panel by panel.
func (z *turnable) turn() {
	size := z.n * gram.RotateWidth
	gram.Each(len(z.data)/max(size, 1), func(panel int) {
		data := z.data[panel*size : (panel+1)*size]
		for _, s := range z.sweeps {
			count := (s.end - s.from) / 2
			gram.Rotate(z.cs[s.from:s.end], data[(s.high-count)*gram.RotateWidth:])
		}
	})
	z.sweeps, z.cs = z.sweeps[:0], z.cs[:0]
}

// francis takes a tridiagonal matrix with the diagonal d, and e and a zero beside it,
// to its eigenvalues in d, by implicit QL steps with Wilkinson's shift, and rotates
// the rows of z with it. It returns false if that takes too many steps.
func (z *turnable) francis(d, e []float64) bool {
	const waiting = 1 << 16
	n := len(d)
	left := 60 * n // two or three to an eigenvalue are usual
	for low := range n {
		for {
			high := low
			for high < n-1 && !negligible(d[high], e[high], d[high+1]) {
				high++
			}
			if high == low {
				break
			}
			if left--; left < 0 || math.IsNaN(d[low]) {
				return false
			}
			z.step(d, e, low, high)
			if len(z.cs) > waiting {
				z.turn()
			}
		}
	}
	z.turn()
	return true
}

// negligible tells whether e is rounding beside what it couples: steps leave about
// a unit in the last place there, and would go on for ever if less were asked for.
func negligible(a, e, b float64) bool {
	const eps = 0x1p-52
	return e*e <= eps*eps*math.Abs(a)*math.Abs(b) || math.Abs(e) < 0x1p-500
}

// step is one QL step on rows low to high.
func (z *turnable) step(d, e []float64, low, high int) {
	g := (d[low+1] - d[low]) / (2 * e[low])
	g = d[high] - d[low] + e[low]/(g+math.Copysign(math.Hypot(g, 1), g))
	c, s, p := 1.0, 1.0, 0.0
	from := len(z.cs)
	for i := high - 1; i >= low; i-- {
		f, b := s*e[i], c*e[i]
		r := math.Hypot(f, g)
		e[i+1] = r
		if r == 0 { // what is left splits
			d[i+1] -= p
			e[high] = 0
			z.sweeps = append(z.sweeps, sweep{high, from, len(z.cs)})
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		z.cs = append(z.cs, c, s)
	}
	z.sweeps = append(z.sweeps, sweep{high, from, len(z.cs)})
	d[low] -= p
	e[low] = g
	e[high] = 0
}
