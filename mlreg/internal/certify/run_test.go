package certify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
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

// Intervals against sums over all subsets, for every score, prior and kind of units, with few nodes and some more: all of them hold, with an error
// probability of 1e-9.
func TestIntervalsHoldTheSumOverAllSubsets(t *testing.T) {
	var sampled, summed int
	for i, score := range scores {
		for j, prior := range priors {
			for k, n := range []int{20, 60} {
				if testing.Short() && (k > 0 || (i+j)%3 > 0) { // once for every score
					continue
				}
				c := design{n: n, d: 12, neighbors: []float64{0.2, 0.6, 0.9}[(i+j)%3], score: score, prior: prior, seed: uint64(10*i + j + n)}
				if (i+j+k)%3 == 2 {
					c.units = [][]int{{0, 3}, {1}, {2}, {4, 5, 6}, {7}, {8}, {10, 9}, {11}}
				}
				p := c.problem()
				want := sumAll(p)
				for _, nodes := range []int{1, 60, 2000} {
					r := get(Run(p, rand.NewPCG(1, 2), Settings{Nodes: nodes, Draws: 20000, leaf: 3, Best: 2}))(t)
					name := fmt.Sprintf("%+v nodes %d", c, nodes)
					holds(t, name, r, want)
					if r.Largest > 1+1e-9 {
						t.Errorf("%s: a weight is %v of its bound", name, r.Largest)
					}
					switch r.Status {
					case Sampled:
						sampled++
						if w := r.Normalizer.Width(); w > 1e-4 && !(w < r.CertainNormalizer.Width()) {
							t.Errorf("%s: draws leave the width %g", name, w)
						}
					case Summed:
						if summed++; r.Normalizer.Width() > 1e-5 {
							t.Errorf("%s: all is summed, and the width is %g", name, r.Normalizer.Width())
						}
					}
				}
			}
		}
	}
	if !testing.Short() && (sampled < 30 || summed < 10) {
		t.Errorf("%d sampled, %d summed", sampled, summed)
	}
}

// Orthogonal columns and independent units have a closed form: given the precision, columns are
// independent; one integral over the precision is left.
func TestOrthogonalColumnsAgainstTheirClosedForm(t *testing.T) {
	if testing.Short() {
		t.Skip("draws more often than other tests, and nothing else")
	}
	c := design{n: 150, d: 100, score: "g", prior: "half", seed: 5}
	x, y := c.data()
	orthogonalize(x)
	p := c.of(x, y)
	r := get(Run(p, rand.NewPCG(3, 3), Settings{Nodes: 200, Draws: 200000}))(t)
	slope := p.Size[1] - p.Size[0]
	h, sd := -p.Power, 1/math.Sqrt(-p.Power)
	logGamma, _ := math.Lgamma(h)
	var z float64
	var b2 []float64
	rest := p.M[0]
	for j := range c.d {
		b := p.M[packed(j+1, 0)]
		b2 = append(b2, b*b)
		rest -= b * b
	}
	inclusion := make([]float64, c.d)
	for l := math.Log(h) - 9*sd; l < math.Log(h/rest)+8*sd; l += sd / 4 {
		phi := math.Exp(l)
		log := math.Log(sd/4) + h*l - logGamma - phi + p.Size[0]
		for _, v := range b2 {
			log += math.Log1p(math.Exp(slope + phi*v))
		}
		z += math.Exp(log)
		for j, v := range b2 {
			inclusion[j] += math.Exp(log) / (1 + math.Exp(-slope-phi*v))
		}
	}
	for j := range inclusion {
		inclusion[j] /= z
	}
	holds(t, "orthogonal", r, &truth{logZ: math.Log(z), inclusion: inclusion})
	if w := r.Normalizer.Width(); w > 0.02 {
		t.Errorf("the width of the log sum is %g", w)
	}
	for j, in := range r.Inclusion {
		if in.Width() > 0.01 {
			t.Errorf("the width of inclusion %d is %g", j, in.Width())
		}
	}
}

