package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"go/doc"
	"html"
	"html/template"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/try"
)

//go:embed assets
var assets embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"list": func(values ...any) []any { return values },
	"anchor": func(f *doc.Func) string {
		recv, _, _ := strings.Cut(strings.TrimPrefix(f.Recv, "*"), "[")
		return strings.TrimPrefix(recv+"."+f.Name, ".")
	},
}).ParseFS(assets, "assets/*.html"))

// A page is a notebook as the site's index shows it.
type page struct {
	Name, Number, Title, Summary string
	Picture                      string // file name, "" if the notebook has none
	Able                         string // what a reader can do after the page, "" if nothing is said
}

// pageNumber is the number of a page, with a letter if it is further reading.
var pageNumber = regexp.MustCompile(`^\d+[a-z]?$`)

// newPage takes the number off the front of a file name such as 08_lasso, and
// the same number off the title.
func newPage(r result) page {
	p := page{Name: r.name, Title: r.executed.title(), Summary: r.executed.summary()}
	if number, rest, ok := strings.Cut(r.name, "_"); ok && pageNumber.MatchString(number) {
		p.Number = number
		if p.Title == "" {
			p.Title = strings.ReplaceAll(rest, "_", " ")
		}
		p.Title = strings.TrimLeft(strings.TrimPrefix(p.Title, number), " .:·-")
	}
	if p.Title == "" {
		p.Title = r.name
	}
	return p
}

// A site is build/site in the making.
type site struct {
	*course
	dir     string
	mathjax string // address, "" to load it from the network
	pages   []page
	docs    references
	ledger  map[int]row
	terms   []term
	lessons []lesson
	figures []foundEntry           // of the gallery
	stills  map[string]stillFigure // explorables by their functions
}

// whichMethod is the page at the end of the course: from a question to a method and its call.
const whichMethod = "notebooks/WHICH_METHOD.md"

// documents are the Markdown pages of the site.
var documents = []string{"README.md", "COMING_FROM.md", "notebooks/LEDGER.md", glossary, whichMethod}

// writeSite writes the executed notebooks, a page of HTML for each, what they
// link to, and an index to a new folder, and puts it in the place of build/site.
func (c *course) writeSite(ctx context.Context, results []result) (err error) {
	defer try.Handle(&err)
	dir := try.Get(c.tempDir())
	defer os.RemoveAll(dir)
	s := &site{course: c, dir: dir}
	s.gather(ctx)
	s.writeParts(ctx, results)
	try.Check(checkLinks(dir, s.mathjax == ""))
	try.Check(os.Chmod(dir, 0o755))
	final := filepath.Join(c.build, "site")
	try.Check(replaceDir(dir, final))
	fmt.Fprintf(c.out, "the site is at %s\n", filepath.Join(final, "index.html"))
	return nil
}

// gather reads what several pages show: the documentation, the gallery, the ledger and the terms.
func (s *site) gather(ctx context.Context) {
	c := s.course
	s.mathjax = try.Get(c.copyMathJax(s.dir))
	s.docs = try.Get(readReferences(c.root))
	s.addOutputs(try.Get(c.drawGallery(ctx)))
	ledger := try.Get(os.ReadFile(filepath.Join(c.root, "notebooks", "LEDGER.md")))
	s.ledger = try.Get(parseLedger(string(ledger)))
	s.terms, s.lessons = try.Get2(c.readTerms())
}

// writeParts writes all pages and what they load.
func (s *site) writeParts(ctx context.Context, results []result) {
	for _, name := range []string{"site.css", "site.js", "search.js", "live.js", "playground.js"} {
		s.write(name, try.Get(assets.ReadFile("assets/"+name)))
	}
	s.writeEngine(ctx)
	s.drawStills(ctx)
	try.Check(copyTree(filepath.Join(s.root, "LICENSE"), filepath.Join(s.dir, "LICENSE")))
	where := s.writeNotebooks(ctx, results)
	s.writeDocuments(ctx, where)
	s.writeGallery()
	for _, name := range packages {
		f := s.frame(name+".html", "package "+name)
		s.execute("package.html", name+".html", map[string]any{"Frame": f, "Reference": s.docs[name]})
	}
	s.execute("playground.html", "playground.html", map[string]any{"Frame": s.frame("playground.html", "Playground")})
	s.writeSearch()
	s.writeIndex()
}

