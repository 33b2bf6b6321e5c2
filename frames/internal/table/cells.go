package table

import (
	"math"
	"slices"

	"github.com/regbook/regbook/internal/compressed"
)

// Cells is a plan by cells, which are rows in which the levels of all factors are the same: each column is there a
// multiple of a product of numbers, or constant.
type Cells struct {
	Factors []int    // variables
	Numbers [][]Part // the products of numbers, each once
	levels  []int    // of the factors
	columns []cellColumn
}

// cellColumn is number of, or 1 if that is -1, times the values that parts have at the levels of their factors.
type cellColumn struct {
	of    int
	parts []levelPart
}

// levelPart is the indicator of a level of a factor, or a contrast, by level.
type levelPart struct {
	factor, level int
	contrast      []float64
}

// Cells returns the plan by cells.
func (p *Plan) Cells() *Cells {
	c := &Cells{}
	factor := make(map[int]int)
	for k, v := range p.Variables {
		if v.Levels != nil {
			factor[k] = len(c.Factors)
			c.Factors, c.levels = append(c.Factors, k), append(c.levels, len(v.Levels))
		}
	}
	for _, product := range p.Products {
		column := cellColumn{of: -1}
		var number []Part
		for _, part := range product {
			f, ok := factor[part.Variable]
			if !ok {
				number = append(number, part)
				continue
			}
			column.parts = append(column.parts, p.Variables[part.Variable].at(f, part))
		}
		if number != nil {
			equal := func(other []Part) bool { return slices.Equal(number, other) }
			if column.of = slices.IndexFunc(c.Numbers, equal); column.of < 0 {
				column.of, c.Numbers = len(c.Numbers), append(c.Numbers, number)
			}
		}
		c.columns = append(c.columns, column)
	}
	return c
}

// at returns the part of factor f that this variable is.
func (v *Variable) at(f int, part Part) levelPart {
	switch {
	case part.Full:
		return levelPart{factor: f, level: part.Index}
	case v.Contrast == nil:
		return levelPart{factor: f, level: part.Index + 1}
	}
	at := levelPart{factor: f}
	for _, row := range v.Contrast {
		at.contrast = append(at.contrast, row[part.Index])
	}
	return at
}

// Most is how many cells there may be.
func (c *Cells) Most() float64 {
	most := 1.0
	for _, n := range c.levels {
		most *= float64(n)
	}
	return most
}

// Saves tells whether sums of blocks of so many rows take less time by cells than by all columns of the design: about
// as long as 2,000 multiplications for every cell that a block may have.
func (c *Cells) Saves(rows int) bool {
	n, k, p := float64(rows), float64(len(c.Numbers)+1), float64(len(c.columns)+1)
	return len(c.Factors) > 0 && 2000*min(n, c.Most())+n*k*k < n*(2*p+p*p/16)
}

// Cell returns the number of the cell of levels of the factors, below Most.
func (c *Cells) Cell(levels []int) int {
	cell := 0
	for f, level := range levels {
		cell = cell*c.levels[f] + level
	}
	return cell
}

// Effect is what columns of a design that are of the same number and of levels of the same factors are together, each
// times its coefficient: the number, or 1, times a value for every combination of the levels.
type Effect struct {
	Of      int       // the number, -1 for 1
	Columns []int     // of the design
	Factors []int     // among those of the cells; nil if the value is the same in all rows
	Values  []float64 // the levels of the last factor run first
	Size    float64   // bounds what is added up to a value
}

// Effects returns the linear predictor of slopes, one for every column, without its constant. Of contrasts, values are added up to
// twice the digits.
func (c *Cells) Effects(slopes []float64) []Effect {
	var all []Effect
	var low, size [][]float64
	for j, column := range c.columns {
		var factors []int
		cells := 1
		for _, part := range column.parts {
			factors = append(factors, part.factor)
		}
		slices.Sort(factors)
		for _, f := range factors {
			cells *= c.levels[f]
		}
		k := slices.IndexFunc(all, func(e Effect) bool { return e.Of == column.of && slices.Equal(e.Factors, factors) })
		if k < 0 {
			k = len(all)
			all = append(all, Effect{Of: column.of, Factors: factors, Values: make([]float64, cells)})
			low, size = append(low, make([]float64, cells)), append(size, make([]float64, cells))
		}
		e := &all[k]
		e.Columns = append(e.Columns, j)
		c.eachCell(factors, column.parts, func(cell int, times float64) {
			x := slopes[j] * times
			sum := e.Values[cell] + x
			of := sum - e.Values[cell]
			low[k][cell] += (e.Values[cell] - (sum - of)) + (x - of) + math.FMA(slopes[j], times, -x)
			e.Values[cell] = sum
			size[k][cell] += math.Abs(x)
		})
	}
	for k := range all {
		for cell, x := range low[k] {
			all[k].Values[cell] += x
		}
		all[k].Size = slices.Max(size[k])
	}
	return all
}

// eachCell calls f with every combination of the levels of the factors of parts in which these are not 0, and their product.
func (c *Cells) eachCell(factors []int, parts []levelPart, f func(cell int, times float64)) {
	if len(factors) == 0 {
		f(0, 1)
		return
	}
	k := slices.IndexFunc(parts, func(p levelPart) bool { return p.factor == factors[len(factors)-1] })
	part, levels := parts[k], c.levels[parts[k].factor]
	c.eachCell(factors[:len(factors)-1], parts, func(cell int, times float64) {
		if part.contrast == nil {
			f(cell*levels+part.level, times)
			return
		}
		for level, x := range part.contrast {
			if x != 0 {
				f(cell*levels+level, times*x)
			}
		}
	})
}

// Columns returns the columns of the design that are not 0 in a cell.
func (c *Cells) Columns(cell int) []compressed.Column {
	levels := make([]int, len(c.levels))
	for f := len(levels) - 1; f >= 0; f-- {
		levels[f], cell = cell%c.levels[f], cell/c.levels[f]
	}
	var out []compressed.Column
	for j, column := range c.columns {
		times := 1.0
		for _, part := range column.parts {
			switch at := levels[part.factor]; {
			case part.contrast != nil:
				times *= part.contrast[at]
			case at != part.level:
				times = 0
			}
		}
		if times != 0 {
			out = append(out, compressed.Column{At: j, Of: column.of, Times: times})
		}
	}
	return out
}
