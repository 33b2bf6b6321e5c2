package frames

import (
	"math"
	"slices"

	"github.com/go-gota/gota/series"
)

// This file turns the values of columns into numbers that sort and equal as the
// values do, sorts rows by them, and numbers the groups of equal rows.

// orderCodes returns a number for every row that sorts as the values of the
// column do; for a missing value it means nothing.
func (e *evaluator) orderCodes(c *column) []uint64 {
	switch c.typ {
	case series.String:
		return widened(rankedText(numberText(c.text, c.missing)).ids)
	case series.Int:
		if long, ok := e.longIntegers(c); ok {
			return integerCodes(long)
		}
		codes := make([]uint64, len(c.num))
		for i, v := range c.num {
			codes[i] = uint64(int64(v)) ^ 1<<63
		}
		return codes
	}
	return floatCodes(c.num)
}

func integerCodes(values []int) []uint64 {
	codes := make([]uint64, len(values))
	for i, v := range values {
		codes[i] = uint64(v) ^ 1<<63
	}
	return codes
}

// exactInt is from where on float64 does not hold every whole number.
const exactInt = 1 << 53

// longIntegers returns the integers of a column that float64 would round.
func (e *evaluator) longIntegers(c *column) ([]int, bool) {
	if !slices.ContainsFunc(c.num, func(v float64) bool { return math.Abs(v) >= exactInt }) || c.computed || e.rowsOf != nil || !e.has(c.name) {
		return nil, false
	}
	if s := e.series[c.name]; s.Type() != series.Int {
		return nil, false
	}
	return e.integers(c), true
}

// integers returns the values of a column of the frame, 0 where missing.
func (e *evaluator) integers(c *column) []int {
	s := e.series[c.name]
	out := make([]int, s.Len())
	for i := range out {
		if v, err := s.Elem(i).Int(); err == nil {
			out[i] = v
		}
	}
	return out
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
	ids := make([]int32, len(codes))
	var distinct []uint64
	low, high := uint64(math.MaxUint64), uint64(0)
	for i, c := range codes {
		if !missing[i] {
			low, high = min(low, c), max(high, c)
		}
	}
	number := make(map[uint64]int32)
	var table []int32 // in place of number if codes are close together: 1 + the number
	if low <= high && high-low < uint64(4*len(codes)+1024) {
		table = make([]int32, high-low+1)
	}
	for i, c := range codes {
		if missing[i] {
			ids[i] = -1
			continue
		}
		var id int32
		var known bool
		if table != nil {
			id = table[c-low] - 1
			known = id >= 0
		} else {
			id, known = number[c]
		}
		if !known {
			id = int32(len(distinct))
			distinct = append(distinct, c)
			if table != nil {
				table[c-low] = id + 1
			} else {
				number[c] = id
			}
		}
		ids[i] = id
	}
	return numbering{ids, len(distinct)}, distinct
}

// numberText numbers texts by first appearance, and returns the distinct ones.
func numberText(text []string, missing []bool) (numbering, []string) {
	ids := make([]int32, len(text))
	number := make(map[string]int32)
	var distinct []string
	for i, s := range text {
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

// ranks numbers the values of a column in their order.
func (e *evaluator) ranks(c *column) numbering {
	if c.typ == series.String {
		return rankedText(numberText(c.text, c.missing))
	}
	return ranked(numberCodes(e.orderCodes(c), c.missing))
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
