package frames

import (
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// cell carries one value into a series. Unlike a number or a text, a pointer to
// it needs no memory of its own when gota's Set takes it.
type cell struct {
	series.Element // nil: Set calls none but the methods below
	num            float64
	whole          int
	text           string
}

func (c *cell) Float() float64      { return c.num }
func (c *cell) Int() (int, error)   { return c.whole, nil }
func (c *cell) Bool() (bool, error) { return c.num != 0, nil }
func (c *cell) String() string      { return c.text }

// series returns the values as a series of gota's.
func (c *column) series(name string) series.Series {
	n, typ := len(c.missing), c.typ
	if typ == series.Int || c.low != nil {
		typ = series.Int
		if c.notInt() >= 0 { // a sum beyond 64 bits; SQLite has decimals in columns of whole numbers
			typ = series.Float
		}
	}
	s := empty(typ, n)
	s.Name = name
	c.fill(s)
	return s
}

// fill sets the elements of a series to the values.
func (c *column) fill(s series.Series) {
	inParts(len(c.missing), func(from, to int) {
		var v cell
		for i := from; i < to; i++ {
			switch {
			case c.missing[i] || c.typ == series.String && c.text[i] == gotaMissing:
				s.Elem(i).Set(nil)
				continue
			case c.typ == series.String:
				v.text = c.text[i]
			default:
				num, low := c.value(i)
				v.num = num
				v.whole, _ = table.Int(num, low)
			}
			s.Elem(i).Set(&v)
		}
	})
}

// notInt returns the first row whose number is not a whole one of 64 bits, -1 if there is none.
func (c *column) notInt() int {
	for i, missing := range c.missing {
		if _, ok := table.Int(c.value(i)); !ok && !missing {
			return i
		}
	}
	return -1
}

// stored returns an error for whole numbers beyond 2^53 beside numbers with which no series
// keeps them: those with a fraction, and those beyond 64 bits unless they are computed,
// which makes them float64 numbers.
func (c *column) stored() error {
	if c.low == nil || c.whole && c.typ == series.Float {
		return nil
	}
	other := c.notInt()
	if other < 0 {
		return nil
	}
	long := slices.IndexFunc(c.low, func(low float64) bool { return low != 0 })
	if c.low[other] != 0 {
		return errorf(ErrSetting, "%s is %s in row %d, beyond the 64 bits of an integer; make it text", c.name, c.at(other), other+1)
	}
	return errorf(ErrSetting, "%s is %s in row %d, an integer that a float64 does not hold, and %s in row %d: a column has integers or decimal numbers; make it text, or round",
		c.name, c.at(long), long+1, c.at(other), other+1)
}

// columnsByReference returns the columns of a frame, the first of a name, not copied as
// Col does: they must not be changed.
func columnsByReference(df dataframe.DataFrame) map[string]series.Series {
	all := make(map[string]series.Series, df.Ncol())
	short := series.New([]bool{false}, series.Bool, "")
	df.Capply(func(s series.Series) series.Series {
		if _, known := all[s.Name]; !known {
			all[s.Name] = s
		}
		return short // what Capply copies
	})
	return all
}

// empty returns a series of n values to be set.
func empty(typ series.Type, n int) series.Series { return zeros(typ).Subset(make([]int, n)) }

// zeros returns a series of one value.
func zeros(typ series.Type) series.Series {
	switch typ {
	case series.String:
		return series.New([]string{""}, typ, "")
	case series.Bool:
		return series.New([]bool{false}, typ, "")
	case series.Int:
		return series.New([]int{0}, typ, "")
	}
	return series.New([]float64{0}, typ, "")
}

// numbersColumn returns numbers as a column; NaN is a missing value.
func numbersColumn(name string, typ series.Type, num []float64) *column {
	c := &column{name: name, typ: typ, num: num, missing: make([]bool, len(num))}
	for i, v := range num {
		if math.IsNaN(v) {
			c.missing[i] = true
			c.count++
		}
	}
	c.complete = c.count == 0
	return c
}

// textColumn returns texts as a column, none missing.
func textColumn(name string, text []string) *column {
	return &column{name: name, typ: series.String, text: text, missing: make([]bool, len(text))}
}

// gotaMissing is gota's mark of a missing text.
const gotaMissing = "NaN"
