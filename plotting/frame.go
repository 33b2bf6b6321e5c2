package plotting

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/check"
)

// headColumns is how many columns of a frame are shown.
const headColumns = 20

// Head returns the first rows of a frame as a table, missing values as NA, rows
// numbered from 1. A column of numbers that have at most four decimals, such as
// prices, is written in full, with equally many: 99.90 and 1234.50 if another value
// of the column is 3.25. Other numbers have four significant digits. The notes say how many rows
// and columns are left out. rows = 0 means ten rows, or all rows if there are at
// most 25; rows < 0 means all. Columns beyond the 20th are named in the notes. The
// error is that of the frame, or mlreg.ErrNoData if it has no columns.
func Head(df dataframe.DataFrame, rows int) (*report.Table, error) {
	if df.Err != nil {
		return nil, fmt.Errorf("plotting: the frame holds an error: %w", df.Err)
	}
	n, p := df.Dims()
	if p == 0 {
		return nil, fmt.Errorf("plotting: %w: the frame has no columns", mlreg.ErrNoData)
	}
	show := format.HeadLength(rows, n)
	numbering := make([]int, show)
	for i := range numbering {
		numbering[i] = i + 1
	}
	t := &report.Table{Columns: []report.Column{report.IntColumn("", numbering...)}}
	names := df.Names()
	for _, name := range names[:min(p, headColumns)] {
		s := df.Col(name)
		if s.Err != nil {
			return nil, fmt.Errorf("plotting: column %q: %w", name, s.Err)
		}
		t.Columns = append(t.Columns, seriesColumn(name, s, show))
	}
	if show < n {
		t.Notes = append(t.Notes, fmt.Sprintf("... %d more rows", n-show))
	}
	if p > headColumns {
		t.Notes = append(t.Notes, "... more columns: "+strings.Join(names[headColumns:], ", "))
	}
	t.Notes = append(t.Notes, check.Plural(n, "row")+" x "+check.Plural(p, "column"))
	return t, nil
}

// seriesColumn renders the first rows of a gota series, value by value:
// gota's own text form drops the digits of small numbers.
func seriesColumn(name string, s series.Series, rows int) report.Column {
	if s.Type() == series.Float {
		values := make([]float64, rows)
		for i := range values {
			values[i] = math.NaN()
			if e := s.Elem(i); !e.IsNA() {
				values[i] = e.Float()
			}
		}
		if decimals, ok := shortDecimals(s); ok {
			return report.DecimalColumn(name, values, decimals)
		}
		return report.NumberColumn(name, values, format.Digits)
	}
	c := report.Column{Name: name, Cells: make([]string, rows)}
	if s.Type() == series.Int {
		c.Align = report.AlignRight
	}
	for i := range c.Cells {
		e := s.Elem(i)
		v, err := e.Int()
		switch {
		case e.IsNA():
			c.Cells[i] = "NA"
		case s.Type() == series.Int && err == nil:
			c.Cells[i] = strconv.Itoa(v)
		default:
			c.Cells[i] = e.String()
		}
	}
	return c
}

// shortDecimals returns how many decimals write every number of a column in full,
// if at most four do, in at most twelve characters. It looks at 10,000 of them.
func shortDecimals(s series.Series) (decimals int, ok bool) {
	const most, width, looked = 4, 12, 10_000
	whole := 0
	for i := range min(s.Len(), looked) {
		v := s.Elem(i).Float()
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		text := strconv.FormatFloat(v, 'f', -1, 64)
		before, after, _ := strings.Cut(text, ".")
		whole, decimals = max(whole, len(before)), max(decimals, len(after))
		if decimals > most || whole+1+decimals > width {
			return 0, false
		}
	}
	return decimals, true
}
