package enumerate

import (
	"cmp"
	"math"
	"slices"
)

// Model is a subset and the log2 of its weight.
type Model struct {
	Subset uint32
	Log2   float64
}

// order sorts models by falling weight, then by subset.
func order(a, b Model) int {
	return cmp.Or(cmp.Compare(b.Log2, a.Log2), cmp.Compare(a.Subset, b.Subset))
}

// ranking holds the k best of the models offered to it, best first.
type ranking struct {
	k      int
	models []Model
	least  float64 // weights below are of no interest
}

func newRanking(k int, least float64) ranking { return ranking{k: k, least: least} }

// offer takes a model in if it is among the best and not there yet.
func (r *ranking) offer(m Model) {
	at, found := slices.BinarySearchFunc(r.models, m, order)
	if found || at >= r.k {
		return
	}
	r.models = slices.Insert(r.models, at, m)
	if len(r.models) > r.k {
		r.models = r.models[:r.k]
	}
	if len(r.models) == r.k {
		r.least = math.Max(r.least, r.models[r.k-1].Log2)
	}
}
