package frames

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

// An offset is no term: it is in Design.Offset, its sum with others, and new rows have
// their own.
func TestOffsetInFormulas(t *testing.T) {
	df := frame(t, Col("y", []float64{3, 1, 4, 1, 5, 9}), Col("a", []float64{1, 2, 3, 4, 5, 7}), Col("t", []float64{1, 2, 4, 8, 1, 2}), Col("g", []string{"u", "v", "u", "v", "u", "v"}))
	d := get(Design(df, "y ~ a + offset(log(t)) + g + offset(2*a)"))(t)
	if !slices.Equal(d.Names, []string{"a", "gv"}) {
		t.Errorf("terms %q", d.Names)
	}
	for i, v := range d.Offset {
		want := math.Log([]float64{1, 2, 4, 8, 1, 2}[i]) + 2*d.X.At(i, 0)
		if math.Abs(v-want) > 1e-14 {
			t.Errorf("offset of row %d is %v, want %v", i+1, v, want)
		}
	}
	if got, want := TermsOf(d).Formula, "y ~ a + g + offset(log(t)) + offset(2 * a)"; got != want {
		t.Errorf("formula %q, want %q", got, want)
	}
	ols := get(mlreg.FitOLS(d, nil))(t)
	new := frame(t, Col("a", []float64{1, 2}), Col("t", []float64{1, math.E}), Col("g", []string{"u", "u"}))
	b := ols.Coef()
	got := get(Predict(ols, new))(t)
	if want := b[0] + 2*b[1] + 1 + 4; math.Abs(got[1]-want) > 1e-12 {
		t.Errorf("prediction %v, want %v", got[1], want)
	}
	like := get(DesignLike(d, new))(t)
	if math.Abs(like.Offset[1]-5) > 1e-14 {
		t.Errorf("offset of new rows %v", like.Offset)
	}
	if _, err := Predict(ols, new.Drop("t")); !errors.Is(err, ErrNoColumn) {
		t.Errorf("without the column of the offset: %v", err)
	}
	effect := get(Effects(ols, df, "a", 0.9, nil))(t)
	if !slices.ContainsFunc(effect.Held, func(h Held) bool { return h.Column == "t" && h.Value == "3" }) {
		t.Errorf("the exposure is not held at its mean: %v", effect.Held)
	}
	only := get(Design(df, "y ~ offset(a)"))(t)
	if only.NTerms() != 0 || only.NoIntercept || only.Offset[5] != 7 {
		t.Errorf("an offset alone: %+v", only)
	}
	if bare := get(Design(df, "y ~ offset(a) - 1 + t"))(t); !bare.NoIntercept || !slices.Equal(bare.Names, []string{"t"}) {
		t.Errorf("without an intercept: %q", bare.Names)
	}
	missing := frame(t, Col("y", []float64{3, 1, 4}), Col("a", []float64{1, 2, 3}), Col("t", []float64{1, math.NaN(), 2}))
	if d := get(Design(missing, "y ~ a + offset(t)"))(t); d.NObs() != 2 || d.Omitted != 1 || d.Offset[1] != 2 {
		t.Errorf("rows with a missing offset: %+v", d)
	}
	zero := frame(t, Col("y", []float64{3, 1, 4}), Col("t", []float64{1, 0, 2}))
	if _, err := Design(zero, "y ~ offset(log(t))"); !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("log(0): %v", err)
	}
	for _, formula := range []string{"y ~ a:offset(t)", "y ~ a - offset(t)", "y ~ offset(t, a)", "y ~ offset(poly(a, 2))", "offset(y) ~ a"} {
		if _, err := Design(df, formula); !errors.Is(err, ErrSyntax) {
			t.Errorf("%s: %v", formula, err)
		}
	}
	if _, err := Design(df, "y ~ a + offset(log(y))"); !errors.Is(err, ErrResponse) {
		t.Errorf("the response in the offset: %v", err)
	}
}

// The response cbind(yes, no) is a share, and the number of trials a weight.
func TestCountsInFormulas(t *testing.T) {
	df := frame(t, Col("yes", []float64{3, 0, 4, 0}), Col("n", []float64{4, 2, 4, 0}), Col("a", []float64{1, 2, 3, 4}), Col("w", []float64{2, 1, 1, 1}))
	d := get(Design(df, "cbind(yes, n - yes) ~ a"))(t)
	if !slices.Equal(d.Y, []float64{0.75, 0, 1, 0}) || !slices.Equal(d.Weights, []float64{4, 2, 4, 0}) {
		t.Errorf("shares %v of %v trials", d.Y, d.Weights)
	}
	if d.Response != "cbind(yes, n - yes)" {
		t.Errorf("response %q", d.Response)
	}
	weighted := get(Design(df, "cbind(yes, n - yes) ~ a", &DesignSettings{Weights: "w"}))(t)
	if !slices.Equal(weighted.Weights, []float64{8, 2, 4, 0}) {
		t.Errorf("weights %v", weighted.Weights)
	}
	if like := get(DesignLike(d, df))(t); !slices.Equal(like.Y, d.Y) || !slices.Equal(like.Weights, d.Weights) {
		t.Error("the same rows are coded differently")
	}
	if like := get(DesignLike(d, df.Drop("yes")))(t); like.Y != nil || like.Weights != nil {
		t.Error("rows without counts have a response")
	}
	gap := frame(t, Col("yes", []float64{3, math.NaN(), 4}), Col("no", []float64{1, 1, math.NaN()}), Col("a", []float64{1, 2, 3}))
	if d := get(Design(gap, "cbind(yes, no) ~ a"))(t); d.NObs() != 1 {
		t.Errorf("%d rows have counts", d.NObs())
	}
	if _, err := Design(df, "cbind(n - yes, yes - n) ~ a"); !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "row 1") {
		t.Errorf("a negative count: %v", err)
	}
	for _, formula := range []string{"cbind(yes) ~ a", "cbind(yes, n, w) ~ a", "yes ~ cbind(n, a)"} {
		if _, err := Design(df, formula); !errors.Is(err, ErrSyntax) {
			t.Errorf("%s: %v", formula, err)
		}
	}
}
