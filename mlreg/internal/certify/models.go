package certify

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Model is a subset and what is known of its share of the sum.
type Model struct {
	Units []int // ascending
	// LogWeight is the log of w(T); Share brackets w(T)/sum w.
	LogWeight float64
	Share     Interval
}

// collection holds the models of the largest weight that were seen.
type collection struct {
	p      *problem
	w      *workspace
	k      int
	models []Model         // the best first
	seen   map[string]bool // those whose neighbors were looked at
	tried  int
}

// wants tells whether a model of that weight may be among the best.
func (c *collection) wants(log float64) bool {
	return len(c.models) < c.k || c.k > 0 && log > c.models[c.k-1].LogWeight
}

// offer takes a model in if it is among the best and not there yet.
func (c *collection) offer(units []int, log float64) {
	if !c.wants(log) {
		return
	}
	m := Model{Units: slices.Clone(units), LogWeight: log}
	slices.Sort(m.Units)
	at, _ := slices.BinarySearchFunc(c.models, m, func(a, b Model) int {
		return cmp.Or(cmp.Compare(b.LogWeight, a.LogWeight), slices.Compare(a.Units, b.Units))
	})
	for _, o := range c.models { // its weight may have been rounded another way
		if slices.Equal(o.Units, m.Units) {
			return
		}
	}
	c.models = slices.Insert(c.models, at, m)
	c.models = c.models[:min(len(c.models), c.k)]
}

// mostNeighbors is the number of models that climb looks at.
const mostNeighbors = 20000

// climb looks at the neighbors of the models, the best first, until each model of the list was looked at: all that differ by a
// unit, or by one for another. So no neighbor of a model in the list is better than the last, unless there are too many to look at.
func (c *collection) climb() {
	if c.k > 0 && len(c.models) == 0 {
		c.try(nil)
	}
	for c.tried < mostNeighbors {
		at := slices.IndexFunc(c.models, func(m Model) bool { return !c.seen[fmt.Sprint(m.Units)] })
		if at < 0 {
			return
		}
		m := c.models[at]
		if c.seen == nil {
			c.seen = make(map[string]bool)
		}
		c.seen[fmt.Sprint(m.Units)] = true
		for k := range c.p.units {
			i, in := slices.BinarySearch(m.Units, k)
			if in {
				c.try(slices.Delete(slices.Clone(m.Units), i, i+1))
				continue
			}
			with := slices.Insert(slices.Clone(m.Units), i, k)
			c.try(with)
			for _, out := range m.Units {
				c.try(slices.DeleteFunc(slices.Clone(with), func(u int) bool { return u == out }))
			}
		}
	}
}

// try offers a model if it is allowed.
func (c *collection) try(units []int) {
	c.tried++
	if c.p.allowed(units) {
		c.offer(units, c.w.logWeight(units))
	}
}

// offerLeaf offers the best model of a leaf.
func (c *collection) offerLeaf(nd *node, s *leafSum) {
	if c.k == 0 {
		return
	}
	var units []int
	for _, k := range nd.in {
		units = append(units, int(k))
	}
	for b := s.best; b != 0; b &= b - 1 {
		units = append(units, int(nd.free[bits.TrailingZeros32(b)]))
	}
	c.offer(units, c.w.logWeight(units))
}

// logWeight returns the log of w(T), without offset, all components together.
func (w *workspace) logWeight(units []int) float64 {
	in := make([]int16, len(units))
	for i, k := range units {
		in[i] = int16(k)
	}
	slices.Sort(in)
	w.load(in, nil)
	return w.logTotal(w.q, w.logDet, w.ownIn, len(in))
}

// logTotal is log w for a Q, log det, sum of Own and number of units.
func (w *workspace) logTotal(q, logDet, own float64, k int) float64 {
	log := own
	if w.p.size != nil {
		log += w.p.size[k]
	}
	if w.p.det {
		log -= logDet / 2
	}
	if w.p.power != 0 {
		return log + w.p.power*math.Log(q)
	}
	return log - w.p.parts[0].phi*q
}
