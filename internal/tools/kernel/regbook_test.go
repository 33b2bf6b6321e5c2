package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
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

// An answer is what a notebook shows after a step of inJupyter.
type answer struct {
	Text, Status           string
	Outputs                []string // types of those shown, such as stdout, each run of one type once
	Error, Name, Traceback string
	Matches                []string
	Metadata               map[string]any
	Seconds                float64
}

// inJupyter takes steps as takeSteps does, and checks their answers.
func inJupyter(t *testing.T, steps []step, env ...string) []answer {
	t.Helper()
	answers := takeSteps(t, steps, env...)
	for i, s := range steps {
		if s.check != nil {
			s.check(t, s.cell, answers[i])
		}
	}
	return answers
}

// takeSteps takes steps in a session of this clone's kernel, in a folder with a go.mod of the
// user's own and without a network: see testdata/session.py.
func takeSteps(t testing.TB, steps []step, env ...string) []answer {
	t.Helper()
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
	folder := t.TempDir()
	write(t, folder, map[string]string{"go.mod": "module example.org/mine\n\ngo 1.24\n"})
	cmd := exec.Command(python, "testdata/session.py", "regbook", folder)
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+kernels, "GOPROXY=off", "JUPYTER_RUNTIME_DIR="+t.TempDir())
	cmd.Env = append(cmd.Env, env...)
	asked := make([]map[string]string, len(steps))
	for i, s := range steps {
		asked[i] = map[string]string{s.kind: s.cell}
	}
	cmd.Stdin = bytes.NewReader(must(json.Marshal(asked)))
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	var answers []answer
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(steps) {
		t.Fatalf("%v\n%s", err, out)
	}
	return answers
}

// A step is a cell that is run, completed or asked about, and what its answer must be.
type step struct {
	kind, cell string
	check      func(t *testing.T, cell string, a answer)
}

func runs(cell string, check func(t *testing.T, cell string, a answer)) step {
	return step{"run", cell, check}
}

// prints holds all that a cell shows to a text.
func prints(want string) func(*testing.T, string, answer) {
	return func(t *testing.T, cell string, a answer) {
		t.Helper()
		if a.Text != want || a.Error != "" {
			t.Errorf("%s\nprinted %q%s, want %q", cell, a.Text, a.Error, want)
		}
	}
}

// shows looks for words in what a cell shows.
func shows(words ...string) func(*testing.T, string, answer) {
	return func(t *testing.T, cell string, a answer) {
		t.Helper()
		if a.Error != "" {
			t.Errorf("%s\nfailed with %s%s", cell, a.Text, a.Error)
		}
		for _, want := range words {
			if !strings.Contains(a.Text, want) {
				t.Errorf("%s\nprinted %s, want %s", cell, a.Text, want)
			}
		}
	}
}

// fails looks for words in a cell's error.
func fails(words ...string) func(*testing.T, string, answer) {
	return func(t *testing.T, cell string, a answer) {
		t.Helper()
		if a.Error == "" {
			t.Errorf("%s\nis no error", cell)
		}
		for _, want := range words {
			if !strings.Contains(a.Error, want) {
				t.Errorf("%s\nfailed with %s, want %s", cell, a.Error, want)
			}
		}
	}
}

// offers looks for names among those that TAB offers.
func offers(cell string, names ...string) step {
	return step{"complete", cell, func(t *testing.T, cell string, a answer) {
		t.Helper()
		for _, want := range names {
			if !slices.Contains(a.Matches, want) {
				t.Errorf("%s: offers %d names, not %s", cell, len(a.Matches), want)
			}
		}
	}}
}

// offersFirst holds what TAB offers first to names.
func offersFirst(cell string, names ...string) step {
	return step{"complete", cell, func(t *testing.T, cell string, a answer) {
		t.Helper()
		if first := a.Matches[:min(len(names), len(a.Matches))]; !slices.Equal(first, names) {
			t.Errorf("%s: offers %q first, want %q", cell, first, names)
		}
	}}
}

