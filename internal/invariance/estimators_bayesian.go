package main

import (
	"regexp"

	"github.com/regbook/regbook/mlreg"
)

// bayesian are posteriors and evidence of linear models, on standardized columns.
func bayesian() []estimator {
	return []estimator{
		{name: "FitBayes, known variance", counts: regexp.MustCompile("^Log"), standardized: true, sums: true, fit: func(in *input) (quantities, error) {
			v := in.spread * in.spread
			f, err := mlreg.FitBayes(in.data, mlreg.GaussianPrior{Tau2: v}, mlreg.KnownVariance(0.5*v), nil)
			return in.posterior(f, err)
		}},
		{name: "FitBayes, unknown variance", counts: regexp.MustCompile("^(Log|Sigma2|standard dev)"), standardized: true, sums: true, fit: func(in *input) (quantities, error) {
			f, err := mlreg.FitBayes(in.data, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil)
			return in.posterior(f, err)
		}},
		{name: "NewEvidenceSurface", counts: all, standardized: true, sums: true, tolerance: 1e-6, fit: func(in *input) (quantities, error) {
			s, err := mlreg.NewEvidenceSurface(in.data, nil)
			if err != nil {
				return nil, err
			}
			m, err := s.Maximize(nil)
			if err != nil {
				return nil, err
			}
			var q quantities
			q.add("tau2", whole, 0, m.Tau2)
			q.add("sigma2", whole, 0, m.Sigma2)
			q.add("LogEvidence", whole, 0, m.LogEvidence)
			q.add("gamma", whole, 0, m.EffectiveParameters)
			return q, nil
		}},
	}
}

// posterior adds standard deviations.
func (in *input) posterior(f *mlreg.Bayes, err error) (quantities, error) {
	if err != nil {
		return nil, err
	}
	q, err := in.of(f)
	q.coefficients("standard deviations", f.StdDev(), in.width)
	return q, err
}
