package frames

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

type beyondCases struct {
	Mpg, Wt []float64
	New     []*float64
	Cases   []struct {
		Formula  []string
		Fit, SE  []*float64
		Warnings []string
	}
}

// Predictions beyond the range of bs, ns and poly are R's, and say so: of bs where R warns,
// of ns and poly where it does not.
func TestBeyondTheRangeLikeR(t *testing.T) {
	var all beyondCases
	if err := json.Unmarshal(get(os.ReadFile("testdata/beyond.json"))(t), &all); err != nil {
		t.Fatal(err)
	}
	numbers := func(values []*float64) []float64 {
		out := make([]float64, len(values))
		for i, v := range values {
			if out[i] = math.NaN(); v != nil {
				out[i] = *v
			}
		}
		return out
	}
	train := get(Frame(Col("mpg", all.Mpg), Col("wt", all.Wt)))(t)
	rows := get(Frame(Col("wt", numbers(all.New))))(t)
	if len(all.Cases) != 5 {
		t.Fatalf("%d cases", len(all.Cases))
	}
	for _, c := range all.Cases {
		fit := get(mlreg.FitOLS(get(Design(train, c.Formula[0]))(t), nil))(t)
		near(t, c.Formula[0], get(Predict(fit, rows))(t), numbers(c.Fit), 1e-9)
		band := get(ConfidenceBand(fit, rows, 0.9))(t)
		near(t, c.Formula[0], band.StdErr, numbers(c.SE), 1e-8)
		beyond := get(Extrapolations(fit, rows))(t)
		if strings.Contains(c.Formula[0], "bs(") && (len(c.Warnings) > 0) != (len(beyond) > 0) {
			t.Errorf("%s: %v; R warns %q", c.Formula[0], beyond, c.Warnings)
		}
		if !reflect.DeepEqual(band.Beyond, beyond) {
			t.Errorf("%s: the band has %v, want %v", c.Formula[0], band.Beyond, beyond)
		}
	}
}

// Counts, range and the farthest value are those of the complete rows coded, of every route
// to a prediction, and a term that the fit does not have says nothing.
func TestExtrapolations(t *testing.T) {
	df := get(Frame(Col("y", []float64{1, 3, 2, 5, 4, 6, 8, 7}), Col("x", []float64{0, 1, 2, 3, 4, 5, 6, 7}), Col("z", []float64{3, 1, 4, 1, 5, 9, 2, 6})))(t)
	fit := get(mlreg.FitOLS(get(Design(df, "y ~ ns(x, 2) + poly(z, 2)"))(t), nil))(t)
	nan := math.NaN()
	rows := get(Frame(Col("x", []float64{-2, 0, 7, 9, 8, nan}), Col("z", []float64{1, 9, nan, 5, 10, 99})))(t)
	want := []mlreg.Extrapolation{
		{Term: "ns(x, 2)", Low: 0, High: 7, Rows: 3, Farthest: 9, Linear: true}, // of two as far, the larger
		{Term: "poly(z, 2)", Low: 1, High: 9, Rows: 1, Farthest: 10},
	}
	if got := get(Extrapolations(fit, rows))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := get(Extrapolations(fit, df))(t); got != nil {
		t.Errorf("%v in the rows fitted", got)
	}
	text := get(ConfidenceBand(fit, rows, 0.9))(t).String()
	for _, sentence := range []string{
		"ns(x, 2): 3 rows beyond its range, 0 to 7, as far as 9: it is linear there",
		"poly(z, 2): 1 row beyond its range, 1 to 9, as far as 10: polynomials continue there, and may grow fast",
	} {
		if !strings.Contains(text, sentence) {
			t.Errorf("the band does not say %q:\n%s", sentence, text)
		}
	}
	like := get(DesignLike(get(Design(df, "y ~ ns(x, 2) + poly(z, 2)"))(t), rows))(t)
	if terms := TermsOf(like); !reflect.DeepEqual(terms.Beyond, want) || !strings.Contains(terms.String(), want[0].String()) {
		t.Errorf("%+v\n%s", terms.Beyond, terms)
	}
	alone := get(mlreg.FitOLS(get(get(Design(df, "y ~ ns(x, 2) + poly(z, 2)"))(t).Select("poly(z, 2)1", "poly(z, 2)2"))(t), nil))(t)
	if got := get(Extrapolations(alone, rows))(t); len(got) != 1 || got[0].Term != "poly(z, 2)" || got[0].Rows != 2 {
		t.Errorf("%+v of the polynomial alone", got) // 10 and 99, whose x is not needed
	}
	raw := get(mlreg.FitOLS(get(Design(df, "y ~ poly(x, 2, raw = TRUE)"))(t), nil))(t)
	if got := get(Extrapolations(raw, rows))(t); got != nil {
		t.Errorf("%+v of raw powers, which have no range", got)
	}
	within := get(Design(df, "y ~ bs(x, 3, Boundary.knots = c(1, 6))"))(t)
	if got := TermsOf(within).Beyond; len(got) != 1 || got[0].Rows != 2 || got[0].Farthest != 7 {
		t.Errorf("%+v of boundary knots within the data", got)
	}
	e := get(Effects(fit, df, "z", 0.9, &EffectSettings{From: 0, To: 20, Points: 21}))(t)
	if len(e.Beyond) != 1 || e.Beyond[0].Rows != 12 || e.Beyond[0].Farthest != 20 || !strings.Contains(e.String(), "12 rows beyond its range, 1 to 9, as far as 20") {
		t.Errorf("%+v\n%s", e.Beyond, e)
	}
}
