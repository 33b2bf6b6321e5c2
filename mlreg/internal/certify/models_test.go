package certify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The models listed are the best there are, though hardly any node was looked at and nothing drawn, with rules and without.
func TestBestModels(t *testing.T) {
	right, all := 0, 0
	for i, c := range coverageDesigns {
		for _, needs := range []bool{false, true} {
			c.seed = uint64(500 + i)
			p := c.problem()
			if needs {
				p = c.needy(true)
			}
			want := sumAll(p)
			logs := slices.Clone(want.logs)
			slices.Sort(logs)
			r := get(Run(p, rand.NewPCG(1, 2), Settings{Nodes: 3, Draws: 2, leaf: 1, Best: 5}))(t)
			if len(r.Best) != 5 {
				t.Fatalf("%+v: %d models", c, len(r.Best))
			}
			for k, m := range r.Best {
				subset := 0
				for _, u := range m.Units {
					subset |= 1 << u
				}
				if !p.allowsPlainly(subset) || math.Abs(m.LogWeight-want.logs[subset]) > 1e-9 {
					t.Errorf("%+v: %v has the log weight %v, want %v", c, m.Units, m.LogWeight, want.logs[subset])
				}
				if all++; math.Abs(m.LogWeight-logs[len(logs)-1-k]) < 1e-9 {
					right++
				}
			}
			again := get(Run(p, rand.NewPCG(1, 2), Settings{Nodes: 3, Draws: 2, leaf: 1, Best: 5}))(t)
			for k, m := range again.Best {
				if !slices.Equal(m.Units, r.Best[k].Units) || m.LogWeight != r.Best[k].LogWeight {
					t.Errorf("%+v: %v and %v", c, m, r.Best[k])
				}
			}
		}
	}
	if right < all*8/10 {
		t.Errorf("%d of %d are the best", right, all)
	}
}
