package frames

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

type rLimits struct {
	Fit, SE, Lower, Upper, LowerNew, UpperNew rNumbers
}

type rMeans struct {
	Levels, Term           []string
	Mean, SE, Lower, Upper rNumbers
	Difference, DSE, P     rNumbers
}

type rEffects struct {
	Level                 float64
	Data                  map[string]map[string]json.RawMessage
	Curve, Wool, Logistic rLimits
	Partial               rNumbers
	Tension, Race         rMeans
	AME                   map[string][]struct {
		Term                          string
		Estimate, SE, P, Lower, Upper float64
	}
}

func effectCases(t *testing.T) (r rEffects, breaks, cars, births dataframe.DataFrame) {
	t.Helper()
	if err := json.Unmarshal(get(os.ReadFile("testdata/effects.json"))(t), &r); err != nil {
		t.Fatal(err)
	}
	return r, rFrame(t, r.Data["breaks"]), rFrame(t, r.Data["cars"]), rFrame(t, r.Data["births"])
}

func sameLimits(t *testing.T, what string, e *Effect, want rLimits, tol float64) {
	t.Helper()
	near(t, what, e.Fitted, want.Fit, tol)
	near(t, what+": lower", e.Confidence.Lower, want.Lower, tol)
	near(t, what+": upper", e.Confidence.Upper, want.Upper, tol)
	if want.SE != nil {
		near(t, what+": standard errors", e.Confidence.StdErr, want.SE, tol)
		near(t, what+": lower new", e.Prediction.Lower, want.LowerNew, tol)
		near(t, what+": upper new", e.Prediction.Upper, want.UpperNew, tol)
	}
}

func TestEffectsLikeR(t *testing.T) {
	r, breaks, cars, births := effectCases(t)
	m2 := get(mlreg.FitOLS(get(Design(cars, "mpg ~ poly(wt, 2) * factor(cyl) + log(hp)"))(t), nil))(t)
	e := get(Effects(m2, cars, "wt", r.Level, &EffectSettings{By: "cyl", From: 2, To: 5, Points: 4}))(t)
	sameLimits(t, "wt by cyl", e, r.Curve, 1e-9)
	if !slices.Equal(e.Groups, []string{"4", "4", "4", "4", "6", "6", "6", "6", "8", "8", "8", "8"}) || e.X[5] != 3 || e.NoBand != "" {
		t.Errorf("rows %v of %q", e.X, e.Groups)
	}
	if len(e.Held) != 1 || e.Held[0] != (Held{"hp", "146.7", "mean"}) {
		t.Errorf("held %v", e.Held)
	}
	near(t, "observations", e.Points.Y, cars.Col("mpg").Float(), 0)
	if e.Points.Groups[2] != "4" || e.Points.X[2] != 2.32 {
		t.Errorf("points %v", e.Points)
	}
	e = get(Effects(m2, cars, "wt", r.Level, &EffectSettings{Residuals: true}))(t)
	near(t, "partial residuals", e.Points.Y, r.Partial, 1e-10)
	if len(e.X) != 101 || e.X[0] != 1.513 || e.X[100] != 5.424 || e.Held[0] != (Held{"cyl", "8", "most frequent level"}) {
		t.Errorf("%d values, held %v", len(e.X), e.Held)
	}

	e = get(Effects(m2, cars, "wt", r.Level, &EffectSettings{By: "cyl", Points: 2}))(t)
	near(t, "the data of each group", e.X, []float64{1.513, 3.19, 2.62, 3.46, 3.17, 5.424}, 0)

	m1 := get(mlreg.FitOLS(get(Design(breaks, "breaks ~ wool * tension + age"))(t), nil))(t)
	sameLimits(t, "wool", get(Effects(m1, breaks, "wool", r.Level, nil))(t), r.Wool, 1e-10)

	m3 := get(mlreg.FitLogistic(get(Design(births, "low ~ age + lwt + race + smoke"))(t), nil))(t)
	e = get(Effects(m3, births, "age", r.Level, &EffectSettings{Points: 5}))(t)
	sameLimits(t, "age", e, r.Logistic, 1e-8)
	if e.Prediction != nil || e.Response != "P(low = 1)" {
		t.Errorf("effect on %s, prediction %v", e.Response, e.Prediction)
	}
}

