package main

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A program is a notebook's code as one Go program, which runs cells one after the
// other. As in the kernel it holds only those declarations that the cells it runs
// need.
type program struct {
	parts   []*part             // by cell; nil for cells that are not Go
	decls   map[string][]*piece // what cells declare, by name; methods by that of their type
	imports map[string]string   // import specs by the name of the package
}

// A part is the code of a cell.
type part struct {
	source string
	body   int // where what follows %% begins, len(source) if there is none
	decls  []*piece
	main   *piece
}

// A piece is a stretch of a cell's code that is kept or left out as a whole.
type piece struct {
	cell     int // index
	from, to int
	prefix   string          // before it: "var ", where it stood in a group
	names    map[string]bool // identifiers
	packages map[string]bool // see qualifiers
	node     ast.Node
	base     int // what to subtract from its positions to have those of the cell
}

var mainMark = regexp.MustCompile(`(?m)^%(%|main).*$\n?`)
var magic = regexp.MustCompile(`(?m)^[%!].*$`)

// newProgram takes the notebook's code apart. The code of cells in edited takes the
// place of theirs.
func newProgram(nb *notebook, edited map[int]string) (*program, error) {
	p := &program{decls: map[string][]*piece{}, imports: map[string]string{}}
	for i, c := range nb.Cells {
		p.parts = append(p.parts, nil)
		if c.Type != "code" {
			continue
		}
		source, ok := edited[i]
		if !ok {
			source = string(c.Source)
		}
		part := &part{source: source, body: len(source)}
		head := source
		if at := mainMark.FindStringIndex(source); at != nil {
			head, part.body = source[:at[0]], at[1]
		}
		if err := p.addDecls(i, part, blankMagic(head)); err != nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, err)
		}
		if part.body < len(source) {
			const open = "package p;func _() {"
			f, err := parser.ParseFile(token.NewFileSet(), "", open+blankMagic(source[part.body:])+"\n}", 0)
			if err != nil {
				return nil, fmt.Errorf("cell %d: %w", i+1, err)
			}
			part.main = &piece{cell: i, from: part.body, to: len(source), node: f, names: identifiers(f), packages: qualifiers(f), base: int(f.FileStart) + len(open) - part.body}
		}
		p.parts[i] = part
	}
	return p, nil
}

// blankMagic puts blanks for lines that speak to the kernel.
func blankMagic(text string) string {
	return magic.ReplaceAllStringFunc(text, func(line string) string { return strings.Repeat(" ", len(line)) })
}

func (p *program) addDecls(cell int, part *part, head string) error {
	const open = "package p;"
	f, err := parser.ParseFile(token.NewFileSet(), "", open+head, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	base := int(f.FileStart) + len(open)
	add := func(n ast.Node, prefix string, names ...string) {
		d := &piece{cell: cell, from: int(n.Pos()) - base, to: int(n.End()) - base, prefix: prefix, node: n, names: identifiers(n), packages: qualifiers(n), base: base}
		part.decls = append(part.decls, d)
		for _, name := range names {
			p.decls[name] = append(p.decls[name], d)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				ast.Inspect(d.Recv, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						name = id.Name // the last is that of the type
					}
					return true
				})
			}
			add(d, "", name)
		case *ast.GenDecl:
			var group []string
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ImportSpec:
					p.addImport(s)
				case *ast.TypeSpec:
					group = append(group, s.Name.Name)
				case *ast.ValueSpec:
					var names []string
					for _, name := range s.Names {
						names = append(names, name.Name)
					}
					if d.Tok == token.VAR {
						add(s, "var ", names...)
					} else {
						group = append(group, names...)
					}
				}
			}
			if group != nil {
				add(d, "", group...)
			}
		}
	}
	return nil
}

func (p *program) addImport(s *ast.ImportSpec) {
	importPath, _ := strconv.Unquote(s.Path.Value)
	name, spec := packageName(importPath), s.Path.Value
	if s.Name != nil && s.Name.Name != "_" {
		name, spec = s.Name.Name, s.Name.Name+" "+spec
	}
	p.imports[name] = spec
}

func identifiers(n ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names
}

// qualifiers returns the names before a point that the code does not declare itself:
// those of packages, and of what other cells declare.
func qualifiers(n ast.Node) map[string]bool {
	names, local := map[string]bool{}, map[string][]ast.Node{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		case *ast.Field:
			for _, name := range n.Names {
				local[name.Name] = nil
			}
		case *ast.AssignStmt, *ast.RangeStmt, *ast.ValueSpec:
			collect(local, n)
		}
		return true
	})
	maps.DeleteFunc(names, func(name string, _ bool) bool { _, ok := local[name]; return ok })
	return names
}

// needs returns the declarations that a cell's main needs, in the order of the cells.
func (p *program) needs(cells ...int) []*piece {
	seen := map[*piece]bool{}
	var visit func(d *piece)
	visit = func(d *piece) {
		for name := range d.names {
			for _, next := range p.decls[name] {
				if !seen[next] {
					seen[next] = true
					visit(next)
				}
			}
		}
	}
	for _, i := range cells {
		visit(p.parts[i].main)
	}
	var list []*piece
	for d := range seen {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *piece) int { return cmp.Or(a.cell-b.cell, a.from-b.from) })
	return list
}

