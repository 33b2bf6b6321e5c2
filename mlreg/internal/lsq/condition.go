package lsq

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// ConditionNumber returns the 2-norm condition number of R with its columns
// scaled to unit length, by power iterations on R'R and on its inverse, or by
// Lanczos's if R is large.
func ConditionNumber(r *mat.Dense, rinv *mat.TriDense) float64 {
	if r.IsEmpty() {
		return 1
	}
	k, _ := r.Dims()
	if k >= blocked.Least {
		return conditionOfLarge(Upper(r), rinv.RawTriangular())
	}
	length := make([]float64, k)
	for j := range length {
		length[j] = blas64.Nrm2(gram.Column(r, j))
	}
	forward := mat.NewTriDense(k, mat.Upper, nil)
	inverse := mat.NewTriDense(k, mat.Upper, nil)
	for i := range k {
		for j := i; j < k; j++ {
			forward.SetTri(i, j, r.At(i, j)/length[j])
			inverse.SetTri(i, j, rinv.At(i, j)*length[i])
		}
	}
	return math.Max(1, spectralNorm(forward)*spectralNorm(inverse)) // but for rounding
}

// spectralNorm returns the largest singular value of a triangular matrix to
// about three digits, by the power method.
func spectralNorm(t *mat.TriDense) float64 {
	k, _ := t.Dims()
	v := gram.Vector(start(k))
	var norm float64
	for range 1000 {
		blas64.Scal(1/blas64.Nrm2(v), v)
		blas64.Trmv(blas.NoTrans, t.RawTriangular(), v)
		next := blas64.Nrm2(v)
		blas64.Trmv(blas.Trans, t.RawTriangular(), v)
		if math.Abs(next-norm) <= 1e-5*next {
			return next
		}
		norm = next
	}
	return norm
}

// start is a vector that is deterministic, and orthogonal to nothing likely.
func start(k int) []float64 {
	v := make([]float64, k)
	for i := range v {
		v[i] = 1 + float64(i%7)/8
	}
	return v
}

// conditionOfLarge is ConditionNumber without copies of R and its inverse T.
func conditionOfLarge(r, t blas64.Triangular) float64 {
	k := r.N
	length := columnLengths(r)
	scaled, m := make([]float64, k), newTriangleMultiplier(k)
	forward := largestEigenvalue(k, func(v, w []float64) { // of S^-1 R'R S^-1, S = diag(length)
		for j, l := range length {
			scaled[j] = v[j] / l
		}
		m.times(r, nil, scaled, w)
		for j, l := range length {
			w[j] /= l
		}
	})
	inverse := largestEigenvalue(k, func(v, w []float64) { m.times(t, length, v, w) }) // of T'S^2 T
	return math.Max(1, math.Sqrt(forward)*math.Sqrt(inverse))
}

// columnLengths returns the lengths of the columns of an upper triangle.
func columnLengths(r blas64.Triangular) []float64 {
	largest, sum := make([]float64, r.N), make([]float64, r.N)
	for i := range r.N {
		for j := i; j < r.N; j++ {
			largest[j] = math.Max(largest[j], math.Abs(r.Data[i*r.Stride+j]))
		}
	}
	for i := range r.N {
		for j := i; j < r.N; j++ {
			v := r.Data[i*r.Stride+j] / largest[j]
			sum[j] += v * v
		}
	}
	for j, v := range sum {
		sum[j] = largest[j] * math.Sqrt(v)
	}
	return sum
}

// triangleMultiplier multiplies by T'D^2 T, reading an upper triangle T once.
type triangleMultiplier struct{ parts [][]float64 }

func newTriangleMultiplier(k int) *triangleMultiplier {
	m := &triangleMultiplier{make([][]float64, 4)}
	for i := range m.parts {
		m.parts[i] = make([]float64, k)
	}
	return m
}

// times writes T'D^2 T v to w, for the diagonal d of D, ones if it is nil.
func (m *triangleMultiplier) times(t blas64.Triangular, d, v, w []float64) {
	tasks := len(m.parts)
	bound := func(task int) int { // rows of the same number of elements
		return int((1 - math.Sqrt(1-float64(task)/float64(tasks))) * float64(t.N))
	}
	gram.Each(tasks, func(task int) {
		part, end := m.parts[task], t.N
		if task < tasks-1 {
			end = bound(task + 1)
		}
		clear(part)
		for i := bound(task); i < end; i++ {
			row := t.Data[i*t.Stride+i : i*t.Stride+t.N]
			s := gram.Dot(row, v[i:])
			if d != nil {
				s = s * d[i] * d[i]
			}
			gram.Axpy(s, row, part[i:])
		}
	})
	copy(w, m.parts[0])
	for _, part := range m.parts[1:] {
		gram.Axpy(1, part, w)
	}
}

// largestEigenvalue returns the largest eigenvalue of a positive definite matrix
// of order k, to some six digits, by the method of Lanczos. Times writes its
// product with v to w. (Golub and Van Loan, 4th ed., section 10.1.)
func largestEigenvalue(k int, times func(v, w []float64)) float64 {
	v, last, w := start(k), make([]float64, k), make([]float64, k)
	blas64.Scal(1/blas64.Nrm2(gram.Vector(v)), gram.Vector(v))
	var diagonal, beside []float64
	var norm float64
	for range 1000 {
		times(v, w)
		a := gram.Dot(v, w)
		gram.Axpy(-a, v, w)
		if n := len(beside); n > 0 {
			gram.Axpy(-beside[n-1], last, w)
		}
		diagonal = append(diagonal, a)
		next := largestOfTridiagonal(diagonal, beside)
		b := blas64.Nrm2(gram.Vector(w))
		if math.Abs(next-norm) <= 1e-7*next || b <= 1e-14*next || !(b < math.Inf(1)) {
			return next
		}
		norm = next
		beside = append(beside, b)
		last, v, w = v, w, last
		blas64.Scal(1/b, gram.Vector(v))
	}
	return norm
}

// largestOfTridiagonal returns the largest eigenvalue by bisection between the
// bounds of Gershgorin.
func largestOfTridiagonal(d, e []float64) float64 {
	low, high := math.Inf(-1), math.Inf(-1)
	for i, v := range d {
		var r float64
		if i > 0 {
			r += e[i-1]
		}
		if i < len(e) {
			r += e[i]
		}
		low, high = math.Max(low, v), math.Max(high, v+r)
	}
	for range 60 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		below, q := true, 0.0 // are all eigenvalues below mid, by the pivots of T - mid I?
		for i, v := range d {
			p := v - mid
			if i > 0 {
				p -= e[i-1] * e[i-1] / q
			}
			if q = p; !(q < 0) {
				below = false
				break
			}
		}
		if below {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}
