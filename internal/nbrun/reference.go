package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"html/template"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const module = "github.com/regbook/regbook"

// packages are those that the site documents, and to which its pages link.
var packages = []string{"mlreg", "assess", "hier", "quantreg", "report", "rlm", "tsa", "frames", "datasets", "plotting", "lecture", "live", "plates", "exercise"}

// folders are those of packages that are not at the root.
var folders = map[string]string{"assess": "mlreg/assess", "hier": "mlreg/hier", "quantreg": "mlreg/quantreg", "report": "mlreg/report", "rlm": "mlreg/rlm", "tsa": "mlreg/tsa", "lecture": "plotting/lecture", "live": "course/live", "plates": "course/plates", "exercise": "course/exercise"}

// packageDir returns the folder of a documented package.
func packageDir(name string) string { return cmp.Or(folders[name], name) }

// A reference is the documentation of a package. Its page has an anchor for
// every exported identifier, such as FitOLS and OLS.Robust.
type reference struct {
	*doc.Package
	fset     *token.FileSet
	synopses map[string]string // by anchor
	all      references
	drawn    map[string][]displayed // what Examples displayed, by their name
	layers   map[string]bool        // types that are parts of a plot
}

// references are the documented packages by name.
type references map[string]*reference

// readReferences reads the packages below root, with the examples of their
// tests.
func readReferences(root string) (references, error) {
	all := references{}
	for _, name := range packages {
		dir := filepath.Join(root, packageDir(name))
		p, err := build.ImportDir(dir, 0)
		if err != nil {
			return nil, err
		}
		r := &reference{fset: token.NewFileSet(), synopses: map[string]string{}, all: all, layers: map[string]bool{}}
		var files []*ast.File
		for _, file := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			f, err := parser.ParseFile(r.fset, filepath.Join(dir, file), nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
			for _, d := range f.Decls { // before go/doc drops what is not exported
				if m, ok := d.(*ast.FuncDecl); ok && m.Recv != nil && m.Name.Name == "addTo" {
					if id, ok := m.Recv.List[0].Type.(*ast.Ident); ok && id.IsExported() {
						r.layers[id.Name] = true
					}
				}
			}
		}
		if r.Package, err = doc.NewFromFiles(r.fset, files, path.Join(module, packageDir(name))); err != nil {
			return nil, err
		}
		r.index()
		all[name] = r
	}
	return all, nil
}

// index fills r.synopses.
func (r *reference) index() {
	add := func(anchor, text string) { r.synopses[anchor] = r.Synopsis(text) }
	values := func(groups ...[]*doc.Value) {
		for _, v := range slices.Concat(groups...) {
			for _, spec := range v.Decl.Specs {
				s := spec.(*ast.ValueSpec)
				for _, name := range s.Names {
					add(name.Name, cmp.Or(s.Doc.Text(), s.Comment.Text(), v.Doc))
				}
			}
		}
	}
	funcs := func(prefix string, list []*doc.Func) {
		for _, f := range list {
			add(prefix+f.Name, f.Doc)
		}
	}
	values(r.Consts, r.Vars)
	funcs("", r.Funcs)
	for _, t := range r.Types {
		add(t.Name, t.Doc)
		values(t.Consts, t.Vars)
		funcs("", t.Funcs)
		funcs(t.Name+".", t.Methods)
	}
}

// link returns the address of an identifier, and whether it is documented.
func (all references) link(pkg, anchor string) (string, bool) {
	r, ok := all[pkg]
	if ok {
		_, ok = r.synopses[anchor]
	}
	return pkg + ".html#" + anchor, ok
}

// Summary is the first sentence of the package's documentation.
func (r *reference) Summary() string { return r.Synopsis(r.Doc) }

// HTML returns a doc comment, with identifiers other than its own name linked.
func (r *reference) HTML(name, text string) template.HTML {
	parsed := r.Parser().Parse(text)
	r.linkBlocks(parsed.Content, name, false)
	p := r.Printer()
	p.DocLinkURL = func(l *comment.DocLink) string {
		pkg := cmp.Or(l.ImportPath, r.ImportPath)
		if dir, ours := strings.CutPrefix(pkg, module+"/"); ours {
			return path.Base(dir) + ".html#" + strings.TrimPrefix(l.Recv+"."+l.Name, ".")
		}
		return l.DefaultURL("https://pkg.go.dev/")
	}
	p.HeadingID = func(*comment.Heading) string { return "" }
	return template.HTML(p.HTML(parsed))
}

// linkBlocks links identifiers in the text of blocks; those that are also words
// of English (Design, Expand) only in lists, for words says so.
func (r *reference) linkBlocks(blocks []comment.Block, name string, words bool) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *comment.Paragraph:
			b.Text = r.linkText(b.Text, name, words)
		case *comment.List:
			for _, item := range b.Items {
				r.linkBlocks(item.Content, name, true)
			}
		}
	}
}

