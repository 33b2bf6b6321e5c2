package mlreg

import (
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// DurbinWatsonTest is the statistic of Durbin and Watson with its probabilities,
// if the noise is normal and independent, for the terms of the fit.
type DurbinWatsonTest struct {
	Stat float64
	// Positive is P(DW <= Stat), small if neighboring noise is positively
	// correlated: the alternative "greater" of lmtest::dwtest, its default. Negative
	// is P(DW >= Stat), its "less", and TwoSided twice the smaller, at most 1.
	Positive, Negative, TwoSided float64
	// Err is the numerical error, as far as it shows: |Positive + Negative - 1|,
	// which are computed one without the other, unless one is below 1e-14.
	Err float64
}

// DurbinWatson tests for correlation between neighboring residuals, rows being in
// order of time. With A the tridiagonal matrix of sum_{i>1} (r_i - r_{i-1})^2 = r'Ar
// and M = I - H,
//
//	P(DW <= d) = P(e'M(A - d I)Me <= 0),   e ~ N(0, I),
//
// whatever the coefficients and the variance. The probability is exact, for any n:
// each tail is an integral of the moment generating function,
//
//	1/(2 pi i) int exp(K(s)) ds/|s|,   K(s) = -log det(I - 2s M(A - d I)M)/2,
//
// along a vertical line through its saddlepoint, which keeps the relative accuracy of
// small tails; determinants are those of tridiagonal and k x k matrices, so that it
// takes n k^2 steps and no eigenvalues. dwtest has Farebrother's algorithm below 100
// rows, and a normal approximation from there on; its
// probabilities below 100 rows can be far off.
//
// Rows with weights are refused (ErrSetting), as they are by dwtest, and so are fewer
// than two residual degrees of freedom (ErrNoData), for which DW is a constant; a
// perfect fit is ErrConstant. An Err above 1e-8 is a *ConvergenceError beside the
// result.
//
// Durbin and Watson (1971), Biometrika 58, 1-19; Imhof (1961), Biometrika 48, 419-426;
// Helstrom (1983), IEEE Transactions on Aerospace and Electronic Systems 19, 428-437.
func (f *OLS) DurbinWatson(d *Design) (DurbinWatsonTest, error) {
	if err := args.Given("the design", d); err != nil {
		return DurbinWatsonTest{}, err
	}
	if d.Weights != nil {
		return DurbinWatsonTest{}, fmt.Errorf("%w: the Durbin-Watson test of weighted rows; leave the weights out", ErrSetting)
	}
	rows, err := f.fittedRows(d)
	if err != nil {
		return DurbinWatsonTest{}, err
	}
	if len(rows.r) < f.s.Rank+2 {
		return DurbinWatsonTest{}, fmt.Errorf("%w: %d rows for %d coefficients; the Durbin-Watson test takes two more, at least", ErrNoData, len(rows.r), f.s.Rank)
	}
	stat := DurbinWatson(rows.r)
	if !(f.RSS() > 0) || math.IsNaN(stat) {
		return DurbinWatsonTest{}, fmt.Errorf("%w: every residual is zero", ErrConstant)
	}
	t := DurbinWatsonTest{Stat: stat}
	q := newDurbinWatsonForm(rows, stat)
	small, large, edges := &t.Positive, &t.Negative, [2]float64{-1 / (2 * stat), 1 / (2 * (4 - stat))}
	if stat > 2 {
		small, large, edges = large, small, [2]float64{edges[1], edges[0]}
	}
	const negligible = 1e-14
	*small, *large = q.tail(edges[0]), 1
	if *small > negligible {
		*large = q.tail(edges[1])
		t.Err = math.Abs(t.Positive + t.Negative - 1)
	}
	t.Positive, t.Negative = math.Min(t.Positive, 1), math.Min(t.Negative, 1)
	t.TwoSided = math.Min(1, 2*math.Min(t.Positive, t.Negative))
	const tol = 1e-8
	if !(t.Err <= tol) {
		return t, &ConvergenceError{
			Method: "the integral of the Durbin-Watson test", Iterations: q.evaluations, Measure: "error", Value: t.Err, Tol: tol,
			Advice: "it may be that the residuals have next to no freedom",
		}
	}
	return t, nil
}

// durbinWatsonForm is the quadratic form e'M(A - d I)Me.
type durbinWatsonForm struct {
	stat        float64
	z           blas64.General // n x k: a basis of the columns
	det         complex128     // log det z'z
	w           []complex128   // k: work
	m           []complex128   // k x k: work
	evaluations int
}

func newDurbinWatsonForm(rows *fittedRows, stat float64) *durbinWatsonForm {
	k := rows.coords.Slopes.Cols
	n := len(rows.r)
	q := &durbinWatsonForm{
		stat: stat, w: make([]complex128, k), m: make([]complex128, k*k),
		z: blas64.General{Rows: n, Cols: k, Stride: max(k, 1), Data: make([]float64, n*max(k, 1))},
	}
	rows.coords.Each(rows.x, func(_, start int, z blas64.General) {
		for i := range z.Rows {
			copy(q.z.Data[(start+i)*q.z.Stride:], z.Data[i*z.Stride:i*z.Stride+k])
		}
	})
	q.det = q.logDet(0)
	return q
}

// cumulant returns K(s). With B = I - 2s(A - d I), Z a basis of the columns and N
// one of their complement,
//
//	det N'BN = det B det(Z'B^-1 Z) / det(Z'Z).
//
// While B has a positive definite real part, so have its Schur complements, and logs
// of pivots are on the branch that is continuous from s = 0.
func (q *durbinWatsonForm) cumulant(s complex128) complex128 {
	return -(q.logDet(s) - q.det) / 2
}

// logDet returns log det B + log det Z'B^-1 Z.
func (q *durbinWatsonForm) logDet(s complex128) complex128 {
	q.evaluations++
	n, k := q.z.Rows, q.z.Cols
	clear(q.w)
	clear(q.m)
	inner, end, off := 1-2*s*complex(2-q.stat, 0), 1-2*s*complex(1-q.stat, 0), 2*s
	var log, ratio, pivot, inverse complex128
	for i := range n {
		diagonal := inner
		if i == 0 || i == n-1 {
			diagonal = end
		}
		if i > 0 {
			ratio = off * inverse
		}
		pivot = diagonal - ratio*off
		inverse = 1 / pivot
		log += cmplx.Log(pivot)
		row := q.z.Data[i*q.z.Stride : i*q.z.Stride+k]
		for a, v := range row {
			q.w[a] = complex(v, 0) - ratio*q.w[a]
		}
		for a := range k {
			v := q.w[a] * inverse
			for b := range a + 1 {
				q.m[a*k+b] += v * q.w[b]
			}
		}
	}
	for a := range k { // LDL', of the lower triangle
		p := q.m[a*k+a]
		log += cmplx.Log(p)
		for i := a + 1; i < k; i++ {
			v := q.m[i*k+a] / p
			for b := a + 1; b <= i; b++ {
				q.m[i*k+b] -= v * q.m[b*k+a]
			}
		}
	}
	return log
}

// tail returns P(form <= 0) for an edge below 0, and P(form >= 0) for one above: the
// integral along a line between 0 and the edge.
func (q *durbinWatsonForm) tail(edge float64) float64 {
	height := func(c float64) float64 { return real(q.cumulant(complex(c, 0))) - math.Log(math.Abs(c)) }
	c, width := saddle(height, edge)
	top := height(c)
	f := func(x float64) float64 {
		s := complex(c, width*math.Sinh(x))
		return real(cmplx.Exp(q.cumulant(s)-complex(top, 0))/s) * width * math.Cosh(x)
	}
	// The trapezoidal rule, with twice the points until the sum stays: for an analytic
	// function each halving squares the error.
	const least, stays = 1e-17, 1e-7
	middle := f(0)
	sum := func(first, step float64) (v float64) {
		small := 0
		for x := first; x < 90 && small < 3; x += step {
			y := f(x)
			v += y
			small++
			if math.Abs(y) > least*math.Abs(middle) {
				small = 0
			}
		}
		return v
	}
	step := 0.5
	total := middle/2 + sum(step, step)
	for range 8 {
		before := total * step
		total += sum(step/2, step)
		step /= 2
		if math.Abs(total*step-before) <= stays*math.Abs(before) {
			break
		}
	}
	return math.Abs(total*step) * math.Exp(top) / math.Pi
}

// saddle returns the minimum of a convex function between 0 and the edge, roughly,
// and the width of its top along the vertical.
func saddle(height func(c float64) float64, edge float64) (c, width float64) {
	const golden = 0.6180339887498949
	low, high := 0.0, 1.0
	a, b := 1-golden, golden
	fa, fb := height(a*edge), height(b*edge)
	for range 30 {
		if fa < fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = height(a * edge)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = height(b * edge)
		}
		if high-low < 0.02*math.Min(low, 1-high) {
			break
		}
	}
	t := (low + high) / 2
	h := 0.05 * math.Min(t, 1-t)
	bend := (height((t+h)*edge) - 2*height(t*edge) + height((t-h)*edge)) / gram.Square(h*edge)
	width = math.Abs(t * edge)
	if bend > 0 {
		width = math.Min(1/math.Sqrt(bend), width)
	}
	return t * edge, width
}

// Describe returns the test as a table that is written in a line:
// "Durbin-Watson 1.42, two-sided p = 0.0312".
func (t DurbinWatsonTest) Describe() *report.Table {
	line := "Durbin-Watson " + format.Number(t.Stat, format.Digits) + ", two-sided " + format.PEquals(t.TwoSided)
	p := func(name string, v float64) report.Column { return report.PColumn(name, []float64{v}) }
	return tables.Line(line, tables.One("Durbin-Watson", t.Stat), p("p", t.TwoSided), p("p (positive correlation)", t.Positive), p("p (negative correlation)", t.Negative))
}

// String writes the test in a line.
func (t DurbinWatsonTest) String() string { return t.Describe().String() }
