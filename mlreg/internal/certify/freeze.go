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
	units := len(t.p.units)
	f := &frozen{tree: t, nodes: t.open, events: units, logU: math.Inf(-1), logL: math.Inf(-1),
		inU: make([]float64, units), outU: make([]float64, units), inL: make([]float64, units), outL: make([]float64, units)}
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
		f.addNode(nd, w.law.inclusion, u, math.Exp(nd.logL-f.logU))
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
func (f *frozen) addNode(nd *node, inclusion []float64, u, l float64) {
	state := make([]float64, f.events) // the probability of each unit
	for _, k := range nd.in {
		state[k] = 1
	}
	for i, k := range nd.free {
		state[k] = inclusion[i]
	}
	for k, p := range state {
		f.inU[k] += u * p
		f.outU[k] += u * (1 - p)
		f.inL[k] += math.Max(0, l-u*(1-p))
		f.outL[k] += math.Max(0, l-u*p)
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
