package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
)

// classIndices returns the index in classes of the class of every row of d. A
// design without Classes has numbers for labels: classes are then spelled as
// numbers. The error names a row that is of none of the classes.
func (d *Design) classIndices(classes []string) ([]int, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if d.Y == nil {
		return nil, fmt.Errorf("%w: the design has no response %q", ErrNoData, d.Response)
	}
	if err := d.checkFinite(); err != nil {
		return nil, err
	}
	index := d.findLabels(classes)
	if i := slices.Index(index, -1); i >= 0 {
		return nil, fmt.Errorf("%w: response %q is %s in row %d, and the classes of the fit are %s",
			ErrLabels, d.Response, format.Line(d.label(d.Y[i])), i+1, format.Quoted(classes))
	}
	return index, nil
}

// findLabels returns the index in classes of the class of every row, -1 for none.
func (d *Design) findLabels(classes []string) []int {
	index := make([]int, len(d.Y))
	known := make(map[float64]int) // by label
	for i, y := range d.Y {
		k, ok := known[y]
		if !ok {
			k = slices.Index(classes, d.label(y))
			known[y] = k
		}
		index[i] = k
	}
	return index
}

// label spells the label y.
func (d *Design) label(y float64) string {
	if d.Classes != nil && y >= 0 && int(y) < len(d.Classes) {
		return d.Classes[int(y)]
	}
	return strconv.FormatFloat(y, 'g', -1, 64)
}

// labels returns the classes of the response, in the order of Classes or, if
// they are numbers, by size, and the first row of each among the rows of
// positive weight, -1 if there is none. It stops at more than most classes.
func (d *Design) labels(most int) (classes []string, firstRow []int) {
	var values []float64 // found, and in which rows
	var rows []int
	for i, y := range d.Y {
		if d.Weight(i) > 0 && !slices.Contains(values, y) {
			values, rows = append(values, y), append(rows, i)
			if d.Classes == nil && len(values) > most {
				break
			}
		}
	}
	order := slices.Clone(values)
	slices.Sort(order)
	if d.Classes != nil {
		order = nil
		for k := range d.Classes {
			order = append(order, float64(k))
		}
	}
	for _, y := range order {
		classes = append(classes, d.label(y))
		row := -1
		if k := slices.Index(values, y); k >= 0 {
			row = rows[k]
		}
		firstRow = append(firstRow, row)
	}
	return classes, firstRow
}

// binaryLabels checks the design before a fit, and returns the two classes of the
// response and its code, 1 for the second class. Labels are Classes, 0 and 1, or -1
// and 1.
func (d *Design) binaryLabels() (classes []string, y []float64, err error) {
	if err := d.checkTraining(); err != nil {
		return nil, nil, err
	}
	if err := d.checkResponse(); err != nil {
		return nil, nil, err
	}
	classes, rows := d.labels(2)
	present := slices.DeleteFunc(slices.Clone(rows), func(row int) bool { return row < 0 })
	switch {
	case len(classes) > 2:
		var seen []string
		for k, class := range classes[:3] {
			if rows[k] >= 0 {
				class += " (row " + strconv.Itoa(rows[k]+1) + ")"
			}
			seen = append(seen, class)
		}
		return nil, nil, fmt.Errorf("%w: response %q has more than two classes: %s; use FitMultinomial, or keep two of them",
			ErrLabels, d.Response, format.Quoted(seen))
	case len(present) < 2:
		return nil, nil, fmt.Errorf("%w: response %q has one class only, %s, in all %d rows of positive weight",
			ErrLabels, d.Response, format.Line(d.label(d.Y[present[0]])), d.PositiveRows())
	case d.Classes != nil:
		return classes, d.Y, nil
	}
	switch low, high := d.Y[slices.Min(present)], d.Y[slices.Max(present)]; {
	case min(low, high) == 0 && max(low, high) == 1:
		return classes, d.Y, nil
	case min(low, high) == -1 && max(low, high) == 1:
		y = make([]float64, len(d.Y))
		for i, label := range d.Y {
			y[i] = (label + 1) / 2
		}
		return classes, y, nil
	}
	return nil, nil, fmt.Errorf("%w: response %q has the values %s; code the classes 0 and 1, or -1 and 1, or make them a factor",
		ErrLabels, d.Response, format.Quoted(classes))
}

// manyLabels checks the design before a fit, and returns the classes of the
// response, two or more, each with a row, and the index of the class of every row.
func (d *Design) manyLabels() (classes []string, index []int, err error) {
	if err := d.checkTraining(); err != nil {
		return nil, nil, err
	}
	if err := d.refuseOffset("a fit of more than two classes"); err != nil {
		return nil, nil, err
	}
	if err := d.checkFinite(); err != nil {
		return nil, nil, err
	}
	most := 1 + int(math.Sqrt(float64(d.PositiveRows())))
	classes, rows := d.labels(most)
	if d.Classes == nil && len(classes) > most {
		return nil, nil, fmt.Errorf("%w: response %q has more than %d values in %d rows, too many for classes; make it a factor if it is one",
			ErrLabels, d.Response, most, d.PositiveRows())
	}
	for k, row := range rows {
		if row < 0 {
			return nil, nil, fmt.Errorf("%w: no row of positive weight is of class %q of response %q", ErrLabels, classes[k], d.Response)
		}
	}
	if len(classes) < 2 {
		return nil, nil, fmt.Errorf("%w: response %q has one class only, %q, in all %d rows of positive weight",
			ErrLabels, d.Response, classes[0], d.PositiveRows())
	}
	index = d.findLabels(classes)
	for i := range index {
		index[i] = max(0, index[i]) // of weight zero if of none
	}
	return classes, index, nil
}

// classLogLik picks w log p of the class of every row from log probabilities.
func classLogLik(d *Design, classes []string, log *mat.Dense) ([]float64, error) {
	index, err := d.classIndices(classes)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(index))
	for i, k := range index {
		if w := d.Weight(i); w > 0 {
			out[i] = w * log.At(i, k)
		}
	}
	return out, nil
}

func init() {
	door.LabelsOf = func(design any, classes []string) ([]int, error) { return design.(*Design).classIndices(classes) }
}
