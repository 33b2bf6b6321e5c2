package main

import (
	"regexp"
	"slices"

	"github.com/regbook/regbook/mlreg"
)

// estimator is a fit and its main result.
type estimator struct {
	name         string
	response     response
	zeroOne      bool // its columns are zeros and ones
	standardized bool // its columns are
	sums, blocks bool // it takes sums, or blocks, of rows
	// affine ones do not depend on the coordinates of the columns of a factor.
	affine bool
	// tolerance is what a quantity may be off by, relative to its scale: where a fit stops at a
	// duality gap, it is as far from the minimum as the root of that.
	tolerance float64
	// counts matches the quantities that count observations: see explain.go.
	counts *regexp.Regexp
	// without are transformations that do not apply.
	without []string
	fit     func(in *input) quantities
}

func (e *estimator) tolerated() float64 {
	if e.tolerance == 0 {
		return exact
	}
	return e.tolerance
}

const (
	exact     = 1e-8
	certified = 1e-5 // the root of gap, times the condition
	gap       = 1e-13
)

// chosen collects what a cross-validation says, and its fit.
func chosen[F interface{ FitMin() G }, G any](in *input, cv F) quantities {
	q := in.of(cv)
	for _, m := range in.of(cv.FitMin()) {
		m.name = "chosen: " + m.name
		q = append(q, m)
	}
	return q
}

// estimators are all, by topic.
var estimators = slices.Concat(linear, penalized(), selected, bayesian(), answering(class2, twoClasses), answering(class3, threeClasses), generalized(), noisy(), hierarchical())

// pathSettings ask for few lambdas, to close gaps.
func pathSettings() *mlreg.PathSettings { return &mlreg.PathSettings{Count: 20, Ratio: 0.01, Gap: gap} }

// byWeight standardizes so that rows of weight zero take no part.
var byWeight = &mlreg.StandardizeSettings{Weighted: true}

func cvSettings() *mlreg.CVSettings { return &mlreg.CVSettings{Standardize: byWeight} }

func lassoSettings() *mlreg.LassoSettings { return &mlreg.LassoSettings{Gap: gap} }
