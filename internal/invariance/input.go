package main

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// form is how the rows are handed to an estimator.
type form int

const (
	asRows   form = iota
	asSums        // of chunks, added up and subtracted
	asBlocks      // of a few rows
)

// input is what an estimator gets.
type input struct {
	d        *mlreg.Design // all rows, standardized for an estimator that wants that
	data     mlreg.Data    // the same, or its sums
	blocks   mlreg.RowBlocks
	compared *mlreg.Design // the rows compared
	kept     []int         // where they are
	folds    *mlreg.Folds
	labels   []string // of the groups, by row
	groups   *mlreg.Grouping
	terms    []mlreg.TermGroup
	width    int
	first    string  // the name of the first number
	weight   float64 // of all rows
	spread   float64 // standard deviation of the response
}

// blocks hands on a design ten rows at a time.
type blocks struct{ d *mlreg.Design }

func (b blocks) EachBlock(f func(*mlreg.Design) error) error {
	for _, rows := range b.chunks() {
		if err := f(b.d.Rows(rows...)); err != nil {
			return err
		}
	}
	return nil
}

func (b blocks) chunks() [][]int {
	all := make([]int, b.d.NObs())
	for i := range all {
		all[i] = i
	}
	return slices.Collect(slices.Chunk(all, 10))
}

// merged are the sums of a design, made of those of chunks, and of the design with its first
// rows twice less these.
func merged(d *mlreg.Design) *mlreg.Moments {
	sum, chunks := mlreg.NewMoments(d.Rows()), blocks{d}.chunks()
	for _, rows := range chunks {
		sum = try.Get(sum.Merge(try.Get(d.Rows(rows...).Moments())))
	}
	first := try.Get(d.Rows(chunks[0]...).Moments())
	return try.Get(try.Get(sum.Merge(first)).Subtract(first))
}

// spread returns the weight of all rows, and the standard deviation of a response.
func (d *data) spread(of response) (weight, sd float64) {
	y, w := d.y[of], d.weights
	if w == nil {
		w = slices.Repeat([]float64{1}, len(y))
	}
	var yes, heavy []float64
	for i, v := range w {
		if v > 0 {
			yes, heavy = append(yes, y[i]), append(heavy, v)
			weight += v
		}
	}
	return weight, stat.PopStdDev(yes, heavy)
}

// input makes the input of an estimator.
func (d *data) input(e *estimator, f form) *input {
	design := d.design(e.response, e.zeroOne)
	in := &input{d: design, labels: d.label, kept: d.kept, terms: d.groups(), width: design.NTerms()}
	in.folds, in.groups = try.Get(mlreg.NewFolds(d.fold)), try.Get(mlreg.NewGrouping("group", d.label))
	var sums *mlreg.Moments
	if f == asSums {
		sums = merged(design)
	}
	if e.standardized {
		in.d = try.Get(design.Standardize(byWeight))
		if f == asSums {
			sums = try.Get(sums.Standardize(byWeight))
			in.d = try.Get(design.Rescale(sums.Scaling()))
		}
	}
	in.data, in.blocks = in.d, in.d
	switch f {
	case asSums:
		in.data = sums
	case asBlocks:
		in.blocks = blocks{in.d}
	}
	in.compared = in.d.Rows(d.kept...)
	in.first = d.title(0)
	in.weight, in.spread = d.spread(e.response)
	return in
}
