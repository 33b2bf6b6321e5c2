package frames

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Comparisons of numbers below, at and above each other.
func TestComparisonsAtTheBoundary(t *testing.T) {
	df := dataframe.New(series.New([]float64{1, 2, 3}, series.Float, "a"), series.New([]float64{1, 2, 4}, series.Float, "y"))
	for op, want := range map[string][]float64{
		"<": {1, 0, 0}, "<=": {1, 1, 0}, ">": {0, 0, 1}, ">=": {0, 1, 1}, "==": {0, 1, 0}, "!=": {1, 0, 1},
	} {
		d := get(Design(df, "y ~ ifelse(a "+op+" 2, 1, 0)"))(t)
		for i, v := range want {
			if d.X.At(i, 0) != v {
				t.Errorf("%v %s 2 is %v", i+1, op, d.X.At(i, 0))
			}
		}
	}
}

// A dot that takes in names of rows is refused from three rows on; of two, each may be a
// level.
func TestDotOfNamesOfRows(t *testing.T) {
	for rows, refused := range map[int]bool{2: false, 3: true, 4: true} {
		df := dataframe.New(series.New([]float64{1, 2, 4, 3}[:rows], series.Float, "y"), series.New([]string{"p", "q", "r", "s"}[:rows], series.String, "id"))
		if _, err := Design(df, "y ~ ."); (err != nil) != refused || refused && !strings.Contains(err.Error(), ". - id") {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

// A code of two digits loses its zero, which the report tells; a zero itself and a
// decimal do not.
func TestReportOfLeadingZeros(t *testing.T) {
	for cell, told := range map[string]bool{"05": true, "007": true, "00": true, "+5": true, "0": false, "0.5": false, "50": false} {
		c := parse(t, "x\n"+cell+"\n12\n", nil)
		got := slices.ContainsFunc(c.Report.Columns[0].Changes, func(c CellChange) bool { return strings.Contains(c.What, "leading zeros") })
		if got != told {
			t.Errorf("%s: %v", cell, c.Report.Columns[0])
		}
	}
}
