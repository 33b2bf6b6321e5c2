package lsq

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Lengths are the Euclidean lengths that error bounds are made of: of the kept
// columns of A, of y, and of the residual, weighted.
type Lengths struct {
	A    []float64
	Y, R float64
}

// data returns |y| + sum_j |a_j||b_j|, the size of what a residual is made of.
func (l Lengths) data(b []float64) float64 {
	sum := l.Y
	for j, v := range b {
		sum += l.A[j] * math.Abs(v)
	}
	return sum
}

// Certificate bounds the errors of a solution. With (A'A)^-1 = T T', an error v
// of y moves the coefficients by T Q'v, that is b_i by |T_i||v| at most for the
// rows T_i of T, and the combination l'b by |T'l||v|. Standard errors, of
// combinations too, are wrong by StdErr relatively, and by Root sum_j |l_j||T_j|
// beside |T'l|.
type Certificate struct {
	Residual float64 // b_i is wrong by at most |T_i| times this
	First    float64 // and b_0 by this, too
	StdErr   float64 // relative error of every standard error
	Root     float64 // relative error of the rows of T, of themselves
}

// BackwardBound bounds the error of a solution that is the exact one for
// columns and y changed by at most eta of their lengths, as that of Householder
// QR is. To first order in the change E of A and f of y,
//
//	db = T Q'(f - E b) + T T'E'r,
//	d(A'A)^-1 = -T Q'E T T' + its transpose.
//
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections
// 19.3 and 20.1.)
func BackwardBound(eta float64, t *mat.TriDense, b []float64, l Lengths) Certificate {
	columns := make([]float64, len(l.A))
	for j, a := range l.A {
		columns[j] = eta * a
	}
	_, frobenius := RootLengths(t, l.A)
	c := Certificate{Residual: eta * l.Y, StdErr: Ratio(eta*l.Y, l.R), Root: eta * (1 + frobenius)}
	return c.Perturbed(columns, t, b, l.R)
}

// Perturbed adds what errors of the columns, of the given lengths, do to the
// solution b with a residual of length r.
func (c Certificate) Perturbed(columns []float64, t *mat.TriDense, b []float64, r float64) Certificate {
	var change float64
	for j, v := range b {
		change += columns[j] * math.Abs(v)
	}
	amplified, frobenius := RootLengths(t, columns)
	c.Residual += change + r*amplified
	c.StdErr += frobenius + Ratio(change, r)
	return c
}

// RootLengths returns the length of |T'| a and the Frobenius norm of diag(a) T.
func RootLengths(t *mat.TriDense, a []float64) (amplified, frobenius float64) {
	raw := t.RawTriangular()
	sums := make([]float64, raw.N)
	for j := range raw.N {
		row := raw.Data[j*raw.Stride : j*raw.Stride+raw.N]
		for c := j; c < raw.N; c++ {
			v := a[j] * math.Abs(row[c])
			sums[c] += v
			frobenius += v * v
		}
	}
	return blas64.Nrm2(gram.Vector(sums)), math.Sqrt(frobenius)
}

// RowLength returns the length of row i of T: the standard error of
// coefficient i for sigma = 1.
func RowLength(t *mat.TriDense, i int) float64 {
	raw := t.RawTriangular()
	return blas64.Nrm2(gram.Vector(raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]))
}

// Ratio is a/b, and 0 for 0/0.
func Ratio(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}
