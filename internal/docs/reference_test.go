package docs

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// references are the packages whose reference is held to be complete, with the
// functions and methods ("T.M") that are in no Example, and why.
var references = []struct {
	name    string
	without map[string]string
}{
	{name: "datasets", without: map[string]string{
		"NormalNoise": "ExampleUnitNoise", "UniformNoise": "ExampleUnitNoise", "ExponentialNoise": "ExampleUnitNoise", "LaplaceNoise": "ExampleUnitNoise",
	}},
	{name: "frames"},
	{name: "mlreg"},
	{name: "mlreg/assess"},
	{name: "mlreg/hier"},
	{name: "mlreg/quantreg"},
	{name: "mlreg/report"},
	{name: "mlreg/rlm"},
	{name: "mlreg/tsa"},
	{name: "plotting", without: map[string]string{
		"Figure.Bundle": "Show calls it", "InteractiveFigure.Bundles": "Show calls it", "Markdown.Bundle": "Show calls it",
		"TextSink.Put": "Show calls it",
	}},
	{name: "plotting/lecture"},
}

// implicit are methods that fmt, errors, encoding/gob, encoding/json, report.Rows and the tables and tests of
// mlreg call.
var implicit = []string{"Tabulate", "String", "Error", "Unwrap", "GobEncode", "GobDecode", "MarshalJSON", "LikelihoodModel", "Kind"}

// Every exported identifier has a comment. The index by task, in the comment of
// the package, links to every function as [Name]. Every function has an Example
// of its own whose output is checked; every method is called in some such
// Example, as is every type used that no signature and no field leads to.
func TestReference(t *testing.T) {
	for _, r := range references {
		t.Run(r.name, func(t *testing.T) {
			pkg := load(t, r.name)
			index, used, reached := indexed(t, pkg), uses(pkg), make(map[string]bool)
			demand := func(met bool, name, missing string) {
				if !met {
					t.Errorf("%s.%s %s", r.name, name, missing)
				}
			}
			example := func(met bool, name string) {
				reason, excepted := r.without[name]
				switch {
				case !met && !excepted:
					t.Errorf("%s.%s is in no Example with output", r.name, name)
				case met && excepted:
					t.Errorf("%s.%s is in an Example: remove the exception %q", r.name, name, reason)
				}
			}
			funcs := slices.Clone(pkg.Funcs)
			for _, typ := range pkg.Types {
				funcs = append(funcs, typ.Funcs...)
				reach(reached, typ.Decl)
				for _, m := range typ.Methods {
					reach(reached, m.Decl.Type)
				}
			}
			for _, f := range funcs {
				reach(reached, f.Decl.Type)
				demand(f.Doc != "", f.Name, "has no comment")
				demand(index[f.Name], f.Name, "is not in the index")
				example(slices.ContainsFunc(f.Examples, checked), f.Name)
			}
			for _, typ := range pkg.Types {
				demand(typ.Doc != "", typ.Name, "has no comment")
				if !reached[typ.Name] {
					demand(index[typ.Name], typ.Name, "is not in the index")
					example(used[typ.Name] || slices.ContainsFunc(typ.Examples, checked), typ.Name)
				}
				for _, m := range typ.Methods {
					demand(m.Doc != "", typ.Name+"."+m.Name, "has no comment")
					if slices.Contains(implicit, m.Name) {
						continue
					}
					example(used[m.Name] || slices.ContainsFunc(m.Examples, checked), typ.Name+"."+m.Name)
				}
			}
			for _, e := range examples(pkg) {
				demand(e.Play != nil, "Example"+e.Name, "cannot be run by itself: it uses what another file or package has")
			}
			for _, values := range append(slices.Clone(pkg.Consts), pkg.Vars...) {
				demand(values.Doc != "", strings.Join(values.Names, ", "), "has no comment")
			}
		})
	}
}

// reach adds the types that a signature, or a declaration of types, is made of.
func reach(types map[string]bool, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		var part ast.Node
		switch n := n.(type) {
		case *ast.Field:
			part = n.Type
		case *ast.ArrayType:
			part = n.Elt
		default:
			return true
		}
		ast.Inspect(part, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				types[id.Name] = true
			}
			return true
		})
		return true
	})
}

// load reads a package with its Examples.
func load(t *testing.T, name string) *doc.Package {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, name, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fset, files, "github.com/regbook/regbook/"+name)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// indexed returns what the comment of a package links to, and fails for links
// that lead nowhere, which the parser leaves as text in brackets.
func indexed(t *testing.T, pkg *doc.Package) map[string]bool {
	t.Helper()
	names := make(map[string]bool)
	inText := func(texts []comment.Text) {
		for _, text := range texts {
			switch text := text.(type) {
			case *comment.DocLink:
				names[strings.TrimPrefix(text.Recv+"."+text.Name, ".")] = true
			case comment.Plain:
				for _, link := range regexp.MustCompile(`\[[A-Z][\w.]*\]`).FindAllString(string(text), -1) {
					t.Errorf("the package's comment links to %s, which does not exist", link)
				}
			}
		}
	}
	inBlocks := func(blocks []comment.Block) {
		for _, block := range blocks {
			if p, ok := block.(*comment.Paragraph); ok {
				inText(p.Text)
			}
		}
	}
	content := pkg.Parser().Parse(pkg.Doc).Content
	inBlocks(content)
	for _, block := range content {
		if list, ok := block.(*comment.List); ok {
			for _, item := range list.Items {
				inBlocks(item.Content)
			}
		}
	}
	return names
}

// checked reports whether go test holds what the Example prints against a text.
func checked(e *doc.Example) bool { return e.Output != "" }

// uses returns the names that follow a dot in the checked Examples of a package:
// its functions and types, methods and fields.
func uses(pkg *doc.Package) map[string]bool {
	names := make(map[string]bool)
	for _, e := range examples(pkg) {
		if !checked(e) {
			continue
		}
		ast.Inspect(e.Code, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				names[s.Sel.Name] = true
			}
			return true
		})
	}
	return names
}

// examples returns the Examples of a package, its functions, types and methods.
func examples(pkg *doc.Package) []*doc.Example {
	list := slices.Clone(pkg.Examples)
	for _, f := range pkg.Funcs {
		list = append(list, f.Examples...)
	}
	for _, typ := range pkg.Types {
		list = append(list, typ.Examples...)
		for _, f := range append(slices.Clone(typ.Funcs), typ.Methods...) {
			list = append(list, f.Examples...)
		}
	}
	return list
}
