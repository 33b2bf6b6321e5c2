package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/randomtable"
)

// transformation makes another set of the rows, for which a fit is the same, or another in a way
// that is known exactly.
type transformation struct {
	name string
	form form // that rows are in afterwards
	// apply returns two sets, since some transformations start from special ones.
	apply func(r dice, d *data) (before, after *data, back *mapping)
	// affine transformations are for fits that do not depend on the coordinates of their columns.
	affine bool
	// exact ones change no bit.
	exact bool
}

// nothing is the name of a group whose rows have no weight.
const nothing = "nothing"

// mapping leads the quantities of the set after a transformation back to that before.
type mapping struct {
	columns []int     // where columns are now, -1 for one that is no more
	factor  []float64 // by which columns were multiplied
	origin  bool      // zero of the columns is where it was, and so is the intercept
}

// same is the mapping that changes nothing.
func (d *data) same() *mapping {
	m := &mapping{origin: true}
	for j := range d.order {
		m.columns, m.factor = append(m.columns, j), append(m.factor, 1)
	}
	return m
}

var transformations = []transformation{
	{name: "rows", apply: permuteRows},
	{name: "columns", apply: permuteColumns},
	{name: "powers", apply: scaleColumns},
	{name: "repeats", apply: repeatRows},
	{name: "void rows", apply: addVoidRows},
	{name: "void level", apply: addVoidLevel},
	{name: "levels", apply: permuteLevels, affine: true},
	{name: "names", apply: renameColumns, exact: true},
	{name: "sums", apply: unchanged, form: asSums},
	{name: "blocks", apply: unchanged, form: asBlocks},
}

func unchanged(_ dice, d *data) (before, after *data, back *mapping) { return d, d, d.same() }

// rows returns the set of some rows of this one, in which those compared are at kept.
func (d *data) rows(rows, kept []int) *data {
	out := *d
	out.x, out.factors = nil, nil
	for _, c := range d.x {
		out.x = append(out.x, take(c, rows))
	}
	for _, f := range d.factors {
		f.of = take(f.of, rows)
		out.factors = append(out.factors, f)
	}
	for k := range d.y {
		out.y[k] = take(d.y[k], rows)
	}
	if d.weights != nil {
		out.weights = take(d.weights, rows)
	}
	out.fold, out.label, out.kept = take(d.fold, rows), take(d.label, rows), kept
	return &out
}

func take[T any](x []T, rows []int) []T {
	out := make([]T, len(rows))
	for k, i := range rows {
		out[k] = x[i]
	}
	return out
}

func permuteRows(r dice, d *data) (before, after *data, back *mapping) {
	rows := r.Perm(d.len())
	kept := make([]int, len(rows))
	for k, i := range rows {
		kept[i] = k
	}
	return d, d.rows(rows, kept), d.same()
}

func permuteColumns(r dice, d *data) (before, after *data, back *mapping) {
	out, back := *d, d.same()
	to := r.Perm(d.width())
	out.order = take(d.order, to)
	for k, j := range to {
		back.columns[j] = k
	}
	return d, &out, back
}

func scaleColumns(r dice, d *data) (before, after *data, back *mapping) {
	out, back := *d, d.same()
	out.x = nil
	for j, c := range d.x {
		back.factor[j] = math.Ldexp(1, r.Between(-12, 12))
		scaled := make([]float64, len(c))
		for i, v := range c {
			scaled[i] = back.factor[j] * v
		}
		out.x = append(out.x, scaled)
	}
	return d, &out, back
}

// repeatRows has rows stand as often as their weights say.
func repeatRows(r dice, d *data) (before, after *data, back *mapping) {
	in := *d
	in.weights = nil
	var rows, kept []int
	for i := range d.len() {
		kept = append(kept, len(rows))
		w := r.Between(1, 3)
		in.weights = append(in.weights, float64(w))
		rows = append(rows, slices.Repeat([]int{i}, w)...)
	}
	out := in.rows(rows, kept)
	out.weights = nil
	return &in, out, d.same()
}

// addVoidRows adds rows of weight zero, with values that no sum holds.
func addVoidRows(r dice, d *data) (before, after *data, back *mapping) {
	in := *d
	if in.weights == nil {
		in.weights = slices.Repeat([]float64{1}, d.len())
	}
	var rows, kept []int
	for i := range d.len() {
		for r.Chance(0.1) {
			rows = append(rows, r.IntN(d.len()))
		}
		kept = append(kept, len(rows))
		rows = append(rows, i)
	}
	out := in.rows(append(rows, 0), kept)
	for i := range out.len() {
		if slices.Contains(kept, i) {
			continue
		}
		out.weights[i] = 0
		for _, c := range out.x {
			c[i] = randomtable.Pick(r, 1e300, -1e300, 1e150, 0, c[i])
		}
		out.y[number][i] = randomtable.Pick(r, 1e300, -1e300, 0, 1e160)
		out.y[positive][i] = randomtable.Pick(r, 1e300, 1e-300, 1)
		out.y[count][i] = randomtable.Pick(r, 1e15, 0, 1)
		if r.Chance(0.3) {
			out.label[i] = nothing
		}
	}
	return d, out, d.same()
}

// addVoidLevel adds a column that is zero but in rows of weight zero.
func addVoidLevel(r dice, d *data) (before, after *data, back *mapping) {
	_, out, _ := addVoidRows(r, d)
	in := *d
	level := factor{levels: 2, of: make([]int, d.len())}
	in.factors = append(slices.Clone(d.factors), level)
	level.of = slices.Repeat([]int{1}, out.len())
	for _, i := range out.kept {
		level.of[i] = 0
	}
	out.factors = append(slices.Clone(out.factors), level)
	in.order = append(slices.Clone(d.order), len(d.order))
	out.order = in.order
	return &in, out, in.same()
}

// permuteLevels has the factors start from another level.
func permuteLevels(r dice, d *data) (before, after *data, back *mapping) {
	out, back := *d, d.same()
	back.origin = false
	j := len(d.x)
	out.factors = slices.Clone(d.factors)
	for k, f := range d.factors {
		to := r.Perm(f.levels)
		of := make([]int, len(f.of))
		for i, code := range f.of {
			of[i] = to[code]
		}
		out.factors[k].of = of
		for range f.levels - 1 {
			back.columns[j] = -1
			j++
		}
	}
	return d, &out, back
}

// renameColumns gives columns and groups names of another order.
func renameColumns(r dice, d *data) (before, after *data, back *mapping) {
	out := *d
	names := r.Perm(d.width())
	out.title = func(j int) string { return fmt.Sprint("column ", names[j]) }
	return d, &out, d.same()
}
