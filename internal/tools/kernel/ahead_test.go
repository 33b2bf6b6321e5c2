package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// buildLinker builds the linker beside the kernel's program, once.
var buildLinker = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("../linker.sh", programs).CombinedOutput()
	return string(out), err
})

func needLinker(t *testing.T) {
	if out, err := buildLinker(); err != nil {
		if strings.Contains(out, "link.patch is not for the linker of") {
			t.Skip(out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
}

// ahead starts the linker of the next program as GoNB does, and returns when it waits.
func (b *builder) ahead() *exec.Cmd {
	b.t.Helper()
	cmd := exec.Command(filepath.Join(b.kernel(), "bin", "go"), "link-ahead")
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), b.env...)
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	b.waits()
	return cmd
}

// waits returns when a linker waits.
func (b *builder) waits() {
	b.t.Helper()
	loads := func() bool {
		text, err := os.ReadFile(filepath.Join(b.dir, aheadFile))
		dir, _, _ := strings.Cut(string(text), " ")
		return err == nil && exists(filepath.Join(b.dir, dir, "a.out"))
	}
	if !soon(loads) {
		b.t.Fatal("no linker waits")
	}
}

// kernel returns the folder of the session's kernel.
func (b *builder) kernel() string {
	for _, v := range b.env {
		if dir, ok := strings.CutPrefix(v, homeEnv+"="); ok {
			return dir
		}
	}
	b.t.Fatal("the session has no kernel")
	return ""
}

// soon reports whether something is so within a minute.
func soon(so func() bool) bool {
	for range 1200 {
		if so() {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

const linkedAhead = "check compile ahead"

// A program is linked by the linker that waits, whichever of the packages built before it
// imports, and otherwise as if there were none. One linker links them all until there are
// other packages.
func TestLinkAhead(t *testing.T) {
	needLinker(t)
	b := newBuilder(t)
	both := []string{"strings", module + "/mlreg"}
	b.prints(prog(`strings.ToUpper("a"), mlreg.Version`, both...), "A 1", "go")
	waits := b.ahead()
	for i := range 20 {
		b.prints(prog(fmt.Sprintf(`mlreg.Version, %d`, i), module+"/mlreg"), fmt.Sprint("1 ", i), linkedAhead)
	}
	b.prints(prog(`4`), "4", linkedAhead)
	b.prints(prog(`slices.Max([]float64{math.Pi})`, "math", "slices"), "3.141592653589793", linkedAhead)                       // common packages
	b.prints(prog(`strings.ToUpper("b"), mlreg.Text, strconv.Quote("c")`, append(both, "strconv")...), `B a "c"`, linkedAhead) // fmt imports it
	if out, err := b.cell(t, prog(`abi.FuncPCABI0`, "internal/abi")); err == nil || !strings.Contains(out, "use of internal package") {
		t.Errorf("%v: %s", err, out)
	}
	b.prints(prog(`bytes.ToUpper([]byte("b"))`, "bytes"), "[66]", "go")
	if err := waits.Wait(); err == nil {
		t.Error("the linker that does not know of the package says that it linked")
	}
	for _, e := range must(os.ReadDir(b.dir)) {
		if strings.HasPrefix(e.Name(), aheadFile) {
			t.Errorf("%s is left", e.Name())
		}
	}
	b.ahead()
	b.prints(prog(`bytes.ToLower([]byte("B"))`, "bytes"), "[98]", linkedAhead)
}

// What is linked ahead has the same build information and as many bytes as what is not.
func TestLinkAheadIsTheSame(t *testing.T) {
	needLinker(t)
	b := newBuilder(t)
	b.prints(prog(`strings.ToUpper("a"), mlreg.Version`, "strings", module+"/mlreg"), "A 1", "go")
	for i, program := range []string{prog(`1`), prog(`mlreg.Version`, module+"/mlreg")} {
		var info, size [2]string
		for k, how := range []string{directly, linkedAhead} {
			if dismiss(b.dir); how == linkedAhead {
				b.ahead()
			}
			b.prints(program+strings.Repeat("\n", k), "1", how)
			file := filepath.Join(b.dir, "cell")
			info[k] = must(buildinfo.ReadFile(file)).String()
			size[k] = fmt.Sprint(must(os.Stat(file)).Size())
		}
		if info[0] != info[1] || size[0] != size[1] {
			t.Errorf("program %d: %s bytes, %s; linked ahead %s bytes, %s", i, size[0], info[0], size[1], info[1])
		}
	}
}

// Without the linker that waited, and with one of other packages, cells are built as before.
func TestLinkAheadLost(t *testing.T) {
	needLinker(t)
	b := newBuilder(t)
	b.prints(prog(`mlreg.Version`, module+"/mlreg"), "1", "go")
	killed := b.ahead()
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	b.prints(prog(`mlreg.Version, 2`, module+"/mlreg"), "1 2", directly)

	old := b.ahead()
	write(t, b.root, map[string]string{"mlreg/mlreg.go": "package mlreg\n\nconst Version = \"new\"\n"})
	b.age(time.Minute)
	b.prints(prog(`mlreg.Version, 2`, module+"/mlreg"), "new 2", "go")
	b.prints(prog(`mlreg.Version, 3`, module+"/mlreg"), "new 3", directly)
	b.ahead()
	_ = old.Wait() // the next one dismissed it
	b.prints(prog(`mlreg.Version, 4`, module+"/mlreg"), "new 4", linkedAhead)

	// A cell that does not compile is the Go command's, with its message.
	b.ahead()
	if out, err := b.cell(t, prog(`nothing`)); err == nil || !strings.Contains(out, "undefined: nothing") {
		t.Errorf("%v: %s", err, out)
	}
	_ = b.stages()
	b.prints(prog(`mlreg.Version, 5`, module+"/mlreg"), "new 5", linkedAhead)
}

// The linker that waits ends with the process that started it.
func TestLinkAheadEnds(t *testing.T) {
	needLinker(t)
	b := newBuilder(t)
	b.prints(prog(`1`), "1", "go")
	cmd := exec.Command("/bin/sh", "-c", filepath.Join(b.kernel(), "bin", "go")+" link-ahead & until ls "+aheadFile+"-*/a.out; do sleep 0.1; done >/dev/null 2>&1; sleep 2")
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), b.env...)
	held := must(cmd.StdoutPipe()) // which the linker inherits
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := io.ReadAll(held)
		ended <- err
	}()
	b.waits()
	select {
	case <-time.After(time.Minute):
		t.Error("the linker is still there")
	case err := <-ended:
		if err := errors.Join(err, cmd.Wait()); err != nil {
			t.Error(err)
		}
	}
}

// Of another Go, and where there is no plan, nothing waits.
func TestLinkAheadOfAnotherGo(t *testing.T) {
	needLinker(t)
	root := t.TempDir()
	write(t, root, map[string]string{"VERSION": "go1.1\ntime 2013-05-13T00:00:00Z\n"})
	linker := filepath.Join(programs, linkerName)
	if sameGo(linker, root) || sameGo(filepath.Join(programs, "gonb"), root) || !sameGo(linker, strings.TrimSpace(string(must(exec.Command("go", "env", "GOROOT").Output())))) {
		t.Error("a linker is taken for one of another Go")
	}
	b := newBuilder(t)
	if out, err := b.run(t, b.dir, "link-ahead"); err == nil || !strings.Contains(out, planFile) {
		t.Errorf("without a plan: %v: %s", err, out)
	}
}

// A program that imports common packages, which no program of the session imported, has the
// build information that the Go command gives it.
func TestCommonPackages(t *testing.T) {
	needLinker(t)
	b := newBuilder(t)
	b.prints(prog(`1`), "1", "go")
	b.ahead()
	b.prints(prog(`mlreg.Version`, module+"/mlreg"), "1", linkedAhead)
	file := filepath.Join(b.dir, "cell")
	got := must(buildinfo.ReadFile(file)).String()
	if err := os.Remove(filepath.Join(b.kernel(), planFile)); err != nil {
		t.Fatal(err)
	}
	b.session = newSession(t, b.kernel(), stagesEnv+"="+filepath.Join(b.dir, "stages"))
	if out, err := b.cell(t, prog(`mlreg.Version`, module+"/mlreg")); err != nil || out != "1" {
		t.Fatalf("%v: %s", err, out)
	}
	if want := must(buildinfo.ReadFile(filepath.Join(b.dir, "cell"))).String(); got != want {
		t.Errorf("build information\n%s\nwant\n%s", got, want)
	}
}
