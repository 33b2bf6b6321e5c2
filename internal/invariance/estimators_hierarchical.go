package main

import (
	"cmp"
	"slices"

	"github.com/regbook/regbook/mlreg"
)

// hierarchical are fits whose coefficients vary between groups.
func hierarchical() []estimator {
	intercepts := []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}
	slopes := func(in *input) []mlreg.Varying {
		return []mlreg.Varying{{Terms: []string{mlreg.InterceptName, in.first}, Shape: mlreg.DiagonalCovariance}}
	}
	return []estimator{
		{name: "FitMultiTask, intercepts", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) (quantities, error) {
			f, err := mlreg.FitMultiTask(in.d, in.groups, &mlreg.MultiTaskSettings{Varying: intercepts})
			return in.multiTask(f, err)
		}},
		{name: "FitMultiTask, ML", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) (quantities, error) {
			f, err := mlreg.FitMultiTask(in.d, in.groups, &mlreg.MultiTaskSettings{Varying: intercepts, ML: true})
			return in.multiTask(f, err)
		}},
		{name: "FitMultiTask, a slope", counts: all, standardized: true, tolerance: 1e-5, fit: func(in *input) (quantities, error) {
			f, err := mlreg.FitMultiTask(in.d, in.groups, &mlreg.MultiTaskSettings{Varying: slopes(in)})
			return in.multiTask(f, err)
		}},
		{name: "FitMultiTaskMAP", standardized: true, tolerance: 1e-4, fit: func(in *input) (quantities, error) {
			f, err := mlreg.FitMultiTaskMAP(in.d, in.groups, in.spread*in.spread, []float64{0.5 * in.spread}, nil)
			if err != nil {
				return nil, err
			}
			var q quantities
			q.coefficients("coefficients", f.Coef(), in.width)
			q.add("Criterion", whole, 0, f.Objective()[len(f.Objective())-1])
			return q, in.rowsOf(&q, f)
		}},
		{name: "FitVariancePosterior", counts: all, affine: true, tolerance: 1e-5, fit: of(func(in *input) (*mlreg.VariancePosterior, error) {
			return mlreg.FitVariancePosterior(in.d, in.groups, &mlreg.MultiTaskSettings{Sigma2: in.spread * in.spread, Varying: intercepts}, nil)
		})},
		{name: "TestVariance", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) (quantities, error) {
			test, err := mlreg.TestVariance(in.d, in.groups, &mlreg.MultiTaskSettings{Varying: intercepts}, "", mlreg.InterceptName)
			if err != nil {
				return nil, err
			}
			var q quantities
			q.add("criterion", whole, 0, test.Full, test.Reduced)
			return q, nil
		}},
		{name: "CrossValidateMultiTask", standardized: true, tolerance: 1e-6, fit: func(in *input) (quantities, error) {
			cv, err := mlreg.CrossValidateMultiTask(in.d, in.groups, in.folds, in.spread*in.spread, nil)
			if err != nil {
				return nil, err
			}
			return in.of(cv.CV)
		}},
	}
}

// multiTask adds variances, and the coefficients of groups by their names.
func (in *input) multiTask(f *mlreg.MultiTask, err error) (quantities, error) {
	if err != nil {
		return nil, err
	}
	q, err := in.of(f)
	if err != nil {
		return nil, err
	}
	for _, v := range f.Variances() {
		q.add("variance of "+v.Level, whole, 0, v.Variance)
	}
	g, err := f.GroupCoefs(f.Levels()[0])
	if err != nil {
		return nil, err
	}
	rows := slices.SortedFunc(slices.Values(g.Rows), func(a, b mlreg.GroupCoef) int { return cmp.Compare(a.Group, b.Group) })
	for _, r := range rows {
		if r.Group != nothing {
			q.add("intercept of a group", origin, 0, r.Coef[0])
		}
	}
	return q, nil
}
