package certify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// holds fails if an interval of r does not contain the truth.
func holds(t *testing.T, name string, r *Result, want *truth) {
	t.Helper()
	in := func(what string, i Interval, v float64) {
		t.Helper()
		if !(i.Lower <= v && v <= i.Upper) {
			t.Errorf("%s: %s %.15g is not in [%.15g, %.15g]", name, what, v, i.Lower, i.Upper)
		}
	}
	in("log sum", r.Normalizer, want.logZ)
	in("log sum", r.CertainNormalizer, want.logZ)
	for k, p := range want.inclusion {
		in(fmt.Sprint("inclusion of ", k), r.Inclusion[k], p)
		in(fmt.Sprint("inclusion of ", k), r.CertainInclusion[k], p)
	}
}

var scores, priors = []string{"g", "bic", "known", "slab", "slab known"}, []string{"half", "sizes", "own"}

// Intervals against sums over all subsets, for every score and prior.
func TestIntervalsHoldTheSumOverAllSubsets(t *testing.T) {
	for i, score := range scores {
		for j, prior := range priors {
			for _, n := range []int{20, 60} {
				c := design{n: n, d: 13, neighbors: []float64{0.2, 0.6, 0.9}[(i+j)%3], score: score, prior: prior, seed: uint64(10*i + j + n)}
				p := c.problem()
				want := sumAll(p)
				for _, nodes := range []int{1, 60} {
					r := get(Run(p, rand.NewPCG(1, 2), Settings{Nodes: nodes, Draws: 20000}))(t)
					name := fmt.Sprintf("%+v nodes %d", c, nodes)
					holds(t, name, r, want)
					t.Logf("%s: status %v width log sum %.3g (certain %.3g), acceptance %.3g exact %.3g largest %.9f rounding %.2g comps %d", name, r.Status, r.Normalizer.Width(), r.CertainNormalizer.Width(), r.Acceptance, r.Exact, r.Largest, r.Rounding, r.Components)
				}
			}
		}
	}
}

var _ = math.Pi
