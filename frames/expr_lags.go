package frames

import (
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
)

// lag(y, 1:3) in a formula stands for the columns "lag(y, 1)", "lag(y, 2)" and "lag(y, 3)".
// They are computed when they are asked for, as columns of the frame are read, and a row in
// which one has no value is omitted as others are. Where a frame has a column of such a
// name, that is taken.

func init() {
	gob.Register(&lagColumns{})
	registerBasis("lag", basisFunction{
		params: []string{"...", writtenParam},
		fit: func(_ [][]float64, o *options) (mlreg.Basis, error) {
			b := &lagColumns{}
			for _, n := range o.data {
				b.Columns = append(b.Columns, shownLag(n.(*name).name))
			}
			return b, nil
		},
	})
}

// lagColumns is the basis of lags: its inputs.
type lagColumns struct{ Columns []string }

func (b *lagColumns) Inputs() int              { return len(b.Columns) }
func (b *lagColumns) Names(...string) []string { return slices.Clone(b.Columns) }
func (b *lagColumns) Eval(dst []float64, x ...float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	copy(dst, x)
	return dst
}

// writtenParam is the name of the argument that keeps how a call of lag was written.
const writtenParam = "written"

var lagParams = []string{"x", "k", "group", "time"}

// lagged is a lag of a column, in recordings told apart by a column and with times in
// another, "" for none.
type lagged struct {
	col, group, time string
	steps            int
}

// name is the name of the column, from which laggedOf reads it.
func (l lagged) name() string { return l.text(strconv.Itoa(l.steps)) }

// text is a call of lag with the steps as they are written.
func (l lagged) text(steps string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "lag(%s, %s", nameText(l.col), steps)
	if l.group != "" {
		fmt.Fprintf(&b, ", group = %s", nameText(l.group))
	}
	if l.time != "" {
		fmt.Fprintf(&b, ", time = %s", nameText(l.time))
	}
	return b.String() + ")"
}

// laggedOf reads the name of a lag.
func laggedOf(text string) (lagged, bool) {
	if !strings.HasPrefix(text, "lag(") {
		return lagged{}, false
	}
	n, err := parseBare(text, false)
	if err != nil {
		return lagged{}, false
	}
	c, ok := n.(*call)
	if !ok || c.fn != "lag" {
		return lagged{}, false
	}
	l, err := lagsOf(text, c)
	if err != nil || len(l) != 1 {
		return lagged{}, false
	}
	return l[0], true
}

// shownLag is the name of a column of the design: lag(y, 3).
func shownLag(name string) string {
	l, _ := laggedOf(name)
	l.group, l.time = "", ""
	return l.name()
}

// lagsOf returns the lags that a call asks for.
func lagsOf(src string, c *call) ([]lagged, error) {
	fail := func(at node, format string, args ...any) error {
		return formulaErrorf(ErrSyntax, src, at, format, args...)
	}
	o, err := matchArgs(src, c, lagParams)
	if err != nil {
		return nil, err
	}
	column := func(param string) (string, error) {
		n := o.args[param]
		if n == nil {
			return "", nil
		}
		col, ok := n.(*name)
		if !ok || col.name == "." {
			return "", fail(n, "%s is not a column; lag takes columns, lag(y, 1:3, group = id, time = day); compute others with With first", label(n))
		}
		return col.name, nil
	}
	var l lagged
	if l.col, err = column("x"); err != nil {
		return nil, err
	}
	if l.group, err = column("group"); err != nil {
		return nil, err
	}
	if l.time, err = column("time"); err != nil {
		return nil, err
	}
	k := o.args["k"]
	if k == nil {
		return nil, fail(c, "lag of how many steps? lag(y, 1) or lag(y, 1:12)")
	}
	steps, err := lagSteps(src, k)
	if err != nil {
		return nil, err
	}
	var lags []lagged
	for _, s := range steps {
		if slices.ContainsFunc(lags, func(o lagged) bool { return o.steps == s }) {
			return nil, fail(k, "lag %d is given twice", s)
		}
		one := l
		one.steps = s
		lags = append(lags, one)
	}
	return lags, nil
}

