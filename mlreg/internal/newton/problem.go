package newton

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Problem is the minimization of
//
//	f(b_0, b) = sum_i loss_i(eta_i) + L2 |b|^2,  eta_i = o_i + b_0 + x_i'b,
//
// over k parameters, b_0 first if there is an intercept.
type Problem struct {
	X         blas64.General
	Weights   []float64 // of the rows, nil for ones: which of them count
	Fit       Datafit
	Offset    []float64 // o, nil for zeros
	L2        float64   // in the units of the columns before they were scaled
	Intercept bool
	Scaling   *problem.Scaling // of the columns; nil if they are as they were given
	Times     []int            // how many rows of the data each stands for, for Separation to count; nil for one
}

// Conditioned returns the problem with its columns in a scaling in which the
// iteration keeps its digits, if they need one.
func (q *Problem) Conditioned() *Problem {
	c := *q
	if s := problem.Conditioning(problem.Rows{X: q.X, Weights: q.Weights, NoIntercept: !q.Intercept}); s != nil {
		c.Scaling, c.X = s, s.Of(q.X).RawMatrix()
	}
	return &c
}

// ridge returns the factor of the square of slope j: L2 in the units of its column.
func (q *Problem) ridge(j int) float64 {
	if q.Scaling == nil {
		return q.L2
	}
	return q.L2 / q.Scaling.Scale[j] / q.Scaling.Scale[j]
}

// Parameters returns k.
func (q *Problem) Parameters() int { return q.X.Cols + q.First() }

// First returns the number of parameters before the slopes.
func (q *Problem) First() int {
	if q.Intercept {
		return 1
	}
	return 0
}

// work is the number of multiplications of a step.
func (q *Problem) work() float64 {
	return float64(q.X.Rows) * square(float64(q.Parameters()))
}

// Point is f at some parameters.
type Point struct {
	Beta      []float64
	F         float64
	Score     []float64 // minus the gradient of f
	Curvature []float64 // n: of the losses; of Passes the least that is positive
	Sums      *gram.LossSums
	products  *gram.Sums // of Passes: cross-products at the curvatures
	stated    *Sums      // of Passes: with their errors; nil if they are those of sums made here
}

// At evaluates f.
func (q *Problem) At(beta []float64) *Point {
	curvature := make([]float64, q.X.Rows)
	b0, b := q.split(beta)
	return q.point(beta, gram.Rows{X: q.X}.Losses(q.Fit, curvature, q.Offset, b0, b), curvature)
}

// at evaluates f where it has to be finite.
func (q *Problem) at(beta []float64) (*Point, error) {
	pt := q.At(beta)
	if !finite(pt.F) {
		return nil, ErrNotFinite
	}
	return pt, nil
}

// hessianAt factors H at a point.
func (q *Problem) hessianAt(pt *Point) (*Hessian, error) { return q.hessian(pt.Curvature) }

// split returns the intercept, 0 if there is none, and the slopes.
func (q *Problem) split(beta []float64) (b0 float64, b []float64) {
	if q.Intercept {
		return beta[0], beta[1:]
	}
	return 0, beta
}

// point is f of the sums of losses at the parameters.
func (q *Problem) point(beta []float64, sums *gram.LossSums, curvature []float64) *Point {
	pt := &Point{Beta: beta, Curvature: curvature, Sums: sums}
	_, b := q.split(beta)
	if q.Intercept {
		pt.Score = append(pt.Score, pt.Sums.Ones)
	}
	pt.Score = append(pt.Score, pt.Sums.X...)
	pt.F = pt.Sums.Loss
	for j, v := range b {
		pt.F += q.ridge(j) * v * v
		pt.Score[j+q.First()] -= 2 * q.ridge(j) * v
	}
	return pt
}

// Null returns the intercept of the model without slopes and without a penalty, 0
// if there is none, and its loss.
func (q *Problem) Null() (intercept, loss float64, err error) {
	null := *q
	null.X = blas64.General{Rows: q.X.Rows}
	null.L2 = 0
	if !q.Intercept {
		return 0, null.At(nil).F, nil
	}
	start := []float64{q.Fit.Constant()}
	if !finite(null.At(start).F) {
		start = null.working()
	}
	s, err := null.Solve(start, nil, Settings{Tol: 1e-12, Most: 200})
	if err != nil {
		return 0, 0, err
	}
	return s.Point.Beta[0], s.Point.F, nil
}

// Start returns parameters to start from, given the intercept of the null model:
// that model, or for a large problem the fit to every m-th row, with its Hessian
// scaled to the whole.
func (q *Problem) Start(intercept float64) ([]float64, *Hessian) {
	start := make([]float64, q.Parameters())
	if q.Intercept {
		start[0] = intercept
	}
	if !finite(q.At(start).F) {
		return q.working(), nil
	}
	n := q.X.Rows
	const large = 2e7
	if q.work() < large || n < 200*q.Parameters() {
		return start, nil
	}
	every := max(2, min(20, n/(100*q.Parameters())))
	part := *q
	rows := make([]int, 0, n/every+1)
	for i := 0; i < n; i += every {
		rows = append(rows, i)
	}
	part.X = blas64.General{Rows: len(rows), Cols: q.X.Cols, Stride: q.X.Cols, Data: make([]float64, 0, len(rows)*q.X.Cols)}
	for _, i := range rows {
		part.X.Data = append(part.X.Data, q.row(i)...)
	}
	part.Fit, part.Weights, part.Offset = q.Fit.Subset(rows), gram.Take(q.Weights, rows), gram.Take(q.Offset, rows)
	part.L2 /= float64(every)
	solution, err := part.Solve(start, nil, Settings{Tol: 1e-3, Most: 12})
	if err != nil || !solution.Converged {
		return start, nil
	}
	h := *solution.Hessian
	h.Root = mat.NewTriDense(q.Parameters(), mat.Upper, nil)
	h.Root.ScaleTri(1/math.Sqrt(float64(every)), solution.Hessian.Root)
	return solution.Point.Beta, &h
}

// working returns parameters to start from where those of the null model have an
// infinite loss: the solution of the least-squares problem that a generalized linear
// model has at means near its responses, zeros if it is of another kind.
func (q *Problem) working() []float64 {
	beta := make([]float64, q.Parameters())
	fit, ok := q.Fit.(GLM)
	if !ok || len(beta) == 0 {
		return beta
	}
	weights, z := fit.Working(fit.Mean(), q.Offset)
	for i, w := range weights {
		if !finite(w * z[i] * z[i]) { // the means, or their variances, are no float64
			return beta
		}
	}
	sys, err := q.weighted(weights, z)
	if err != nil {
		return beta
	}
	sol := sys.QR()
	for c, j := range sol.Keep {
		beta[j] = sys.Slope(j, sol.B[c])
	}
	return beta
}

func (q *Problem) row(i int) []float64 { return q.X.Data[i*q.X.Stride : i*q.X.Stride+q.X.Cols] }
