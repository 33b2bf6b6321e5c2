package main

import (
	"cmp"
	"slices"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
)

// hierarchical are fits whose coefficients vary between groups.
func hierarchical() []estimator {
	intercepts := []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}
	slopes := func(in *input) []mlreg.Varying {
		return []mlreg.Varying{{Terms: []string{mlreg.InterceptName, in.first}, Shape: mlreg.DiagonalCovariance}}
	}
	return []estimator{
		{name: "hier.Fit, intercepts", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) (quantities, error) {
			f, err := hier.Fit(in.d, in.groups, &hier.Settings{Varying: intercepts})
			return in.multiTask(f, err)
		}},
		{name: "hier.Fit, ML", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) (quantities, error) {
			f, err := hier.Fit(in.d, in.groups, &hier.Settings{Varying: intercepts, ML: true})
			return in.multiTask(f, err)
		}},
		{name: "hier.Fit, a slope", counts: all, standardized: true, tolerance: 1e-5, fit: func(in *input) (quantities, error) {
			f, err := hier.Fit(in.d, in.groups, &hier.Settings{Varying: slopes(in)})
			return in.multiTask(f, err)
		}},
		{name: "hier.FitMAP", standardized: true, tolerance: 1e-4, fit: func(in *input) (quantities, error) {
			f, err := hier.FitMAP(in.d, in.groups, in.spread*in.spread, []float64{0.5 * in.spread}, nil)
			if err != nil {
				return nil, err
			}
			var q quantities
			q.coefficients("coefficients", f.Coef(), in.width)
			q.add("Criterion", whole, 0, f.Objective()[len(f.Objective())-1])
			return q, in.rowsOf(&q, f)
		}},
		{name: "hier.FitVariancePosterior", counts: all, affine: true, tolerance: 1e-5, fit: of(func(in *input) (*hier.VariancePosterior, error) {
			return hier.FitVariancePosterior(in.d, in.groups, &hier.Settings{Sigma2: in.spread * in.spread, Varying: intercepts}, nil)
		})},
		{name: "hier.TestVariance", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) (quantities, error) {
			test, err := hier.TestVariance(in.d, in.groups, &hier.Settings{Varying: intercepts}, "", mlreg.InterceptName)
			if err != nil {
				return nil, err
			}
			var q quantities
			q.add("criterion", whole, 0, test.Full, test.Reduced)
			return q, nil
		}},
		{name: "hier.CrossValidate", standardized: true, tolerance: 1e-6, fit: func(in *input) (quantities, error) {
			cv, err := hier.CrossValidate(in.d, in.groups, in.folds, in.spread*in.spread, nil)
			if err != nil {
				return nil, err
			}
			return in.of(cv.CV)
		}},
	}
}

// multiTask adds variances, and the coefficients of groups by their names.
func (in *input) multiTask(f *hier.MultiTask, err error) (quantities, error) {
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
