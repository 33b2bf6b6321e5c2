package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A portion of a notebook is its main line, what goes further, the exercises, or the checks. A cell that begins
// with a heading of the second level starts a portion, which the heading names: "## Further", "## Exercises",
// "## Checks", all else the main line.
type portion int

const (
	mainLine portion = iota
	further
	exercises
	checks
	allPortions
)

var portionHeading = regexp.MustCompile(`^#{1,2} (?:(Further|Exercises|Checks)\b)?`)

// startsPortion tells whether a portion begins with the cell.
func (c *cell) startsPortion() bool {
	return c.Type == "markdown" && portionHeading.MatchString(string(c.Source))
}

// portions returns the portion of each cell.
func (nb *notebook) portions() []portion {
	names := map[string]portion{"Further": further, "Exercises": exercises, "Checks": checks}
	list := make([]portion, len(nb.Cells))
	now := mainLine
	for i, c := range nb.Cells {
		if c.startsPortion() {
			now = names[portionHeading.FindStringSubmatch(string(c.Source))[1]]
		}
		list[i] = now
	}
	return list
}

// A size says how long a notebook is: words and figures by portion, calls of must, those inside another, and
// the characters of the longest line of code, in the cells that stay open.
type size struct {
	words, figures        [allPortions]int
	must, nested, longest int
}

var notWords = regexp.MustCompile(`(?s)<!--.*?-->|</?[A-Za-z][^>]*>|\$\$.*?\$\$`)

// size counts the words of the text (a formula in a line is as many as it has spaces), without displayed formulas, and figures with a still.
func (nb *notebook) size() size {
	var n size
	for i, p := range nb.portions() {
		c := nb.Cells[i]
		if c.Type == "markdown" {
			n.words[p] += len(strings.Fields(notWords.ReplaceAllString(string(c.Source), " ")))
		}
		if c.Type != "code" || c.isSolution() || p == checks {
			continue
		}
		for _, o := range c.Outputs {
			if o.Data["image/png"] != nil {
				n.figures[p]++
			}
		}
		for line := range strings.Lines(string(c.Source)) {
			n.longest = max(n.longest, utf8.RuneCountInString(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")))
		}
		all, nested := c.musts()
		n.must, n.nested = n.must+all, n.nested+nested
	}
	return n
}

// musts returns how many calls of package must a cell has, and how many stand inside another.
func (c *cell) musts() (all, nested int) {
	f, err := parser.ParseFile(token.NewFileSet(), "", goSource(string(c.Source)), parser.SkipObjectResolution)
	if err != nil {
		return 0, 0
	}
	var within []ast.Node // the calls around a node
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for len(within) > 0 && within[len(within)-1].End() < call.End() {
			within = within[:len(within)-1]
		}
		if s, ok := call.Fun.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "must" {
				all++
				if len(within) > 0 {
					nested++
				}
				within = append(within, call)
			}
		}
		return true
	})
	return all, nested
}