func (s *site) write(name string, b []byte) {
	try.Check(os.WriteFile(filepath.Join(s.dir, name), b, 0o644))
}

// execute writes a page made by a template.
func (s *site) execute(template, file string, data any) {
	var b bytes.Buffer
	try.Check(templates.ExecuteTemplate(&b, template, data))
	s.writePage(file, b.Bytes())
}

// A page starts with headStart, and one that says itself what it may do goes on with ownPolicy.
var (
	headStart = regexp.MustCompile(`(?is)^\s*(<!doctype[^>]*>\s*)?(<!--.*?-->\s*)*<html[^>]*>\s*<head[^>]*>`)
	ownPolicy = regexp.MustCompile(`(?i)^\s*<meta http-equiv="Content-Security-Policy" `)
)

// guarded adds what a page may do, unless it says so itself: run the site's own scripts, those of
// its figures and WebAssembly, and load nothing from the network but MathJax where that is not
// installed. Sliders of notebooks have their scripts in attributes.
func (s *site) guarded(page []byte) ([]byte, error) {
	start := headStart.Find(page)
	switch {
	case start == nil:
		return nil, errors.New("the page does not start with a head, in which its policy stands")
	case ownPolicy.Match(page[len(start):]):
		return page, nil
	}
	from := ""
	if s.mathjax == "" {
		from = " https://cdnjs.cloudflare.com"
	}
	policy := fmt.Appendf(nil, `
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:%[1]s; worker-src blob:; style-src 'self' 'unsafe-inline'%[1]s; font-src 'self' data:%[1]s; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'">`, from)
	return slices.Concat(start, policy, page[len(start):]), nil
}

// writePage writes a page with what it may do.
func (s *site) writePage(file string, page []byte) {
	page, err := s.guarded(page)
	if err != nil {
		try.Fail(fmt.Errorf("%s: %w", file, err))
	}
	s.write(file, page)
}

// references returns the documented packages in their order.
func (s *site) references() []*reference {
	var list []*reference
	for _, name := range packages {
		list = append(list, s.docs[name])
	}
	return list
}

// A frame is what a page has above and below its content.
type frame struct {
	File, Title    string
	Links          []navigation
	Source         string // file name of a notebook
	Previous, Next *page
	Contents       []section
	Rows           []shown
	Calls          []call
	Examples       []example
}

type navigation struct{ File, Text string }

// A call is what a page uses of a documented package.
type call struct{ Package, Name, Link, Synopsis string }

// frame returns the frame of a page.
func (s *site) frame(file, title string) frame {
	return frame{File: file, Title: title + " · Regbook", Links: []navigation{
		{"index.html#course", "Course"}, {"playground.html", "Playground"}, {"WHICH_METHOD.html", "Which method"}, {"COMING_FROM.html", "From R, Python"},
		{"gallery.html", "Gallery"}, {"index.html#packages", "Reference"}, {"TERMS.html", "Terms"}, {"README.html", "Read me"}}}
}

// writeNotebooks writes the notebooks with their pages and pictures, and
// returns where each row of the ledger is shown.
func (s *site) writeNotebooks(ctx context.Context, results []result) map[int][]shown {
	var names []string
	var notebooks []*notebook
	for _, r := range results {
		nb := r.executed.linkedTerms(s.terms).forPage()
		p := newPage(result{name: r.name, executed: nb})
		p.Able = abilities[p.Number]
		try.Check(nb.write(filepath.Join(s.dir, r.name+".ipynb")))
		s.writePicture(&p, r)
		s.pages = append(s.pages, p)
		names = append(names, r.name)
		notebooks = append(notebooks, r.executed)
	}
	used := try.Get(calls(ctx, s.root, notebooks))
	s.convert(ctx, names)
	for _, r := range results { // for whoever wants to run it
		try.Check(r.executed.withoutRemarks().write(filepath.Join(s.dir, r.name+".ipynb")))
	}
	where := map[int][]shown{}
	for i, p := range s.pages {
		f := s.frameOf(i, used[i])
		html := try.Get(os.ReadFile(filepath.Join(s.dir, f.File)))
		sections, html, err := linkSections(s.withSpots(notebooks[i].describe(html)), s.ledger)
		if err != nil {
			try.Fail(fmt.Errorf("%s: %w", p.Name, err))
		}
		f.Contents = contents(sections)
		f.Rows = p.shows(s.ledger, sections, notebooks[i].checked())
		for _, r := range f.Rows {
			where[r.Number] = append(where[r.Number], r)
		}
		s.finish(html, f)
	}
	return where
}