func TestMarginalMeansLikeR(t *testing.T) {
	r, breaks, _, births := effectCases(t)
	check := func(got *FactorMeans, want rMeans, tol float64) {
		t.Helper()
		if !slices.Equal(got.Levels, want.Levels) {
			t.Fatalf("levels %q, want %q", got.Levels, want.Levels)
		}
		near(t, "mean", got.Mean, want.Mean, tol)
		near(t, "standard error", got.StdErr, want.SE, tol)
		near(t, "lower", got.Lower, want.Lower, tol)
		near(t, "upper", got.Upper, want.Upper, tol)
		for k, c := range got.Contrasts {
			if c.Term != want.Term[k] {
				t.Errorf("contrast %s, want %s", c.Term, want.Term[k])
			}
			near(t, c.Term, []float64{c.Estimate, c.StdErr, c.P}, []float64{want.Difference[k], want.DSE[k], want.P[k]}, 10*tol)
		}
	}
	m1 := get(mlreg.FitOLS(get(Design(breaks, "breaks ~ wool * tension + age"))(t), nil))(t)
	got := get(MarginalMeans(m1, breaks, "tension", r.Level, nil))(t)
	check(got, r.Tension, 1e-10)
	if !slices.Equal(got.Averaged, []string{"wool"}) || len(got.Held) != 1 || got.Held[0].Column != "age" || got.LogOdds {
		t.Errorf("averaged over %q, held %v", got.Averaged, got.Held)
	}
	// Coefficients of scaled columns, and contrasts of the factors, give the same means.
	scaled := get(get(Design(breaks, "breaks ~ C(wool, Sum) * C(tension, Helmert) + age"))(t).Standardize(nil))(t)
	check(get(MarginalMeans(get(mlreg.FitOLS(scaled, nil))(t), breaks, "tension", r.Level, nil))(t), r.Tension, 1e-9)

	m3 := get(mlreg.FitLogistic(get(Design(births, "low ~ age + lwt + race + smoke"))(t), nil))(t)
	got = get(MarginalMeans(m3, births, "race", r.Level, nil))(t)
	check(got, r.Race, 1e-8)
	if s := got.String(); !got.LogOdds || !strings.Contains(s, "Differences of log odds by race") || !strings.Contains(s, "averaged over the levels of smoke") {
		t.Errorf("%v", s)
	}
	// Held, a factor is not averaged over: the means are then those of Effects.
	at := map[string]any{"smoke": true}
	e := get(Effects(m3, births, "race", r.Level, &EffectSettings{At: at}))(t)
	got = get(MarginalMeans(m3, births, "race", r.Level, &MeansSettings{At: at}))(t)
	near(t, "held", got.Mean, e.Fitted, 1e-13)
	near(t, "held", got.Upper, e.Confidence.Upper, 1e-13)
}

func TestMarginalEffectsLikeR(t *testing.T) {
	r, _, cars, births := effectCases(t)
	for name, got := range map[string]report.Rows[mlreg.CoefRow]{
		"cars":   get(MarginalEffects(get(mlreg.FitOLS(get(Design(cars, "mpg ~ poly(wt, 2) + log(hp) + factor(cyl)"))(t), nil))(t), cars, r.Level))(t),
		"births": get(MarginalEffects(get(mlreg.FitLogistic(get(get(Design(births, "low ~ age + lwt + race + smoke"))(t).Standardize(nil))(t), nil))(t), births, r.Level))(t),
	} {
		want := r.AME[name]
		if len(got) != len(want) {
			t.Fatalf("%s: %v", name, got)
		}
		for k, w := range want {
			if got[k].Term != w.Term {
				t.Errorf("%s, want %s", got[k].Term, w.Term)
			}
			near(t, w.Term, []float64{got[k].Estimate, got[k].StdErr, got[k].P, got[k].Lower, got[k].Upper}, []float64{w.Estimate, w.SE, w.P, w.Lower, w.Upper}, 1e-8)
		}
	}
	// Of a straight line it is the coefficient.
	line := get(mlreg.FitOLS(get(Design(cars, "mpg ~ wt + hp"))(t), nil))(t)
	want := get(line.Table(0.9))(t)[1:]
	for k, got := range get(MarginalEffects(line, cars, 0.9))(t) {
		near(t, got.Term, []float64{got.Estimate, got.StdErr, got.Statistic, got.Lower}, []float64{want[k].Estimate, want[k].StdErr, want[k].Statistic, want[k].Lower}, 1e-11)
	}
	// A value of zero, and one next to it, where the logarithm ends.
	near0 := frame(t, Col("y", []float64{1, 3, 2, 5, 4}), Col("x", []float64{1e-9, 1, 2, 3, 50}))
	log := get(mlreg.FitOLS(get(Design(near0, "y ~ log(x)"))(t), nil))(t)
	b := log.Slopes()[0] * (1e9 + 1 + 1./2 + 1./3 + 1./50) / 5
	if got := get(MarginalEffects(log, near0, 0.9))(t)[0]; math.Abs(got.Estimate-b) > 1e-7*math.Abs(b) {
		t.Errorf("next to zero: %v, want %v", got.Estimate, b)
	}
}

