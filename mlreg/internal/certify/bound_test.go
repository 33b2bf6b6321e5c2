package certify

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// expandSome calls visit for nodes of random branches of the trees of a problem, down to few free units: parents, refined, and
// both children.
func expandSome(t *testing.T, p *problem, branches int, r *rand.Rand, visit func(nd, refined, out, in *node)) {
	tree := planted(t, p)
	room := &room{newWorkspace(p), newWorkspace(p)}
	for len(tree.open) > 3 && r.IntN(8) != 0 {
		heap.Remove(&tree.open, r.IntN(len(tree.open)))
	}
	for range branches {
		nd := tree.open[r.IntN(len(tree.open))]
		for len(nd.free) > 2 {
			w := room.own
			w.load(nd.in, nd.free)
			refined := nd
			if r.IntN(2) == 0 {
				refined = w.refine(nd)
			}
			out, in := room.child.child(refined, w, refined.split, false), room.child.child(refined, w, refined.split, true)
			visit(nd, refined, out, in)
			if nd = out; r.IntN(2) == 0 {
				nd = in
			}
		}
	}
}

// Bounds of a thousand nodes, in exact arithmetic: statements 2, 3, 4, 6 and 7.
func TestBoundsOfNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	nodes, closest, branches := 0, math.Inf(1), 6
	if testing.Short() {
		branches = 1
	}
	for i, score := range scores {
		for j, prior := range priors {
			c := design{n: 25, d: 7, neighbors: []float64{0.3, 0.95, 0.8}[(i+j)%3], score: score, prior: prior, seed: uint64(i + 7*j)}
			if (i+j)%4 == 3 {
				c.units = [][]int{{0, 3}, {1}, {2}, {4, 5, 6}}
			}
			p := get(prepare(c.problem()))(t)
			expandSome(t, p, branches, r, func(nd, refined, out, in *node) {
				nodes += 3
				closest = math.Min(closest, checkNode(t, p, refined))
				checkNode(t, p, in)
				checkNode(t, p, out)
				if refined.logU > nd.logU {
					t.Errorf("refinement raises the bound by %g", refined.logU-nd.logU)
				}
				if both := logAdd(out.logU, in.logU); both > refined.logU+1e-9 {
					t.Errorf("%+v: the children's bound is above the parent's by %g", c, both-refined.logU)
				}
			})
		}
	}
	if nodes < 1000 && !testing.Short() {
		t.Errorf("only %d nodes", nodes)
	}
	t.Logf("%d nodes, closest %g", nodes, closest)
}

// Where columns are orthogonal the bound is the weight itself, but for the barrier's finalBarrier nats a column, and
// units of one column are independent if sizes are linear, so that mean field is exact.
func TestBoundsOfOrthogonalColumnsAreTight(t *testing.T) {
	for _, score := range scores {
		for _, prior := range priors {
			for _, groups := range [][][]int{nil, {{0, 3}, {1}, {2, 4, 5}}} {
				c := design{n: 40, d: 6, score: score, prior: prior, units: groups, seed: 5}
				x, y := c.data()
				orthogonalize(x)
				for j := range x {
					scale(x[j], 1+0.15*float64(j))
				}
				p := get(prepare(c.of(x, y)))(t)
				tree := planted(t, p)
				for _, nd := range tree.open {
					if closest := checkNode(t, p, nd); closest > 10*finalBarrier {
						t.Errorf("%s %s: the closest weight is e^-%g of its bound", score, prior, closest)
					}
					if gap := nd.logU - nd.logL; prior != "sizes" && gap > 40*finalBarrier {
						t.Errorf("%s %s: log sum in [%g, %g]", score, prior, nd.logL, nd.logU)
					}
				}
			}
		}
	}
}

