package mlreg

import (
	"fmt"
	"slices"
	"strconv"
)

// classIndices returns the index in classes of the class of every row of d. A
// design without Classes has numbers for labels: classes are then spelt as
// numbers. The error names a row that is of none of the classes.
func (d *Design) classIndices(classes []string) ([]int, error) {
	if d.Y == nil {
		return nil, fmt.Errorf("%w: the design has no response %q", ErrNoData, d.Response)
	}
	if err := d.checkFinite(); err != nil {
		return nil, err
	}
	index := make([]int, len(d.Y))
	known := make(map[float64]int) // by label
	for i, y := range d.Y {
		k, ok := known[y]
		if !ok {
			k = slices.Index(classes, d.label(y))
			known[y] = k
		}
		if k < 0 {
			return nil, fmt.Errorf("%w: response %q is %s in row %d, and the classes of the fit are %s",
				ErrLabels, d.Response, d.label(y), i+1, quoteAll(classes))
		}
		index[i] = k
	}
	return index, nil
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
		if d.weight(i) > 0 && !slices.Contains(values, y) {
			values, rows = append(values, y), append(rows, i)
			if len(values) > most {
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

// binaryLabels returns the two classes of the response and its code, 1 for the
// second class. Labels are Classes, 0 and 1, or -1 and 1.
func (d *Design) binaryLabels() (classes []string, y []float64, err error) {
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
			ErrLabels, d.Response, quoteAll(seen))
	case len(present) < 2:
		return nil, nil, fmt.Errorf("%w: response %q has one class only, %s, in all %d rows of positive weight",
			ErrLabels, d.Response, d.label(d.Y[present[0]]), d.positiveRows())
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
		ErrLabels, d.Response, quoteAll(classes))
}

// positiveRows returns the number of rows of positive weight.
func (d *Design) positiveRows() int {
	if d.Weights == nil {
		return d.NObs()
	}
	n := 0
	for _, w := range d.Weights {
		if w > 0 {
			n++
		}
	}
	return n
}
