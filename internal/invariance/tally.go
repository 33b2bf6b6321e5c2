package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// tally counts what came of the comparisons.
type tally struct {
	counts map[*estimator]*counts
	open   []*disagreement
	reason map[string]int
}

// counts are those of an estimator.
type counts struct {
	fits, refused, explained, open int
	worst                          float64 // of what is allowed
}

func newTally() *tally { return &tally{counts: map[*estimator]*counts{}, reason: map[string]int{}} }

// add enters outcomes.
func (t *tally) add(outcomes []*outcome) {
	for _, o := range outcomes {
		c := t.counts[o.e]
		if c == nil {
			c = new(counts)
			t.counts[o.e] = c
		}
		c.fits++
		if o.refused {
			c.refused++
		}
		for _, d := range o.open {
			if e := explain(d); e != nil {
				c.explained++
				t.reason[e.reason]++
				continue
			}
			c.open++
			t.open = append(t.open, d)
		}
		if o.worst <= 1 {
			c.worst = max(c.worst, o.worst)
		}
	}
}

// print writes the table, the explanations used, and what is open: of each kind the first
// cases, or all.
func (t *tally) print(w io.Writer, every bool) {
	fmt.Fprintln(w, "| estimator | comparisons | refused by both | tolerance | worst within it | explained | open |")
	fmt.Fprintln(w, "|--|--|--|--|--|--|--|")
	for i := range estimators {
		e := &estimators[i]
		if c := t.counts[e]; c != nil {
			fmt.Fprintf(w, "| %s | %d | %d | %.0e | %.2f | %d | %d |\n", e.name, c.fits, c.refused, e.tolerated(), c.worst, c.explained, c.open)
		}
	}
	if len(t.reason) > 0 {
		fmt.Fprintf(w, "\nExplained:\n\n")
	}
	for _, reason := range slices.Sorted(maps.Keys(t.reason)) {
		fmt.Fprintf(w, "%5d %s\n", t.reason[reason], reason)
	}
	if len(t.open) > 0 {
		fmt.Fprintf(w, "\nOpen:\n\n")
	}
	kinds := map[string][]*disagreement{}
	for _, d := range t.open {
		key := d.e.name + " | " + d.t.name + " | " + d.refused
		kinds[key] = append(kinds[key], d)
	}
	keys := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(kinds[b]), len(kinds[a])), cmp.Compare(a, b))
	})
	for _, key := range keys {
		all := kinds[key]
		slices.SortFunc(all, func(a, b *disagreement) int {
			return cmp.Or(cmp.Compare(a.set, b.set), cmp.Compare(a.quantity, b.quantity))
		})
		sets := map[string]bool{}
		for _, d := range all {
			sets[d.set] = true
		}
		fmt.Fprintf(w, "%5d sets: %s\n", len(sets), key)
		for k, d := range all {
			if k < 2 || every {
				fmt.Fprintf(w, "      CASE=%s %s: %s\n", d.set, d.quantity, d.short())
			}
		}
	}
}

// short is the first line of the text.
func (d *disagreement) short() string {
	line, _, _ := strings.Cut(d.text, "\n")
	if d.refused != "" {
		return "refused " + d.refused + ": " + line
	}
	if d.off > 0 && !math.IsInf(d.off, 0) {
		return fmt.Sprintf("%s (%.2g times)", line, d.off)
	}
	return line
}
