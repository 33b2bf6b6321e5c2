package plotting

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/golden"
)

func TestShowResults(t *testing.T) {
	got := record(t)
	d, fit := influential(t)
	inf := get(fit.Influence(d))(t)
	anova := get(fit.Anova())(t)
	x, _ := lineData(25)
	wider := get(mlreg.NewDesign(columns(d.X.RawMatrix().Data, x), d.Y, "dose", "x"))(t)
	large := get(mlreg.FitOLS(wider, nil))(t)
	nested := get(mlreg.CompareNested(fit, large))(t)
	contrast := get(mlreg.Contrast(large, []float64{0, 1, -1}, 0, 0.9))(t)
	robust := get(fit.Robust(d, mlreg.HC3))(t)
	Show(anova, nested, inf, robust)
	Show(report.Rows[mlreg.CoefRow]{contrast})
	Show(inf.Head(2, nil))
	Show(fit.F(), mlreg.FTest{Stat: 2, DF1: 3, DF2: math.Inf(1), P: 0.1116},
		mlreg.TTest{Stat: -1.5, DF: math.Inf(1), P: 0.1336}, mlreg.TTest{Stat: 2, DF: 20, P: 0.0593},
		mlreg.Chi2Test{Stat: 3, DF: 2, P: 0.2231}, mlreg.NormalityTest{Stat: 1, P: 0.6065, Skewness: 0.1, Kurtosis: 2.5})
	var text strings.Builder
	for _, b := range *got {
		text.WriteString(b.Text + "\n")
	}
	golden.Text(t, "results.txt", text.String())
}

func TestShowIntervals(t *testing.T) {
	got := record(t)
	_, fit := influential(t)
	limits := get(fit.ConfInt(0.95))(t)
	Show(limits)
	want := fmt.Sprintf("dose            %.4f     %.4f\n", limits[1].Lower, limits[1].Upper)
	if text := (*got)[0].Text; !strings.HasSuffix(text, want) || !strings.HasPrefix(text, "Confidence limits\nterm         lower 95%  upper 95%\n") {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// Rows are labeled as in the frame, which has rows that the design has not.
func TestDiagnosticsFrameRows(t *testing.T) {
	x, y := lineData(30)
	x[2], y[9], y[25] = math.NaN(), math.NaN(), 40
	df := frame(t, frames.Col("x", x), frames.Col("y", y))
	d := get(frames.Design(df, "y ~ x"))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	rows := get(diagnose("test", fit, d, nil))(t)
	far := largest(1, rows.cook)[0]
	if rows.RowNames[far] != "26" || rows.number[far] != 26 {
		t.Errorf("row 26 of the frame is called %s, number %d", rows.RowNames[far], rows.number[far])
	}
}