// mostLags bounds the columns of one call.
const mostLags = 100000

// lagSteps returns the numbers in 3, 1:12 or c(1, 12).
func lagSteps(src string, n node) ([]int, error) {
	whole := func(n node) (int, error) {
		v, ok := n.(*number)
		if !ok || v.value != math.Trunc(v.value) || v.value < 0 || v.value > 1e9 {
			return 0, formulaErrorf(ErrSyntax, src, n, "a lag is a whole number of at least 0, a range such as 1:12, or c(1, 12)")
		}
		return int(v.value), nil
	}
	switch n := n.(type) {
	case *paren:
		return lagSteps(src, n.x)
	case *binary:
		if n.op != ":" {
			break
		}
		from, err := whole(n.x)
		if err != nil {
			return nil, err
		}
		to, err := whole(n.y)
		if err != nil {
			return nil, err
		}
		if to < from || to-from >= mostLags {
			return nil, formulaErrorf(ErrSyntax, src, n, "the lags %d:%d; write the smallest first, and at most %d", from, to, mostLags)
		}
		var steps []int
		for k := from; k <= to; k++ {
			steps = append(steps, k)
		}
		return steps, nil
	case *call:
		if n.fn != "c" {
			break
		}
		var steps []int
		for _, a := range n.args {
			more, err := lagSteps(src, a.value)
			if err != nil {
				return nil, err
			}
			steps = append(steps, more...)
		}
		return steps, nil
	}
	k, err := whole(n)
	return []int{k}, err
}

// expandLags writes the columns of every call of lag into it.
func expandLags(src string, n node) (node, error) {
	c, ok := n.(*call)
	if !ok || c.fn != "lag" {
		var err error
		n = withOperands(n, func(x node) node {
			out, wrong := expandLags(src, x)
			err = cmp.Or(err, wrong)
			return out
		})
		return n, err
	}
	lags, err := lagsOf(src, c)
	if err != nil {
		return nil, err
	}
	return expandedLag(c.span, label(c), lags), nil
}

// expandedLag is a call of lag as it was written, with the columns that it stands for.
func expandedLag(at span, written string, lags []lagged) *call {
	c := &call{span: at, fn: "lag", args: []arg{{writtenParam, &text{at, written}}}}
	for _, l := range lags {
		c.args = append(c.args, arg{"", &name{at, l.name()}})
	}
	return c
}

// calledLags returns the lags of an expanded call of lag, nil of another node.
func calledLags(n node) []lagged {
	c, ok := n.(*call)
	if !ok || c.fn != "lag" {
		return nil
	}
	var lags []lagged
	for _, a := range c.args {
		if n, ok := a.value.(*name); ok {
			if l, ok := laggedOf(n.name); ok {
				lags = append(lags, l)
			}
		}
	}
	return lags
}

// lagCall is the expanded call of lags of one column: lag(y, c(1:3, 12)).
func lagCall(at span, lags []lagged) *call {
	var runs []string
	for from := 0; from < len(lags); {
		to := from
		for to+1 < len(lags) && lags[to+1].steps == lags[to].steps+1 {
			to++
		}
		run := strconv.Itoa(lags[from].steps)
		if to > from {
			run += ":" + strconv.Itoa(lags[to].steps)
		}
		runs, from = append(runs, run), to+1
	}
	steps := strings.Join(runs, ", ")
	if len(runs) > 1 {
		steps = "c(" + steps + ")"
	}
	return expandedLag(at, lags[0].text(steps), lags)
}

