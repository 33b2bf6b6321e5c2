package frames

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/mlreg"
)

// zonesFrame has 40 rows of 5 zones, a missing zone and a missing x.
func zonesFrame() dataframe.DataFrame {
	x, k, y, zone, w := make([]float64, 40), make([]string, 40), make([]float64, 40), make([]string, 40), make([]float64, 40)
	for i := range x {
		g := i * i % 5
		x[i], k[i], zone[i], w[i] = float64(i*7%11), string(rune('a'+i%3)), fmt.Sprintf("zone %d", g), 1+float64(i%4)
		y[i] = 2*x[i] + float64(i%3) + 10*float64(g) + math.Sin(float64(i*i))
	}
	x[3], zone[8] = math.NaN(), "NaN"
	return dataframe.New(series.New(x, series.Float, "x"), series.New(k, series.String, "k"), series.New(y, series.Float, "y"),
		series.New(zone, series.String, "my zone"), series.New(w, series.Float, "w"))
}

// A factor behind a bar is that among the terms, without columns.
func TestAbsorbIsAFactor(t *testing.T) {
	df := zonesFrame()
	for _, c := range []struct{ bar, plain string }{
		{"y ~ x + k | `my zone`", "y ~ x + k + `my zone`"},
		{"y ~ 0 + x + k | factor(`my zone`)", "y ~ x + k + `my zone`"},
		{"y ~ . - w | `my zone`", "y ~ x + k + `my zone`"},
		{"log(y + 40) ~ poly(x, 2) + offset(x) | `my zone`", "log(y + 40) ~ poly(x, 2) + `my zone` + offset(x)"},
	} {
		set := &DesignSettings{Weights: "w", LearnComplete: true}
		d := get(Design(df, c.bar, set))(t)
		if d.Omitted != 2 || d.Absorb != "my zone" || len(d.Levels) != 38 {
			t.Errorf("%s: %d rows are omitted, %q is absorbed with %d levels", c.bar, d.Omitted, d.Absorb, len(d.Levels))
		}
		if terms := TermsOf(d); !strings.HasSuffix(terms.Formula, " | `my zone`") || terms.Absorb != "my zone" {
			t.Errorf("%s is written %s", c.bar, terms.Formula)
		}
		f := get(mlreg.FitAbsorbed(d))(t)
		want := get(mlreg.FitOLS(get(Design(df, c.plain, set))(t), nil))(t)
		expect.NearAll(t, c.bar+": coefficients", f.Coef(), want.Slopes()[:len(f.Coef())], 1e-10)
		expect.NearAll(t, c.bar+": standard errors", f.StdErr(), want.StdErr()[1:1+len(f.Coef())], 1e-10)
		got, yhat := get(Predict(f, df))(t), get(Predict(want, df))(t)
		expect.NearAll(t, c.bar+": predictions", got, yhat, 1e-10)
		if !math.IsNaN(got[8]) {
			t.Errorf("%s: the row without a zone is predicted as %v", c.bar, got[8])
		}
		like := get(DesignLike(d, df))(t)
		expect.NearAll(t, c.bar+": DesignLike", get(mlreg.FitAbsorbed(like))(t).Coef(), f.Coef(), 1e-12)
	}
}

// A bar that is not understood shows its place, and a prediction needs the column.
func TestAbsorbErrors(t *testing.T) {
	df := zonesFrame()
	for formula, says := range map[string]string{
		"y ~ x | k + `my zone`":   "behind the bar are several",
		"y ~ x | k | `my zone`":   "this is a second",
		"y ~ x | k:`my zone`":     "behind the bar are several",
		"y ~ x | log(w)":          "log(w) is not one",
		"y ~ x | 1":               "1 is not one",
		"y ~ x | .":               "the dot stands for many",
		"y ~ x | zone":            "zone",
		"y ~ x | y":               "the response",
		"y ~ (x | `my zone`) + k": "",
	} {
		if _, err := Design(df, formula); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", formula, err, says)
		}
	}
	d := get(Design(df, "y ~ x | `my zone`"))(t)
	_, err := mlreg.FitOLS(d, nil)
	expect.Error(t, "FitOLS", err, mlreg.ErrSetting, "my zone", "FitAbsorbed")
	f := get(mlreg.FitAbsorbed(d))(t)
	_, err = Predict(f, df.Select([]string{"x", "k"}))
	expect.Error(t, "no column", err, ErrNoColumn, "my zone")
	_, err = AllEffects(f, df, 0.95, nil)
	expect.Error(t, "effects", err, ErrSetting, "my zone", "absorbed")
	other := df.Mutate(series.New(make([]string, 40), series.String, "my zone"))
	if _, err := Predict(f, other); err == nil {
		t.Error("a level that was not seen is predicted")
	}
	// Conditions are what they were.
	if d := get(Design(df, "y ~ x > 2 | k == \"a\""))(t); d.Absorb != "" || len(d.Names) != 1 {
		t.Errorf("a condition absorbs %q and has the columns %v", d.Absorb, d.Names)
	}
}
