package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"html"
	"maps"
	"slices"
	"strings"
)

// A fold says how the page of a notebook shows a code cell. The template page.html.j2 reads it from
// the cell's metadata.
type fold struct {
	Kind    string `json:"kind"`    // code, checks, solution, or hidden
	Summary string `json:"summary"` // HTML of the line that stays
	Badge   string `json:"badge"`   // of checks: how many passed
	Live    string `json:"live"`    // the explorable that the cell shows
	Opens   string `json:"opens"`   // HTML of the line that stays of the cells from this one on
	Closes  bool   `json:"closes"`  // whether they end with this one
}

// shortest is the number of lines of code from which on a cell folds: fewer say what they do.
const shortest = 3

// forPage returns the notebook as its page shows it: without the comments of its text, and
// with a fold in the metadata of its cells.
func (nb *notebook) forPage() *notebook {
	shown := *nb.withoutRemarks()
	shown.Cells = slices.Clone(shown.Cells)
	for i, c := range shown.Cells {
		c := *c
		if c.Type == "markdown" {
			c.Source = text(rowsRemark.ReplaceAllString(string(c.Source), "$1 [rows $2]"))
		}
		if c.Type == "code" {
			f := c.fold()
			if name := c.live(); name != "" {
				f = cmp.Or(f, &fold{})
				f.Live = name
			}
			c.setFold(f)
		}
		shown.Cells[i] = &c
	}
	foldFurther(nb.portions(), shown.Cells)
	return &shown
}

// setFold adds a fold to the metadata of the cell.
func (c *cell) setFold(f *fold) {
	if f == nil {
		return
	}
	c.Metadata = maps.Clone(c.Metadata)
	if c.Metadata == nil {
		c.Metadata = map[string]any{}
	}
	c.Metadata["regbook"] = f
}

// foldFurther folds what goes further, below its heading's cell, in the cells shown.
func foldFurther(portions []portion, shown []*cell) {
	for i := 0; i < len(portions); {
		end := i + 1
		for end < len(portions) && portions[end] == portions[i] && !shown[end].startsPortion() {
			end++
		}
		if portions[i] == further && end > i+1 {
			for _, at := range []int{i + 1, end - 1} {
				f, _ := shown[at].Metadata["regbook"].(*fold)
				f = cmp.Or(f, &fold{})
				if at == i+1 {
					f.Opens = "Read on"
				}
				f.Closes = f.Closes || at == end-1
				shown[at].setFold(f)
			}
		}
		i = end
	}
}

// fold returns how a page shows a code cell, nil for one that stays open.
func (c *cell) fold() *fold {
	source := string(c.Source)
	switch {
	case c.tagged("solution"):
		ids := "Solution"
		for i, m := range checkCall.FindAllStringSubmatch(source, -1) {
			ids += strings.Repeat(",", min(i, 1)) + " " + html.EscapeString(m[1])
		}
		return &fold{Kind: "solution", Summary: ids}
	case strings.Contains(source, "ledger.Done()"):
		passed := c.passed()
		return &fold{Kind: "checks", Summary: "What this page says, held to what it shows",
			Badge: fmt.Sprintf("%d %s pass", passed, map[bool]string{true: "check", false: "checks"}[passed == 1])}
	case c.preamble():
		return &fold{Kind: "hidden"}
	case c.tagged("open"):
		return nil
	}
	lines := 0
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "%%") {
			lines++
		}
	}
	if lines < shortest {
		return nil
	}
	summary := fmt.Sprintf(`<span class="lines">%d lines</span>`, lines)
	for i, name := range c.says() {
		if i > 0 {
			summary += ","
		}
		summary += " <code>" + html.EscapeString(name) + "</code>"
	}
	return &fold{Kind: "code", Summary: summary}
}

// preamble tells whether a cell only sets the kernel up: imports and lines that speak to it.
func (c *cell) preamble() bool {
	if len(c.Outputs) > 0 {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", goSource(string(c.Source)), 0)
	if err != nil {
		return false
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				return false
			}
		case *ast.FuncDecl:
			if d.Name.Name != "_" || len(d.Body.List) > 0 {
				return false
			}
		}
	}
	return true
}

// passed returns how many checks a cell printed as passed.
func (c *cell) passed() (n int) {
	for _, o := range c.Outputs {
		for line := range strings.Lines(string(o.Text)) {
			if strings.HasPrefix(line, "ok  ") {
				n++
			}
		}
	}
	return n
}

// unsaid are calls that say nothing about what a cell does.
var unsaid = []string{"plotting.Show", "plotting.Range", "fmt.Printf", "fmt.Println", "fmt.Sprintf", "fmt.Sprint", "fmt.Errorf"}

// says returns what a cell declares and what it calls of packages, each once, in their order, so that
// a line can stand for it: the documented packages' calls, or all if there are none.
func (c *cell) says() []string {
	f, err := parser.ParseFile(token.NewFileSet(), "", goSource(string(c.Source)), parser.SkipObjectResolution)
	if err != nil {
		first, _, _ := strings.Cut(string(c.Source), "\n")
		return []string{first}
	}
	said := slices.Concat(declaredIn(f), calledIn(f))
	seen := map[string]bool{}
	said = slices.DeleteFunc(said, func(s string) bool {
		twice := seen[s]
		seen[s] = true
		return twice
	})
	const most = 7
	if len(said) > most {
		said = append(said[:most], "…")
	}
	return said
}

// declaredIn returns what a cell declares.
func declaredIn(f *ast.File) []string {
	var declared []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name != "_" {
				declared = append(declared, "func "+d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					declared = append(declared, "type "+s.Name.Name)
				case *ast.ValueSpec:
					declared = append(declared, d.Tok.String()+" "+s.Names[0].Name)
				}
			}
		}
	}
	return declared
}

// calledIn returns the functions of our packages that a cell calls, and others if there is none.
func calledIn(f *ast.File) []string {
	var ours, others []string
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun := call.Fun
		if index, ok := fun.(*ast.IndexExpr); ok {
			fun = index.X
		}
		if id, ok := fun.(*ast.Ident); ok && types.Universe.Lookup(id.Name) == nil {
			others = append(others, id.Name) // of a cell above
		}
		if s, ok := fun.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && s.Sel.IsExported() {
				name := x.Name + "." + s.Sel.Name
				switch {
				case slices.Contains(unsaid, name) || x.Name == "must":
				case slices.Contains(packages, x.Name):
					ours = append(ours, name)
				default:
					others = append(others, name)
				}
			}
		}
		return true
	})
	if ours == nil {
		return others
	}
	return ours
}
