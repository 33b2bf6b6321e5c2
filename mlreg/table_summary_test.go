package mlreg

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tabletest"
	"github.com/regbook/regbook/mlreg/report"
)

func TestPowerAbove(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 3e-16: "1e-15", 1e-16: "1e-16", 2: "1e1", math.Inf(1): "Inf"} {
		if got := format.PowerAbove(x); got != want {
			t.Errorf("powerAbove(%v) = %s, want %s", x, got, want)
		}
	}
}

// The table of a design has means, deviations and ranges, that of its sums the same
// means and deviations; a mean that is rounding is 0, and of many columns few are shown.
func TestDescribeData(t *testing.T) {
	d := get(NewDesign(mat.NewDense(4, 2, []float64{1, 0.1, 2, -0.1, 3, 0.3, 6, -0.3}), []float64{1, 1, 2, 4}, "a", "b"))(t)
	d.Response = "y"
	want := [][]float64{{2, 3, 0}, {math.Sqrt(1.5), math.Sqrt(3.5), math.Sqrt(0.05)}, {1, 1, -0.3}, {4, 6, 0.3}}
	for name, table := range map[string]*report.Table{"design": d.Describe(), "moments": get(d.Moments())(t).Describe()} {
		if got := table.Columns[0].Cells; !slices.Equal(got, []string{"y", "a", "b"}) {
			t.Errorf("%s: columns %q", name, got)
		}
		for k, c := range table.Columns[1:] {
			for i, v := range c.Values {
				if !(math.Abs(v-want[k][i]) <= 1e-15*math.Abs(want[k][i])*4) {
					t.Errorf("%s: %s of %s is %v, want %v", name, c.Name, table.Columns[0].Cells[i], v, want[k][i])
				}
			}
		}
	}
	wide := randomDesign(t, 1, 5, 60)
	for name, text := range map[string]string{"design": wide.String(), "scaling": get(wide.Standardize(nil))(t).Scaling.String()} {
		if lines := strings.Count(text, "\n"); lines > 15 || !strings.Contains(text, " more columns") {
			t.Errorf("%s is shown in %d lines:\n%s", name, lines, text)
		}
	}
}

// A saturated fit has a table, in which standard errors are missing; lists of no rows
// say so; the zero values of data do not panic.
func TestDescribeLittle(t *testing.T) {
	saturated := get(FitOLS(get(NewDesign(mat.NewDense(2, 1, []float64{0, 1}), []float64{1, 3}, "x"))(t), nil))(t)
	tabletest.Check(t, saturated.Describe())
	if c := saturated.Describe().Columns[2]; c.Cells[0] != "NA" {
		t.Errorf("standard errors %q", c.Cells)
	}
	for _, empty := range []report.Describer{report.Rows[AnovaRow]{}, report.Rows[SubsetModel](nil), RankedModels{}, report.Rows[Culprit]{}, &Design{}, &Scaling{}} {
		tabletest.Check(t, empty.Describe())
		if !strings.Contains(empty.Describe().String(), "no rows") {
			t.Errorf("%T is shown as\n%v", empty, empty)
		}
	}
}