// BenchmarkFirstTab is how long the first TAB takes, five seconds after the kernel is there.
func BenchmarkFirstTab(b *testing.B) {
	var seconds float64
	for range b.N {
		answers := takeSteps(b, []step{{kind: "wait", cell: "5"}, {kind: "complete", cell: "%%\nmlreg."}})
		if len(answers[1].Matches) == 0 {
			b.Fatal("TAB offers nothing")
		}
		seconds += answers[1].Seconds
	}
	b.ReportMetric(seconds/float64(b.N), "s/TAB")
}

// In Jupyter: the first cell of a notebook imports and uses the packages; TAB completes
// before the first cell, after a point, and before a package is imported.
func TestInJupyter(t *testing.T) {
	const fit = "%%\nd := must.M1(frames.Design(datasets.Prostate(), \"lpsa ~ lcavol\"))\nols := must.M1(mlreg.FitOLS(d, nil))\n"
	inJupyter(t, []step{
		offers("%%\nplotting.", "Show"),
		runs("import \"github.com/regbook/regbook/mlreg\"\n\n%%\nfmt.Println(mlreg.ErrNoData)", shows("no observations")),
		runs(fit+"plotting.Show(ols)", shows("OLS fit of lpsa")),
		offers(fit+"ols.", "Anova", "Predict"),
		offers(fit+"ols.Pre", "Predict"),
		offers(fit+"fmt.Println(d.|)", "NObs"),
		runs("!go list -m", shows("example.org/mine")),
		runs("%%\nfmt.Println(noSuchPackage.X)", fails()),
		// A variable is computed where it is declared, and in cells that use it.
		runs("var slow, _ = func() (int, error) { fmt.Println(\"computed\"); return 7, nil }()\n\nvar fast = slow + 1", shows("computed\n")),
		runs("func thrice() int { return 3 * fast }", prints("")),
		// A cell that only declares is compiled, but does not run.
		runs("func wrong() int { return \"text\" }", fails()),
		runs("%%\nfmt.Println(thrice())", prints("computed\n24\n")),
		runs("type number int\n\nfunc (number) twice() int { return 2 * fast }\n\nvar _ = fmt.Sprint()", prints("computed\n")),
		runs("%%\nfmt.Println(\"unused\")", prints("unused\n")),
		runs("%%\nfmt.Println(number(0).twice())", prints("computed\n16\n")),
		runs("func init_ready() { fmt.Println(\"ready\") }", prints("ready\n")),
	})
}

// TAB and hover tell something in a cell that is being typed, and lead nowhere that is not there.
func TestTyping(t *testing.T) {
	asks := func(cell, want, not string) step {
		return step{"inspect", cell, func(t *testing.T, cell string, a answer) {
			if !strings.Contains(a.Text, want) || not != "" && strings.Contains(a.Text, not) {
				t.Errorf("%s: tells %s", cell, a.Text)
			}
		}}
	}
	inJupyter(t, []step{
		offersFirst("%%\nols := must.M1(mlreg.FitOLS(nil, &mlreg.OLSSettings{|}))", "Aliased", "Sigma2"),
		offersFirst("%%\nols := must.M1(mlreg.FitOLS(nil, &mlreg.OLSSettings{", "Aliased", "Sigma2"),
		offersFirst("%%\nols := must.M1(mlreg.FitOLS(nil, &mlreg.OLSSettings{\n\tA|\n}))\nplotting.Show(ols)", "Aliased"),
		offersFirst("%%\nfor i := range 3 {\n\tfmt.Println(mlreg.FitOL", "FitOLS"),
		offersFirst("var x = mlreg.FitO", "FitOLS"),
		offersFirst("var x = must.M1(mlreg.FitO", "FitOLS"),
		offers("var x = mlreg.", "FitOLS"),
		asks("%%\nmlreg.FitO|LS(nil, nil)", "FitOLS minimizes", "pkg.go.dev"),
		asks("%%\nstrings.TrimS|pace(\"\")", "pkg.go.dev/strings#TrimSpace", ""),
	})
}

