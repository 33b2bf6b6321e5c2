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
	"github.com/regbook/regbook/plotting/internal/check"
)

// headColumns is how many columns of a frame are shown.
const headColumns = 20

// Head returns the first rows of a frame as a table: numbers to four significant
// digits, missing values as NA, rows numbered from 1. The notes say how many rows
// and columns are left out. rows = 0 means ten rows, or all rows if there are at
// most 25; rows < 0 means all. Columns beyond the 20th are named in the notes. The
// error is that of the frame, or mlreg.ErrNoData if it has no columns.
func Head(df dataframe.DataFrame, rows int) (*Table, error) {
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
	t := &Table{Columns: []Column{IntColumn("", numbering...)}}
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
func seriesColumn(name string, s series.Series, rows int) Column {
	if s.Type() == series.Float {
		values := make([]float64, rows)
		for i := range values {
			values[i] = math.NaN()
			if e := s.Elem(i); !e.IsNA() {
				values[i] = e.Float()
			}
		}
		return NumberColumn(name, values, defaultDigits)
	}
	c := Column{Name: name, Cells: make([]string, rows)}
	if s.Type() == series.Int {
		c.Align = AlignRight
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
