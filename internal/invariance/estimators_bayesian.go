package main

import (
	"regexp"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// bayesian are posteriors and evidence of linear models, on standardized columns.
func bayesian() []estimator {
	return []estimator{
		{name: "FitBayes, known variance", counts: regexp.MustCompile("^Log"), standardized: true, sums: true, fit: func(in *input) quantities {
			v := in.spread * in.spread
			return in.posterior(try.Get(mlreg.FitBayes(in.data, mlreg.GaussianPrior{Tau2: v}, mlreg.KnownVariance(0.5*v), nil)))
		}},
		{name: "FitBayes, unknown variance", counts: regexp.MustCompile("^(Log|Sigma2|standard dev)"), standardized: true, sums: true, fit: func(in *input) quantities {
			return in.posterior(try.Get(mlreg.FitBayes(in.data, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil)))
		}},
		{name: "NewEvidenceSurface", counts: all, standardized: true, sums: true, tolerance: 1e-6, fit: func(in *input) quantities {
			s := try.Get(mlreg.NewEvidenceSurface(in.data, nil))
			m := try.Get(s.Maximize(nil))
			var q quantities
			q.add("tau2", whole, 0, m.Tau2)
			q.add("sigma2", whole, 0, m.Sigma2)
			q.add("LogEvidence", whole, 0, m.LogEvidence)
			q.add("gamma", whole, 0, m.EffectiveParameters)
			return q
		}},
	}
}

// posterior adds standard deviations.
func (in *input) posterior(f *mlreg.Bayes) quantities {
	q := in.of(f)
	q.coefficients("standard deviations", f.StdDev(), in.width)
	return q
}
