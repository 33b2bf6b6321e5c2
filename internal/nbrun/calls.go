package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// goSource returns the Go file that a code cell stands for: what follows %% is
// the body of a function, and lines that speak to the kernel are left out.
func goSource(cell string) string {
	var b strings.Builder
	b.WriteString("package p;")
	end := ""
	for line := range strings.Lines(cell) {
		switch {
		case end == "" && (strings.HasPrefix(line, "%%") || strings.HasPrefix(line, "%main")):
			b.WriteString("func _() {\n")
			end = "\n}\n"
		case strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!"):
			b.WriteString("\n")
		default:
			b.WriteString(line)
		}
	}
	return b.String() + end
}

// knownImports is a program whose imports the kernel adds to cells.
const knownImports = "internal/tools/kernel/firstcell.txt"

// parse returns the notebook's cells as Go files, each with the imports of all
// and those that the kernel adds.
func (nb *notebook) parse(fset *token.FileSet, known *ast.File) []*ast.File {
	var files []*ast.File
	imports := slices.Clone(known.Decls)
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		f, err := parser.ParseFile(fset, "", goSource(string(c.Source)), 0)
		if err != nil {
			continue // a cell of another kind than Go, such as %%writefile
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				imports = append(imports, d)
			}
		}
	}
	for _, f := range files {
		f.Decls = slices.Concat(imports, f.Decls)
	}
	return files
}

// calls returns, for each notebook, what it uses of the documented packages: by
// package, the anchors of functions, methods, types, constants and variables,
// in alphabetical order. The Go command run in root finds what they import.
func calls(ctx context.Context, root string, notebooks []*notebook) ([]map[string][]string, error) {
	fset := token.NewFileSet()
	known, err := parser.ParseFile(fset, filepath.Join(root, knownImports), nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var parsed [][]*ast.File
	var paths []string
	for _, nb := range notebooks {
		files := nb.parse(fset, known)
		parsed = append(parsed, files)
		for _, f := range append(files, known) {
			for _, spec := range f.Imports {
				if p, err := strconv.Unquote(spec.Path.Value); err == nil {
					paths = append(paths, p)
				}
			}
		}
	}
	slices.Sort(paths)
	imports, err := compiled(ctx, root, fset, slices.Compact(paths))
	if err != nil {
		return nil, err
	}
	var used []map[string][]string
	for _, files := range parsed {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		// Errors are expected: the kernel adds imports, and lets a cell declare
		// again what another has declared.
		config := types.Config{Importer: imports, Error: func(error) {}}
		_, _ = config.Check("p", fset, files, info)
		used = append(used, names(info))
	}
	return used, nil
}

// names returns the identifiers of the documented packages that info uses.
func names(info *types.Info) map[string][]string {
	used := map[string][]string{}
	add := func(pkg *types.Package, name string) {
		if pkg == nil {
			return
		}
		if p := pkg.Name(); slices.Contains(packages, p) && pkg.Path() == module+"/"+packageDir(p) {
			used[p] = append(used[p], name)
		}
	}
	for _, obj := range info.Uses {
		if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			add(obj.Pkg(), obj.Name())
		}
	}
	for _, s := range info.Selections {
		recv := s.Recv()
		if p, ok := recv.(*types.Pointer); ok {
			recv = p.Elem()
		}
		if named, ok := recv.(*types.Named); ok && s.Kind() != types.FieldVal {
			add(named.Obj().Pkg(), named.Obj().Name()+"."+s.Obj().Name())
		}
	}
	for pkg := range used {
		slices.Sort(used[pkg])
		used[pkg] = slices.Compact(used[pkg])
	}
	return used
}

// compiled returns an importer of packages, and what they import, from the Go
// command's build cache.
func compiled(ctx context.Context, root string, fset *token.FileSet, paths []string) (types.Importer, error) {
	args := append([]string{"list", "-e", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, paths...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	out, err := printedBy(cmd)
	if err != nil {
		return nil, err
	}
	export := map[string]string{}
	for line := range strings.Lines(string(out)) {
		p, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		export[p] = file
	}
	return importer.ForCompiler(fset, "gc", func(p string) (io.ReadCloser, error) {
		return os.Open(export[p])
	}), nil
}

// printedBy runs a command and returns what it prints; the error has what it said.
func printedBy(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args[:min(2, len(cmd.Args))], " "), err, indent(stderr.String(), "    ", 12))
	}
	return out, nil
}

// A call as nbconvert's pages show it, colored in a cell or inside a text.
var (
	coloredCall = regexp.MustCompile(`(<span class="nx?">(\w+)</span><span class="p">\.</span>)<span class="(nx?)">(\w+)</span>`)
	inlineCode  = regexp.MustCompile(`<code>[^<]*</code>`)
	inlineCall  = regexp.MustCompile(`\b(\w+)\.([A-Z]\w*)`)
)

// linkCalls links what a page's code calls to its documentation.
func (all references) linkCalls(page []byte) []byte {
	page = coloredCall.ReplaceAllFunc(page, func(found []byte) []byte {
		m := coloredCall.FindSubmatch(found)
		link, ok := all.link(string(m[2]), string(m[4]))
		if !ok {
			return found
		}
		return fmt.Appendf(nil, `%s<a class="%s" href="%s">%s</a>`, m[1], m[3], link, m[4])
	})
	return inlineCode.ReplaceAllFunc(page, func(code []byte) []byte {
		return inlineCall.ReplaceAllFunc(code, func(found []byte) []byte {
			m := inlineCall.FindSubmatch(found)
			link, ok := all.link(string(m[1]), string(m[2]))
			if !ok {
				return found
			}
			return fmt.Appendf(nil, `<a href="%s">%s</a>`, link, found)
		})
	})
}
