package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/internal/limit"
)

// Longer turns columns into rows, tidyr's pivot_longer and R's reshape: every row
// becomes one for each of the given columns, in their order, with the name of the
// column in a column called names and its value in one called values. The other
// columns, which come first, are repeated.
//
//	long, err := frames.Longer(df, "month", "rain", "jan", "feb", "mar")
//
// The values are integers if all columns are, numbers if all are numbers or truth
// values, texts if all are texts. The error matches ErrNoColumn, or ErrSetting if
// texts and numbers would be mixed, a column is given twice, or a new name is
// taken.
func Longer(df dataframe.DataFrame, names, values string, columns ...string) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	e, err := onFrame(df)
	if err != nil {
		return none, err
	}
	if len(columns) == 0 {
		return none, errorf(ErrSetting, "no column is named to be made longer; there are %s", strings.Join(df.Names(), ", "))
	}
	given := make(map[string]bool, len(columns))
	for _, name := range columns {
		if given[name] {
			return none, errorf(ErrSetting, "column %q is given twice", name)
		}
		given[name] = true
	}
	kept := slices.DeleteFunc(df.Names(), func(s string) bool { return given[s] })
	if names == "" || values == "" || names == values {
		return none, errorf(ErrSetting, "the new columns are named %q and %q; they need two names", names, values)
	}
	value, err := e.stacked(values, columns)
	if err != nil {
		return none, err
	}
	n, k := df.Nrow(), len(columns)
	rows, name := make([]int, 0, n*k), textColumn(names, make([]string, 0, n*k))
	for i := range n {
		for range k {
			rows = append(rows, i)
		}
		name.text = append(name.text, columns...)
	}
	name.missing = make([]bool, n*k)
	var all []series.Series
	for _, col := range kept {
		s := e.frame().series[col].Subset(rows)
		s.Name = col
		all = append(all, s)
	}
	return joinedFrame(append(all, name.series(names), value))
}

// stacked returns the values of columns, row by row.
func (e *evaluator) stacked(values string, columns []string) (series.Series, error) {
	cols := make([]*column, len(columns))
	typ := series.Type("")
	for k, name := range columns {
		c, err := e.named(name)
		if err != nil {
			return series.Series{}, err
		}
		cols[k] = c
		switch {
		case k == 0:
			typ = c.typ
		case c.typ == typ:
		case c.typ == series.String || typ == series.String:
			return series.Series{}, errorf(ErrSetting, "column %q is %s and column %q is %s; one column cannot have both", columns[0], wordOf(cols[0].typ), name, wordOf(c.typ))
		default:
			typ = series.Float
		}
	}
	n, m := e.height(), len(columns)
	out := blank(typ, n*m)
	for i := range n {
		for k, c := range cols {
			out.take(i*m+k, c, i)
		}
	}
	out.name = values
	return out.series(values), out.stored()
}

// Wider turns rows into columns, tidyr's pivot_wider, the inverse of Longer: a row
// for every distinct combination of values of the columns ids, all other columns if
// none is named, and a new column for every value of names, which holds the values
// of values. Rows and new columns are in the order of their first appearance.
// Where a combination has no row, the value is missing. A missing name is the column "NA", as in tidyr.
//
//	wide, err := frames.Wider(long, "month", "rain")
//
// The error names the rows if two of them have the same place in the result (it
// matches ErrSetting; GroupBy and Summarise make one row of them), and a missing name beside
// the text NA. A result of more than 2^28 values, most of them missing, is
// ErrTooLarge.
func Wider(df dataframe.DataFrame, names, values string, ids ...string) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	e, err := onFrame(df)
	if err != nil {
		return none, err
	}
	name, err := e.named(names)
	if err != nil {
		return none, err
	}
	if _, err := e.named(values); err != nil {
		return none, err
	}
	if len(ids) == 0 {
		ids = slices.DeleteFunc(df.Names(), func(s string) bool { return s == names || s == values })
	}
	if names == values || slices.Contains(ids, names) || slices.Contains(ids, values) {
		return none, errorf(ErrSetting, "the columns of names, %q, of values, %q, and of the rows, %q, must differ", names, values, ids)
	}
	w, err := e.widening(name, ids)
	if err != nil {
		return none, err
	}
	var all []series.Series
	for _, id := range ids {
		s := e.frame().series[id].Subset(w.first)
		s.Name = id
		all = append(all, s)
	}
	cells := e.frame().series[values].Copy()
	cells.Append(nil) // the missing value
	for k, label := range w.columns {
		s := cells.Subset(w.rows[k])
		s.Name = label
		all = append(all, s)
	}
	return joinedFrame(all)
}

// widening says which rows of a frame go where in the wider one.
type widening struct {
	first   []int    // a row for every row of the result
	columns []string // the new columns
	rows    [][]int  // for every new column, the row of each value; one more than the last if there is none
}

func (e *evaluator) widening(name *column, ids []string) (*widening, error) {
	keys := make([]*column, len(ids))
	for k, id := range ids {
		var err error
		if keys[k], err = e.named(id); err != nil {
			return nil, err
		}
	}
	groups := e.newGrouping(keys)
	w := &widening{first: slices.Sorted(slices.Values(groups.first))}
	at := make([]int, groups.n) // the row of the result of a group
	for i, row := range w.first {
		at[groups.ids[row]] = i
	}
	texts := make([]string, len(name.missing))
	for i := range texts {
		texts[i] = name.at(i)
	}
	if row := slices.Index(name.missing, true); row >= 0 {
		for i, text := range texts {
			if text == texts[row] && !name.missing[i] {
				return nil, errorf(ErrSetting, "column %q is missing in row %d and %q in row %d; both would name a column %q", name.name, row+1, text, i+1, text)
			}
		}
	}
	labels, distinct := numberDistinct(texts, make([]bool, len(texts)))
	w.columns = distinct
	if cells := float64(len(distinct)) * float64(groups.n); cells > max(limit.Numbers, float64(len(texts))) {
		return nil, errorf(ErrTooLarge, "the result of %d rows and %d columns%s", groups.n, len(distinct), tooMany(cells, "name fewer columns for the rows, or leave the table long"))
	}
	gap := len(texts)
	for range distinct {
		w.rows = append(w.rows, slices.Repeat([]int{gap}, groups.n))
	}
	for i, group := range groups.ids {
		place := &w.rows[labels.ids[i]][at[group]]
		if *place != gap {
			return nil, errorf(ErrSetting, "rows %d and %d both have %s = %s%s; make one of them, for example by GroupBy and Summarise",
				*place+1, i+1, nameText(name.name), texts[i], andGroup(groups.name(i)))
		}
		*place = i
	}
	return w, nil
}

func andGroup(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" and %s", name)
}
