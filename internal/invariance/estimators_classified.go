package main

import (
	"slices"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// twoClasses and threeClasses are fits of classes.
var twoClasses = []estimator{
	{name: "FitLogistic", blocks: true, affine: true, fit: func(in *input) quantities { return in.of(try.Get(mlreg.FitLogistic(in.blocks, nil))) }},
	{name: "FitLogistic, penalized", blocks: true, standardized: true, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitLogistic(in.blocks, &mlreg.LogisticSettings{L2: 0.02 * in.weight})))
	}},
	{name: "FitBayesLogistic", standardized: true, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitBayesLogistic(in.d, mlreg.GaussianPrior{Tau2: 2}, nil)))
	}},
	{name: "FitBayesGLM", standardized: true, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitBayesGLM(in.d, mlreg.Binomial, mlreg.GaussianPrior{Tau2: 2}, nil)))
	}},
	{name: "FitLogisticElasticNet", standardized: true, tolerance: certified, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitLogisticElasticNet(in.d, 0.03*in.weight, 0.02*in.weight, lassoSettings())))
	}},
	{name: "FitLogisticElasticNet, groups", standardized: true, tolerance: certified, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitLogisticElasticNet(in.d, 0.03*in.weight, 0.02*in.weight, &mlreg.LassoSettings{Gap: gap, Groups: in.terms})))
	}},
	{name: "FitLogisticPath", standardized: true, tolerance: certified, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitLogisticPath(in.d, 0.9, pathSettings())))
	}},
	{name: "FitLogisticCV", standardized: true, tolerance: certified, fit: func(in *input) quantities {
		return chosen(in, try.Get(mlreg.FitLogisticCV(in.d, 0.9, in.folds, pathSettings(), cvSettings())))
	}},
	{name: "FitLogisticCV, AUC", standardized: true, tolerance: certified, fit: func(in *input) quantities {
		return chosen(in, try.Get(mlreg.FitLogisticCV(in.d, 0.9, in.folds, pathSettings(), &mlreg.CVSettings{Standardize: byWeight, AUC: true})))
	}},
}

var threeClasses = []estimator{
	{name: "FitMultinomial", affine: true, fit: func(in *input) quantities { return in.of(try.Get(mlreg.FitMultinomial(in.d, nil))) }},
	{name: "FitMultinomial, penalized", standardized: true, fit: func(in *input) quantities {
		return in.of(try.Get(mlreg.FitMultinomial(in.d, &mlreg.MultinomialSettings{L2: 0.02 * in.weight})))
	}},
	{name: "FitMultinomialPath", standardized: true, tolerance: certified, fit: func(in *input) quantities {
		p := try.Get(mlreg.FitMultinomialPath(in.d, 0.9, pathSettings()))
		var q quantities
		q.add("Lambda", whole, 0, p.Lambda()...)
		q.add("Deviance", whole, 0, p.Deviance()...)
		return append(q, in.of(p.Fit(p.Len()-1))...)
	}},
	{name: "FitMultinomialCV", standardized: true, tolerance: certified, fit: func(in *input) quantities {
		return chosen(in, try.Get(mlreg.FitMultinomialCV(in.d, 0.9, in.folds, pathSettings(), cvSettings())))
	}},
	{name: "FitNaiveBayes", zeroOne: true, without: []string{"powers", "levels"}, fit: func(in *input) quantities {
		f := try.Get(mlreg.FitNaiveBayes(in.d, 1, nil))
		q := in.of(f)
		q.add("prior", whole, 0, f.Prior()...)
		for k := range f.Prior() {
			q.add("probabilities of a class", byColumn, 0, slices.Clone(f.Prob().RawRowView(k))...)
		}
		return q
	}},
}

// answering has estimators fit a response.
func answering(y response, all []estimator) []estimator {
	for i := range all {
		all[i].response = y
	}
	return all
}
