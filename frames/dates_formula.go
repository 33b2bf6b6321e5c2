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

// dateFunctionOf returns the function that a call names if it is of dates.
func dateFunctionOf(n node) (func(time.Time) float64, bool) {
	c, ok := n.(*call)
	if !ok {
		return nil, false
	}
	f, ok := dateFunctions[c.fn]
	return f, ok
}

// dateFunction checks a call such as month(a).
func (c checker) dateFunction(n *call) error {
	if len(n.args) != 1 || n.args[0].name != "" {
		return c.fail(n, "%s takes a column of dates", n.fn)
	}
	return c.comparable(n.args[0].value)
}

// dateFunction computes a part of dates.
func (e *evaluator) dateFunction(n *call, f func(time.Time) float64) (*column, error) {
	x, err := e.evaluate(n.args[0].value)
	if err != nil {
		return nil, err
	}
	days, ok := x.dates()
	if !ok && x.hasValues() {
		return nil, formulaErrorf(ErrNotNumeric, e.src, n.args[0].value, "%s is not of dates such as 2024-03-01%s", label(n.args[0].value), e.noDate(x))
	}
	return e.same(kindOfDate(n), func(c *column, i int) {
		if c.missing[i] = x.missing[i]; !c.missing[i] {
			c.num[i] = f(timeOf(days[i]))
		}
	}), nil
}

// kindOfDate is the type of a part of a date: whole numbers, or hours.
func kindOfDate(n *call) series.Type {
	if n.fn == "hour" {
		return series.Float
	}
	return series.Int
}

// hasValues reports whether a value is not missing.
func (c *column) hasValues() bool {
	for _, m := range c.missing {
		if !m {
			return true
		}
	}
	return false
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
		return nil, nil, e.notDate(n.x, n.y, y)
	case isB && constantA && !constantB:
		return nil, nil, e.notDate(n.y, n.x, x)
	}
	return x, y, nil
}

func (e *evaluator) notDate(of, with node, c *column) error {
	value := strings.Trim(label(with), `"`)
	return formulaErrorf(ErrSetting, e.src, with, "%s has dates; %q is no date such as 2024-03-01%s", label(of), value, noSuchDay(value))
}

// learnSince finds the first date in the columns of dates that the formula uses as
// numbers.
func (b *builder) learnSince() {
	first := math.Inf(1)
	uses := func(n node) bool {
		used := false
		walkDays(n, func(col *name) {
			if c := b.eval.cols[col.name]; c != nil {
				if days, ok := c.dates(); ok {
					used = true
					for _, v := range days {
						first = math.Min(first, orInf(v))
					}
				}
			}
		})
		return used
	}
	used := make([]bool, len(b.exprs))
	for v, x := range b.exprs {
		used[v] = uses(x.n)
	}
	for _, x := range append(slices.Clone(b.offsets), b.response) {
		if x.n != nil {
			uses(x.n)
		}
	}
	if math.IsInf(first, 1) {
		return
	}
	b.terms.Since, b.eval.since = sinceText(first)
	for v := range used {
		if used[v] {
			b.terms.Variables[v].Since = b.terms.Since
		}
	}
}

func orInf(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// walkDays visits the columns in an expression whose dates, if they are dates,
// become numbers of days: not those in year(a), nor those that are compared, nor
// factors.
func walkDays(n node, visit func(*name)) {
	switch n := n.(type) {
	case *name:
		visit(n)
	case *paren:
		walkDays(n.x, visit)
	case *unary:
		walkDays(n.x, visit)
	case *binary:
		for _, operand := range []node{n.x, n.y} {
			if _, compared := stripped(operand).(*name); !compared || !isCondition(n.op) {
				walkDays(operand, visit)
			}
		}
	case *call:
		if _, ok := dateFunctions[n.fn]; ok || isFactorCall(n) || n.fn == "words" {
			return
		}
		for _, a := range n.args {
			walkDays(a.value, visit)
		}
	}
}

// checkDateSlip returns an error for a text column named alone if most but not all
// of its values are dates: as a factor it would have a level for every date.
func (e *evaluator) checkDateSlip(n node, c *column) error {
	dates, bad := 0, -1
	for i, s := range c.text {
		if c.missing[i] {
			continue
		}
		if _, ok := isoDays(s); ok {
			dates++
		} else if bad < 0 {
			bad = i
		}
	}
	if present := len(c.missing) - c.count; bad >= 0 && dates > 0 && mostly(dates, present) {
		return formulaErrorf(ErrNotNumeric, e.src, n, "column %q is text, though %d of its %d values are dates: row %d has %q%s; to use it as a factor, write factor(%s)",
			c.name, dates, present, bad+1, c.text[bad], noSuchDay(c.text[bad]), label(n))
	}
	if bad >= 0 && dates == 0 {
		if d, ok := writtenDateOf(strings.TrimSpace(c.text[bad])); ok && d.year > 0 && c.mostlyWritten() {
			return formulaErrorf(ErrNotNumeric, e.src, n, "column %q has dates that are not in ISO form: row %d has %q; read the file with CSVSettings.Dates, or to use it as a factor, write factor(%s)",
				c.name, bad+1, c.text[bad], label(n))
		}
	}
	return nil
}

// mostlyWritten reports whether most texts have the form of a date.
func (c *column) mostlyWritten() bool {
	dates := 0
	for i, s := range c.text {
		if _, ok := writtenDateOf(strings.TrimSpace(s)); ok && !c.missing[i] {
			dates++
		}
	}
	return mostly(dates, len(c.missing)-c.count)
}
