package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// elasticPenalty is lambda (l1 sum_j f_j |b_j| + l2 sum_j f_j b_j^2).
type elasticPenalty struct{ l1, l2 float64 }

// elasticRun goes through penalties on the same data, each fit starting from the
// one before.
type elasticRun struct {
	data   *penaltyData
	pen    elasticPenalty
	factor []float64 // p
	tol    descent.Tolerance
	solver descent.Path
	max    float64
	free   int     // terms without any penalty
	groups *groups // nil for none
	// The weights of the solver are those of the columns of the data multiplied by unit, nil
	// for ones, of every linear predictor after the other. The penalty is of blocks of
	// them; positive, nil for none, is of blocks that are not negative.
	unit     []float64
	of       [][]int
	positive []bool
}

const (
	defaultGap    = 1e-6
	defaultSweeps = 10_000
)

// newElasticRun checks settings and data, and fits the terms without a penalty.
func newElasticRun(data Data, pen elasticPenalty, s LassoSettings) (*elasticRun, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	d, err := newPenaltyData(data)
	if err != nil {
		return nil, err
	}
	return runOn(d, pen, s)
}

// check looks at what does not depend on the data.
func (s *LassoSettings) check() error {
	if s.Gap < 0 || math.IsNaN(s.Gap) || math.IsInf(s.Gap, 0) {
		return fmt.Errorf("%w: Gap = %v; a tolerance is positive, or 0 for %g", ErrSetting, s.Gap, defaultGap)
	}
	if s.Sweeps < 0 {
		return fmt.Errorf("%w: Sweeps = %d; it is not negative", ErrSetting, s.Sweeps)
	}
	return nil
}

// factors returns the factors of the penalty of all terms.
func (s *LassoSettings) factors(h *header) ([]float64, error) {
	p := len(h.Names)
	if s.PenaltyFactor != nil && len(s.PenaltyFactor) != p {
		return nil, fmt.Errorf("%w: %d penalty factors for %d terms", ErrShape, len(s.PenaltyFactor), p)
	}
	factor := slices.Repeat([]float64{1}, p)
	for j, f := range s.PenaltyFactor {
		if !(f >= 0) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%w: the penalty factor of term %q is %v; factors are finite and not negative", ErrSetting, h.Names[j], f)
		}
		factor[j] = f
	}
	always, err := h.positions(s.AlwaysIn, "AlwaysIn")
	if err != nil {
		return nil, err
	}
	for _, j := range always {
		factor[j] = 0
	}
	return factor, nil
}

// positions returns those of the terms that a field of the settings names.
func (h *header) positions(names []string, field string) ([]int, error) {
	var at []int
	for _, name := range names {
		j := slices.Index(h.Names, name)
		if j < 0 {
			return nil, fmt.Errorf("%w: %s: no term %q among %s", ErrSetting, field, name, format.Quoted(h.Names))
		}
		at = append(at, j)
	}
	return at, nil
}

// runOn is newElasticRun on data that have been prepared.
func runOn(d *penaltyData, pen elasticPenalty, s LassoSettings) (*elasticRun, error) {
	r := &elasticRun{data: d, pen: pen, tol: descent.Tolerance{Gap: s.Gap, Sweeps: s.Sweeps}}
	if s.Gap == 0 {
		r.tol.Gap = defaultGap
	}
	if s.Sweeps == 0 {
		r.tol.Sweeps = defaultSweeps
	}
	var err error
	if r.factor, err = s.factors(&d.l.header); err != nil {
		return nil, err
	}
	nonNegative, err := d.l.positions(s.NonNegative, "NonNegative")
	if err != nil {
		return nil, err
	}
	var positive []bool // nil for none
	if len(nonNegative) > 0 {
		positive = make([]bool, len(r.factor))
	}
	for _, j := range nonNegative {
		positive[j] = true
	}
	for _, f := range r.factor {
		if f == 0 {
			r.free++
		}
	}
	if err := r.checkUnpenalized(math.Inf(1)); err != nil {
		return nil, err
	}
	if r.groups, err = newGroups(&d.l.header, &s); err != nil {
		return nil, err
	}
	if err := r.divide(positive); err != nil {
		return nil, err
	}
	r.solver = d.solver(r.of, r.unit)
	r.start(positive)
	return r, nil
}

// divide divides the weights into blocks; positive has a number for each column.
func (r *elasticRun) divide(positive []bool) (err error) {
	r.of, r.positive = descent.Alone(len(r.factor)*r.data.predictors()), positive
	if r.groups == nil {
		return nil
	}
	if err := r.groups.check(r.data.l.Names, r.factor, positive); err != nil {
		return err
	}
	r.unit, err = r.groups.units(r.data.l.Names, r.scale)
	r.of, r.positive = r.groups.of, make([]bool, len(r.groups.of))
	for b, of := range r.of {
		r.positive[b] = positive != nil && positive[of[0]]
	}
	return err
}

