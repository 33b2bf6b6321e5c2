package main

import (
	"math"
	"time"
)

// row is a line of work to compare. To add one, add it here, its task to
// package ours unless there is one, and a function to each peer's script.
type row struct {
	title  string
	task   string  // in ours.Tasks and in the peers' scripts
	n, p   int     // size of the workload
	peers  []peer  // the first is the one that target is about
	target float64 // largest ratio of our time to that of the first peer; 0 is none
	// differ tells how far an answer is from ours, and tolerance what is
	// still agreement.
	differ    func(ours, theirs []float64) float64
	tolerance float64
	measure   string // what differ measures, in words
}

// peer is a program to compare with.
type peer struct {
	program string // the beginning of its functions' names in its script; R or a package of it, or one of Python
	runs    int    // how often it works in a round; 0 is the number for all
	// task is other work than that of the row, which has no answer to compare;
	// the program itself is a peer then too, by the name "regbook". Name is what
	// the table calls it.
	task, name string
	// limit ends it after that time, reported as unfinished; 0 is none.
	limit time.Duration
}

var table = []row{
	{
		title: "CSV file to a data frame", task: "readcsv", n: 1_000_000, p: 20,
		peers:  []peer{{program: "pandas", runs: 1}},
		target: 0.5,
		differ: differAbsolute, tolerance: 1e-9, measure: "of a mean",
	},
	{
		title: "CSV file to least squares, nothing held in memory", task: "csvmoments", n: 1_000_000, p: 20,
		peers:  []peer{{program: "pandas", runs: 1}},
		target: 0.5,
		differ: differRelative, tolerance: 1e-9, measure: "relative, of a slope",
	},
	{
		title: "OLS with standard errors", task: "ols", n: 40_000, p: 1500,
		peers:  []peer{{program: "numpy"}, {program: "sklearn", runs: 1}, {program: "R", runs: 1}},
		target: 1.15,
		differ: differFits, tolerance: 1e-6, measure: "of a standard error",
	},
	{
		title: "OLS with standard errors", task: "ols", n: 1_000_000, p: 50,
		peers:  []peer{{program: "numpy"}, {program: "statsmodels", runs: 1}},
		target: 2,
		differ: differFits, tolerance: 1e-6, measure: "of a standard error",
	},
	// 50 lags of 30 channels, 1,500 terms.
	{
		title: "OLS on 50 lags of each column, with standard errors", task: "lags", n: 40_000, p: 30,
		peers:  []peer{{program: "numpy"}, {program: "statsmodels", runs: 1}},
		target: 0.125,
		differ: differFits, tolerance: 1e-6, measure: "of a standard error",
	},
	{
		title: "all orders of 50 lags of each column", task: "lagorders", n: 40_000, p: 30,
		peers:  []peer{{program: "regbook", task: "lags", name: "the fit alone"}, {program: "numpy", runs: 1}},
		target: 2,
		differ: differRelative, tolerance: 1e-9, measure: "relative, of an RSS",
	},
	{
		title: "lasso path, 100 lambdas, on 50 lags of each column", task: "laglasso", n: 40_000, p: 30,
		differ: differRelative, tolerance: 1e-9, measure: "relative",
		peers:  []peer{{program: "regbook", task: "lags", name: "the fit alone"}},
		target: 6,
	},
	{
		title: "leverages after a fit", task: "leverages", n: 1_000_000, p: 50,
		peers:  []peer{{program: "statsmodels"}, {program: "R", runs: 1}},
		target: 3,
		differ: differRelative, tolerance: 1e-9, measure: "relative",
	},
	{
		title: "leverages without a fit", task: "leverage", n: 1_000_000, p: 50,
		peers:  []peer{{program: "numpy"}},
		target: 1,
		differ: differRelative, tolerance: 1e-9, measure: "relative",
	},
	{
		title: "posterior over all models", task: "enumerate", n: 200, p: 20,
		peers:  []peer{{program: "BMS", runs: 1}},
		target: 0.005,
		differ: differAbsolute, tolerance: 1e-9, measure: "of an inclusion probability",
	},
	{
		title: "best subset of every size", task: "subsets", n: 1000, p: 40,
		peers:  []peer{{program: "leaps", runs: 1}},
		target: 0.02,
		differ: differRelative, tolerance: 1e-9, measure: "relative, of an RSS",
	},
	{
		title: "10,000 bootstrap fits", task: "bootstrap", n: 97, p: 8,
		peers:  []peer{{program: "numpy"}, {program: "boot", runs: 1}},
		target: 1,
		differ: differAbsolute, tolerance: 1e-9, measure: "of a mean or standard deviation of a coefficient",
	},
	{
		title: "jackknife+ at 100 rows, with its fit", task: "jackknifeplus", n: 10_000, p: 100,
		peers:  []peer{{program: "regbook", task: "ols", name: "the fit alone"}, {program: "numpy", runs: 1}},
		target: 2,
		differ: differAbsolute, tolerance: 1e-9, measure: "of a limit",
	},
	{
		title: "rows by a condition", task: "where", n: 1_000_000, p: 3,
		peers: []peer{{program: "pandas"}}, target: 2,
		differ: differRelative, tolerance: 1e-12, measure: "relative",
	},
	{
		title: "sort rows", task: "sort", n: 1_000_000, p: 3,
		peers: []peer{{program: "pandas"}}, target: 2,
		differ: differRelative, tolerance: 1e-12, measure: "relative",
	},
	{
		title: "mean, sd and median by 1,000 keys", task: "group", n: 1_000_000, p: 3,
		peers: []peer{{program: "pandas"}}, target: 2,
		differ: differRelative, tolerance: 1e-9, measure: "relative",
	},
	{
		title: "mean, sd and median by 1,000 texts", task: "grouptext", n: 1_000_000, p: 3,
		peers: []peer{{program: "pandas"}}, target: 2,
		differ: differRelative, tolerance: 1e-9, measure: "relative",
	},
	{
		title: "join with as many rows", task: "join", n: 1_000_000, p: 3,
		peers: []peer{{program: "pandas"}}, target: 2,
		differ: differRelative, tolerance: 1e-12, measure: "relative",
	},
	{
		title: "logistic regression", task: "logistic", n: 1_000_000, p: 50,
		peers:  []peer{{program: "sklearn"}, {program: "statsmodels", runs: 1}, {program: "R", runs: 1}},
		target: 1,
		differ: differFits, tolerance: 5e-2, measure: "of a standard error", // scikit-learn stops early
	},
	{
		title: "Poisson regression", task: "poisson", n: 1_000_000, p: 50,
		peers:  []peer{{program: "sklearn"}, {program: "statsmodels", runs: 1}, {program: "R", runs: 1}},
		target: 0.5,
		differ: differFits, tolerance: 5e-2, measure: "of a standard error", // scikit-learn stops early
	},
	{
		title: "Poisson lasso path, 100 lambdas", task: "poissonpath", n: 1000, p: 5000,
		peers:  []peer{{program: "glmnet"}},
		target: 1,
		differ: differRelative, tolerance: 1e-3, measure: "relative, of a deviance",
	},
	{
		title: "logistic lasso path, 100 lambdas", task: "logisticpath", n: 500, p: 10_000,
		peers:  []peer{{program: "glmnet"}},
		target: 1,
		differ: differRelative, tolerance: 1e-3, measure: "relative, of a deviance",
	},
	{
		title: "least absolute deviations, exact", task: "lad", n: 100_000, p: 20,
		peers:  []peer{{program: "quantreg"}},
		target: 0.33,
		differ: differRelative, tolerance: 1e-3, measure: "relative, of a coefficient", // fn stops at a gap of 1e-6
	},
	{
		title: "least absolute deviations, exact", task: "lad", n: 1000, p: 10,
		peers:  []peer{{program: "quantreg"}},
		target: 1,
		differ: differRelative, tolerance: 1e-8, measure: "relative, of a coefficient",
	},
	// The data of the lassos and of ridge regression are those of ours.Sparse.
	// glmnet's thresh is the power of ten that brings its gap to 1e-6 too; every
	// answer has the gap to prove it.
	{
		title: "lasso path, 100 lambdas, gap 1e-6", task: "lassopath", n: 100, p: 20_000,
		peers:  []peer{{program: "glmnet"}, {program: "glmnet", task: "lassopath_default", name: "glmnet, default thresh"}, {program: "sklearn", runs: 1}},
		target: 0.5,
		differ: differObjectives, tolerance: 1e-6, measure: objectiveMeasure,
	},
	{
		title: "lasso path, 100 lambdas, gap 1e-6", task: "lassopath", n: 1000, p: 5000,
		peers:  []peer{{program: "glmnet"}, {program: "glmnet", task: "lassopath_default", name: "glmnet, default thresh"}, {program: "sklearn", runs: 1}},
		target: 0.5,
		differ: differObjectives, tolerance: 1e-6, measure: objectiveMeasure,
	},
	{
		title: "lasso path, 100 lambdas, gap 1e-6", task: "lassopath", n: 40_000, p: 1500,
		peers: []peer{
			{program: "glmnet", runs: 1}, {program: "glmnet", task: "lassopath_default", name: "glmnet, default thresh", runs: 1},
			{program: "sklearn", runs: 1},
		},
		target: 0.7,
		differ: differObjectives, tolerance: 1e-6, measure: objectiveMeasure,
	},
	{
		title: "lasso, 10-fold cross-validation", task: "lassocv", n: 1000, p: 5000,
		peers: []peer{
			{program: "glmnet", runs: 1}, {program: "glmnet", task: "lassocv_default", name: "glmnet, default thresh", runs: 1},
			{program: "sklearn", runs: 1},
		},
		target: 0.5,
		differ: differRelative, tolerance: 1e-3, measure: "relative, of a mean squared error",
	},
	// The exam data of datasets, whatever the columns; the answer is the criterion.
	{
		title: "random intercept and slope, exam scores of 65 schools", task: "exam", n: 4059, p: 1,
		peers:  []peer{{program: "lme4", task: "exam_default", name: "lme4, default optimizer"}, {program: "lme4"}},
		target: 0.05,
		differ: differRelative, tolerance: 1e-8, measure: "relative, of the REML criterion",
	},
	// A group for ten rows, in turn: 10^5 groups. What lme4's optimizer leaves is in tolerance.
	{
		title: "four coefficients that vary between groups of ten rows", task: "groups", n: 1_000_000, p: 3,
		peers:  []peer{{program: "lme4", runs: 1, limit: 300 * time.Second}},
		target: 0.05,
		differ: differRelative, tolerance: 1e-6, measure: "relative, of the REML criterion",
	},
	{
		title: "ridge path, 100 lambdas", task: "ridgepath", n: 40_000, p: 1500,
		peers:  []peer{{program: "regbook", task: "gram", name: "Gram matrix"}, {program: "glmnet", runs: 1}},
		target: 1.3,
		differ: differObjectives, tolerance: 1e-6, measure: objectiveMeasure,
	},
}

