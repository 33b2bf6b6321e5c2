package gram

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Vector is x as a vector of blas64.
func Vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// Column is column j of a matrix as a vector of blas64.
func Column(a *mat.Dense, j int) blas64.Vector {
	raw := a.RawMatrix()
	return blas64.Vector{N: raw.Rows, Inc: raw.Stride, Data: raw.Data[j:]}
}

// Take returns a copy of the given elements; that of nil is nil.
func Take(x []float64, elements []int) []float64 {
	if x == nil {
		return nil
	}
	out := make([]float64, len(elements))
	for i, k := range elements {
		out[i] = x[k]
	}
	return out
}

// Dot returns x'y for slices of the same length.
func Dot(x, y []float64) float64 {
	if !hasVectors {
		return dotScalar(x, y)
	}
	y = y[:len(x)]
	n := len(x) &^ 3
	var sum float64
	if n > 0 {
		sum = dotPlainAVX2(n, &x[0], &y[0])
	}
	for i := n; i < len(x); i++ {
		sum += x[i] * y[i]
	}
	return sum
}

// Axpy adds a x to y, which is as long as x.
func Axpy(a float64, x, y []float64) {
	if !hasVectors {
		axpyScalar(a, x, y)
		return
	}
	y = y[:len(x)]
	n := len(x) &^ 3
	if n > 0 {
		axpyPlainAVX2(n, a, &x[0], &y[0])
	}
	for i := n; i < len(x); i++ {
		y[i] += a * x[i]
	}
}

// Dots4x2 returns the products of four columns with two, of the same length:
// sums[2*i+j] = a_i'b_j.
func Dots4x2(a *[4][]float64, b0, b1 []float64, sums *[8]float64) {
	if !hasVectors {
		dots4x2Scalar(a, b0, b1, sums)
		return
	}
	n := len(b0) &^ 3
	b1 = b1[:len(b0)]
	if n > 0 {
		dots4x2AVX2(n, &a[0][:len(b0)][0], &a[1][:len(b0)][0], &a[2][:len(b0)][0], &a[3][:len(b0)][0], &b0[0], &b1[0], sums)
	} else {
		clear(sums[:])
	}
	for i := n; i < len(b0); i++ {
		for r, col := range a {
			sums[2*r] += col[i] * b0[i]
			sums[2*r+1] += col[i] * b1[i]
		}
	}
}

// DotAxpy returns x'v and adds a x to y; v and y are as long as x.
func DotAxpy(a float64, x, v, y []float64) float64 {
	v, y = v[:len(x)], y[:len(x)]
	n := 0
	var sum float64
	if hasVectors && len(x) >= 4 {
		n = len(x) &^ 3
		sum = dotAxpyAVX2(n, a, &x[0], &v[0], &y[0])
	}
	for i := n; i < len(x); i++ {
		sum += x[i] * v[i]
		y[i] += a * x[i]
	}
	return sum
}

// Axpy4 adds a_0 x_0 + ... + a_3 x_3 to y; the x are as long as y.
func Axpy4(a *[4]float64, x0, x1, x2, x3, y []float64) {
	x0, x1, x2, x3 = x0[:len(y)], x1[:len(y)], x2[:len(y)], x3[:len(y)]
	n := 0
	if hasVectors && len(y) >= 4 {
		n = len(y) &^ 3
		axpy4AVX2(n, a, &x0[0], &x1[0], &x2[0], &x3[0], &y[0])
	}
	for i := n; i < len(y); i++ {
		y[i] += a[0]*x0[i] + a[1]*x1[i] + a[2]*x2[i] + a[3]*x3[i]
	}
}

// DotAxpy4 sets the sums to x_i'v and adds a_0 x_0 + ... + a_3 x_3 to y; the x and v
// are as long as y.
func DotAxpy4(a *[4]float64, x0, x1, x2, x3, v, y []float64, sums *[4]float64) {
	n := len(y)
	x0, x1, x2, x3, v = x0[:n], x1[:n], x2[:n], x3[:n], v[:n]
	done := 0
	if hasVectors && n >= 4 {
		done = n &^ 3
		dotAxpy4AVX2(done, a, &x0[0], &x1[0], &x2[0], &x3[0], &v[0], &y[0], sums)
	} else {
		clear(sums[:])
	}
	s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3]
	for i := done; i < n; i++ {
		s0 += x0[i] * v[i]
		s1 += x1[i] * v[i]
		s2 += x2[i] * v[i]
		s3 += x3[i] * v[i]
		y[i] += a[0]*x0[i] + a[1]*x1[i] + a[2]*x2[i] + a[3]*x3[i]
	}
	*sums = [4]float64{s0, s1, s2, s3}
}

func dotScalar(x, y []float64) float64 {
	return blas64.Implementation().Ddot(len(x), x, 1, y, 1)
}

func axpyScalar(a float64, x, y []float64) {
	blas64.Implementation().Daxpy(len(x), a, x, 1, y, 1)
}

func dots4x2Scalar(a *[4][]float64, b0, b1 []float64, sums *[8]float64) {
	for i, col := range a {
		sums[2*i], sums[2*i+1] = dotScalar(col, b0), dotScalar(col, b1)
	}
}
