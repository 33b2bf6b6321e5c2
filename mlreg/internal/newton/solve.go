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

// evaluator is f with its derivatives: of rows that are there (Problem), or of blocks of
// rows, by a pass for every point (Passes).
type evaluator interface {
	at(beta []float64) (*Point, error)     // ErrNotFinite where f is not finite
	hessianAt(pt *Point) (*Hessian, error) // asked once for every point
	Bounding() (*Hessian, error)           // of the bound of the curvatures; nil if there is none
}

// run is the state of Newton's iteration.
type run struct {
	of evaluator
	*Problem
	Settings
	shortest float64 // step that is tried
	anew     bool    // a Hessian for every step, since that costs no more than a pass or two

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
	r := &run{of: q, Problem: q, Settings: settings, shortest: 1e-10, anew: q.work() < 1e7, h: approximate}
	return r.solve(start)
}

// solve minimizes f from the start.
func (r *run) solve(start []float64) (*Solution, error) {
	pt, err := r.of.at(start)
	if err != nil {
		return nil, err
	}
	r.s, r.last = &Solution{}, math.Inf(1)
	for {
		if err := r.prepare(pt); err == ErrSingular {
			return r.s, err
		} else if err != nil {
			return nil, err
		}
		s := r.s
		small := r.small(pt)
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
		next, err := r.search(pt)
		switch {
		case err != nil:
			return nil, err
		case next != nil:
			pt = next
			r.stepped()
		case !r.fresh:
			r.h = nil
		case s.Decrement < 1e-6 || r.bounding: // no descent that working precision can tell
			s.Converged = !r.bounding
			return s, nil
		default: // the Hessian is next to singular
			if found, err := r.bound(); err != nil {
				return nil, err
			} else if !found {
				return s, nil
			}
		}
	}
}

// small tells whether the decrement is Tol, or as small as rounding lets it be.
func (r *run) small(pt *Point) bool {
	rounding := math.Min(r.roundingOf(pt, r.h), 1e-8)
	least, stalls := r.stalling()
	d := r.s.Decrement
	return d <= math.Max(r.Tol, rounding) || d < least && d > stalls*r.last
}

// prepare makes the Hessian of the point, unless an older one is there, and the
// decrement.
func (r *run) prepare(pt *Point) (err error) {
	if r.h == nil {
		if r.h, err = r.of.hessianAt(pt); err != nil {
			return err
		}
		r.fresh, r.bounding = true, false
	}
	singular := !r.h.Complete()
	if singular {
		found, err := r.bound()
		if err == nil && !found {
			err = r.doubt()
		}
		if err != nil {
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

// bound takes the Hessian of the bound of the curvatures, if there is one.
func (r *run) bound() (found bool, err error) {
	h, err := r.of.Bounding()
	if h == nil || err != nil {
		return false, err
	}
	r.h, r.bounding = h, true
	return true, nil
}

// Bounding returns the Hessian of the bound of the curvatures.
func (q *Problem) Bounding() (*Hessian, error) {
	c := make([]float64, q.X.Rows)
	q.Fit.Bound(c)
	return q.hessian(c)
}

// stepped counts a step, and drops the Hessian if a new one is cheap.
func (r *run) stepped() {
	r.s.Iterations++
	r.last, r.fresh = r.s.Decrement, false
	if r.bounding || r.anew {
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
// is none that working precision can tell. A step by the bound, which is short, is made
// longer as long as f falls.
func (r *run) search(pt *Point) (*Point, error) {
	step := r.h.step(pt.Score)
	slope := blas64.Dot(gram.Vector(step), gram.Vector(pt.Score))
	noise := r.lossRounding(pt, r.h)
	to := func(t float64) (*Point, error) {
		beta := slices.Clone(pt.Beta)
		blas64.Axpy(t, gram.Vector(step), gram.Vector(beta))
		return r.of.at(beta)
	}
	for t := 1.0; t > r.shortest; t /= 2 {
		next, err := to(t)
		if err == ErrNotFinite {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !(next.F <= pt.F-1e-4*t*slope+noise) || overshoots(next, step, slope, noise) {
			continue
		}
		for r.bounding && t < 1e10 {
			t *= 2
			longer, err := to(t)
			if err != nil || !(longer.F < next.F) {
				break
			}
			next = longer
		}
		return next, nil
	}
	return nil, nil
}
