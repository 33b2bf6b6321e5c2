package certify

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"sync"

	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// tree partitions the subsets, for each component by itself: into open nodes, and subtrees that are summed.
type tree struct {
	p      *problem
	open   nodeHeap
	exact  *total // sums over leaves
	nodes  int    // made
	leaves int
	models float64     // summed over leaves, counting a subset once for each component
	found  *collection // models of leaves
	pools  []leafNode  // leaves, if draws from them are asked for
	keep   bool
}

// leafNode is a leaf for draws.
type leafNode struct {
	component *component
	in, free  []int16
	log       float64
}

// nodeHeap has the node with the largest gap on top.
type nodeHeap []*node

func (h nodeHeap) Len() int { return len(h) }
func (h nodeHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[j].logGap, h[i].logGap), cmp.Compare(h[i].order, h[j].order)) < 0
}
func (h nodeHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *nodeHeap) Push(x any) { *h = append(*h, x.(*node)) }

// Pop implements heap.Interface.
func (h *nodeHeap) Pop() any {
	last := len(*h) - 1
	nd := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return nd
}

// barriers are the weights of the barrier while D of the first root is found, and finalBarrier afterwards.
var barriers = []float64{1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, finalBarrier}

const finalBarrier = 0.0005

func newTree(p *problem, found *collection, keep bool) *tree {
	return &tree{p: p, exact: newTotal(p.events() + p.averages()), found: found, keep: keep}
}

// plant makes the roots, one for each component. Each starts from D and beta of the one before. An error of more leaves roots with worse
// bounds, and is returned.
func (t *tree) plant(more func(nodes int) error) (err error) {
	p := t.p
	stopped := func() bool {
		if err == nil {
			err = more(t.nodes)
		}
		return err != nil
	}
	all := make([]int16, len(p.units))
	for k := range all {
		all[k] = int16(k)
	}
	w := newWorkspace(p)
	w.load(nil, all)
	d := inColumnOrder(w, p.diagonal)
	beta := make([]float64, w.m)
	for i := range p.parts {
		root := &node{component: &p.parts[i], free: all, d: slices.Clone(d), v: inColumnOrder(w, p.pivots), refined: true}
		if stopped() {
			w.evaluate(root)
		} else {
			w.climbRoot(root, beta, i == 0, stopped)
		}
		w.seal(root)
		d = root.d
		copy(beta, w.beta)
		t.push(root)
	}
	return err
}

// inColumnOrder returns what is given by column in the order of the node's columns.
func inColumnOrder(w *workspace, byColumn []float64) []float64 {
	if byColumn == nil {
		return nil
	}
	return gram.Take(byColumn, w.columns)
}

// climbRoot improves D and beta of a root, thoroughly if it is the first one, from beta and from zero, until stopped.
func (w *workspace) climbRoot(root *node, beta []float64, first bool, stopped func() bool) {
	start := slices.Clone(root.d)
	lowest := math.Inf(1)
	var d, v, b []float64
	for _, zero := range []bool{false, true} {
		if zero && !first && lowest < math.Inf(1) {
			break
		}
		root.d = slices.Clone(start)
		if clear(w.beta); !zero {
			copy(w.beta, beta)
			if first {
				w.leastSquares()
			}
		}
		value := w.descend(root, 20)
		weights := barriers[4:]
		if first {
			weights = barriers
		}
		for _, mu := range weights { // the barrier leads, even where the bound rises for a while
			for range 2 {
				if !stopped() {
					value, _ = w.improve(root, math.Inf(1), mu)
				}
			}
		}
		if value < lowest {
			lowest, d, v, b = value, root.d, root.v, slices.Clone(w.beta[:w.m])
		}
	}
	root.d, root.v = d, v
	copy(w.beta, b)
	w.evaluate(root)
}

// leastSquares sets beta to that of all columns.
func (w *workspace) leastSquares() {
	copy(w.t, w.g[:w.m*w.m])
	copy(w.beta, w.b[:w.m])
	if eliminate(w.t, w.m, w.m) {
		solve(w.t, w.m, w.beta)
	}
}

// push adds a node, a new one with the next number.
func (t *tree) push(nd *node) {
	if nd.order == 0 {
		t.nodes++
		nd.order = t.nodes
	}
	heap.Push(&t.open, nd)
}

// outcome is what became of a node: nodes in its place, or a sum.
type outcome struct {
	nodes []*node
	leaf  *leafSum
}

// Nodes are expanded in batches, on all processors. Which they are depends on the batches before alone.
const (
	batchSize = 32
	batchGap  = 7 // only nodes with a gap within e^-7 of the largest
)

