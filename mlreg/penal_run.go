package mlreg

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// elasticPenalty is lambda (l1 sum_j f_j |b_j| + l2 sum_j f_j b_j^2).
type elasticPenalty struct{ l1, l2 float64 }

// elasticRun goes through penalties on the same data, each fit starting from the
// one before.
type elasticRun struct {
	data   *penaltyData
	pen    elasticPenalty
	by     *problem.Blocks // in which the solver has the penalty
	groups []string        // names of its groups; nil for none
	tol    descent.Tolerance
	solver descent.Path
	max    float64 // smallest lambda for which every penalized slope is zero
}

// newElasticRun takes settings whose tolerances have been checked, and fits the terms without a
// penalty.
func newElasticRun(d *penaltyData, pen elasticPenalty, s LassoSettings) (*elasticRun, error) {
	r := &elasticRun{data: d, pen: pen, tol: descent.Tolerance{Gap: cmp.Or(s.Gap, defaultGap), Sweeps: cmp.Or(s.Sweeps, defaultSweeps)}}
	penalty, err := s.penalty(&d.l.header)
	if err != nil {
		return nil, err
	}
	if err := d.checkUnpenalized(penalty.Free()); err != nil {
		return nil, err
	}
	if r.groups, err = d.l.groupPenalty(penalty, s.Groups); err != nil {
		return nil, err
	}
	if r.by, err = penalty.In(&d.Units, d.deviation, d.predictors); err != nil {
		e := err.(*problem.StretchError)
		return nil, fmt.Errorf("%w: term %q is too small beside the others of group %q; rescale it", ErrNotFinite, d.l.Names[e.Column], r.groups[e.Group])
	}
	r.solver = r.newSolver()
	if penalty.Free() > 0 {
		r.solver.Solve(r.elastic(r.by.Hold(), nil), r.tol)
	}
	r.max = r.by.LambdaMax(r.solver.Descent(), d.per()*pen.l1)
	return r, nil
}

// newSolver returns a solver that starts from slopes of zero.
func (r *elasticRun) newSolver() descent.Path {
	switch d, stretch := r.data, r.by.Stretch; {
	case d.likelihood != nil:
		return descent.NewProximal(d.likelihood(stretch), r.by.Of)
	case stretch != nil:
		return descent.NewProximal(descent.NewQuadratic(d.src, stretch), r.by.Of)
	}
	return descent.New(r.data.src)
}

// checkLeast refuses a lambda of zero, which is least squares, for more terms than the observations
// determine.
func (r *elasticRun) checkLeast(lambda float64) error {
	if lambda > 0 {
		return nil
	}
	return r.data.checkUnpenalized(r.data.Terms())
}

// checkSizes names a term so small that the L2 penalty, in its units, is no float64.
func (r *elasticRun) checkSizes(lambda float64) error {
	for b, l2 := range r.penalty(lambda).L2 {
		if math.IsInf(l2, 1) {
			return fmt.Errorf("%w: the squares of term %q underflow beside the penalty; rescale it", ErrNotFinite, r.data.l.Names[r.by.Column(b)])
		}
	}
	return nil
}

// penalty returns that at lambda in the units of the solver.
func (r *elasticRun) penalty(lambda float64) *descent.Elastic {
	return r.elastic(r.by.Weights(lambda*r.data.per(), r.pen.l1, r.pen.l2))
}

func (r *elasticRun) elastic(l1, l2 []float64) *descent.Elastic {
	return &descent.Elastic{L1: l1, L2: l2, Of: r.by.Of, Positive: r.by.NotNegative()}
}

// active returns the weights of the data that are not zero.
func (r *elasticRun) active() (set []int, w []float64) {
	set, w = r.solver.Active()
	for i, c := range set {
		w[i] *= r.by.StretchOf(c % r.data.Terms())
	}
	return set, w
}

