package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// tally counts what came of the comparisons.
type tally struct {
	counts map[string]*counts
	// unexplained and explained disagreements, and what one side refuses.
	unexplained, explained, refusals []*disagreement
}

// counts are those of a quantity.
type counts struct {
	cases, byUs, byR, byBoth, beyond, explained int
	worst                                       float64
}

func newTally() *tally { return &tally{counts: make(map[string]*counts)} }

func (t *tally) of(name string) *counts {
	if t.counts[name] == nil {
		t.counts[name] = new(counts)
	}
	return t.counts[name]
}

func (t *tally) agree(name string, worst float64) {
	c := t.of(name)
	c.cases++
	c.worst = max(c.worst, worst)
}

func (t *tally) bothRefuse(name string) { t.of(name).byBoth++ }

func (t *tally) refuse(d *disagreement) {
	c := t.of(d.quantity)
	if d.refused == "us" {
		c.byUs++
	} else {
		c.byR++
	}
	t.refusals = append(t.refusals, d)
}

func (t *tally) beyond(d *disagreement, worst float64) {
	c := t.of(d.quantity)
	c.cases++
	if explain(d) != nil {
		c.explained++
		t.explained = append(t.explained, d)
		return
	}
	if !math.IsInf(worst, 0) {
		c.worst = max(c.worst, worst)
	}
	c.beyond++
	t.unexplained = append(t.unexplained, d)
}

// print writes the table, the explanations used, the refusals by message, and what is left.
func (t *tally) print(w io.Writer) {
	fmt.Fprintln(w, "| quantity | cases | refused by us | by R | by both | worst difference | tolerance | relative to | explained | beyond |")
	fmt.Fprintln(w, "|--|--|--|--|--|--|--|--|--|--|")
	for _, q := range quantities {
		if c := t.counts[q.name]; c != nil {
			fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %.1e | %.0e | %s | %d | %d |\n",
				q.name, c.cases, c.byUs, c.byR, c.byBoth, c.worst, q.tolerance, q.scale, c.explained, c.beyond)
		}
	}
	t.printExplained(w)
	t.printRefusals(w)
	if len(t.unexplained) > 0 {
		fmt.Fprintf(w, "\nBeyond tolerance:\n\n")
	}
	for _, d := range t.unexplained {
		fmt.Fprintf(w, "%s %s %s: %s\n", d.c.name(), d.quantity, d.c.call(), d.text)
	}
}

func (t *tally) printExplained(w io.Writer) {
	count := make(map[string]int)
	for _, d := range t.explained {
		count[explain(d).reason]++
	}
	if len(count) > 0 {
		fmt.Fprintf(w, "\nExplained:\n\n")
	}
	for _, reason := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(w, "%5d %s\n", count[reason], reason)
	}
}

// details are what differs between messages of one kind: quoted names and numbers.
var details = regexp.MustCompile("\"[^\"]*\"|'[^']*'|‘[^’]*’|`[^`]*`|[-+]?[0-9][-+.0-9e]*")

// printRefusals lists what one side refuses by message, with a case of each.
func (t *tally) printRefusals(w io.Writer) {
	type group struct {
		count int
		first *disagreement
	}
	groups := make(map[string]*group)
	for _, d := range t.refusals {
		message, _, _ := strings.Cut(d.text, "\n")
		message = details.ReplaceAllString(message, "_")
		key := d.refused + " refused " + d.quantity + ": " + message[:min(len(message), 90)]
		if groups[key] == nil {
			groups[key] = &group{first: d}
		}
		groups[key].count++
	}
	if len(groups) > 0 {
		fmt.Fprintf(w, "\nRefused by one side:\n\n")
	}
	keys := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(groups[b].count, groups[a].count), cmp.Compare(a, b))
	})
	for _, key := range keys {
		g := groups[key]
		fmt.Fprintf(w, "%5d %s\n      as %s %s: %s\n", g.count, key, g.first.c.name(), g.first.c.call(), oneLine(g.first.text))
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
