package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/regbook/regbook/internal/failing"
)

// A failure is a cell that did not do what it should.
type failure struct {
	cell    int    // counted from 1, Markdown cells included
	in      string // execution count, as in the prompt In [5]
	source  string
	message string
}

// failures is the error of an executed notebook in which cells failed.
type failures []failure

// failed returns the cells of an executed notebook that failed, nil if none did.
func (nb *notebook) failed() error {
	var fs failures
	for i, c := range nb.Cells {
		if m := c.failure(); m != "" {
			fs = append(fs, failure{i + 1, string(c.ExecutionCount), string(c.Source), m})
		}
	}
	if fs == nil {
		return nil
	}
	return fs
}

// failure returns the error of a cell, "" if there is none: what the kernel reports, or what
// a shell command or an unknown magic left on stderr.
func (c *cell) failure() string {
	var stderr, err string
	for _, o := range c.Outputs {
		switch {
		case o.Type == "error":
			err = o.Ename + ": " + o.Evalue
		case o.Type == "stream" && o.Name == "stderr":
			stderr += string(o.Text)
		}
	}
	stderr = ansi.ReplaceAllString(strings.TrimSpace(stderr), "")
	switch {
	case strings.HasSuffix(err, "signal: interrupt"):
		return "interrupted: it took longer than the -timeout of a cell"
	case strings.HasPrefix(err, "ERROR: exit status "): // what the program said is all that is known
		return strings.TrimSpace(stderr + "\n" + strings.TrimPrefix(err, "ERROR: "))
	case err == "" && failing.Cell(stderr):
		return stderr
	default:
		return err
	}
}

var (
	ansi = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)
	tag  = regexp.MustCompile(`<[^>]*>`)
)

// Error names up to three cells, each with its source and what it died of.
func (fs failures) Error() string {
	var b strings.Builder
	for i, f := range fs {
		if i == 3 {
			fmt.Fprintf(&b, "and %d more\n", len(fs)-i)
			break
		}
		fmt.Fprintf(&b, "cell %d, In [%s], failed:\n%s\n%s\n",
			f.cell, f.in, indent(f.source, "    | ", 12), indent(f.message, "    ", 24))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// indent returns at most n lines of s, each behind a prefix.
func indent(s, prefix string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if len(lines) > n {
		lines = append(lines[:n], fmt.Sprintf("... %d lines more", len(lines)-n))
	}
	return prefix + strings.Join(lines, "\n"+prefix)
}