// The result is the same to the bit for any number of processors, and another for another seed.
func TestRunSameBitsOnAnyProcessors(t *testing.T) {
	p := design{n: 60, d: 16, neighbors: 0.7, score: "g", prior: "sizes", seed: 2}.problem()
	run := func(processors int, seed uint64) *Result {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return get(Run(p, rand.NewPCG(seed, 1), Settings{Nodes: 150, Draws: 30000, Best: 3, leaf: 4}))(t)
	}
	text := func(v any) string { return fmt.Sprintf("%+v", v) } // NaN is not equal to itself
	one := run(1, 1)
	if four := run(4, 1); text(one) != text(four) {
		t.Errorf("on 1 and 4 processors:\n%+v\n%+v", one, four)
	}
	if other := run(1, 2); text(one.Normalizer) == text(other.Normalizer) || text(one.CertainInclusion) != text(other.CertainInclusion) {
		t.Error("another seed gives the same draws, or other bounds")
	}
}

// Progress that returns an error leaves the bounds known by then, while trees grow and while draws are taken.
func TestRunStops(t *testing.T) {
	c := design{n: 60, d: 12, neighbors: 0.7, score: "g", prior: "half", seed: 2}
	p := c.problem()
	want := sumAll(p)
	stop := errors.New("stop")
	for _, after := range []float64{0, 100, 1500} {
		last := -1.0
		r, err := Run(p, rand.NewPCG(1, 1), Settings{Nodes: 100, Draws: 3000, leaf: 3, Progress: func(done, total float64) error {
			if total != 3100 || done < last || done > total {
				t.Errorf("%g of %g done, after %g", done, total, last)
			}
			if last = done; done >= after {
				return stop
			}
			return nil
		}})
		if err != stop || r.Status != Cancelled || r.Draws != 0 || !math.IsNaN(r.Normalizer.Estimate) {
			t.Fatalf("after %g: %v, %+v", after, err, r)
		}
		holds(t, "stopped", r, want)
	}
}

// Memory limits the open nodes; what then is known holds.
func TestRunMemory(t *testing.T) {
	c := design{n: 60, d: 12, neighbors: 0.7, score: "g", prior: "half", seed: 2}
	p := c.problem()
	q := get(prepare(p))(t)
	s := Settings{Nodes: 5000, Draws: 5000, Memory: q.leastMemory() + 40*q.bytes(), leaf: 2}
	r := get(Run(p, rand.NewPCG(1, 1), s))(t)
	if r.Open*q.bytes() > s.Memory || r.Nodes > 4000 {
		t.Errorf("%d open nodes of %d", r.Open, r.Nodes)
	}
	holds(t, "little memory", r, sumAll(p))
	s.Posterior = 10 // leaves are kept, too
	if kept := get(Run(p, rand.NewPCG(1, 1), s))(t); kept.Open*q.bytes()+kept.Leaves*q.leafBytes() > s.Memory || kept.Leaves > r.Leaves/2 {
		t.Errorf("%d open nodes and %d leaves are kept; without draws there are %d leaves", kept.Open, kept.Leaves, r.Leaves)
	}
	s.Memory = q.leastMemory() - 1
	if _, err := Run(p, rand.NewPCG(1, 1), s); !errors.Is(err, ErrMemory) {
		t.Errorf("error %v of a memory that holds no tree", err)
	}
}

// A width that is asked for has the pilot choose the draws, no more than are allowed.
func TestRunWidth(t *testing.T) {
	p := design{n: 60, d: 14, neighbors: 0.5, score: "g", prior: "half", seed: 2}.problem()
	var draws []int
	for _, width := range []float64{0.1, 0.02, 1e-6} {
		r := get(Run(p, rand.NewPCG(1, 1), Settings{Nodes: 100, Draws: 400000, Width: width, leaf: 3}))(t)
		draws = append(draws, r.Draws)
		for k, in := range r.Inclusion {
			if width > 0.01 && in.Width() > 1.5*width {
				t.Errorf("width %g asked for, inclusion %d has %g", width, k, in.Width())
			}
		}
	}
	if !(draws[0] < draws[1] && draws[1] < draws[2] && draws[2] == 400000) {
		t.Errorf("draws %v", draws)
	}
}