// A fit without a band has an effect, and says why it has none.
func TestEffectsWithoutBand(t *testing.T) {
	for name, fit := range everyPredictor(t) {
		f, ok := fit.(Predictor)
		if !ok || name == "Logistic" {
			continue
		}
		e := get(Effects(f, cars(t), "wt", 0.9, nil))(t)
		if (e.Confidence == nil) != (e.NoBand != "") {
			t.Errorf("%s: band %v, %q", name, e.Confidence, e.NoBand)
		}
		if s := e.String(); e.NoBand != "" && !strings.Contains(s, e.NoBand) {
			t.Errorf("%s:\n%s", name, s)
		}
		df, err := e.Frame()
		if err != nil || df.Nrow() != 101 || e.Confidence != nil && !slices.Contains(df.Names(), ".upper.confidence") {
			t.Errorf("%s: frame %v, %v", name, df.Names(), err)
		}
	}
	ridge := everyPredictor(t)["Ridge"].(Predictor)
	if e := get(Effects(ridge, cars(t), "wt", 0.9, nil))(t); !strings.Contains(e.NoBand, "penalized") {
		t.Errorf("%q", e.NoBand)
	}
}

func TestEffectsOfFits(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 3, 2, 5, 4, 6}), Col("x", []float64{1, 2, 3, 4, 5, 7}), Col("g", []string{"b", "a", "b", "a", "a", "b"}), Col("k", []int{1, 1, 2, 2, 2, 1}))
	fit := get(mlreg.FitOLS(get(Design(df, "y ~ x + g + factor(k)"))(t), nil))(t)
	e := get(Effects(fit, df.Drop("y"), "g", 0.9, &EffectSettings{At: map[string]any{"k": 2, "x": 3}}))(t)
	want := get(Predict(fit, frame(t, Col("x", []float64{3, 3}), Col("g", []string{"a", "b"}), Col("k", []int{2, 2}))))(t)
	near(t, "g", e.Fitted, want, 1e-14)
	if e.Points.Y != nil || !slices.Equal(e.Levels, []string{"a", "b"}) {
		t.Errorf("levels %q, points %v", e.Levels, e.Points)
	}
	// Ties of the most frequent level go to the first.
	if e = get(Effects(fit, df, "x", 0.9, nil))(t); e.Held[0].Value != "a" || e.Held[1].Value != "1" {
		t.Errorf("held %v", e.Held)
	}
	matrix := get(mlreg.NewDesign(get(Matrix(df, "x", "k"))(t), df.Col("y").Float(), "x", "k"))(t)
	line := get(mlreg.FitOLS(matrix, nil))(t)
	if e = get(Effects(line, df, "x", 0.9, nil))(t); e.Held[0] != (Held{"k", "1.5", "mean"}) || e.Points.Y == nil {
		t.Errorf("of a matrix: %v, %v", e.Held, e.Points)
	}
	if got := get(MarginalEffects(line, df, 0.9))(t); len(got) != 2 || math.Abs(got[0].Estimate-line.Slopes()[0]) > 1e-12 {
		t.Errorf("of a matrix: %v", got)
	}
}

