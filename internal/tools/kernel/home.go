package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	module     = "github.com/regbook/regbook"
	configFile = "regbook.json"
)

// A config is what a kernel's folder says of the packages it offers. It stands
// in the folder as regbook.json.
type config struct {
	Root    string // folder of the packages
	Clone   string // folder of the clone they were copied from, "" if it is Root
	Version string // what git describe says of the clone, "" if nothing
	Go      string // the Go command
	// Folders of Go's caches, "" for what the Go command takes.
	ModCache, BuildCache string
}

func readConfig(dir string) (*config, error) {
	b, err := os.ReadFile(filepath.Join(dir, configFile))
	if err != nil {
		return nil, err
	}
	c := new(config)
	if err := json.Unmarshal(b, c); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, configFile), err)
	}
	return c, nil
}

// isKernel reports whether this program wrote the folder.
func isKernel(dir string) bool {
	_, err := readConfig(dir)
	return err == nil
}

// exists reports whether there is a file, a folder or a link of that name.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// whichProgram answers %which and %find, and namesFile has the names that TAB offers first. Both
// are of package internal/find of the main module: without the program the kernel has neither.
const whichProgram, namesFile = "which", "names.txt"

// writeKernel writes to a folder what makes it a kernel: regbook.json, the
// names go and goimports for this program, those of whichProgram, and last, since Jupyter looks for it,
// kernel.json. Jupyter will start program, with home as the kernel's folder.
func writeKernel(dir, home, program, display string, c *config) error {
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(dir, configFile), c); err != nil {
		return err
	}
	which := filepath.Join(filepath.Dir(program), whichProgram)
	for name, target := range map[string]string{"go": program, "goimports": program, "gonb-which": which, "gonb-find": which} {
		name = filepath.Join(bin, name)
		if old, err := os.Readlink(name); err == nil && old == target {
			continue
		}
		if err := os.RemoveAll(name); err != nil {
			return err
		}
		if err := os.Symlink(target, name); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return writeJSON(filepath.Join(dir, "kernel.json"), map[string]any{
		"argv":           []string{program, "start", home, "{connection_file}"},
		"display_name":   display,
		"language":       "go",
		"interrupt_mode": "message",
	})
}

// writeJSON writes a file, or leaves it alone if that is what it holds. A kernel
// that starts meanwhile reads the old file or the new one.
func writeJSON(name string, value any) error {
	b, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, b) {
		return nil
	}
	return writeFile(filepath.Dir(name), filepath.Base(name), b)
}

// writeFile writes a file of a folder. Whoever reads it meanwhile has the old one or the new one.
func writeFile(dir, name string, b []byte) error {
	tmp, err := os.CreateTemp(dir, ".regbook-new-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b)
	if err := errors.Join(err, tmp.Close(), os.Chmod(tmp.Name(), 0o644)); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), filepath.Join(dir, name))
}

// link writes the kernel of a clone: its packages are those of the clone as they
// are now, its programs those beside this one.
func link(root, dir string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := writeKernel(dir, dir, self, "Go (Regbook)", &config{Root: root}); err != nil {
		return err
	}
	return writeNames(dir, filepath.Join(filepath.Dir(self), whichProgram), root)
}

// writeNames writes the names that TAB offers first, those of the indexes of the packages at root.
func writeNames(dir, which, root string) error {
	if !exists(which) {
		return nil
	}
	names, err := exec.Command(which, "-names", root).Output()
	if err != nil {
		return fmt.Errorf("%s: %w", which, err)
	}
	return writeFile(dir, namesFile, names)
}
