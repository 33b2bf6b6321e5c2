package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A light page has no code cell of more than cellLines lines, at most pageLines lines
// of code, and a median cell of fewer than medianLines. Cells of checks (those that call
// ledger.Done) and hidden solutions do not count, and what goes further, which folds, counts for the first rule only.
const cellLines, pageLines, medianLines = 25, 250, 10

// heavy returns what is too long in a notebook, nil if nothing is.
func (nb *notebook) heavy() error {
	var errs []error
	var lines []int
	total := 0
	portions := nb.portions()
	for i, c := range nb.Cells {
		if c.Type != "code" || c.isSolution() || c.isChecks() {
			continue
		}
		n := strings.Count(strings.TrimSpace(string(c.Source)), "\n") + 1
		if n > cellLines {
			errs = append(errs, fmt.Errorf("cell %d has %d lines, more than %d", i+1, n, cellLines))
		}
		if portions[i] == further {
			continue
		}
		lines = append(lines, n)
		total += n
	}
	if total > pageLines {
		errs = append(errs, fmt.Errorf("%d lines of code, more than %d", total, pageLines))
	}
	slices.Sort(lines)
	if len(lines) > 0 && lines[len(lines)/2] >= medianLines {
		errs = append(errs, fmt.Errorf("the median code cell has %d lines: want fewer than %d", lines[len(lines)/2], medianLines))
	}
	return errors.Join(errs...)
}

// isChecks reports whether a cell holds the page to its text.
func (c *cell) isChecks() bool {
	return c.Type == "code" && strings.Contains(string(c.Source), "ledger.Done()")
}

// isSolution reports whether a cell solves an exercise, out of sight.
func (c *cell) isSolution() bool {
	jupyter, _ := c.Metadata["jupyter"].(map[string]any)
	return c.tagged("solution") || jupyter["source_hidden"] == true
}