// mains returns the cells that run something.
func (p *program) mains() []int {
	var cells []int
	for i, part := range p.parts {
		if part != nil && part.main != nil {
			cells = append(cells, i)
		}
	}
	return cells
}

// affected returns the cells whose programs have a piece in them.
func (p *program) affected(d *piece) []int {
	var cells []int
	for i, part := range p.parts {
		if part != nil && part.main != nil && (part.main == d || slices.Contains(p.needs(i), d)) {
			cells = append(cells, i)
		}
	}
	return cells
}

// cellMark stands before the output of each cell in what a program prints, and before
// what it states in the file of package ledger.
const cellMark = "\x00cell "

// runCell is in every program.
const runCell = `func markCell(cell int) (none struct{}) {
	mark := cellFmt.Sprintf("\x00cell %d\n", cell)
	cellOS.Stdout.WriteString(mark)
	if file, err := cellOS.OpenFile(cellOS.Getenv("REGBOOK_LEDGER"), cellOS.O_APPEND|cellOS.O_WRONLY, 0); err == nil {
		file.WriteString(mark)
		file.Close()
	}
	return none
}

func runCell(cell int, f func()) {
	markCell(cell)
	defer func() {
		if r := recover(); r != nil {
			cellFmt.Fprintf(cellOS.Stdout, "\x00panic %v\n", r)
		}
	}()
	f()
}
`

// compose returns the program that runs cells. What a declaration writes is marked as its cell's.
// A cell that panics does not end it.
func (p *program) compose(cells ...int) string {
	decls := p.needs(cells...)
	names := map[string]bool{}
	var body strings.Builder
	marked := -1
	for _, d := range decls {
		if d.cell != marked {
			marked = d.cell
			fmt.Fprintf(&body, "var _ = markCell(%d)\n\n", marked)
		}
		maps.Copy(names, d.packages)
		fmt.Fprintf(&body, "%s%s\n\n", d.prefix, blankMagic(p.parts[d.cell].source[d.from:d.to]))
	}
	body.WriteString("func main() {\n")
	for _, i := range cells {
		fmt.Fprintf(&body, "\trunCell(%d, cell%d)\n", i, i)
	}
	body.WriteString("}\n\n")
	for _, i := range cells {
		m := p.parts[i].main
		maps.Copy(names, m.packages)
		fmt.Fprintf(&body, "func cell%d() {\n%s\n}\n\n", i, blankMagic(p.parts[i].source[m.from:m.to]))
	}
	body.WriteString(runCell)
	var head strings.Builder
	head.WriteString("package main\n\nimport (\n\tcellFmt \"fmt\"\n\tcellOS \"os\"\n")
	for _, name := range slices.Sorted(maps.Keys(p.imports)) {
		if names[name] && p.decls[name] == nil {
			fmt.Fprintf(&head, "\t%s\n", p.imports[name])
		}
	}
	return head.String() + ")\n\n" + body.String()
}

// standard are packages of Go and gonum that notebooks may use beside those of
// knownImports, by name. The kernel's goimports finds any, in more time.
var standard = map[string]string{}

func init() {
	for _, path := range strings.Fields("bytes cmp context errors fmt image image/color io iter maps math math/big math/bits math/cmplx " +
		"math/rand/v2 os path/filepath regexp slices sort strconv strings sync time unicode " +
		"gonum.org/v1/gonum/diff/fd gonum.org/v1/gonum/integrate gonum.org/v1/gonum/optimize gonum.org/v1/gonum/stat/combin " +
		"gonum.org/v1/gonum/stat/distmv gonum.org/v1/plot/plotter gonum.org/v1/plot/vg") {
		standard[packageName(path)] = strconv.Quote(path)
	}
}

// packageName returns the name that a package of this path has by custom.
func packageName(importPath string) string {
	name := path.Base(importPath)
	if majorVersion.MatchString(name) {
		name = path.Base(path.Dir(importPath))
	}
	return name
}

var majorVersion = regexp.MustCompile(`^v\d+$`)

// addImports adds the imports that the kernel adds to the notebook's own.
func (p *program) addImports(root string) error {
	known, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, knownImports), nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	own := p.imports
	p.imports = maps.Clone(standard)
	for _, s := range known.Imports {
		p.addImport(s)
	}
	maps.Copy(p.imports, own)
	return nil
}

// compile builds the program of all cells of a notebook in dir.
func (c *course) compile(ctx context.Context, nb *notebook, dir string) (p *program, binary string, err error) {
	if p, err = newProgram(nb, nil); err != nil {
		return nil, "", err
	}
	if err := p.addImports(c.root); err != nil {
		return nil, "", err
	}
	binary, err = c.buildProgram(ctx, p.compose(p.mains()...), dir)
	return p, binary, err
}

// buildProgram compiles a program's source in dir with the flags of cells.
func (c *course) buildProgram(ctx context.Context, source, dir string) (string, error) {
	file, out := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-tags=minimal", "-gcflags=all=-dwarf=false", "-ldflags=-s -w", "-o", out, file)
	cmd.Dir = c.root
	if b, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, indent(string(b), "    ", 12))
	}
	return out, nil
}
