package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/randomtable"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

type dice = randomtable.Dice

// response is what an estimator fits.
type response int

const (
	number   response = iota
	positive          // numbers
	count
	class2 // two classes
	class3 // three
	responses
)

var classNames = map[response][]string{class2: {"no", "yes"}, class3: {"a", "b", "c"}}

// factor is a column of text: level of every row, whose columns are indicators of all levels but
// that of reference.
type factor struct {
	levels, reference int
	of                []int
}

// data is a set of rows. Columns of factors follow the numbers.
type data struct {
	names   []string // of the numbers
	x       [][]float64
	factors []factor
	order   []int // of the columns, all of them
	title   func(column int) string
	y       [responses][]float64
	weights []float64 // nil is ones
	fold    []int
	label   []string // a group
	kept    []int    // the rows that are compared, in their order
}

// generate draws the set of a seed and a number.
func generate(seed, number_ uint64) *data {
	r := randomtable.NewDice(seed, number_)
	n := r.Between(40, 110)
	d := &data{title: func(j int) string { return fmt.Sprint("x", j+1) }}
	eta := make([]float64, n)
	for j := range r.Between(2, 5) {
		var x []float64
		for x == nil || !varied(x) {
			x = randomtable.Numbers(r, n, d.another())
		}
		d.x, d.names = append(d.x, x), append(d.names, fmt.Sprint("x", j+1))
		addTo(eta, randomtable.Scaled(x), randomtable.Pick(r, 0, 0.3, 1)*r.NormFloat64())
	}
	for j := range r.IntN(3) {
		c, codes := randomtable.Factor(r, j, n)
		f := factor{levels: len(c.Levels())}
		for _, code := range codes {
			f.of = append(f.of, int(code))
		}
		d.factors = append(d.factors, f)
		addTo(eta, codes, randomtable.Pick(r, 0, 0.5)*r.NormFloat64())
	}
	for j := range d.width() {
		d.order = append(d.order, j)
	}
	d.draw(r, randomtable.Scaled(eta))
	for i := range n {
		d.kept = append(d.kept, i)
	}
	return d
}

// another is a column that others may nearly copy, nil if there is none.
func (d *data) another() []float64 {
	if len(d.x) == 0 {
		return nil
	}
	return d.x[0]
}

// varied tells whether a column has enough values for a fit of folds.
func varied(x []float64) bool {
	sorted := slices.Sorted(slices.Values(x))
	return len(slices.Compact(sorted)) > 4
}

// draw draws responses, weights, folds and groups.
func (d *data) draw(r dice, eta []float64) {
	scale, mean := randomtable.Pick(r, 1, 1, 1e-3, 1e5), randomtable.Pick(r, 0.0, 5, 1000)
	noise := randomtable.Pick(r, 0.3, 1, 3)
	weighted := r.IntN(4)
	groups := r.Between(5, 9)
	effect := make([]float64, groups)
	for g := range effect {
		effect[g] = 0.7 * r.NormFloat64()
	}
	for i, e := range eta {
		g := i % groups
		if i >= 3*groups {
			g = r.IntN(groups)
		}
		d.label = append(d.label, fmt.Sprint("g", g))
		d.fold = append(d.fold, i%5)
		d.y[number] = append(d.y[number], scale*(mean+e+effect[g]+noise*r.NormFloat64()))
		d.y[positive] = append(d.y[positive], math.Exp(0.3*e+0.3*r.NormFloat64()))
		d.y[count] = append(d.y[count], poisson(r, 4*math.Exp(0.3*e)))
		d.y[class2] = append(d.y[class2], truth(r.Chance(1/(1+math.Exp(-0.7*e)))))
		d.y[class3] = append(d.y[class3], truth(r.Chance(0.6))+truth(r.Chance(1/(1+math.Exp(-0.7*e)))))
		switch weighted {
		case 0:
			d.weights = append(d.weights, 0.2+3*r.Float64())
		case 1:
			d.weights = append(d.weights, float64(r.Between(1, 3)))
		}
	}
	r.Shuffle(len(d.fold), func(i, j int) { d.fold[i], d.fold[j] = d.fold[j], d.fold[i] })
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// poisson draws a count of a small mean.
func poisson(r dice, mean float64) float64 {
	n, p := -1.0, 1.0
	for ; p > math.Exp(-mean); n++ {
		p *= r.Float64()
	}
	return n
}

func addTo(sum, x []float64, factor float64) {
	for i := range sum {
		sum[i] += factor * x[i]
	}
}

func (d *data) len() int { return len(d.fold) }

// width is the number of columns.
func (d *data) width() int {
	p := len(d.x)
	for _, f := range d.factors {
		p += f.levels - 1
	}
	return p
}

// columns returns all columns, before they are put in order.
func (d *data) columns() [][]float64 {
	columns := slices.Clone(d.x)
	for _, f := range d.factors {
		for k := range f.levels {
			if k == f.reference {
				continue
			}
			c := make([]float64, len(f.of))
			for i, code := range f.of {
				c[i] = truth(code == k)
			}
			columns = append(columns, c)
		}
	}
	return columns
}

// design returns the design of a response; if zeroOne, its columns are zeros and ones.
func (d *data) design(y response, zeroOne bool) *mlreg.Design {
	n, p := d.len(), d.width()
	x, names := mat.NewDense(n, p, nil), make([]string, p)
	columns := d.columns()
	for k, j := range d.order {
		c := columns[j]
		names[k] = d.title(j)
		if zeroOne {
			c = presence(c)
		}
		x.SetCol(k, c)
	}
	design := try.Get(mlreg.NewDesign(x, d.y[y], names...))
	design.Weights = d.weights
	design.Classes = classNames[y]
	try.Check(design.Check())
	return design
}

// presence makes zeros and ones of a column.
func presence(c []float64) []float64 {
	out := make([]float64, len(c))
	for i, v := range c {
		out[i] = truth(math.Mod(math.Abs(v)*7, 2) >= 1)
	}
	return out
}

// groups are the columns of the factors by their names.
func (d *data) groups() []mlreg.TermGroup {
	var groups []mlreg.TermGroup
	j := len(d.x)
	for k, f := range d.factors {
		g := mlreg.TermGroup{Name: fmt.Sprint("f", k+1)}
		for range f.levels - 1 {
			g.Terms = append(g.Terms, d.title(j))
			j++
		}
		groups = append(groups, g)
	}
	return groups
}
