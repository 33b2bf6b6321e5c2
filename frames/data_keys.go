package frames

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
)

// This file turns the values of columns into numbers that sort and equal as the
// values do, sorts rows by them, and numbers the groups of equal rows.

// orderCodes returns numbers for every row that sort as the values of the column do, the
// first ones first; for a missing value they mean nothing.
func (c *column) orderCodes() [][]uint64 {
	switch {
	case c.typ == series.String:
		return [][]uint64{widened(rankedText(numberDistinct(c.text, c.missing)).ids)}
	case c.low != nil:
		return [][]uint64{floatCodes(c.num), floatCodes(c.low)}
	case c.typ == series.Int:
		codes := make([]uint64, len(c.num))
		for i, v := range c.num {
			codes[i] = uint64(int64(v)) ^ 1<<63
		}
		return [][]uint64{codes}
	}
	return [][]uint64{floatCodes(c.num)}
}

// floatCodes returns numbers that sort as the values do; -0 is 0.
func floatCodes(values []float64) []uint64 {
	codes := make([]uint64, len(values))
	for i, v := range values {
		bits := math.Float64bits(v)
		switch {
		case v == 0:
			bits = 1 << 63
		case bits>>63 != 0:
			bits = ^bits
		default:
			bits |= 1 << 63
		}
		codes[i] = bits
	}
	return codes
}

func widened(ids []int32) []uint64 {
	out := make([]uint64, len(ids))
	for i, id := range ids {
		out[i] = uint64(id)
	}
	return out
}

// numbering numbers the distinct values of a column, and those of its rows; -1 is
// a missing value.
type numbering struct {
	ids []int32
	n   int
}

// numberCodes numbers codes by first appearance, and returns the distinct ones.
func numberCodes(codes []uint64, missing []bool) (numbering, []uint64) {
	low, high := uint64(math.MaxUint64), uint64(0)
	for i, c := range codes {
		if !missing[i] {
			low, high = min(low, c), max(high, c)
		}
	}
	if low > high || high-low >= uint64(4*len(codes)+1024) {
		return numberDistinct(codes, missing)
	}
	ids := make([]int32, len(codes))
	var distinct []uint64
	number := make([]int32, high-low+1) // of a code close to the others: 1 + its number, 0 if it is new
	for i, c := range codes {
		if missing[i] {
			ids[i] = -1
			continue
		}
		id := number[c-low] - 1
		if id < 0 {
			id = int32(len(distinct))
			distinct = append(distinct, c)
			number[c-low] = id + 1
		}
		ids[i] = id
	}
	return numbering{ids, len(distinct)}, distinct
}

// numberDistinct numbers values by first appearance, and returns the distinct ones.
func numberDistinct[T comparable](values []T, missing []bool) (numbering, []T) {
	ids := make([]int32, len(values))
	number := make(map[T]int32)
	var distinct []T
	for i, s := range values {
		if missing[i] {
			ids[i] = -1
			continue
		}
		id, known := number[s]
		if !known {
			id = int32(len(distinct))
			number[s] = id
			distinct = append(distinct, s)
		}
		ids[i] = id
	}
	return numbering{ids, len(distinct)}, distinct
}

// ranked renumbers by the order of the distinct codes.
func ranked(n numbering, distinct []uint64) numbering {
	rank := make([]int32, len(distinct))
	for r, k := range sortedRows(len(distinct), []sortKey{{codes: distinct, missing: make([]bool, len(distinct))}}) {
		rank[k] = int32(r)
	}
	return n.renumbered(rank)
}

// rankedText renumbers by the order of the distinct texts.
func rankedText(n numbering, distinct []string) numbering {
	place := make(map[string]int32, len(distinct))
	sorted := slices.Clone(distinct)
	sortTexts(sorted)
	for r, s := range sorted {
		place[s] = int32(r)
	}
	rank := make([]int32, len(distinct))
	for k, s := range distinct {
		rank[k] = place[s]
	}
	return n.renumbered(rank)
}

func (n numbering) renumbered(rank []int32) numbering {
	for i, id := range n.ids {
		if id >= 0 {
			n.ids[i] = rank[id]
		}
	}
	return n
}

