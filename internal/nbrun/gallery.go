package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"html/template"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/try"
)

// drawing are the packages whose Examples draw the gallery.
var drawing = []string{"plotting", "lecture"}

// drawGallery runs the Examples of the packages that draw, which save what they display
// (plotting/internal/gallery), and returns the folder with a folder for each.
func (c *course) drawGallery(ctx context.Context) (string, error) {
	if c.gallery != "" {
		return c.gallery, nil
	}
	dir := filepath.Join(c.build, "gallery")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	for _, name := range drawing {
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return "", err
		}
		cmd := exec.CommandContext(ctx, "go", "test", "-buildvcs=false", "-vet=off", "-count=1", "-run", "^Example", "./"+packageDir(name))
		cmd.Dir = c.root
		cmd.Env = append(os.Environ(), "REGBOOK_GALLERY="+to)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("drawing the gallery: %w\n%s", err, indent(string(out), "    ", 20))
		}
	}
	return dir, nil
}

// An output is what an Example displayed: a picture, whose file is in the site's folder gallery, or
// HTML.
type displayed struct {
	File, Text    string
	Width, Height int // of the picture, in CSS pixels
	HTML          template.HTML
}

// addOutputs reads what the Examples of the packages displayed and copies pictures to the site.
func (s *site) addOutputs(dir string) {
	try.Check(os.MkdirAll(filepath.Join(s.dir, "gallery"), 0o755))
	for _, name := range drawing {
		r := s.docs[name]
		r.drawn = map[string][]displayed{}
		for _, file := range try.Get(filepath.Glob(filepath.Join(dir, name, "*.txt"))) {
			base := strings.TrimSuffix(file, ".txt")
			d := displayed{Text: string(try.Get(os.ReadFile(file)))}
			if picture := ifThere(base + ".png"); picture != nil {
				config, err := png.DecodeConfig(bytes.NewReader(picture))
				if err != nil {
					try.Fail(fmt.Errorf("%s: %w", base, err))
				}
				d.Width, d.Height = config.Width/2, config.Height/2 // of 192 dots an inch
				d.File = "gallery/" + name + "." + filepath.Base(base) + ".png"
				s.write(d.File, picture)
			} else if page := ifThere(base + ".html"); page != nil {
				d.HTML = template.HTML(widen(page))
			} else {
				continue // a text
			}
			example := strings.TrimSuffix(filepath.Base(base), filepath.Ext(base))
			if strings.Contains(string(d.HTML), "data-frames=") {
				r.drawn[example] = nil // the slider's first frame stands for its still
			}
			r.drawn[example] = append(r.drawn[example], d)
		}
	}
}

// ifThere reads a file, nil if there is none.
func ifThere(file string) []byte {
	b, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return try.Get(b, err)
}

// Drawn returns what an Example displayed.
func (r *reference) Drawn(e *doc.Example) []displayed { return r.drawn[e.Name] }

// InGallery returns the gallery's entry for an identifier, "" if it has none.
func (r *reference) InGallery(anchor string) string {
	if !slices.ContainsFunc(r.examplesOf(anchor), func(e *doc.Example) bool { return len(r.drawn[e.Name]) > 0 }) {
		return ""
	}
	return "gallery.html#" + r.Name + "." + anchor
}

// examplesOf returns the Examples of a function, type or method.
func (r *reference) examplesOf(anchor string) []*doc.Example {
	for _, f := range r.Funcs {
		if f.Name == anchor {
			return f.Examples
		}
	}
	for _, t := range r.Types {
		if t.Name == anchor {
			return t.Examples
		}
		for _, f := range t.Funcs {
			if f.Name == anchor {
				return f.Examples
			}
		}
		for _, m := range t.Methods {
			if t.Name+"."+m.Name == anchor {
				return m.Examples
			}
		}
	}
	return nil
}

// A group of the gallery is a paragraph of a package's index by task: what one wants.
type group struct {
	Anchor, Title string
	Items         []item
}

// An item is one of its lines, with what it leads to.
type item struct {
	Text    template.HTML
	Entries []entry
}

// An entry is a function, type or method whose Examples displayed something.
type entry struct {
	Reference    *reference
	Anchor, Link string
	Synopsis     string
	Examples     []*doc.Example
}

// entry returns the entry of an identifier, and whether it has one.
func (r *reference) entry(anchor string) (entry, bool) {
	link, ok := r.all.link(r.Name, anchor)
	e := entry{Reference: r, Anchor: anchor, Link: link, Synopsis: r.synopses[anchor]}
	for _, x := range r.examplesOf(anchor) {
		if len(r.drawn[x.Name]) > 0 {
			e.Examples = append(e.Examples, x)
		}
	}
	return e, ok && e.Examples != nil
}

