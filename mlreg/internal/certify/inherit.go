package certify

// child returns the node that has the k-th free unit of nd in, or out, with D, v and u of the
// parent, and its bounds computed in w; nd is loaded in parent.
func (w *workspace) child(nd *node, parent *workspace, k int, in bool) *node {
	c := &node{component: nd.component, in: nd.in}
	c.free = make([]int16, 0, len(nd.free)-1)
	c.free = append(append(c.free, nd.free[:k]...), nd.free[k+1:]...)
	if in {
		c.in = append(append(make([]int16, 0, len(nd.in)+1), nd.in...), nd.free[k])
	}
	from, to := parent.start[k], parent.start[k+1]
	c.d, c.u, c.v = without(nd.d, from, to), without(nd.u, from, to), without(nd.v, from, to)
	w.loadChild(parent, c.free, k, in)
	w.solveFor(c)
	w.descend(c, 1)
	w.seal(c)
	return c
}

// without returns a copy of v without some elements; that of nil is nil.
func without(v []float64, from, to int) []float64 {
	if v == nil {
		return nil
	}
	return append(append(make([]float64, 0, len(v)-to+from), v[:from]...), v[to:]...)
}