// writePicture writes the first figure of a notebook, if it has one.
func (s *site) writePicture(p *page, r result) {
	picture := r.executed.picture()
	if picture == "" {
		return
	}
	b, err := base64.StdEncoding.DecodeString(picture)
	if err != nil {
		try.Fail(fmt.Errorf("%s: first figure: %w", r.name, err))
	}
	p.Picture = r.name + ".png"
	s.write(p.Picture, b)
}

// frameOf returns the frame of page i, with the pages beside it and links to the functions that it
// uses, by package.
func (s *site) frameOf(i int, used map[string][]string) frame {
	p := s.pages[i]
	f := s.frame(p.Name+".html", p.Title)
	f.Source = p.Name + ".ipynb"
	if i > 0 {
		f.Previous = &s.pages[i-1]
	}
	if i+1 < len(s.pages) {
		f.Next = &s.pages[i+1]
	} else {
		f.Next = &page{Name: "WHICH_METHOD", Title: "Which method when"}
	}
	f.Examples = examples[p.Number]
	for _, pkg := range packages {
		for _, name := range used[pkg] {
			if link, ok := s.docs.link(pkg, name); ok {
				f.Calls = append(f.Calls, call{pkg, name, link, s.docs[pkg].synopses[name]})
			}
		}
	}
	return f
}

// writeDocuments writes the Markdown pages, each as a notebook of one cell, so
// that they look as the notebooks do.
func (s *site) writeDocuments(ctx context.Context, where map[int][]shown) {
	var names []string
	titles := map[string]string{}
	for _, file := range documents {
		b := try.Get(os.ReadFile(filepath.Join(s.root, file)))
		name := strings.TrimSuffix(path.Base(file), ".md")
		content := linkLedger(string(b), where)
		if file == glossary {
			content = linkTerms(content, s.terms, s.lessons)
		}
		nb := &notebook{Format: 4, FormatMinor: 5, Metadata: map[string]any{},
			Cells: []*cell{{Type: "markdown", ID: "page", Metadata: map[string]any{}, Source: text(content)}}}
		try.Check(nb.write(filepath.Join(s.dir, name+".ipynb")))
		names = append(names, name)
		titles[name] = nb.title()
	}
	s.convert(ctx, names)
	for _, name := range names {
		try.Check(os.Remove(filepath.Join(s.dir, name+".ipynb")))
		html := githubAnchors(try.Get(os.ReadFile(filepath.Join(s.dir, name+".html"))))
		sections, _ := try.Get2(linkSections(html, s.ledger))
		f := s.frame(name+".html", titles[name])
		f.Contents = contents(sections)
		s.finish(html, f)
	}
}

var punctuation = regexp.MustCompile(`[^\pL\pN _-]`)

// contents returns the sections that the list of contents of a page has: those of the second
// level, if there are a few.
func contents(sections []section) []section {
	list := slices.DeleteFunc(slices.Clone(sections), func(s section) bool { return s.Level != 2 })
	if len(list) < 3 {
		return nil
	}
	return list
}

// githubAnchors gives the headings of a page the anchors that they have on
// GitHub, to which Markdown files link.
func githubAnchors(page []byte) []byte {
	return sectionHeading.ReplaceAllFunc(page, func(found []byte) []byte {
		m := sectionHeading.FindSubmatch(found)
		title := strings.ToLower(html.UnescapeString(tag.ReplaceAllString(string(m[2]), "")))
		anchor := strings.ReplaceAll(punctuation.ReplaceAllString(title, ""), " ", "-")
		return fmt.Appendf(nil, `%s id="%s">%s<a class="anchor-link" href="#%s"`, m[1][:3], anchor, m[2], anchor)
	})
}

// convert has nbconvert write name.html from name.ipynb, both in s.dir.
func (s *site) convert(ctx context.Context, names []string) {
	if len(names) == 0 {
		return
	}
	// nbconvert looks for templates in the folder it runs in.
	skin := filepath.Join(s.dir, "regbook")
	defer os.RemoveAll(skin)
	try.Check(os.Mkdir(skin, 0o755))
	for name, to := range map[string]string{"page.html.j2": "index.html.j2", "conf.json": "conf.json"} {
		s.write(filepath.Join("regbook", to), try.Get(assets.ReadFile("assets/"+name)))
	}
	args := []string{"--to", "html", "--template", "regbook"}
	if s.mathjax != "" {
		args = append(args, "--HTMLExporter.mathjax_url="+s.mathjax)
	}
	for _, name := range names {
		args = append(args, name+".ipynb")
	}
	try.Check(s.runJupyter(ctx, s.dir, nil, "nbconvert", args...))
}

