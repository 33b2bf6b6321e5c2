package main

import "strings"

// explanation is why a transformation changes some quantities on purpose.
type explanation struct {
	reason  string
	applies func(*disagreement) bool
}

var explanations = []explanation{
	{"Weights are inverse variances: a row of weight 2 is one observation, and what divides by their number, or weighs models by it, counts one.",
		func(d *disagreement) bool {
			return d.t.name == "repeats" && d.e.counts != nil && d.e.counts.MatchString(d.quantity)
		}},
	{"A loss of the residual in standard deviations is of the residual times the root of the weight: a row of half the variance is not two rows.",
		func(d *disagreement) bool {
			return d.t.name == "repeats" && (strings.HasPrefix(d.e.name, "rlm.Fit,") || strings.HasPrefix(d.e.name, "rlm.FitStudent"))
		}},
	{"Where several fits have the least loss, coefficients and predictions are those of one; Range has all.",
		func(d *disagreement) bool {
			return d.several && (strings.HasPrefix(d.quantity, "coefficients") || d.quantity == "predictions")
		}},
	{"A restricted likelihood is that of contrasts of the response to the columns, in their units.",
		func(d *disagreement) bool {
			return d.t.name == "powers" && (d.e.name == "hier.Fit, intercepts" || d.e.name == "hier.TestVariance") && likelihoods[d.quantity]
		}},
}

var likelihoods = map[string]bool{"Criterion": true, "LogLik": true, "criterion": true}

// explain returns the explanation of a disagreement, nil if it has none.
func explain(d *disagreement) *explanation {
	for i := range explanations {
		if explanations[i].applies(d) {
			return &explanations[i]
		}
	}
	return nil
}
