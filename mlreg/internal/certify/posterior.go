package certify

import (
	"math"
	"math/rand/v2"
	"slices"
)

// posterior returns independent draws from the normalized weights, n of them or as many as a number of proposals gives. A proposal
// is an open node in proportion to U or a leaf in proportion to its sum, and a subset by its law; it is accepted with
// probability X, that of a leaf always. Draws are those of the weights as computed, which are right to the rounding stated.
func (s *sampler) posterior(n, proposals int) [][]int {
	weights, ref := slices.Clone(s.weights), s.logU
	if len(s.nodes) == 0 || s.exact.log() > ref {
		ref = s.exact.log()
		for i := range weights {
			weights[i] *= math.Exp(s.logU - ref)
		}
	}
	for _, l := range s.pools {
		weights = append(weights, math.Exp(l.log-ref))
	}
	if len(weights) == 0 {
		return nil
	}
	pick, r := newAlias(weights), s.stream()
	w := s.rooms.take().own
	defer s.rooms.give()
	var draws [][]int
	for done := 0; len(draws) < n && done < proposals; done += proposalBatch {
		batch := min(proposalBatch, proposals-done)
		byNode := make(map[int][]int)
		for i := range batch {
			k := pick.draw(r)
			byNode[k] = append(byNode[k], i)
		}
		accepted := make([][]int, batch) // by proposal, so that those that are kept do not depend on their node
		nodes := make([]int, 0, len(byNode))
		for k := range byNode {
			nodes = append(nodes, k)
		}
		slices.Sort(nodes)
		for _, k := range nodes {
			if k < len(s.nodes) {
				s.propose(w, s.nodes[k], byNode[k], accepted, r)
			} else {
				s.pools[k-len(s.nodes)].draw(w, byNode[k], accepted, r)
			}
		}
		for _, t := range accepted {
			if t != nil && len(draws) < n {
				draws = append(draws, t)
			}
		}
	}
	return draws
}

// proposalBatch is the number of proposals that are sorted by node.
const proposalBatch = 8192

// propose draws from the law of an open node.
func (s *sampler) propose(w *workspace, nd *node, at []int, accepted [][]int, r *rand.PCG) {
	start := w.prepareDraws(nd)
	var t []int
	for _, i := range at {
		t = w.law.draw(r, len(nd.free), t[:0])
		if x, _ := w.ratio(nd, start, t); uniform(r) < x {
			accepted[i] = w.units(t)
		}
	}
}

// draw draws from the subsets of a leaf.
func (l *leafNode) draw(w *workspace, at []int, accepted [][]int, r *rand.PCG) {
	nd := &node{component: l.component, in: l.in, free: l.free, logL: l.log}
	w.load(l.in, l.free)
	scores := w.leafScores(nd)
	top := slices.Max(scores)
	cumulative, sum := make([]float64, len(scores)), 0.0
	for i, v := range scores {
		sum += math.Exp(v - top)
		cumulative[i] = sum
	}
	for _, i := range at {
		k, _ := slices.BinarySearch(cumulative, uniform(r)*sum)
		accepted[i] = w.units(members(uint32(min(k, len(scores)-1))))
	}
}

// uniform returns a number from [0, 1), a multiple of 2^-53.
func uniform(r *rand.PCG) float64 { return float64(r.Uint64()>>11) * 0x1p-53 }

// units returns the units of a subset of the free ones, with those in, ascending.
func (w *workspace) units(t []int) []int {
	all := make([]int, 0, len(w.in)+len(t))
	for _, k := range w.in {
		all = append(all, int(k))
	}
	for _, k := range t {
		all = append(all, int(w.free[k]))
	}
	slices.Sort(all)
	return all
}
