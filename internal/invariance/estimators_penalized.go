package main

import (
	"regexp"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

var gcv = regexp.MustCompile("GCV$")

// penalized are ridge regression, the lasso and theirs, on standardized columns.
func penalized() []estimator {
	all := []estimator{
		{name: "FitRidge", counts: gcv, sums: true, tolerance: exact, fit: func(in *input) quantities { return in.of(try.Get(mlreg.FitRidge(in.data, 0.1*in.weight, nil))) }},
		{name: "FitRidgePath", sums: true, tolerance: exact, fit: func(in *input) quantities { return in.of(try.Get(mlreg.FitRidgePath(in.data, nil))) }},
		{name: "FitPCR", sums: true, tolerance: exact, fit: func(in *input) quantities { return in.of(try.Get(mlreg.FitPCR(in.data, 2, nil))) }},
		{name: "FitLasso", sums: true, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitLasso(in.data, 0.05*in.weight*in.spread, lassoSettings())))
		}},
		{name: "FitElasticNet", sums: true, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitElasticNet(in.data, 0.05*in.weight*in.spread, 0.1*in.weight, lassoSettings())))
		}},
		{name: "FitLasso, groups", sums: true, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitLasso(in.data, 0.05*in.weight*in.spread, &mlreg.LassoSettings{Gap: gap, Groups: in.terms})))
		}},
		{name: "FitLassoPath", sums: true, fit: func(in *input) quantities { return in.of(try.Get(mlreg.FitLassoPath(in.data, pathSettings()))) }},
		{name: "FitElasticNetPath", sums: true, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitElasticNetPath(in.data, 0.5, pathSettings())))
		}},
		{name: "FitElasticNetPath, groups", sums: true, fit: func(in *input) quantities {
			s := pathSettings()
			s.Groups = in.terms
			return in.of(try.Get(mlreg.FitElasticNetPath(in.data, 0.5, s)))
		}},
		{name: "FitRelaxedLasso", sums: true, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitRelaxedLasso(in.data, 0.05*in.weight*in.spread, 0.5, lassoSettings())))
		}},
		{name: "FitRelaxedLassoPath", sums: true, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitRelaxedLassoPath(in.data, 0.5, pathSettings())))
		}},
		{name: "FitLARS", sums: true, fit: func(in *input) quantities { return in.of(try.Get(mlreg.FitLARS(in.data, nil))) }},
		{name: "ShootingAlgorithm", sums: true, fit: func(in *input) quantities {
			f := try.Get(mlreg.ShootingAlgorithm(in.data, 0.05*in.weight*in.spread, &mlreg.ShootingSettings{Tol: 1e-10 * in.spread, Sweeps: 1_000_000}))
			var q quantities
			q.coefficients("coefficients", f.Coef(), in.width)
			return q
		}},
		{name: "FitRidgeCV", counts: gcv, tolerance: 1e-7, fit: func(in *input) quantities {
			return chosen(in, try.Get(mlreg.FitRidgeCV(in.d, in.folds, nil, cvSettings())))
		}},
		{name: "FitLassoCV", fit: func(in *input) quantities {
			return chosen(in, try.Get(mlreg.FitLassoCV(in.d, in.folds, pathSettings(), cvSettings())))
		}},
		{name: "FitElasticNetCV", fit: func(in *input) quantities {
			return chosen(in, try.Get(mlreg.FitElasticNetCV(in.d, 0.5, in.folds, pathSettings(), &mlreg.CVSettings{Standardize: byWeight, ResponseScale: true})))
		}},
		{name: "FitRelaxedLassoCV", fit: func(in *input) quantities {
			return chosen(in, try.Get(mlreg.FitRelaxedLassoCV(in.d, in.folds, 0.5, pathSettings(), cvSettings())))
		}},
	}
	for i := range all {
		all[i].standardized = true
		if all[i].tolerance == 0 {
			all[i].tolerance = certified
		}
	}
	return all
}
