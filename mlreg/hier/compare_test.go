package hier

import (
	"math"
	"strings"
	"testing"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// withChange is a copy of a design with a change.
func withChange(d *mlreg.Design, change func(c *mlreg.Design)) *mlreg.Design {
	c := *d
	change(&c)
	return &c
}

// Restricted likelihoods compare with those of the same fixed terms alone.
func TestLikelihoodRatioTest(t *testing.T) {
	ref := readLME4(t)
	restricted, d, g := fitLME4(t, ref, "sleep")
	intercept := []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}
	fit := func(d *mlreg.Design, s Settings) *MultiTask { return fatal.On(Fit(d, g, &s))(t) }
	small := fatal.On(d.Select())(t)
	var want map[string]struct{ Stat, DF, P float64 }
	expect.JSON(t, "../testdata/infer_comparable.json", &want)
	check := func(name string, a, b mlreg.Likelihood) mlreg.Chi2Test {
		t.Helper()
		got := fatal.On(mlreg.LikelihoodRatioTest(a, b))(t)
		expect.NearAll(t, name, []float64{got.Stat, got.DF}, []float64{want[name].Stat, want[name].DF}, 1e-7)
		expect.Near(t, name+": P", got.P, want[name].P, 1e-6)
		return got
	}
	none, days, slope := fit(small, Settings{ML: true, Varying: intercept}), fit(d, Settings{ML: true, Varying: intercept}), fit(d, Settings{ML: true})
	if test := check("lmer", none, days); test.Note != "" {
		t.Errorf("fits of other fixed terms have the note %q", test.Note)
	}
	if test := check("slope", days, slope); !strings.Contains(test.Note, "edge") || !strings.Contains(test.String(), "TestVariance") {
		t.Errorf("a variance of zero is not noted: %v", test)
	}
	if test := fatal.On(mlreg.LikelihoodRatioTest(fatal.On(mlreg.FitOLS(d, nil))(t), days))(t); test.DF != 1 || !strings.Contains(test.Note, "edge") {
		t.Errorf("groups against none: %+v", test)
	}
	weighted := withChange(d, func(c *mlreg.Design) {
		c.Weights = make([]float64, len(d.Y))
		for i := range c.Weights {
			c.Weights[i] = 1 + float64(int(d.X.At(i, 0))%3)
		}
	})
	check("lm", fatal.On(mlreg.FitOLS(fatal.On(weighted.Select())(t), nil))(t), fatal.On(mlreg.FitOLS(weighted, nil))(t))
	glm := func(d *mlreg.Design) *mlreg.GLM {
		return fatal.On(mlreg.FitGLM(d, mlreg.Gamma, &mlreg.GLMSettings{Link: mlreg.LogLink}))(t)
	}
	check("gamma", glm(small), glm(d))

	if test := fatal.On(mlreg.LikelihoodRatioTest(fit(d, Settings{Varying: intercept}), restricted))(t); test.DF != 2 || !strings.Contains(test.Note, "edge") {
		t.Errorf("REML of the same fixed terms: %+v", test)
	}
	logged := d.WithResponse("y", nil)
	logged.Y = append([]float64{}, d.Y...)
	for i, y := range logged.Y {
		logged.Y[i] = math.Log(y)
	}
	proper := &Hyperprior{Var: 1e6}
	for says, fits := range map[string][2]*MultiTask{
		"REML":         {fit(small, Settings{Varying: intercept}), restricted},
		"and the oth":  {days, restricted},
		"1 and 1 + Da": {fit(small, Settings{Varying: intercept}), restricted},
		"evidence":     {fit(d, Settings{Varying: intercept, Hyperprior: proper}), fit(d, Settings{Hyperprior: proper})},
		"values of":    {days, fit(logged, Settings{ML: true})},
		"AvoidZero":    {days, fit(d, Settings{ML: true, AvoidZero: true})},
		`"Days" varies`: {fit(d, Settings{ML: true, Varying: []mlreg.Varying{{Terms: []string{"Days"}}}}),
			fit(d, Settings{ML: true, Varying: intercept})},
	} {
		_, err := mlreg.LikelihoodRatioTest(fits[0], fits[1])
		expect.Error(t, says, err, mlreg.ErrShape, says)
	}
}

// FitTable says that restricted likelihoods do not compare with likelihoods, and lets those by ML beside least squares.
func TestFitTable(t *testing.T) {
	ref := readLME4(t)
	restricted, d, g := fitLME4(t, ref, "sleep")
	ml, ols := fatal.On(Fit(d, g, &Settings{ML: true}))(t), fatal.On(mlreg.FitOLS(d, nil))(t)
	if text := fatal.On(mlreg.FitTable([]mlreg.NamedFit{{Name: "a", Fit: restricted}, {Name: "b", Fit: ml}}, nil))(t).String(); !strings.Contains(text, "restricted") || strings.Contains(text, "n differs") {
		t.Errorf("REML beside ML:\n%s", text)
	}
	if text := fatal.On(mlreg.FitTable([]mlreg.NamedFit{{Name: "a", Fit: ols}, {Name: "b", Fit: ml}}, nil))(t).String(); strings.Contains(text, "compare") {
		t.Errorf("least squares and a hierarchy by ML compare:\n%s", text)
	}
}
