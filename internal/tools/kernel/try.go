package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// firstCell fits, shows and draws, so that building it compiles all packages
// that cells import.
//
//go:embed firstcell.txt
var firstCell []byte

// try builds and runs a program in the kernel at dir as GoNB would.
func try(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	session, err := os.MkdirTemp("", "gonb_try")
	if err != nil {
		return err
	}
	defer os.RemoveAll(session)
	if err := os.WriteFile(filepath.Join(session, "main.go"), firstCell, 0o644); err != nil {
		return err
	}
	env := append(os.Environ(), homeEnv+"="+dir, "GONB_TMP_DIR="+session)
	var out []byte
	for _, args := range [][]string{
		{filepath.Join(dir, "bin", "go"), "mod", "init", "gonb_try"},
		{filepath.Join(dir, "bin", "go"), "get"},
		{filepath.Join(dir, "bin", "go"), "build", "-o", filepath.Join(session, "cell")},
		{filepath.Join(session, "cell")},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = session, env
		if out, err = cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("the kernel in %s does not work: %s: %w\n%s", dir, strings.Join(args[1:], " "), err, out)
		}
	}
	if !strings.Contains(string(out), "OLS fit of lpsa") {
		return fmt.Errorf("the kernel in %s does not work: a fit printed\n%s", dir, out)
	}
	return nil
}