// Mean field forgets the rounding of where it starts: at coefficients of 10^12 here, while the columns are orthogonal, so that it
// ends at the sum.
func TestMeanFieldForgetsItsStart(t *testing.T) {
	for _, score := range scores {
		c := design{n: 40, d: 6, score: score, prior: "half", seed: 5}
		x, y := c.data()
		orthogonalize(x)
		p := get(prepare(c.of(x, y)))(t)
		w := newWorkspace(p)
		nd := planted(t, p).open[len(p.parts)/2]
		w.load(nd.in, nd.free)
		want := w.sum(nd).log
		for j := range nd.d {
			nd.d[j], w.u[j] = 1e-12, 1+float64(j)
		}
		w.setLaw(nd, w.u)
		if got := w.lower(nd); !(got <= want && got > want-1e-3) {
			t.Errorf("%s: the bound is %.12g, the sum %.12g", score, got, want)
		}
	}
}

// Units that are orthogonal to each other are independent, too, if columns within one are not: mean field is near the sum.
func TestMeanFieldOfUnits(t *testing.T) {
	for _, score := range []string{"g", "bic", "known"} {
		c := design{n: 40, d: 6, score: score, prior: "half", units: [][]int{{0, 3}, {1}, {2, 4, 5}}, seed: 5}
		x, y := c.data()
		orthogonalize(x)
		for _, pair := range [][2]int{{3, 0}, {4, 2}, {5, 4}} {
			for i, v := range x[pair[1]] {
				x[pair[0]][i] = 0.5*v + math.Sqrt(0.75)*x[pair[0]][i]
			}
		}
		p := get(prepare(c.of(x, y)))(t)
		w := newWorkspace(p)
		for _, nd := range planted(t, p).open {
			w.load(nd.in, nd.free)
			if want := w.sum(nd).log; !(nd.logL <= want && nd.logL > want-0.02) {
				t.Errorf("%s: the bound is %g, the sum %g", score, nd.logL, want)
			}
		}
	}
}

// What prove makes of a D at the edge of what is below G, or beyond, is below (1-tau) G in exact
// arithmetic, so that it is for every matrix of statement 5.
func TestProveBringsDBelow(t *testing.T) {
	for seed := range 60 {
		c := design{n: 30, d: 7, neighbors: 0.9, score: scores[seed%len(scores)], prior: "half", seed: uint64(seed)}
		p := get(prepare(c.problem()))(t)
		w := newWorkspace(p)
		nd := &node{component: &p.parts[len(p.parts)/2], in: []int16{3}, free: []int16{0, 1, 2, 4, 5, 6}}
		w.load(nd.in, nd.free)
		nd.d, nd.v = inColumnOrder(w, p.diagonal), inColumnOrder(w, p.pivots)
		toEdge(w, nd.d)
		if seed%2 == 0 {
			scale(nd.d, 1.2)
		}
		if !w.prove(nd) {
			t.Errorf("seed %d: no proof", seed)
		}
		below := p.big([]int{3, 0, 1, 2, 4, 5, 6})
		below.eliminate(1)
		rest := bigMatrix{n: 6}
		for i := range 6 {
			for j := range 6 {
				v := below.a[(i+1)*7+j+1]
				v.Mul(v, exact(1-p.tau))
				if i == j {
					v.Sub(v, exact(nd.d[i]))
				}
				rest.a = append(rest.a, v)
			}
		}
		if !rest.eliminate(6) {
			t.Errorf("seed %d: D is not below (1-tau) G", seed)
		}
	}
}

// Bounds of a node hold for every matrix that the elimination of a draw may be exact for (statement 5): here the bounds are those of (1+tau) M, and draws are
// weighed by (1-tau) M. Columns are orthogonal, and the response to them, so that the bounds have no other room; or it is not.
func TestBoundsHoldForEveryMatrixWithinTau(t *testing.T) {
	for i, score := range slices.Concat(scores, scores) {
		c := design{n: 40, d: 8, score: score, prior: "half", seed: 11}
		x, y := c.data()
		if i < len(scores) {
			x = append(x, y)
		}
		orthogonalize(x)
		checkWithinTau(t, get(prepare(c.of(x[:c.d], y)))(t), score)
	}
}

