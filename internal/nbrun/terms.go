package main

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A term is a row of notebooks/TERMS.md: a word of the course, the page and the cell (its id)
// that define it, and what it means. Names are ways to write it.
type term struct {
	Names               []string
	Page, Cell, Meaning string
}

// glossary is the table of the terms, and the site's page of them.
const glossary = "notebooks/TERMS.md"

// parseTerms returns the rows of the table below its head.
func parseTerms(text string) ([]term, error) {
	const head = "|--|--|--|--|\n"
	_, table, found := strings.Cut(text, head)
	if !found {
		return nil, fmt.Errorf("%s has no table of four columns", glossary)
	}
	var terms []term
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 4 {
			return nil, fmt.Errorf("%s: want | term | page | cell | in one sentence |, not %s", glossary, line)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		t := term{strings.Split(cells[0], ", "), cells[1], cells[2], cells[3]}
		for _, name := range t.Names {
			if slices.ContainsFunc(terms, func(other term) bool { return slices.Contains(other.Names, name) }) {
				return nil, fmt.Errorf("%s has two rows for %s", glossary, name)
			}
		}
		terms = append(terms, t)
	}
	return terms, nil
}

// find returns where a text names the term first, in the singular or with an s; from = -1 if it does
// not. A name with capitals has to stand as it is written, another in capitals or not.
func (t term) find(text string) (from, to int) {
	from = -1
	for _, name := range t.Names {
		for _, at := range t.pattern(name).FindAllStringIndex(text, -1) {
			before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
			after, _ := utf8.DecodeRuneInString(text[at[1]:])
			if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
				if from < 0 || at[0] < from {
					from, to = at[0], at[1]
				}
				break
			}
		}
	}
	return from, to
}

func (t term) pattern(name string) *regexp.Regexp {
	flags := ""
	if name == strings.ToLower(name) {
		flags = "(?i)"
	}
	return regexp.MustCompile(flags + strings.ReplaceAll(regexp.QuoteMeta(name), " ", `[\s-]+`) + "(?:s|es)?")
}

// anchor is the id of the term on the page of the glossary.
func (t term) anchor() string {
	return "term-" + strings.ReplaceAll(strings.ToLower(t.Names[0]), " ", "-")
}

// A lesson is a notebook of the course with its number, such as 02 or, of further reading, 02b.
type lesson struct {
	number, name string
	nb           *notebook
}

func (l lesson) further() bool { return strings.TrimRight(l.number, "0123456789") != "" }

// misused returns what is wrong with terms, given the lessons in their order: a term that no cell
// defines, and a term in the text of a page before the page, or the cell, that defines it. A page of
// further reading defines terms for those of its kind. A paragraph may use any term whose page it links to.
func misused(terms []term, lessons []lesson) []error {
	var errs []error
	for _, t := range terms {
		at := slices.IndexFunc(lessons, func(l lesson) bool { return l.number == t.Page })
		if at < 0 {
			errs = append(errs, fmt.Errorf("%s is defined nowhere: there is no page %q", t.Names[0], t.Page))
			continue
		}
		home := lessons[at]
		cell := slices.IndexFunc(home.nb.Cells, func(c *cell) bool { return c.ID == t.Cell && c.Type == "markdown" })
		if cell < 0 || !t.in(string(home.nb.Cells[cell].Source)) {
			errs = append(errs, fmt.Errorf("%s is defined nowhere: page %s has no cell %q with these words", t.Names[0], t.Page, t.Cell))
			continue
		}
		for i, l := range lessons {
			if i > at && (l.further() || !home.further()) {
				continue
			}
			cells := l.nb.Cells
			if i == at {
				cells = cells[:cell]
			}
			for k, c := range cells {
				if c.Type == "markdown" && t.early(string(c.Source), home) {
					errs = append(errs, fmt.Errorf("page %s, cell %d (%s) uses %q, which page %s defines in cell %d (%s)",
						l.number, k, c.ID, t.Names[0], t.Page, cell, t.Cell))
					break
				}
			}
		}
	}
	return errs
}

// in tells whether prose of a Markdown text names the term.
func (t term) in(source string) bool {
	_, _, prose := numerals(source)
	from, _ := t.find(prose)
	return from >= 0
}

