package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// PathSettings are the options of FitLassoPath, FitElasticNetPath and
// FitLogisticPath, and of the paths that FitLassoCV and FitElasticNetCV make.
type PathSettings struct {
	// Lambda is the grid, ascending or descending. Nil is Count values in
	// constant proportion, from the smallest lambda for which every penalised
	// slope is zero down to Ratio times that.
	Lambda []float64
	// Count is the number of values of the default grid. The default 0 is 100.
	Count int
	// Ratio is the last value of the default grid in proportion to the first.
	// The default 0 is 0.01 if there are more terms than observations, and 1e-4
	// if not, as in glmnet.
	Ratio float64
	// PenaltyFactor, AlwaysIn, NonNegative, Gap and Sweeps (for each lambda) are
	// as in LassoSettings.
	PenaltyFactor         []float64
	AlwaysIn, NonNegative []string
	Gap                   float64
	Sweeps                int
	// Progress, if not nil, is told after every lambda how many are done. An
	// error from it stops the path, which is returned as far as it went.
	Progress func(done, total float64) error
}

// ElasticNetPath is a path of fits over descending lambda. It holds no data and
// does not change.
type ElasticNetPath struct {
	s elasticNetPathState
}

// LassoPath is a path of fits whose L2 is zero.
type LassoPath = ElasticNetPath

type elasticNetPathState struct {
	L         linearState // without coefficients
	N         int
	L1, L2    float64 // in proportion to lambda
	Null, Max float64
	Factor    []float64
	Points    []*elasticPoint
}

// FitLassoPath minimises RSS + lambda sum_j f_j |b_j| for every lambda of a grid,
// see FitLasso. Each fit starts from the one before, and each has its
// certificate: Gap, KKT.
//
// If the gap is not reached at some lambda, the path is returned together with a
// *ConvergenceError about the first of them. The default grid needs a response
// that varies with some penalised term (ErrConstant). Nil settings are the
// defaults. Other errors are those of FitLasso.
func FitLassoPath(data Data, settings *PathSettings) (*LassoPath, error) {
	return fitPath(data, elasticPenalty{l1: 1}, settings)
}

// FitElasticNetPath minimises
//
//	RSS + lambda sum_j f_j (share |b_j| + (1 - share) b_j^2)
//
// for every lambda of a grid, 0 < share <= 1 (ErrSetting): an elastic net with l1 = lambda
// share and l2 = lambda (1 - share), see FitElasticNet. All else is as for
// FitLassoPath, which is share = 1. Ridge regression, share = 0, is FitRidgePath.
func FitElasticNetPath(data Data, share float64, settings *PathSettings) (*ElasticNetPath, error) {
	if !(share > 0 && share <= 1) {
		return nil, fmt.Errorf("%w: share = %v; the part of L1 is above 0, and at most 1; for ridge regression use FitRidgePath", ErrSetting, share)
	}
	return fitPath(data, elasticPenalty{l1: share, l2: 1 - share}, settings)
}

func (s *PathSettings) each() LassoSettings {
	return LassoSettings{
		PenaltyFactor: s.PenaltyFactor, AlwaysIn: s.AlwaysIn, NonNegative: s.NonNegative, Gap: s.Gap, Sweeps: s.Sweeps,
	}
}

