package source

import (
	"slices"
	"sort"
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
	n    int
	seed uint64
	heap []drawn // the largest hash first
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
	if len(b.heap) < b.n {
		b.heap = append(b.heap, drawn{h, row, len(b.heap)})
		for i := len(b.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if !b.larger(i, up) {
				break
			}
			b.heap[i], b.heap[up] = b.heap[up], b.heap[i]
			i = up
		}
		return len(b.heap) - 1, true
	}
	if h >= b.heap[0].hash {
		return 0, false
	}
	place = b.heap[0].place
	b.heap[0] = drawn{h, row, place}
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(b.heap) {
			break
		}
		if child+1 < len(b.heap) && b.larger(child+1, child) {
			child++
		}
		if !b.larger(child, i) {
			break
		}
		b.heap[i], b.heap[child] = b.heap[child], b.heap[i]
		i = child
	}
	return place, true
}

func (b *bottom) larger(i, j int) bool { return b.heap[i].hash > b.heap[j].hash }

// order returns the places of the rows drawn, in the order of the rows.
func (b *bottom) order() []int {
	all := slices.Clone(b.heap)
	sort.Slice(all, func(i, j int) bool { return all[i].row < all[j].row })
	places := make([]int, len(all))
	for i, d := range all {
		places[i] = d.place
	}
	return places
}