var (
	identifier = regexp.MustCompile(`\b(?:(` + strings.Join(packages, "|") + `)\.)?([A-Z]\w*)(?:\.([A-Z]\w*))?`)
	camelCase  = regexp.MustCompile(`[A-Z].*[A-Z]`)
)

func (r *reference) linkText(texts []comment.Text, name string, words bool) []comment.Text {
	var linked []comment.Text
	for _, t := range texts {
		plain, ok := t.(comment.Plain)
		if !ok {
			linked = append(linked, t)
			continue
		}
		text, done := string(plain), 0
		for _, at := range identifier.FindAllStringSubmatchIndex(text, -1) {
			group := func(i int) string { return text[max(at[2*i], 0):max(at[2*i+1], 0)] }
			pkg, anchor := group(1), group(2)
			link := &comment.DocLink{Text: []comment.Text{comment.Plain(group(0))}, Name: group(2)}
			if group(3) != "" {
				link.Recv, link.Name = group(2), group(3)
				anchor += "." + group(3)
			}
			if pkg != "" {
				link.ImportPath = path.Join(module, packageDir(pkg))
			}
			_, known := r.all.link(cmp.Or(pkg, r.Name), anchor)
			if !known && group(3) != "" { // a field: its type
				link.Recv, link.Name = "", group(2)
				_, known = r.all.link(cmp.Or(pkg, r.Name), group(2))
			}
			word := pkg == "" && !camelCase.MatchString(group(0))
			ofOther := at[0] > 0 && text[at[0]-1] == '.' // ols.Leverage
			if known && anchor != name && !ofOther && (words || !word) {
				linked = append(linked, comment.Plain(text[done:at[0]]), link)
				done = at[1]
			}
		}
		linked = append(linked, comment.Plain(text[done:]))
	}
	return linked
}

// Code returns a declaration with its types linked, the names of constants and
// variables as anchors, and its comments marked.
func (r *reference) Code(decl ast.Decl) (template.HTML, error) {
	var b bytes.Buffer
	b.WriteString("package p\n")
	start := b.Len()
	if err := format.Node(&b, r.fset, decl); err != nil {
		return "", err
	}
	source := b.String()
	fset := token.NewFileSet() // the text's own positions
	file, err := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	marks := r.marks(fset, file)
	var out strings.Builder
	for _, m := range marks {
		fmt.Fprintf(&out, `%s<%s %s="%s">%s</%s>`, template.HTMLEscapeString(source[start:m.from]),
			m.tag, m.attr, template.HTMLEscapeString(m.value), template.HTMLEscapeString(source[m.from:m.to]), m.tag)
		start = m.to
	}
	out.WriteString(template.HTMLEscapeString(source[start:]))
	return template.HTML(out.String()), nil
}

// mark is an element around a part of some source.
type mark struct {
	from, to  int
	tag, attr string
	value     string
}

// marks returns the comments of a file, the names that links can lead to and the links, in order.
func (r *reference) marks(fset *token.FileSet, file *ast.File) []mark {
	var marks []mark
	add := func(n ast.Node, tag, attr, value string) {
		marks = append(marks, mark{fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset, tag, attr, value})
	}
	for _, c := range file.Comments {
		add(c, "span", "class", "comment")
	}
	skip := map[*ast.Ident]bool{file.Name: true}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CommentGroup:
			return false
		case *ast.FuncDecl:
			skip[n.Name] = true
		case *ast.TypeSpec:
			skip[n.Name] = true
		case *ast.Field:
			for _, name := range n.Names {
				skip[name] = true
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				skip[name] = true
				add(name, "span", "id", name.Name)
			}
		case *ast.SelectorExpr:
			skip[n.Sel] = true
			if x, ok := n.X.(*ast.Ident); ok {
				if link, ok := r.all.link(x.Name, n.Sel.Name); ok {
					add(n.Sel, "a", "href", link)
				}
			}
		case *ast.Ident:
			if link, ok := r.all.link(r.Name, n.Name); ok && !skip[n] {
				add(n, "a", "href", link)
			}
		}
		return true
	})
	slices.SortFunc(marks, func(a, b mark) int { return a.from - b.from })
	return marks
}

// Example returns the body of an example.
func (r *reference) Example(e *doc.Example) (string, error) {
	var b bytes.Buffer
	if err := format.Node(&b, r.fset, &printer.CommentedNode{Node: e.Code, Comments: e.Comments}); err != nil {
		return "", err
	}
	body := b.String()
	if inner, ok := strings.CutPrefix(body, "{\n"); ok {
		body = strings.TrimSuffix(inner, "}")
		body = strings.ReplaceAll("\n"+body, "\n\t", "\n")
	}
	if i := outputComment.FindStringIndex(body); i != nil {
		body = body[:i[0]]
	}
	return strings.TrimSpace(body), nil
}

var outputComment = regexp.MustCompile(`(?i)\n\s*//\s*(unordered )?output:`)
