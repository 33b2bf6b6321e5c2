package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An installer gives the user's own Jupyter a kernel, or takes it away.
type installer struct {
	name     string
	jupyter  string // program
	programs string // folder of gonb, gopls and this program
	yes      bool   // overwrite without asking
	in       io.Reader
	out      io.Writer
	try      func(dir string) error // runs a cell in a kernel
}

var kernelName = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

// dir returns the folder of the kernel.
func (k *installer) dir() (string, error) {
	if !kernelName.MatchString(k.name) {
		return "", fmt.Errorf("%q is no name for a kernel: Jupyter takes letters, digits, dots, hyphens and underscores", k.name)
	}
	data := os.Getenv("JUPYTER_DATA_DIR")
	if data == "" {
		out, err := exec.Command(k.jupyter, "--data-dir").Output()
		if err != nil {
			return "", fmt.Errorf(`no Jupyter of yours answers (%s --data-dir: %v). Either
  - put its program on PATH, or name it: make kernel JUPYTER=/path/to/jupyter
  - or name the folder where it looks for kernels: JUPYTER_DATA_DIR=~/.local/share/jupyter make kernel
make lab needs neither: it brings a Jupyter and this kernel`, k.jupyter, err)
		}
		data = strings.TrimSpace(string(out))
	}
	data, err := filepath.Abs(data)
	return filepath.Join(data, "kernels", k.name), err
}

// display is how Jupyter calls the kernel.
func (k *installer) display() string {
	if k.name == "regbook" {
		return "Go (Regbook)"
	}
	return fmt.Sprintf("Go (Regbook, %s)", k.name)
}

// install copies the packages of the module at root, and the programs beside
// this one, to a kernel of the user's Jupyter, and builds and runs a cell there.
func (k *installer) install(root string) (err error) {
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	if !isModule(root) {
		return fmt.Errorf("%s holds no clone of Regbook", root)
	}
	dir, err := k.dir()
	if err != nil {
		return err
	}
	if err := k.ask(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return notWritable(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "."+k.name+"-")
	if err != nil {
		return notWritable(err)
	}
	defer os.RemoveAll(fresh)
	if err := k.fill(fresh, dir, root); err != nil {
		return err
	}
	if err := k.exchange(fresh, dir); err != nil {
		return err
	}
	fmt.Fprintf(k.out, "Jupyter has the kernel %q, in %s\n", k.display(), dir)
	return k.list(dir)
}

// ask returns an error unless the kernel's name is free or the user gives it up.
func (k *installer) ask(dir string) error {
	if !exists(dir) {
		return nil
	}
	who := "which make kernel did not make"
	if c, err := readConfig(dir); err == nil {
		who = strings.TrimSpace("made from " + c.Clone + " " + c.Version)
	}
	fmt.Fprintf(k.out, "There is a kernel %s already, in %s (%s).\n", k.name, dir, who)
	if k.yes {
		return nil
	}
	fmt.Fprint(k.out, "Overwrite it? [y/N] ")
	answer, err := bufio.NewReader(k.in).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "y" || answer == "yes" {
		return nil
	}
	if err != nil {
		fmt.Fprintln(k.out)
	}
	return fmt.Errorf("the kernel %s is as it was. make kernel YES=1 overwrites it, make kernel NAME=another puts one beside it", k.name)
}

func notWritable(err error) error {
	return fmt.Errorf("the folder of Jupyter's kernels cannot be written: %w. Take it over (sudo chown -R $USER), or name another: JUPYTER_DATA_DIR=folder make kernel", err)
}

// fill writes to fresh the kernel that will be at dir.
func (k *installer) fill(fresh, dir, root string) error {
	c := &config{Root: filepath.Join(dir, "src"), Clone: root, Version: describe(root)}
	for name, value := range map[string]*string{"GOROOT": &c.Go, "GOMODCACHE": &c.ModCache, "GOCACHE": &c.BuildCache} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return fmt.Errorf("go env %s: %w", name, err)
		}
		*value = strings.TrimSpace(string(out))
	}
	c.Go = filepath.Join(c.Go, "bin", "go")
	if err := copyModule(root, filepath.Join(fresh, "src")); err != nil {
		return err
	}
	if methods := filepath.Join("notebooks", "WHICH_METHOD.md"); exists(filepath.Join(root, methods)) { // which reads it
		to := filepath.Join(fresh, "src", methods)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), copyFile(filepath.Join(root, methods), to)); err != nil {
			return err
		}
	}
	if err := os.Mkdir(filepath.Join(fresh, "programs"), 0o755); err != nil {
		return err
	}
	for _, program := range []string{"gonb", "gopls", "kernel", whichProgram} {
		if program == whichProgram && !exists(filepath.Join(k.programs, program)) {
			continue
		}
		if err := copyFile(filepath.Join(k.programs, program), filepath.Join(fresh, "programs", program)); err != nil {
			return err
		}
	}
	if err := writeNames(fresh, filepath.Join(fresh, "programs", whichProgram), root); err != nil {
		return err
	}
	return writeKernel(fresh, dir, filepath.Join(dir, "programs", "kernel"), k.display(), c)
}