var (
	titleTag  = regexp.MustCompile(`(?s)<title>.*?</title>`)
	localLink = regexp.MustCompile(`(<(?:a|img)\s[^>]*?(?:href|src)=")([^":#]+)(#[^"]*)?"`)
)

// finish writes a page of nbconvert's with a title, links that lead to pages of
// the site, calls linked to their documentation, and a frame. The files that it
// links to otherwise are copied.
func (s *site) finish(page []byte, f frame) {
	var err error
	page = localLink.ReplaceAllFunc(page, func(found []byte) []byte {
		m := localLink.FindSubmatch(found)
		to, file := siteFile(html.UnescapeString(string(m[2])))
		if file != "" {
			if _, e := os.Stat(filepath.Join(s.dir, to)); e != nil {
				err = errors.Join(err, copyTree(filepath.Join(s.root, file), filepath.Join(s.dir, to)))
			}
		}
		return fmt.Appendf(nil, `%s%s%s"`, m[1], html.EscapeString(to), m[3])
	})
	if err != nil {
		try.Fail(fmt.Errorf("%s: %w", f.File, err))
	}
	page = s.docs.linkCalls(widen(page))
	page = bytes.Replace(page, []byte("<html>"), []byte(`<html lang="en">`), 1)
	page = titleTag.ReplaceAllLiteral(page, []byte("<title>"+html.EscapeString(f.Title)+"</title>"))
	for mark, part := range map[string]string{"header": "above", "footer": "below"} {
		var b bytes.Buffer
		try.Check(templates.ExecuteTemplate(&b, part, f))
		page = bytes.Replace(page, []byte("<!-- "+mark+" -->"), b.Bytes(), 1)
	}
	s.writePage(f.File, page)
}

var (
	pageTable = regexp.MustCompile(`(?s)<table.*?</table>`)
	tableHead = regexp.MustCompile(`(?s)<thead>(.*?)</thead>`)
	headCell  = regexp.MustCompile(`(?s)<th[^>]*>(.*?)</th>`)
	tableRow  = regexp.MustCompile(`(?s)<tr>.*?</tr>`)
	dataCell  = regexp.MustCompile(`<td`)
	longCell  = regexp.MustCompile(`<td([^>]*)>(?:<code>|[^<]{32})`)
	wideImage = regexp.MustCompile(`<img [^>]*?\bwidth="?(\d+)[^>]*>`)
)

// widen prepares a page for narrow screens. A table may scroll, in a box of its own; those of texts
// tell every cell the name of its column, so that it can stand below the one before. A figure
// tells its width, so that it is not made too small to read.
func widen(page []byte) []byte {
	page = pageTable.ReplaceAllFunc(page, func(table []byte) []byte {
		class := "wide"
		var names [][][]byte
		if head := tableHead.FindSubmatch(table); head != nil {
			names = headCell.FindAllSubmatch(head[1], -1)
		}
		if 0 < len(names) && len(names) <= 4 && hasTexts(table) {
			class = "wide texts"
			table = tableRow.ReplaceAllFunc(table, func(row []byte) []byte {
				i := -1
				return dataCell.ReplaceAllFunc(row, func([]byte) []byte {
					if i++; i >= len(names) {
						return []byte("<td")
					}
					name := html.EscapeString(html.UnescapeString(tag.ReplaceAllString(string(names[i][1]), "")))
					return fmt.Appendf(nil, `<td data-name="%s"`, strings.TrimSpace(name))
				})
			})
		}
		return fmt.Appendf(nil, `<div class="%s">%s</div>`, class, table)
	})
	return wideImage.ReplaceAllFunc(page, func(img []byte) []byte {
		width := wideImage.FindSubmatch(img)[1]
		style := fmt.Appendf(nil, ` style="--wide:%spx;`, width)
		if bytes.Contains(img, []byte(` style="`)) {
			return bytes.Replace(img, []byte(` style="`), style, 1)
		}
		return slices.Concat([]byte("<img"), style, []byte(`" `), img[len("<img "):])
	})
}

