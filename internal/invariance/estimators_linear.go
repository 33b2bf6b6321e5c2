package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/mlreg/report"
)

// What counts observations.
var (
	all          = regexp.MustCompile("")
	leastSquares = regexp.MustCompile("^(standard errors|Sigma2|LogLik|Cook)")
	statistics   = regexp.MustCompile("^F")
)

// linear are least squares and what follows from it.
var linear = []estimator{
	{name: "FitOLS", counts: leastSquares, sums: true, affine: true, fit: func(in *input) quantities {
		f := try.Get(mlreg.FitOLS(in.data, nil))
		q := in.of(f)
		q.coefficients("errors in sigmas", timesOf(f.StdErr(), 1/math.Sqrt(f.Sigma2())), in.width)
		return q
	}},
	{name: "FitOLS, aliased terms dropped", counts: leastSquares, sums: true, affine: true, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitOLS(in.data, &mlreg.OLSSettings{Aliased: mlreg.DropAliased})))
	}},
	{name: "FitOLS, minimum norm", counts: leastSquares, standardized: true, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitOLS(in.data, &mlreg.OLSSettings{Aliased: mlreg.MinimumNorm})))
	}},
	{name: "RefineOLS", counts: leastSquares, blocks: true, affine: true, fit: func(in *input) quantities { return in.of(try.Get(mlreg.RefineOLS(in.blocks, nil))) }},
	{name: "FitAbsorbed", counts: leastSquares, affine: true, fit: func(in *input) quantities {
		d := *in.d
		d.Absorb, d.Levels = "group", in.labels
		f := try.Get(mlreg.FitAbsorbed(&d))
		var q quantities
		q.add("R2, and that within levels", whole, 0, f.R2(), f.R2Within())
		return q
	}},
	{name: "OLS.Anova", counts: statistics, affine: true, without: []string{"columns"}, fit: anova((*mlreg.OLS).Anova)},
	{name: "OLS.AnovaTypeII", counts: statistics, affine: true, fit: anova((*mlreg.OLS).AnovaTypeII)},
	{name: "OLS.AnovaTypeIII", counts: statistics, affine: true, fit: anova((*mlreg.OLS).AnovaTypeIII)},
	{name: "OLS.DropTerms", counts: statistics, affine: true, fit: anova((*mlreg.OLS).DropTerms)},
	{name: "OLS.Robust", counts: all, affine: true, fit: func(in *input) quantities {
		f := try.Get(mlreg.FitOLS(in.d, nil))
		var q quantities
		for hc := mlreg.HC0; hc <= mlreg.HC3; hc++ {
			r := try.Get(f.Robust(in.d, hc))
			q.coefficients(fmt.Sprint("standard errors ", hc), r.StdErr(), in.width)
		}
		return q
	}},
	{name: "OLS.BreuschPagan", counts: all, affine: true, fit: func(in *input) quantities {
		f := try.Get(mlreg.FitOLS(in.d, nil))
		test := try.Get(f.BreuschPagan(in.d))
		var q quantities
		q.add("statistic", whole, 0, test.Stat, test.DF, test.P)
		return q
	}},
	{name: "GVIF", sums: true, affine: true, fit: func(in *input) quantities {
		v := try.Get(mlreg.GVIF(in.data, in.terms...))
		var q quantities
		byTerm := map[string]float64{}
		for _, r := range v {
			byTerm[r.Term] = r.VIF
		}
		in.byTerm(&q, "VIF", byTerm)
		return q
	}},
	{name: "CrossValidate", affine: true, fit: func(in *input) quantities {
		cv := try.Get(mlreg.CrossValidate(in.d, in.folds, func(train *mlreg.Design) ([]*mlreg.OLS, error) {
			f, err := mlreg.FitOLS(train, nil)
			return []*mlreg.OLS{f}, err
		}, nil))
		return in.of(cv)
	}},
	{name: "FitLearningCurve", affine: true, fit: func(in *input) quantities {
		c := try.Get(mlreg.FitLearningCurve(in.d, in.folds, func(train mlreg.Data) (*mlreg.OLS, error) { return mlreg.FitOLS(train, nil) }))
		var q quantities
		q.add("errors", whole, 0, c.Test...)
		return q
	}},
	{name: "BootstrapOLS of weights", without: []string{"rows", "repeats", "void rows", "void level"}, fit: func(in *input) quantities {
		b := try.Get(assess.BootstrapOLS(in.d, rand.NewPCG(1, 2), &assess.BootstrapSettings{B: 50}))
		var q quantities
		q.coefficients("standard errors", b.StdErr(), in.width)
		return q
	}},
}

// timesOf returns numbers times a factor.
func timesOf(v []float64, factor float64) []float64 {
	out := make([]float64, len(v))
	addTo(out, v, factor)
	return out
}

// anova collects an analysis of variance, in the order of the columns.
func anova(table func(f *mlreg.OLS, groups ...mlreg.TermGroup) (report.Rows[mlreg.AnovaRow], error)) func(in *input) quantities {
	return func(in *input) quantities {
		f := try.Get(mlreg.FitOLS(in.d, nil))
		rows := try.Get(table(f, in.terms...))
		var q quantities
		squares, statistics := map[string]float64{}, map[string]float64{}
		for _, r := range rows {
			squares[r.Term], statistics[r.Term] = r.SumSq, r.F
		}
		in.byTerm(&q, "sums of squares", squares)
		in.byTerm(&q, "F", statistics)
		return q
	}
}