// grow expands the nodes with the largest gaps until there are so many nodes, or so many bytes of them, or
// nothing is left to be known. Its error is that of more.
func (t *tree) grow(nodes, memory int, more func(nodes int) error) error {
	rooms := &rooms{p: t.p}
	look := 0 // at so many nodes, whether all is known
	for len(t.open) > 0 && t.nodes < nodes && t.bytes()+t.p.bytes()*2*batchSize <= memory {
		if err := more(t.nodes); err != nil {
			return err
		}
		if t.nodes >= look {
			if t.settled() {
				return nil
			}
			look = t.nodes + len(t.open)/4 + 256
		}
		var batch []*node
		least := t.open[0].logGap - batchGap
		for len(t.open) > 0 && len(batch) < batchSize && t.open[0].logGap >= least {
			batch = append(batch, heap.Pop(&t.open).(*node))
		}
		next := math.Inf(-1)
		if len(t.open) > 0 {
			next = t.open[0].logGap
		}
		outcomes := make([]outcome, len(batch))
		gram.Parallel(len(batch), func() func(int) {
			r := rooms.take()
			return func(i int) { outcomes[i] = r.expand(batch[i], next) }
		})
		rooms.give()
		for i, o := range outcomes {
			t.collect(batch[i], o)
		}
	}
	return more(t.nodes)
}

// bytes is the memory of the nodes that are kept.
func (t *tree) bytes() int { return len(t.open)*t.p.bytes() + len(t.pools)*t.p.leafBytes() }

func (t *tree) collect(nd *node, o outcome) {
	for _, child := range o.nodes {
		t.push(child)
	}
	if o.leaf == nil {
		return
	}
	t.leaves++
	t.models += math.Ldexp(1, len(nd.free))
	v := t.exact.relative(o.leaf.log)
	t.exact.sum += v
	for _, k := range nd.in {
		t.exact.parts[k] += v
	}
	for i, share := range o.leaf.inclusion {
		t.exact.parts[nd.free[i]] += v * share
	}
	if t.p.average {
		t.collectAverages(nd, o.leaf, v)
	}
	t.found.offerLeaf(nd, o.leaf)
	if t.keep {
		t.pools = append(t.pools, leafNode{nd.component, nd.in, nd.free, o.leaf.log})
	}
}

// collectAverages adds up pairs and coefficients of a leaf of that weight.
func (t *tree) collectAverages(nd *node, s *leafSum, v float64) {
	units := len(t.p.units)
	for i, k := range nd.free {
		for h, o := range nd.free[:i] {
			t.exact.parts[pairEvent(units, int(k), int(o))] += v * s.pairs[enumerate.Tri(i)+h]
		}
		for _, o := range nd.in {
			t.exact.parts[pairEvent(units, int(k), int(o))] += v * s.inclusion[i]
		}
	}
	for i, k := range nd.in {
		for _, o := range nd.in[:i] {
			t.exact.parts[pairEvent(units, int(k), int(o))] += v
		}
	}
	for j, mean := range s.means {
		t.exact.parts[t.p.events()+j] += v * mean
	}
}

// settled tells whether the gap of all open nodes is nothing beside the sum.
func (t *tree) settled() bool {
	gap, low := math.Inf(-1), t.exact.log()
	for _, nd := range t.open {
		gap, low = logAdd(gap, nd.logGap), logAdd(low, nd.logL)
	}
	return gap < low-23
}

// room is a pair of workspaces, of a node and of its children.
type room struct{ own, child *workspace }

// expand sums over a leaf. Another node it refines once; then it is split, unless it has now a smaller gap than the next.
func (r *room) expand(nd *node, next float64) outcome {
	w := r.own
	w.load(nd.in, nd.free)
	if w.isLeaf(nd) {
		s := w.sum(nd)
		return outcome{leaf: &s}
	}
	if !nd.refined {
		nd = w.refine(nd)
		if nd.logGap < next {
			return outcome{nodes: []*node{nd}}
		}
	}
	k := nd.split
	return outcome{nodes: []*node{r.child.child(nd, w, k, false), r.child.child(nd, w, k, true)}}
}

// refine returns a node with a better bound of the same subsets, or the same.
func (w *workspace) refine(nd *node) *node {
	next := &node{component: nd.component, in: nd.in, free: nd.free, d: slices.Clone(nd.d), u: nd.u, v: nd.v, refined: true, order: nd.order}
	w.solveFor(next)
	value := w.descend(next, 3)
	w.improve(next, value, finalBarrier)
	w.seal(next)
	if next.logU > nd.logU {
		next.logU, next.base, next.d, next.u, next.v, next.split = nd.logU, nd.base, nd.d, nd.u, nd.v, nd.split
	}
	next.setLower(math.Max(next.logL, nd.logL))
	return next
}

// rooms keeps the rooms of goroutines from one batch to the next.
type rooms struct {
	p     *problem
	lock  sync.Mutex
	made  []*room
	taken int
}

// take returns a room for a goroutine, until give.
func (r *rooms) take() *room {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.taken == len(r.made) {
		r.made = append(r.made, &room{newWorkspace(r.p), newWorkspace(r.p)})
	}
	r.taken++
	return r.made[r.taken-1]
}

// give returns all rooms, when no goroutine runs.
func (r *rooms) give() { r.taken = 0 }
