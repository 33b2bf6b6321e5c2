package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// machine makes a folder for PATH with what a bare system has, and programs that succeed and note
// that they were called; setup runs setup.sh on it in a folder of its own.
func machine(t *testing.T, programs ...string) (setup func(env []string, args ...string) (string, error), called string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	bin, root := t.TempDir(), t.TempDir()
	called = filepath.Join(root, "called")
	for _, name := range []string{"sh", "id", "sed", "mkdir", "touch", "go"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range programs {
		text := "#!/bin/sh\necho \"$0 $*\" >>'" + called + "'\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, err := filepath.Abs("setup.sh")
	if err != nil {
		t.Fatal(err)
	}
	return func(env []string, args ...string) (string, error) {
		cmd := exec.Command(filepath.Join(bin, "sh"), append([]string{script}, args...)...)
		cmd.Dir = root
		cmd.Env = append(append(os.Environ(), "PATH="+bin, "CC=gcc", "INSTALL="), env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}, called
}

// All that is missing is named at once, with the command that gets it.
func TestMissing(t *testing.T) {
	setup, _ := machine(t)
	out, err := setup(nil, "needs", "jupyter", "cc", "xz")
	if err == nil {
		t.Fatal("nothing is missing")
	}
	for _, want := range []string{
		"- Jupyter with nbclient and nbconvert", "- a C compiler, gcc", "- xz",
		"as root: apt-get install gcc libc6-dev xz-utils jupyter-notebook", "on PATH",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("not said: %s\n%s", want, out)
		}
	}
}

// Where there is a Jupyter nothing is installed, though it could be; with INSTALL=no nothing
// ever is.
func TestInstallsNothing(t *testing.T) {
	setup, called := machine(t, "jupyter", "apt-get", "sudo", "python3")
	if out, err := setup(nil, "needs", "jupyter"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	out, err := setup(nil, "needs", "jupyter", "cc", "xz")
	if err == nil || strings.Contains(out, "- Jupyter") || !strings.Contains(out, "apt-get install gcc libc6-dev xz-utils\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if b, _ := os.ReadFile(called); len(b) == 0 || strings.Contains(string(b), "apt-get") || strings.Contains(string(b), "python3") {
		t.Errorf("called:\n%s", b)
	}

	setup, called = machine(t, "apt-get", "sudo", "python3")
	if out, err := setup([]string{"INSTALL=no"}, "needs", "jupyter"); err == nil || !strings.Contains(out, "INSTALL=no") {
		t.Errorf("%v\n%s", err, out)
	}
	if b, _ := os.ReadFile(called); len(b) > 0 {
		t.Errorf("INSTALL=no, and called:\n%s", b)
	}
}

// Without Jupyter all is installed at once: Debian's packages where they can be had, otherwise a
// Python environment, which has no compiler.
func TestInstalls(t *testing.T) {
	setup, called := machine(t, "apt-get", "sudo", "python3", "env")
	if _, err := setup(nil, "needs", "jupyter", "cc"); err == nil {
		t.Error("nothing was installed, and nothing is missing")
	}
	// Root calls apt-get through env, others sudo.
	if b, _ := os.ReadFile(called); !strings.Contains(string(b), "install -y --no-install-recommends gcc libc6-dev jupyter-notebook") || strings.Contains(string(b), "venv") {
		t.Errorf("called:\n%s", b)
	}
	setup, called = machine(t, "python3")
	if out, err := setup(nil, "needs", "jupyter"); err == nil || !strings.Contains(out, "installing one into build/venv") {
		t.Errorf("%v\n%s", err, out)
	}
	if b, _ := os.ReadFile(called); !strings.Contains(string(b), "-m venv --clear build/venv") {
		t.Errorf("called:\n%s", b)
	}
}
