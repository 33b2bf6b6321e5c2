package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A builder is a session of a kernel whose packages are those of a small module.
type builder struct {
	*session
	t      *testing.T
	kernel string // folder
	root   string // of the module
	aged   int    // how often
}

func newBuilder(t *testing.T) *builder {
	root := clone(t, "1")
	write(t, root, map[string]string{
		"mlreg/embedded.go":     "package mlreg\n\nimport _ \"embed\"\n\n//go:embed data/text\nvar Text string\n",
		"mlreg/data/text":       "a",
		"mlreg/internal/own.go": "package internal\n\nconst Version = \"own\"\n",
	})
	kernel := t.TempDir()
	if err := writeKernel(kernel, kernel, filepath.Join(programs, "kernel"), "Go (Regbook)", &config{Root: root}); err != nil {
		t.Fatal(err)
	}
	b := &builder{session: newSession(t, kernel), t: t, kernel: kernel, root: root}
	b.env = append(b.env, stagesEnv+"="+filepath.Join(b.dir, "stages"))
	b.age()
	return b
}

// age makes all files of the packages old, and later than the last time it did: of a file that
// is younger than two seconds the next change may not show.
func (b *builder) age() {
	b.aged++
	then := time.Date(2000, 1, b.aged, 0, 0, 0, 0, time.UTC)
	err := filepath.WalkDir(b.root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(file, then, then)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// stages returns what the last build did.
func (b *builder) stages() string {
	text, err := os.ReadFile(filepath.Join(b.dir, "stages"))
	if err != nil {
		b.t.Fatal(err)
	}
	var did []string
	for line := range strings.Lines(string(text)) {
		did = append(did, line[:strings.LastIndex(line, " ")])
	}
	os.Remove(filepath.Join(b.dir, "stages"))
	return strings.Join(did, " ")
}

// prints holds what a program prints, and how it was built.
func (b *builder) prints(program, want, how string) {
	b.t.Helper()
	if got, err := b.cell(b.t, program); err != nil || got != want {
		b.t.Errorf("%s\nprinted %q, want %q (%v)", program, got, want, err)
	}
	if did := b.stages(); did != how {
		b.t.Errorf("%s\nwas built by %q, want %q", program, did, how)
	}
}

const directly = "check compile link"

// prog is a program that prints some values of the packages that it imports.
func prog(values string, imports ...string) string {
	text := "package main\n\nimport (\n\t\"fmt\"\n"
	for _, i := range imports {
		text += fmt.Sprintf("\t%q\n", i)
	}
	return text + ")\n\nfunc main() { fmt.Println(" + values + ") }\n"
}

// What only main.go changes is built without the go command, whatever of the imports
// that were built before it has.
func TestDirect(t *testing.T) {
	b := newBuilder(t)
	b.prints(prog(`1`), "1", "go")
	b.prints(prog(`2`), "2", directly)
	b.prints(prog(`2`), "2", "unchanged")
	b.prints(prog(`mlreg.Version`, module+"/mlreg"), "1", "go")
	b.prints(prog(`mlreg.Version, 3`, module+"/mlreg"), "1 3", directly)
	b.prints(prog(`3`), "3", directly)
	b.prints(prog(`strings.ToUpper("a")`, "strings"), "A", "go")
	b.prints(prog(`strings.ToUpper("b"), mlreg.Text`, "strings", module+"/mlreg"), "B a", directly)
	b.prints(prog(`strconv.Quote("c"), unicode.IsUpper('D')`, "strconv", "unicode"), `"c" true`, directly) // fmt and strings import these
	b.prints(prog(`5`), "5", directly)
	if err := os.WriteFile(filepath.Join(b.dir, "cell"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	b.prints(prog(`5`), "5", directly)
	if entries := must(os.ReadDir(b.dir)); slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".build") }) {
		t.Error("temporary files are left")
	}
}

// A program for os.DevNull is compiled only, and by the go command if nothing is known of it.
func TestCompiledOnly(t *testing.T) {
	b := newBuilder(t)
	b.prints(prog(`1`), "1", "go")
	compile := func(program, how string) (output string, err error) {
		write(t, b.dir, map[string]string{"main.go": program})
		output, err = b.run(t, b.dir, "build", "-o", os.DevNull)
		if did := b.stages(); did != how {
			t.Errorf("%s\nwas built by %q, want %q", program, did, how)
		}
		return output, err
	}
	before := must(os.ReadFile(filepath.Join(b.dir, "cell")))
	if out, err := compile(prog(`2`), "check compile"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !bytes.Equal(before, must(os.ReadFile(filepath.Join(b.dir, "cell")))) {
		t.Error("a program was linked")
	}
	if out, err := compile(prog(`"text" + 1`), "check"); err == nil || !strings.Contains(out, "main.go:7") {
		t.Errorf("no error of the compiler: %v\n%s", err, out)
	}
	b.prints(prog(`2`), "2", directly) // what was compiled is not taken for built
	if out, err := compile(prog(`mlreg.Version`, module+"/mlreg"), "go"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	b.prints(prog(`mlreg.Version, 2`, module+"/mlreg"), "1 2", directly)
}

// A program is the same to the byte, with its build information, be it built by the go command or without it.
func TestDirectIsTheSame(t *testing.T) {
	b := newBuilder(t)
	programs := []string{prog(`1`), prog(`mlreg.Version`, module+"/mlreg"), prog(`2`), prog(`mlreg.Version, 2`, module+"/mlreg"), prog(`strconv.Itoa(3)`, "strconv")}
	for i, program := range programs {
		write(t, b.dir, map[string]string{"main.go": program})
		build := func(name string, args ...string) []byte {
			args = append([]string{"build", "-o", filepath.Join(b.dir, name), "-ldflags=-s -w -buildid=same"}, args...)
			if out, err := b.run(t, b.dir, args...); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			return must(os.ReadFile(filepath.Join(b.dir, name)))
		}
		cell := build("cell")
		if did := b.stages(); i > 1 && did != directly {
			t.Errorf("built by %q", did)
		}
		if !bytes.Equal(cell, build("plain", ".")) { // a package named is the go command's
			t.Errorf("program %d differs from that of the go command", i)
		}
	}
}

// What else a program depends on makes the go command build it.
func TestDirectSeesChanges(t *testing.T) {
	version := prog(`mlreg.Version, mlreg.Text`, module+"/mlreg")
	for name, c := range map[string]struct {
		change func(b *builder)
		want   string
	}{
		"a package": {func(b *builder) {
			write(t, b.root, map[string]string{"mlreg/mlreg.go": "package mlreg\n\nconst Version = \"2\"\n"})
		}, "2 a"},
		"a file that is embedded": {func(b *builder) { write(t, b.root, map[string]string{"mlreg/data/text": "b"}) }, "1 b"},
		"a file more": {func(b *builder) {
			write(t, b.root, map[string]string{"mlreg/more.go": "package mlreg\n\nfunc init() { Text = \"more\" }\n"})
		}, "1 more"},
		"another file of the program": {func(b *builder) {
			write(t, b.dir, map[string]string{"other.go": "package main\n\nimport \"" + module + "/mlreg\"\n\nfunc init() { mlreg.Text = \"other\" }\n"})
		}, "1 other"},
		"go.mod": {func(b *builder) {
			other := clone(t, "3")
			write(t, other, map[string]string{"mlreg/text.go": "package mlreg\n\nvar Text = \"c\"\n"})
			if out, err := b.run(t, b.dir, "mod", "edit", "-replace", module+"="+other); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}, "3 c"},
		"the environment": {func(b *builder) { b.env = append(b.env, "GOAMD64=v2", "GOARM64=v8.1") }, "1 a"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder(t)
			b.prints(version, "1 a", "go")
			c.change(b)
			text := version + "// changed\n"
			got, err := b.cell(t, text)
			if err != nil || got != c.want {
				t.Errorf("printed %q, want %q (%v)", got, c.want, err)
			}
			if exists(filepath.Join(b.dir, "stages")) {
				if did := b.stages(); strings.Contains(did, "link") {
					t.Errorf("was built by %q", did)
				}
			}
		})
	}
}

// Flags of a cell are those of its program.
func TestDirectFlags(t *testing.T) {
	b := newBuilder(t)
	program := "package main\n\nvar Name = \"none\"\n\nfunc main() { println(Name) }\n"
	for i, want := range []string{"none", "a", "b", "b"} {
		write(t, b.dir, map[string]string{"main.go": program + strings.Repeat("\n", i)})
		args := []string{"build", "-o", filepath.Join(b.dir, "cell")}
		if want != "none" {
			args = append(args, "-ldflags=-X=main.Name="+want)
		}
		if out, err := b.run(t, b.dir, args...); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command(filepath.Join(b.dir, "cell")).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("build %d prints %q, want %q (%v)", i, got, want, err)
		}
	}
}

// What the go command refuses is refused in its words, with the lines of the program.
func TestDirectErrors(t *testing.T) {
	b := newBuilder(t)
	b.prints(prog(`mlreg.Version`, module+"/mlreg"), "1", "go")
	b.prints(prog(`mlreg.Version, 1`, module+"/mlreg"), "1 1", directly)
	for _, c := range []struct{ program, want string }{
		{prog(`mlreg.NoSuch`, module+"/mlreg"), "./main.go:8:33: undefined: mlreg.NoSuch"},
		{prog(`mlreg.Version +`, module+"/mlreg"), "./main.go:8:"},
		{prog(`1`, module+"/mlreg"), "\"" + module + "/mlreg\" imported and not used"},
		{prog(`internal.Version`, module+"/mlreg/internal"), "use of internal package"},
		{prog(`bytealg.MaxLen`, "internal/bytealg"), "use of internal package"}, // which fmt was linked with
		{"package other\n", "cell"},
	} {
		out, err := b.cell(t, c.program)
		if err == nil || !strings.Contains(out+err.Error(), c.want) {
			t.Errorf("%s\nsays %q (%v), want %q", c.program, out, err, c.want)
		}
	}
	b.stages()
	b.prints(prog(`mlreg.Version, 2`, module+"/mlreg"), "1 2", directly)
}