// hasTexts tells whether cells of a table are texts rather than numbers; a note across all
// columns is no cell.
func hasTexts(table []byte) bool {
	return slices.ContainsFunc(longCell.FindAllSubmatch(table, -1), func(m [][]byte) bool { return !bytes.Contains(m[1], []byte("colspan")) })
}

// siteFile returns the file of the site for what a page of the repository links
// to, and the file to copy there unless the site writes it.
func siteFile(target string) (name, copied string) {
	switch base, ext := path.Base(target), path.Ext(target); {
	case ext == ".ipynb" || ext == ".md" || ext == ".html":
		return strings.TrimSuffix(base, ext) + ".html", ""
	case slices.Contains(packages, base):
		return base + ".html", ""
	case base == "notebooks":
		return "index.html", ""
	default:
		return base, target
	}
}

var (
	tagLink = regexp.MustCompile(`<(\w+)\s[^>]*?(href|src)="([^"]*)"`)
	anchors = regexp.MustCompile(`<[^>]*\sid="([^"]*)"`)
)

// checkLinks returns an error that names every link of the pages in dir that
// leads nowhere, and everything that a page loads from the network, which
// scripts may do if the machine had no MathJax to copy.
func checkLinks(dir string, scripts bool) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil {
		return err
	}
	pages := map[string][]byte{}
	ids := map[string]bool{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name := filepath.Base(file)
		pages[name] = b
		for _, m := range anchors.FindAllSubmatch(b, -1) {
			ids[name+"#"+html.UnescapeString(string(m[1]))] = true
		}
	}
	var bad []string
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for _, m := range tagLink.FindAllSubmatch(pages[name], -1) {
			tag, link := string(m[1]), html.UnescapeString(string(m[3]))
			u, err := url.Parse(link)
			switch {
			case err != nil:
				bad = append(bad, fmt.Sprintf("%s: %v", name, err))
			case u.Scheme == "data" || tag == "a" && u.IsAbs() || tag == "script" && scripts:
			case u.IsAbs() || u.Host != "":
				bad = append(bad, fmt.Sprintf("%s loads %s from the network", name, link))
			default:
				file, fragment, _ := strings.Cut(link, "#")
				file, _, _ = strings.Cut(cmp.Or(file, name), "?")
				if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
					bad = append(bad, fmt.Sprintf("%s links to %s, which does not exist", name, file))
				} else if fragment != "" && file != "playground.html" && !ids[file+"#"+fragment] && !ids[file+"#"+u.Fragment] {
					bad = append(bad, fmt.Sprintf("%s links to %s, which has no %s", name, file, fragment))
				}
			}
		}
	}
	if bad != nil {
		return fmt.Errorf("the site has links that lead nowhere:\n    %s", strings.Join(bad, "\n    "))
	}
	return nil
}

// mathjaxParts is what pages use of MathJax 2.7, some 3 MB of 50.
var mathjaxParts = []string{
	"MathJax.js", "config/TeX-AMS_CHTML-full.js", "config/Safe.js", "extensions",
	"jax/element", "jax/input/TeX", "jax/output/CommonHTML", "fonts/HTML-CSS/TeX/woff",
}

// copyMathJax copies MathJax into the site and returns its address there, or ""
// if this machine has none and pages have to load it from the network.
func (c *course) copyMathJax(site string) (string, error) {
	if _, err := os.Stat(filepath.Join(c.mathjax, mathjaxParts[0])); c.mathjax == "" || errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(c.out, "no MathJax on this machine: the pages will load it from the network")
		return "", nil
	}
	for _, part := range mathjaxParts {
		if err := copyTree(filepath.Join(c.mathjax, part), filepath.Join(site, "mathjax", part)); err != nil {
			return "", fmt.Errorf("copying MathJax: %w", err)
		}
	}
	return "mathjax/MathJax.js?config=TeX-AMS_CHTML-full,Safe", nil
}

// copyTree copies a file or folder, following symbolic links.
func copyTree(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		b, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := copyTree(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// replaceDir renames folder from to to, moving away what is there. Another
// process may do the same: whoever comes last wins.
func replaceDir(from, to string) error {
	var err error
	for range 10 {
		old := from + "-old"
		if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err = os.Rename(from, to)
		if e := os.RemoveAll(old); e != nil {
			return e
		}
		if err == nil {
			return nil
		}
	}
	return err
}