// groups returns the gallery's part of a package: its index by task, as far as Examples displayed
// something. What shows all results, Show, comes last.
func (r *reference) groups() []group {
	var list []group
	seen := map[string]bool{"Show": true}
	in := false
	for _, block := range r.Parser().Parse(r.Doc).Content {
		switch b := block.(type) {
		case *comment.Heading:
			in = plainText(b.Text) == "Index by task"
		case *comment.Paragraph:
			if title := plainText(b.Text); in {
				list = append(list, group{Anchor: r.Name + "-" + strings.ReplaceAll(title, " ", "-"), Title: title})
			}
		case *comment.List:
			if !in || list == nil {
				continue
			}
			g := &list[len(list)-1]
			for _, li := range b.Items {
				var it item
				for _, content := range li.Content {
					p, ok := content.(*comment.Paragraph)
					if !ok {
						continue
					}
					it.Text += r.HTML("", plainDoc(p.Text))
					for _, t := range p.Text {
						l, ok := t.(*comment.DocLink)
						if !ok || l.ImportPath != "" {
							continue
						}
						anchor := strings.TrimPrefix(l.Recv+"."+l.Name, ".")
						if e, ok := r.entry(anchor); ok && !seen[anchor] {
							it.Entries = append(it.Entries, e)
						}
						seen[anchor] = true
					}
				}
				if it.Entries != nil {
					g.Items = append(g.Items, it)
				}
			}
		}
	}
	if e, ok := r.entry("Show"); ok {
		list = append(list, group{Anchor: r.Name + "-any-result", Title: "I have any result and want its table", Items: []item{{Entries: []entry{e}}}})
	}
	return slices.DeleteFunc(list, func(g group) bool { return g.Items == nil })
}

// plainText returns a text without its links.
func plainText(texts []comment.Text) string {
	var b strings.Builder
	for _, t := range texts {
		switch t := t.(type) {
		case comment.Plain:
			b.WriteString(string(t))
		case comment.Italic:
			b.WriteString(string(t))
		case *comment.DocLink:
			b.WriteString(plainText(t.Text))
		case *comment.Link:
			b.WriteString(plainText(t.Text))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// plainDoc returns a text as a comment has it, with its links.
func plainDoc(texts []comment.Text) string {
	var b strings.Builder
	for _, t := range texts {
		if l, ok := t.(*comment.DocLink); ok {
			b.WriteString("[" + plainText(l.Text) + "]")
		} else {
			b.WriteString(strings.ReplaceAll(plainSpaced(t), "\n", " "))
		}
	}
	return b.String()
}

func plainSpaced(t comment.Text) string {
	if p, ok := t.(comment.Plain); ok {
		return string(p)
	}
	return plainText([]comment.Text{t})
}

// missing returns what draws, or makes a table, and is not in the gallery: functions that return a
// plot, a figure or a table, and the layers of plots.
func (r *reference) missing(groups []group) []string {
	has := map[string]bool{}
	for _, g := range groups {
		for _, i := range g.Items {
			for _, e := range i.Entries {
				has[e.Anchor] = true
			}
		}
	}
	var names []string
	want := func(name string) {
		if !has[name] {
			names = append(names, r.Name+"."+name)
		}
	}
	funcs := slices.Clone(r.Funcs)
	for _, t := range r.Types {
		funcs = append(funcs, t.Funcs...)
		if r.layers[t.Name] {
			want(t.Name)
		}
	}
	for _, f := range funcs {
		if results := f.Decl.Type.Results; results != nil && draws(results.List[0].Type) {
			want(f.Name)
		}
	}
	slices.Sort(names)
	return names
}

// draws tells whether a type is a plot, a figure or a table.
func draws(result ast.Expr) bool {
	star, ok := result.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch t := star.X.(type) {
	case *ast.Ident:
		return slices.Contains([]string{"Figure", "InteractiveFigure", "Table"}, t.Name)
	case *ast.SelectorExpr:
		return slices.Contains([]string{"Plot", "Figure", "InteractiveFigure", "Table"}, t.Sel.Name)
	}
	return false
}

// writeGallery writes the page of figures and tables.
func (s *site) writeGallery() {
	var groups []group
	var missing []string
	for _, name := range drawing {
		g := s.docs[name].groups()
		missing = append(missing, s.docs[name].missing(g)...)
		groups = append(groups, g...)
	}
	if missing != nil && s.gallery == "" {
		try.Fail(fmt.Errorf("no Example shows what these draw, so that the gallery has no picture of it: %s\n"+
			"plotting.Show in the Example, and a line of the package's index by task, put it there", strings.Join(missing, ", ")))
	}
	f := s.frame("gallery.html", "gallery")
	for _, g := range groups {
		f.Contents = append(f.Contents, section{Level: 2, Anchor: "#" + g.Anchor, Title: template.HTML(template.HTMLEscapeString(g.Title))})
		for _, i := range g.Items {
			for _, e := range i.Entries {
				s.figures = append(s.figures, foundEntry{"figure", e.Anchor, "gallery.html#" + e.Reference.Name + "." + e.Anchor, e.Synopsis})
			}
		}
	}
	s.execute("gallery.html", "gallery.html", map[string]any{"Frame": f, "Groups": groups})
}
