package main

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	done := []*output{{Type: "stream", Name: "stdout", Text: "ok  1 a  1  want 1\nok  b  true  want true\n"}}
	for _, c := range []struct {
		cell cell
		kind string
		line string
	}{
		{cell{Source: "%%\nplotting.Show(1)"}, "", ""},
		{cell{Source: "var d = must.M1(frames.Design(df, f))\n\n%%\nplotting.Show(d)\nfmt.Println(2)"}, "code",
			`<span class="lines">3 lines</span> <code>var d</code>, <code>frames.Design</code>`},
		{cell{Source: "%%\nx := floats.Sum(y)\nz := y.Old()\nfmt.Println(x)"}, "code", `<code>floats.Sum</code>`},
		{cell{Source: "%%\nx := []float64{1}\nx = append(x, after(x))\nfmt.Println(len(x))"}, "code", `<span class="lines">3 lines</span> <code>after</code> `},
		{cell{Source: "%%\nledger.True(\"x\", 1 < 2)\nledger.Done()", Outputs: done}, "checks", "2 checks pass"},
		{cell{Source: "%%\nexercise.Check(\"02.1\", 3)", Metadata: map[string]any{"tags": []any{"solution"}}}, "solution", "Solution 02.1"},
		{cell{Source: "import \"fmt\"\n"}, "hidden", ""},
		{cell{Source: "!*go get github.com/regbook/regbook/course\n%noautoget"}, "hidden", ""},
		{cell{Source: "!ls", Outputs: done}, "", ""},
	} {
		f := c.cell.fold()
		if f == nil {
			f = &fold{}
		}
		if got := f.Summary + " " + f.Badge; f.Kind != c.kind || !strings.Contains(got, c.line) {
			t.Errorf("%s: %s, %s; want %s, %s", c.cell.Source, f.Kind, got, c.kind, c.line)
		}
	}
}

// A heading keeps its rows of the ledger, out of sight, and what goes further folds below its heading.
func TestForPagePortions(t *testing.T) {
	nb := &notebook{Cells: []*cell{markdown("a", "## A plane<!--rows 5, 93-96-->\n\nText."), markdown("b", "## Further: more"),
		markdown("c", "More."), {Type: "code", ID: "d", Source: "a()\nb()\nc()"}, markdown("e", "## Exercises")}}
	page := nb.forPage()
	if got, want := string(page.Cells[0].Source), "## A plane [rows 5, 93-96]\n\nText."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	html := []byte(`<h2 id="x">A plane [rows 5, 93-96]<a class="anchor-link" href="#x">&#182;</a></h2>`)
	sections, html, err := linkSections(html, map[int]row{5: {}, 93: {}, 94: {}, 95: {}, 96: {}})
	if err != nil || len(sections) != 1 || len(sections[0].Rows) != 5 || strings.Contains(string(html), "rows") {
		t.Errorf("%+v, %s, %v", sections, html, err)
	}
	first, _ := page.Cells[2].Metadata["regbook"].(*fold)
	last, _ := page.Cells[3].Metadata["regbook"].(*fold)
	if first == nil || first.Opens == "" || first.Closes || last == nil || last.Kind != "code" || !last.Closes {
		t.Errorf("folds %+v, %+v", first, last)
	}
	if page.Cells[1].Metadata != nil || page.Cells[4].Metadata != nil {
		t.Error("a heading folds")
	}
}

// A page has no comments and its cells' folds; the notebook keeps the one and does not get the other.
func TestForPage(t *testing.T) {
	nb := &notebook{Cells: []*cell{{Type: "markdown", Source: "A slope of 0.52<!--=slope-->."}, {Type: "code", Source: "a()\nb()\nc()"}}}
	page := nb.forPage()
	if got, want := string(page.Cells[0].Source), "A slope of 0.52."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if f, ok := page.Cells[1].Metadata["regbook"].(*fold); !ok || f.Kind != "code" {
		t.Errorf("metadata %v", page.Cells[1].Metadata)
	}
	if !strings.Contains(string(nb.Cells[0].Source), "<!--=slope-->") || nb.Cells[1].Metadata != nil {
		t.Error("the notebook has changed")
	}
}
