package main

import (
	"fmt"
	"regexp"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/rlm"
)

var laplace = regexp.MustCompile("^(LogLik|Scale)")

// unique tells whether a fit is the only one of its loss.
const unique = "Unique"

// quantile collects what a fit says, and the range of the fits that have the least loss.
func (in *input) quantile(f *quantreg.Quantile) quantities {
	q := in.of(f)
	in.ranges(&q, "", f)
	return q
}

// ranges adds those of the coefficients of all fits that have the same loss.
func (in *input) ranges(q *quantities, prefix string, f *quantreg.Quantile) {
	var low, high []float64
	for _, limits := range f.Range() {
		low, high = append(low, limits.Lower), append(high, limits.Upper)
	}
	q.coefficients(prefix+"least coefficients", low, in.width)
	q.coefficients(prefix+"largest coefficients", high, in.width)
	q.add(prefix+unique, whole, 0, truth(f.Unique()))
}

// noisy are fits of other noise than Gaussian.
func noisy() []estimator {
	all := []estimator{
		{name: "quantreg.FitLAD", counts: laplace, affine: true, fit: func(in *input) quantities { return in.quantile(try.Get(quantreg.FitLAD(in.d, nil))) }},
		{name: "quantreg.Fit", counts: laplace, affine: true, fit: func(in *input) quantities { return in.quantile(try.Get(quantreg.Fit(in.d, 0.3, nil))) }},
		{name: "quantreg.Fit, L1", counts: laplace, standardized: true, fit: func(in *input) quantities {
			return in.quantile(try.Get(quantreg.Fit(in.d, 0.3, &quantreg.Settings{L1: 0.05 * in.weight})))
		}},
		{name: "quantreg.Fit, L2", counts: laplace, standardized: true, fit: func(in *input) quantities {
			return in.quantile(try.Get(quantreg.Fit(in.d, 0.3, &quantreg.Settings{L2: 0.05 * in.weight / in.spread})))
		}},
		{name: "quantreg.FitQuantiles", counts: laplace, affine: true, fit: func(in *input) quantities {
			f := try.Get(quantreg.FitQuantiles(in.d, []float64{0.25, 0.6}, nil))
			return in.quantile(f.Fit(1))
		}},
		{name: "quantreg.FitProcess", affine: true, fit: func(in *input) quantities {
			at := try.Get(try.Get(quantreg.FitProcess(in.d, nil)).At(0.437))
			var q quantities // its loss is that of the middle of a piece, which equal rows divide
			q.coefficients("coefficients", at.Coef(), in.width)
			in.ranges(&q, "", at)
			in.rowsOf(&q, at)
			return q
		}},
		{name: "quantreg.FitPath", standardized: true, fit: func(in *input) quantities {
			p := try.Get(quantreg.FitPath(in.d, 0.3, &mlreg.PathSettings{Count: 8, Ratio: 0.05}))
			var q quantities
			q.add("Lambda", whole, 0, p.Lambda()...)
			q.add("Objective", whole, 0, p.Objective()...)
			for k := range p.Len() {
				f := p.Fit(k)
				in.ranges(&q, fmt.Sprintf("at %d: ", k), f)
				if f.Unique() {
					q.coefficients(fmt.Sprintf("coefficients at %d", k), f.Coef(), in.width)
				}
			}
			return q
		}},
		{name: "rlm.FitStudent", affine: true, tolerance: 1e-6, fit: func(in *input) quantities {
			return in.of(try.Get(rlm.FitStudent(in.d, &rlm.StudentSettings{Subsamples: 30})))
		}},
		{name: "rlm.FitStudent, 4 degrees of freedom", affine: true, tolerance: 1e-6, fit: func(in *input) quantities {
			return in.of(try.Get(rlm.FitStudent(in.d, &rlm.StudentSettings{Nu: 4, Subsamples: 30})))
		}},
	}
	return append(all, mEstimates()...)
}

// mEstimates are rlm.Fit by every method and scale.
func mEstimates() []estimator {
	var all []estimator
	for method := rlm.MM; method <= rlm.TukeyM; method++ {
		for scale := rlm.MADScale; scale <= rlm.Proposal2; scale++ {
			if method == rlm.MM && scale != rlm.MADScale {
				continue
			}
			all = append(all, estimator{name: fmt.Sprintf("rlm.Fit, %v, %v", method, scale), affine: true, tolerance: 1e-7,
				fit: func(in *input) quantities {
					return in.of(try.Get(rlm.Fit(in.d, &rlm.Settings{Method: method, Scale: scale, Subsamples: 100})))
				}})
		}
	}
	return all
}
