package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/quantiles"
)

// QuantilePath is a path of FitQuantilePath.
type QuantilePath = Path[*Quantile]

// FitQuantilePath minimizes, for every lambda of a grid, the loss of FitQuantile with a
// lasso penalty,
//
//	sum_i w_i rho(y_i - b_0 - x_i'b) + lambda sum_j f_j |b_j|.
//
// With tau = 1/2 it is the lasso of least absolute deviations, whose loss is half the sum
// of absolute residuals: a penalty of 2 lambda beside that sum. Each fit is a vertex, on
// which some rows and zero slopes lie, and each starts from the one before: it is exact.
// Gap is relative to the loss of the null model, as that of all paths.
//
// PathSettings are as for FitLassoPath: the grid goes down from LambdaMax, the smallest
// lambda that holds all penalized slopes at zero. Slopes are step functions of lambda, so
// that At of a lambda between two of the grid is an error. NonNegative and Groups are
// ErrSetting. Sweeps, if not 0, limits the steps at every lambda. It is meant for up to
// some thousand terms: the memory is that of (n + p) p numbers. Other errors are those
// of FitQuantile.
//
// Belloni and Chernozhukov, The Annals of Statistics 39 (2011), 82-130.
func FitQuantilePath(d *Design, tau float64, settings *PathSettings) (*QuantilePath, error) {
	set := args.OrDefaults(settings)
	each := set.each()
	if err := set.check(); err != nil {
		return nil, err
	}
	if err := each.check(); err != nil {
		return nil, err
	}
	if len(set.NonNegative) > 0 || len(set.Groups) > 0 {
		return nil, fmt.Errorf("%w: PathSettings.NonNegative and Groups are not for quantile regression", ErrSetting)
	}
	if err := checkTau(tau); err != nil {
		return nil, err
	}
	q, s, err := newQuantileProblem(d, []float64{tau}, &QuantileSettings{L1: 1, MaxSteps: set.Sweeps})
	if err != nil {
		return nil, err
	}
	if err := checkTerms(d.Names); err != nil {
		return nil, err
	}
	if q.Factor, err = each.factors(&penaltyData{l: linearState{header: d.header()}}); err != nil {
		return nil, err
	}
	run := &quantileRun{q: q, tau: tau, s: s}
	largest, err := run.start()
	if err != nil {
		return nil, err
	}
	grid := set.Lambda
	switch {
	case grid != nil:
		grid = descending(grid)
	case largest == 0:
		return nil, fmt.Errorf("%w: response %q does not vary with any penalized term, so that no lambda is the smallest; give Lambda", ErrConstant, d.Response)
	default:
		count, ratio := set.Count, set.Ratio
		if count == 0 {
			count = 100
		}
		if ratio == 0 {
			ratio = 1e-4
			if len(d.Names) > len(q.Rows) {
				ratio = 0.01
			}
		}
		grid = geometric(largest, ratio, count)
	}
	base := q.empty(tau, &QuantileSettings{})
	path := &pathState{
		L: linearState{header: d.header()}, N: len(q.Rows), L1: 1, Null: base.s.Null, Max: largest, Factor: q.Factor, Quantile: &base.s,
	}
	for k, lambda := range grid {
		point, err := run.at(lambda, path)
		if point != nil {
			path.Points = append(path.Points, point)
		}
		if err != nil {
			if point == nil {
				return nil, err
			}
			return newPath[*Quantile](path), err
		}
		if set.Progress != nil {
			if err := set.Progress(float64(k+1), float64(len(grid))); err != nil {
				return newPath[*Quantile](path), err
			}
		}
	}
	return newPath[*Quantile](path), nil
}

// quantileRun goes through lambdas.
type quantileRun struct {
	q    *quantileProblem
	tau  float64
	s    *QuantileSettings
	last *quantiles.Solution
}

// start solves for a penalty that holds all slopes at zero, and returns the smallest that
// does, in units of the design.
func (r *quantileRun) start() (float64, error) {
	q := r.q
	// No sum of duals is beyond the sum of absolute values of a column.
	var most float64
	a, n := q.Problem.A, len(q.Rows)
	for j := range q.Lasso {
		var sum float64
		for i, w := range q.Weights {
			sum += w * math.Abs(a.Data[i*a.Stride+q.First+j])
		}
		if f := q.Factor[j]; f > 0 {
			most = math.Max(most, math.Ldexp(sum, q.Exp[j])/f)
		}
	}
	var err error
	if r.last, err = quantiles.Solve(q.At(r.tau, 2*most+1), nil, r.s.MaxSteps); err != nil {
		return 0, q.singular(err)
	}
	d := r.last.Dual()
	g := make([]float64, a.Cols)
	rows := a
	rows.Rows = n
	blas64.Gemv(blas.Trans, 1, rows, gram.Vector(d[:n]), 0, gram.Vector(g))
	var largest float64
	for j := range q.Lasso {
		if f := q.Factor[j]; f > 0 {
			largest = math.Max(largest, math.Ldexp(math.Abs(g[q.First+j]), q.Exp[j])/f)
		}
	}
	return largest, nil
}

// at is the point of a penalty.
func (r *quantileRun) at(lambda float64, path *pathState) (*pathPoint, error) {
	p := r.q.At(r.tau, lambda)
	next, failed := r.last.Rebound(p.Low, p.High, r.s.MaxSteps)
	if next == nil {
		return nil, r.q.singular(failed)
	}
	r.last = next
	s := *r.s
	s.L1 = lambda
	f, err := r.q.fit(r.tau, &s, next, failed)
	if f == nil {
		return nil, err
	}
	point := &pathPoint{
		Lambda: lambda, Intercept: f.l.B0, Loss: f.s.Loss, Objective: f.s.Objective,
		Gap: f.s.Gap * f.s.Objective / path.Null, DoF: f.DoF(), Sweeps: f.s.Steps, Low: f.s.Low, High: f.s.High,
	}
	if path.Null == 0 {
		point.Gap = 0
	}
	for j, b := range f.l.B {
		if b != 0 {
			point.Terms, point.Slopes = append(point.Terms, j), append(point.Slopes, b)
		}
	}
	point.KKT = r.imbalance(path)
	return point, err
}

// imbalance is the largest sum of duals with a column, over LambdaMax.
func (r *quantileRun) imbalance(path *pathState) float64 {
	a := r.q.Problem.A
	g := make([]float64, a.Cols)
	blas64.Gemv(blas.Trans, 1, a, gram.Vector(r.last.Dual()), 0, gram.Vector(g))
	var worst float64
	for j, v := range g[r.q.First:] {
		worst = math.Max(worst, math.Ldexp(math.Abs(v), r.q.Exp[j]))
	}
	if path.Max > 0 {
		return worst / path.Max
	}
	return 0
}

func (*Quantile) of(s *pathState, p *pathPoint) *Quantile {
	f := &Quantile{linear{p.linear(s.L)}, *s.Quantile}
	f.s.L1, f.s.Loss, f.s.Objective, f.s.Steps = p.Lambda, p.Loss, p.Objective, p.Sweeps
	f.s.Gap = p.Gap * s.Null / math.Max(p.Objective, math.SmallestNonzeroFloat64)
	f.s.Method = "simplex"
	f.s.Low, f.s.High = slices.Clone(p.Low), slices.Clone(p.High)
	f.s.Unique = f.s.Low == nil
	f.s.Penalty = slices.Clone(f.s.Penalty)
	return f
}

// Lambda returns the weight of the penalty on absolute slopes, L1.
func (f *Quantile) Lambda() float64 { return f.s.L1 }
