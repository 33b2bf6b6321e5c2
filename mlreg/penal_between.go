package mlreg

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// At returns the fit at any lambda. Ridge regression is exact everywhere. For the
// others lambda is within the grid, or above LambdaMax, where the fit is the null
// model's: between two lambdas of the grid coefficients are interpolated linearly,
// which is exact for the lasso of a Gaussian response if no term enters or leaves
// between them. What is interpolated has no certificate: its loss, Objective, Gap,
// KKT and DoF are NaN.
//
// Errors: ErrSetting if lambda is outside of the grid, and for a relaxed lasso if it is
// not on it; for ridge regression
// ErrRankDeficient (lambda = 0), and ErrNoData for a path of so many rows and terms
// that it keeps slopes on its grid only.
func (p *Path[F]) At(lambda float64) (fit F, err error) {
	point, err := p.s.at(lambda)
	if err != nil {
		return fit, err
	}
	return p.fit(point), nil
}

func (s *pathState) at(lambda float64) (*pathPoint, error) {
	points := s.Points
	if err := checkLambda("lambda", lambda); err != nil {
		return nil, err
	}
	k := sort.Search(len(points), func(k int) bool { return points[k].Lambda <= lambda })
	switch {
	case k < len(points) && points[k].Lambda == lambda:
		return points[k], nil
	case s.Relaxed:
		return nil, fmt.Errorf("%w: lambda = %g is not on the grid of the path, and a relaxed lasso is not interpolated; see FitRelaxedLasso", ErrSetting, lambda)
	case s.Ridge != nil:
		return s.Ridge.at(s, lambda)
	case k == len(points):
		return nil, fmt.Errorf("%w: lambda = %g is below the path, which ends at %g", ErrSetting, lambda, points[k-1].Lambda)
	case k == 0 && points[0].Lambda >= s.Max*(1-1e-12):
		first := *points[0]
		first.Lambda = lambda
		return &first, nil
	case k == 0:
		return nil, fmt.Errorf("%w: lambda = %g is above the path, which begins at %g", ErrSetting, lambda, points[0].Lambda)
	}
	return between(points[k-1], points[k], lambda), nil
}

// between interpolates.
func between(a, b *pathPoint, lambda float64) *pathPoint {
	t := (a.Lambda - lambda) / (a.Lambda - b.Lambda)
	mix := func(x, y float64) float64 { return (1-t)*x + t*y }
	q := &pathPoint{
		Lambda: lambda, Intercept: mix(a.Intercept, b.Intercept),
		Loss: math.NaN(), Objective: math.NaN(), Gap: math.NaN(), KKT: math.NaN(), DoF: math.NaN(),
	}
	for k, v := range a.Intercepts {
		q.Intercepts = append(q.Intercepts, mix(v, b.Intercepts[k]))
	}
	slopes := make(map[int]float64)
	for i, j := range a.Terms {
		slopes[j] = (1 - t) * a.Slopes[i]
	}
	for i, j := range b.Terms {
		slopes[j] += t * b.Slopes[i]
	}
	for j, v := range slopes {
		if v != 0 {
			q.Terms = append(q.Terms, j)
		}
	}
	slices.Sort(q.Terms)
	for _, j := range q.Terms {
		q.Slopes = append(q.Slopes, slopes[j])
	}
	return q
}

// Constraint returns nu = sum_j f_j (share |b_j| + (1 - share) b_j^2) at lambda:
// the fit at lambda is also the one of least loss among all with a penalty of nu at
// most. For the lasso nu is the L1 norm, for ridge regression the sum of squares, and
// with groups the sum over them, see PathSettings. Errors are those of At; a relaxed
// lasso, which no constraint defines, has none (ErrSetting).
func (p *Path[F]) Constraint(lambda float64) (nu float64, err error) { return p.s.constraint(lambda) }

func (s *pathState) constraint(lambda float64) (nu float64, err error) {
	if s.Ridge != nil {
		return s.Ridge.constraint(lambda)
	}
	if s.Relaxed {
		return 0, fmt.Errorf("%w: a relaxed lasso is not the fit of least loss within a constraint", ErrSetting)
	}
	point, err := s.at(lambda)
	if err != nil {
		return 0, err
	}
	by := problem.Penalty{Factor: s.Factor, Groups: s.GroupOf}
	return by.Value(point.Terms, point.Slopes, s.L1, s.L2), nil
}

// Penalty is the inverse of Constraint, to the last digits: the largest lambda
// within the grid whose fit has the penalty nu, which does not grow with lambda. The
// error says if nu is not between those of the ends of the path.
func (p *Path[F]) Penalty(nu float64) (lambda float64, err error) {
	points := p.s.Points
	at := func(lambda float64) float64 {
		v, failed := p.s.constraint(lambda)
		if failed != nil {
			err = failed
		}
		return v
	}
	first, last := at(points[0].Lambda), at(points[len(points)-1].Lambda)
	if err == nil && !(nu >= first && nu <= last) {
		err = fmt.Errorf("%w: nu = %v is not between %g and %g, the ends of the path", ErrSetting, nu, first, last)
	}
	if err != nil {
		return 0, err
	}
	k := sort.Search(len(points), func(k int) bool { return at(points[k].Lambda) >= nu })
	if k == 0 || at(points[k].Lambda) == nu {
		return points[k].Lambda, err
	}
	high, low := points[k-1].Lambda, points[k].Lambda
	for {
		mid := (high + low) / 2
		if mid <= low || mid >= high {
			return high, err
		}
		if at(mid) <= nu {
			high = mid
		} else {
			low = mid
		}
	}
}
