package plotting

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestSummaryGolden(t *testing.T) {
	_, fit := lineFit(t)
	b, err := bundle(fit)
	if err != nil {
		t.Fatal(err)
	}
	checkText(t, "summary.txt", b.Text)
	checkText(t, "summary.html", b.HTML)
}

// The kind of limits is named by the statistic's heading and in a note.
func TestSummarySigmaKnown(t *testing.T) {
	d, _ := lineFit(t)
	fit, err := mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 4})
	if err != nil {
		t.Fatal(err)
	}
	table, err := Summary(fit, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Columns[3].Name; got != "z" {
		t.Errorf("statistic %s", got)
	}
	if !strings.Contains(table.Notes[0], "σ = 2 (known)") {
		t.Errorf("notes %q", table.Notes)
	}
	if got := table.Columns[5].Name; got != "lower 90%" {
		t.Errorf("limit %q", got)
	}
}

func TestSummaryAliased(t *testing.T) {
	x, y := lineData(12)
	d, err := mlreg.NewDesign(columns(x, x), y, "dose", "copy")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.DropAliased})
	if err != nil {
		t.Fatal(err)
	}
	table, err := Summary(fit, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	text := table.String()
	if !strings.Contains(text, "aliased, given by the other terms: copy") || table.Columns[1].Cells[2] != "NA" {
		t.Errorf("the aliased term is not shown as such:\n%s", text)
	}
}

func TestSummaryScaled(t *testing.T) {
	d, _ := lineFit(t)
	scaled, err := d.Standardize(nil)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(scaled, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Summary(fit, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(table.String(), "units of the scaled predictors") {
		t.Errorf("the scaling is not mentioned:\n%s", table)
	}
}

// tableOnly is a fit of which nothing is known but its coefficients.
type tableOnly struct{ err error }

func (f *tableOnly) Table(float64) ([]mlreg.CoefRow, error) {
	return []mlreg.CoefRow{{Term: "a", Estimate: 1, StdErr: math.NaN(), P: math.NaN()}}, f.err
}

func TestSummaryOfLittle(t *testing.T) {
	table, err := Summary(&tableOnly{}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if table.Title != "tableOnly fit" || len(table.Notes) != 0 || table.Columns[2].Cells[0] != "NA" {
		t.Errorf("got\n%s", table)
	}
	failed := errors.New("no table")
	if _, err := Summary(&tableOnly{failed}, 0.95); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	_, fit := lineFit(t)
	if _, err := Summary(fit, 95); err == nil {
		t.Error("level 95 passes")
	}
}

func TestPowerAbove(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 3e-16: "1e-15", 1e-16: "1e-16", 2: "1e1", math.Inf(1): "Inf"} {
		if got := powerAbove(x); got != want {
			t.Errorf("powerAbove(%v) = %s, want %s", x, got, want)
		}
	}
}