// approach solves roughly.
func (r *elasticRun) approach(lambda float64) {
	r.solver.Solve(r.penalty(lambda), descent.Tolerance{Gap: 1e-2, Sweeps: r.tol.Sweeps})
}

// solve solves at lambda. The point is the best there is even if there is an
// error.
func (r *elasticRun) solve(lambda float64) (*pathPoint, error) {
	pen := r.penalty(lambda)
	c := r.solver.Solve(pen, r.tol)
	terms, w := r.active()
	point := &pathPoint{
		Lambda: lambda, Loss: r.data.loss(c.RSS), Objective: r.data.loss(c.Objective),
		KKT: c.KKT, DoF: c.DoF, Sweeps: c.Sweeps,
	}
	r.data.coefficients(point, terms, w, r.solver.Intercepts())
	r.unique(point)
	point.Gap = lsq.Ratio(c.Gap, r.solver.Null())
	r.uncertain(point, pen, terms, w)
	if !r.data.l.NoIntercept {
		point.DoF += float64(max(1, r.data.predictors-1))
	}
	if c.Done && !(point.Gap > r.tol.Gap && r.data.GErr > 0) {
		return point, nil
	}
	short := &ConvergenceError{
		Method: fmt.Sprintf("coordinate descent at lambda = %.6g", lambda), Iterations: c.Sweeps,
		Measure: "relative duality gap", Value: point.Gap, Tol: r.tol.Gap,
	}
	if c.Done {
		short.Advice = errorOfSums
	}
	return point, short
}

// errorOfSums is the advice if the error of the sums keeps a certificate from its tolerance.
const errorOfSums = "the error of the sums (Sums.RelErr) keeps it there: set a larger Gap, or compute sums with more digits"

// uncertain counts the error of sums that were computed elsewhere in the certificate of a
// point, which is of the true ones then.
func (r *elasticRun) uncertain(point *pathPoint, pen *descent.Elastic, set []int, w []float64) {
	sums, ok := r.data.src.(*descent.Sums)
	if !ok || r.data.GErr == 0 {
		return
	}
	all := make([]float64, r.data.Terms())
	for i, j := range set {
		all[j] = w[i]
	}
	gap, kkt := sums.Uncertain(pen, r.by.Stretch, all, r.data.GErr)
	point.Gap = math.Max(point.Gap, lsq.Ratio(gap, r.solver.Null()))
	point.KKT += kkt
}

// state returns a path without points.
func (r *elasticRun) state() *pathState {
	return &pathState{
		L: r.data.l, N: r.data.N, Squares: r.data.likelihood == nil, Classes: r.data.classes, Family: r.data.family, L1: r.pen.l1, L2: r.pen.l2,
		Null: r.data.loss(r.solver.Null()), Max: r.max, Factor: r.by.Factor, Predictors: r.data.predictors,
		GroupNames: r.groups, GroupOf: r.by.Groups,
	}
}

// penalizedPath goes through the lambdas of settings, which have been checked.
func penalizedPath(d *penaltyData, pen elasticPenalty, s *PathSettings) (*pathState, error) {
	run, err := newElasticRun(d, pen, s.each())
	if err != nil {
		return nil, err
	}
	grid, err := s.grid(&d.l.header, d.N, run.max)
	if err != nil {
		return nil, err
	}
	return run.path(grid, s.Progress)
}

// path solves for every lambda of a descending grid.
func (r *elasticRun) path(grid []float64, progress func(done, total float64) error) (*pathState, error) {
	if err := r.checkLeast(grid[len(grid)-1]); err != nil {
		return nil, err
	}
	path := r.state()
	var failed error
	for k, lambda := range grid {
		point, err := r.solve(lambda)
		path.Points = append(path.Points, point)
		if failed == nil {
			failed = err
		}
		if progress != nil {
			if err := progress(float64(k+1), float64(len(grid))); err != nil {
				return path, errors.Join(err, failed)
			}
		}
	}
	return path, failed
}
