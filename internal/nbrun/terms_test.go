package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func markdown(id, source string) *cell { return &cell{Type: "markdown", ID: id, Source: text(source)} }

// A term is found where it is used too early, and not where code, a formula, a link or another word has its letters.
func TestMisused(t *testing.T) {
	for _, test := range []struct{ name, before, want string }{
		{"a use on the page before", "All *residuals* are small.", `page 01, cell 0 (a) uses "residual", which page 02 defines in cell 1 (c)`},
		{"another way to write it", "The RSS is small.", `page 01, cell 0 (a) uses "residual sum of squares"`},
		{"capitals", "An rss feed.", ""},
		{"code, formula, comment, link", "`residual` and $residual$ <!--residual--> [residual](x.md)", ""},
		{"the title of the page", "# Residuals\n\nText.", ""},
		{"part of a word", "The residualized response.", ""},
		{"a paragraph with a link to the page", "Large residuals: see [page 2](02_b.ipynb).", ""},
		{"a link in another paragraph", "Large residuals.\n\nSee [page 2](02_b.ipynb).", `page 01, cell 0 (a) uses "residual"`},
		{"a term of further reading", "Use HC3.", `page 01, cell 0 (a) uses "HC3", which page 02b`},
	} {
		terms := []term{{[]string{"residual"}, "02", "c", ""}, {[]string{"residual sum of squares", "RSS"}, "02", "c", ""},
			{[]string{"HC3"}, "02b", "e", ""}}
		err := errors.Join(misused(terms, lessonsOf(test.before, "Now", "Use HC2."))...)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	for _, test := range []struct {
		name, same, after string
		term              term
		want              string
	}{
		{"a use above the definition", "The residual.", "", term{[]string{"residual"}, "02", "c", ""}, "page 02, cell 0 (b) uses"},
		{"no such page", "", "", term{[]string{"residual"}, "07", "c", ""}, `residual is defined nowhere: there is no page "07"`},
		{"no such cell", "", "", term{[]string{"residual"}, "02", "z", ""}, `residual is defined nowhere: page 02 has no cell "z"`},
		{"not in the cell", "", "", term{[]string{"leverage"}, "02", "c", ""}, "leverage is defined nowhere"},
		{"further reading, used by the main line", "", "Use HC3.", term{[]string{"HC3"}, "02b", "e", ""}, "page 03, cell 0 (f) uses"},
	} {
		err := errors.Join(misused([]term{test.term}, lessonsOf("", test.same, test.after))...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// lessonsOf are four pages; 02 defines residual and RSS in cell c, 02b HC3 in cell e.
func lessonsOf(first, second, last string) []lesson {
	return []lesson{
		{"01", "01_a", &notebook{Cells: []*cell{markdown("a", first)}}},
		{"02", "02_b", &notebook{Cells: []*cell{markdown("b", second), markdown("c", "A residual is y less its fit; RSS sums squares of residuals.")}}},
		{"02b", "02b_more", &notebook{Cells: []*cell{markdown("e", "HC3 divides.")}}},
		{"03", "03_c", &notebook{Cells: []*cell{markdown("f", last)}}},
	}
}

// The terms of the committed notebooks stand where the table says, and after that.
func TestTerms(t *testing.T) {
	root := filepath.Join("..", "..")
	c := &course{root: root, notebooks: filepath.Join(root, "notebooks")}
	terms, lessons, err := c.readTerms()
	if err != nil || len(terms) == 0 {
		t.Fatal(err, len(terms))
	}
	for _, err := range misused(terms, lessons) {
		t.Error(err)
	}
}

func TestParseTerms(t *testing.T) {
	const head = "# Terms\n\n| term | page | cell | in one sentence |\n|--|--|--|--|\n"
	terms, err := parseTerms(head + "| residual sum of squares, RSS | 01 | ab12 | what is left |\n")
	if err != nil || len(terms) != 1 || terms[0].Names[1] != "RSS" || terms[0].Cell != "ab12" || terms[0].Meaning != "what is left" {
		t.Errorf("%+v, %v", terms, err)
	}
	for _, bad := range []string{"# Terms\n", head + "| a | 01 | x |\n", head + "| a, b | 01 | x | y |\n| b | 02 | x | y |\n"} {
		if _, err := parseTerms(bad); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// The site links a term once a section, and not where it is defined, in headings, code or formulas.
func TestLinkedTerms(t *testing.T) {
	nb := &notebook{Cells: []*cell{markdown("a", "# Residuals\n\nA residual."), markdown("b", "## Residuals\n\nLarge `residual`, $residual$, residuals. A residual."),
		markdown("c", "More residuals."), markdown("d", "## Next\n\nResiduals.")}}
	linked := nb.linkedTerms([]term{{[]string{"residual"}, "01", "a", `y "less" its fit`}})
	const with = `<a class="term" href="TERMS.html#term-residual" title="y &#34;less&#34; its fit">`
	for i, want := range []string{"# Residuals\n\nA residual.", "## Residuals\n\nLarge `residual`, $residual$, " + with + "residuals</a>. A residual.",
		"More residuals.", "## Next\n\n" + with + "Residuals</a>."} {
		if got := string(linked.Cells[i].Source); got != want {
			t.Errorf("cell %d: %s, want %s", i, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	picture := []*output{{Type: "display_data", Data: map[string]json.RawMessage{"image/png": json.RawMessage(`"AA=="`)}}}
	nb := &notebook{Cells: []*cell{
		markdown("a", "# Title\n\nTwo words<!--=n--> $x$."),
		{Type: "code", Source: "%%\nx := must.M1(f(must.M1(g()), func() { must.M(h()) }))\nmust.M(y)", Outputs: picture},
		markdown("b", "## Further: more\n\nThree words here."),
		{Type: "code", Source: "a()", Outputs: picture},
		markdown("c", "More.\n\n## Exercises\n\nOne."), markdown("d", "## Checks"), {Type: "code", Source: "must.M(q()) // a long line of a cell that is folded, and does not count"},
	}}
	n := nb.size()
	if n.words != [allPortions]int{5, 7, 3, 2} || n.figures != [allPortions]int{1, 1} || n.must != 4 || n.nested != 2 || n.longest != 53 {
		t.Errorf("%+v", n)
	}
}
