package mlreg

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/dd"
)

// doubleColumns are the n x p columns of a design to twice the digits, hi + lo; a
// nil lo is zero. Whatever changes the rows or the columns of a design goes
// through its methods, so that the two parts stay together.
type doubleColumns struct{ hi, lo *mat.Dense }

func (d *Design) doubleColumns() doubleColumns { return doubleColumns{d.X, d.XLow} }

// withColumns returns the design with the given columns in place of its own.
func (d *Design) withColumns(c doubleColumns) *Design {
	sub := *d
	sub.X, sub.XLow = c.hi, c.lo
	return &sub
}

// at returns the value in row i of column j.
func (c doubleColumns) at(i, j int) dd.Number {
	x := dd.Of(c.hi.At(i, j))
	if c.lo != nil {
		x = x.Add(dd.Of(c.lo.At(i, j)))
	}
	return x
}

// rows returns a copy of the given rows.
func (c doubleColumns) rows(rows []int) doubleColumns {
	return doubleColumns{takeRows(c.hi, rows), takeRows(c.lo, rows)}
}

// columns returns a copy of the given columns.
func (c doubleColumns) columns(cols []int) doubleColumns {
	return doubleColumns{takeColumns(c.hi, cols), takeColumns(c.lo, cols)}
}

// twofold returns the columns with a low part, of zeros if they have none.
func (c doubleColumns) twofold() doubleColumns {
	if n, p := c.hi.Dims(); c.lo == nil {
		c.lo = algebra.NewDense(n, p)
	}
	return c
}

// apply returns new columns of the values that f gives: high on the values if
// there is no low part, and low on both parts.
func (c doubleColumns) apply(high func(j int, x float64) float64, low func(j int, x dd.Number) dd.Number) doubleColumns {
	n, p := c.hi.Dims()
	out := doubleColumns{hi: algebra.NewDense(n, p)}
	if c.lo != nil {
		out.lo = algebra.NewDense(n, p)
	}
	for i := range n {
		row := out.hi.RawRowView(i)
		for j, x := range c.hi.RawRowView(i) {
			if c.lo == nil {
				row[j] = high(j, x)
				continue
			}
			v := low(j, c.at(i, j))
			row[j] = v.Hi
			out.lo.Set(i, j, v.Lo)
		}
	}
	return out
}

// WithResponse returns the design with another response: its name, and its n
// values, which are numbers, not classes; nil if they are not known. The columns,
// weights and numbers of the rows are those of d; an offset belongs to a response, and
// is left out. A fit says if the length of y
// is not that of the design.
func (d *Design) WithResponse(name string, y []float64) *Design {
	sub := *d
	sub.Response, sub.Y, sub.Classes = name, slices.Clone(y), nil
	sub.Offset, sub.subtracted = nil, false
	return &sub
}

// withoutWeights returns the design with weights of one.
func (d *Design) withoutWeights() *Design {
	sub := *d
	sub.Weights = nil
	return &sub
}

// takeRows returns a copy of the given rows; that of a nil matrix is nil.
func takeRows(x *mat.Dense, rows []int) *mat.Dense {
	if x == nil {
		return nil
	}
	sub := &mat.Dense{}
	_, p := x.Dims()
	if len(rows) > 0 {
		sub = algebra.NewDense(len(rows), p)
	}
	for i, row := range rows {
		sub.SetRow(i, x.RawRowView(row))
	}
	return sub
}

// takeColumns returns a copy of the given columns; that of a nil matrix is nil.
func takeColumns(x *mat.Dense, cols []int) *mat.Dense {
	if x == nil {
		return nil
	}
	n, _ := x.Dims()
	sub := algebra.NewDense(n, len(cols))
	for i := range n {
		from := x.RawRowView(i)
		for k, j := range cols {
			sub.Set(i, k, from[j])
		}
	}
	return sub
}
