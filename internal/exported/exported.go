// Package exported lists what a package's source declares, for the tests that try all
// of it.
package exported

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Parse returns the syntax of the Go files of a folder, with comments, those of tests left
// out.
func Parse(dir string) ([]*ast.File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Files is Parse for a test.
func Files(t testing.TB, dir string) []*ast.File {
	t.Helper()
	files, err := Parse(dir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Functions returns the exported functions of a folder, methods left out.
func Functions(t testing.TB, dir string) []*ast.FuncDecl {
	t.Helper()
	var functions []*ast.FuncDecl
	for _, f := range Files(t, dir) {
		for _, decl := range f.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.IsExported() {
				functions = append(functions, d)
			}
		}
	}
	return functions
}

// Plain returns the names of the exported functions without type parameters.
func Plain(t testing.TB, dir string) (names []string) {
	t.Helper()
	for _, d := range Functions(t, dir) {
		if d.Type.TypeParams == nil {
			names = append(names, d.Name.Name)
		}
	}
	return names
}
