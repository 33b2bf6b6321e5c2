package rlm

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/quantreg"
)

// The likelihood of Student's t can have several maxima. FitStudent climbs from least squares,
// from least absolute deviations and from planes through rows drawn at random, the best of
// which are found as those of an S-estimate are, and keeps the greatest.

const (
	studentBest  = 40   // planes that are climbed from, of all that are tried, for few rows
	studentRows  = 1e4  // of these planes together
	studentSteps = 2    // steps of EM for each plane
	studentNear  = 1e-4 // violation of the equations at which climbs are told apart
)

// studentSearch is what the climbs found.
type studentSearch struct {
	best      *studentPoint
	maxima    []*studentPoint
	unbounded bool
}

// search climbs from all starts. The climb from least squares must not fail.
func (c *studentRun) search(d *mlreg.Design, least []float64, scale float64) (*studentSearch, error) {
	found := &studentSearch{}
	first, err := c.climb(least, scale, c.s.Tol)
	if err != nil {
		return nil, err
	}
	if first.vanished {
		return nil, fmt.Errorf("%w: so many rows lie on a plane that the likelihood has no bound; set Nu, or fit by Fit", mlreg.ErrNotEstimable)
	}
	found.keep(c, first)
	var starts []sCandidate
	if lad, err := quantreg.FitLAD(d.LessOffset(), nil); err == nil {
		b := c.r.q.FromRaw(lad.Coef())
		starts = append(starts, sCandidate{b, medianAbs(c.r.residuals(b)) / madConstant})
	}
	draws := c.r.draws(least, rand.New(c.s.Source))
	on := c
	if draws.r != c.r {
		on = &studentRun{draws.r, c.s}
	}
	starts = append(starts, on.planes(draws)...)

	// Climbs that arrive at one place on the rows of the search are made once on all rows.
	loose := &studentSearch{}
	for _, start := range starts {
		if p, err := on.climb(start.b, start.scale, studentNear); err == nil {
			loose.keep(on, p)
		}
	}
	for _, start := range loose.maxima {
		// One that creeps to a scale of 0 is no maximum.
		if p, err := c.climb(start.b, start.scale, c.s.Tol); err == nil && p.equation <= c.s.Tol {
			found.keep(c, p)
		}
	}
	found.unbounded = found.unbounded || on == c && loose.unbounded
	// A plane goes through any k rows, along which the likelihood rises if the others are few.
	k, n := float64(c.r.a.Cols), float64(len(c.r.y))
	found.unbounded = found.unbounded || k > cmp.Or(c.s.Nu, leastNu)*(n-k)
	return found, nil
}

// keep adds a point unless it is one found before: one of the same fitted values and scale.
func (s *studentSearch) keep(c *studentRun, p *studentPoint) {
	if p.vanished {
		s.unbounded = true
		return
	}
	e := c.r.residuals(p.b)
	for _, other := range s.maxima {
		far := math.Abs(other.scale - p.scale)
		for i, x := range c.r.residuals(other.b) {
			far = math.Max(far, math.Abs(x-e[i]))
		}
		if far <= 0.01*math.Min(p.scale, other.scale) {
			return
		}
	}
	s.maxima = append(s.maxima, p)
	if s.best == nil || p.logLik > s.best.logLik {
		s.best = p
	}
}

// planes are the candidates of greatest likelihood, after two steps each, of planes through k
// rows drawn at random. Their nu is the one given, or the least, which tells most maxima apart.
func (c *studentRun) planes(draws *planeDraws) []sCandidate {
	type candidate struct {
		sCandidate
		logLik float64
	}
	var best []candidate
	most := min(studentBest, max(5, studentRows/len(c.r.y)))
	nu := cmp.Or(c.s.Nu, leastNu)
	weights := make([]float64, len(c.r.y))
	for range c.s.Subsamples {
		b := draws.plane()
		if b == nil {
			break
		}
		e := c.r.residuals(b)
		at := candidate{sCandidate{b, medianAbs(e) / madConstant}, 0}
		for step := 0; step < studentSteps && at.scale > 1e-13*c.r.size(); step++ {
			studentWeights(weights, e, at.scale, nu)
			next, err := c.r.leastSquares(at.b, weights)
			if err != nil {
				break
			}
			e = c.r.residuals(next)
			at.b, at.scale = next, studentScale(e, weights, nu)
		}
		at.logLik = studentLogLik(e, at.scale, nu)
		if math.IsNaN(at.logLik) {
			continue
		}
		if len(best) == most && at.logLik <= best[most-1].logLik {
			continue
		}
		k, _ := slices.BinarySearchFunc(best, at, func(a, b candidate) int { return cmp.Compare(b.logLik, a.logLik) })
		best = slices.Insert(best, k, at)
		best = best[:min(len(best), most)]
	}
	return format.Each(best, func(at candidate) sCandidate { return at.sCandidate })
}

// Maxima returns how many different maxima of the likelihood the starts reached; the fit is
// at the greatest. More of them may exist.
func (f *Student) Maxima() int { return f.s.Maxima }

// Unbounded tells whether the likelihood is known to have no bound: the scale can go to 0
// through rows that lie on a plane, k of them always, if n - k < k/nu for the least nu allowed.
// The fit is then at the greatest of the maxima found.
func (f *Student) Unbounded() bool { return f.s.Unbounded }

// maximaNote says how many maxima there are.
func (f *Student) maximaNote() string {
	switch {
	case f.s.Unbounded:
		return "the likelihood has no bound where the scale goes to 0 through rows on a plane; the fit is at a maximum"
	case f.s.Maxima > 1:
		return fmt.Sprintf("the likelihood has several maxima, of which %d were found; the fit is at the greatest", f.s.Maxima)
	}
	return ""
}
