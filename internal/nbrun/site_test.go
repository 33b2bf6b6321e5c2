package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNewPage(t *testing.T) {
	md := func(s string) *notebook { return &notebook{Cells: []*cell{{Type: "markdown", Source: text(s)}}} }
	for _, test := range []struct {
		name, markdown string
		want           page
	}{
		{"08_lasso", "# Lasso\n\nIt selects. Really.", page{Name: "08_lasso", Number: "08", Title: "Lasso", Summary: "It selects."}},
		{"08_lasso", "# 08. Lasso", page{Name: "08_lasso", Number: "08", Title: "Lasso"}},
		{"09_ridge_pca", "", page{Name: "09_ridge_pca", Number: "09", Title: "ridge pca"}},
		{"scratch", "", page{Name: "scratch", Title: "scratch"}},
	} {
		if got := newPage(result{name: test.name, executed: md(test.markdown)}); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// fakeJupyter stands for nbconvert: it writes a page with the marks of the
// template, a heading that names a row of the ledger, and a call.
const fakeJupyter = `#!/bin/sh
[ -e regbook/index.html.j2 ] || exit 1
for file; do
	case $file in *.ipynb) cat >"${file%.ipynb}.html" <<'END'
<html><head><title>x</title></head><body>
<!-- header -->
<h2 id="A-plane-%5B93%5D">A plane [93]<a class="anchor-link" href="#A-plane-%5B93%5D">&#182;</a></h2>
<a href="README.md">read</a> <a href="notebooks/01_figure.ipynb">figure</a> <a href="mlreg">mlreg</a> <a href="notebooks">all</a> <img src="notebooks/page.png">
<a id="row-93"></a> <a id="your-own-data"></a> <a id="the-packages"></a> <span class="nx">mlreg</span><span class="p">.</span><span class="nx">FitOLS</span>
<code>must.M1(frames.Design(df))</code>
<table><thead><tr><th>call</th><th>n</th></tr></thead><tbody><tr><td><code>x</code></td><td>1</td></tr></tbody></table>
<img src="data:image/png;base64,AA==" width=921> <img src="data:image/png;base64,AA==" width="614" style="width:100%">
<!-- footer -->
</body></html>
END
	esac
done
`

func TestSite(t *testing.T) {
	dir := t.TempDir()
	c := &course{root: "../..", notebooks: filepath.Join(dir, "notebooks"), build: filepath.Join(dir, "build"),
		jupyter: filepath.Join(dir, "jupyter"), gallery: filepath.Join(dir, "gallery"), still: true, out: new(bytes.Buffer)}
	if err := os.WriteFile(c.jupyter, []byte(fakeJupyter), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"01_figure.ipynb", "02_more.ipynb"} {
		if err := copyTree("testdata/01_figure.ipynb", filepath.Join(c.notebooks, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for file, parts := range map[string][]string{
		"index.html": {`<a href="01_figure.html">`, `<img src="01_figure.png"`, "Least squares, drawn", `href="01_figure.ipynb"`,
			`href="LEDGER.html"`, `href="README.html"`, `<a href="mlreg.html">mlreg</a></td><td>Package mlreg is`, `<b>Fit your own CSV</b>`, `<b>Learn</b>`, `<b>Use it in Jupyter</b>`,
			`<b>Use it in Go</b>`, `go get github.com/regbook/regbook `, `<a href="LICENSE">`, `<p>` + abilities["01"] + `</p>`},
		"01_figure.html": {"<title>Least squares, drawn · Regbook</title>", `<a rel="next" href="02_more.html">`, `<a href="01_figure.ipynb" download>`,
			`A plane <span class="rows">[<a href="LEDGER.html#row-93">93</a>]</span>`, `<td><b>numbers: projection</b>`,
			`<a class="nx" href="mlreg.html#FitOLS">FitOLS</a>`, `<code>must.M1(<a href="frames.html#Design">frames.Design</a>(df))</code>`, `<a href="README.html">read`, `<a href="01_figure.html">figure`,
			`<a href="mlreg.html">mlreg</a>`, `<a href="index.html">all</a>`, `<img src="page.png">`},
		"02_more.html": {`<a rel="prev" href="01_figure.html">`, `<a rel="next" href="WHICH_METHOD.html">`, `<main id="content">`,
			`<div class="wide texts"><table><thead><tr><th>call</th><th>n</th></tr></thead><tbody><tr><td data-name="call"><code>x</code></td><td data-name="n">1</td></tr></tbody></table></div>`,
			`<img style="--wide:921px;" src="data:image/png;base64,AA==" width=921>`, `<img src="data:image/png;base64,AA==" width="614" style="--wide:614px;width:100%">`},
		"search-index.js": {`const regbookIndex = {`, `"mlreg.FitOLS"`, `"mlreg.html#FitOLS"`, `"01 Least squares, drawn"`, `"TERMS.html#term-hat-matrix"`,
			`"A plane","#A-plane-%5B93%5D","read figure`, `"train_test_split`},
		"mlreg.html": {`<h4 id="FitOLS">`, `<h4 id="OLS.Robust">`, `<h3 id="OLS">`, `<span id="ErrShape">`,
			`(*<a href="mlreg.html#OLS">OLS</a>, error)`},
	} {
		b, err := os.ReadFile(filepath.Join(c.build, "site", file))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, part := range parts {
			if !bytes.Contains(b, []byte(part)) {
				t.Errorf("%s has no %s", file, part)
			}
		}
	}
	for _, file := range []string{"site.css", "site.js", "search.js", "LICENSE", "page.png", "01_figure.ipynb", "LEDGER.html"} {
		if _, err := os.Stat(filepath.Join(c.build, "site", file)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(c.build, "site", "README.ipynb")); err == nil {
		t.Error("README.ipynb is left")
	}
}

func TestNeighbours(t *testing.T) {
	var b bytes.Buffer
	f := frame{File: "02_b.html", Source: "02_b.ipynb", Previous: &page{Name: "01_a", Title: "A & <b>"}}
	if err := templates.ExecuteTemplate(&b, "header", f); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, `<a rel="prev" href="01_a.html">← A &amp; &lt;b&gt;</a>`) || strings.Contains(got, "→") {
		t.Errorf("header of the last page: %s", got)
	}
}

func TestCheckLinks(t *testing.T) {
	for _, test := range []struct{ page, want string }{
		{`<p id="a"></p><a href="#a">x</a> <a href="two.html#b%5B1%5D">x</a> <a href="https://go.dev">x</a> <img src="data:image/png;base64,AA==">`, ""},
		{`<a href="three.html">x</a>`, "one.html links to three.html, which does not exist"},
		{`<a href="two.html#c">x</a>`, "one.html links to two.html, which has no c"},
		{`<a href="#c">x</a>`, "one.html links to one.html, which has no c"},
		{`<img src="https://example.org/x.png">`, "one.html loads https://example.org/x.png from the network"},
		{`<script async src="//example.org/x.js">`, "one.html loads //example.org/x.js from the network"},
		{`<link rel="stylesheet" href="http://example.org/x.css">`, "one.html loads http://example.org/x.css from the network"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"one.html": test.page, "two.html": `<h2 class="x" id="b%5B1%5D">`} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := checkLinks(dir, false)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.page, err, test.want)
		}
		if strings.HasPrefix(test.page, "<script") && checkLinks(dir, true) != nil {
			t.Errorf("%s: scripts may come from the network", test.page)
		}
	}
}

func TestReplaceDir(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "site")
	for _, name := range []string{"first", "second"} {
		from := filepath.Join(dir, "new-"+name)
		if err := os.MkdirAll(from, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(from, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := replaceDir(from, to); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(to)
		if err != nil || len(entries) != 1 || entries[0].Name() != name {
			t.Errorf("%s: %v, %v", name, entries, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestGithubAnchors(t *testing.T) {
	const page = `<h2 id="What's-not-here,-&amp;-why">What's <em>not</em> here, &amp; why<a class="anchor-link" href="#What's-not-here,-&amp;-why">¶</a></h2>`
	const want = `<h2 id="whats-not-here--why">What's <em>not</em> here, &amp; why<a class="anchor-link" href="#whats-not-here--why">¶</a></h2>`
	if got := string(githubAnchors([]byte(page))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestDescribe(t *testing.T) {
	nb := &notebook{Cells: []*cell{{Outputs: []*output{{Data: map[string]json.RawMessage{
		"image/png": json.RawMessage(`"AAA\n"`), "text/plain": json.RawMessage(`["a \"b\""]`)}}}}}}
	got := string(nb.describe([]byte("<img src=\"data:image/png;base64,AAA\n\">")))
	if want := "<img alt=\"a &#34;b&#34;\" src=\"data:image/png;base64,AAA\n\">"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A table of texts stands on a phone, one of numbers scrolls, whatever the note below it says.
func TestHasTexts(t *testing.T) {
	const long = "a text that is longer than any number in a table"
	for table, want := range map[string]bool{
		`<tr><td>x1</td><td style="text-align:right">0.25</td></tr>`:              false,
		`<tr><td>x1</td></tr><tr><td colspan="4" style="">` + long + `</td></tr>`: false,
		`<tr><td>x1</td><td>` + long + `</td></tr>`:                               true,
		`<tr><td data-name="R"><code>lm(y ~ x)</code></td><td>the same</td></tr>`: true,
	} {
		if got := hasTexts([]byte(table)); got != want {
			t.Errorf("%s: %v", table, got)
		}
	}
}

// A page has one policy, first in its head, whatever its text says of policies.
func TestPolicy(t *testing.T) {
	s := &site{mathjax: "here"}
	const meta = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; `
	for what, page := range map[string]string{
		"a page":                          `<html><head><title>x</title></head><body></body></html>`,
		"a page with attributes":          "<!DOCTYPE html>\n<html lang=\"en\">\n<head class=\"x\">\n<title>x</title>",
		"a text that names it":            `<html><head><title>x</title></head><body>A Content-Security-Policy, and &lt;head&gt;</body></html>`,
		"a code that has one":             `<html><head><title>x</title></head><body><pre><!-- <head> --><meta http-equiv="Content-Security-Policy" content="default-src *"></pre></body></html>`,
		"a title that names it":           `<html><head><title>Content-Security-Policy</title></head></html>`,
		"a comment above with another":    `<!DOCTYPE html><!-- <html><head> --><html><head><title>x</title></head></html>`,
		"a page that has one of its own ": "<!DOCTYPE html>\n<html>\n<head>\n" + meta + `img-src data:"><title>x</title></head></html>`,
	} {
		got, err := s.guarded([]byte(page))
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		html := string(got)
		at := strings.LastIndex(html[:strings.Index(html, "<title>")], "<head")
		head := html[at+strings.Index(html[at:], ">")+1:]
		if !strings.HasPrefix(strings.TrimSpace(head), meta) || strings.Count(html, meta) != 1 {
			t.Errorf("%s: %s", what, html)
		}
	}
	for _, page := range []string{"", "<p>no head</p>", "text <html><head></head>"} {
		if got, err := s.guarded([]byte(page)); err == nil {
			t.Errorf("%q: %s", page, got)
		}
	}
}

// What the search finds of a page is its prose, headings, captions and what its figures show, with the cells of
// tables where they are texts; not its code, its formulas and its numbers.
func TestPassages(t *testing.T) {
	const page = `<body><nav>menu</nav><main id="content"><h1 id="a">One &amp; <em>all</em><a class="anchor-link" href="#a">¶</a></h1><p>Prose of $x^2$ and $$y$$.</p><pre>code</pre>
<details class="fold code" data-fold="1"><summary>6 lines</summary><pre>more</pre></details><div class="jp-InputPrompt jp-InputArea-prompt">In [1]:</div><img alt="Figure: a line" src="data:image/png;base64,AAAA">
<h2 id="b">Two</h2><table><caption>Coefficients</caption><tr><th>term</th></tr><tr><td>0.25</td></tr></table></main><footer>below</footer>`
	for _, tables := range []bool{false, true} {
		got := passagesOf(page, tables)
		two := "Coefficients"
		if tables {
			two = "Coefficients term 0.25"
		}
		want := []passage{{"One & all", "#a", "Prose of and . Figure: a line."}, {"Two", "#b", two}}
		if !slices.Equal(got, want) {
			t.Errorf("tables %v:\n%q, want\n%q", tables, got, want)
		}
	}
	if got := passagesOf("no content", true); got != nil {
		t.Errorf("%q", got)
	}
}

// Every page of the course has a sentence of what a reader can do after it.
func TestAbilities(t *testing.T) {
	c := &course{notebooks: "../../notebooks", out: new(bytes.Buffer)}
	paths, err := c.list()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		number, _, _ := strings.Cut(filepath.Base(path), "_")
		if s := abilities[number]; !strings.HasSuffix(s, ".") || len(s) > 100 {
			t.Errorf("page %s: want a sentence of at most 100 characters: %q", number, s)
		}
	}
}

// The rings of a live figure stand where it can be dragged, before anything is loaded.
func TestWithSpots(t *testing.T) {
	var f stillFigure
	if err := json.Unmarshal([]byte(`{"handles": [{"name": "a \"b\"", "kind": "drag", "spots": [[0.25, 0.5], [0.3, 0.5]]}, {"kind": "turn", "spots": [[0, 0]]}]}`), &f); err != nil {
		t.Fatal(err)
	}
	s := &site{stills: map[string]stillFigure{"A": f}}
	got := string(s.withSpots([]byte(`<div data-live="A"><div data-live="B">`)))
	if want := `<div data-live="A" data-spots="[{&#34;name&#34;:&#34;a \&#34;b\&#34;&#34;,&#34;x&#34;:0.25,&#34;y&#34;:0.5}]"><div data-live="B">`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
