package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-gota/gota/series"
)

// This file has the functions that give dates: as texts in ISO form, which stay dates in formulas, in
// further expressions and on axes.

func init() {
	for _, order := range []string{"ymd", "dmy", "mdy"} {
		registerValue(order, valueFunction{params: []string{"x", "errors"}, typ: series.String, dates: true, fills: true, of: datesIn(order)})
	}
	registerValue("as.Date", valueFunction{params: []string{"x", "format", "origin"}, typ: series.String, dates: true, of: dayOf})
	registerValue("floor_date", valueFunction{params: []string{"x", "unit"}, typ: series.String, least: 2, dates: true, of: floored})
	registerValue("to_utc", valueFunction{params: []string{"x", "zone", "repeated", "skipped"}, typ: series.String, least: 2, dates: true, fills: true, of: toUTC})
	registerValue("from_utc", valueFunction{params: []string{"x", "zone"}, typ: series.String, least: 2, dates: true, of: fromUTC})
}

// datesIn computes ymd(x), dmy(x) and mdy(x): dates in the forms that ReadCSV knows.
func datesIn(order string) func(o *options) (compute, error) {
	return func(o *options) (compute, error) {
		errors, err := o.among("errors", "raise", "coerce")
		if err != nil {
			return nil, err
		}
		return func(e *evaluator, x []*column) (*column, error) {
			var wrong error
			out := datesColumn(x[0].missing, func(i int) (float64, bool) {
				cell := strings.TrimSpace(x[0].at(i))
				d, ok := writtenDateIn(order, cell)
				why := ""
				if ok {
					d.unsure = d.unsure || d.dotted
					t, exists := d.time(order)
					switch {
					case !exists:
						why = noSuchDate(d)
					case d.named || d.unsure == (order != "ymd"):
						return daysSince1970(t), true
					default:
						why = ", which is in another order"
					}
				}
				if errors == "raise" && wrong == nil {
					wrong = formulaErrorf(ErrSetting, e.src, o.data[0], "%s is %q in row %d, no date in the order %s%s; choose rows by ifelse(grepl(...), dmy(a), ymd(a)), or make such values missing by %s(%s, errors = \"coerce\")",
						label(o.data[0]), cell, e.number1(e.row(i)), dateOrders[order], why, order, label(o.data[0]))
				}
				return 0, false
			})
			return out, wrong
		}, nil
	}
}

// dayOf computes as.Date(x), the day of a time, or as.Date(k, origin = "1899-12-30"), the day a number of
// days after another.
func dayOf(o *options) (compute, error) {
	if format := o.args["format"]; format != nil {
		return nil, formulaErrorf(ErrSyntax, o.src, format, "as.Date takes dates that are in ISO form; of others the order is enough: dmy(%s), mdy(%s), ymd(%s)", label(o.data[0]), label(o.data[0]), label(o.data[0]))
	}
	origin, err := o.text("origin", "")
	if err != nil {
		return nil, err
	}
	from, isDay := isoDays(origin)
	if origin != "" && !isDay {
		return nil, formulaErrorf(ErrSyntax, o.src, o.args["origin"], "origin of as.Date is a date such as \"1899-12-30\", from which Excel counts")
	}
	return func(e *evaluator, x []*column) (*column, error) {
		if isDay && x[0].typ != series.String {
			return datesColumn(x[0].missing, func(i int) (float64, bool) { return math.Floor(from + x[0].num[i]), true }), nil
		}
		days, err := e.timesIn(o.data[0], x[0])
		if err != nil {
			return nil, err
		}
		return datesColumn(x[0].missing, func(i int) (float64, bool) { return math.Floor(days[i]), true }), nil
	}, nil
}

// floors are the units of floor_date. Weeks start on Monday.
var floors = map[string]func(t time.Time) time.Time{
	"second": func(t time.Time) time.Time { return t.Truncate(time.Second) },
	"minute": func(t time.Time) time.Time { return t.Truncate(time.Minute) },
	"hour":   func(t time.Time) time.Time { return t.Truncate(time.Hour) },
	"day":    func(t time.Time) time.Time { return dayAt(t.Year(), t.Month(), t.Day()) },
	"week": func(t time.Time) time.Time {
		return dayAt(t.Year(), t.Month(), t.Day()-int(t.Weekday()+6)%7)
	},
	"month": func(t time.Time) time.Time { return dayAt(t.Year(), t.Month(), 1) },
	"quarter": func(t time.Time) time.Time {
		return dayAt(t.Year(), (t.Month()-1)/3*3+1, 1)
	},
	"year": func(t time.Time) time.Time { return dayAt(t.Year(), 1, 1) },
}

