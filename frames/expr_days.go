package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-gota/gota/series"
)

// This file makes numbers of dates in formulas and in the expressions of verbs.

// dateFunctions are the parts of a date.
var dateFunctions = map[string]func(t time.Time) float64{
	"year":    func(t time.Time) float64 { return float64(t.Year()) },
	"month":   func(t time.Time) float64 { return float64(t.Month()) },
	"day":     func(t time.Time) float64 { return float64(t.Day()) },
	"yday":    func(t time.Time) float64 { return float64(t.YearDay()) },
	"weekday": func(t time.Time) float64 { return float64((t.Weekday()+6)%7 + 1) },
	"hour": func(t time.Time) float64 {
		return t.Sub(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)).Hours()
	},
}

// registerDates adds the parts of a date.
func init() {
	for fn, part := range dateFunctions {
		typ := series.Int
		if fn == "hour" { // with its fraction
			typ = series.Float
		}
		registerValue(fn, valueFunction{params: []string{"x"}, typ: typ, of: func(o *options) (compute, error) {
			return func(e *evaluator, x []*column) (*column, error) {
				days, err := e.timesIn(o.data[0], x[0])
				if err != nil {
					return nil, err
				}
				return e.same(typ, func(c *column, i int) {
					if c.missing[i] = x[0].missing[i]; !c.missing[i] {
						c.num[i] = part(timeOf(days[i]))
					}
				}), nil
			}, nil
		}})
	}
}

// timesIn returns the values of an expression, which are dates, as days since 1970-01-01.
func (e *evaluator) timesIn(n node, x *column) ([]float64, error) {
	days, ok := x.dates()
	if !ok && slices.Contains(x.missing, false) {
		return nil, formulaErrorf(ErrNotNumeric, e.src, n, "%s is not of dates such as 2024-03-01%s", label(n), e.noDate(x))
	}
	return days, nil
}

// noDate names the first value that is no date.
func (e *evaluator) noDate(x *column) string {
	for i, m := range x.missing {
		if _, ok := isoDays(x.at(i)); !m && !ok {
			return fmt.Sprintf(": row %d has %q%s", e.number1(e.row(i)), x.at(i), noSuchDay(x.at(i)))
		}
	}
	return ""
}

// daysOf returns dates as numbers of days since the day that the formula counts
// from, and false if the column is not one of dates.
func (e *evaluator) daysOf(c *column) ([]float64, bool) {
	days, ok := c.dates()
	if !ok || e.since == 0 {
		return days, ok
	}
	out := make([]float64, len(days))
	for i, v := range days {
		out[i] = v - e.since
	}
	return out, true
}

// sameDates turns the operands of a comparison into numbers if one is of dates; the
// other has to be, too.
func (e *evaluator) sameDates(n *binary, x, y *column) (*column, *column, error) {
	if e.size() == 0 { // a text that no row has is not known to be a date
		return x, y, nil
	}
	a, isA := x.dates()
	b, isB := y.dates()
	_, constantA := stripped(n.x).(*text)
	_, constantB := stripped(n.y).(*text)
	switch {
	case isA && isB && !(constantA && constantB):
		return &column{typ: series.Float, num: a, missing: x.missing}, &column{typ: series.Float, num: b, missing: y.missing}, nil
	case isA && constantB && !constantA:
		return nil, nil, e.notDate(n.x, n.y)
	case isB && constantA && !constantB:
		return nil, nil, e.notDate(n.y, n.x)
	}
	return x, y, nil
}

// notDate refuses to compare a column of dates with a text that is none.
func (e *evaluator) notDate(of, with node) error {
	value := strings.Trim(label(with), `"`)
	return formulaErrorf(ErrSetting, e.src, with, "%s has dates; %q is no date such as 2024-03-01%s", label(of), value, noSuchDay(value))
}

// sinceText returns the day that dates are counted from, as text and as a number.
func sinceText(first float64) (string, float64) {
	t := timeOf(first)
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0 {
		return t.Format(dayLayout), first
	}
	text := t.Format(clockLayout)
	days, ok := isoDays(text)
	if !ok {
		days = math.NaN()
	}
	return text, days
}

// walkDays visits the columns in an expression whose dates, if they are dates,
// become numbers of days: not those in year(a), nor those that are compared, nor
// factors.
func walkDays(n node, visit func(*name)) {
	switch n := n.(type) {
	case *name:
		visit(n)
		return
	case *binary:
		if isCondition(n.op) {
			for _, operand := range operands(n) {
				if _, compared := stripped(operand).(*name); !compared {
					walkDays(operand, visit)
				}
			}
			return
		}
	case *call:
		if f, ok := valueFunctionOf(n); ok && !f.numbers && !f.dates && !f.numeric || isFactorCall(n) || n.fn == "words" {
			return
		}
	}
	for _, operand := range operands(n) {
		walkDays(operand, visit)
	}
}
