package main

import (
	"math"
	"slices"
	"strings"
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
	{"`step` takes out aliased terms first, before it weighs any other; ours weighs none of them.",
		func(d *disagreement) bool { return d.quantity == "step.path" && d.ours.aliased }},
	{"leaps counts rows of weight zero as observations, in Cp; ours, like `lm`, does not.",
		func(d *disagreement) bool { return d.quantity == "subsets.cp" && d.c.zeroWeights() }},
	{"`cv.glmnet` pools the rows (`grouped = FALSE`) if folds have fewer than three; ours takes folds, whatever their size.",
		func(d *disagreement) bool {
			return (d.quantity == "cv.stderr" || d.quantity == "cv.choice") && d.warned("grouped=FALSE enforced")
		}},
}

// warned tells whether R warned of something.
func (d *disagreement) warned(of string) bool {
	return slices.ContainsFunc(d.warnings, func(w string) bool { return strings.Contains(w, of) })
}

// weights are those of a case, nil if it has none.
func (c *Case) weights() []float64 {
	for _, column := range c.table.columns {
		if column.name == c.Weights {
			w, _ := column.numbers()
			return w
		}
	}
	return nil
}

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
