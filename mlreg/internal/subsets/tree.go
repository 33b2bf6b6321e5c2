package subsets

import "math"

// node is a node of the tree; see the package comment.
type node struct {
	q     float64
	fixed uint64
	f     int       // number of fixed terms
	m     int       // number of free terms
	terms []int     // free terms, the costliest first
	a     []float64 // m x m
	b     []float64 // coefficients of the free terms
	cost  []float64 // of dropping a free term
}

func newNode(m int) *node {
	return &node{m: m, terms: make([]int, m), a: make([]float64, m*m), b: make([]float64, m), cost: make([]float64, m)}
}

// copy returns a node with memory of its own.
func (n *node) copy() *node {
	c := newNode(n.m)
	c.q, c.fixed, c.f = n.q, n.fixed, n.f
	copy(c.terms, n.terms)
	copy(c.a, n.a)
	copy(c.b, n.b)
	copy(c.cost, n.cost)
	return c
}

// walker walks a subtree, depth first.
type walker struct {
	*ranking
	levels []*node   // one for every number of free terms
	weight []float64 // W by term
	// Of the child looked at: b and cost by position of the free term in its
	// parent, the positions ordered by cost, the weighted squares ordered.
	b, cost, weighted []float64
	order             []int

	open          []float64
	nodes, models int64
	stopped       bool
	poll          func() bool // is asked now and then whether to stop
}

func newWalker(p *Problem) *walker {
	w := &walker{
		weight: make([]float64, p.D+1), b: make([]float64, p.D), cost: make([]float64, p.D),
		weighted: make([]float64, p.D), order: make([]int, p.D), open: make([]float64, p.D+1),
	}
	for m := range p.D + 1 {
		w.levels = append(w.levels, newNode(m))
	}
	for k := range w.open {
		w.open[k] = math.Inf(1)
	}
	return w
}

// pollEvery is how many nodes are walked between two questions whether to stop.
const pollEvery = 1 << 14

// walk visits the subtree below n, of which n itself and the models that lack
// one of its terms have been looked at.
func (w *walker) walk(n *node) {
	w.nodes++
	if w.nodes%pollEvery == 0 && w.poll != nil && w.poll() {
		w.stopped = true
	}
	for i := range n.m - 1 {
		if w.look(n, i) {
			w.walk(w.child(n, i))
		}
	}
}

// look offers the models of the i-th child of n that lack one term more, and
// tells whether smaller ones may be among the best. When the walk has been
// stopped it notes their bound instead.
func (w *walker) look(n *node, i int) bool {
	q := n.q + n.cost[i]
	if n.f+i > w.p.Most || q >= w.from[n.f+i] {
		return false
	}
	m := n.m
	row := n.a[i*m : i*m+m]
	pivot := row[i]
	c := n.b[i] / pivot
	order, weighted := w.order[:0], w.weighted[:0]
	set := n.fixed
	for _, t := range n.terms {
		set |= bit(t)
	}
	set &^= bit(n.terms[i])
	size := n.f + m - 2
	for j := m - 1; j > i; j-- { // the cheapest first: almost in order
		b := n.b[j] - c*row[j]
		square := b * b
		// No column is longer than 1, so no diagonal element of A is below 1
		// but by rounding.
		cost := square / math.Max(n.a[j*m+j]-row[j]*row[j]/pivot, 1)
		w.b[j], w.cost[j] = b, cost
		at := len(order)
		order = append(order, j)
		for ; at > 0 && w.cost[order[at-1]] > cost; at-- {
			order[at] = order[at-1]
		}
		order[at] = j
		square *= w.weight[n.terms[j]]
		at = len(weighted)
		weighted = append(weighted, square)
		for ; at > 0 && weighted[at-1] > square; at-- {
			weighted[at] = weighted[at-1]
		}
		weighted[at] = square
		if q+cost < w.cut[size] {
			w.offer(set&^bit(n.terms[j]), q+cost)
		}
	}
	r := len(order)
	w.models += int64(r)
	sum := weighted[0]
	for dropped := 2; dropped <= r; dropped++ {
		sum += weighted[dropped-1]
		bound := q + math.Max(sum, w.cost[order[dropped-1]])
		k := size + 1 - dropped
		if bound >= w.cut[k] {
			continue
		}
		if !w.stopped {
			return true
		}
		w.open[k] = math.Min(w.open[k], bound)
	}
	return false
}

// child returns the i-th child of n, which has been looked at last.
func (w *walker) child(n *node, i int) *node {
	m, r := n.m, n.m-i-1
	c := w.levels[r]
	c.q, c.fixed, c.f = n.q+n.cost[i], n.fixed, n.f+i
	for _, t := range n.terms[:i] {
		c.fixed |= bit(t)
	}
	row := n.a[i*m : i*m+m]
	pivot := row[i]
	order := w.order[:r]
	for x, j := range order {
		x = r - 1 - x
		c.terms[x], c.b[x], c.cost[x] = n.terms[j], w.b[j], w.cost[j]
		f := row[j] / pivot
		from := n.a[j*m : j*m+m]
		to := c.a[x*r : x*r+r]
		for y, k := range order {
			to[r-1-y] = from[k] - f*row[k]
		}
	}
	return c
}
