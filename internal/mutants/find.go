package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mutation replaces bytes of a file.
type mutation struct {
	pkg, file, function string // the package is a folder
	line, from, end     int
	old, to             string
	stored              bool
	equivalent          string // why no test can notice it
}

// String tells where it is and what it does.
func (m *mutation) String() string {
	s := fmt.Sprintf("%s:%d\t%s\t%s  ->  %s", m.file, m.line, m.function, oneLine(m.old), oneLine(m.to))
	if m.equivalent != "" {
		s += "\tequivalent: " + m.equivalent
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// readStored finds the changes that a file lists, one a line: package, function, expression, what replaces it, and why that is equivalent, if it
// is. An expression that stands in its function more than once ends with " #2" for the second, and so on.
func readStored(path string) (all []*mutation, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	packages := map[string][]*file{}
	for i, line := range strings.Split(string(text), "\n") {
		f := strings.Split(line, "\t")
		if line == "" || line[0] == '#' {
			continue
		}
		if len(f) != 4 && len(f) != 5 {
			return nil, fmt.Errorf("%s:%d has %d fields, want 4 or 5", path, i+1, len(f))
		}
		if packages[f[0]] == nil {
			if packages[f[0]], err = parse(f[0]); err != nil {
				return nil, err
			}
		}
		m := find(packages[f[0]], f[1], f[2])
		if m == nil {
			return nil, fmt.Errorf("%s:%d: %s %s has no %q", path, i+1, f[0], f[1], f[2])
		}
		if m.pkg, m.to, m.stored = f[0], f[3], true; len(f) == 5 {
			m.equivalent = f[4]
		}
		all = append(all, m)
	}
	return all, nil
}

// find returns the place of an expression or statement in a function; nil if it is not there.
func find(files []*file, name, old string) (m *mutation) {
	number := 1
	if at := strings.LastIndex(old, " #"); at >= 0 {
		if k, err := strconv.Atoi(old[at+2:]); err == nil {
			old, number = old[:at], k
		}
	}
	for _, f := range files {
		for _, decl := range f.tree.Decls {
			if function(decl) != name {
				continue
			}
			last := token.NoPos
			ast.Inspect(decl, func(n ast.Node) bool {
				if n == nil || oneLine(f.text(n)) != old || n.Pos() <= last {
					return true
				}
				if last, number = n.Pos(), number-1; number == 0 {
					m = f.mutation(name, n.Pos(), f.text(n), "")
				}
				return true
			})
		}
	}
	return m
}

// file is a parsed file.
type file struct {
	path, source string
	set          *token.FileSet
	tree         *ast.File
}

func (f *file) offset(p token.Pos) int { return int(p - f.tree.FileStart) }

func (f *file) text(n ast.Node) string { return f.source[f.offset(n.Pos()):f.offset(n.End())] }

func (f *file) mutation(function string, at token.Pos, old, to string) *mutation {
	from := f.offset(at)
	return &mutation{pkg: filepath.Dir(f.path), file: f.path, function: function, line: f.set.Position(at).Line, from: from, end: from + len(old), old: old, to: to}
}

// parse reads the files of a package without its tests.
func parse(pkg string) (files []*file, err error) {
	paths, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f := &file{path: path, source: string(source), set: token.NewFileSet()}
		if f.tree, err = parser.ParseFile(f.set, path, source, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, err
}

// function names a declaration: F, or T.F; others have no name.
func function(decl ast.Decl) string {
	f, ok := decl.(*ast.FuncDecl)
	if !ok || f.Body == nil {
		return ""
	}
	name := f.Name.Name
	if f.Recv != nil {
		ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if ok && name == f.Name.Name { // the first is the type
				name = id.Name + "." + name
			}
			return true
		})
	}
	return name
}

// mutations returns the changes of all functions in a folder and below, in packages that have tests.
func mutations(folder string) (all []*mutation, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || name == "build" || len(name) > 1 && name[0] == '.' {
			return filepath.SkipDir
		}
		if tests, _ := filepath.Glob(filepath.Join(path, "*_test.go")); len(tests) == 0 {
			return nil
		}
		files, err := parse(path)
		for _, f := range files {
			for _, decl := range f.tree.Decls {
				if name := function(decl); name != "" {
					all = append(all, f.mutate(name, decl)...)
				}
			}
		}
		return err
	})
	return all, err
}

var opposites = map[string]string{
	"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
	"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "max": "min", "min": "max", "math.Max": "math.Min", "math.Min": "math.Max",
}

// mutate returns the changes of a function. What errors and texts say, and how much room is made, is left alone.
func (f *file) mutate(name string, decl ast.Decl) (all []*mutation) {
	add := func(at token.Pos, old, to string) {
		if to != "" {
			all = append(all, f.mutation(name, at, old, to))
		}
	}
	ast.Inspect(decl.(*ast.FuncDecl).Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr:
			called := f.text(x.Fun)
			if strings.HasPrefix(called, "fmt.") || strings.HasPrefix(called, "errors.") || called == "panic" || called == "make" {
				return false
			}
			add(x.Fun.Pos(), called, opposites[called])
		case *ast.BinaryExpr:
			add(x.OpPos, x.Op.String(), opposites[x.Op.String()])
		case *ast.AssignStmt:
			add(x.TokPos, x.Tok.String(), opposites[x.Tok.String()])
		case *ast.BasicLit:
			add(x.Pos(), x.Value, otherNumber(x))
		case *ast.IndexExpr:
			if _, constant := x.Index.(*ast.BasicLit); !constant {
				add(x.Index.Pos(), f.text(x.Index), "max(0, "+f.text(x.Index)+"-1)")
			}
		}
		return true
	})
	return all
}

// otherNumber is a whole number and one, or another times 1.1; of what is no number, nothing.
func otherNumber(x *ast.BasicLit) string {
	if v, err := strconv.ParseInt(x.Value, 0, 64); x.Kind == token.INT && err == nil {
		return strconv.FormatInt(v+1, 10)
	}
	if v, err := strconv.ParseFloat(x.Value, 64); x.Kind == token.FLOAT && err == nil && v != 0 {
		return strconv.FormatFloat(1.1*v, 'g', -1, 64)
	}
	return ""
}
