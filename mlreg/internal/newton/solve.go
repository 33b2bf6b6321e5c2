package newton

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Settings say when Solve ends.
type Settings struct {
	Tol  float64 // the decrement to stop at
	Most int     // iterations
	// Linear says that the curvatures are not the second derivatives, so that the
	// decrement falls by a factor and not quadratically: one that hardly falls is no
	// sign yet of what rounding lets it be.
	Linear bool
	// Steep is the most by which the curvature of a loss exceeds its slope where it falls for
	// ever; 0 is 1, as of logits and of the logarithms of counts. See Point.settles.
	Steep float64
	// Doubt is called once if the iteration looks as if there were no minimum; its
	// error ends it. Nil trusts that there is one.
	Doubt func() error
}

// stalling returns below which decrement, and from which share of the one before it, a
// decrement that hardly falls is as small as rounding lets it be.
func (s Settings) stalling() (least, share float64) {
	if s.Linear {
		return 1e-8, 0.99
	}
	return 1e-6, 0.5
}

// Solution is a minimum of f, or the best point found.
type Solution struct {
	Point      *Point
	Hessian    *Hessian
	Decrement  float64 // sqrt(g'H^-1 g) at the point
	Iterations int
	Converged  bool
}

// run is the state of Solve.
type run struct {
	*Problem
	Settings
	s        *Solution
	h        *Hessian // nil if one is to be made
	fresh    bool     // h is of the point
	bounding bool     // h is the bound
	asked    bool     // Doubt was called
	last     float64  // decrement of the step before
}

// Solve minimizes f from the start by Newton's method with a line search, until
// the decrement is Tol or as small as rounding lets it be. An older Hessian, such
// as an approximate one to start with, serves as long as it takes the decrement
// down fast. Where H is singular to working precision, the step is that of the
// Datafit's bound of the curvatures, which for classes never overshoots (Böhning
// and Lindsay 1988). Errors are ErrNotFinite, that of Doubt, and ErrSingular beside
// the Hessian.
func (q *Problem) Solve(start []float64, approximate *Hessian, settings Settings) (*Solution, error) {
	pt := q.At(start)
	if !finite(pt.F) {
		return nil, ErrNotFinite
	}
	r := &run{Problem: q, Settings: settings, s: &Solution{}, h: approximate, last: math.Inf(1)}
	for {
		if err := r.prepare(pt); err == ErrSingular {
			return r.s, err
		} else if err != nil {
			return nil, err
		}
		s := r.s
		rounding := math.Min(q.roundingOf(pt, r.h), 1e-8)
		least, stalls := r.stalling()
		small := s.Decrement <= math.Max(r.Tol, rounding) || (s.Decrement < least && s.Decrement > stalls*r.last)
		switch {
		case small && r.fresh:
			s.Converged = !r.bounding
			if !pt.settles(s.Decrement, r.Steep) {
				return s, r.doubt()
			}
			return s, nil
		case !r.fresh && (small || !worthKeeping(s.Decrement/r.last, s.Decrement, r.Tol)):
			r.h = nil
			continue
		case s.Iterations == r.Most:
			return s, nil
		}
		next := q.search(pt, r.h, r.bounding)
		switch {
		case next != nil:
			pt = next
			r.stepped()
		case !r.fresh:
			r.h = nil
		case s.Decrement < 1e-6 || r.bounding: // no descent that working precision can tell
			s.Converged = !r.bounding
			return s, nil
		default: // the Hessian is next to singular
			if err := r.bound(); err != nil {
				return nil, err
			}
		}
	}
}

