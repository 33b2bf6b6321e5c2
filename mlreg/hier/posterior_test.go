package hier

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// eightSchools are those of Rubin (1981): estimates with known standard errors.
func eightSchools(t testing.TB) (*mlreg.Design, *mlreg.Grouping) {
	t.Helper()
	d := &mlreg.Design{X: algebra.NewDense(8, 0), Y: []float64{28, 8, -3, 7, -1, 1, 18, 12}, Response: "effect"}
	for _, se := range []float64{15, 10, 16, 11, 9, 11, 10, 18} {
		d.Weights = append(d.Weights, 1/(se*se))
	}
	g, err := mlreg.NewGrouping("school", []string{"A", "B", "C", "D", "E", "F", "G", "H"})
	if err != nil {
		t.Fatal(err)
	}
	return d, g
}

// testdata/eight.py has the posterior to 30 digits.
func TestVariancePosteriorOfEightSchools(t *testing.T) {
	type answer struct {
		Mean, SD  float64
		Quantiles []float64
		Mu        float64
		MuSD      float64 `json:"mu_sd"`
		Theta     []float64
		ThetaSD   []float64 `json:"theta_sd"`
	}
	var want struct{ Uniform, Cauchy answer }
	expect.JSON(t, "testdata/eight.json", &want)
	d, g := eightSchools(t)
	for _, c := range []struct {
		scale float64
		want  answer
	}{{0, want.Uniform}, {5, want.Cauchy}} {
		p, err := FitVariancePosterior(d, g, &Settings{Sigma2: 1}, &VariancePosteriorSettings{HalfCauchy: c.scale})
		if err != nil {
			t.Fatal(err)
		}
		if !(p.Error() < 1e-8) {
			t.Errorf("error %g", p.Error())
		}
		expect.Near(t, "mean", p.Mean(), c.want.Mean, 1e-8)
		expect.Near(t, "sd", p.StdDev(), c.want.SD, 1e-7)
		for i, prob := range []float64{0.25, 0.5, 0.95} {
			q, err := p.Quantile(prob)
			if err != nil {
				t.Fatal(err)
			}
			expect.Near(t, fmt.Sprint("quantile ", prob), q, c.want.Quantiles[i], 1e-6)
			expect.Near(t, "distribution", p.CDF(q), prob, 1e-9)
		}
		for _, prob := range []float64{0, 1, math.NaN()} {
			if _, err := p.Quantile(prob); !errors.Is(err, mlreg.ErrSetting) {
				t.Errorf("quantile %v: %v", prob, err)
			}
		}
		expect.Near(t, "b*", p.Coef()[0], c.want.Mu, 1e-9)
		expect.Near(t, "its sd", p.StdErr()[0], c.want.MuSD, 1e-8)
		for i, row := range p.GroupCoefs().Rows {
			expect.Near(t, "effect of "+row.Group, row.Coef[0], c.want.Theta[i], 1e-9)
			expect.Near(t, "its sd", row.StdErr[0], c.want.ThetaSD[i], 1e-8)
		}
		if p.Mode() != 0 && c.scale == 0 {
			t.Errorf("the mode is %v, and the density is largest at 0", p.Mode())
		}
	}
	// REML puts tau to zero, says so, and AvoidZero keeps it off.
	fit, err := Fit(d, g, &Settings{Sigma2: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(fit.Boundary()) != 1 || !(fit.Outward() > 0) {
		t.Errorf("boundary %q, outward %v", fit.Boundary(), fit.Outward())
	}
	off, err := Fit(d, g, &Settings{Sigma2: 1, AvoidZero: true})
	if err != nil {
		t.Fatal(err)
	}
	// The mode of tau times the likelihood, by search.
	best, at := math.Inf(1), 0.0
	for k := range 3000 {
		tau := float64(k+1) / 200
		at2, err := Fit(d, g, &Settings{Sigma2: 1, Varying: []mlreg.Varying{{SD: []float64{tau}}}})
		if err != nil {
			t.Fatal(err)
		}
		if v := at2.Criterion() - 2*math.Log(tau); v < best {
			best, at = v, tau
		}
	}
	expect.Near(t, "tau off the boundary", off.Variances()[0].StdDev, at, 1e-3)
	if len(off.Boundary()) > 0 {
		t.Error(off.Boundary())
	}
	for what, err := range map[string]error{
		"no sigma": expect.ErrorOf(FitVariancePosterior(d, g, nil, nil)),
		"ML":       expect.ErrorOf(FitVariancePosterior(d, g, &Settings{Sigma2: 1, ML: true}, nil)),
		"cauchy":   expect.ErrorOf(FitVariancePosterior(d, g, &Settings{Sigma2: 1}, &VariancePosteriorSettings{HalfCauchy: -1})),
	} {
		if !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("%s: %v", what, err)
		}
	}
	two := d.Rows(0, 1)
	if _, err := FitVariancePosterior(two, g.Rows(0, 1), &Settings{Sigma2: 1}, nil); !errors.Is(err, mlreg.ErrNotEstimable) {
		t.Error(err)
	}
	if _, err := FitVariancePosterior(two, g.Rows(0, 1), &Settings{Sigma2: 1}, &VariancePosteriorSettings{HalfCauchy: 10}); err != nil {
		t.Error(err)
	}
}

// The mode is that of the density, and not of a node: of two nodes as high, both give the same.
func TestPeakBetweenNodes(t *testing.T) {
	for _, want := range []float64{2, 2.05, 2.0500001, 2.0499999, 2.08} {
		var x, density []float64
		for k := range 50 {
			x = append(x, float64(k)/10)
			density = append(density, math.Exp(-gram.Square(float64(k)/10-want)/2))
		}
		expect.Near(t, "mode", peak(x, density), want, 1e-10)
	}
	if got := peak([]float64{1, 2, 3}, []float64{3, 2, 1}); got != 0 {
		t.Errorf("%v, and the density falls from 0 on", got)
	}
	if got := peak([]float64{1, 2, 3}, []float64{0, 2, 0}); got != 2 {
		t.Errorf("%v beside nodes of density 0", got)
	}
}
