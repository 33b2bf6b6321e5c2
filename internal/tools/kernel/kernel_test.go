package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// programs is a folder with this program and stand-ins for gonb and gopls: this
// gonb prints its arguments, PATH and the kernel's folder.
var programs string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kernel_test")
	if err == nil {
		programs, err = filepath.EvalSymlinks(dir)
	}
	if err == nil {
		cmd := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(programs, "kernel"), ".")
		cmd.Stderr = os.Stderr
		err = cmd.Run()
	}
	for _, name := range []string{"gonb", "gopls"} {
		if err == nil {
			err = os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\necho \"$@\" \"$PATH\" \"$REGBOOK_KERNEL\"\n"), 0o755)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// write writes the files of a folder.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// clone makes a module that looks like Regbook, with one package.
func clone(t *testing.T, version string) string {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod":                 "module " + module + "\n\ngo 1.24\n",
		"go.sum":                 "",
		"mlreg/mlreg.go":         "package mlreg\n\nconst Version = \"" + version + "\"\n",
		"mlreg/mlreg_test.go":    "package mlreg\n",
		"mlreg/testdata/big.csv": "1\n",
		"notebooks/go.mod":       "module " + module + "/notebooks\n",
		"notebooks/01.ipynb":     "{}",
	})
	return dir
}

// newInstaller returns one for a Jupyter of the test's own. It does not try the
// kernels, whose packages are made up.
func newInstaller(t *testing.T, answer string) (*installer, *bytes.Buffer) {
	t.Setenv("JUPYTER_DATA_DIR", filepath.Join(t.TempDir(), "jupyter"))
	out := new(bytes.Buffer)
	return &installer{name: "regbook", jupyter: "no-such-jupyter", programs: programs, in: strings.NewReader(answer), out: out,
		try: func(string) error { return nil }}, out
}

// wantError fails the test unless err has all of the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not say %q: %v", w, err)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestNoJupyter(t *testing.T) {
	k, _ := newInstaller(t, "")
	t.Setenv("JUPYTER_DATA_DIR", "")
	wantError(t, k.install(clone(t, "1")), "no-such-jupyter", "JUPYTER=", "JUPYTER_DATA_DIR=", "make lab")
	wantError(t, k.remove(), "no-such-jupyter")
}

