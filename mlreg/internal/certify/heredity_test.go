package certify

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// needy gives the last units needs: two of the first four each, and one of them a unit that has needs itself.
func (c design) needy(one bool) *Problem {
	p := c.problem()
	units := p.unitCount()
	p.One, p.Needs = one, make([][]int, units)
	for k := 4; k < units; k++ {
		p.Needs[k] = []int{k % 4, (k + 1 + k/4) % 4}
	}
	p.Needs[units-1] = []int{4, 1}
	return p
}

// Sums are those of the allowed subsets alone, for every score and both rules, by draws, leaves, and bounds; what is drawn and found is allowed.
func TestHeredity(t *testing.T) {
	acceptance := 0.0
	for i, c := range coverageDesigns {
		for _, one := range []bool{false, true} {
			c.seed = uint64(400 + i)
			p := c.needy(one)
			want := sumAll(p)
			pairs, means := averagesOf(p, want)
			for _, set := range []Settings{
				{Nodes: 100, Draws: 100000, leaf: 2, Average: true, Posterior: 50, Best: 5},
				{Average: true, Posterior: 50, Best: 5},
			} {
				r := get(Run(p, rand.NewPCG(1, 2), set))(t)
				holds(t, "heredity", r, want)
				for k, in := range r.Pairs {
					if !(in.Lower <= pairs[k] && pairs[k] <= in.Upper) {
						t.Errorf("%+v, %v: pair %d is %v, not in %v", c, one, k, pairs[k], in)
					}
				}
				for j, in := range r.Coefficients {
					if !(in.Lower <= means[j] && means[j] <= in.Upper) {
						t.Errorf("%+v, %v: coefficient %d is %v, not in %v", c, one, j, means[j], in)
					}
				}
				if r.Inclusion[4].Width() > 0.2 || math.IsInf(r.CertainNormalizer.Lower, -1) {
					t.Errorf("%+v, %v: %v, %v", c, one, r.Inclusion[4], r.CertainNormalizer)
				}
				if len(r.Posterior) != 50 || len(r.Best) != 5 {
					t.Errorf("%+v: %d draws, %d best", c, len(r.Posterior), len(r.Best))
				}
				for _, m := range r.Best {
					r.Posterior = append(r.Posterior, m.Units)
				}
				for _, units := range r.Posterior {
					subset := 0
					for _, k := range units {
						subset |= 1 << k
					}
					if !p.allowsPlainly(subset) {
						t.Errorf("%+v, %v: %v is not allowed", c, one, units)
					}
				}
				if r.Status == Sampled {
					acceptance += r.Acceptance / 12
				}
			}
		}
	}
	if acceptance < 0.02 {
		t.Errorf("%v accepted", acceptance)
	}
}

func TestBadNeeds(t *testing.T) {
	p := coverageDesigns[0].needy(false)
	for name, change := range map[string]func(){
		"none":   func() { p.Needs[5] = []int{10} },
		"short":  func() { p.Needs = p.Needs[:4] },
		"circle": func() { p.Needs = make([][]int, 10); p.Needs[3], p.Needs[4] = []int{4}, []int{3} },
		"itself": func() { p.Needs[3], p.Needs[4] = []int{3}, nil },
	} {
		p = coverageDesigns[0].needy(false)
		change()
		if _, err := Run(p, rand.NewPCG(1, 2), Settings{}); !errors.Is(err, ErrProblem) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
