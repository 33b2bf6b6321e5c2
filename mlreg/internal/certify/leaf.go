package certify

import (
	"math"
	"math/bits"

	"github.com/regbook/regbook/mlreg/internal/enumerate"
)

// leafColumns and leafUnits are the numbers of free columns, and of free units if some have several columns,
// up to which a subtree is summed.
const (
	leafColumns = 11
	leafUnits   = 7
)

// isLeaf tells whether the subtree of a node is to be summed.
func (w *workspace) isLeaf(nd *node) bool {
	if w.p.single {
		return len(nd.free) <= w.p.leaf
	}
	return len(nd.free) <= min(leafUnits, w.p.leaf)
}

// leafSum is the exact sum over a subtree.
type leafSum struct {
	log       float64
	inclusion []float64 // shares of the sum, by free unit
	best      uint32    // the subset of free units of the largest weight
	// With averages: shares of pairs of free units, packed with the units, and mean coefficients by column of the problem.
	pairs, means []float64
}

// leafRoom is what sums over subtrees need.
type leafRoom struct {
	problem enumerate.Problem
	own     []float64
	scores  []float64
	levels  [][]float64
}

// sum computes the sum over the subtree of a node whose numbers are loaded.
func (w *workspace) sum(nd *node) leafSum {
	if len(nd.free) == 0 {
		log := w.logConstant(nd) - nd.component.phi*w.q
		if w.p.size != nil {
			log += w.p.size[w.k0]
		}
		s := leafSum{log: log}
		if w.p.average {
			s.means = w.leafAverages(nil)
		}
		return s
	}
	if w.p.single {
		return w.sumColumns(nd)
	}
	return w.sumUnits(nd)
}

// sumColumns has package enumerate sum, for units of one column.
func (w *workspace) sumColumns(nd *node) leafSum {
	constant := w.logConstant(nd)
	r := w.enumerate(nd, (nd.logL-constant)/math.Ln2, enumerate.Settings{Best: 1, Moments: w.p.average})
	s := leafSum{log: constant + math.Ln2*(r.Ref+math.Log2(r.W)), best: r.Best[0].Subset}
	for _, v := range r.Incl {
		s.inclusion = append(s.inclusion, v/r.W)
	}
	if w.p.average {
		for _, v := range r.Pair {
			s.pairs = append(s.pairs, v/r.W)
		}
		for i := range r.Mean {
			r.Mean[i] /= r.W
		}
		s.means = w.leafAverages(r.Mean)
	}
	return s
}

// enumerate sums relative to 2^ref, without the constant of the node.
func (w *workspace) enumerate(nd *node, ref float64, settings enumerate.Settings) *enumerate.Result {
	m, room := w.m, &w.leaf
	p := &room.problem
	*p = enumerate.Problem{D: m, Rate: -nd.component.phi / math.Ln2, Det: w.p.det, M: append(p.M[:0], w.q), Size: p.Size[:0], VarSlope: make([]float64, m+1)}
	for i := range m {
		p.M = append(append(p.M, w.b[i]), w.g[i*m:i*m+i+1]...)
	}
	for k := range m + 1 {
		var size float64
		if w.p.size != nil {
			size = w.p.size[w.k0+k] / math.Ln2
		}
		p.Size = append(p.Size, size)
	}
	room.own = room.own[:0]
	for _, k := range w.free {
		room.own = append(room.own, w.p.own[k]/math.Ln2)
	}
	return enumerate.RunFrom(p, ref, room.own, settings)
}

// sumUnits sums over units of any number of columns.
func (w *workspace) sumUnits(nd *node) leafSum {
	scores := w.scoreAll(nd)
	s := leafSum{log: math.Inf(-1), inclusion: make([]float64, len(nd.free))}
	for subset, l := range scores {
		if l > scores[s.best] {
			s.best = uint32(subset)
		}
	}
	top, total := scores[s.best], 0.0
	for subset, l := range scores {
		v := math.Exp(l - top)
		total += v
		for b := uint32(subset); b != 0; b &= b - 1 {
			s.inclusion[bits.TrailingZeros32(b)] += v
		}
	}
	for k := range s.inclusion {
		s.inclusion[k] /= total
	}
	s.log = top + math.Log(total)
	if w.p.average {
		w.averageUnits(nd, scores, s.log, &s)
	}
	return s
}

