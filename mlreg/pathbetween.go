package mlreg

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// At returns the fit at any lambda within the grid, and above LambdaMax the null
// model's: between two lambdas of the grid coefficients are interpolated
// linearly, which is exact for the lasso if no term enters or leaves between
// them. What is interpolated has no certificate: its RSS, R2, Objective, Gap, KKT
// and DoF are NaN. The error says if lambda
// is below the grid.
func (p *ElasticNetPath) At(lambda float64) (*ElasticNet, error) {
	point, err := p.at(lambda)
	if err != nil {
		return nil, err
	}
	return p.fit(point), nil
}

func (p *ElasticNetPath) at(lambda float64) (*elasticPoint, error) {
	points := p.s.Points
	if err := checkLambda("lambda", lambda); err != nil {
		return nil, err
	}
	k := sort.Search(len(points), func(k int) bool { return points[k].Lambda <= lambda })
	switch {
	case k == len(points):
		return nil, fmt.Errorf("%w: lambda = %g is below the path, which ends at %g", ErrSetting, lambda, points[k-1].Lambda)
	case points[k].Lambda == lambda:
		return points[k], nil
	case k == 0 && points[0].Lambda >= p.s.Max*(1-1e-12):
		first := *points[0]
		first.Lambda = lambda
		return &first, nil
	case k == 0:
		return nil, fmt.Errorf("%w: lambda = %g is above the path, which begins at %g", ErrSetting, lambda, points[0].Lambda)
	}
	return between(points[k-1], points[k], lambda), nil
}

// between interpolates.
func between(a, b *elasticPoint, lambda float64) *elasticPoint {
	t := (a.Lambda - lambda) / (a.Lambda - b.Lambda)
	mix := func(x, y float64) float64 { return (1-t)*x + t*y }
	q := &elasticPoint{
		Lambda: lambda, Intercept: mix(a.Intercept, b.Intercept),
		RSS: math.NaN(), Objective: math.NaN(), Gap: math.NaN(), KKT: math.NaN(), DoF: math.NaN(),
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
// the fit at lambda is also the one of least RSS among all with a penalty of nu
// at most. For the lasso nu is the L1 norm. Errors are those of At.
func (p *ElasticNetPath) Constraint(lambda float64) (nu float64, err error) {
	point, err := p.at(lambda)
	if err != nil {
		return 0, err
	}
	return p.penalty(point), nil
}

func (p *ElasticNetPath) penalty(point *elasticPoint) float64 {
	var nu float64
	for i, j := range point.Terms {
		b := point.Slopes[i]
		nu += p.s.Factor[j] * (p.s.L1*math.Abs(b) + p.s.L2*b*b)
	}
	return nu
}

// Penalty is the inverse of Constraint: the largest lambda whose fit has the
// penalty nu, which does not grow with lambda. The error says if nu is not
// between those of the ends of the path.
func (p *ElasticNetPath) Penalty(nu float64) (lambda float64, err error) {
	points := p.s.Points
	first, last := p.penalty(points[0]), p.penalty(points[len(points)-1])
	if !(nu >= first && nu <= last) {
		return 0, fmt.Errorf("%w: nu = %v is not between %g and %g, the ends of the path", ErrSetting, nu, first, last)
	}
	k := sort.Search(len(points), func(k int) bool { return p.penalty(points[k]) >= nu })
	if k == 0 || p.penalty(points[k]) == nu {
		return points[k].Lambda, nil
	}
	high, low := points[k-1].Lambda, points[k].Lambda
	for {
		mid := (high + low) / 2
		if mid <= low || mid >= high {
			return high, nil
		}
		if p.penalty(between(points[k-1], points[k], mid)) <= nu {
			high = mid
		} else {
			low = mid
		}
	}
}