// describe returns what Git calls the state of a clone.
func describe(root string) string {
	cmd := exec.Command("git", "-c", "safe.directory=*", "describe", "--always", "--tags", "--dirty")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// exchange puts the fresh kernel at dir, tries it there, since what the compiler
// keeps is kept by the folder, and puts the old one back if it does not work.
func (k *installer) exchange(fresh, dir string) error {
	old := ""
	if exists(dir) {
		old = fresh + ".old"
		if err := os.Rename(dir, old); err != nil {
			return notWritable(err)
		}
	}
	err := os.Rename(fresh, dir)
	if err == nil {
		fmt.Fprintln(k.out, "compiling what cells use")
		err = k.try(dir)
	}
	if err == nil {
		return os.RemoveAll(old)
	}
	if old != "" {
		err = errors.Join(err, os.RemoveAll(dir), os.Rename(old, dir))
	}
	return err
}

// list prints the kernels of the Jupyter that has dir.
func (k *installer) list(dir string) error {
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		file := filepath.Join(filepath.Dir(dir), e.Name(), "kernel.json")
		var spec struct {
			Display string `json:"display_name"`
		}
		if b, err := os.ReadFile(file); err != nil || json.Unmarshal(b, &spec) != nil || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		version := ""
		if c, err := readConfig(filepath.Dir(file)); err == nil {
			version = strings.TrimSpace(c.Clone + " " + c.Version)
		}
		fmt.Fprintf(k.out, "  %-16s %-24s %s\n", e.Name(), spec.Display, version)
	}
	return nil
}

// remove takes the kernel away.
func (k *installer) remove() error {
	dir, err := k.dir()
	if err != nil {
		return err
	}
	switch {
	case !exists(dir):
		return fmt.Errorf("there is no kernel %s: %s does not exist", k.name, dir)
	case !isKernel(dir):
		return fmt.Errorf("make kernel did not make the kernel in %s: jupyter kernelspec remove %s takes it away", dir, k.name)
	}
	if err := os.RemoveAll(dir); err != nil {
		return notWritable(err)
	}
	fmt.Fprintf(k.out, "removed %s\n", dir)
	return nil
}

// copyModule copies what programs need of a module: its packages without their
// tests, and no folder that has a go.mod of its own.
func copyModule(root, to string) error {
	return filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			other := rel != "." && exists(filepath.Join(name, "go.mod"))
			if other || slices.Contains([]string{".git", "build", "testdata", ".ipynb_checkpoints"}, d.Name()) {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		if !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		return copyFile(name, filepath.Join(to, rel))
	})
}

// copyFile copies a file with its permissions and its time: of packages that are seconds
// old no plan is kept.
func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close(), os.Chtimes(to, info.ModTime(), info.ModTime()))
}