// members returns the units of a subset.
func members(subset uint32) (t []int) {
	for b := subset; b != 0; b &= b - 1 {
		t = append(t, bits.TrailingZeros32(b))
	}
	return t
}

// averageUnits sets pairs and means of a sum over units.
func (w *workspace) averageUnits(nd *node, scores []float64, log float64, s *leafSum) {
	s.pairs = make([]float64, enumerate.Tri(len(nd.free)))
	mean := make([]float64, w.m)
	for subset, l := range scores {
		share := math.Exp(l - log)
		if share == 0 {
			continue
		}
		t := members(uint32(subset))
		for i, k := range t {
			for _, o := range t[:i+1] {
				s.pairs[enumerate.Tri(k)+o] += share
			}
		}
		chosen, z := w.coefficients(w.measure(t).columns)
		for i, j := range chosen {
			mean[j] += share * z[i]
		}
	}
	s.means = w.leafAverages(mean)
}

// leafScores returns the log weights of the subsets of the free units of a leaf, less a number.
func (w *workspace) leafScores(nd *node) []float64 {
	if len(nd.free) == 0 {
		return []float64{0}
	}
	if !w.p.single {
		return w.scoreAll(nd)
	}
	scores := w.enumerate(nd, (nd.logL-w.logConstant(nd))/math.Ln2, enumerate.Settings{Scores: true}).Scores
	for i := range scores {
		scores[i] *= math.Ln2
	}
	return scores
}

// scoreAll returns the log weights of the subsets of the free units, one by one.
func (w *workspace) scoreAll(nd *node) []float64 {
	units, n := len(nd.free), w.m+1
	room := &w.leaf
	for len(room.levels) <= units {
		room.levels = append(room.levels, make([]float64, (w.p.columns+1)*(w.p.columns+1)))
	}
	a := room.levels[units]
	for i := range w.m {
		copy(a[i*n:], w.g[i*w.m:(i+1)*w.m])
		a[i*n+w.m] = w.b[i]
	}
	a[n*n-1] = w.q
	room.scores = append(room.scores[:0], make([]float64, 1<<units)...)
	w.scoreSubsets(nd, a, n, 0, 0, w.logConstant(nd))
	return room.scores
}

// scoreSubsets sets the scores of the subset with any of the free units from the k-th on; a is the
// matrix of order n of these and the response that elimination of the subset leaves.
func (w *workspace) scoreSubsets(nd *node, a []float64, n, k int, subset uint32, log float64) {
	if k == len(w.free) {
		if w.p.size != nil {
			log += w.p.size[w.k0+bits.OnesCount32(subset)]
		}
		w.leaf.scores[subset] = log - nd.component.phi*a[n*n-1]
		if !w.allows(members(subset)) {
			w.leaf.scores[subset] = math.Inf(-1)
		}
		return
	}
	width := w.start[k+1] - w.start[k]
	next := w.leaf.levels[k]
	with := log + w.p.own[w.free[k]]
	for _, in := range []bool{false, true} {
		if in { // the unit's columns are the first
			if !eliminate(a, n, width) {
				panic("certify: elimination failed where rounding was bounded")
			}
			for j := range width {
				if w.p.det {
					with -= math.Log(a[j*n+j])
				}
			}
			log, subset = with, subset|1<<k
		}
		rest := n - width
		for i := range rest {
			copy(next[i*rest+i:i*rest+rest], a[(i+width)*n+i+width:(i+width)*n+n])
		}
		w.scoreSubsets(nd, next, rest, k+1, subset, log)
	}
}
