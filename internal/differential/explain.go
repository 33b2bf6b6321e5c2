package main

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/randomtable"
)

// explanation is why some quantities differ from R's on purpose, or for R's reasons.
type explanation struct {
	// reason is a sentence of COMING_FROM.md.
	reason  string
	applies func(*disagreement) bool
}

var explanations = []explanation{
	{"R's `dfbetas` of a row of leverage 1 is 0; ours is NaN, since without the row there is no such coefficient.",
		func(d *disagreement) bool { return d.quantity == "dfbetas" && d.ourNaN }},
	{"R's AIC of a weighted logistic regression rounds the weights to whole numbers; ours is that of the deviance.",
		func(d *disagreement) bool {
			return d.quantity == "glm.loglik" && d.c.Weights != "" && !d.c.wholeWeights()
		}},
	{"R's `anova` of a difference of deviances that rounding makes negative has no P; ours is 1, that of a statistic of 0.",
		func(d *disagreement) bool {
			return d.quantity == "glm.lrt" && strings.Contains(d.text, "R has NaN") && d.ours.numbers[0] < 1e-9
		}},
	{"`step` takes out aliased terms first, before it weighs any other; ours weighs none of them.",
		func(d *disagreement) bool { return strings.HasPrefix(d.quantity, "step.") && d.ours.aliased }},
	{"Of changes with the same criterion up to rounding (terms that are orthogonal to the response, say) `step` and ours each take the one that rounding favors.",
		func(d *disagreement) bool { return d.quantity == "step.path" && d.ours.tied }},
	{"Beyond log odds of 30 R's `binomial` takes 2e-16 for the probability, which shows in residuals and, near separation, in estimates.",
		func(d *disagreement) bool {
			return strings.HasPrefix(d.quantity, "glm.") && d.r.extreme() > 30
		}},
	{"Where the fit is perfect up to rounding (`summary.lm` warns), residuals and all that is made of them are rounding in R.",
		func(d *disagreement) bool { return d.warned("essentially perfect fit") && perfect[d.quantity] }},
	{"R omits rows for missing values of a column that the formula takes out again (`. - a`); ours does not look at it.",
		func(d *disagreement) bool {
			return (d.quantity == "nobs" || d.quantity == "design") && d.c.takesOutMissing()
		}},
	{"car's `Anova` inverts the covariance of coefficients in their own units; where those are far apart, it loses digits, or finds other degrees of freedom.",
		func(d *disagreement) bool {
			return (strings.HasPrefix(d.quantity, "anova2.") || strings.HasPrefix(d.quantity, "anova3.")) && d.r.spreadOfErrors() > 1e3
		}},
	{"`bptest(m)` of a model without intercept regresses the squares on the columns of the model alone, with a degree of freedom less than columns, and refuses a single column.",
		func(d *disagreement) bool {
			return d.quantity == "bptest" && (strings.HasSuffix(d.c.Formula, " - 1") || strings.Contains(d.c.Formula, "~ 0 + "))
		}},
	{"`bptest` of a model whose terms are all aliased has no degree of freedom, and a P of 0; ours is NaN.",
		func(d *disagreement) bool { return d.quantity == "bptest" && d.ours.numbers[1] == 0 }},
	{"From a leverage of 1 - 1e-12 on ours takes a row to determine its own fitted value, R from 1 - 2e-15 on.",
		func(d *disagreement) bool {
			return (perfect[d.quantity] || d.quantity == "residuals") && largest(d.us["hat"].numbers) >= 1-1e-12
		}},
	{"`predict.lm` does not look at aliased columns of a new row; ours has no prediction of the row if they are missing.",
		func(d *disagreement) bool {
			return strings.HasPrefix(d.quantity, "predict.") && d.warned("rank-deficient fit") && d.c.rowsHaveGaps()
		}},
	{"`lm` takes a term for aliased if less than 1e-7 of its length is left, ours from 1e-13 on.",
		func(d *disagreement) bool {
			return d.quantity == "df" && d.us["coef"].amplification > 1e6 // the condition number
		}},
	{"BMS leaves out models of more than n - 3 terms; ours sums over all.",
		func(d *disagreement) bool {
			return strings.HasPrefix(d.quantity, "bms.") && float64(len(d.us["bms.pip"].numbers)) > d.us["nobs"].numbers[0]-3
		}},
	{"If the training rows of a fold do not determine the slopes of a lasso, its predictions of the rows left out are not determined either, and differ between programs.",
		func(d *disagreement) bool { return strings.HasPrefix(d.quantity, "cv.") && d.ours.aliased }},
	{"Where glmnet warns that it has not converged, its values are not at the minimum.",
		func(d *disagreement) bool {
			return strings.HasPrefix(d.quantity, "net.") && d.warned("not reached after maxit")
		}},
	{"leaps (in Cp) and `step` count rows of weight zero as observations; ours, like `lm`, does not.",
		func(d *disagreement) bool {
			return (d.quantity == "subsets.cp" || strings.HasPrefix(d.quantity, "step.")) && d.c.zeroWeights()
		}},
	{"If folds have fewer than three rows, `cv.glmnet` averages over rows instead of folds (`grouped = FALSE`); ours averages over folds always.",
		func(d *disagreement) bool {
			return (d.quantity == "cv.stderr" || d.quantity == "cv.choice") && d.warned("grouped=FALSE enforced")
		}},
}

