package lsq

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// CorrectableRounding is the relative error of (X'X)^-1 by Cholesky above which it is
// not corrected from: a correction takes that part of an error away.
const CorrectableRounding = 1e-3

// SolveRows solves for the rows whose cross-products e is of by Cholesky,
// and then corrects the solution b by (X'X)^-1 X'r with the residual
// r = y - b_0 - X b of the rows themselves, formed in double-double and rounded
// once, which makes up for what the cross-products lost. It returns nil if a
// column is aliased or the columns are too ill-conditioned.
//
// (Golub and Van Loan, 4th ed., section 5.3.8; Björck, Numerical Methods for
// Least Squares Problems, section 6.6.5.)
func (e *Equations) SolveRows(r problem.Rows) *Solution {
	sol := e.Solve()
	if len(sol.Keep) < e.Columns() {
		return nil
	}
	t := e.centeredRoot(sol)
	_, frobenius := RootLengths(t, e.Sizes.Centered)
	rho := e.Rounding() * (frobenius * frobenius)
	if rho > CorrectableRounding {
		return nil
	}
	const most = 6
	if err := e.refine(sol, t, rho, most, func(b0, b0Lo float64, b, bLo, scale []float64) (*gram.Gradient, error) {
		return gram.Rows{X: r.X, Y: r.Y, Weights: r.Weights, Scale: scale}.Residuals(nil, b0, b0Lo, b, bLo), nil
	}); err != nil {
		return nil // residuals have no error
	}
	return sol
}

// RefinableRounding is CorrectableRounding for passes, of which as many are made as it takes, where a
// factor of the rows would take too long; see FactorRounding.
const RefinableRounding = 0.3

// Residuals returns the sums over rows of the residual y - b_0 - X b and of its products with the
// columns, for coefficients to twice the digits and for X and y multiplied by the scales.
type Residuals func(b0, b0Lo float64, b, bLo, scale []float64) (*gram.Gradient, error)

// gradientOf calls residuals for the coefficients b of A, in the units of the equations.
func (e *Equations) gradientOf(b dd.Vector, residuals Residuals) (*gram.Gradient, error) {
	var b0 dd.Number
	if e.Offset() == 1 {
		b0 = b.At(0)
	}
	slopes := b.From(e.Offset())
	return residuals(b0.Hi, b0.Lo, slopes.Hi, slopes.Lo, e.Inverses())
}

// SolvePasses is SolveRows for rows that residuals sums over, at most so many times. It returns
// no solution, and the relative error of (X'X)^-1, if that is above the limit or a column is
// aliased.
func (e *Equations) SolvePasses(most int, limit float64, residuals Residuals) (sol *Solution, rho float64, err error) {
	sol = e.Solve()
	if len(sol.Keep) < e.Columns() {
		return nil, math.Inf(1), nil
	}
	t := e.centeredRoot(sol)
	rho = e.passRounding(t)
	if rho > limit {
		return nil, rho, nil
	}
	if err := e.refine(sol, t, rho, most, residuals); err != nil {
		return nil, rho, err
	}
	e.countLost(sol)
	return sol, rho, nil
}

// Loses tells whether a solution of sums has lost digits that rows have: a column is aliased, which
// rows may tell otherwise, or standard errors have fewer than three digits, since (X'X)^-1 lost them, or the
// residual sum of squares of a close fit.
func (e *Equations) Loses(sol *Solution) bool {
	return len(sol.Keep) < e.Columns() || !(sol.Bounds.StdErr <= CorrectableRounding)
}

// passRounding is the relative error of (X'X)^-1 = T T', those of sums computed elsewhere and of their
// means included.
func (e *Equations) passRounding(t *mat.TriDense) float64 {
	_, frobenius := RootLengths(t, e.Sizes.Gross)
	var off float64 // of the means
	for i := range e.C {
		if wrong := e.XUnit[i].In(e.sums.MeanErrOf(i)); wrong > 0 {
			off += wrong * RowLength(t, i)
		}
	}
	return e.Rounding()*(frobenius*frobenius) + 3*math.Sqrt(e.sums.W)*off
}

// refine corrects a solution until what is left is rounding, at most so many times.
func (e *Equations) refine(sol *Solution, t *mat.TriDense, rho float64, most int, residuals Residuals) error {
	b := dd.Vector{Hi: sol.B, Lo: make([]float64, len(sol.B))}
	for range most {
		g, err := e.gradientOf(b, residuals)
		if err != nil {
			return err
		}
		sol.Cosine = e.cosine(g)
		last := e.correct(b, g, t)
		sol.RSS = math.Max(g.RSS, 0)
		sol.Lengths = e.kept(sol.Keep, sol.RSS)
		sol.Bounds = e.bounds(sol, t, rho, last)
		if sol.Correction = Ratio(2*rho*last, sol.Lengths.R); sol.Correction <= dd.Unit {
			sol.Converged = true
			break
		}
	}
	sol.BLow = make([]float64, len(sol.B))
	for i := range sol.B {
		v := b.At(i)
		sol.B[i] = v.Float()
		sol.BLow[i] = v.Hi - sol.B[i] + v.Lo
	}
	return nil
}

// cosine returns max_j |x_j'r|/(|x_j||y|) for centered columns.
func (e *Equations) cosine(g *gram.Gradient) float64 {
	var worst float64
	means := e.twofoldMeans()
	for j, v := range g.X {
		if e.Offset() == 1 {
			v -= g.Ones * means[j].Hi
		}
		if length := e.Sizes.Centered[j] * math.Sqrt(e.YY); length > 0 {
			worst = math.Max(worst, math.Abs(v)/length)
		}
	}
	return worst
}

// correct adds the correction (A'A)^-1 A'r to b and takes what that saves from
// the residual sum of squares. It returns the length that the correction takes
// off the residual.
func (e *Equations) correct(b dd.Vector, sums *gram.Gradient, t *mat.TriDense) float64 {
	offset := e.Offset()
	means := e.twofoldMeans()
	ones := dd.Of(sums.Ones).Add(dd.Of(sums.OnesLo))
	delta := make([]float64, len(means)) // first X'r for centered X
	for j := range delta {
		sum := dd.Of(sums.X[j]).Add(dd.Of(sums.XLo[j]))
		if offset == 1 {
			sum = sum.Sub(ones.Mul(means[j]))
		}
		delta[j] = sum.Float()
	}
	blas64.Trmv(blas.Trans, t.RawTriangular(), gram.Vector(delta))
	length := blas64.Nrm2(gram.Vector(delta))
	saved := length * length
	blas64.Trmv(blas.NoTrans, t.RawTriangular(), gram.Vector(delta))
	for j, v := range delta {
		b.Set(j+offset, b.At(j+offset).Add(dd.Of(v)))
	}
	if offset == 1 {
		mean := ones.Float() / e.sums.W
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
func (e *Equations) bounds(sol *Solution, t *mat.TriDense, rho, last float64) Certificate {
	offset := e.Offset()
	n := float64(e.sums.N)
	low := n * dd.Eps * sol.Lengths.data(sol.B)
	amplified, _ := RootLengths(t, sol.Lengths.A[offset:])
	return Certificate{
		Residual: 2*dd.Unit*sol.Lengths.R + low + n*dd.Eps*sol.Lengths.R*amplified + 2*rho*last,
		StdErr:   rho + Ratio(low, sol.Lengths.R),
		Root:     sol.Bounds.Root,
	}
}