// The folder of kernels is where the program jupyter says.
func TestAsksJupyter(t *testing.T) {
	k, _ := newInstaller(t, "")
	data := os.Getenv("JUPYTER_DATA_DIR")
	t.Setenv("JUPYTER_DATA_DIR", "")
	k.jupyter = filepath.Join(t.TempDir(), "jupyter")
	if err := os.WriteFile(k.jupyter, []byte("#!/bin/sh\n[ \"$1\" = --data-dir ] && echo '"+data+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := k.install(clone(t, "1")); err != nil {
		t.Fatal(err)
	}
	if !exists(filepath.Join(data, "kernels", "regbook", "kernel.json")) {
		t.Error("no kernel in the folder that jupyter named")
	}
}

// A file where Jupyter's folder should be cannot be written to, by root either.
func TestNotWritable(t *testing.T) {
	k, _ := newInstaller(t, "")
	data := os.Getenv("JUPYTER_DATA_DIR")
	if err := os.WriteFile(data, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	wantError(t, k.install(clone(t, "1")), data, "cannot be written", "JUPYTER_DATA_DIR=")
}

func TestNotAClone(t *testing.T) {
	k, _ := newInstaller(t, "")
	wantError(t, k.install(t.TempDir()), "no clone")
}

func TestBadName(t *testing.T) {
	k, _ := newInstaller(t, "")
	for _, name := range []string{"", "../regbook", "Go (Regbook)"} {
		k.name = name
		wantError(t, k.install(clone(t, "1")), "no name for a kernel")
	}
}

// A kernel of the same name is overwritten only if the user says so, be it ours
// or another's.
func TestNameExists(t *testing.T) {
	for _, own := range []bool{true, false} {
		k, out := newInstaller(t, "")
		dir := must(k.dir())
		if own {
			if err := k.install(clone(t, "1")); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, dir, map[string]string{"kernel.json": `{"display_name": "Another"}`})
		}
		before := must(os.ReadFile(filepath.Join(dir, "kernel.json")))
		for _, answer := range []string{"", "\n", "n\n", "no\n"} {
			k.in = strings.NewReader(answer)
			wantError(t, k.install(clone(t, "2")), "as it was", "YES=1", "NAME=")
			if !strings.Contains(out.String(), "Overwrite it?") {
				t.Error("nothing was asked")
			}
		}
		if after := must(os.ReadFile(filepath.Join(dir, "kernel.json"))); !bytes.Equal(before, after) {
			t.Error("the kernel changed")
		}
		k.in = strings.NewReader("y\n")
		if err := k.install(clone(t, "2")); err != nil {
			t.Fatal(err)
		}
		if b := must(os.ReadFile(filepath.Join(dir, "src", "mlreg", "mlreg.go"))); !strings.Contains(string(b), `"2"`) {
			t.Errorf("the packages are not the new ones: %s", b)
		}
		k.yes, k.in = true, strings.NewReader("")
		if err := k.install(clone(t, "3")); err != nil {
			t.Error(err)
		}
	}
}

// A new kernel that does not work leaves the old one in its place, and nothing else.
func TestKeepsOld(t *testing.T) {
	k, _ := newInstaller(t, "y\n")
	if err := k.install(clone(t, "1")); err != nil {
		t.Fatal(err)
	}
	k.try = func(string) error { return fmt.Errorf("it does not run") }
	wantError(t, k.install(clone(t, "2")), "it does not run")
	dir := must(k.dir())
	if b := must(os.ReadFile(filepath.Join(dir, "src", "mlreg", "mlreg.go"))); !strings.Contains(string(b), `"1"`) {
		t.Errorf("the old packages are lost: %s", b)
	}
	if entries := must(os.ReadDir(filepath.Dir(dir))); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// The copy has the packages, and neither tests nor folders that are modules.
func TestCopy(t *testing.T) {
	k, out := newInstaller(t, "")
	if err := k.install(clone(t, "1")); err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(must(k.dir()), "src")
	for name, want := range map[string]bool{"go.mod": true, "go.sum": true, "mlreg/mlreg.go": true,
		"mlreg/mlreg_test.go": false, "mlreg/testdata": false, "notebooks": false} {
		if exists(filepath.Join(src, name)) != want {
			t.Errorf("%s: is there %v, want %v", name, !want, want)
		}
	}
	if !strings.Contains(out.String(), "Go (Regbook)") {
		t.Errorf("the kernel is not listed: %s", out)
	}
}

// The copy is as old as the packages, so that the plan of the first cell is kept at once.
func TestCopyKeepsPlan(t *testing.T) {
	k, _ := newInstaller(t, "")
	root := clone(t, "1")
	(&builder{t: t, root: root}).age()
	if err := k.install(root); err != nil {
		t.Fatal(err)
	}
	kernel := must(k.dir())
	if got, err := newSession(t, kernel).cell(t, printVersion); err != nil || got != "1" {
		t.Errorf("printed %q (%v)", got, err)
	}
	if !exists(filepath.Join(kernel, planFile)) {
		t.Error("the kernel keeps no plan")
	}
}

func TestRemove(t *testing.T) {
	k, _ := newInstaller(t, "")
	wantError(t, k.remove(), "no kernel regbook")
	if err := k.install(clone(t, "1")); err != nil {
		t.Fatal(err)
	}
	if err := k.remove(); err != nil {
		t.Fatal(err)
	}
	if dir := must(k.dir()); exists(dir) {
		t.Errorf("%s is still there", dir)
	}
	write(t, must(k.dir()), map[string]string{"kernel.json": "{}"})
	wantError(t, k.remove(), "make kernel did not make", "kernelspec remove")
}

// A session is what GoNB has: a folder of its own, and the variables that the
// kernel's start and GoNB set.
type session struct {
	dir string
	env []string
}

// run runs the kernel's Go command in a folder.
func (s *session) run(t *testing.T, dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	for _, v := range s.env {
		if path, ok := strings.CutPrefix(v, homeEnv+"="); ok {
			cmd = exec.Command(filepath.Join(path, "bin", "go"), args...)
		}
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), s.env...)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// newSession does what GoNB does in a kernel before the first cell.
func newSession(t *testing.T, kernel string, env ...string) *session {
	dir := t.TempDir()
	s := &session{dir: dir, env: append(env, homeEnv+"="+kernel, "GONB_TMP_DIR="+dir)}
	if out, err := s.run(t, dir, "mod", "init", "gonb_test"); err != nil {
		t.Fatalf("go mod init: %v\n%s", err, out)
	}
	return s
}

// cell builds and runs a program as GoNB does, without a network.
func (s *session) cell(t *testing.T, program string) (string, error) {
	write(t, s.dir, map[string]string{"main.go": program})
	s.env = append(s.env, "GOPROXY=off")
	for _, args := range [][]string{{"get"}, {"build", "-o", filepath.Join(s.dir, "cell")}} {
		if out, err := s.run(t, s.dir, args...); err != nil {
			return out, err
		}
	}
	out, err := exec.Command(filepath.Join(s.dir, "cell")).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

const printVersion = "package main\n\nimport (\n\t\"fmt\"\n\n\t\"" + module + "/mlreg\"\n)\n\nfunc main() { fmt.Println(mlreg.Version) }\n"

// Two versions of Regbook are two kernels, each with its own packages.
func TestTwoVersions(t *testing.T) {
	k, out := newInstaller(t, "")
	var kernels []string
	for _, v := range []string{"1", "2"} {
		k.name = "regbook-" + v
		if err := k.install(clone(t, v)); err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, must(k.dir()))
	}
	for i, want := range []string{"1", "2"} {
		if got, err := newSession(t, kernels[i]).cell(t, printVersion); err != nil || got != want {
			t.Errorf("kernel %d has version %q, want %q (%v)", i, got, want, err)
		}
	}
	if list := out.String()[strings.LastIndex(out.String(), "Jupyter has"):]; !strings.Contains(list, "regbook-1") || !strings.Contains(list, "regbook-2") {
		t.Errorf("the list lacks a kernel:\n%s", list)
	}
}

// A kernel whose clone has moved says so when it starts, and works.
func TestMovedClone(t *testing.T) {
	k, _ := newInstaller(t, "")
	root := clone(t, "1")
	if err := k.install(root); err != nil {
		t.Fatal(err)
	}
	dir := must(k.dir())
	start := func() (string, string) {
		cmd := exec.Command(filepath.Join(dir, "programs", "kernel"), "start", dir, "connection.json")
		var out, log bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &log
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, log.String())
		}
		return out.String(), log.String()
	}
	out, log := start()
	if !strings.HasPrefix(out, "--raw_error --kernel connection.json "+filepath.Join(dir, "bin")+":") || !strings.HasSuffix(out, dir+"\n") {
		t.Errorf("GoNB was started with %s", out)
	}
	if log != "" {
		t.Errorf("a kernel with its clone says %q", log)
	}
	if err := os.Rename(root, root+"-moved"); err != nil {
		t.Fatal(err)
	}
	if _, log = start(); !strings.Contains(log, root+", is not there") || !strings.Contains(log, "make kernel") {
		t.Errorf("a kernel without its clone says %q", log)
	}
	if got, err := newSession(t, dir).cell(t, printVersion); err != nil || got != "1" {
		t.Errorf("a kernel without its clone printed %q (%v)", got, err)
	}
}

// A go.mod in the folder of the notebook, a workspace around it and flags for it
// do not reach the cells, and the Go command there is the user's.
func TestOwnModule(t *testing.T) {
	k, _ := newInstaller(t, "")
	if err := k.install(clone(t, "1")); err != nil {
		t.Fatal(err)
	}
	mine := t.TempDir()
	write(t, mine, map[string]string{
		"go.mod":  "module example.org/mine\n\ngo 1.24\n\nrequire example.org/nowhere v1.2.3\n",
		"go.work": "go 1.24\n\nuse .\n",
	})
	s := newSession(t, must(k.dir()), "GOWORK="+filepath.Join(mine, "go.work"), "GOFLAGS=-mod=vendor", "GO111MODULE=off")
	if got, err := s.cell(t, printVersion); err != nil || got != "1" {
		t.Errorf("a cell printed %q (%v)", got, err)
	}
	if got, err := s.run(t, mine, "env", "GOWORK", "GOFLAGS"); err != nil || got != filepath.Join(mine, "go.work")+"\n-mod=vendor" {
		t.Errorf("the user's Go command has %q (%v)", got, err)
	}
}

// The Go command that the kernel was installed with may go: another takes its place.
func TestGoMoved(t *testing.T) {
	c := &config{Go: filepath.Join(t.TempDir(), "go")}
	real := must(exec.LookPath("go"))
	if got, err := c.goProgram(t.TempDir()); err != nil || got != real {
		t.Errorf("found %q, want %q (%v)", got, real, err)
	}
	t.Setenv("PATH", t.TempDir())
	_, err := c.goProgram(t.TempDir())
	wantError(t, err, c.Go, "install Go")
}

// What a session sets replaces the user's own, which programs would find first.
func TestEnviron(t *testing.T) {
	env := new(config).environ([]string{"GOGC=50", "HOME=/home/a", "GOFLAGS=-mod=vendor"}, t.TempDir())
	slices.Sort(env)
	want := []string{"GO111MODULE=on", "GOFLAGS=-mod=mod", "GOGC=400", "GOMEMLIMIT=1GiB", "GOWORK=off", "HOME=/home/a"}
	if !slices.Equal(env, want) {
		t.Errorf("the environment is %q, want %q", env, want)
	}
}
