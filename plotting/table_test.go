package plotting

import (
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/golden"
)

func sampleTable(t *testing.T) *report.Table {
	t.Helper()
	table := get(report.NewTable(`Costs $1 & <b>$2</b>`,
		report.TextColumn("what", "$5 and $6", `\(x\)`, "β̂₁ <script>"),
		report.NumberColumn("value", []float64{1e-9, -12.5, 123456}, 0),
		report.IntColumn("n", 1, 20, 300),
		report.PColumn("p", []float64{0.5, 1e-20, math.NaN()})))(t)
	table.Notes = []string{"a note of $3 & more"}
	return table
}

func TestTableGolden(t *testing.T) {
	b := get(tableBundle(sampleTable(t)))(t)
	golden.Text(t, "table.txt", b.Text)
	golden.Text(t, "table.html", b.HTML)
}

func TestMatrixForms(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{[]float64{}, "[]"},
		{[]float64{5, 2, -1}, "[5, 2, -1]"},
		{[]float64{0.1, math.Copysign(0, -1), math.NaN()}, "[0.1, 0.0, NA]"},
		{Range(1, 100, 100), "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ... 88 more]"},
		{columns([]float64{1, -3}, []float64{2.5, 4}), " 1.0  2.5\n-3.0  4.0\n"},
		{columns(Range(1, 20, 20)), "1\n2\n3\n4\n5\n6\n... top left corner of 20 x 1\n"},
	} {
		b := get(bundle(c.v))(t)
		if b.Text != c.want {
			t.Errorf("%v is shown as\n%q, want\n%q", c.v, b.Text, c.want)
		}
	}
}
