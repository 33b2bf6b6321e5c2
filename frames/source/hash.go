package source

import (
	"cmp"
	"container/heap"
	"slices"
)

// hash mixes a number with a seed (SplitMix64: Steele, Lea and Flood 2014, OOPSLA,
// figure 15).
func hash(seed, v uint64) uint64 {
	z := seed + (v+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// hashText mixes a text with a seed (FNV-1a, then hash).
func hashText(seed uint64, s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return hash(seed, h)
}

// bottom draws n numbers without replacement from those it is shown: those of the
// smallest hash.
type bottom struct {
	n     int
	seed  uint64
	drawn byHash
}

type drawn struct {
	hash  uint64
	row   int
	place int
}

func newBottom(n int, seed uint64) *bottom { return &bottom{n: n, seed: hash(seed, 0x5eed)} }

// take says whether a row is drawn, for now, and the place that its values go to.
func (b *bottom) take(row int) (place int, ok bool) {
	h := hash(b.seed, uint64(row))
	if place = len(b.drawn); place < b.n {
		heap.Push(&b.drawn, drawn{h, row, place})
		return place, true
	}
	if h >= b.drawn[0].hash {
		return 0, false
	}
	place = b.drawn[0].place
	b.drawn[0] = drawn{h, row, place}
	heap.Fix(&b.drawn, 0)
	return place, true
}

// order returns the places of the rows drawn, in the order of the rows.
func (b *bottom) order() []int {
	byRow := slices.SortedFunc(slices.Values(b.drawn), func(a, b drawn) int { return cmp.Compare(a.row, b.row) })
	places := make([]int, len(byRow))
	for i, d := range byRow {
		places[i] = d.place
	}
	return places
}

// byHash is a heap of rows, the largest hash first.
type byHash []drawn

func (h byHash) Len() int           { return len(h) }
func (h byHash) Less(i, j int) bool { return h[i].hash > h[j].hash }
func (h byHash) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byHash) Push(d any)        { *h = append(*h, d.(drawn)) }
func (h *byHash) Pop() any          { panic("source: rows are replaced, not taken out") }