// The effects of all columns are those of each.
func TestAllEffects(t *testing.T) {
	df := cars(t)
	fit := get(mlreg.FitOLS(get(Design(df, "mpg ~ poly(wt, 2) + cyl"))(t), nil))(t)
	for _, s := range []*EffectSettings{nil, {By: "cyl", Points: 3}, {At: map[string]any{"wt": 3}}} {
		var names []string
		for _, e := range get(AllEffects(fit, df, 0.9, s))(t) {
			names = append(names, e.Over)
			if want := get(Effects(fit, df, e.Over, 0.9, s))(t); !reflect.DeepEqual(e, want) {
				t.Errorf("%+v: effect of %s\n%v\nby itself\n%v", s, e.Over, e, want)
			}
		}
		want := []string{"wt", "cyl"}
		if s != nil {
			want = slices.DeleteFunc(want, func(name string) bool { return name == s.By || s.At[name] != nil })
		}
		if !slices.Equal(names, want) {
			t.Errorf("%+v: effects of %q, want %q", s, names, want)
		}
	}
	_, err := AllEffects(fit, df, 2, nil)
	wantError(t, err, ErrSetting, "level = 2")
}

func TestEffectsBadInput(t *testing.T) {
	df := cars(t)
	fit := get(mlreg.FitOLS(get(Design(df, "mpg ~ wt + cyl"))(t), nil))(t)
	for _, c := range []struct {
		over  string
		level float64
		s     EffectSettings
		want  error
		says  string
	}{
		{"wtt", 0.9, EffectSettings{}, ErrNoColumn, `did you mean "wt"?`},
		{"mpg", 0.9, EffectSettings{}, ErrNoColumn, `no column "mpg"`},
		{"wt", 90, EffectSettings{}, ErrSetting, "level = 90"},
		{"wt", 0.9, EffectSettings{By: "wt"}, ErrSetting, "By"},
		{"cyl", 0.9, EffectSettings{By: "wt"}, ErrSetting, `By = "wt"`},
		{"wt", 0.9, EffectSettings{By: "gear"}, ErrNoColumn, "gear"},
		{"wt", 0.9, EffectSettings{Points: 1}, ErrSetting, "Points = 1"},
		{"wt", 0.9, EffectSettings{From: 3, To: 2}, ErrSetting, "From = 3"},
		{"wt", 0.9, EffectSettings{At: map[string]any{"cyl": "sixx"}}, ErrLevel, `did you mean "six"?`},
		{"wt", 0.9, EffectSettings{At: map[string]any{"wt": 2}}, ErrSetting, "varies"},
		{"wt", 0.9, EffectSettings{At: map[string]any{"hp": 2}}, ErrNoColumn, "hp"},
		{"cyl", 0.9, EffectSettings{At: map[string]any{"wt": "heavy"}}, ErrSetting, "heavy"},
	} {
		_, err := Effects(fit, df, c.over, c.level, &c.s)
		wantError(t, err, c.want, c.says)
	}
	every := everyPredictor(t)
	_, err := Effects(every["Logistic"].(Predictor), df, "wt", 0.9, &EffectSettings{Residuals: true})
	if err != nil && !errors.Is(err, ErrSetting) {
		t.Error(err)
	}
	_, err = MarginalMeans(fit, df, "wt", 0.9, nil)
	wantError(t, err, ErrSetting, "factor(wt)")
	_, err = MarginalMeans(fit, df, "cyl", 1, nil)
	wantError(t, err, ErrSetting, "level = 1")
	_, err = MarginalMeans(every["penalized"].(Wald), df, "cyl", 0.9, nil)
	wantError(t, err, ErrNoBand, "penalty")
	_, err = MarginalEffects(fit, df, 0)
	wantError(t, err, ErrSetting, "level = 0")
	_, err = MarginalEffects(get(mlreg.FitOLS(get(Design(df, "mpg ~ 1"))(t), nil))(t), df, 0.9)
	wantError(t, err, ErrNoColumn, "no marginal effect")
	empty := frame(t, Col("wt", []float64{math.NaN()}), Col("cyl", []string{"six"}))
	_, err = Effects(fit, empty, "wt", 0.9, nil)
	wantError(t, err, ErrNoRows)
}

func TestHolm(t *testing.T) {
	// R: p.adjust(c(.01, .04, .03, .005, .9), "holm")
	near(t, "Holm", holm([]float64{.01, .04, .03, .005, .9}), []float64{.04, .09, .09, .025, .9}, 1e-15)
}
