package mlreg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/dd"
)

func init() {
	compressed.CountRows = func(d any, of, times []int) any {
		if t := d.(*Design).countedBy(of, times); t != nil {
			return t
		}
		return nil
	}
	compressed.JoinCounted = func(to, from any) bool { return to.(*countedTable).join(from.(*countedTable)) }
}

// counted is what is known of the rows that those of a design stand for.
type counted struct {
	times    []int // how many
	observed observed
}

// countedTable has rows of a likelihood, of which all with the same key are one.
type countedTable struct {
	at       map[countedKey]int
	keys     []countedKey
	times    []int
	weights  []dd.Number // their sums
	offsets  bool
	observed observed
}

// countedKey is the cell, in which all columns of a design are constant, and what else makes the likelihood of a row.
type countedKey struct {
	cell      int
	y, offset float64
}

// countedBy counts the rows by cell, response and offset; see compressed.CountRows. Rows of weight zero do not count.
func (d *Design) countedBy(of, times []int) *countedTable {
	if d.checkShape() != nil || d.checkFinite() != nil || d.Y == nil {
		return nil
	}
	t := &countedTable{at: make(map[countedKey]int), offsets: d.Offset != nil}
	for i, cell := range of {
		w, n := d.Weight(i), 1
		if times != nil {
			n = times[i]
		}
		if w > 0 && n > 0 {
			t.add(countedKey{cell, d.Y[i] + 0, d.offsetAt(i) + 0}, n, dd.Of(w).Mul(dd.Of(float64(n)))) // 0 for -0
		}
	}
	if len(t.keys) > compressed.MostCounted {
		return nil
	}
	if times == nil {
		t.observed = d.observed()
		return t
	}
	t.observed = d.observedTimes(times)
	return t
}

// observedTimes is what is known of rows that stand for others, whose order is not known.
func (d *Design) observedTimes(times []int) observed {
	whole := *d
	whole.Weights = make([]float64, len(times))
	var rows int
	var logW dd.Number
	for i, n := range times {
		w := d.Weight(i)
		whole.Weights[i] = w * float64(n)
		if w > 0 {
			rows += n
			logW = logW.Add(dd.Of(math.Log(w)).Mul(dd.Of(float64(n))))
		}
	}
	o := whole.observed()
	o.N, o.LogW, o.Hash = rows, logW.Float(), 0
	return o
}

// add adds n rows of a key, whose weights have the sum w.
func (t *countedTable) add(k countedKey, n int, w dd.Number) {
	i, known := t.at[k]
	if !known {
		i = len(t.keys)
		t.at[k] = i
		t.keys, t.times, t.weights = append(t.keys, k), append(t.times, 0), append(t.weights, dd.Number{})
	}
	t.times[i] += n
	t.weights[i] = t.weights[i].Add(w)
}

// join adds the rows of another table behind. It is false if there are too many.
func (t *countedTable) join(o *countedTable) bool {
	for i, k := range o.keys {
		t.add(k, o.times[i], o.weights[i])
	}
	t.observed = t.observed.and(o.observed)
	return len(t.keys) <= compressed.MostCounted
}

// design returns the rows as a design of weights.
func (t *countedTable) design(like *Design, columns func(cell int) []compressed.Column) *Design {
	n, p := len(t.keys), len(like.Names)
	d := *like
	d.X = algebra.NewDense(0, 0)
	d.X.SetRawMatrix(blas64.General{Rows: n, Cols: p, Stride: max(p, 1), Data: make([]float64, n*max(p, 1))})
	d.Y, d.Weights, d.Offset, d.RowNumbers = make([]float64, n), make([]float64, n), nil, nil
	if t.offsets {
		d.Offset = make([]float64, n)
	}
	for i, k := range t.keys {
		for _, c := range columns(k.cell) {
			d.X.Set(i, c.At, c.Times)
		}
		d.Y[i], d.Weights[i] = k.y, t.weights[i].Float()
		if t.offsets {
			d.Offset[i] = k.offset
		}
	}
	d.counted = &counted{slices.Clone(t.times), t.observed}
	return &d
}

// countedRows returns row blocks whose columns are those of factors as one design, with a row for every cell, response
// and offset, and the sum of their weights for its weight: the likelihood is the same. It is nil if
// there are no such rows, or too many.
func countedRows(rows RowBlocks) (*Design, error) {
	found, err := compressed.CountedOf(rows)
	if found == nil || err != nil {
		return nil, err
	}
	like := found.Like.(*Design)
	t, some := found.Rows.(*countedTable)
	if !some || len(t.keys) == 0 || len(t.keys)*(len(like.Names)+1) > mostGathered {
		return nil, nil
	}
	return t.design(like, found.Columns), nil
}
