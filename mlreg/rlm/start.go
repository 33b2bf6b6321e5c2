package rlm

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"gonum.org/v1/gonum/floats"
)

// The S-estimate that an MM-estimate starts from, by the fast algorithm of
// Salibian-Barrera and Yohai (2006): coefficients through k rows drawn at random, two
// reweightings of each, and full iterations for the best. See planeDraws for the rows.

const (
	sBest    = 5    // subsamples that are iterated to the end
	sRefine  = 2    // reweightings of each subsample
	sLargest = 2000 // rows of a search; of more rows a sample is searched
)

// sLoss is rho(u)/rho(inf) of the bisquare loss.
func sLoss(u float64) float64 {
	if math.Abs(u) >= sConstant {
		return 1
	}
	t := 1 - gram.Square(u/sConstant)
	return 1 - t*t*t
}

// sScale solves sum_i rho(e_i/s)/rho(inf) = (n - k)/2 for s, from a start; it is 0 if half
// of the residuals are.
func (r *robustRows) sScale(e []float64, start float64, most int) float64 {
	want := float64(len(e)-r.a.Cols) / 2
	far := 0
	for _, x := range e {
		if x != 0 {
			far++
		}
	}
	if float64(far) <= want {
		return 0
	}
	s := start
	if s <= 0 {
		s = medianAbs(e) / madConstant
		if s == 0 {
			s = floats.Norm(e, math.Inf(1))
		}
	}
	for range most {
		var sum float64
		for _, x := range e {
			sum += sLoss(x / s)
		}
		next := s * math.Sqrt(sum/want)
		if math.Abs(next-s) <= 1e-14*s || next == 0 {
			return next
		}
		s = next
	}
	return s
}

// sCandidate is a fit with its scale.
type sCandidate struct {
	b     []float64
	scale float64
}

// refine reweights a candidate.
func (r *robustRows) refine(c sCandidate, steps int) sCandidate {
	weights := make([]float64, len(r.y))
	psi := Psi{BisquarePsi, sConstant}
	e := r.residuals(c.b)
	for range steps {
		c.scale = r.sScale(e, c.scale, 1)
		if c.scale <= 1e-14*r.size() {
			return c
		}
		for i, x := range e {
			weights[i] = psi.Weight(x / c.scale)
		}
		next, err := r.leastSquares(c.b, weights)
		if err != nil {
			return c
		}
		var change, size float64
		for j := range next {
			change, size = math.Max(change, math.Abs(next[j]-c.b[j])), math.Max(size, math.Abs(next[j]))
		}
		c.b, e = next, r.residuals(next)
		if change <= 1e-13*size {
			break
		}
	}
	return c
}

// take are some of the rows.
func (r *robustRows) take(rows []int) *robustRows {
	out := &robustRows{q: r.q, d: r.d, a: r.a, y: make([]float64, len(rows))}
	out.a.Rows, out.a.Stride, out.a.Data = len(rows), max(r.a.Cols, 1), make([]float64, len(rows)*max(r.a.Cols, 1))
	for s, i := range rows {
		copy(out.row(s), r.row(i))
		out.y[s] = r.y[i]
	}
	return out
}

// sEstimate returns the S-estimate and its scale; least squares is among the candidates.
func (r *robustRows) sEstimate(least []float64, s *Settings) ([]float64, float64, error) {
	draws := r.draws(least, rand.New(s.Source))
	search := draws.r
	best := []sCandidate{}
	keep := func(from *robustRows, c sCandidate) {
		c.scale = from.sScale(from.residuals(c.b), c.scale, 200)
		best = append(best, c)
		slices.SortStableFunc(best, func(a, b sCandidate) int {
			return cmp.Compare(a.scale, b.scale)
		})
		best = best[:min(len(best), sBest)]
	}
	keep(search, search.refine(sCandidate{b: least}, sRefine))
	for range s.Subsamples {
		if b := draws.plane(); b != nil {
			c := search.refine(sCandidate{b: b}, sRefine)
			// A candidate that is no better on its scale need not be solved for its own.
			if worst := best[len(best)-1].scale; len(best) == sBest && search.isWorse(c.b, worst) {
				continue
			}
			keep(search, c)
		}
	}
	final := sCandidate{scale: math.Inf(1)}
	for _, c := range best {
		c = r.refine(c, 500)
		if c.scale = r.sScale(r.residuals(c.b), c.scale, 5000); c.scale < final.scale {
			final = c
		}
	}
	if final.b == nil {
		return nil, 0, fmt.Errorf("%w: no subsample of %d rows determines the coefficients", mlreg.ErrNotEstimable, r.a.Cols)
	}
	return final.b, final.scale, nil
}

// isWorse tells whether the S-scale of coefficients is above the one given.
func (r *robustRows) isWorse(b []float64, scale float64) bool {
	if scale == 0 {
		return true
	}
	var sum float64
	for _, x := range r.residuals(b) {
		sum += sLoss(x / scale)
	}
	return sum >= float64(len(r.y)-r.a.Cols)/2
}