func checkWithinTau(t *testing.T, high *problem, name string) {
	t.Helper()
	const tau = 5e-4
	high.tau = tau
	scale(high.diagonal, 1-4*tau)
	scale(high.pivots, 1-4*tau)
	low := *high
	low.cross = slices.Clone(high.cross)
	scale(high.cross, 1+tau)
	scale(low.cross, 1-tau)
	for nd := planted(t, high).open[0]; len(nd.free) > 2; nd = inOf(high, nd) {
		w := newWorkspace(&low)
		start := w.prepareDraws(nd)
		for subset := range uint32(1) << len(nd.free) {
			if x, _ := w.ratio(nd, start, members(subset)); x > 1+1e-12 {
				t.Errorf("%s: %b with %v in has the weight 1 + %.2g, as a share of its bound", name, subset, nd.in, x-1)
			}
		}
	}
}

// inOf is the child with the unit in that a node splits on.
func inOf(p *problem, nd *node) *node {
	w := newWorkspace(p)
	w.load(nd.in, nd.free)
	return newWorkspace(p).child(nd, w, nd.split, true)
}

// toEdge multiplies d by the largest number that lets the factorization of G - D pass: it is singular as far as floating
// point tells.
func toEdge(w *workspace, d []float64) {
	low, high := 1.0, 100.0
	scaled := make([]float64, len(d))
	for range 80 {
		mid := (low + high) / 2
		for j := range d {
			scaled[j] = mid * d[j]
		}
		if factorBelow(w.t, w.g, w.m, scaled) {
			low = mid
		} else {
			high = mid
		}
	}
	for j := range d {
		d[j] *= low
	}
}

// What seal adds for rounding: u is no less than that of the stored G, b, D and beta in exact arithmetic, and the constant is as high for
// every matrix that elimination may have been exact for (statement 5).
func TestSealCoversRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for trial := range 60 {
		c := design{n: 30, d: 8, neighbors: 0.97, score: scores[trial%len(scores)], prior: "half", seed: uint64(trial)}
		p := get(prepare(c.problem()))(t)
		tree := planted(t, p)
		w := newWorkspace(p)
		nd := tree.open[r.IntN(len(tree.open))]
		w.load(nd.in, nd.free)
		w.solveFor(nd)
		for j := range w.m {
			w.beta[j] += 10 * r.NormFloat64()
		}
		w.evaluate(nd)
		w.seal(nd)
		form := exact(0)
		for i := range w.m {
			a := exact(0)
			for j := range w.m {
				g := exact(w.g[i*w.m+j])
				if i == j {
					g.Sub(g, exact(nd.d[i]))
				}
				a.Add(a, g.Mul(g, exact(w.beta[j])))
			}
			form.Add(form, exact(0).Mul(a, exact(w.beta[i])))
			u := a.Sub(exact(w.b[i]), a)
			if u.Abs(u).Cmp(exact(math.Abs(nd.u[i]))) > 0 {
				t.Errorf("trial %d: u_%d = %g is below the exact one", trial, i, nd.u[i])
			}
		}
		// base = constant - phi low, low <= q (1 - 2 tau) - form
		low := (w.logConstant(nd) - nd.base) / nd.component.phi
		slack := exact(0).Sub(exact(w.q), form)
		slack.Sub(slack, exact(low))
		if s, _ := slack.Float64(); s < 2*p.tau*w.q*(1-1e-9) {
			t.Errorf("trial %d: the constant has a slack of %g, less than %g", trial, s, 2*p.tau*w.q)
		}
	}
}

// orthogonalize makes columns orthonormal, by two passes of Gram and Schmidt.
func orthogonalize(x [][]float64) {
	for j := range x {
		for range 2 {
			for k := range j {
				c := dot(x[j], x[k])
				for i := range x[j] {
					x[j][i] -= c * x[k][i]
				}
			}
			length := math.Sqrt(dot(x[j], x[j]))
			for i := range x[j] {
				x[j][i] /= length
			}
		}
	}
}