// TAB tells the kind and the signature of each name that it offers, in their order.
func TestKinds(t *testing.T) {
	kinds := func(cell string, want ...string) step {
		return step{"complete", cell, func(t *testing.T, cell string, a answer) {
			t.Helper()
			told, _ := a.Metadata["_jupyter_types_experimental"].([]any)
			if len(told) != len(a.Matches) {
				t.Fatalf("%s: offers %d names, and tells of %d", cell, len(a.Matches), len(told))
			}
			var got []string
			for i, m := range told {
				m := m.(map[string]any)
				if m["text"] != a.Matches[i] {
					t.Errorf("%s: name %d is %s, and %s is told of", cell, i, a.Matches[i], m["text"])
				}
				got = append(got, fmt.Sprint(m["text"], " ", m["type"], " ", m["signature"]))
			}
			for _, w := range want {
				if !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, w) }) {
					t.Errorf("%s: tells %q, not %s", cell, got, w)
				}
			}
		}}
	}
	inJupyter(t, []step{
		kinds("%%\nmlreg.", "FitOLS function (data ", "OLSSettings class struct", "ErrNoData instance error"),
		kinds("%%\nmlreg.FitL", "FitLasso function"),
		kinds("%%\n_ = &mlreg.OLSSettings{", "Sigma2 property float64"),
		kinds("%%\nfram", "frames module"),
	})
}

// Hover has the sentence of the documentation first, or below one line of signature: in plain text, too, which Notebook 6
// and JupyterLab's completer show. The latter asks of a cell that ends at the name.
func TestHover(t *testing.T) {
	asks := func(cell, signature, sentence string) step {
		return step{"inspect", cell, func(t *testing.T, cell string, a answer) {
			t.Helper()
			lines := strings.Split(strings.ReplaceAll(a.Status, "\n\n", "\n"), "\n")
			if signature != "" && strings.HasPrefix(lines[0], signature) {
				lines = lines[1:]
			}
			if !strings.HasPrefix(lines[0], sentence) || strings.Contains(a.Status, "```") || !strings.Contains(a.Text, sentence) {
				t.Errorf("%s: tells %s", cell, a.Status)
			}
		}}
	}
	inJupyter(t, []step{
		asks("%%\nmlreg.FitO|LS(nil, nil)", "func mlreg.FitOLS(", "FitOLS minimizes"),
		asks("%%\nold := must.M1(frames.Where", "func frames.Where(", "Where "),
		asks("%%\nplotting.Sho|w(1)", "func plotting.Show(", "Show "),
		asks("%%\nvar ols *mlreg.OLS\nplotting.Show(ols.Anova", "func (f *mlreg.OLS) Anova(", "Anova "),
		asks("%%\n_ = &mlreg.OLSSet|tings{}", "", "OLSSettings "),
	})
}

// TAB and hover survive ten imports, each of which changes go.mod, and fifty cells.
func TestCompletionSurvivesImports(t *testing.T) {
	packages := []struct{ path, use string }{ // of modules that the kernel itself is built with, so that they are at hand
		{"github.com/fatih/camelcase", `camelcase.Split("aB")`}, {"github.com/fatih/structtag", `structtag.Tags{}`},
		{"github.com/google/go-cmp/cmp", `cmp.Equal(1, 1)`}, {"github.com/gofrs/uuid", `uuid.Nil`},
		{"github.com/yosida95/uritemplate/v3", `uritemplate.MustNew("a").Raw()`}, {"go.uber.org/multierr", `multierr.Combine()`},
		{"mvdan.cc/xurls/v2", `xurls.Relaxed()`}, {"github.com/BurntSushi/toml", `toml.Key{}`},
		{"github.com/segmentio/asm/base64", `base64.StdEncoding`}, {"github.com/google/jsonschema-go/jsonschema", `jsonschema.Schema{}.Title`},
	}
	f := must(modfile.Parse("go.mod", must(os.ReadFile("../go.mod")), nil))
	var steps []step
	for i, p := range packages {
		for _, r := range f.Require {
			if p.path == r.Mod.Path || strings.HasPrefix(p.path, r.Mod.Path+"/") {
				steps = append(steps, runs("!*go mod edit -require="+r.Mod.String(), prints("")))
			}
		}
		steps = append(steps,
			runs(fmt.Sprintf("import %q", p.path), prints("")),
			runs(fmt.Sprintf("var v%d = %d", i, i), prints("")),
			runs(fmt.Sprintf("var df%d = datasets.Prostate()", i), prints("")),
			runs("%%\nfmt.Print("+p.use+")", shows()),
			offers(fmt.Sprintf("%%%%\ndf%d.", i), "Nrow"),
			offers("%%\nmlreg.Fit", "FitOLS"))
	}
	inJupyter(t, steps, "GOSUMDB=off")
}