// checkUnpenalized refuses more terms without a penalty than the observations
// determine.
func (r *elasticRun) checkUnpenalized(lambda float64) error {
	k, p := r.free, len(r.factor)
	if lambda == 0 {
		k = p
	}
	rows := r.data.N
	if !r.data.l.NoIntercept {
		rows--
	}
	if k <= rows {
		return nil
	}
	return fmt.Errorf("%w: %d of %d terms are not penalized, more than %d observations determine; "+
		"penalize them, or see FitOLS with MinimumNorm", ErrRankDeficient, k, p, r.data.N)
}

// checkSizes names a term so small that the L2 penalty, in its units, is no float64.
func (r *elasticRun) checkSizes(lambda float64) error {
	for b, l2 := range r.penalty(lambda).L2 {
		if math.IsInf(l2, 1) {
			return fmt.Errorf("%w: the squares of term %q underflow beside the penalty; rescale it", ErrNotFinite, r.data.l.Names[r.column(b)])
		}
	}
	return nil
}

// start fits the terms without a penalty and finds the smallest lambda for which
// all others are zero.
func (r *elasticRun) start(positive []bool) {
	if r.free > 0 {
		pen := &descent.Elastic{L1: make([]float64, len(r.of)), Of: r.of, Positive: r.positive}
		for b := range r.of {
			if r.factor[r.column(b)] > 0 {
				pen.L1[b] = math.Inf(1)
			}
		}
		r.solver.Solve(pen, r.tol)
	}
	fall := r.solver.Descent()
	most := make([]float64, len(fall)) // of every slope alone
	for c, g := range fall {
		j := c % len(r.factor)
		g /= 2 * r.unitOf(j)
		if r.factor[j] == 0 {
			continue
		}
		size := math.Abs(g)
		if positive != nil && positive[j] {
			size = math.Max(g, 0)
		}
		// In the units of the solver L1 is lambda times this.
		unit := r.data.per() * r.pen.l1 * r.factor[j] * r.scale(j) * (-r.data.YUnit).Float()
		most[c] = 2 * size / unit
	}
	if r.groups != nil {
		most = r.groups.most(most)
	}
	r.max = slices.Max(most)
}

// lambdaMax returns the smallest lambda for which every penalized slope is zero:
// 0 if none is related to the response, infinite if L1 does not count.
func (r *elasticRun) lambdaMax() float64 { return r.max }

// column returns the first column of a block of weights.
func (r *elasticRun) column(block int) int { return r.of[block][0] % len(r.factor) }

// unitOf is the unit of a column.
func (r *elasticRun) unitOf(j int) float64 {
	if r.unit == nil {
		return 1
	}
	return r.unit[j]
}

// scale is what |b_j| is in the penalty, for a weight of 1 of the data and a yexp of 0.
func (r *elasticRun) scale(j int) float64 {
	scale := (-r.data.XUnit[j]).Float()
	if r.data.deviation != nil {
		scale *= r.data.deviation[j]
	}
	return scale
}

// penalty returns that at lambda in the units of the solver.
func (r *elasticRun) penalty(lambda float64) *descent.Elastic {
	e := &descent.Elastic{L1: make([]float64, len(r.of)), Of: r.of, Positive: r.positive}
	if r.pen.l2 > 0 {
		e.L2 = make([]float64, len(r.of))
	}
	lambda *= r.data.per()
	for b, of := range r.of {
		j := r.column(b)
		f, scale, unit := r.factor[j], r.scale(j), r.unitOf(j)
		e.L1[b] = lambda * r.pen.l1 * f * scale * (-r.data.YUnit).Float() * unit * math.Sqrt(float64(len(of)))
		if e.L2 != nil {
			e.L2[b] = lambda * r.pen.l2 * f * scale * scale * unit * unit
		}
	}
	return e
}

// active returns the weights of the data that are not zero.
func (r *elasticRun) active() (set []int, w []float64) {
	set, w = r.solver.Active()
	for i, c := range set {
		w[i] *= r.unitOf(c % len(r.factor))
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
		point.DoF += float64(max(1, r.data.predictors()-1))
	}
	if c.Done && !(point.Gap > r.tol.Gap && r.data.stated > 0) {
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
	if !ok || r.data.stated == 0 {
		return
	}
	all := make([]float64, r.data.Terms())
	for i, j := range set {
		all[j] = w[i]
	}
	gap, kkt := sums.Uncertain(pen, r.unit, all, r.data.stated)
	point.Gap = math.Max(point.Gap, lsq.Ratio(gap, r.solver.Null()))
	point.KKT += kkt
}

// state returns a path without points.
func (r *elasticRun) state() *pathState {
	s := &pathState{
		L: r.data.l, N: r.data.N, Squares: r.data.losses == nil, Classes: r.data.classes, Family: r.data.family, L1: r.pen.l1, L2: r.pen.l2,
		Null: r.data.loss(r.solver.Null()), Max: r.lambdaMax(), Factor: r.factor, Predictors: r.data.predictors(),
	}
	if r.groups != nil {
		s.GroupNames, s.GroupOf = r.groups.names, r.groups.of
	}
	return s
}

// path solves for every lambda of a descending grid.
func (r *elasticRun) path(grid []float64, progress func(done, total float64) error) (*pathState, error) {
	if err := r.checkUnpenalized(grid[len(grid)-1]); err != nil {
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
