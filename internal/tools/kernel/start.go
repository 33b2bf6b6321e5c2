package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// homeEnv tells the Go command of a kernel which kernel it is of.
const homeEnv = "REGBOOK_KERNEL"

// start becomes GoNB, for the kernel in dir.
func start(dir, connection string) error {
	c, err := readConfig(dir)
	if err != nil {
		return fmt.Errorf("this kernel is incomplete, run make kernel in a clone of Regbook: %w", err)
	}
	if note := c.moved(); note != "" {
		fmt.Fprintln(os.Stderr, "Go (Regbook):", note)
	}
	goProgram, err := c.goProgram(dir)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	path := []string{filepath.Join(dir, "bin"), filepath.Dir(self), os.Getenv("PATH"), filepath.Dir(goProgram)}
	names := filepath.Join(dir, namesFile)
	for _, v := range [][2]string{{homeEnv, dir}, {"GONB_FIRST_NAMES", names}, {"PATH", strings.Join(path, string(os.PathListSeparator))}} {
		if err := os.Setenv(v[0], v[1]); err != nil {
			return err
		}
	}
	gonb, err := exec.LookPath("gonb")
	if err != nil {
		return fmt.Errorf("this kernel is incomplete, run make kernel in a clone of Regbook: %w", err)
	}
	// --raw_error: an error is one block of text, in every front end.
	return syscall.Exec(gonb, []string{gonb, "--raw_error", "--kernel", connection}, os.Environ())
}

// moved says that the clone which the packages were copied from is gone.
func (c *config) moved() string {
	if c.Clone == "" || isModule(c.Clone) {
		return ""
	}
	version := ""
	if c.Version != "" {
		version = " of version " + c.Version
	}
	return fmt.Sprintf("the clone that this kernel was made from, %s, is not there any more. The kernel goes on with its copy%s; make kernel in a clone renews it.",
		c.Clone, version)
}

// isModule reports whether a folder holds Regbook's main module.
func isModule(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.Contains("\n"+string(b), "\nmodule "+module+"\n")
}

// goProgram returns the Go command: that of the kernel's installation, or else
// the first on PATH that is not this program by another name.
func (c *config) goProgram(dir string) (string, error) {
	if c.Go != "" {
		if _, err := exec.LookPath(c.Go); err == nil {
			return c.Go, nil
		}
	}
	for _, p := range filepath.SplitList(os.Getenv("PATH")) {
		if p == "" || p == filepath.Join(dir, "bin") {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(p, "go")); err == nil {
			return found, nil
		}
	}
	where := ""
	if c.Go != "" {
		where = c.Go + " is gone, and "
	}
	return "", fmt.Errorf("%sno go command is on PATH: install Go, see https://go.dev/dl", where)
}
