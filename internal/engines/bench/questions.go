//go:build unix

package main

import (
	"fmt"
	"strings"
)

// question is what is computed by either route, and sums or a GROUP BY that the engine would do for it without deviations, blocks, checks
// and bounds.
type question struct {
	name, formula string
	fit           fitting
	key           string   // of the GROUP BY; "" if there is none
	of            []string // the columns that naive sums and products are of; nil if there are none
}

const fiveNumbers = "y ~ x1 + x2 + x3 + x4 + x5"

var questions = []question{
	{"2 numbers", "y ~ x1", moments, "", []string{"x1", "y"}},
	{"5 numbers", fiveNumbers, moments, "", []string{"x1", "x2", "x3", "x4", "x5", "y"}},
	{"a factor of 300 levels", "y ~ g + x1 + x2", moments, "g", []string{"x1", "x2", "y"}},
	{"10^4 levels absorbed", "y ~ x1 + x2 | zone", absorbed, "zone", []string{"x1", "x2", "y"}},
	{"logistic regression on 5 numbers", "class ~ x1 + x2 + x3 + x4 + x5", logistic, "", []string{"x1", "x2", "x3", "x4", "x5", "class"}},
}

// naive is the SELECT of a count, of sums and of sums of products.
func (q *question) naive(table string) string {
	targets := []string{"count(*)"}
	for i, a := range q.of {
		targets = append(targets, "sum("+a+")")
		for _, b := range q.of[i:] {
			targets = append(targets, "sum("+a+" * "+b+")")
		}
	}
	text := "SELECT " + strings.Join(targets, ", ") + " FROM " + table
	if q.key != "" {
		text += " GROUP BY " + q.key
	}
	return text
}

// questionsOf are those, after formulas of so many terms of numbers.
func questionsOf(sizes []int) (all []question) {
	for _, p := range sizes {
		all = append(all, question{name: fmt.Sprintf("%d terms", p), formula: formula(p)})
	}
	return append(all, questions...)
}
