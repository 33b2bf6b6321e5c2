package main

import (
	"go/ast"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/internal/exported"
)

// Names, levels and other texts that would move a terminal are escaped in every text and
// error of calls at random that get no others. make attack makes more calls.
func TestNamesAreEscaped(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program")
	}
	t.Chdir("../..")
	*calls, *moving, *seed, *deadline = 6000, true, 1, 5*time.Minute
	ok, err := run()
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Error("see the findings above")
	}
}

// spared are packages and functions that are not attacked, with the reason.
var spared = map[string]string{
	"course/ledger":            "its functions keep a record of the program and end it by design: Done panics where a check is off",
	"frames/source/duckdb":     "a module of its own, with cgo",
	"frames/source/parquet":    "a module of its own",
	"frames/source/sourcetest": "its function is a test of a database",
}

// Every package that a user can import is attacked, or spared for a reason.
func TestEveryPackageIsAttacked(t *testing.T) {
	t.Chdir("../..")
	known := map[string]bool{}
	for _, dir := range packages {
		known[dir] = true
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case d.Name() == "internal", d.Name() == "testdata", d.Name() == "build", d.Name() != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		path = filepath.ToSlash(path)
		if len(exported.Functions(t, path)) == 0 {
			if known[path] {
				t.Errorf("%s has no functions", path)
			}
			return nil
		}
		if why := spared[path]; known[path] == (why != "") {
			t.Errorf("%s: attacked %v, spared for the reason %q", path, known[path], why)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every function of these packages is called by the program that attacks them: the
// registry names it and the compiler takes it, for functions with type parameters at least
// for one choice of types.
func TestEveryFunctionIsCalled(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program")
	}
	t.Chdir("../..")
	text, _, _, err := compile(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range packages {
		pkg := filepath.Base(dir)
		for _, d := range exported.Functions(t, dir) {
			name := pkg + "." + d.Name.Name
			line := "\tfunction(\"" + name
			if !strings.Contains(string(text), line+`"`) && !strings.Contains(string(text), line+"[") && spared[name] == "" {
				t.Errorf("%s is not called: give its type parameters in typeArguments, or spare it for a reason", name)
			}
		}
		for _, f := range exported.Files(t, dir) {
			for _, decl := range f.Decls {
				d, ok := decl.(*ast.FuncDecl)
				if !ok || d.Recv == nil || !d.Name.IsExported() || !ast.IsExported(receiver(d)) || excluded(f) {
					continue
				}
				if name := pkg + "." + receiver(d) + "." + d.Name.Name; !strings.Contains(string(text), "\""+name+"\": ") {
					t.Errorf("the method %s is not known to the program", name)
				}
			}
		}
	}
}
