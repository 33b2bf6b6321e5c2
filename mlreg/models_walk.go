package mlreg

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/enumerate"
)

// walk is a model that changes by one term at a time: a column or a group of them.
type walk struct {
	state *enumerate.Sweeper
	units *termUnits // nil if every column is a term
	prior []float64  // with units: log2 p(model) by number of terms
	has   []bool     // with units: by term
	d     int        // number of terms
	size  int        // of them in the model
}

func (s *scored) newWalk() *walk {
	w := &walk{state: enumerate.NewSweeper(&s.Problem), units: s.units, d: s.count()}
	if s.units != nil {
		w.has = make([]bool, w.d)
		for _, l := range s.logPrior {
			w.prior = append(w.prior, l/math.Ln2)
		}
	}
	return w
}

// in tells whether a term is in the model.
func (w *walk) in(term int) bool {
	if w.units == nil {
		return w.state.In(term + 1)
	}
	return w.has[term]
}

// log2 returns the weight of the model.
func (w *walk) log2() float64 {
	if w.units == nil {
		return w.state.Log2()
	}
	return w.state.Log2() + w.prior[w.size]
}

// flip takes a term in, or out if it is in.
func (w *walk) flip(term int) {
	if w.in(term) {
		w.size--
	} else {
		w.size++
	}
	if w.units == nil {
		w.state.Flip(term + 1)
		return
	}
	w.has[term] = !w.has[term]
	w.state.FlipAll(w.units.rows[term])
}

// log2Flipped returns the weight of the model with a term flipped.
func (w *walk) log2Flipped(term int) float64 {
	if w.units == nil {
		return w.state.Log2Flipped(term + 1)
	}
	size := w.size + 1
	if w.has[term] {
		size = w.size - 1
	}
	rows := w.units.rows[term]
	if len(rows) == 1 {
		return w.state.Log2Flipped(rows[0]) + w.prior[size]
	}
	return w.state.Log2FlippedAll(rows) + w.prior[size]
}

// log2Swapped returns the weight of the model with two terms flipped, of which one is in.
func (w *walk) log2Swapped(out, in int) float64 {
	if w.units == nil {
		return w.state.Log2FlippedAll([]int{out + 1, in + 1})
	}
	return w.state.Log2FlippedAll(slices.Concat(w.units.rows[out], w.units.rows[in])) + w.prior[w.size]
}

// allows tells whether the rules allow the model with a term flipped.
func (w *walk) allows(term int) bool {
	if w.units == nil {
		return true
	}
	w.has[term] = !w.has[term]
	ok := w.allowed(term)
	w.has[term] = !w.has[term]
	return ok
}

// swaps tells whether the rules allow the model without a term of it and with another.
func (w *walk) swaps(out, in int) bool {
	if w.units == nil {
		return true
	}
	w.has[out], w.has[in] = false, true
	ok := w.allowed(in) && w.allowed(out)
	w.has[out], w.has[in] = true, false
	return ok
}

// allowed tells whether a term, and those that need it, have what they need.
func (w *walk) allowed(term int) bool {
	for k, margins := range w.units.margins {
		if w.has[k] && (k == term || slices.Contains(margins, term)) && !w.units.has(k, w.in) {
			return false
		}
	}
	return true
}

// sets returns the sets of terms that are looked at.
func (w *walk) sets() [][]int {
	if w.units == nil {
		return nil
	}
	return w.units.sets
}

// climb flips the term that raises the weight most until none does.
func (w *walk) climb() {
	if w.units == nil {
		w.state.Climb(2*w.d, func(int, float64) {})
		w.size = w.state.Size()
		return
	}
	for range 2 * w.d {
		at, top := -1, w.log2()
		for k := range w.d {
			if !w.allows(k) {
				continue
			}
			if l := w.log2Flipped(k); l > top+1e-9 {
				at, top = k, l
			}
		}
		if at < 0 {
			return
		}
		w.flip(at)
	}
}
