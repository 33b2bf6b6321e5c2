package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// regbook is this clone, and its kernel.
func regbook(t *testing.T) (root, kernel string) {
	root = must(filepath.Abs("../../.."))
	kernel = t.TempDir()
	if err := writeKernel(kernel, kernel, filepath.Join(programs, "kernel"), "Go (Regbook)", &config{Root: root}); err != nil {
		t.Fatal(err)
	}
	return root, kernel
}

// What cells use has the versions of go.mod, and the checksums of go.sum count.
func TestVersions(t *testing.T) {
	root, kernel := regbook(t)
	s := newSession(t, kernel, "GOPROXY=off")
	list := func(s *session, dir string) []string {
		out, err := s.run(t, dir, "list", "-deps", "-f", "{{with .Module}}{{if not .Replace}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		lines := strings.Split(out, "\n")
		slices.Sort(lines)
		return slices.DeleteFunc(slices.Compact(lines), func(l string) bool {
			return strings.HasPrefix(l, "gonb_test") || strings.HasPrefix(l, module) || l == ""
		})
	}
	cells := list(s, s.dir)
	pinned := map[string]bool{}
	out, err := (&session{}).run(t, root, "list", "-m", "all")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out, "\n") {
		pinned[line] = true
	}
	if len(cells) < 5 {
		t.Errorf("cells use the modules %v only", cells)
	}
	for _, m := range cells {
		if !pinned[m] {
			t.Errorf("cells use %s, which is not a version of go.mod", m)
		}
	}

	sum := filepath.Join(s.dir, "go.sum")
	b := must(os.ReadFile(sum))
	damaged := bytes.ReplaceAll(b, []byte("gonum.org/v1/gonum v0.17.0 h1:"), []byte("gonum.org/v1/gonum v0.17.0 h1:AAAA"))
	if bytes.Equal(b, damaged) {
		t.Fatal("go.sum has no line of gonum v0.17.0")
	}
	if err := os.WriteFile(sum, damaged, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := s.run(t, s.dir, "build", "-o", "cell"); err == nil || !strings.Contains(out, "gonum") {
		t.Errorf("gonum with another checksum: %v\n%s", err, out)
	}
}

// The kernel knows packages by their names, unless a cell means something else.
func TestImports(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"package main\n\nfunc main() { mlreg.X() }", "package main; import \"github.com/regbook/regbook/mlreg\"\n\nfunc main() { mlreg.X() }"},
		{"package main\n\nimport \"example.org/mlreg\"\n\nfunc main() { mlreg.X() }", ""},
		{"package main\n\nimport mlreg \"example.org/other\"\n\nfunc main() { mlreg.X() }", ""},
		{"package main\n\nvar mlreg struct{ X func() }\n\nfunc main() { mlreg.X() }", ""},
		{"package main\n\nfunc main() { mlreg := f(); mlreg.X() }", ""},
		{"package main\n\nfunc main() { unknown.X() }", ""},
		{"package main\n\nfunc main() { this does not parse", ""},
	} {
		if c.want == "" {
			c.want = c.program
		}
		if got := string(addKnown([]byte(c.program))); got != c.want {
			t.Errorf("of %s\nmade %s\nwant %s", c.program, got, c.want)
		}
	}
}

// go get is left out only if every import is at hand.
func TestSatisfied(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": "module gonb_1\n\ngo 1.24\n\nrequire " + module + " v0.0.0\n"})
	for path, want := range map[string]bool{"fmt": true, "math/rand/v2": true, module: true, module + "/mlreg": true,
		module + "x": false, "github.com/other/one": false, "gonb_1/sub": true} {
		write(t, dir, map[string]string{"main.go": "package main\n\nimport _ \"" + path + "\"\n"})
		if got := satisfied(dir); got != want {
			t.Errorf("import %q is at hand: %v, want %v", path, got, want)
		}
	}
	write(t, dir, map[string]string{"main.go": "package main\n", "main_test.go": "package main\n\nimport _ \"github.com/other/one\"\n"})
	if satisfied(dir) {
		t.Error("the imports of a test do not count")
	}
	write(t, dir, map[string]string{"go.work": "go 1.24\n"})
	if satisfied(dir) {
		t.Error("a workspace of the user's is left to go get")
	}
}

