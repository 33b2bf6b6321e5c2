package frames

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Where returns the rows in which a condition of the formula language is true,
// in their order, R's subset.
//
//	cars, err := frames.Where(df, "mpg > 20 & cyl == 6")
//	some, err := frames.Where(df, `ward %in% c("north", "south") | is.na(age)`)
//
// Conditions are those that Formula lists: == != < <= > >= ! & | %in% is.na, on
// columns, arithmetic and functions. A row in which the condition is missing is
// left out, as by R's subset; 0/0 is missing, 1/0 is infinite. Summaries of whole
// columns may be part of it, see Grouped.Summarise: "wt > mean(wt)".
//
// Errors are those of Design about the place in the condition. The error
// matches ErrNoRows if the condition is true in no row; it names a text that
// its column does not have, with the nearest.
func Where(df dataframe.DataFrame, condition string) (dataframe.DataFrame, error) {
	e, err := onFrame(df)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	mask, n, err := e.condition(condition)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	rows, kept := make([]int, len(mask)), 0
	for i, m := range mask {
		rows[kept] = i // without a branch, which would be mispredicted
		if m {
			kept++
		}
	}
	if kept == 0 {
		return dataframe.DataFrame{}, formulaErrorf(ErrNoRows, condition, n, "the condition is true in none of %d rows%s", len(mask), e.unknownText(n))
	}
	return take(df, rows[:kept])
}

// take returns rows of a frame in the order given, as copies.
func take(df dataframe.DataFrame, rows []int) (dataframe.DataFrame, error) {
	out := df.Subset(rows)
	return out, out.Err
}

// With returns the frame with columns added, or replaced where the name is
// taken, R's transform. In arithmetic a date is a number of days since 1970-01-01,
// so that a difference of dates is in days: "stay = left - came".
//
//	df, err := frames.With(df, "ratio = hp/wt", "heavy = wt > 3", "size = ifelse(heavy, \"large\", \"small\")")
//
// Each definition is a name, = and an expression of the formula language (see
// Formula), which may use the columns defined before it. A name that is not a
// word is written in backquotes; without a name, the column is named by the
// expression. A value is missing where R's is. Numbers are float columns,
// conditions bool, texts string; a column alone keeps its type. Integers keep all their
// digits: sums, differences and products of int columns and whole constants are exact up
// to 64 bits, in an int column if float64 does not hold them, and all else, such as
// quotients, is computed with the nearest float64. Summaries of
// whole columns may be part of an expression, see Grouped.Summarise:
// "z = (x - mean(x))/sd(x)"; Grouped.With takes them by group.
//
// The number of the row, counted from 1, is row(): "row = row()" before rows are
// left out, sorted or joined keeps it with its row. (Grouped.With counts by group.)
//
// The frame given is not changed. The error names the row and the values where
// an expression is not defined, such as hp/wt where wt is 0, or infinite (it
// matches ErrNotFinite; ifelse(wt == 0, NA, hp/wt) says what is meant); other
// errors are those of Design about the place in the expression.
func With(df dataframe.DataFrame, definitions ...string) (dataframe.DataFrame, error) {
	e, err := onFrame(df)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return e.with(definitions)
}

// with adds columns to the evaluator's frame.
func (e *evaluator) with(definitions []string) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if len(definitions) == 0 {
		return none, errorf(ErrSetting, "no column is defined; a definition is for example \"ratio = hp/wt\"")
	}
	var all []series.Series
	at := make(map[string]int) // by name
	add := func(s series.Series) {
		k, ok := at[s.Name]
		if !ok {
			k, all = len(all), append(all, s)
			at[s.Name] = k
		}
		all[k] = s
	}
	for _, name := range e.df.Names() {
		add(e.series[name])
	}
	for _, src := range definitions {
		d, err := parseDefinition(src)
		if err != nil {
			return none, err
		}
		c, err := e.define(d)
		if err != nil {
			return none, err
		}
		if err := c.stored(); err != nil {
			return none, err
		}
		add(c.series(d.name))
		c.computed = true
		e.cols[d.name] = c
		e.groups = e.groups.fresh()
	}
	out := dataframe.New(all...)
	return out, out.Err
}