// perfect are quantities made of residuals.
var perfect = map[string]bool{"coef.t": true, "coef.p": true, "f": true, "f.p": true, "anova.f": true, "anova.p": true,
	"drop1.f": true, "drop1.p": true, "rstandard": true, "rstudent": true, "cooks": true, "dffits": true, "covratio": true,
	"dfbetas": true, "bptest": true, "dwtest": true, "rss": true, "sigma": true, "r2": true,
	"coef.stderr": true, "vcov": true, "lm.lrt": true, "loglik": true, "hc0": true, "hc1": true, "hc2": true, "hc3": true}

// taken is a name that a formula takes out again.
var taken = regexp.MustCompile("- (`[^`]*`|[A-Za-z.][A-Za-z0-9._]*)")

// takesOutMissing tells whether a column that the formula takes out has missing values.
func (c *Case) takesOutMissing() bool {
	for _, match := range taken.FindAllStringSubmatch(c.Formula, -1) {
		for _, column := range c.table.Columns {
			if quoted(column.Name) == match[1] && slices.Contains(column.Cells, randomtable.Missing) {
				return true
			}
		}
	}
	return false
}

// spreadOfErrors is the largest standard error over the smallest.
func (a *answer) spreadOfErrors() float64 {
	least, most := math.Inf(1), 0.0
	for _, se := range a.Values["coef.stderr"].Numbers {
		if se > 0 {
			least, most = min(least, float64(se)), max(most, float64(se))
		}
	}
	return most / least
}

// warned tells whether R warned of something.
func (d *disagreement) warned(of string) bool {
	return slices.ContainsFunc(d.r.Warnings, func(w string) bool { return strings.Contains(w, of) })
}

// weights are those of a case, nil if it has none.
func (c *Case) weights() []float64 {
	for _, column := range c.table.Columns {
		if column.Name == c.Weights {
			w, _ := column.Numbers()
			return w
		}
	}
	return nil
}

func (c *Case) rowsHaveGaps() bool { return slices.ContainsFunc(c.rows.Columns, column.Gaps) }

func (c *Case) zeroWeights() bool { return slices.Contains(c.weights(), 0) }

func (c *Case) wholeWeights() bool {
	return !slices.ContainsFunc(c.weights(), func(w float64) bool { return w != math.Trunc(w) })
}

// explain returns the explanation of a disagreement, nil if it has none.
func explain(d *disagreement) *explanation {
	for i := range explanations {
		if explanations[i].applies(d) {
			return &explanations[i]
		}
	}
	return nil
}
