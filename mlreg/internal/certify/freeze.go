package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// frozen are the bounds of a tree that grows no more.
type frozen struct {
	*tree
	nodes  []*node
	events int
	// Sums over open nodes relative to that of U: share of each event in U, under the laws of the bounds.
	logU, logL float64
	inU        []float64
	outU       []float64 // the share of the complement, without cancellation
	inL, outL  []float64 // what L leaves at least of the event and of its complement
	weights    []float64 // U of nodes
	rounding   float64   // what the log weight of a draw, and logs of sums, may be off
	variation  float64   // by which the probabilities of all draws may be off, in total
}

func (t *tree) freeze() *frozen {
	units, events := len(t.p.units), t.p.events()
	f := &frozen{tree: t, nodes: t.open, events: events, logU: math.Inf(-1), logL: math.Inf(-1),
		inU: make([]float64, events), outU: make([]float64, events), inL: make([]float64, events), outL: make([]float64, events)}
	for _, nd := range t.open {
		f.logU, f.logL = logAdd(f.logU, nd.logU), logAdd(f.logL, nd.logL)
	}
	w := newWorkspace(t.p)
	var size float64
	own := t.p.magnitude()
	for _, nd := range t.open {
		w.open(nd)
		size = math.Max(size, w.magnitude(nd))
		u := math.Exp(nd.logU - f.logU)
		f.weights = append(f.weights, u)
		f.addNode(nd, w.law, u, math.Exp(nd.logL-f.logU))
	}
	// A sum of logarithms has at most as many terms as units and columns together, each exact to 4 units, in numbers up to
	// size; a sum over nodes errs by half a unit for each.
	terms := float64(units + t.p.columns + 16)
	f.rounding = 8*dd.Unit*terms*(size+own+1) + 2*dd.Unit*float64(len(t.open)+t.leaves)
	f.variation = dd.Unit * (4*float64(len(t.open)) + 16*float64(units) + 64)
	if t.p.size != nil {
		f.variation += 8 * dd.Unit * float64(units) * float64(units)
	}
	return f
}

// addNode adds a node to the shares.
func (f *frozen) addNode(nd *node, law *law, u, l float64) {
	state := make([]float64, len(f.p.units)) // the probability of each unit
	for _, k := range nd.in {
		state[k] = 1
	}
	for i, k := range nd.free {
		state[k] = law.inclusion[i]
	}
	for k, p := range state {
		f.addEvent(k, u, l, p, 1-p)
	}
	if f.p.average {
		for k := range state {
			f.addPairs(k, state, law.flat, u, l)
		}
	}
}

// addEvent adds what a node has of an event of which the law of its bound has at most the probability in, and of the complement at most out.
func (f *frozen) addEvent(k int, u, l, in, out float64) {
	f.inU[k] += u * in
	f.outU[k] += u * out
	f.inL[k] += math.Max(0, l-u*out)
	f.outL[k] += math.Max(0, l-u*in)
}

// addPairs adds the pairs of unit k with those before it, whose probabilities are products if the law is flat, and otherwise bounded (Frechet).
func (f *frozen) addPairs(k int, state []float64, flat bool, u, l float64) {
	p := state[k]
	for i, o := range state[:k] {
		in, both := math.Min(p, o), math.Max(0, p+o-1)
		if flat {
			in, both = p*o, p*o
		}
		f.addEvent(pairEvent(len(state), i, k), u, l, in, 1-both)
	}
}

// magnitude is the size of the numbers that log weights of draws from a node are sums of, beside those of the problem.
func (w *workspace) magnitude(nd *node) float64 {
	size := math.Abs(nd.base) + math.Abs(nd.logU)
	for _, x := range w.odds[:len(nd.free)] {
		size += math.Abs(x)
	}
	return size + math.Abs(w.law.top) + math.Abs(w.law.slope)*float64(len(nd.free))
}

// magnitude is the size of the numbers that log weights are sums of. Logs of pivots are above that
// of leastPivot.
func (p *problem) magnitude() float64 {
	var size float64
	for _, c := range p.parts {
		size = math.Max(size, math.Abs(c.logKappa)+c.phi*p.cross[len(p.cross)-1])
	}
	for _, v := range p.own {
		size += math.Abs(v)
	}
	var most float64
	for _, v := range p.size {
		most = math.Max(most, math.Abs(v))
	}
	if p.det {
		size -= float64(p.columns) * math.Log(leastPivot)
	}
	return size + most
}
