package main

import (
	"regexp"

	"github.com/regbook/regbook/mlreg"
)

var gcv = regexp.MustCompile("GCV$")

// penalized are ridge regression, the lasso and theirs, on standardized columns.
func penalized() []estimator {
	all := []estimator{
		{name: "FitRidge", counts: gcv, sums: true, tolerance: exact, fit: of(func(in *input) (*mlreg.Ridge, error) { return mlreg.FitRidge(in.data, 0.1*in.weight, nil) })},
		{name: "FitRidgePath", sums: true, tolerance: exact, fit: of(func(in *input) (*mlreg.RidgePath, error) { return mlreg.FitRidgePath(in.data, nil) })},
		{name: "FitPCR", sums: true, tolerance: exact, fit: of(func(in *input) (*mlreg.PCR, error) { return mlreg.FitPCR(in.data, 2, nil) })},
		{name: "FitLasso", sums: true, fit: of(func(in *input) (*mlreg.Lasso, error) {
			return mlreg.FitLasso(in.data, 0.05*in.weight*in.spread, lassoSettings())
		})},
		{name: "FitElasticNet", sums: true, fit: of(func(in *input) (*mlreg.ElasticNet, error) {
			return mlreg.FitElasticNet(in.data, 0.05*in.weight*in.spread, 0.1*in.weight, lassoSettings())
		})},
		{name: "FitLasso, groups", sums: true, fit: of(func(in *input) (*mlreg.Lasso, error) {
			return mlreg.FitLasso(in.data, 0.05*in.weight*in.spread, &mlreg.LassoSettings{Gap: gap, Groups: in.terms})
		})},
		{name: "FitLassoPath", sums: true, fit: of(func(in *input) (*mlreg.LassoPath, error) { return mlreg.FitLassoPath(in.data, pathSettings()) })},
		{name: "FitElasticNetPath", sums: true, fit: of(func(in *input) (*mlreg.ElasticNetPath, error) {
			return mlreg.FitElasticNetPath(in.data, 0.5, pathSettings())
		})},
		{name: "FitElasticNetPath, groups", sums: true, fit: of(func(in *input) (*mlreg.ElasticNetPath, error) {
			s := pathSettings()
			s.Groups = in.terms
			return mlreg.FitElasticNetPath(in.data, 0.5, s)
		})},
		{name: "FitRelaxedLasso", sums: true, fit: of(func(in *input) (*mlreg.RelaxedLasso, error) {
			return mlreg.FitRelaxedLasso(in.data, 0.05*in.weight*in.spread, 0.5, lassoSettings())
		})},
		{name: "FitRelaxedLassoPath", sums: true, fit: of(func(in *input) (*mlreg.RelaxedLassoPath, error) {
			return mlreg.FitRelaxedLassoPath(in.data, 0.5, pathSettings())
		})},
		{name: "FitLARS", sums: true, fit: of(func(in *input) (*mlreg.LARS, error) { return mlreg.FitLARS(in.data, nil) })},
		{name: "ShootingAlgorithm", sums: true, fit: func(in *input) (quantities, error) {
			f, err := mlreg.ShootingAlgorithm(in.data, 0.05*in.weight*in.spread, &mlreg.ShootingSettings{Tol: 1e-10 * in.spread, Sweeps: 1_000_000})
			if err != nil {
				return nil, err
			}
			var q quantities
			q.coefficients("coefficients", f.Coef(), in.width)
			return q, nil
		}},
		{name: "FitRidgeCV", counts: gcv, tolerance: 1e-7, fit: chosen(func(in *input) (*mlreg.RidgeCV, error) { return mlreg.FitRidgeCV(in.d, in.folds, nil, cvSettings()) })},
		{name: "FitLassoCV", fit: chosen(func(in *input) (*mlreg.LassoCV, error) {
			return mlreg.FitLassoCV(in.d, in.folds, pathSettings(), cvSettings())
		})},
		{name: "FitElasticNetCV", fit: chosen(func(in *input) (*mlreg.ElasticNetCV, error) {
			return mlreg.FitElasticNetCV(in.d, 0.5, in.folds, pathSettings(), &mlreg.CVSettings{Standardize: byWeight, ResponseScale: true})
		})},
		{name: "FitRelaxedLassoCV", fit: chosen(func(in *input) (*mlreg.RelaxedLassoCV, error) {
			return mlreg.FitRelaxedLassoCV(in.d, in.folds, 0.5, pathSettings(), cvSettings())
		})},
	}
	for i := range all {
		all[i].standardized = true
		if all[i].tolerance == 0 {
			all[i].tolerance = certified
		}
	}
	return all
}
