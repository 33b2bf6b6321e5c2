package plotting

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func TestHead(t *testing.T) {
	df := dataframe.New(
		series.New([]float64{1e-9, math.NaN(), 2.5}, series.Float, "x"),
		series.New([]string{"7", "NaN", "9"}, series.Int, "n"),
		series.New([]string{"a", "$b", "c"}, series.String, "s"),
		series.New([]bool{true, false, true}, series.Bool, "b"))
	table := get(Head(df, 0))(t)
	want := `         x   n  s   b
1  1e-09     7  a   true
2     NA    NA  $b  false
3      2.5   9  c   true
3 rows x 4 columns
`
	if got := table.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A file is shown as its report and its rows, a cell of two lines on one.
func TestShowCSV(t *testing.T) {
	got := record(t)
	file := get(frames.ParseCSV(strings.NewReader("note,x\n\"two\r\nlines\",1\n"), nil))(t)
	Show(file)
	if len(*got) != 2 || (*got)[0].Text != file.Report.String() {
		t.Fatalf("%q", *got)
	}
	if text := (*got)[1].Text; !strings.Contains(text, "\n1  two lines  1\n") {
		t.Errorf("%q", text)
	}
}

func TestHeadSizes(t *testing.T) {
	frame := func(n, p int) dataframe.DataFrame {
		var cols []series.Series
		for j := range p {
			cols = append(cols, series.New(Range(1, float64(n), n), series.Float, "x"+string(rune('a'+j))))
		}
		return dataframe.New(cols...)
	}
	for _, c := range []struct{ n, ask, want int }{{25, 0, 25}, {26, 0, 10}, {50, 3, 3}, {5, 9, 5}, {50, -1, 50}} {
		table := get(Head(frame(c.n, 2), c.ask))(t)
		if got := len(table.Columns[0].Cells); got != c.want {
			t.Errorf("Head of %d rows, %d asked for, has %d", c.n, c.ask, got)
		}
		if more := strings.Contains(table.String(), "more rows"); more != (c.want < c.n) {
			t.Errorf("%d rows, %d shown: says that there are more: %v", c.n, c.want, more)
		}
	}
	table := get(Head(frame(3, 26), 0))(t)
	if !strings.Contains(table.String(), "... more columns: xu, xv, xw, xx, xy, xz") {
		t.Errorf("columns left out are not named:\n%s", table)
	}
	if _, err := Head(dataframe.DataFrame{}, 0); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("empty frame: %v", err)
	}
}

// Prices are shown as they are in a file; measurements are rounded.
func TestHeadHidesNoDecimals(t *testing.T) {
	df := get(frames.Frame(
		frames.Col("price", []float64{99.9, 1234.5, 3.25, math.NaN()}),
		frames.Col("measured", []float64{1234.56789, 0.5, 3.25, 1}),
		frames.Col("whole", []float64{1e6, -2, 3, 4}),
		frames.Col("long", []float64{123456789.5, 1, 2, 3})))(t)
	table := get(Head(df, 0))(t)
	for j, want := range []string{"99.90 1234.50 3.25 NA", "1234.57 0.50 3.25 1.00", "1000000 -2 3 4", "123456789.5 1.0 2.0 3.0"} {
		if got := strings.Join(table.Columns[j+1].Cells, " "); got != want {
			t.Errorf("%s: %q, want %q", table.Columns[j+1].Name, got, want)
		}
	}
}
