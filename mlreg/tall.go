package mlreg

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// tallRounding is the relative error of (X'X)^-1 by Cholesky above which it is
// not corrected from: a correction takes that part of an error away.
const tallRounding = 1e-3

// solveRows solves for the rows of d, whose cross-products e is of, by Cholesky,
// and then corrects the solution b by (X'X)^-1 X'r with the residual
// r = y - b_0 - X b of the rows themselves, formed in double-double and rounded
// once, which makes up for what the cross-products lost. It returns nil if a
// column is aliased or the columns are too ill-conditioned.
//
// (Golub and Van Loan, 4th ed., section 5.3.8; Björck, Numerical Methods for
// Least Squares Problems, section 6.6.5.)
func (e *normalEquations) solveRows(d *Design) *solution {
	sol := e.solve()
	if len(sol.keep) < len(e.exp) {
		return nil
	}
	offset := e.offset()
	t := e.centredRoot(sol)
	_, frobenius := rootLengths(t, e.lengths.centred)
	rho := e.rounding() * square(frobenius)
	if rho > tallRounding {
		return nil
	}
	rows := gram.Rows{X: d.X.RawMatrix(), Y: d.Y, Weights: d.Weights}
	for _, exp := range e.exp[offset:] {
		rows.Scale = append(rows.Scale, math.Ldexp(1, -exp))
	}
	rows.Scale = append(rows.Scale, math.Ldexp(1, -e.YExp))

	b := dd.Vector{Hi: sol.b, Lo: make([]float64, len(sol.b))}
	const most = 6
	for range most {
		slopes := b.From(offset)
		var b0 dd.Number
		if offset == 1 {
			b0 = b.At(0)
		}
		g := rows.Residuals(nil, b0.Hi, b0.Lo, slopes.Hi, slopes.Lo)
		last := e.correct(b, g, t)
		sol.rss = math.Max(g.RSS, 0)
		sol.lengths = e.kept(sol.keep, sol.rss)
		sol.bounds = e.bounds(sol, t, rho, last)
		if 2*rho*last <= unit*sol.lengths.r {
			break
		}
	}
	sol.bLow = make([]float64, len(sol.b))
	for i := range sol.b {
		v := b.At(i)
		sol.b[i] = v.Float()
		sol.bLow[i] = v.Hi - sol.b[i] + v.Lo
	}
	return sol
}

func square(x float64) float64 { return x * x }

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// correct adds the correction (A'A)^-1 A'r to b and takes what that saves from
// the residual sum of squares. It returns the length that the correction takes
// off the residual.
func (e *normalEquations) correct(b dd.Vector, sums *gram.Gradient, t *mat.TriDense) float64 {
	offset := e.offset()
	means := e.twofoldMeans()
	ones := dd.Of(sums.Ones).Add(dd.Of(sums.OnesLo))
	delta := make([]float64, len(means)) // first X'r for centred X
	for j := range delta {
		sum := dd.Of(sums.X[j]).Add(dd.Of(sums.XLo[j]))
		if offset == 1 {
			sum = sum.Sub(ones.Mul(means[j]))
		}
		delta[j] = sum.Float()
	}
	blas64.Trmv(blas.Trans, t.RawTriangular(), vector(delta))
	saved := square(blas64.Nrm2(vector(delta)))
	blas64.Trmv(blas.NoTrans, t.RawTriangular(), vector(delta))
	for j, v := range delta {
		b.Set(j+offset, b.At(j+offset).Add(dd.Of(v)))
	}
	if offset == 1 {
		mean := ones.Float() / e.m.s.W
		saved += ones.Float() * mean
		b0 := b.At(0).Add(dd.Of(mean))
		for j, v := range delta {
			b0 = b0.Sub(means[j].Mul(dd.Of(v)))
		}
		b.Set(0, b0)
	}
	sums.RSS -= saved
	return math.Sqrt(saved)
}

// bounds certifies a corrected solution. Residuals, and their products with
// weights, are rounded to float64, which is as good as random and no longer than
// u |r|; all else is summed in double-double. The factor T is wrong by rho,
// relatively, and of the last correction T (T'g), whose second factor has the
// length last, that much is left.
func (e *normalEquations) bounds(sol *solution, t *mat.TriDense, rho, last float64) certificate {
	offset := e.offset()
	n := float64(e.m.s.N)
	low := n * dd.Eps * sol.lengths.data(sol.b)
	amplified, _ := rootLengths(t, sol.lengths.a[offset:])
	return certificate{
		residual: 2*unit*sol.lengths.r + low + n*dd.Eps*sol.lengths.r*amplified + 2*rho*last,
		stderr:   rho + ratio(low, sol.lengths.r),
		root:     sol.bounds.root,
	}
}
