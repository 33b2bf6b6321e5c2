package certify

import "github.com/regbook/regbook/mlreg/internal/gram"

// child returns the node that has the k-th free unit of nd in, or out, with D, v and u of the
// parent, and its bounds computed in w; nd is loaded in parent.
func (w *workspace) child(nd *node, parent *workspace, k int, in bool) *node {
	c := &node{component: nd.component, in: nd.in}
	c.free = w.p.remaining(nd, k, in)
	if in {
		c.in = append(append(make([]int16, 0, len(nd.in)+1), nd.in...), nd.free[k])
	}
	kept := parent.keep(nil, c.free)
	c.d, c.u, c.v = gram.Take(nd.d, kept), gram.Take(nd.u, kept), nil
	if nd.v != nil {
		c.v = gram.Take(nd.v, kept)
	}
	w.loadChild(parent, c, k, in)
	w.solveFor(c)
	w.descend(c, 1)
	w.seal(c)
	return c
}
