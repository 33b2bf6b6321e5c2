package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// cellFlags are those that cells are built with, to link in little time: nothing
// for a debugger, and of gonum/plot no formats but those imported. A cell's own
// %goflags come after them.
var cellFlags = []string{"-buildvcs=false", "-tags=minimal", "-gcflags=all=-dwarf=false", "-ldflags=-s -w"}

// goCommand is the Go command in a kernel. In the folder of GoNB's session it
// differs from the one installed in this:
//
//	go mod init   requires Regbook and, at the versions of its go.mod, all that it requires
//	go get        does nothing if the modules required have the imports of the cell
//	go build      takes the flags of cells, and is left out if only main.go changed: see direct.go
//	go env        calls Regbook private
//
// Elsewhere, such as in a notebook's line !go build, it is the one installed.
func goCommand(args []string) error {
	dir := os.Getenv(homeEnv)
	c, err := readConfig(dir)
	if err != nil {
		return fmt.Errorf("the kernel's folder is gone, make kernel in a clone of Regbook and restart: %w", err)
	}
	program, err := c.goProgram(dir)
	if err != nil {
		return err
	}
	env := os.Environ()
	if session, ok := sessionDir(); ok {
		env = c.environ(env, session)
		switch {
		case len(args) == 3 && args[0] == "mod" && args[1] == "init":
			return c.initSession(session, args[2])
		case len(args) > 0 && args[0] == "get" && (len(args) == 1 || slices.Equal(args[1:], []string{"-t"})):
			if satisfied(session) {
				return nil
			}
		case len(args) > 0 && args[0] == "build":
			return build(program, session, slices.Concat(cellFlags, args[1:]), env)
		case len(args) > 0 && args[0] == "test":
			args = slices.Concat(args[:1], cellFlags, args[1:])
		case len(args) > 0 && args[0] == "env":
			env = unpublished(program, env)
		}
	}
	return becomeGo(program, args, env)
}

// unpublished returns env with Regbook among the private modules. gopls asks for them,
// and links to pkg.go.dev what is documented there.
func unpublished(program string, env []string) []string {
	cmd := exec.Command(program, "env", "GOPRIVATE")
	cmd.Env = env
	private := module
	if out, err := cmd.Output(); err == nil {
		if users := strings.TrimSpace(string(out)); users != "" {
			private = users + "," + module
		}
	}
	return append(slices.Clone(env), "GOPRIVATE="+private)
}

// sessionDir returns the folder of GoNB's session, and whether it is the current one.
func sessionDir() (string, bool) {
	session := os.Getenv("GONB_TMP_DIR")
	a, err := os.Stat(session)
	if err != nil {
		return "", false
	}
	b, err := os.Stat(".")
	return session, err == nil && os.SameFile(a, b)
}

// environ returns env as a session wants it, whatever else the user works on:
// no workspace but its own, no flags of a vendored module, the caches that were
// filled when the kernel was installed. The compiler and the linker collect garbage
// rarely, on which a small one spends a quarter of its time; the cells' programs, which
// GoNB starts, have the user's own settings.
func (c *config) environ(env []string, session string) []string {
	set := map[string]string{"GO111MODULE": "on", "GOFLAGS": "-mod=mod", "GOGC": "400", "GOMEMLIMIT": "1GiB"}
	if c.ModCache != "" {
		set["GOMODCACHE"] = c.ModCache
	}
	if c.BuildCache != "" {
		set["GOCACHE"] = c.BuildCache
	}
	set["GOWORK"] = "off"
	if exists(filepath.Join(session, "go.work")) {
		set["GOWORK"] = filepath.Join(session, "go.work")
		delete(set, "GOFLAGS") // a workspace has no -mod=mod
	}
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		_, ok := set[name]
		return ok
	})
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	return env
}

// initSession writes the go.mod and the go.sum of a session.
func (c *config) initSession(session, name string) error {
	file := filepath.Join(c.Root, "go.mod")
	b, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the packages are not where this kernel expects them, run make kernel in a clone of Regbook: %w", err)
	}
	f, err := modfile.Parse(file, b, nil)
	if err != nil {
		return err
	}
	err = errors.Join(f.AddModuleStmt(name), f.AddRequire(module, "v0.0.0"), f.AddReplace(module, "", c.Root, ""))
	if err != nil {
		return err
	}
	if b, err = f.Format(); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(c.Root, "go.sum"))
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(session, "go.sum"), sum, 0o644),
		os.WriteFile(filepath.Join(session, "go.mod"), b, 0o644),
		warm(session))
}

// warm gives a new session a program, which GoNB replaces by the first cell:
// gopls loads the packages that it imports before the reader asks for them.
func warm(session string) error {
	if exists(filepath.Join(session, "main.go")) {
		return nil
	}
	return os.WriteFile(filepath.Join(session, "main.go"), firstCell, 0o600)
}

// satisfied reports whether every import of the session's program is of the
// standard library, of the session or of a module that its go.mod requires.
func satisfied(session string) bool {
	b, err := os.ReadFile(filepath.Join(session, "go.mod"))
	if err != nil || exists(filepath.Join(session, "go.work")) {
		return false
	}
	f, err := modfile.ParseLax("go.mod", b, nil)
	if err != nil {
		return false
	}
	for _, name := range []string{"main.go", "main_test.go"} {
		if !exists(filepath.Join(session, name)) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(session, name), nil, parser.ImportsOnly)
		if err != nil {
			return false
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil || !provided(f, path) {
				return false
			}
		}
	}
	return true
}

// provided reports whether a package is of the standard library, or its path
// begins with that of a module required.
func provided(f *modfile.File, path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") || slices.ContainsFunc(f.Require, func(r *modfile.Require) bool {
		return path == r.Mod.Path || strings.HasPrefix(path, r.Mod.Path+"/")
	})
}
