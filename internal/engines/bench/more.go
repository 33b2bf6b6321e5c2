//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/engines"
)

// question is a row of the second table: what is computed by either route, and sums or a GROUP BY that the engine would do
// for it without deviations, blocks, checks and bounds.
type question struct {
	name, formula string
	fit           fitting
	key           string   // of the GROUP BY; "" if there is none
	of            []string // the columns that naive sums and products are of
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

const moreHeader = `
## Factors, absorbed levels, likelihoods and shards

The columns as above; naive is one statement of the engine for count, sums and sums of products of the same columns, by the same GROUP BY, in the same run, and the
ratio that of the pushed-down job to it. A logistic regression has such a statement for every Newton step.

| database | rows | what | pushed down | streamed | naive | pushed down / naive | MB pushed down | MB streamed |
|--|--|--|--|--|--|--|--|--|
`

// measureMore times the questions, and the shards of ClickHouse by one connection and by two.
func measureMore(b *strings.Builder, set *settings, j job, rows int, server *engines.Server) {
	for _, n := range []int{rows / 10, rows} {
		fillMore(j, n, server.Shards)
		j.Table = fmt.Sprint("more", n)
		for _, q := range questions {
			streamed, pushed, naive := j, j, j
			streamed.Formula, streamed.Fit, streamed.Route = q.formula, q.fit, source.Streamed
			pushed.Formula, pushed.Fit, pushed.Route = q.formula, q.fit, source.Pushed
			naive.SQL = q.naive(j.Table)
			r := best(set, server, streamed, pushed, naive)
			line := fmt.Sprintf("| %v | %d | %s | %s | %s | %s | %.2f | %s | %s |\n", j.dialect(), n, q.name, r[1].cell(), r[0].cell(), r[2].cell(), r[1].Seconds/r[2].Seconds, r[1].memory(j), r[0].memory(j))
			b.WriteString(line)
			fmt.Fprint(os.Stderr, line)
		}
		if len(server.Shards) == 0 {
			continue
		}
		one := j
		one.Formula, one.Route, one.Connections = fiveNumbers, source.Streamed, 1
		two := one
		two.Connections = 2
		r := best(set, server, one, two)
		for i, by := range []string{"one connection", "two connections"} {
			line := fmt.Sprintf("| %v | %d | 5 numbers of two shards by %s at a time | | %s | | | | %s |\n", j.dialect(), n, by, r[i].cell(), r[i].memory(j))
			b.WriteString(line)
			fmt.Fprint(os.Stderr, line)
		}
	}
}
