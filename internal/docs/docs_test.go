// Package docs holds the project's pages to its code: what they call exists,
// and what they print is what is printed.
package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// maintainers are the pages for whoever changes the project.
var maintainers = []string{
	"CONTRIBUTING.md", "frames/DESIGN.md", "frames/source/DESIGN.md", "internal/nbrun/DESIGN.md", "internal/tools/DESIGN.md", "mlreg/DESIGN.md",
	"notebooks/WRITING.md",
}

var packages = []string{"mlreg", "mlreg/assess", "mlreg/hier", "mlreg/quantreg", "mlreg/report", "mlreg/rlm", "mlreg/tsa", "frames", "frames/source", "datasets", "plotting", "plotting/lecture"}

// exported returns the exported identifiers of a package, methods included.
func exported(t *testing.T, name string) map[string]bool {
	t.Helper()
	parsed, err := parser.ParseDir(token.NewFileSet(), filepath.Join(root, name), func(f fs.FileInfo) bool {
		return !strings.HasSuffix(f.Name(), "_test.go")
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, file := range parsed[filepath.Base(name)].Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && ast.IsExported(id.Name) && id.Obj != nil {
				names[id.Name] = true
			}
			if f, ok := n.(*ast.FuncDecl); ok && f.Name.IsExported() {
				names[f.Name.Name] = true
			}
			return true
		})
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every mlreg.X, frames.X, ... and every .X( that a page writes exists.
func TestNamesExist(t *testing.T) {
	all := make(map[string]bool)
	byPackage := make(map[string]map[string]bool)
	for _, name := range packages {
		ids := exported(t, name)
		byPackage[filepath.Base(name)] = ids
		for id := range ids {
			all[id] = true
		}
	}
	for _, page := range append([]string{"README.md", "COMING_FROM.md", "CHANGELOG.md", whichMethod}, maintainers...) {
		text := read(t, page)
		for _, m := range regexp.MustCompile(`\b(mlreg|frames|source|datasets|plotting|lecture)\.([A-Z]\w*)`).FindAllStringSubmatch(text, -1) {
			if !byPackage[m[1]][m[2]] {
				t.Errorf("%s: there is no %s.%s", page, m[1], m[2])
			}
		}
		for _, m := range regexp.MustCompile("`(?:ols|d|bayes|fit)\\.([A-Z]\\w*)").FindAllStringSubmatch(text, -1) {
			if !all[m[1]] {
				t.Errorf("%s: nothing has a %s", page, m[1])
			}
		}
	}
}

// The README's programs are Examples of package plotting, and the first prints
// what that prints.
func TestReadmeExample(t *testing.T) {
	readme := read(t, "README.md")
	example := func(name string) (output string) {
		_, body, _ := strings.Cut(read(t, "plotting/readme_example_test.go"), "func "+name+"() {\n")
		code, output, ok := strings.Cut(body, "\t// Output:\n")
		if !ok {
			t.Fatalf("%s has no output", name)
		}
		code = strings.NewReplacer("\t", "", "testdata/", "").Replace(code)
		if want := "```go\n" + code + "```"; !strings.Contains(strings.ReplaceAll(readme, "\t", ""), want) {
			t.Errorf("the README does not have the code\n%s", want)
		}
		return output
	}
	example("Example_ownData")
	output := example("Example")
	for line := range strings.Lines(output) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "// ")
		if strings.HasPrefix(line, "Figure:") || line == "}" {
			break
		}
		if !strings.Contains(readme, line) {
			t.Errorf("the README does not have the line\n%s", line)
		}
	}
}

// Links between pages lead somewhere. Code is none: mlreg.Load[mlreg.OLS](path).
func TestLinks(t *testing.T) {
	code := regexp.MustCompile("`[^`]*`")
	for _, page := range append([]string{"README.md", "COMING_FROM.md", whichMethod}, maintainers...) {
		for _, m := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(code.ReplaceAllString(read(t, page), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// The files and tests that the pages for maintainers name exist, and so do the functions and types
// that a row of CONTRIBUTING's two walks names behind a file, and what a page names as "`x` in `file.go`". A file is named from the root, from the folder of the page, from
// the folder of the file before it, or by its name alone.
func TestMaintainersPagesNameWhatIsThere(t *testing.T) {
	var files []string
	tests := make(map[string]bool)
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(root, func(path string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			if f.Name() == "build" || f.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		name, _ := filepath.Rel(root, path)
		files = append(files, "/"+filepath.ToSlash(name))
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range declared.FindAllStringSubmatch(read(t, name), -1) {
				tests[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := func(name string) string {
		for _, file := range files {
			if strings.HasSuffix(file, "/"+name) {
				return strings.TrimPrefix(file, "/")
			}
		}
		return ""
	}
	code, file, test := regexp.MustCompile("`([^`]+)`"), regexp.MustCompile(`^[\w/.]+\.(go|js|css|md|tsv|txt|csv|sh|R|py)$`), regexp.MustCompile(`^Test[A-Z]\w*$`)
	within := regexp.MustCompile("`(\\w+)` in\\s+`([\\w/]+\\.go)`")
	for _, page := range maintainers {
		for _, m := range within.FindAllStringSubmatch(read(t, page), -1) {
			if file := named(m[2]); file != "" && !regexp.MustCompile(`(?m)^(func|type|var|const) (\([^)]*\) )?`+m[1]+`\b`).MatchString(read(t, file)) {
				t.Errorf("%s: there is no %s in %s", page, m[1], m[2])
			}
		}
		for line := range strings.Lines(read(t, page)) {
			walk, last := strings.HasPrefix(line, "| ") && strings.Contains(line, ".go`: `"), ""
			for _, m := range code.FindAllStringSubmatch(line, -1) {
				switch name := m[1]; {
				case test.MatchString(name) && !tests[name]:
					t.Errorf("%s: there is no test %s", page, name)
				case file.MatchString(name) && named(name) == "":
					t.Errorf("%s: there is no file %s", page, name)
				case file.MatchString(name):
					if last = named(filepath.Join(filepath.Dir(last), name)); last == "" {
						last = named(name)
					}
				case walk && last != "" && !regexp.MustCompile(`(?m)^(func|type) (\([^)]*\) )?`+regexp.QuoteMeta(name)+`[(\[ ]`).MatchString(read(t, last)):
					t.Errorf("%s: there is no %s in %s", page, name, last)
				}
			}
		}
	}
}

const whichMethod = "notebooks/WHICH_METHOD.md"

// Every call that a row of "Which method when" names is in a notebook that the row links to.
func TestWhichMethodShowsItsCalls(t *testing.T) {
	link, call := regexp.MustCompile(`\]\((\d\db?_\w+\.ipynb)\)`), regexp.MustCompile("`([a-z]+\\.[A-Z]\\w*)")
	rows := 0
	for _, line := range strings.Split(read(t, whichMethod), "\n") {
		pages := link.FindAllStringSubmatch(line, -1)
		if pages == nil {
			continue
		}
		rows++
		var notebooks string
		for _, m := range pages {
			notebooks += read(t, "notebooks/"+m[1])
		}
		calls := call.FindAllStringSubmatch(line, -1)
		if calls == nil {
			t.Errorf("no call: %s", line)
		}
		for _, m := range calls {
			if !regexp.MustCompile(regexp.QuoteMeta(m[1]) + `\b`).MatchString(notebooks) {
				t.Errorf("%s is not in what this row links to: %s", m[1], line)
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows", rows)
	}
}