// block holds the whole of a cell's error to a text, with lines after it that matter less.
func block(outputs []string, want string) func(*testing.T, string, answer) {
	return func(t *testing.T, cell string, a answer) {
		t.Helper()
		if a.Traceback != want || !slices.Equal(a.Outputs, append(outputs, "error")) {
			t.Errorf("%s\nshows %q and the error\n%s\nwant\n%s", cell, a.Outputs, a.Traceback, want)
		}
	}
}

const mustSays = "write must.M1(...) around the call: it also returns an error"

// An error is one block: cell, line, caret, message, cure.
func TestErrors(t *testing.T) {
	inJupyter(t, []step{
		runs("%%\nd := frames.Design(datasets.Prostate(), \"lpsa ~ age\")\nfmt.Println(d)", block(nil, `Cell[1]: Line 2
    d := frames.Design(datasets.Prostate(), "lpsa ~ age")
         ^
assignment mismatch: 1 variable but frames.Design returns 2 values; write must.M1(...) around the call: it also returns an error`)),
		runs("%%\nfmt.Println(strconv.Itoa(strconv.Atoi(\"3\")))", block(nil, `Cell[2]: Line 2
    fmt.Println(strconv.Itoa(strconv.Atoi("3")))
                             ^
too many arguments in call to strconv.Itoa; write must.M1(...) around the call: it also returns an error
	have (int, error)
	want (int)`)),
		runs("var a = 1\nfmt.Println(a)", block(nil, `Cell[3]: Line 2
    fmt.Println(a)
    ^
expected declaration, found fmt; put %% on a line above the statements of the cell`)),
		// What the cell declares above its error is there.
		runs("%%\nfmt.Println(a)", prints("1\n")),
		runs("%%\nfmt.Println(\"before\")\nd := must.M1(frames.Design(datasets.Prostate(), \"lpsa ~ agee\"))\nfmt.Println(d)", block([]string{"stdout"}, `Cell[5]: Line 3
    d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ agee"))
         ^
frames: no column "agee" in the data; did you mean "age"?
    lpsa ~ agee
           ^^^^`)),
		runs("func pick(x []int) int { return x[3] }", prints("")),
		runs("%%\nfmt.Fprintln(os.Stderr, \"warned\")\nfmt.Println(pick(nil))", block([]string{"stderr"}, `Cell[6]: Line 1, called from Cell[7]: Line 3
    func pick(x []int) int { return x[3] }
runtime error: index out of range [3] with length 0`)),
		runs("%%\nlog.Fatal(\"dead\")", block([]string{"stderr"}, "exit status 1")),
		// A text like that of a death is passed on if the program lives.
		runs("%%\nfmt.Fprintln(os.Stderr, \"panic: none\")", prints("panic: none\n")),
		// Good declarations of a cell that fails are kept, old ones stay, and what names a bad one goes.
		runs("var kept = 1", prints("")),
		runs("func good() int { return 3 }\n\nvar kept = \"text\" + 1\n\nvar w = good()\n\nvar v = kept + 1", fails("mismatched types")),
		runs("%%\nfmt.Println(w, good(), kept)", prints("3 3 1\n")),
		runs("%%\nfmt.Println(v)", fails("undefined: v; no cell that ran declares v")),
		runs("%%\nfmt.Println(mlreg.RSquared)", fails("undefined: mlreg.RSquared; %which RSquared looks for what it is called here")),
		runs("%%\nfmt.Println(strings.Repeat(strconv.Atoi(\"3\")))", fails("value of interface type error) as int value", mustSays)),
		runs("%%\nfmt.Println(datasets.Prostate().Head(5))", fails("no field or method Head); %which Head looks for what it is called here")),
	})
}