func dayAt(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// floored computes floor_date(x, unit), where the second, minute, hour, day, week, month, quarter or year
// of a time begins.
func floored(o *options) (compute, error) {
	unit, err := o.text("unit", "")
	if err != nil {
		return nil, err
	}
	floor := floors[strings.TrimSuffix(unit, "s")]
	if floor == nil {
		return nil, formulaErrorf(ErrSyntax, o.src, o.args["unit"], "unit of floor_date is one of second, minute, hour, day, week, month, quarter and year, not %q", unit)
	}
	return func(e *evaluator, x []*column) (*column, error) {
		days, err := e.timesIn(o.data[0], x[0])
		if err != nil {
			return nil, err
		}
		return datesColumn(x[0].missing, func(i int) (float64, bool) { return daysSince1970(floor(timeOf(days[i]))), true }), nil
	}, nil
}

// zone returns the time zone that a call names.
func (o *options) zone() (*time.Location, error) {
	name, err := o.text("zone", "")
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, formulaErrorf(ErrSyntax, o.src, o.args["zone"], "the time zone %q is not known; zones are named as \"Europe/Zurich\" and \"America/New_York\"", name)
	}
	return zone, nil
}

// fromUTC computes from_utc(x, zone), what the clocks of a zone show.
func fromUTC(o *options) (compute, error) {
	zone, err := o.zone()
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		days, err := e.timesIn(o.data[0], x[0])
		if err != nil {
			return nil, err
		}
		return datesColumn(x[0].missing, func(i int) (float64, bool) {
			t := timeOf(days[i])
			_, ahead := t.In(zone).Zone()
			return daysSince1970(t.Add(time.Duration(ahead) * time.Second)), true
		}), nil
	}, nil
}

// toUTC computes to_utc(x, zone, repeated, skipped), the time of which the clocks of a zone showed x.
func toUTC(o *options) (compute, error) {
	zone, err := o.zone()
	if err != nil {
		return nil, err
	}
	repeated, err := o.among("repeated", "", "first", "second", "order")
	if err != nil {
		return nil, err
	}
	skipped, err := o.among("skipped", "", "forward", "NA")
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		if repeated == "order" && (e.partial() || !e.whole) {
			return nil, formulaErrorf(ErrSetting, e.src, o.args["repeated"], "repeated = \"order\" follows the rows of a frame, in their order; elsewhere it is \"first\" or \"second\"")
		}
		days, err := e.timesIn(o.data[0], x[0])
		if err != nil {
			return nil, err
		}
		fail := func(i int, format string, args ...any) error {
			return formulaErrorf(ErrSetting, e.src, o.call, "%s is %s in row %d, %s", label(o.data[0]), timeOf(days[i]).Format("2006-01-02 15:04"), e.number1(e.row(i)), fmt.Sprintf(format, args...))
		}
		var wrong error
		second := e.secondTimes(days, zone, repeated == "order")
		out := datesColumn(x[0].missing, func(i int) (float64, bool) {
			at := clockTimes(timeOf(days[i]), zone)
			switch {
			case len(at) == 1:
				return daysSince1970(at[0]), true
			case len(at) == 2 && repeated == "":
				if wrong == nil {
					wrong = fail(i, "an hour that the clocks of %s show twice; say which is meant: repeated = \"first\", \"second\", or \"order\", by the order of the rows", zone)
				}
			case len(at) == 2:
				return daysSince1970(at[int(indicator(repeated == "second" || second[i]))]), true
			case skipped == "":
				if wrong == nil {
					wrong = fail(i, "an hour that the clocks of %s leave out; say what is meant: skipped = \"forward\", as if they had not been changed yet, or \"NA\"", zone)
				}
			case skipped == "forward":
				_, before := timeOf(days[i]).Add(-24 * time.Hour).In(zone).Zone()
				return days[i] - float64(before)/secondsOfDay, true
			}
			return 0, false
		})
		return out, wrong
	}, nil
}

// clockTimes returns the times at which the clocks of a zone show a time, in their order: one, two, or none.
func clockTimes(shown time.Time, zone *time.Location) []time.Time {
	var ahead []int // of UTC, about then
	for _, hours := range []time.Duration{-36, 36} {
		if _, seconds := shown.Add(hours * time.Hour).In(zone).Zone(); !slices.Contains(ahead, seconds) {
			ahead = append(ahead, seconds)
		}
	}
	var all []time.Time
	for _, seconds := range ahead {
		at := shown.Add(-time.Duration(seconds) * time.Second)
		if _, real := at.In(zone).Zone(); real == seconds {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all
}

// secondTimes says by the order of the rows, in each group, which times are of the second of two hours that
// the clocks show alike: those after which the clocks went back, or have shown the same before.
func (e *evaluator) secondTimes(days []float64, zone *time.Location, wanted bool) []bool {
	second := make([]bool, len(days))
	if !wanted {
		return second
	}
	e.eachGroup(func(rows []int32) {
		before := math.NaN()
		again := false
		for _, i := range rows {
			if days[i] != days[i] {
				continue
			}
			twice := len(clockTimes(timeOf(days[i]), zone)) == 2
			again = twice && (again || days[i] <= before)
			second[i], before = again, days[i]
		}
	})
	return second
}