// withoutLags returns a term without the lags that removed has too, nil if none is left:
// lag(y, 1:3) without lag(y, 2) is lag(y, c(1, 3)). It refuses to take lags out of a product,
// and those of a column that differ in the group or the time.
func (e *expansion) withoutLags(at node, term []int, removed *termSet) ([]int, error) {
	for _, r := range removed.terms {
		if len(r) != len(term) {
			continue
		}
		var touched, less, other []lagged // of the variables that differ; less is what is left of them
		alike := true
		for i, v := range term {
			if slices.Contains(r, v) {
				continue
			}
			touched = calledLags(e.vars[v])
			less = slices.DeleteFunc(slices.Clone(touched), func(l lagged) bool {
				for _, w := range r {
					for _, m := range calledLags(e.vars[w]) {
						if m == l {
							return true
						}
						if m.col == l.col && m.steps == l.steps {
							other = append(other, l)
						}
					}
				}
				return false
			})
			if alike = alike && (len(less) < len(touched) || len(other) > 0); !alike {
				break
			}
			if len(term) > 1 {
				continue
			}
			if len(other) > 0 {
				return nil, formulaErrorf(ErrSyntax, e.src, at, "%s has other recordings than %s, which is in the model; remove that", label(at), other[0].name())
			}
			if len(less) == 0 {
				return nil, nil
			}
			pos, end := e.vars[v].place()
			term = slices.Clone(term)
			term[i] = e.variable(lagCall(span{pos, end}, less))[0]
		}
		if alike && len(term) > 1 {
			return nil, formulaErrorf(ErrSyntax, e.src, at, "lags are not removed from a product; write the ones that stay")
		}
	}
	return term, nil
}

// writtenLag returns how an expanded call of lag was written.
func writtenLag(n *call) (string, bool) {
	if n.fn != "lag" || len(n.args) == 0 || n.args[0].name != writtenParam {
		return "", false
	}
	t, ok := n.args[0].value.(*text)
	if !ok {
		return "", false
	}
	return t.value, true
}

// lag computes the column that a lag names.
func (e *evaluator) lag(n *name, l lagged) (*column, error) {
	if e.partial() {
		return nil, formulaErrorf(ErrSetting, e.src, n, "lag needs the rows before a row, and a source gives rows in blocks; collect them into a frame first")
	}
	for _, col := range []string{l.col, l.group, l.time} {
		if col == "" {
			continue
		}
		if _, err := e.column(&name{n.span, col}); err != nil {
			return nil, err
		}
	}
	of := e.cols[l.col]
	if of.typ == series.String {
		return nil, formulaErrorf(ErrNotNumeric, e.src, n, "%s", of.notNumeric())
	}
	s, order, err := e.seriesOf([]string{l.col}, l.group, l.time)
	if err != nil {
		return nil, placedAt(e.src, n, err)
	}
	values, err := s.Lag(l.col, l.steps)
	if err != nil {
		return nil, placedAt(e.src, n, err)
	}
	c := &column{name: shownLag(n.name), typ: series.Float, num: make([]float64, len(order)), missing: make([]bool, len(order)), computed: true}
	for i, row := range order {
		c.num[row] = values[i]
		if c.missing[row] = math.IsNaN(values[i]); c.missing[row] {
			c.count++
		}
	}
	e.cols[n.name] = c
	return c, nil
}

// placedAt shows the place in a formula of an error of mlreg.
func placedAt(src string, n *name, err error) error {
	var shown *FormulaError
	if errors.As(err, &shown) {
		return err
	}
	message, kind := withoutPlace(err)
	return formulaErrorf(kind, src, n, "%s", message)
}

