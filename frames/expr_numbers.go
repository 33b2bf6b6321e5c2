package frames

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-gota/gota/series"
)

// This file has the functions that make numbers of texts, and those of several numbers.

func init() {
	registerValue("as.numeric", valueFunction{params: []string{"x", "errors"}, typ: series.Float, fills: true, of: numbersOf})
	registerValue("as.integer", valueFunction{params: []string{"x", "errors"}, typ: series.Int, fills: true, of: func(o *options) (compute, error) {
		floats, err := numbersOf(o)
		return func(e *evaluator, x []*column) (*column, error) {
			v, err := floats(e, x)
			if err != nil {
				return nil, err
			}
			return e.same(series.Int, func(c *column, i int) {
				num, low := v.value(i)
				c.missing[i] = v.missing[i]
				c.set(i, math.Trunc(num), low)
			}), nil
		}, err
	}})
	registerValue("round", valueFunction{params: []string{"x", "digits"}, typ: series.Float, numeric: true, of: rounded})
	for fn, sign := range map[string]float64{"pmin": -1, "pmax": 1} {
		registerValue(fn, valueFunction{params: []string{"...", "na.rm"}, typ: series.Float, numeric: true, fills: true, of: extremeOf(sign)})
	}
}

// numbersOf computes as.numeric(x). Text that is no number is an error, or missing with errors =
// "coerce"; an empty text is missing. Dates are days since 1970-01-01.
func numbersOf(o *options) (compute, error) {
	errors, err := o.among("errors", "raise", "coerce")
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		of := x[0]
		if of.typ != series.String {
			numbers := *of
			numbers.typ, numbers.whole = series.Float, of.isWhole()
			return &numbers, nil
		}
		if days, ok := of.dates(); ok {
			return &column{typ: series.Float, num: days, missing: of.missing, count: of.count}, nil
		}
		var wrong error
		out := e.same(series.Float, func(c *column, i int) {
			cell := ""
			if !of.missing[i] {
				cell = strings.TrimSpace(of.text[i])
			}
			v, ok := dotted.number(cell)
			if !ok && cell != "" && errors == "raise" && wrong == nil {
				wrong = formulaErrorf(ErrNotNumeric, e.src, o.data[0], "%s is %q in row %d, which is no number%s; as.numeric(%s, errors = \"coerce\") makes such values missing",
					label(o.data[0]), of.text[i], e.number1(e.row(i)), adviceFor(cell, o.data[0]), label(o.data[0]))
			}
			if c.num[i], c.missing[i] = v, !ok; !ok {
				c.num[i] = math.NaN()
			}
		})
		return out, wrong
	}, nil
}

// adviceFor says how a cell such as <0.5 or 1,234 becomes a number.
func adviceFor(cell string, n node) string {
	switch {
	case strings.ContainsAny(cell[:1], "<>≤≥"):
		return "; frames.Censored makes a number of it, and a column that says it is a limit"
	case otherMarks(cell):
		return fmt.Sprintf("; gsub(\",\", \"\", %s) takes commas out, gsub(\",\", \".\", %s) makes points of them", label(n), label(n))
	}
	return ""
}

// rounded computes round(x, digits): the nearest decimal number of so many digits behind the point; of two that
// are as near, the one with the even digit.
func rounded(o *options) (compute, error) {
	digits, err := o.whole("digits", 0)
	if err == nil && (digits < -300 || digits > 300) {
		err = formulaErrorf(ErrSyntax, o.src, o.args["digits"], "digits of round are between -300 and 300")
	}
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		return e.same(series.Float, func(c *column, i int) {
			if c.missing[i] = x[0].missing[i]; c.missing[i] {
				return
			}
			num, low := x[0].value(i)
			if digits >= 0 && num == math.Trunc(num) {
				c.set(i, num, low)
				return
			}
			c.num[i] = roundTo(num, digits)
		}), nil
	}, nil
}

// roundTo rounds to digits behind the point, or before it if they are negative, as R does from version 4.0
// on: of the two decimal numbers around v the one that is nearer as float64 numbers tell.
func roundTo(v float64, digits int) float64 {
	x := math.Abs(v)
	if x == 0 || x-x != 0 || float64(digits)+math.Ceil(math.Log10(x)) > 15 {
		return v
	}
	unit := math.Pow(10, math.Abs(float64(digits)))
	scaled, back := x*unit, func(w float64) float64 { return w / unit }
	if digits < 0 {
		scaled, back = x/unit, func(w float64) float64 { return w * unit }
	}
	down, up := back(math.Floor(scaled)), back(math.Ceil(scaled))
	if x-down < up-x || x-down == up-x && math.Mod(math.Floor(scaled), 2) == 0 {
		return math.Copysign(down, v)
	}
	return math.Copysign(up, v)
}

// extremeOf computes pmin(a, b, ...) and pmax, row by row.
func extremeOf(sign float64) func(o *options) (compute, error) {
	return func(o *options) (compute, error) {
		drop, err := o.boolean("na.rm")
		if err != nil {
			return nil, err
		}
		return func(e *evaluator, x []*column) (*column, error) {
			out := e.same(series.Float, func(c *column, i int) {
				c.missing[i] = true
				for _, v := range x {
					switch {
					case v.missing[i] && !drop:
						c.missing[i] = true
						return
					case v.missing[i]:
					case c.missing[i] || sign*(v.num[i]-c.num[i]) > 0:
						c.num[i], c.missing[i] = v.num[i], false
					}
				}
			})
			return out, nil
		}, nil
	}
}