// What is declared again replaces what has its name, and nothing else.
func TestRedeclare(t *testing.T) {
	inJupyter(t, []step{
		runs("var k = 1", prints("")),
		runs("const k = 2", prints("")),
		runs("%%\nfmt.Println(k)", prints("2\n")),
		runs("%rm k", prints(". removed const k\n")),
		runs("%%\nfmt.Println(k)", fails("undefined: k")),
		runs("const (\n\tc0 = iota\n\tc1\n\tc2\n)", prints("")),
		runs("var c1 = \"text\"", prints("")),
		runs("const c0 = 7", prints("")),
		runs("%%\nfmt.Println(c0, c1, c2)", prints("7 text 2\n")),
		runs("var p, err = strconv.Atoi(\"7\")", prints("")),
		runs("var q, err = strconv.Atoi(\"8\")", prints("")),
		runs("%rm err", prints(". removed var err\n")),
		runs("%%\nfmt.Println(p, q)", prints("7 8\n")),
		runs("type number int\n\nfunc (n number) double() number { return 2 * n }", prints("")),
		runs("func number() int { return 1 }", prints("")),
		runs("%%\nfmt.Println(number())", prints("1\n")),
		runs("var _ = func() int { fmt.Println(\"once\"); return 0 }()", prints("once\n")),
	})
}

// The last line below %% shows itself.
func TestLastLine(t *testing.T) {
	inJupyter(t, []step{
		runs("var d = must.M1(frames.Design(datasets.Prostate(), \"lpsa ~ lcavol\"))\n\nvar ols = must.M1(mlreg.FitOLS(d, nil))", prints("")),
		runs("%%\nols", shows("OLS fit of lpsa")),
		runs("%%\nx := 2\nx * 21", prints("42")),
		runs("%%\nmust.M1(frames.Design(datasets.Prostate(), \"lpsa ~ age\"))", shows("Design of lpsa")),
		runs("%%\nmust.M1(frames.Design(datasets.Prostate(), \"lpsa ~ agee\"))", fails("no column \"agee\"")),
		runs("%%\nfmt.Sprint(\"a call is no value to show\")", prints("")),
		runs("%%\nfmt.Println(1)", prints("1\n")),
		runs("%%\nols.Coef()", prints("note: what ols.Coef returns is not shown: plotting.Show(ols.Coef(...)) shows it\n")),
		runs("%%\nols.Anova()", prints("note: what ols.Anova returns is not shown: must.M1(ols.Anova(...)) shows it\n")),
		runs("%%\nframes.Where(datasets.Prostate(), \"agee > 1\")", shows("note: frames.Where returned an error, which is dropped: frames: no column \"agee\"")),
		runs("%%\nio.WriteString(os.Stdout, \"a\")", prints("a")),
		runs("%%\nmlreg.Save(\"ols.fit\", ols)", prints("")),
		runs("%%\nvar wg sync.WaitGroup\nwg.Wait()", prints("")),
		runs("%%\nols.Coef", fails("is a function")),
		runs("%%\nolss", block(nil, "Cell[15]: Line 2\n    olss\n    ^\nundefined: olss; no cell that ran declares olss: run the one that does, or import its package")),
		runs("func main() {\n\tols\n}", fails("is not used")),
	})
}

