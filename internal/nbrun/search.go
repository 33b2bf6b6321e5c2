package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/find"
	"github.com/regbook/regbook/internal/try"
)

// searchIndex is the script that defines what the search finds: pages opened from a folder may load nothing else.
const searchIndex = "search-index.js"

// mostOfSearch is what the script has to be smaller than, packed by gzip, in bytes.
const mostOfSearch = 300e3

// A passage is a section of a page, by its heading.
type passage struct{ Heading, Anchor, Text string }

// A foundPage is a page as the search finds it. Kind is notebook, further, page or ledger.
type foundPage struct {
	Title    string      `json:"title"`
	File     string      `json:"file"`
	Kind     string      `json:"kind"`
	Passages [][3]string `json:"passages"` // heading, anchor, text
}

// A foundEntry is found by itself: a term, a name of a package, a figure of the gallery, or a call for what
// another program calls otherwise.
type foundEntry struct {
	Kind string `json:"kind"` // term, name, figure or call
	Name string `json:"name"`
	Link string `json:"link"`
	Text string `json:"text"`
}

// writeSearch writes what the pages' search finds. The pages have to be written.
func (s *site) writeSearch() {
	entries := slices.Concat(s.foundTerms(), s.foundCalls(), s.foundNames(), s.figures)
	b := try.Get(encode(map[string]any{"pages": s.foundPages(), "entries": entries}, ""))
	b = fmt.Appendf(nil, "const regbookIndex = %s;\n", b)
	size := try.Get(packedSize(b))
	if size >= mostOfSearch {
		try.Fail(fmt.Errorf("%s has %d kB packed; it has to be under %.0f", searchIndex, size/1000, mostOfSearch/1000))
	}
	s.write(searchIndex, b)
}

// packedSize is the number of bytes that a server sends.
func packedSize(b []byte) (int, error) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(b); err != nil {
		return 0, err
	}
	err := z.Close()
	return packed.Len(), err
}

// foundPages returns the notebooks and documents with the texts of their sections. A notebook's first section has
// the questions that it answers, by the table of methods, and the terms that it defines, too.
func (s *site) foundPages() []foundPage {
	var pages []foundPage
	add := func(file, title, kind, about string) {
		b := try.Get(os.ReadFile(filepath.Join(s.dir, file)))
		p := foundPage{Title: title, File: file, Kind: kind}
		for i, part := range passagesOf(string(b), kind != "notebook" && kind != "further") {
			if i == 0 {
				part.Text = strings.TrimSpace(part.Text + " " + about)
			}
			p.Passages = append(p.Passages, [3]string{part.Heading, part.Anchor, part.Text})
		}
		pages = append(pages, p)
	}
	questions := s.questions()
	for _, p := range s.pages {
		kind, about := "notebook", questions[p.Name]
		if strings.TrimRight(p.Number, "0123456789") != "" {
			kind = "further"
		}
		for _, t := range s.terms {
			if t.Page == p.Number {
				about = append(about, strings.Join(t.Names, ", ")+".")
			}
		}
		add(p.Name+".html", strings.TrimSpace(p.Number+" "+p.Title), kind, strings.Join(about, " "))
	}
	for _, d := range []struct{ file, title, kind string }{
		{"WHICH_METHOD.html", "Which method when", "page"}, {"COMING_FROM.html", "Coming from R, scikit-learn or statsmodels", "page"},
		{"README.html", "Read me", "page"}, {"playground.html", "Playground: fit your own CSV file", "page"}, {"LEDGER.html", "Ledger", "ledger"},
	} {
		add(d.file, d.title, d.kind, "")
	}
	return pages
}

var (
	methodRow    = regexp.MustCompile(`(?m)^\| ([^|]*) \| ([^|]*) \| ([^|]*\.ipynb\)[^|]*) \|`)
	notebookLink = regexp.MustCompile(`\((\w+)\.ipynb\)`)
)

