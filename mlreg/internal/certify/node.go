package certify

import "math"

// node is a set of subsets, of one component: some units are in, some free, the others out.
type node struct {
	component *component
	in, free  []int16
	// Of the columns of the free units, in order: D and u of statement 2, and v of statement 4, nil without determinants.
	d, u, v []float64
	base    float64 // log weight of the bound without sizes and odds
	logU    float64 // log of the bound
	logL    float64 // log of a bound below
	logGap  float64 // log of what is not known of the sum
	split   int     // the free unit to split on
	refined bool
	order   int // in which nodes were made, to tell equals apart
}

// setLower sets the bound below, and the gap.
func (nd *node) setLower(log float64) {
	nd.logL = math.Min(log, nd.logU)
	nd.logGap = logDifference(nd.logU, nd.logL)
}

// logDifference returns log(e^u - e^l), and not less than 40 below u.
func logDifference(u, l float64) float64 {
	if l >= u {
		return u - 40
	}
	return u + math.Max(math.Log(-math.Expm1(l-u)), -40)
}

// logAdd returns log(e^a + e^b).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// bytes is the memory of an open node.
func (p *problem) bytes() int {
	vectors := 2
	if p.det {
		vectors = 3
	}
	return 200 + 8*vectors*p.columns + 2*len(p.units)
}

// leafBytes is the memory of a leaf that is kept.
func (p *problem) leafBytes() int { return 96 + 2*len(p.units) }

// leastMemory is that of the roots and of one batch of children.
func (p *problem) leastMemory() int { return p.bytes() * (len(p.parts) + 2*batchSize) }

// workspace is what one goroutine needs: the numbers of a node, and room to compute.
type workspace struct {
	p *problem

	// The node: what elimination of the columns in leaves, in the order of the free units.
	in      []int16 // if it was loaded, not made from a parent
	free    []int16
	m       int       // free columns
	start   []int     // first column of each free unit, and m
	columns []int     // of the problem
	g, b    []float64 // order m
	root    []float64 // of the diagonal of g
	q       float64
	logDet  float64
	ownIn   float64 // sum of Own of the units in
	k0, s   int     // units and columns in
	unmet   [][]int // by free unit, nil without rules

	// A point beta, and the bound there.
	beta, u, odds    []float64
	form             float64 // beta'(G - D) beta
	law              *law
	t, inverse, full []float64 // m x m, m x m, (columns+1)^2
	direction, shift []float64
	best             []float64
	means, rest      []float64
	sizes            []float64
	kept             [4][]float64
	chosen           []int // columns of a draw
	leaf             leafRoom
	back             backward
}

func newWorkspace(p *problem) *workspace {
	d := p.columns
	w := &workspace{p: p, start: make([]int, 0, len(p.units)+1), columns: make([]int, 0, d),
		law: newLaw(len(p.units), p.size != nil)}
	for _, v := range []*[]float64{&w.b, &w.root, &w.beta, &w.u, &w.odds, &w.shift, &w.best, &w.means, &w.rest} {
		*v = make([]float64, d)
	}
	for i := range w.kept {
		w.kept[i] = make([]float64, d)
	}
	w.sizes, w.chosen = make([]float64, len(p.units)), make([]int, 0, d)
	w.direction = make([]float64, d+2)
	w.g, w.t, w.inverse = make([]float64, d*d), make([]float64, d*d), make([]float64, d*d)
	w.full = make([]float64, (d+1)*(d+1))
	if p.average {
		w.back = backward{make([]int, 0, d), make([]float64, 0, d), make([]float64, 0, d*d)}
	}
	return w
}

// load computes the numbers of a node from the problem.
func (w *workspace) load(in, free []int16) {
	w.setFree(free)
	w.in, w.k0, w.ownIn, w.logDet = in, len(in), 0, 0
	w.unmet = w.p.unmet(in, free)
	order := make([]int, 0, w.p.columns+1)
	for _, k := range in {
		order = append(order, w.p.units[k]...)
		w.ownIn += w.p.own[k]
	}
	s := len(order)
	w.s = s
	order = append(append(order, w.columns...), w.p.columns)
	n, stride := len(order), w.p.columns+1
	for i, a := range order {
		row := w.full[i*n : i*n+n]
		from := w.p.cross[a*stride : a*stride+stride]
		for j := i; j < n; j++ {
			row[j] = from[order[j]]
		}
	}
	w.reduce(n, s)
}

// loadChild computes the numbers of the child of the node at parent that has the k-th free unit
// in, or out.
func (w *workspace) loadChild(parent *workspace, c *node, k int, in bool) {
	w.setFree(c.free)
	w.unmet = w.p.unmet(c.in, c.free)
	w.k0, w.s, w.ownIn, w.logDet = parent.k0, parent.s, parent.ownIn, parent.logDet
	order, s := make([]int, 0, parent.m+1), 0
	from, to := parent.start[k], parent.start[k+1]
	if in {
		w.k0++
		w.ownIn += w.p.own[parent.free[k]]
		for j := from; j < to; j++ {
			order = append(order, j)
		}
		s = to - from
		w.s += s
	}
	order = parent.keep(order, c.free)
	n := len(order) + 1
	for i, a := range order {
		row := w.full[i*n : i*n+n]
		g := parent.g[a*parent.m : (a+1)*parent.m]
		for j := i; j < n-1; j++ {
			row[j] = g[order[j]]
		}
		row[n-1] = parent.b[a]
	}
	w.full[n*n-1] = parent.q
	w.reduce(n, s)
}

// keep appends the places of the columns of some of the free units, in their order.
func (w *workspace) keep(places []int, units []int16) []int {
	next := 0
	for k, unit := range w.free {
		if next < len(units) && units[next] == unit {
			next++
			for j := w.start[k]; j < w.start[k+1]; j++ {
				places = append(places, j)
			}
		}
	}
	return places
}

func (w *workspace) setFree(free []int16) {
	w.free, w.start, w.columns = free, w.start[:0], w.columns[:0]
	for _, k := range free {
		w.start = append(w.start, len(w.columns))
		w.columns = append(w.columns, w.p.units[k]...)
	}
	w.m = len(w.columns)
	w.start = append(w.start, w.m)
}

// reduce eliminates s rows of the n of full, and takes over what is left.
func (w *workspace) reduce(n, s int) {
	if !eliminate(w.full, n, s) || !(w.full[n*n-1] > 0) {
		panic("certify: elimination failed where rounding was bounded")
	}
	for k := range s {
		w.logDet += 2 * math.Log(w.full[k*n+k])
	}
	m := w.m
	for i := range m {
		row := w.full[(s+i)*n+s : (s+i)*n+n]
		for j := i; j < m; j++ {
			w.g[i*m+j], w.g[j*m+i] = row[j], row[j]
		}
		w.b[i], w.root[i] = row[m], math.Sqrt(row[i])
	}
	w.q = w.full[n*n-1]
}