// A reader is told, once, of what surprises.
func TestNotes(t *testing.T) {
	const slow = "note: slow took"
	inJupyter(t, []step{
		runs("func read(name string) (*frames.CSV, error) {\n\ttime.Sleep(600 * time.Millisecond)\n\treturn frames.ReadCSV(name, nil)\n}", prints("")),
		runs("%%writefile f.csv\na,b\n1,2", nil),
		runs("var slow = must.M1(read(\"f.csv\"))", prints("")),
		runs("%%\nfmt.Println(slow.Frame.Nrow())", shows(slow, "var slow = must.M1(plotting.Keep(\"slow\", func() (*frames.CSV, error) { return read(\"f.csv\") }, plotting.File(\"f.csv\")))\n")),
		runs("%%\nfmt.Println(slow.Frame.Nrow())", prints("1\n")),
		runs("var slow = must.M1(plotting.Keep(\"slow\", func() (*frames.CSV, error) { return read(\"f.csv\") }, plotting.File(\"f.csv\")))", prints("")),
		runs("%%\nfmt.Println(slow.Frame.Nrow())", prints("1\n")),
		runs("var k = 1", prints("")),
		runs("%%\nk++\nfmt.Println(k)", shows("2\n", "note: k has another value in this cell only")),
		runs("%%\nk++\nfmt.Println(k)", prints("2\n")),
		runs("%%\ngo func() { time.Sleep(time.Hour) }()", shows("note: a goroutine of this cell was still running")),
		runs("%%\nvar wg sync.WaitGroup\nwg.Go(func() { fmt.Println(\"in\") })\nwg.Wait()", prints("in\n")),
		runs("import \"github.com/janpfeifer/gonb/cache\"\n\n%%\nfmt.Println(cache.Cache(\"n\", func() int { return 3 }))", shows("3\n")),
		runs("%%\nfmt.Println(cache.Cache(\"df\", datasets.Prostate).Nrow())", fails("plotting.Keep")),
	}, "XDG_CACHE_HOME="+cacheHome(t), "TMPDIR="+t.TempDir())
}

// cacheHome is a folder for what cells keep, with the build cache of the user's.
func cacheHome(t *testing.T) string {
	dir := t.TempDir()
	out := must(exec.Command("go", "env", "GOCACHE").Output())
	if err := os.Symlink(strings.TrimSpace(string(out)), filepath.Join(dir, "go-build")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A program that is run by nbrun, where nobody reads notes, has none.
func TestNoNotes(t *testing.T) {
	const program = "package main\n\nvar k = f()\n\nfunc main() {\n\tflag.Parse()\n\tk++\n\tgo f()\n\tk\n}\n"
	full, shown := extended([]byte(program))
	for _, want := range []string{"regbookTimed(", "regbookChanged(", "regbookRunning(", "regbook_plotting.Show("} {
		if !strings.Contains(string(full), want) {
			t.Errorf("no %s in\n%s", want, full)
		}
	}
	if !strings.Contains(string(shown), "regbook_plotting.Show(/*line :9:2*/k)") || strings.Contains(string(shown), "regbookTimed(") {
		t.Errorf("with what it shows only:\n%s", shown)
	}
	t.Setenv(noNotesEnv, "1")
	if again, _ := extended([]byte(program)); string(again) != string(shown) {
		t.Errorf("without notes:\n%s", again)
	}
}

// Cells in any order, and a million lines.
func TestHabits(t *testing.T) {
	inJupyter(t, []step{
		runs("%%\nfmt.Println(later)", fails("undefined: later")),
		runs("var later = earlier + 1", fails("undefined: earlier")),
		runs("var earlier = 1", prints("")),
		runs("var later = earlier + 1", prints("")),
		runs("var earlier = 5", prints("")),
		runs("%%\nfmt.Println(later)", prints("6\n")),
		runs("%%\nfor i := range 1_000_000 {\n\tfmt.Println(i)\n}", func(t *testing.T, cell string, a answer) {
			if !strings.HasPrefix(a.Text, "0\n1\n2\n") || !strings.HasSuffix(a.Text, "\n999998\n999999\n") || !strings.Contains(a.Text, "are not shown") || len(a.Text) > 1_000_000 {
				t.Errorf("%s\nshows %d bytes, that end in %q", cell, len(a.Text), a.Text[max(0, len(a.Text)-200):])
			}
		}),
	})
}

// The names that users of R and pandas type find ours, and TAB offers first what the indexes name.
func TestWhich(t *testing.T) {
	inJupyter(t, []step{
		runs("%which filter", shows("select rows (subset, filter, query): frames.Where")),
		runs("%find read_csv", shows("frames.ReadCSV")),
		runs("%which", shows("wants a word")),
		runs("%which nosuchword", shows("nothing has")),
		offersFirst("%%\nframes.", "ReadCSV", "ParseCSV", "CSVSettings"),
		offersFirst("%%\nmlreg.", "NewDesign"),
		offersFirst("%%\nmlreg.FitL", "FitLasso", "FitLassoPath", "FitLARS"),
	})
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
