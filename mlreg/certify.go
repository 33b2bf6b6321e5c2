package mlreg

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// unit is the rounding error of float64.
const unit = 0x1p-53

// lengths are the Euclidean lengths that error bounds are made of: of the kept
// columns of A, of y, and of the residual, weighted.
type lengths struct {
	a    []float64
	y, r float64
}

// data returns |y| + sum_j |a_j||b_j|, the size of what a residual is made of.
func (l lengths) data(b []float64) float64 {
	sum := l.y
	for j, v := range b {
		sum += l.a[j] * math.Abs(v)
	}
	return sum
}

// certificate bounds the errors of a solution. With (A'A)^-1 = T T', an error v
// of y moves the coefficients by T Q'v, that is b_i by |T_i||v| at most for the
// rows T_i of T.
type certificate struct {
	residual float64 // b_i is wrong by at most |T_i| times this
	first    float64 // and b_0 by this, too
	stderr   float64 // relative error of every standard error
}

// backwardBound bounds the error of a solution that is the exact one for
// columns and y changed by at most eta of their lengths, as that of Householder
// QR is. To first order in the change E of A and f of y,
//
//	db = T Q'(f - E b) + T T'E'r,
//	d(A'A)^-1 = -T Q'E T T' + its transpose.
//
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections
// 19.3 and 20.1.)
func backwardBound(eta float64, t *mat.TriDense, b []float64, l lengths) certificate {
	change := eta * l.data(b)
	amplified, frobenius := rootLengths(t, l.a)
	return certificate{residual: change + eta*l.r*amplified, stderr: eta*frobenius + ratio(change, l.r)}
}

// rootLengths returns the length of |T'| a and the Frobenius norm of diag(a) T.
func rootLengths(t *mat.TriDense, a []float64) (amplified, frobenius float64) {
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
	return blas64.Nrm2(vector(sums)), math.Sqrt(frobenius)
}

// rowLength returns the length of row i of T: the standard error of
// coefficient i for sigma = 1.
func rowLength(t *mat.TriDense, i int) float64 {
	raw := t.RawTriangular()
	return blas64.Nrm2(vector(raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]))
}

// digits returns the number of decimal digits, of coefficients and of standard
// errors, that every one is right to. A coefficient below u|y|/|a_j|, the
// rounding of y in its units, counts as right to as many digits as its error is
// below that; a standard error, below that of a residual of length u|y|.
func (c certificate) digits(sigma float64, t *mat.TriDense, b []float64, l lengths) (coef, stderr int) {
	worst := 0.0
	for j, v := range b {
		err := c.residual * rowLength(t, j)
		if j == 0 {
			err += c.first
		}
		worst = math.Max(worst, ratio(err, math.Max(math.Abs(v), unit*l.y/l.a[j])))
	}
	relative := ratio(c.stderr*sigma, math.Max(sigma, unit*l.y)) + float64(len(b))/2*unit
	return countDigits(worst), countDigits(relative)
}

// ratio is a/b, and 0 for 0/0.
func ratio(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

// countDigits turns a relative error, to which the rounding of the result is
// added, into correct decimal digits.
func countDigits(relative float64) int {
	d := math.Floor(-math.Log10(relative + unit))
	if !(d > 0) {
		return 0
	}
	return int(d)
}
