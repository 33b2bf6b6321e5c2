package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A portion of a notebook is its main line, what goes further, the exercises, or the checks. A
// heading of the second level starts a portion and names it: "## Further", "## Exercises", "## Checks", all
// else the main line.
type portion int

const (
	mainLine portion = iota
	further
	exercises
	checks
	allPortions
)

var (
	portionHeading = regexp.MustCompile(`(?m)^#{1,2} (?:(Further|Exercises|Checks)\b)?`)
	portionNames   = map[string]portion{"Further": further, "Exercises": exercises, "Checks": checks}
)

// startsPortion tells whether a portion begins with the cell.
func (c *cell) startsPortion() bool {
	at := portionHeading.FindStringIndex(string(c.Source))
	return c.Type == "markdown" && at != nil && at[0] == 0
}

// texts returns what a Markdown cell has of each portion, and in which it ends, if it begins in now.
func (c *cell) texts(now portion) (texts [allPortions]string, end portion) {
	source := string(c.Source)
	start := 0
	for _, at := range portionHeading.FindAllStringSubmatchIndex(source, -1) {
		texts[now] += source[start:at[0]]
		start, now = at[0], mainLine
		if at[2] >= 0 {
			now = portionNames[source[at[2]:at[3]]]
		}
	}
	texts[now] += source[start:]
	return texts, now
}

// portions returns the portion in which each cell ends.
func (nb *notebook) portions() []portion {
	list := make([]portion, len(nb.Cells))
	now := mainLine
	for i, c := range nb.Cells {
		if c.Type == "markdown" {
			_, now = c.texts(now)
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

// size counts the words of the text, between spaces and without displayed formulas, and the pictures.
func (nb *notebook) size() size {
	var n size
	p := mainLine
	for _, c := range nb.Cells {
		if c.Type == "markdown" {
			var texts [allPortions]string
			texts, p = c.texts(p)
			for i, text := range texts {
				n.words[i] += len(strings.Fields(notWords.ReplaceAllString(text, " ")))
			}
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
