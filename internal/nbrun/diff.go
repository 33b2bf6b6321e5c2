package main

import (
	"fmt"
	"slices"
	"strings"
)

// unifiedDiff returns the lines that turn a into b, with two lines of context,
// in the format of diff -u; "" if a equals b.
func unifiedDiff(a, b string) string {
	if a == b {
		return ""
	}
	edits := edit(slices.Collect(strings.Lines(a)), slices.Collect(strings.Lines(b)))
	var out strings.Builder
	const around = 2
	for i := 0; i < len(edits); {
		for i < len(edits) && edits[i].op == ' ' {
			i++
		}
		if i == len(edits) {
			break
		}
		from, to, last := max(0, i-around), i, i
		for to < len(edits) && to <= last+2*around {
			if edits[to].op != ' ' {
				last = to
			}
			to++
		}
		to = min(len(edits), last+around+1)
		nx, ny := 0, 0
		for _, e := range edits[from:to] {
			if e.op != '+' {
				nx++
			}
			if e.op != '-' {
				ny++
			}
		}
		x, y := edits[from].x+min(nx, 1), edits[from].y+min(ny, 1) // lines count from 1, but an empty range stands after line 0
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", x, nx, y, ny)
		for _, e := range edits[from:to] {
			fmt.Fprintf(&out, "%c%s", e.op, e.line)
			if !strings.HasSuffix(e.line, "\n") {
				out.WriteString("\n\\ No newline at the end\n")
			}
		}
		i = to
	}
	return out.String()
}

// An edited line is kept (' '), deleted ('-') or inserted ('+'); x and y are the
// lines of the two texts that stand there.
type edited struct {
	op   byte
	x, y int
	line string
}

// edit returns a shortest sequence of edits from x to y, by the table of their
// longest common subsequences after the common head and tail are set aside.
func edit(x, y []string) []edited {
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	n, m := len(x), len(y)
	for n > head && m > head && x[n-1] == y[m-1] {
		n, m = n-1, m-1
	}
	const limit = 4 << 20 // cells of the table; beyond it all is deleted and inserted
	common := make([][]int, n-head+1)
	small := (n-head)*(m-head) < limit
	if small {
		for i := range common {
			common[i] = make([]int, m-head+1)
		}
		for i := n - head - 1; i >= 0; i-- {
			for j := m - head - 1; j >= 0; j-- {
				if x[head+i] == y[head+j] {
					common[i][j] = 1 + common[i+1][j+1]
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
	}
	var r []edited
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch inside := i >= head && i < n && j >= head && j < m; {
		case i < head || i >= n && j >= m, inside && small && x[i] == y[j]:
			r = append(r, edited{' ', i, j, x[i]})
			i, j = i+1, j+1
		case i < n && (!inside || !small || common[i-head+1][j-head] >= common[i-head][j-head+1]):
			r = append(r, edited{'-', i, j, x[i]})
			i++
		default:
			r = append(r, edited{'+', i, j, y[j]})
			j++
		}
	}
	return r
}