// questions returns the rows of the table of methods by the names of the notebooks that they lead to.
func (s *site) questions() map[string][]string {
	b := try.Get(os.ReadFile(filepath.Join(s.root, whichMethod)))
	of := map[string][]string{}
	for _, row := range methodRow.FindAllStringSubmatch(string(b), -1) {
		for _, link := range notebookLink.FindAllStringSubmatch(row[3], -1) {
			of[link[1]] = append(of[link[1]], strings.ReplaceAll(row[1]+": "+row[2]+".", "`", ""))
		}
	}
	return of
}

var (
	contentOfPage = regexp.MustCompile(`(?s)<main[^>]*>(.*)</main>`)
	headingOfPage = regexp.MustCompile(`(?s)<h([1-4])(?: id="([^"]*)")?[^>]*>(.*?)</h[1-4]>`)
	unread        = regexp.MustCompile(`(?s)<(pre|script|style|button|select|textarea|noscript)\b.*?</(?:pre|script|style|button|select|textarea|noscript)>|<a class="anchor-link".*?</a>|<details class="fold code"[^>]*><summary>.*?</summary>|<span class="rows">.*?</span>|<div class="jp-InputPrompt.*?</div>|<div class="jp-OutputPrompt.*?</div>|\$\$.*?\$\$|\$[^$\n]{1,200}\$`)
	numberCells   = regexp.MustCompile(`(?s)<t[dh][^>]*>.*?</t[dh]>`)
	altText       = regexp.MustCompile(`<img [^>]*?alt="([^"]*)"[^>]*>`)
	blanks        = regexp.MustCompile(`\s+`)
)

// passagesOf returns the sections of a page: prose, captions of tables and what figures show; the cells of
// tables if tables is set.
func passagesOf(page string, tables bool) []passage {
	content := contentOfPage.FindStringSubmatch(page)
	if content == nil {
		return nil
	}
	page = content[1]
	plain := func(part string) string {
		part = altText.ReplaceAllString(part, " $1. ")
		part = unread.ReplaceAllString(part, " ")
		if !tables {
			part = numberCells.ReplaceAllString(part, " ")
		}
		part = html.UnescapeString(tag.ReplaceAllString(part, " "))
		return strings.TrimSpace(blanks.ReplaceAllString(part, " "))
	}
	var list []passage
	at := headingOfPage.FindAllStringSubmatchIndex(page, -1)
	for i, h := range at {
		end := len(page)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		p := passage{Heading: plain(page[h[6]:h[7]]), Text: plain(page[h[1]:end])}
		if h[4] >= 0 {
			p.Anchor = "#" + page[h[4]:h[5]]
		}
		list = append(list, p)
	}
	return list
}

// foundTerms returns the glossary.
func (s *site) foundTerms() []foundEntry {
	var list []foundEntry
	for _, t := range s.terms {
		list = append(list, foundEntry{"term", strings.Join(t.Names, ", "), "TERMS.html#" + t.anchor(), t.Meaning})
	}
	return list
}

// foundNames returns what the packages export, with its first sentence.
func (s *site) foundNames() []foundEntry {
	var list []foundEntry
	for _, name := range packages {
		synopses := s.docs[name].synopses
		for _, anchor := range slices.Sorted(maps.Keys(synopses)) {
			link, _ := s.docs.link(name, anchor)
			list = append(list, foundEntry{"name", name + "." + anchor, link, synopses[anchor]})
		}
	}
	return list
}

var calledName = regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)

// foundCalls returns what the kernel's %find finds but the table of methods, whose rows are the pages'.
func (s *site) foundCalls() []foundEntry {
	all := try.Get(find.Entries(s.root))
	var list []foundEntry
	for _, e := range all {
		if e.From == "which method" {
			continue
		}
		link := "COMING_FROM.html"
		if heading, ok := strings.CutPrefix(e.From, "from "); ok {
			link += "#from-" + strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(heading), " ", "-"), ",", "")
		}
		for _, m := range calledName.FindAllStringSubmatch(strings.Join(e.Names, " ")+" "+e.Ours, -1) {
			anchor := strings.TrimSuffix(m[2]+"."+m[3], ".")
			if to, ok := s.docs.link(m[1], anchor); ok {
				link = to
				break
			}
		}
		list = append(list, foundEntry{"call", e.Theirs, link, e.Ours})
	}
	return list
}
