package main

import (
	"fmt"
	"html"
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

// compileError marks the kernel's rendering of compile errors.
const compileError = `class="jp-RenderedText" data-mime-type="application/vnd.jupyter.stderr"`

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

// failure returns the first error of a cell at its most telling, "" if none.
// A panic leaves its message on stderr, then a list of places in HTML, then an
// error output that only says "exit status 2".
func (c *cell) failure() string {
	var stderr, compile, err string
	for _, o := range c.Outputs {
		page := o.data("text/html")
		switch {
		case o.Type == "error":
			err = o.Ename + ": " + o.Evalue
		case o.Type == "stream" && o.Name == "stderr":
			stderr += string(o.Text)
		case strings.Contains(page, compileError):
			compile += plainHTML(page)
		}
	}
	switch {
	case strings.HasSuffix(stderr, "signal: interrupt\n"):
		return "interrupted: it took longer than the -timeout of a cell"
	case failing.Cell(stderr):
		return ansi.ReplaceAllString(strings.TrimSpace(stderr), "")
	case compile != "":
		return compile
	default:
		return err
	}
}

var (
	ansi       = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)
	hidden     = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`)
	codeAround = regexp.MustCompile(`(?s)<div class="gonb-err-context">.*?</div>.*?</div>`)
	tag        = regexp.MustCompile(`<[^>]*>`)
	blank      = regexp.MustCompile(`\n[ \t\n]*`)
)

// plainHTML returns the text of the kernel's HTML error report, less the lines
// of code around each error, which a browser shows on hovering only.
func plainHTML(s string) string {
	s = codeAround.ReplaceAllString(hidden.ReplaceAllString(s, ""), "")
	s = html.UnescapeString(tag.ReplaceAllString(s, ""))
	return strings.TrimSpace(blank.ReplaceAllString(s, "\n"))
}

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