// In Jupyter: the first cell of a notebook, in a folder with a go.mod of the
// user's own and without a network, imports and uses the packages; TAB completes
// before the first cell, after a point, and before a package is imported.
func TestInJupyter(t *testing.T) {
	built := must(filepath.Abs("../../../build"))
	kernels := filepath.Join(built, "jupyter")
	python := "/usr/bin/python3"
	if exists(filepath.Join(built, "venv", "complete")) {
		python = filepath.Join(built, "venv", "bin", "python")
	}
	if !exists(filepath.Join(kernels, "kernels", "regbook", "kernel.json")) {
		t.Skip("the kernel is not built: make tools")
	}
	if err := exec.Command(python, "-c", "import jupyter_client").Run(); err != nil {
		t.Skip("no Python with jupyter_client")
	}
	const fit = "%%\nd := must.M1(frames.Design(datasets.Prostate(), \"lpsa ~ lcavol\"))\nols := must.M1(mlreg.FitOLS(d, nil))\n"
	steps := []map[string]any{
		{"complete": "%%\nplotting."},
		{"run": "import \"github.com/regbook/regbook/mlreg\"\n\n%%\nfmt.Println(mlreg.ErrNoData)"},
		{"run": fit + "plotting.Show(ols)"},
		{"complete": fit + "ols."},
		{"complete": fit + "ols.Pre"},
		{"complete": fit + "fmt.Println(d.|)"},
		{"run": "!go list -m"},
		{"run": "%%\nfmt.Println(noSuchPackage.X)"},
		{"run": "var slow, _ = func() (int, error) { fmt.Println(\"computed\"); return 7, nil }()\n\nvar fast = slow + 1"},
		{"run": "func thrice() int { return 3 * fast }"},
		{"run": "func wrong() int { return \"text\" }"},
		{"run": "%%\nfmt.Println(thrice())"},
		{"run": "type number int\n\nfunc (number) twice() int { return 2 * fast }\n\nvar _ = fmt.Sprint()"},
		{"run": "%%\nfmt.Println(\"unused\")"},
		{"run": "%%\nfmt.Println(number(0).twice())"},
		{"run": "func init_ready() { fmt.Println(\"ready\") }"},
	}
	folder := t.TempDir()
	write(t, folder, map[string]string{"go.mod": "module example.org/mine\n\ngo 1.24\n"})
	cmd := exec.Command(python, "testdata/session.py", "regbook", folder)
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+kernels, "GOPROXY=off", "JUPYTER_RUNTIME_DIR="+t.TempDir())
	cmd.Stdin = bytes.NewReader(must(json.Marshal(steps)))
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	var answers []struct {
		Text, Error, Status string
		Matches             []string
	}
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(steps) {
		t.Fatalf("%v\n%s", err, out)
	}
	offers := func(i int, want string) {
		if !slices.Contains(answers[i].Matches, want) {
			t.Errorf("%s: offers %d names, not %s", steps[i]["complete"], len(answers[i].Matches), want)
		}
	}
	prints := func(i int, want string) {
		if !strings.Contains(answers[i].Text, want) || answers[i].Error != "" {
			t.Errorf("%s\nprinted %s%s, want %s", steps[i]["run"], answers[i].Text, answers[i].Error, want)
		}
	}
	offers(0, "Show")
	prints(1, "no observations")
	prints(2, "OLS fit of lpsa")
	offers(3, "Anova")
	offers(3, "Predict")
	offers(4, "Predict")
	offers(5, "NObs")
	prints(6, "example.org/mine")
	if answers[7].Error == "" {
		t.Error("a package that does not exist is no error")
	}
	// A variable is computed where it is declared, and in cells that use it.
	prints(8, "computed\n")
	// A cell that only declares is compiled, but does not run.
	if answers[10].Error == "" {
		t.Error("a function that does not compile is no error")
	}
	for i, want := range map[int]string{9: "", 11: "computed\n24\n", 12: "computed\n", 13: "unused\n", 14: "computed\n16\n", 15: "ready\n"} {
		if answers[i].Text != want {
			t.Errorf("%s\nprinted %q%s, want %q", steps[i]["run"], answers[i].Text, answers[i].Error, want)
		}
	}
}

// make cells measures cells that are built as the kernel builds them.
func TestCellsAreMeasuredAsBuilt(t *testing.T) {
	src := string(must(os.ReadFile("../../cells/main.go")))
	for _, flag := range cellFlags {
		if flag != "-buildvcs=false" && !strings.Contains(src, "\""+flag+"\"") {
			t.Errorf("internal/cells does not build with %s", flag)
		}
	}
}