// early tells whether a paragraph names the term and has no link to its page. The title of a page does not count:
// it names what the page will define.
func (t term) early(source string, home lesson) bool {
	for _, paragraph := range strings.Split(source, "\n\n") {
		if !strings.HasPrefix(paragraph, "# ") && t.in(paragraph) && !strings.Contains(paragraph, "("+home.name+".ipynb") {
			return true
		}
	}
	return false
}

// readTerms returns the table of the terms, and the lessons of the course.
func (c *course) readTerms() ([]term, []lesson, error) {
	b, err := os.ReadFile(filepath.Join(c.root, glossary))
	if err != nil {
		return nil, nil, err
	}
	terms, err := parseTerms(string(b))
	if err != nil {
		return nil, nil, err
	}
	paths, err := c.list()
	if err != nil {
		return nil, nil, err
	}
	var lessons []lesson
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			return nil, nil, err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		number, _, _ := strings.Cut(name, "_")
		lessons = append(lessons, lesson{number, name, nb})
	}
	return terms, lessons, nil
}

// terms prints how long each page is and what is wrong with the terms, which is an error.
func (c *course) terms() error {
	terms, lessons, err := c.readTerms()
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, "      main line       further    exercises            must")
	fmt.Fprintln(c.out, "page  words figures   words figures  words   cells   all nested   longest line")
	for _, l := range lessons {
		n := l.nb.size()
		fmt.Fprintf(c.out, "%-4s %6d %7d  %6d %7d %6d  %6d  %4d %6d  %6d\n", l.number, n.words[mainLine], n.figures[mainLine],
			n.words[further], n.figures[further], n.words[exercises], len(l.nb.Cells), n.must, n.nested, n.longest)
	}
	fmt.Fprintf(c.out, "%d terms\n", len(terms))
	return errors.Join(misused(terms, lessons)...)
}

// linkTerms returns the table as the site's glossary, by the alphabet: a term has an anchor, and its
// page and cell are a link.
func linkTerms(text string, terms []term, lessons []lesson) string {
	start, _, _ := strings.Cut(text, "| term |")
	rows := []string{"| term | in one sentence | page |", "|--|--|--|"}
	for _, t := range slices.SortedFunc(slices.Values(terms), func(a, b term) int {
		return cmp.Compare(strings.ToLower(a.Names[0]), strings.ToLower(b.Names[0]))
	}) {
		at := slices.IndexFunc(lessons, func(l lesson) bool { return l.number == t.Page })
		if at < 0 {
			continue
		}
		rows = append(rows, fmt.Sprintf(`| <a id="%s"></a>%s | %s | <a href="%s.html#cell-%s">%s</a> |`,
			t.anchor(), strings.Join(t.Names, ", "), t.Meaning, lessons[at].name, t.Cell, t.Page))
	}
	return start + strings.Join(rows, "\n") + "\n"
}

// linkedTerms returns the notebook with the first use of each term in a section linked to the glossary, what it
// means as the title of the link, wherever the term is known: not in headings, links, code and formulas, and not
// where it is defined.
func (nb *notebook) linkedTerms(terms []term) *notebook {
	linked := *nb
	linked.Cells = slices.Clone(nb.Cells)
	var open []term
	for i, c := range nb.Cells {
		if c.Type != "markdown" {
			continue
		}
		if i == 0 || strings.HasPrefix(string(c.Source), "## ") {
			open = slices.Clone(terms)
		}
		copied := *c
		open = slices.DeleteFunc(open, func(t term) bool {
			if t.Cell == c.ID {
				return true
			}
			with := t.link(string(copied.Source))
			done := with != string(copied.Source)
			copied.Source = text(with)
			return done
		})
		linked.Cells[i] = &copied
	}
	return &linked
}

var headingLine = regexp.MustCompile(`(?m)^#.*$`)

// link returns a Markdown text with the first use of the term linked.
func (t term) link(source string) string {
	_, _, prose := numerals(source)
	prose = headingLine.ReplaceAllStringFunc(prose, func(s string) string { return strings.Repeat(string(opaque), len(s)) })
	from, to := t.find(prose)
	if from < 0 {
		return source
	}
	return fmt.Sprintf(`%s<a class="term" href="TERMS.html#%s" title="%s">%s</a>%s`,
		source[:from], t.anchor(), html.EscapeString(t.Meaning), source[from:to], source[to:])
}