// numbered numbers the distinct values of a column, in their order if that is wanted.
func (c *column) numbered(inOrder bool) numbering {
	if c.typ == series.String {
		n, distinct := numberDistinct(c.text, c.missing)
		if inOrder {
			return rankedText(n, distinct)
		}
		return n
	}
	number := func(codes []uint64) numbering {
		n, distinct := numberCodes(codes, c.missing)
		if inOrder {
			return ranked(n, distinct)
		}
		return n
	}
	codes := c.orderCodes()
	n := number(codes[0])
	for _, rest := range codes[1:] {
		n = number(n.within(number(rest)))
	}
	return n
}

// gapsLast gives missing values the last number, if there are any.
func (n numbering) gapsLast() numbering {
	if !slices.Contains(n.ids, -1) {
		return n
	}
	for i, id := range n.ids {
		if id < 0 {
			n.ids[i] = int32(n.n)
		}
	}
	n.n++
	return n
}

// within returns codes of pairs of numbers, in the order of the first and then the second.
func (n numbering) within(second numbering) []uint64 {
	codes := make([]uint64, len(n.ids))
	for i, id := range n.ids {
		codes[i] = uint64(id)*uint64(second.n) + uint64(second.ids[i])
	}
	return codes
}

// sortKey is one key to sort by: codes that sort as its values do.
type sortKey struct {
	codes   []uint64
	missing []bool
	down    bool // from high to low
}

// sortedRows returns the rows sorted by the keys, the first key first, stably.
func sortedRows(n int, keys []sortKey) []int {
	rows := make([]coded32, n)
	for i := range rows {
		rows[i].row = uint32(i)
	}
	spare := make([]coded32, n)
	for _, key := range slices.Backward(keys) {
		rows, spare = key.sort(rows, spare)
	}
	out := make([]int, n)
	for i, r := range rows {
		out[i] = int(r.row)
	}
	return out
}

// coded32 is a row and the code of its key.
type coded32 struct {
	code uint64
	row  uint32
}

// sort sorts rows by the key, stably, by digits of 11 bits from the last one;
// spare is as long. It returns both, the sorted rows first.
func (k sortKey) sort(rows, spare []coded32) (sorted, other []coded32) {
	flip := uint64(0)
	if k.down {
		flip = ^flip
	}
	const bits, digits = 11, 6
	var counts [digits][1 << bits]uint32
	present := 0
	last := len(rows)
	for _, r := range rows { // rows with a missing value go to the end, backwards
		if k.missing[r.row] {
			last--
			spare[last] = r
			continue
		}
		code := k.codes[r.row] ^ flip
		for d := range digits {
			counts[d][code>>(d*bits)&(1<<bits-1)]++
		}
		rows[present] = coded32{code, r.row}
		present++
	}
	slices.Reverse(spare[last:])
	copy(rows[present:], spare[last:])
	a, b := rows[:present], spare[:present]
	for d := range digits {
		if present > 0 && counts[d][a[0].code>>(d*bits)&(1<<bits-1)] == uint32(present) {
			continue // all have this digit
		}
		var start uint32
		for v, c := range counts[d] {
			counts[d][v] = start
			start += c
		}
		for _, r := range a {
			at := &counts[d][r.code>>(d*bits)&(1<<bits-1)]
			b[*at] = r
			*at++
		}
		a, b = b, a
	}
	if present > 0 && &a[0] != &rows[0] {
		copy(spare[present:], rows[present:])
		return spare, rows
	}
	return rows, spare
}

// sortTexts sorts distinct texts by bytes, or by their lower limits if all are
// intervals such as (18,65].
func sortTexts(texts []string) {
	low := make(map[string]float64, len(texts))
	for _, s := range texts {
		v, ok := lowerLimit(s)
		if !ok {
			slices.Sort(texts)
			return
		}
		low[s] = v
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(low[a], low[b]), strings.Compare(a, b)) })
}

// lowerLimit reads the lower limit of an interval as Cut writes it.
func lowerLimit(s string) (float64, bool) {
	if len(s) < 5 || s[0] != '(' && s[0] != '[' || s[len(s)-1] != ')' && s[len(s)-1] != ']' {
		return 0, false
	}
	a, b, ok := strings.Cut(s[1:len(s)-1], ",")
	low, isNumber := dotted.number(a)
	_, also := dotted.number(b)
	return low, ok && isNumber && also
}
