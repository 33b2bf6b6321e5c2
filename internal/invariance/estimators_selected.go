package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// selected are choices among models of least squares.
var selected = []estimator{
	{name: "FitBestSubsets", counts: regexp.MustCompile("^(AIC|Cp|adjusted)"), sums: true, fit: func(in *input) quantities {
		f := try.Get(mlreg.FitBestSubsets(in.data, nil))
		return in.models(f.Models())
	}},
	{name: "FitBestSubsets, groups", counts: all, sums: true, affine: true, fit: func(in *input) quantities {
		f := try.Get(mlreg.FitBestSubsets(in.data, &mlreg.SubsetSettings{Groups: in.terms, Criterion: mlreg.ByBIC}))
		return in.models(f.Models())
	}},
	stepwise("forward", &mlreg.StepwiseSettings{}),
	stepwise("backward", &mlreg.StepwiseSettings{Direction: mlreg.Backward, Criterion: mlreg.ByBIC}),
	stepwise("both", &mlreg.StepwiseSettings{Direction: mlreg.Bidirectional}),
	stepwise("by P", &mlreg.StepwiseSettings{Criterion: mlreg.ByPValue}),
	{name: "FitGreedy", fit: func(in *input) quantities {
		f := try.Get(mlreg.FitGreedy(in.d, &mlreg.GreedySettings{MaxTerms: 3}))
		var q quantities
		for k, s := range f.Steps() {
			q.add(fmt.Sprint("error of step ", k), whole, 0, s.TrainError)
			q.add(fmt.Sprint("term of step ", k), byColumn, 0, in.set([]string{s.Term})...)
		}
		return q
	}},
	{name: "FitGreedyCV", fit: func(in *input) quantities {
		f := try.Get(mlreg.FitGreedyCV(in.d, in.folds, &mlreg.GreedySettings{MaxTerms: 3}, nil))
		return in.of(f)
	}},
	{name: "FilterTerms", sums: true, fit: func(in *input) quantities {
		rows := try.Get(mlreg.FilterTerms(in.data))
		rss, r2, coef := map[string]float64{}, map[string]float64{}, make([]float64, in.width)
		for _, r := range rows {
			rss[r.Term], r2[r.Term] = r.RSS, r.R2
			addTo(coef, in.set([]string{r.Term}), r.Coef)
		}
		var q quantities
		in.byTerm(&q, "RSS", rss)
		in.byTerm(&q, "R2", r2)
		q.coefficients("slopes", coef, in.width)
		return q
	}},
	{name: "CrossValidateSizes", fit: func(in *input) quantities {
		cv := try.Get(mlreg.CrossValidateSizes(in.d, in.folds, func(d mlreg.Data) ([]mlreg.SubsetModel, error) {
			f, err := mlreg.FitBestSubsets(d, nil)
			if err != nil {
				return nil, err
			}
			return f.Models(), nil
		}))
		return in.of(cv)
	}},
	enumerated("BIC", false, mlreg.BICScore{}),
	enumerated("Zellner's g", false, mlreg.ZellnerG{G: 50}),
	enumerated("spike and slab", true, mlreg.SpikeSlab{SlabVar: 1}),
	{name: "SampleModels", sums: true, without: []string{"columns", "repeats"}, fit: func(in *input) quantities {
		f := try.Get(mlreg.SampleModels(in.data, mlreg.BICScore{}, rand.NewPCG(1, 2), &mlreg.SampleModelsSettings{Sweeps: 40}))
		var q quantities
		q.add("inclusion", byColumn, 0, f.InclusionProb()...)
		return q
	}},
	{name: "EnumerateModels, groups", counts: all, sums: true, affine: true, fit: func(in *input) quantities {
		return in.enumeration(mlreg.ZellnerG{G: 50}, in.terms)
	}},
}

// models collects criteria and terms of models.
func (in *input) models(models []mlreg.SubsetModel) quantities {
	var q quantities
	for k, m := range models {
		q.add(fmt.Sprint("RSS of model ", k), whole, 0, m.RSS)
		q.add(fmt.Sprint("R2 of model ", k), whole, 0, m.R2, m.DoF)
		q.add(fmt.Sprint("adjusted R2 of model ", k), whole, 0, m.AdjR2)
		q.add(fmt.Sprint("AIC of model ", k), whole, 0, m.AIC, m.BIC)
		q.add(fmt.Sprint("Cp of model ", k), whole, 0, m.Cp)
		q.add(fmt.Sprint("terms of model ", k), byColumn, 0, in.set(m.Terms)...)
	}
	return q
}

func stepwise(name string, settings *mlreg.StepwiseSettings) estimator {
	return estimator{name: "FitStepwise, " + name, counts: all, sums: true, affine: true, fit: func(in *input) quantities {
		s := *settings
		s.Groups = in.terms
		f := try.Get(mlreg.FitStepwise(in.data, &s))
		return in.models([]mlreg.SubsetModel{f.Final()})
	}}
}

func enumerated(name string, standardized bool, score mlreg.ModelScore) estimator {
	return estimator{name: "EnumerateModels, " + name, counts: all, sums: true, standardized: standardized, fit: func(in *input) quantities {
		return in.enumeration(score, nil)
	}}
}

// enumeration collects the posterior of models.
func (in *input) enumeration(score mlreg.ModelScore, groups []mlreg.TermGroup) quantities {
	f := try.Get(mlreg.EnumerateModels(in.data, score, &mlreg.EnumerateSettings{Average: groups == nil, Groups: groups}))
	q := in.of(f)
	byTerm := map[string]float64{}
	for k, term := range f.Terms() {
		byTerm[term] = f.InclusionProb()[k]
	}
	in.byTerm(&q, "inclusion", byTerm)
	q.add("best models", whole, 0, f.MAPModel().LogScore, f.MAPModel().PostProb)
	if groups != nil {
		return q
	}
	average := try.Get(f.ModelAverage())
	q.coefficients("average", average.Coef(), in.width)
	q.coefficients("average standard deviations", average.StdErr(), in.width)
	return q
}
