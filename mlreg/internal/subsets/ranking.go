package subsets

import (
	"math"
	"math/bits"
	"slices"
)

// ranking is the best models found so far and what is left to beat.
type ranking struct {
	p    *Problem
	best [][]Model
	// cut is the Q, by size, at or above which a model is not looked for: that
	// of the last model kept, less the differences that count as ties; minus
	// infinity for a size that is not wanted. from[k] is the largest cut of the
	// sizes from k on.
	cut, from []float64
}

func newRanking(p *Problem) *ranking {
	lists := 1
	if p.Mult == nil {
		lists = p.D + 1
	}
	r := &ranking{p: p, best: make([][]Model, lists), cut: make([]float64, p.D+1), from: make([]float64, p.D+1)}
	for k := range r.cut {
		r.cut[k] = math.Inf(-1)
		if k >= p.Least && k <= p.Most {
			r.cut[k] = math.Inf(1)
		}
	}
	r.update()
	return r
}

// clone returns a copy that changes by itself.
func (r *ranking) clone() *ranking {
	c := *r
	c.cut, c.from = slices.Clone(r.cut), slices.Clone(r.from)
	c.best = make([][]Model, len(r.best))
	for i, list := range r.best {
		c.best[i] = slices.Clone(list)
	}
	return &c
}

func (r *ranking) update() {
	high := math.Inf(-1)
	for k := r.p.D; k >= 0; k-- {
		high = math.Max(high, r.cut[k])
		r.from[k] = high
	}
}

// offer takes a model if it is among the best. Perfect fits are equal; of equal
// scores the set that is the smaller number is first.
func (r *ranking) offer(set uint64, q float64) {
	k := bits.OnesCount64(set)
	if math.IsInf(r.cut[k], -1) {
		return
	}
	if q < Floor {
		q = 0
	}
	m := Model{Set: set, Q: q, Score: r.p.score(k, q)}
	list := 0
	if len(r.best) > 1 {
		list = k
	}
	best := r.best[list]
	if len(best) == r.p.Best && !m.before(best[len(best)-1]) {
		return
	}
	if slices.ContainsFunc(best, func(o Model) bool { return o.Set == set }) {
		return
	}
	at, _ := slices.BinarySearchFunc(best, m, func(o, m Model) int {
		if o.before(m) {
			return -1
		}
		return 1
	})
	best = slices.Insert(best, at, m)
	if len(best) > r.p.Best {
		best = best[:r.p.Best]
	}
	r.best[list] = best
	if len(best) < r.p.Best {
		return
	}
	last := best[len(best)-1].Score
	if len(r.best) > 1 {
		r.lower(k, last)
	} else {
		for k := range r.cut {
			r.lower(k, last)
		}
	}
	r.update()
}

func (r *ranking) lower(k int, score float64) {
	if !math.IsInf(r.cut[k], -1) {
		t := r.p.threshold(k, score)
		r.cut[k] = t - Floor - ties*math.Abs(t)
	}
}

// before tells whether m ranks before o.
func (m Model) before(o Model) bool {
	if m.Score != o.Score {
		return m.Score < o.Score
	}
	return m.Set < o.Set
}

// merge takes what another ranking of the problem found.
func (r *ranking) merge(o *ranking) {
	for _, list := range o.best {
		for _, m := range list {
			r.offer(m.Set, m.Q)
		}
	}
}