// The best models found are those of the sum over all subsets, and their shares hold.
func TestRunBest(t *testing.T) {
	for _, score := range scores {
		p := design{n: 60, d: 12, neighbors: 0.6, score: score, prior: "sizes", seed: 4}.problem()
		want := sumAll(p)
		r := get(Run(p, rand.NewPCG(1, 1), Settings{Nodes: 300, Draws: 50000, Best: 5, leaf: 3}))(t)
		order := make([]int, len(want.logs))
		for s := range order {
			order[s] = s
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(want.logs[b], want.logs[a]) })
		if len(r.Best) != 5 {
			t.Fatalf("%s: %d models", score, len(r.Best))
		}
		for i, m := range r.Best {
			subset := 0
			for _, k := range m.Units {
				subset |= 1 << k
			}
			if subset != order[i] || math.Abs(m.LogWeight-want.logs[subset]) > 1e-9 {
				t.Errorf("%s: model %d is %b of %g, want %b of %g", score, i, subset, m.LogWeight, order[i], want.logs[order[i]])
			}
			if share := math.Exp(want.logs[subset] - want.logZ); share < m.Share.Lower || share > m.Share.Upper {
				t.Errorf("%s: share %g of model %d is not in %+v", score, share, i, m.Share)
			}
		}
	}
}

// Independent draws from the posterior have the frequencies of the sum over all subsets, from leaves and open nodes alike, by a chi-squared test
// of units and of their number.
func TestPosteriorDraws(t *testing.T) {
	for i, nodes := range []int{1, 60, 4000} {
		c := design{n: 60, d: 12, neighbors: 0.6, score: scores[i], prior: priors[i], seed: 3}
		if i == 1 {
			c.units = [][]int{{0, 3}, {1}, {2}, {4, 5, 6}, {7}, {8}, {10, 9}, {11}}
		}
		p := c.problem()
		want := sumAll(p)
		const n = 4000
		r := get(Run(p, rand.NewPCG(1, 1), Settings{Nodes: nodes, Draws: 1 << 21, Width: 1, Posterior: n, leaf: 4}))(t)
		if len(r.Posterior) != n {
			t.Fatalf("%+v: %d draws, acceptance %g", c, len(r.Posterior), r.Acceptance)
		}
		units := p.unitCount()
		count, sizes := make([]float64, units), make([]float64, units+1)
		for _, draw := range r.Posterior {
			for _, k := range draw {
				count[k]++
			}
			sizes[len(draw)]++
		}
		for k, v := range want.inclusion {
			if z := (count[k] - n*v) / math.Sqrt(n*v*(1-v)+1); math.Abs(z) > 4.5 {
				t.Errorf("%+v, status %d: unit %d is in %g of %d draws, want %g", c, r.Status, k, count[k], n, n*v)
			}
		}
		shares := make([]float64, units+1)
		for s, l := range want.logs {
			shares[bits.OnesCount32(uint32(s))] += math.Exp(l - want.logZ)
		}
		for k, v := range shares {
			if z := (sizes[k] - n*v) / math.Sqrt(n*v*(1-v)+1); math.Abs(z) > 4.5 {
				t.Errorf("%+v: %g of %d draws have %d units, want %g", c, sizes[k], n, k, n*v)
			}
		}
	}
}

// A tally has the sums of X, of X^2 and of the indicators times them, of the draws that its stream gives.
func TestTally(t *testing.T) {
	p := get(prepare(design{n: 40, d: 8, neighbors: 0.5, score: "slab", prior: "sizes", seed: 1}.problem()))(t)
	tree := planted(t, p)
	w := newWorkspace(p)
	parent := tree.open[3]
	w.load(parent.in, parent.free)
	nd := newWorkspace(p).child(parent, w, 2, true)
	s := (&run{p: p, src: rand.NewPCG(1, 1)}).sampler(tree.freeze())
	got, want := newTally(s.events), newTally(s.events)
	s.draw(w, nd, 500, rand.NewPCG(4, 4), got)
	start, r := w.prepareDraws(nd), rand.NewPCG(4, 4)
	for range 500 {
		free := w.law.draw(r, len(nd.free), nil)
		x, _ := w.ratio(nd, start, free)
		want.x, want.xx = want.x+x, want.xx+x*x
		for _, k := range w.units(free) {
			want.count[k]++
			want.ex[k] += x
			want.exx[k] += x * x
		}
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }
	if got.draws != 500 || !near(got.x, want.x) || !near(got.xx, want.xx) || !(want.x > 0) {
		t.Errorf("sums %g %g, want %g %g", got.x, got.xx, want.x, want.xx)
	}
	for k := range want.count {
		if got.count[k] != want.count[k] || !near(got.ex[k], want.ex[k]) || !near(got.exx[k], want.exx[k]) {
			t.Errorf("unit %d: %g %g %g, want %g %g %g", k, got.count[k], got.ex[k], got.exx[k], want.count[k], want.ex[k], want.exx[k])
		}
	}
}
