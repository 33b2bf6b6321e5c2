package main

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// What the kernel imports by name is what go get of package course fetches.
func TestKnownImports(t *testing.T) {
	imports := func(file string) []string {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, spec := range f.Imports {
			if host, _, _ := strings.Cut(spec.Path.Value, "/"); strings.Contains(host, ".") { // of a module
				paths = append(paths, spec.Path.Value)
			}
		}
		slices.Sort(paths)
		return paths
	}
	kernel, course := imports("../../"+knownImports), imports("../../course/course.go")
	if !slices.Equal(kernel, course) {
		t.Errorf("the kernel knows %v, package course imports %v", kernel, course)
	}
}
