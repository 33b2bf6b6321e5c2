package frames

import (
	"maps"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Grouped is a frame with its rows in groups. GroupBy makes it; Summarise, Count
// and With use it.
type Grouped struct {
	e    *evaluator
	keys []*column
	err  error // of GroupBy, which the methods return
}

// GroupBy puts rows that are equal in all the given columns into a group; without
// columns all rows are one group. A key may also be an expression, with or
// without a name: "month(Date)", "heavy = wt > 3".
//
//	monthly, err := frames.GroupBy(df, "Month").Summarise("mean(Ozone, na.rm = TRUE)", "n()")
//
// Groups are sorted by the first key, then by the second, and so on, as Sort
// does: numbers by size, text by bytes, FALSE before TRUE. Rows whose key is
// missing are a group of their own, the last. (R's aggregate and pandas drop
// them; dplyr does not.) Errors come with the method that is called: ErrNoColumn
// with the nearest name, and those of With.
func GroupBy(df dataframe.DataFrame, keys ...string) *Grouped {
	e, err := onFrame(df)
	if err != nil {
		return &Grouped{err: err}
	}
	g := &Grouped{e: e}
	given := make(map[string]bool, len(keys))
	for _, key := range keys {
		c, err := e.columnOrDefinition(key)
		if err != nil {
			return &Grouped{err: err}
		}
		if given[c.name] {
			return &Grouped{err: errorf(ErrSetting, "the key %q is given twice", c.name)}
		}
		if err := c.stored(); err != nil {
			return &Grouped{err: err}
		}
		given[c.name], e.cols[c.name] = true, c
		g.keys = append(g.keys, c)
	}
	e.groups = e.newGrouping(g.keys)
	return g
}

// Summarise returns a frame with a row for every group: its keys, and a column
// for every summary. Without a name, a column is named by its expression.
//
//	frames.GroupBy(df, "Month").Summarise("n()", "mean(Ozone)", "q25 = quantile(Ozone, .25)")
//
// These summaries make one value of the values x of a group; the rest of the
// expression is of the formula language and may use the keys:
//
//	n()                        number of rows
//	n_distinct(x)              number of distinct values
//	mean(x), median(x), sum(x)
//	sd(x), var(x)              sum (x - mean)^2 / (n-1), and its root
//	quantile(x, p), IQR(x)     type 7 of Hyndman and Fan, as in Describe
//	mad(x)                     1.4826 times the median of |x - median|
//	min(x), max(x)             of numbers, texts or dates (which stay dates)
//	first(x), last(x)          in the order of the rows
//	any(x), all(x)             of conditions, as in R: TRUE | NA is TRUE
//	cor(x, y), weighted.mean(x, w)   na.rm leaves out no row for its weight
//
// x is an expression: sum(Ozone > 60) counts rows, sum(is.na(Ozone)) missing
// values, mean(log(Ozone)) is a mean of logarithms.
//
// As in R, a summary of a group with a missing value is missing, unless the
// function is told to leave them out: mean(x, na.rm = TRUE). n_distinct counts
// missing values as one value. A summary of too few values (sd of one, mean of
// none) is missing; the sum of none is 0.
//
// Integers keep their digits: groups, distinct values, min, max, first, last, sums and whole
// medians of an int column are exact. Sums beyond 64 bits are a float column. Other summaries
// are float64 numbers.
//
// The error names the place in the expression: a column that is not summarised
// (ErrSetting), text where numbers are needed (ErrNotNumeric), a quotient of
// summaries that is not finite, with its group (ErrNotFinite), and the errors of
// With.
func (g *Grouped) Summarise(summaries ...string) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if g.err != nil {
		return none, g.err
	}
	if len(summaries) == 0 {
		return none, errorf(ErrSetting, "no summary is given; a summary is for example \"mean(x)\"")
	}
	all := g.keySeries()
	keys := make(map[string]bool, len(g.keys))
	for _, key := range g.keys {
		keys[key.name] = true
	}
	names := maps.Clone(keys)
	for _, src := range summaries {
		d, err := parseDefinition(src)
		if err != nil {
			return none, err
		}
		if names[d.name] {
			return none, errorf(ErrSetting, "two columns of the result are named %q; name one: \"other = %s\"", d.name, label(d.n))
		}
		e := g.e.onRows(g.e.groups.first)
		e.keys = keys
		c, err := e.define(d)
		if err != nil {
			return none, err
		}
		if err := c.stored(); err != nil {
			return none, err
		}
		names[d.name] = true
		all = append(all, c.series(d.name))
	}
	out := dataframe.New(all...)
	return out, out.Err
}

// keySeries returns the keys of every group.
func (g *Grouped) keySeries() []series.Series {
	all := make([]series.Series, len(g.keys))
	for k, key := range g.keys {
		s := g.e.frame().series[key.name] // exact, whatever its type
		if key.computed {
			s = key.series(key.name)
		}
		all[k] = s.Subset(g.e.groups.first)
		all[k].Name = key.name
	}
	return all
}

// Count returns a row for every group, with its keys and the number n of its
// rows.
func (g *Grouped) Count() (dataframe.DataFrame, error) { return g.Summarise("n = n()") }

// With is With in which a summary is that of the row's group: "share = x/sum(x)",
// "z = (x - mean(x))/sd(x)", and functions that look at other rows look at those of the group: row() is
// the number of the row in it, dplyr's row_number(), "before = lag(x)" its value in the row before,
// "total = cumsum(x)". All rows are returned, in their order, which is that in the groups, too: Sort first.
func (g *Grouped) With(definitions ...string) (dataframe.DataFrame, error) {
	if g.err != nil {
		return dataframe.DataFrame{}, g.err
	}
	return g.again().with(definitions)
}

// Where returns the rows in which a condition is true, in their order, where a summary in it is that of the
// row's group, and row(), lag(x), rank(x) and their likes are those in the group: dplyr's group_by and filter.
//
//	first, err := frames.GroupBy(df, "patient").Where("row() == 1")
//	best, err := frames.GroupBy(df, "team").Where("points == max(points)")
//
// Errors are those of the function Where.
func (g *Grouped) Where(condition string) (dataframe.DataFrame, error) {
	if g.err != nil {
		return dataframe.DataFrame{}, g.err
	}
	return g.again().where(condition)
}

// again returns the evaluator of the groups for another call.
func (g *Grouped) again() *evaluator {
	e := *g.e
	e.groups = g.e.groups.fresh()
	e.cols = maps.Clone(g.e.cols)
	return &e
}

// Count returns the number n of rows for every value of a column, or every
// combination of values of several, sorted as GroupBy sorts groups; missing
// values are counted, too. Errors are those of GroupBy.
//
//	perWard, err := frames.Count(df, "ward", "sex")
func Count(df dataframe.DataFrame, keys ...string) (dataframe.DataFrame, error) {
	return GroupBy(df, keys...).Count()
}
