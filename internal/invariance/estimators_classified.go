package main

import (
	"slices"

	"github.com/regbook/regbook/mlreg"
)

// twoClasses and threeClasses are fits of classes.
var twoClasses = []estimator{
	{name: "FitLogistic", blocks: true, affine: true, fit: of(func(in *input) (*mlreg.Logistic, error) { return mlreg.FitLogistic(in.blocks, nil) })},
	{name: "FitLogistic, penalized", blocks: true, standardized: true, fit: of(func(in *input) (*mlreg.Logistic, error) {
		return mlreg.FitLogistic(in.blocks, &mlreg.LogisticSettings{L2: 0.02 * in.weight})
	})},
	{name: "FitBayesLogistic", standardized: true, fit: of(func(in *input) (*mlreg.BayesLogistic, error) {
		return mlreg.FitBayesLogistic(in.d, mlreg.GaussianPrior{Tau2: 2}, nil)
	})},
	{name: "FitBayesGLM", standardized: true, fit: of(func(in *input) (*mlreg.BayesGLM, error) {
		return mlreg.FitBayesGLM(in.d, mlreg.Binomial, mlreg.GaussianPrior{Tau2: 2}, nil)
	})},
	{name: "FitLogisticElasticNet", standardized: true, tolerance: certified, fit: of(func(in *input) (*mlreg.SparseLogistic, error) {
		return mlreg.FitLogisticElasticNet(in.d, 0.03*in.weight, 0.02*in.weight, lassoSettings())
	})},
	{name: "FitLogisticElasticNet, groups", standardized: true, tolerance: certified, fit: of(func(in *input) (*mlreg.SparseLogistic, error) {
		return mlreg.FitLogisticElasticNet(in.d, 0.03*in.weight, 0.02*in.weight, &mlreg.LassoSettings{Gap: gap, Groups: in.terms})
	})},
	{name: "FitLogisticPath", standardized: true, tolerance: certified, fit: of(func(in *input) (*mlreg.LogisticPath, error) {
		return mlreg.FitLogisticPath(in.d, 0.9, pathSettings())
	})},
	{name: "FitLogisticCV", standardized: true, tolerance: certified, fit: chosen(func(in *input) (*mlreg.LogisticCV, error) {
		return mlreg.FitLogisticCV(in.d, 0.9, in.folds, pathSettings(), cvSettings())
	})},
	{name: "FitLogisticCV, AUC", standardized: true, tolerance: certified, fit: chosen(func(in *input) (*mlreg.LogisticCV, error) {
		return mlreg.FitLogisticCV(in.d, 0.9, in.folds, pathSettings(), &mlreg.CVSettings{Standardize: byWeight, AUC: true})
	})},
}

var threeClasses = []estimator{
	{name: "FitMultinomial", affine: true, fit: of(func(in *input) (*mlreg.Multinomial, error) { return mlreg.FitMultinomial(in.d, nil) })},
	{name: "FitMultinomial, penalized", standardized: true, fit: of(func(in *input) (*mlreg.Multinomial, error) {
		return mlreg.FitMultinomial(in.d, &mlreg.MultinomialSettings{L2: 0.02 * in.weight})
	})},
	{name: "FitMultinomialPath", standardized: true, tolerance: certified, fit: func(in *input) (quantities, error) {
		p, err := mlreg.FitMultinomialPath(in.d, 0.9, pathSettings())
		if err != nil {
			return nil, err
		}
		var q quantities
		q.add("Lambda", whole, 0, p.Lambda()...)
		q.add("Deviance", whole, 0, p.Deviance()...)
		fit, err := in.of(p.Fit(p.Len() - 1))
		return append(q, fit...), err
	}},
	{name: "FitMultinomialCV", standardized: true, tolerance: certified, fit: chosen(func(in *input) (*mlreg.MultinomialCV, error) {
		return mlreg.FitMultinomialCV(in.d, 0.9, in.folds, pathSettings(), cvSettings())
	})},
	{name: "FitNaiveBayes", zeroOne: true, without: []string{"powers", "levels"}, fit: func(in *input) (quantities, error) {
		f, err := mlreg.FitNaiveBayes(in.d, 1, nil)
		if err != nil {
			return nil, err
		}
		q, err := in.of(f)
		q.add("prior", whole, 0, f.Prior()...)
		for k := range f.Prior() {
			q.add("probabilities of a class", byColumn, 0, slices.Clone(f.Prob().RawRowView(k))...)
		}
		return q, err
	}},
}

// answering has estimators fit a response.
func answering(y response, all []estimator) []estimator {
	for i := range all {
		all[i].response = y
	}
	return all
}