// seriesOf returns columns of the frame as a series, the rows of a group together, and the
// row of the frame that each of its rows is.
func (e *evaluator) seriesOf(channels []string, group, when string) (*tsa.Series, []int, error) {
	rows := e.height()
	order := allRows(rows)
	s := &tsa.Series{Names: slices.Clone(channels)}
	if group != "" {
		c, err := e.named(group)
		if err != nil {
			return nil, nil, err
		}
		rank := make(map[string]int)
		for i := range rows {
			if c.missing[i] {
				return nil, nil, errorf(ErrMissing, "group %q is missing in row %d", group, i+1)
			}
			if _, ok := rank[c.at(i)]; !ok {
				rank[c.at(i)] = len(rank)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return rank[c.at(a)] - rank[c.at(b)] })
		s.Group = valuesAt(order, c.at)
	}
	s.RowNumbers = valuesAt(order, func(row int) int { return row + 1 })
	if when != "" {
		times, calendar, err := e.times(when)
		if err != nil {
			return nil, nil, err
		}
		s.Calendar, s.Time = calendar, picked(order, times)
	}
	s.Values = mat.NewDense(rows, len(channels), nil)
	for j, channel := range channels {
		c, err := e.named(channel)
		if err != nil {
			return nil, nil, err
		}
		if c.typ == series.String {
			return nil, nil, errorf(ErrNotNumeric, "%s", c.notNumeric())
		}
		for k, i := range order {
			v := math.NaN()
			if !c.missing[i] {
				v = c.num[i]
			}
			s.Values.Set(k, j, v)
		}
	}
	return s, order, nil
}

// times returns a column of times: its numbers; of dates the months since 1970, if all are
// on the same day of the month or all on the last, and otherwise days.
func (e *evaluator) times(name string) ([]float64, tsa.Calendar, error) {
	c, err := e.named(name)
	if err != nil {
		return nil, tsa.NoCalendar, err
	}
	for i, m := range c.missing {
		if m {
			return nil, tsa.NoCalendar, errorf(ErrMissing, "time %q is missing in row %d", name, i+1)
		}
	}
	if c.typ != series.String {
		return c.num, tsa.NoCalendar, nil
	}
	days, ok := c.dates()
	if !ok {
		return nil, tsa.NoCalendar, errorf(ErrNotNumeric, "time %q has neither numbers nor dates such as 2024-03-01", name)
	}
	months := make([]float64, len(days))
	same, last := true, true
	for i, day := range days {
		t := timeOf(day)
		same = same && t.Day() == timeOf(days[0]).Day()
		last = last && t.AddDate(0, 0, 1).Day() == 1
		if !same && !last || day != math.Trunc(day) {
			return days, tsa.CalendarDays, nil
		}
		months[i] = float64(12*(t.Year()-1970) + int(t.Month()) - 1)
	}
	return months, tsa.CalendarMonths, nil
}

// SeriesSettings are the options of SeriesOf.
type SeriesSettings struct {
	// Time names the column of times, numbers or dates; "" is none: rows are steps.
	// Dates on the same day of the month, or all on the last, are counted in months, others
	// in days.
	Time string
	// Group names the column that tells recordings apart; "" is none.
	Group string
	// Step is the distance of neighboring times; the default 0 is the smallest.
	Step float64
}

// SeriesOf returns columns of numbers as a series for tsa.NewLags, missing values as NaN.
// The rows of a group are brought together, in their order; their numbers stay those of
// the frame. Nil settings are the defaults.
//
//	s, err := frames.SeriesOf(df, &frames.SeriesSettings{Time: "date"}, "deaths", "temperature")
//
// Errors: ErrNoColumn; ErrNotNumeric for a column of text; ErrMissing for a time or group
// that is missing, with its row; ErrSetting without columns. Times that are equal or out of
// order are told by tsa.NewLags.
func SeriesOf(df dataframe.DataFrame, settings *SeriesSettings, columns ...string) (*tsa.Series, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		return nil, errorf(ErrSetting, "name the columns of the series")
	}
	var s SeriesSettings
	if settings != nil {
		s = *settings
	}
	e := evaluatorOf(df)
	e.whole = true
	out, _, err := e.seriesOf(columns, s.Group, s.Time)
	if err != nil {
		return nil, err
	}
	out.Step = s.Step
	return out, nil
}
