package subsets

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// The bound of a subtree never cuts off a model that is wanted, were it better by
// next to nothing: also of terms that are nearly orthogonal, where the bound is
// sharp.
func TestLookKeepsWhatIsWanted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 1))
	for trial := range 100 {
		d := 4 + rnd.IntN(5)
		p := &Problem{D: d, M: make([]float64, tri(d+1)), Best: 1, Most: d}
		p.M[0] = 1
		for j := 1; j <= d; j++ {
			p.M[tri(j)] = rnd.Float64() / math.Sqrt(float64(d))
			for i := 1; i < j; i++ {
				p.M[tri(j)+i] = 0.1 * rnd.Float64() * float64(trial%3)
			}
			p.M[tri(j)+j] = 1
		}
		all := brute(p)
		roots, err := p.roots()
		if err != nil || len(roots) != 1 {
			t.Fatal(len(roots), err)
		}
		n, w := roots[0], newWalker(p)
		w.setWeights(n)
		for i := range n.m - 1 {
			var kept, free uint64 // in the subtree of the i-th child
			for x, term := range n.terms {
				if x < i {
					kept |= bit(term)
				} else if x > i {
					free |= bit(term)
				}
			}
			best := map[int]float64{} // by size, of models that lack two terms more at least
			for set, q := range all {
				size := bits.OnesCount64(set)
				if set&^(kept|free) != 0 || set&kept != kept || size > n.m-3 {
					continue
				}
				if b, ok := best[size]; !ok || q < b {
					best[size] = q
				}
			}
			for size, q := range best {
				w.ranking = newRanking(p)
				for k := range w.cut {
					w.cut[k] = math.Inf(-1)
				}
				w.cut[size] = q + 1e-9
				w.update()
				if !w.look(n, i) {
					t.Fatalf("trial %d: the subtree of term %d is cut, and has the model of size %d with Q = %g", trial, n.terms[i], size, q)
				}
			}
		}
	}
}

// A walk that has been stopped notes the least bound of a size, in whatever order
// it meets them.
func TestStoppedWalkNotesLeastBound(t *testing.T) {
	p := simulated(3, 30, 6, 3, 1, 0.2)
	p.Most = 6
	roots, err := p.roots()
	if err != nil {
		t.Fatal(err)
	}
	w := newWalker(p)
	w.setWeights(roots[0])
	w.stopped, w.ranking = true, newRanking(p)
	w.look(roots[0], 0)
	noted := slices.Clone(w.open)
	for k, bound := range noted {
		if math.IsInf(bound, 1) {
			continue
		}
		for _, before := range []float64{bound / 2, 2 * bound} {
			w.open[k] = before
			w.look(roots[0], 0)
			if want := math.Min(before, bound); w.open[k] != want {
				t.Errorf("size %d: %g after %g and %g, want %g", k, w.open[k], before, bound, want)
			}
		}
	}
	if math.IsInf(slices.Min(noted), 1) {
		t.Error("nothing is noted")
	}
}