func fitPath(data Data, pen elasticPenalty, settings *PathSettings) (*ElasticNetPath, error) {
	var s PathSettings
	if settings != nil {
		s = *settings
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	run, err := newElasticRun(data, pen, s.each())
	if err != nil {
		return nil, err
	}
	grid, err := s.grid(run)
	if err != nil {
		return nil, err
	}
	return run.path(grid, s.Progress)
}

// path solves for every lambda of a descending grid.
func (r *elasticRun) path(grid []float64, progress func(done, total float64) error) (*ElasticNetPath, error) {
	if err := r.checkUnpenalised(grid[len(grid)-1]); err != nil {
		return nil, err
	}
	if err := r.checkSizes(grid[0]); err != nil {
		return nil, err
	}
	path := &ElasticNetPath{elasticNetPathState{
		L: r.data.l, N: r.data.N, L1: r.pen.l1, L2: r.pen.l2,
		Null: r.data.Squares(r.solver.Null()), Max: r.lambdaMax(), Factor: r.factor,
	}}
	var failed error
	for k, lambda := range grid {
		point, err := r.solve(lambda)
		path.s.Points = append(path.s.Points, point)
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

// check looks at what does not depend on the data.
func (s *PathSettings) check() error {
	if s.Count < 0 || s.Count == 1 {
		return fmt.Errorf("%w: Count = %d; a path has at least 2 lambdas", ErrSetting, s.Count)
	}
	if !(s.Ratio >= 0 && s.Ratio < 1) {
		return fmt.Errorf("%w: Ratio = %v; it is between 0 and 1", ErrSetting, s.Ratio)
	}
	if s.Lambda == nil {
		return nil
	}
	return checkGrid(s.Lambda)
}

// checkGrid refuses a grid that is empty or not sorted.
func checkGrid(grid []float64) error {
	if len(grid) == 0 {
		return fmt.Errorf("%w: the grid of lambdas is empty; nil asks for the default", ErrSetting)
	}
	for k, l := range grid {
		if err := checkLambda(fmt.Sprintf("Lambda[%d]", k), l); err != nil {
			return err
		}
		if k > 0 && (l == grid[k-1] || (l > grid[k-1]) != (grid[1] > grid[0])) {
			return fmt.Errorf("%w: Lambda[%d] = %v after %v; a grid is strictly ascending or descending", ErrSetting, k, l, grid[k-1])
		}
	}
	return nil
}

// grid returns the grid in descending order.
func (s *PathSettings) grid(r *elasticRun) ([]float64, error) {
	if s.Lambda != nil {
		return descending(s.Lambda), nil
	}
	from := r.lambdaMax()
	if from == 0 {
		return nil, fmt.Errorf("%w: response %q does not vary with any penalised term, so that no lambda is the smallest; give Lambda",
			ErrConstant, r.data.l.Response)
	}
	count, ratio := s.Count, s.Ratio
	if count == 0 {
		count = 100
	}
	if ratio == 0 {
		ratio = 1e-4
		if len(r.factor) > r.data.N {
			ratio = 0.01
		}
	}
	return geometric(from, ratio, count), nil
}

// descending returns a sorted grid in descending order.
func descending(grid []float64) []float64 {
	grid = slices.Clone(grid)
	if grid[0] < grid[len(grid)-1] {
		slices.Reverse(grid)
	}
	return grid
}

// geometric returns count numbers in constant proportion, from the first to
// ratio times it.
func geometric(from, ratio float64, count int) []float64 {
	grid := make([]float64, count)
	for k := range grid {
		grid[k] = from * math.Pow(ratio, float64(k)/float64(count-1))
	}
	return grid
}

// Len returns the number of lambdas.
func (p *ElasticNetPath) Len() int { return len(p.s.Points) }

// NObs returns the number of observations.
func (p *ElasticNetPath) NObs() int { return p.s.N }

// Terms returns the p names of the terms; the intercept is not one.
func (p *ElasticNetPath) Terms() []string { return slices.Clone(p.s.L.Names) }

// Response returns the name of the response.
func (p *ElasticNetPath) Response() string { return p.s.L.Response }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (p *ElasticNetPath) Scaling() *Scaling { return p.s.L.Scaling.clone() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (p *ElasticNetPath) Coding() *Coding { return p.s.L.Coding }

// Share returns the part of L1 in lambda, 1 for the lasso.
func (p *ElasticNetPath) Share() float64 { return p.s.L1 }

// LambdaMax returns the smallest lambda for which every penalised slope is zero.
func (p *ElasticNetPath) LambdaMax() float64 { return p.s.Max }

// NullRSS returns the residual sum of squares of the null model.
func (p *ElasticNetPath) NullRSS() float64 { return p.s.Null }

// each collects a number of every point.
func (p *ElasticNetPath) each(of func(*elasticPoint) float64) []float64 {
	out := make([]float64, len(p.s.Points))
	for k, point := range p.s.Points {
		out[k] = of(point)
	}
	return out
}

// Lambda returns the grid, descending.
func (p *ElasticNetPath) Lambda() []float64 {
	return p.each(func(q *elasticPoint) float64 { return q.Lambda })
}

// Intercept returns the intercept at every lambda.
func (p *ElasticNetPath) Intercept() []float64 {
	return p.each(func(q *elasticPoint) float64 { return q.Intercept })
}

// RSS returns the residual sum of squares at every lambda.
func (p *ElasticNetPath) RSS() []float64 {
	return p.each(func(q *elasticPoint) float64 { return q.RSS })
}

// R2 returns 1 - RSS/NullRSS at every lambda, glmnet's deviance ratio.
func (p *ElasticNetPath) R2() []float64 {
	return p.each(func(q *elasticPoint) float64 { return 1 - q.RSS/p.s.Null })
}

// Objective returns RSS plus penalty at every lambda.
func (p *ElasticNetPath) Objective() []float64 {
	return p.each(func(q *elasticPoint) float64 { return q.Objective })
}

// Gap returns the relative duality gap at every lambda, see ElasticNet.Gap.
func (p *ElasticNetPath) Gap() []float64 {
	return p.each(func(q *elasticPoint) float64 { return q.Gap })
}

// KKT returns the largest violation of the optimality conditions at every lambda,
// see ElasticNet.KKT.
func (p *ElasticNetPath) KKT() []float64 {
	return p.each(func(q *elasticPoint) float64 { return q.KKT })
}

// DoF returns the degrees of freedom at every lambda, see ElasticNet.DoF.
func (p *ElasticNetPath) DoF() []float64 {
	return p.each(func(q *elasticPoint) float64 { return q.DoF })
}

// L1Norm returns sum_j |b_j| at every lambda.
func (p *ElasticNetPath) L1Norm() []float64 {
	return p.each(func(q *elasticPoint) float64 {
		var sum float64
		for _, b := range q.Slopes {
			sum += math.Abs(b)
		}
		return sum
	})
}

// Sweeps returns the number of sweeps at every lambda.
func (p *ElasticNetPath) Sweeps() []int {
	out := make([]int, len(p.s.Points))
	for k, point := range p.s.Points {
		out[k] = point.Sweeps
	}
	return out
}

// Slopes returns the slopes as a matrix: a row for every lambda, a column for
// every term.
func (p *ElasticNetPath) Slopes() *mat.Dense {
	m := mat.NewDense(len(p.s.Points), len(p.s.L.Names), nil)
	for k, point := range p.s.Points {
		for i, j := range point.Terms {
			m.Set(k, j, point.Slopes[i])
		}
	}
	return m
}

// Active returns the terms whose slopes are not zero at the k-th lambda, as
// positions in Terms, and those slopes.
func (p *ElasticNetPath) Active(k int) (terms []int, slopes []float64) {
	return slices.Clone(p.s.Points[k].Terms), slices.Clone(p.s.Points[k].Slopes)
}

// Fit returns the fit at the k-th lambda.
func (p *ElasticNetPath) Fit(k int) *ElasticNet { return p.fit(p.s.Points[k]) }

func (p *ElasticNetPath) fit(point *elasticPoint) *ElasticNet {
	return point.fit(p.s.L, p.s.N, elasticPenalty{p.s.L1, p.s.L2}, p.s.Null)
}

// Predict returns b_0 + x'b for every row of d (rows of the result) and every
// lambda (columns). Errors are those of OLS.Predict.
func (p *ElasticNetPath) Predict(d *Design) (*mat.Dense, error) {
	f := linear{p.s.L}
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	yhat := mat.NewDense(n, len(p.s.Points), nil)
	for i := range n {
		row, to := x.RawRowView(i), yhat.RawRowView(i)
		for k, point := range p.s.Points {
			v := point.Intercept
			for t, j := range point.Terms {
				v += row[j] * point.Slopes[t]
			}
			to[k] = v
		}
	}
	return yhat, nil
}

// Raw returns the same path with coefficients in the raw units of the data; see
// OLS.Raw. Lambda remains that of the design's units.
func (p *ElasticNetPath) Raw() (*ElasticNetPath, error) {
	raw := *p
	raw.s.L.Scaling = nil
	raw.s.Points = make([]*elasticPoint, len(p.s.Points))
	for k, point := range p.s.Points {
		fit, err := p.fit(point).Raw()
		if err != nil {
			return nil, err
		}
		q := *point
		q.Intercept = fit.l.B0
		q.Slopes = make([]float64, len(q.Terms))
		for i, j := range q.Terms {
			q.Slopes[i] = fit.l.B[j]
		}
		raw.s.Points[k] = &q
	}
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (p *ElasticNetPath) GobEncode() ([]byte, error) { return gobEncode(&p.s) }

// GobDecode implements gob.GobDecoder.
func (p *ElasticNetPath) GobDecode(b []byte) error { return gobDecode(b, &p.s) }
