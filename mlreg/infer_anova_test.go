package mlreg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
)

// Sums of squares are differences of residual sums of squares of refits.
func TestAnovaByRefits(t *testing.T) {
	for _, d := range deletionDesigns(t) {
		f := fitted(t, d, nil)
		rss := []float64{f.TSS()}
		for k := 1; k <= 3; k++ {
			part, err := d.Select(d.Names[:k]...)
			rss = append(rss, fitted(t, must(t, part, err), nil).RSS())
		}
		rows, err := f.Anova()
		must(t, rows, err)
		sum := 0.0
		for k := range 3 {
			near(t, "sequential", rows[k].SumSq, rss[k]-rss[k+1], 1e-9)
			near(t, "F", rows[k].F, (rss[k]-rss[k+1])/f.Sigma2(), 1e-9)
			near(t, "P", rows[k].P, dist.FUpper(rows[k].F, 1, f.DoFResidual()), 1e-14)
			sum += rows[k].SumSq
		}
		near(t, "sum", sum+rows[3].SumSq, f.TSS(), 1e-11)
		if rows[3].Term != "Residuals" || rows[3].DF != f.DoFResidual() || !math.IsNaN(rows[3].F) {
			t.Errorf("last line %+v", rows[3])
		}

		grouped, err := f.Anova(TermGroup{Name: "both", Terms: d.Names[:2]}, TermGroup{Name: "last", Terms: d.Names[2:]})
		must(t, grouped, err)
		near(t, "group", grouped[0].SumSq, rss[0]-rss[2], 1e-9)
		near(t, "F of a group", grouped[0].F, (rss[0]-rss[2])/2/f.Sigma2(), 1e-9)

		drop, err := f.DropTerms(TermGroup{Name: "first", Terms: d.Names[:1]}, TermGroup{Name: "others", Terms: d.Names[1:]})
		must(t, drop, err)
		near(t, "dropped group", drop[1].SumSq, rss[1]-rss[3], 1e-9)
		near(t, "F of a dropped group", drop[1].F, (rss[1]-rss[3])/2/f.Sigma2(), 1e-9)

		m, err := d.Moments()
		of, err2 := fitted(t, must(t, m, err), nil).Anova()
		must(t, of, err2)
		for k := range of {
			near(t, "table of sums", of[k].SumSq, rows[k].SumSq, 1e-9)
		}
	}
}

func TestAnovaAliased(t *testing.T) {
	d := randomDesign(t, 50, 20, 2)
	x := mat.NewDense(20, 4, nil)
	for i := range 20 {
		r := d.X.RawRowView(i)
		x.SetRow(i, []float64{r[0], 3 * r[0], r[1], r[0] - r[1]})
	}
	f := fitted(t, mustDesign(t, x, d.Y, "a", "b", "c", "d"), &OLSSettings{Aliased: DropAliased})
	want, err := fitted(t, d, nil).Anova()
	must(t, want, err)
	rows, err := f.Anova(TermGroup{Name: "ab", Terms: []string{"a", "b"}}, TermGroup{Name: "c", Terms: []string{"c"}}, TermGroup{Name: "d", Terms: []string{"d"}})
	must(t, rows, err)
	if len(rows) != 3 || rows[0].DF != 1 || rows[0].Term != "ab" {
		t.Fatalf("rows %+v", rows)
	}
	near(t, "sum of squares", rows[0].SumSq, want[0].SumSq, 1e-11)
	near(t, "sum of squares", rows[1].SumSq, want[1].SumSq, 1e-11)
	_, err = f.Anova(TermGroup{Name: "ac", Terms: []string{"a", "c"}}, TermGroup{Name: "bd", Terms: []string{"b", "d"}})
	wantError(t, "order", err, ErrShape, `"a", "b", "c", "d"`)
}

func TestCompareNested(t *testing.T) {
	d := randomDesign(t, 60, 20, 3)
	part := func(d *Design, names ...string) *OLS {
		t.Helper()
		sub, err := d.Select(names...)
		return fitted(t, must(t, sub, err), nil)
	}
	small, large := part(d, "x2"), part(d, "x1", "x2", "x3")
	rows, err := CompareNested(small, large)
	must(t, rows, err)
	test, err := WaldTest(large, mat.NewDense(2, 4, []float64{0, 1, 0, 0, 0, 0, 0, 1}), nil)
	must(t, test, err)
	near(t, "F", rows[1].F, test.Stat, 1e-11)
	near(t, "P", rows[1].P, test.P, 1e-10)
	if rows[1].Terms != "1 + x1 + x2 + x3" || rows[1].DF != 2 || !math.IsNaN(rows[0].F) {
		t.Errorf("rows %+v", rows)
	}
	// Without an intercept is nested in with.
	through := *d
	through.NoIntercept = true
	rows, err = CompareNested(fitted(t, &through, nil), large)
	must(t, rows, err)
	test, err = WaldTest(large, mat.NewDense(1, 4, []float64{1, 0, 0, 0}), nil)
	near(t, "F of the intercept", rows[1].F, must(t, test, err).Stat, 1e-10)

	_, err = CompareNested(large)
	wantError(t, "one fit", err, ErrSetting)
	_, err = CompareNested(large, small)
	wantError(t, "order", err, ErrShape, "smaller first")
	_, err = CompareNested(part(d, "x1"), part(d, "x2", "x3"))
	wantError(t, "not nested", err, ErrShape, `"x1"`, "fits 1 and 2")
	_, err = CompareNested(part(d.Rows(counting(19)...), "x1"), large)
	wantError(t, "rows", err, ErrShape, "19", "20")
	_, err = CompareNested(part(randomDesign(t, 61, 20, 3), "x1"), large)
	wantError(t, "other response", err, ErrShape, "means", `"y"`)
	_, err = CompareNested(part(d, "x1"), fitted(t, &through, nil))
	wantError(t, "intercept", err, ErrShape, "intercept")
	renamed := *d
	renamed.Response = "z"
	_, err = CompareNested(part(&renamed, "x1"), large)
	wantError(t, "response", err, ErrShape, `"z"`)
	weighted := *d
	weighted.Weights = append([]float64{2}, make([]float64, 19)...)
	for i := range 19 {
		weighted.Weights[i+1] = 1
	}
	_, err = CompareNested(part(&weighted, "x1"), large)
	wantError(t, "weights", err, ErrShape, "weights")
	first := d.Rows(0, 1, 2, 3)
	_, err = CompareNested(part(first, "x1"), part(first, "x1", "x2", "x3"))
	wantError(t, "saturated", err, ErrSaturated)
	centered, err := through.Standardize(&StandardizeSettings{CenterOnly: true})
	a, err2 := must(t, centered, err).Select("x1")
	_, err = CompareNested(fitted(t, must(t, a, err2), nil), fitted(t, &through, nil))
	wantError(t, "centered without an intercept", err, ErrShape, `"x1"`)
}
