package plotting

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/golden"
)

// complete is a fit that has all that Summary looks for.
type complete struct{}

func (complete) Table(level float64) (report.Rows[mlreg.CoefRow], error) {
	return report.Rows[mlreg.CoefRow]{
		{Term: "(Intercept)", Estimate: 0.1816, StdErr: 1.3206, Statistic: 0.1375, P: 0.891, Lower: -2.4428, Upper: 2.8059},
		{Term: "lcavol", Estimate: 0.5643, StdErr: 0.0878, Statistic: 6.4264, P: 6.5e-9, Lower: 0.3898, Upper: 0.7389},
		{Term: "age", Estimate: -0.0212, StdErr: 0.0111, Statistic: -1.9179, P: 0.0585, Lower: -0.0433, Upper: 0.000784},
		{Term: "copy", Estimate: math.NaN(), StdErr: math.NaN(), Statistic: math.NaN(), P: math.NaN(), Lower: math.NaN(), Upper: math.NaN()},
	}, nil
}
func (complete) Response() string           { return "lpsa" }
func (complete) NObs() int                  { return 97 }
func (complete) DoFResidual() float64       { return 94 }
func (complete) Sigma2() float64            { return 0.49 }
func (complete) SigmaKnown() bool           { return false }
func (complete) R2() float64                { return 0.66 }
func (complete) AdjR2() float64             { return 0.65283 }
func (complete) F() mlreg.FTest             { return mlreg.FTest{Stat: 91.23, DF1: 2, DF2: 94, P: 1e-20} }
func (complete) LogLik() float64            { return -98.245 }
func (complete) Parameters() int            { return 4 }
func (complete) Cond() float64              { return 54.03 }
func (complete) Method() string             { return "Householder QR" }
func (complete) Digits() (coef, stderr int) { return 15, 14 }
func (complete) Orthogonality() float64     { return 3e-16 }
func (complete) Aliased() []string          { return []string{"copy"} }
func (complete) Scaling() *mlreg.Scaling    { return &mlreg.Scaling{} }

func TestSummaryGolden(t *testing.T) {
	b := get(bundle(complete{}))(t)
	golden.Text(t, "summary.txt", b.Text)
	golden.Text(t, "summary.html", b.HTML)
}

// The kind of limits is named by the statistic's heading and in a note.
func TestSummarySigmaKnown(t *testing.T) {
	d, _ := lineFit(t)
	fit := get(mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 4}))(t)
	table := get(mlreg.Summary(fit, 0.9))(t)
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
	d := get(mlreg.NewDesign(columns(x, x), y, "dose", "copy"))(t)
	fit := get(mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.DropAliased}))(t)
	table := get(mlreg.Summary(fit, 0.95))(t)
	text := table.String()
	if !strings.Contains(text, "aliased, given by the other terms: copy") || table.Columns[1].Cells[2] != "NA" {
		t.Errorf("the aliased term is not shown as such:\n%s", text)
	}
}

func TestSummaryScaled(t *testing.T) {
	d, _ := lineFit(t)
	scaled := get(d.Standardize(nil))(t)
	fit := get(mlreg.FitOLS(scaled, nil))(t)
	table := get(mlreg.Summary(fit, 0.95))(t)
	if !strings.Contains(table.String(), "units of the scaled predictors") {
		t.Errorf("the scaling is not mentioned:\n%s", table)
	}
}

// tableOnly is a fit of which nothing is known but its coefficients.
type tableOnly struct{ err error }

func (f *tableOnly) Table(float64) (report.Rows[mlreg.CoefRow], error) {
	return report.Rows[mlreg.CoefRow]{{Term: "a", Estimate: 1, StdErr: math.NaN(), P: math.NaN()}}, f.err
}

func TestSummaryOfLittle(t *testing.T) {
	table := get(mlreg.Summary(&tableOnly{}, 0.95))(t)
	if table.Title != "tableOnly fit" || len(table.Notes) != 0 || table.Columns[2].Cells[0] != "NA" {
		t.Errorf("got\n%s", table)
	}
	failed := errors.New("no table")
	if _, err := mlreg.Summary(&tableOnly{failed}, 0.95); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	_, fit := lineFit(t)
	if _, err := mlreg.Summary(fit, 95); err == nil {
		t.Error("level 95 passes")
	}
}
