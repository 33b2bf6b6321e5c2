package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/imports"
)

// goImports is goimports in a kernel: it adds to a program, and removes, what it
// imports. Names of the packages of modules that firstcell.txt imports are theirs, whatever
// is used of them, so that "mlreg." can be completed before mlreg is imported.
func goImports(args []string) error {
	write := len(args) > 0 && args[0] == "-w"
	if write {
		args = args[1:]
	}
	if len(args) != 1 {
		return fmt.Errorf("usage: goimports [-w] file.go")
	}
	src, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	out, err := imports.Process(args[0], addKnown(src), nil)
	if err != nil {
		return err
	}
	if !write {
		_, err = os.Stdout.Write(out)
		return err
	}
	return os.WriteFile(args[0], out, 0o600)
}

// known returns, by name, the paths of the packages that every cell may use
// without importing them.
func known() map[string]string {
	paths := map[string]string{}
	for _, p := range common() {
		if host, _, _ := strings.Cut(p, "/"); strings.Contains(host, ".") { // of a module
			paths[path.Base(p)] = p
		}
	}
	return paths
}

// common returns the paths of what firstcell.txt imports.
func common() []string {
	f, err := parser.ParseFile(token.NewFileSet(), "", firstCell, parser.ImportsOnly)
	if err != nil {
		panic(err)
	}
	var paths []string
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			panic(err)
		}
		paths = append(paths, p)
	}
	return paths
}

// addKnown imports the packages of known that a program names and neither
// declares nor imports. The lines of the program keep their numbers.
func addKnown(src []byte) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		return src
	}
	imported := map[string]bool{}
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			imported[path.Base(p)] = true
		}
		if spec.Name != nil {
			imported[spec.Name.Name] = true
		}
	}
	paths := known()
	var add bytes.Buffer
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		if ok && paths[x.Name] != "" && !imported[x.Name] && slices.Contains(f.Unresolved, x) {
			imported[x.Name] = true
			fmt.Fprintf(&add, "; import %q", paths[x.Name])
		}
		return true
	})
	at := fset.Position(f.Name.End()).Offset
	return slices.Concat(src[:at], add.Bytes(), src[at:])
}