const objectiveMeasure = "of the null RSS, an objective"

// differObjectives compares the objectives of a path, the first lambda's that of
// the null model, or nearly: the largest difference in proportion to it. What
// comes last is the largest gap or violation of a certificate in the same
// proportion, which may be 1e-6 at most.
func differObjectives(ours, theirs []float64) float64 {
	last := len(ours) - 1
	if len(theirs) != len(ours) || !(ours[last] <= 1e-6 && theirs[last] <= 1e-6) {
		return math.Inf(1)
	}
	var worst float64
	for k, v := range theirs[:last] {
		worst = larger(worst, math.Abs(v-ours[k])/ours[0])
	}
	return worst
}

// small returns the row at a size for trying it out.
func (r row) small() row {
	r.n, r.p = max(100, r.n/200), max(5, r.p/10)
	return r
}

// differFits compares coefficients and, as far as there are any, standard
// errors: the largest difference in standard errors.
func differFits(ours, theirs []float64) float64 {
	k := len(ours) / 2
	if len(theirs) != k && len(theirs) != 2*k {
		return math.Inf(1)
	}
	var worst float64
	for j, v := range theirs {
		worst = larger(worst, math.Abs(v-ours[j])/ours[k+j%k])
	}
	return worst
}

// differRelative is the largest relative difference.
func differRelative(ours, theirs []float64) float64 {
	if len(theirs) != len(ours) {
		return math.Inf(1)
	}
	var worst float64
	for i, v := range theirs {
		worst = larger(worst, math.Abs(v-ours[i])/math.Abs(ours[i]))
	}
	return worst
}

// differAbsolute is the largest difference.
func differAbsolute(ours, theirs []float64) float64 {
	if len(theirs) != len(ours) {
		return math.Inf(1)
	}
	var worst float64
	for i, v := range theirs {
		worst = larger(worst, math.Abs(v-ours[i]))
	}
	return worst
}

// larger is the larger one, infinite if either is NaN.
func larger(a, b float64) float64 {
	if m := math.Max(a, b); !math.IsNaN(m) {
		return m
	}
	return math.Inf(1)
}
