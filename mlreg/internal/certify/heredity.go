package certify

import (
	"math"
	"slices"
)

// Rules leave subsets out of the sum: a unit with needs stands in a subset with all of them, or, if one is true, with at least one. Bounds of
// sums over more subsets hold for fewer; draws that are left out have X = 0, leaves do not sum them, and bounds below let units that still need
// something be out. A child without a unit has none that needs it, and a unit that needs something undecided is not split on.

// needsOf returns the needs of unit k.
func (p *problem) needsOf(k int16) []int {
	if p.needs == nil {
		return nil
	}
	return p.needs[k]
}

// unmet returns for every free unit the places among the free ones of what it needs still; nil if it needs nothing.
func (p *problem) unmet(in, free []int16) [][]int {
	if p.needs == nil {
		return nil
	}
	place := make(map[int]int)
	for i, k := range free {
		place[int(k)] = i
	}
	has := make(map[int]bool)
	for _, k := range in {
		has[int(k)] = true
	}
	all := make([][]int, len(free))
	for i, k := range free {
		needs := p.needsOf(k)
		if p.one && slices.ContainsFunc(needs, func(n int) bool { return has[n] }) {
			continue
		}
		for _, n := range needs {
			if at, ok := place[n]; ok {
				all[i] = append(all[i], at)
			}
		}
	}
	return all
}

// allows tells whether a subset of the free units, ascending, has what they need.
func (w *workspace) allows(t []int) bool {
	if w.unmet == nil {
		return true
	}
	for _, k := range t {
		missing := w.unmet[k]
		if len(missing) == 0 {
			continue
		}
		in := func(n int) bool { _, ok := slices.BinarySearch(t, n); return ok }
		if w.p.one && !slices.ContainsFunc(missing, in) || !w.p.one && slices.ContainsFunc(missing, func(n int) bool { return !in(n) }) {
			return false
		}
	}
	return true
}

// allowed tells whether a subset of all units has what they need.
func (p *problem) allowed(units []int) bool {
	in := func(n int) bool { return slices.Contains(units, n) }
	for _, k := range units {
		needs := p.needsOf(int16(k))
		switch {
		case len(needs) == 0:
		case p.one && !slices.ContainsFunc(needs, in), !p.one && slices.ContainsFunc(needs, func(n int) bool { return !in(n) }):
			return false
		}
	}
	return true
}

// remaining returns the free units of the child without the k-th, or with it: those that cannot be met any more are left out.
func (p *problem) remaining(nd *node, k int, in bool) []int16 {
	free := append(append(make([]int16, 0, len(nd.free)), nd.free[:k]...), nd.free[k+1:]...)
	if p.needs == nil || in {
		return free
	}
	for gone := -1; gone != 0; {
		before := len(free)
		met := func(n int) bool { return slices.Contains(nd.in, int16(n)) || slices.Contains(free, int16(n)) }
		free = slices.DeleteFunc(slices.Clone(free), func(u int16) bool {
			needs := p.needsOf(u)
			if p.one {
				return len(needs) > 0 && !slices.ContainsFunc(needs, met)
			}
			return slices.ContainsFunc(needs, func(n int) bool { return !met(n) })
		})
		gone = before - len(free)
	}
	return free
}

// resolve returns the unit to split on: the one of the largest slack, to which the share of forbidden subsets adds for what others need, in
// nats; what a unit needs comes before it.
func (w *workspace) resolve(slack []float64) int {
	for k, missing := range w.unmet {
		for _, n := range missing {
			slack[n] -= math.Log1p(-w.law.inclusion[k] * (1 - w.law.inclusion[n]) * (1 - 1e-9))
		}
	}
	at := 0
	for k, v := range slack {
		if v > slack[at] {
			at = k
		}
	}
	for at < len(w.unmet) && len(w.unmet[at]) > 0 {
		at = w.unmet[at][0]
	}
	return at
}