// prepare makes the Hessian of the point, unless an older one is there, and the
// decrement.
func (r *run) prepare(pt *Point) (err error) {
	if r.h == nil {
		if r.h, err = r.hessian(pt.Curvature); err != nil {
			return err
		}
		r.fresh, r.bounding = true, false
	}
	singular := !r.h.Complete()
	if singular {
		if err := r.bound(); err != nil {
			return err
		}
		if !r.h.Complete() {
			r.s.Point, r.s.Hessian = pt, r.h
			return ErrSingular
		}
	}
	if singular || pt.Sums.Least < 1e-12 || r.s.Iterations == 15 {
		if err := r.doubt(); err != nil {
			return err
		}
	}
	r.s.Point, r.s.Hessian, r.s.Decrement = pt, r.h, r.h.Decrement(pt.Score)
	if !finite(r.s.Decrement) {
		return ErrNotFinite
	}
	return nil
}

// doubt calls Doubt, once.
func (r *run) doubt() error {
	if r.asked || r.Doubt == nil {
		return nil
	}
	r.asked = true
	return r.Doubt()
}

// bound takes the Hessian of the bound of the curvatures.
func (r *run) bound() (err error) {
	r.h, err = r.Bounding()
	r.bounding = true
	return err
}

// Bounding returns the Hessian of the bound of the curvatures.
func (q *Problem) Bounding() (*Hessian, error) {
	c := make([]float64, q.X.Rows)
	q.Fit.Bound(c)
	return q.hessian(c)
}

// stepped counts a step, and drops the Hessian if a new one costs no more than a
// pass or two.
func (r *run) stepped() {
	r.s.Iterations++
	r.last, r.fresh = r.s.Decrement, false
	if r.bounding || r.work() < 1e7 {
		r.h = nil
	}
}

func finite(v float64) bool { return v-v == 0 }

// settles tells whether a decrement so small shows that f has a minimum, without
// a penalty, for losses whose curvature is at most steep times their slope where
// they fall for ever. For a direction d along which f falls for ever, with M the
// largest |a_i'd|, the slope g'd is d'Hd/(steep M) at least, and d'Hd is M^2 times
// the least curvature c_i at least, so that everywhere
//
//	decrement^2 >= (g'd)^2/d'Hd >= d'Hd/(steep M)^2 >= min_i c_i/steep^2.
func (pt *Point) settles(decrement, steep float64) bool {
	least := math.Inf(1)
	for _, c := range pt.Curvature {
		if c > 0 {
			least = math.Min(least, c)
		}
	}
	return square(decrement*max(steep, 1)) < least/100
}

// worthKeeping tells whether an older Hessian, which takes the decrement down by
// the factor rate, gets to tol in few enough passes. It gets a first try.
func worthKeeping(rate, decrement, tol float64) bool {
	return rate == 0 || rate < 0.5 && math.Log(tol/decrement)/math.Log(rate) < 4
}

// overshoots tells, of a step whose gain is lost in the noise of f, whether it goes so far
// past the minimum along it that the slope there is no smaller. Steps of Fisher's scoring do
// where second derivatives are more than twice the expected ones.
func overshoots(next *Point, step []float64, slope, noise float64) bool {
	return slope < 10*noise && blas64.Dot(gram.Vector(step), gram.Vector(next.Score)) < -0.9*slope
}

// search returns a point along the Newton step with f low enough, nil if there
// is none that working precision can tell. A short step is made longer as long as
// f falls.
func (q *Problem) search(pt *Point, h *Hessian, short bool) *Point {
	step := h.step(pt.Score)
	slope := blas64.Dot(gram.Vector(step), gram.Vector(pt.Score))
	noise := q.lossRounding(pt, h)
	to := func(t float64) *Point {
		beta := slices.Clone(pt.Beta)
		blas64.Axpy(t, gram.Vector(step), gram.Vector(beta))
		return q.At(beta)
	}
	for t := 1.0; t > 1e-10; t /= 2 {
		next := to(t)
		if !(next.F <= pt.F-1e-4*t*slope+noise) || overshoots(next, step, slope, noise) {
			continue
		}
		for short && t < 1e10 {
			t *= 2
			longer := to(t)
			if !(longer.F < next.F) {
				break
			}
			next = longer
		}
		return next
	}
	return nil
}
