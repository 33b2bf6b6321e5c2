package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// columnPass is the first pass over a column of the design.
type columnPass struct {
	shift float64
	// least and largest are the range of the values.
	least, largest float64

	whole bool    // whole numbers, and so is the shift
	exact bool    // whole numbers whose sums are exact
	noise float64 // length of a vector that is no shorter than that of the errors of the values
}

// firstEach is how many numbers the first pass asks of a column: how many values there are, their sum, least and
// largest, how many are not whole, and the sum of squares of their errors.
const firstEach = 6

// first finds mean and range of every column in n complete rows, and the terms that have rows beyond their range; it names what
// is wrong with a row.
func (w *sqlPlan) first(ctx context.Context, s *session, n int) (passes []columnPass, beyond []mlreg.Extrapolation, err error) {
	passes = make([]columnPass, len(w.columns))
	err = w.eachFirst(ctx, s, func(from, to int, row []driver.Value) (err error) {
		if numberOrNaN(row[0]) != float64(n) {
			return w.e.otherRows()
		}
		if from == 0 {
			rest := row[1+firstEach*to:]
			if err := w.checkLevels(ctx, s, rest); err != nil {
				return err
			}
			ranges := make([][eachRange]float64, len(w.ranged))
			for k := range ranges {
				for i := range ranges[k] {
					ranges[k][i] = numberOrNaN(rest[len(w.factors)+eachRange*k+i])
				}
			}
			beyond = w.beyond(ranges)
			if err := w.checkWeights(row); err != nil {
				return err
			}
		}
		for j := from; j < to; j++ {
			if passes[j], err = w.firstOf(j, n, row[1+firstEach*(j-from):]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return passes, beyond, w.agree(ctx, s, passes)
}

// eachFirst asks for what firstTargets writes, of as many columns at a time as a SELECT may have.
func (w *sqlPlan) eachFirst(ctx context.Context, s *session, take func(from, to int, row []driver.Value) error) error {
	step := max(1, (w.e.d.MaxTargets-len(w.factors)-eachRange*len(w.ranged)-8)/firstEach)
	for from := 0; from == 0 || from < len(w.columns); from += step {
		to := min(len(w.columns), from+step)
		items, targets := w.firstTargets(from, to)
		row, err := s.one(ctx, w.from(items, targets, ""), len(targets))
		if err != nil {
			return err
		}
		if err := take(from, to, row); err != nil {
			return err
		}
	}
	return nil
}

// firstTargets writes what the first pass asks of some columns; with the first of them, how many rows have an
// unknown level of each factor, the ranges of the inputs of bases, and that of the weights.
func (w *sqlPlan) firstTargets(from, to int) (items []binding, targets []string) {
	targets = []string{"count(*)"}
	if w.weight != "" {
		items = append(items, binding{w.prefix + "w", w.weight})
	}
	for j := from; j < to; j++ {
		x := fmt.Sprintf("%sx%d", w.prefix, j)
		items = append(items, binding{x, w.columns[j]})
		targets = append(targets, "count("+x+")", "sum("+x+")", "min("+x+")", "max("+x+")", "sum(CASE WHEN "+x+" = floor("+x+") THEN 0 ELSE 1 END)")
		if w.off[j] == "" {
			targets = append(targets, "0")
			continue
		}
		off := fmt.Sprintf("%so%d", w.prefix, j)
		items = append(items, binding{off, w.off[j]})
		if w.weight == "" {
			targets = append(targets, "sum("+off+" * "+off+")")
		} else {
			targets = append(targets, "sum("+w.prefix+"w * "+off+" * "+off+")")
		}
	}
	if from == 0 {
		for k, f := range w.factors {
			x := fmt.Sprintf("%sf%d", w.prefix, k)
			items = append(items, binding{x, f.code})
			targets = append(targets, countIf(x+" IS NULL"))
		}
		inputs, ranges := w.rangeTargets()
		items, targets = append(items, inputs...), append(targets, ranges...)
		if w.weight != "" {
			x := w.prefix + "w"
			targets = append(targets, "min("+x+")", "max("+x+")")
		}
	}
	return items, targets
}

// checkWeights looks at the range of the weights, the last two numbers of a row.
func (w *sqlPlan) checkWeights(row []driver.Value) error {
	if w.weight == "" {
		return nil
	}
	if low := numberOrNaN(row[len(row)-2]); low < 0 {
		return errorf(frames.ErrSetting, "a weight is %v; weights must not be negative", low)
	}
	if high := numberOrNaN(row[len(row)-1]); math.IsInf(high, 0) {
		return errorf(frames.ErrNotFinite, "a weight is %v", high)
	}
	return nil
}

// firstOf is what the first pass found of column j.
func (w *sqlPlan) firstOf(j, n int, found []driver.Value) (pass columnPass, err error) {
	count, sum, low, high := numberOrNaN(found[0]), numberOrNaN(found[1]), numberOrNaN(found[2]), numberOrNaN(found[3])
	bad := n - int(count)
	if bad > 0 || math.IsInf(low, 0) || math.IsInf(high, 0) || math.IsNaN(low) || math.IsNaN(high) {
		what := "is infinite"
		if bad > 0 {
			what = fmt.Sprintf("is not defined in %d of %d complete rows", bad, n)
		}
		return pass, errorf(frames.ErrNotFinite, "%s %s: its values lie between %v and %v", w.names[j], what, low, high)
	}
	mean := sum / float64(n)
	if math.IsInf(mean, 0) || math.IsNaN(mean) {
		mean = low/2 + high/2
	}
	mean = math.Max(low, math.Min(high, mean))
	if broken := numberOrNaN(found[4]); broken == 0 && math.Abs(mean) < 1<<52 {
		mean, pass.whole = math.Round(mean), true
	}
	pass.shift, pass.least, pass.largest = mean, low, high
	if pass.noise = unit * math.Sqrt(numberOrNaN(found[5])); math.IsNaN(pass.noise) {
		pass.noise = math.Inf(1)
	}
	return pass, nil
}

// eachRange is how many numbers are asked of the input of a basis that has a range.
const eachRange = 3

// rangeTargets asks for the ends of the inputs of bases, and how many rows lie beyond the range.
func (w *sqlPlan) rangeTargets() (items []binding, targets []string) {
	d := w.e.d
	for k, r := range w.ranged {
		x := fmt.Sprintf("%sr%d", w.prefix, k)
		items = append(items, binding{x, r.x})
		targets = append(targets, "min("+x+")", "max("+x+")", countIf(x+" < "+d.number(r.Low)+" OR "+x+" > "+d.number(r.High)))
	}
	return items, targets
}

// beyond are the terms with rows beyond their range, of the ends of their inputs and the number of rows.
func (w *sqlPlan) beyond(found [][eachRange]float64) (all []mlreg.Extrapolation) {
	for k, r := range w.ranged {
		if e := table.Beyond(r.Extrapolation, found[k][:2]); e.Rows > 0 { // not all databases read every digit of the range
			e.Rows = int(found[k][2])
			all = append(all, e)
		}
	}
	return all
}

// agree replaces the shifts by those that the database reads: not all read the
// digits of a number correctly.
func (w *sqlPlan) agree(ctx context.Context, s *session, passes []columnPass) error {
	step := w.e.d.MaxTargets
	for from := 0; from < len(passes); from += step {
		to := min(len(passes), from+step)
		targets := make([]string, 0, step)
		for _, p := range passes[from:to] {
			targets = append(targets, w.e.d.number(p.shift))
		}
		row, err := s.one(ctx, "SELECT "+strings.Join(targets, ", "), len(targets))
		if err != nil {
			return err
		}
		for j, v := range row {
			x, ok := numberOf(v)
			if p := passes[from+j]; !ok || math.Abs(x-p.shift) > 1e-13*math.Abs(p.shift) {
				return errorf(ErrSource, "%v reads the number %v as %v", w.e, p.shift, v)
			}
			passes[from+j].shift = x
		}
	}
	return nil
}

// checkLevels names a level that the plan does not know.
func (w *sqlPlan) checkLevels(ctx context.Context, s *session, unknown []driver.Value) error {
	for k, f := range w.factors {
		if x, _ := numberOf(unknown[k]); x == 0 {
			continue
		}
		var code string
		for _, b := range w.bindings {
			if b.name == f.code {
				code = b.sql
			}
		}
		row, err := s.one(ctx, "SELECT "+f.value+" FROM "+w.e.relation+whereClause(w.where, w.complete, "("+code+") IS NULL")+" LIMIT 1", 1)
		if err != nil {
			return err
		}
		level := fmt.Sprint(row[0])
		if text, ok := textOf(row[0]); ok {
			level = text
		}
		return errorf(frames.ErrLevel, "level %q of %s was not seen in training; the levels are %q", level, f.text, f.levels)
	}
	return nil
}
