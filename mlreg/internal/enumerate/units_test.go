package enumerate

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"testing"
)

// unitsOf divides 9 rows into 6 units; the fifth needs the first two, the last the
// fifth.
func unitsOf(one bool) *Units {
	u := &Units{
		Rows:  [][]int{{1}, {2, 4, 5}, {3}, {6}, {7, 9}, {8}},
		Needs: []uint32{0, 0, 0, 0, 0b11, 0b10000}, One: one,
		Sets: []uint32{0b11, 0b101000},
	}
	for k := range len(u.Rows) + 1 {
		u.Prior = append(u.Prior, -0.7*float64(k*k))
	}
	return u
}

// TestRunUnits holds the sums to those over all subsets, each solved by itself.
func TestRunUnits(t *testing.T) {
	for _, kind := range []string{"power", "rate", "slab"} {
		for _, one := range []bool{false, true} {
			p, u := random(3, 40, 9, kind), unitsOf(one)
			t.Run(fmt.Sprint(kind, one), func(t *testing.T) { checkUnits(t, p, u) })
		}
	}
}

func checkUnits(t *testing.T, p *Problem, u *Units) {
	r, err := RunUnits(p, u, Settings{Best: 5, Moments: true, Scores: true})
	if err != nil {
		t.Fatal(err)
	}
	d := len(u.Rows)
	var want UnitResult
	want.Sums = newSums(p.D, true)
	want.Any, want.All = make([]float64, 2), make([]float64, 2)
	incl, sizes, pair := make([]float64, d), make([]float64, d+1), make([]float64, Tri(d))
	for subset := range uint32(1) << d {
		allowed := true // the rules of unitsOf, in words
		has := func(k int) bool { return subset>>k&1 == 1 }
		if has(4) && (u.One && !has(0) && !has(1) || !u.One && !(has(0) && has(1))) || has(5) && !has(4) {
			allowed = false
		}
		if allowed != u.Allows(subset) {
			t.Fatalf("%b: allowed %v", subset, u.Allows(subset))
		}
		if !allowed {
			if !math.IsNaN(r.Scores[subset]) {
				t.Errorf("%b is not allowed, and has the score %v", subset, r.Scores[subset])
			}
			continue
		}
		want.Models++
		s := NewSweeper(p)
		for k := range d {
			for _, j := range u.Rows[k] {
				if has(k) {
					s.Flip(j)
				}
			}
		}
		k := bits.OnesCount32(subset)
		l := s.Log2() + u.Prior[k]
		near(t, "score", r.Scores[subset], l, 1e-9)
		near(t, "ScoreUnits", p.ScoreUnits(u, subset), l, 1e-9)
		w := math.Exp2(l - r.Ref)
		v := p.VarConst + p.VarSlope[s.Size()]*s.At(0, 0)
		want.W += w
		want.V += w * v
		sizes[k] += w
		for i := range d {
			for j := range i + 1 {
				if has(i) && has(j) {
					pair[Tri(i)+j] += w
				}
			}
			if has(i) {
				incl[i] += w
			}
		}
		for i := range p.D {
			if s.In(i + 1) {
				want.Mean[i] += w * s.At(i+1, 0)
				for j := range i + 1 {
					if s.In(j + 1) {
						want.Second[Tri(i)+j] += w * (s.At(i+1, 0)*s.At(j+1, 0) - v*s.At(i+1, j+1))
					}
				}
			}
		}
		for i, set := range u.Sets {
			if subset&set != 0 {
				want.Any[i] += w
			}
			if subset&set == set {
				want.All[i] += w
			}
		}
	}
	if r.Models != want.Models {
		t.Errorf("%v models, want %v", r.Models, want.Models)
	}
	for _, c := range []struct {
		name      string
		got, want []float64
	}{
		{"W", []float64{r.W, r.V}, []float64{want.W, want.V}}, {"inclusion", r.Incl, incl}, {"sizes", r.Size, sizes}, {"pairs", r.Pair, pair},
		{"mean", r.Mean, want.Mean}, {"second", r.Second, want.Second}, {"any", r.Any, want.Any}, {"all", r.All, want.All},
	} {
		if len(c.got) != len(c.want) {
			t.Fatalf("%s: %d values, want %d", c.name, len(c.got), len(c.want))
		}
		for i := range c.want {
			near(t, fmt.Sprint(c.name, i), c.got[i], c.want[i], 1e-10*math.Max(1, want.W))
		}
	}
	for i, m := range r.Best {
		if i > 0 && m.Log2 > r.Best[i-1].Log2 || !u.Allows(m.Subset) {
			t.Errorf("best %d: %b", i, m.Subset)
		}
		near(t, "best", m.Log2, r.Scores[m.Subset], 1e-12)
	}
}

// Units of one row each, without needs, are the problem itself, and the sums do not
// depend on the number of processors.
func TestRunUnitsOfRows(t *testing.T) {
	p := random(5, 60, 13, "slab")
	u := &Units{Needs: make([]uint32, p.D), Prior: make([]float64, p.D+1)}
	for j := range p.D {
		u.Rows = append(u.Rows, []int{j + 1})
	}
	want, err := Run(p, Settings{Best: 3, Moments: true})
	if err != nil {
		t.Fatal(err)
	}
	var first *UnitResult
	for _, n := range []int{1, 2} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		got, err := RunUnits(p, u, Settings{Best: 3, Moments: true})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		scale := math.Exp2(got.Ref - want.Ref)
		near(t, "W", scale*got.W, want.W, 1e-12*want.W)
		near(t, "V", scale*got.V, want.V, 1e-12*want.V)
		for j := range p.D {
			near(t, "inclusion", scale*got.Incl[j], want.Incl[j], 1e-12*want.W)
			near(t, "mean", scale*got.Mean[j], want.Mean[j], 1e-12*want.W)
			near(t, "second", scale*got.Second[Tri(j)+j/2], want.Second[Tri(j)+j/2], 1e-12*want.W)
			if got.Mean[j] != first.Mean[j] {
				t.Errorf("the mean of row %d differs between 1 and 2 processors", j+1)
			}
		}
		if got.Best[0].Subset != want.Best[0].Subset {
			t.Errorf("best model %b, want %b", got.Best[0].Subset, want.Best[0].Subset)
		}
	}
}

func BenchmarkRunUnits(b *testing.B) {
	p := random(5, 60, 20, "power")
	u := &Units{Needs: make([]uint32, p.D), Prior: make([]float64, p.D+1)}
	for j := range p.D {
		u.Rows = append(u.Rows, []int{j + 1})
	}
	for range b.N {
		if _, err := RunUnits(p, u, Settings{Best: 3}); err != nil {
			b.Fatal(err)
		}
	}
}
