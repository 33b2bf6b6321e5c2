package main

import (
	"cmp"
	"slices"

	"github.com/regbook/regbook/internal/try"
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
		{name: "hier.Fit, intercepts", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) quantities {
			return in.multiTask(try.Get(hier.Fit(in.d, in.groups, &hier.Settings{Varying: intercepts})))
		}},
		{name: "hier.Fit, ML", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) quantities {
			return in.multiTask(try.Get(hier.Fit(in.d, in.groups, &hier.Settings{Varying: intercepts, ML: true})))
		}},
		{name: "hier.Fit, a slope", counts: all, standardized: true, tolerance: 1e-5, fit: func(in *input) quantities {
			return in.multiTask(try.Get(hier.Fit(in.d, in.groups, &hier.Settings{Varying: slopes(in)})))
		}},
		{name: "hier.FitMAP", standardized: true, tolerance: 1e-4, fit: func(in *input) quantities {
			f := try.Get(hier.FitMAP(in.d, in.groups, in.spread*in.spread, []float64{0.5 * in.spread}, nil))
			var q quantities
			q.coefficients("coefficients", f.Coef(), in.width)
			q.add("Criterion", whole, 0, f.Objective()[len(f.Objective())-1])
			in.rowsOf(&q, f)
			return q
		}},
		{name: "hier.FitVariancePosterior", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) quantities {
			return in.of(try.Get(hier.FitVariancePosterior(in.d, in.groups, &hier.Settings{Sigma2: in.spread * in.spread, Varying: intercepts}, nil)))
		}},
		{name: "hier.TestVariance", counts: all, affine: true, tolerance: 1e-5, fit: func(in *input) quantities {
			test := try.Get(hier.TestVariance(in.d, in.groups, &hier.Settings{Varying: intercepts}, "", mlreg.InterceptName))
			var q quantities
			q.add("criterion", whole, 0, test.Full, test.Reduced)
			return q
		}},
		{name: "hier.CrossValidate", standardized: true, tolerance: 1e-6, fit: func(in *input) quantities {
			return in.of(try.Get(hier.CrossValidate(in.d, in.groups, in.folds, in.spread*in.spread, nil)).CV)
		}},
	}
}

// multiTask adds variances, and the coefficients of groups by their names.
func (in *input) multiTask(f *hier.MultiTask) quantities {
	q := in.of(f)
	for _, v := range f.Variances() {
		q.add("variance of "+v.Level, whole, 0, v.Variance)
	}
	g := try.Get(f.GroupCoefs(f.Levels()[0]))
	rows := slices.SortedFunc(slices.Values(g.Rows), func(a, b mlreg.GroupCoef) int { return cmp.Compare(a.Group, b.Group) })
	for _, r := range rows {
		if r.Group != nothing {
			q.add("intercept of a group", origin, 0, r.Coef[0])
		}
	}
	return q
}
