package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/modfile"
)

// The go command takes as long to find out that no package has changed as the compiler
// takes for a cell. So the kernel keeps how the go command built a session's program, and
// runs the compiler and the linker by itself while nothing but main.go changes:
//
//   - the first time, the go command builds, and hands the commands of the compiler and
//     the linker to this program (-toolexec), which keeps them
//   - a later program that imports nothing but what an earlier one was linked with is compiled
//     and linked by these commands
//   - all else, and whatever fails, is the go command's, whose message the reader sees
//   - a program for os.DevNull is compiled and not linked: GoNB asks that of a cell that only declares
//   - the next session of the kernel begins with what this one keeps: see share.go
//
// A plan counts as long as these are as they were: the arguments, the environment, the
// Go command with its compiler and linker, go.mod, in go.sum the checksums of the modules, and
// every file of a package that a go.mod replaces by a folder. Packages of the standard library and of
// the module cache are taken as they are: VERSION, go.mod and go.sum say which.

// planFile is in the session's folder.
const planFile = ".regbook-plan.json"

// recordEnv is the folder where the go command's compiler and linker are recorded.
const recordEnv = "REGBOOK_RECORD"

// stagesEnv is a file to which a build appends what it did, and how long that took.
const stagesEnv = "REGBOOK_STAGES"

// mostFiles is how many files the packages in folders may have.
const mostFiles = 5000

// A plan says how to build the program of a session.
type plan struct {
	Key           string            // of what the commands depend on, besides the program
	Tools         string            // of the compiler and the linker
	Root          string            // GOROOT
	Folders       []string          // of packages that a go.mod replaces by a folder, and their go.mod
	Files         string            // of the files in Folders
	Compile, Link []string          // commands, with $WORK for the folder of temporary files
	Imports       []string          // what a program may import
	Package       map[string]pkg    // all that the linker may read, by import path
	Info          [2]string         // build information, quoted, before and after that of modules
	Module        map[string]string // that of modules, by their path
	Program       string            // of the program built last
	Built         string            // of the file that it became
}

// A pkg is a package that the linker may read.
type pkg struct {
	File    string   // object
	Module  string   // its path, "" of the standard library
	Imports []string // "" of the standard library
}

// build is the go command's build with the given flags and arguments, in the session's folder, of
// the program and what the kernel adds to it.
func build(program, session string, args, env []string) error {
	out, source, ok := direct(session, args)
	if !ok {
		return becomeGo(program, append([]string{"build"}, args...), env)
	}
	full, shown := extended(source)
	err := buildText(program, session, out, full, args, env, bytes.Equal(full, shown))
	if err != nil && !bytes.Equal(full, shown) {
		err = buildText(program, session, out, shown, args, env, true)
	}
	if !bytes.Equal(full, source) {
		err = errors.Join(os.WriteFile(filepath.Join(session, "main.go"), source, 0o600), err)
	}
	return err
}

// buildText builds a program. If it does not compile, its errors matter if it is the last
// that is tried.
func buildText(program, session, out string, source []byte, args, env []string, last bool) error {
	start := time.Now()
	imports, err := importsOf(source)
	if err == nil {
		err = os.WriteFile(filepath.Join(session, "main.go"), source, 0o600)
	}
	if err != nil {
		return err
	}
	key, hash := planKey(program, session, args, env), programHash(source)
	p := readPlan(session, key)
	if p != nil && p.Program == hash && p.Built == stamp(out) {
		stage("unchanged", start)
		return nil
	}
	if p != nil && subset(imports, p.Imports) {
		stage("check", start)
		err := p.build(session, out, imports, env)
		if err == nil {
			p.Program, p.Built = hash, stamp(out)
			return p.write(session)
		}
		if !last {
			return err
		}
	}
	return record(program, session, out, source, args, env, p)
}

// direct reports whether the compiler and the linker can be run without the go command: the
// program is main.go alone, says nothing to the go command, and the flags are those of
// which both are told. It returns where the program goes, and its source.
func direct(session string, args []string) (out string, source []byte, ok bool) {
	for i := 0; i < len(args); i++ {
		name, _, value := strings.Cut(args[i], "=")
		switch {
		case args[i] == "-o" && out == "" && i+1 < len(args):
			i++
			out = args[i]
		case value && slices.Contains([]string{"-buildvcs", "-tags", "-gcflags", "-ldflags", "-asmflags", "-trimpath"}, name),
			args[i] == "-trimpath", args[i] == "-mod=mod", args[i] == "-mod=readonly":
		default:
			return "", nil, false
		}
	}
	entries, err := os.ReadDir(session)
	if err != nil || !filepath.IsAbs(out) {
		return "", nil, false
	}
	for _, e := range entries {
		name := e.Name()
		switch strings.ToLower(filepath.Ext(name)) {
		case ".go":
			if name != "main.go" && !strings.HasSuffix(name, "_test.go") {
				return "", nil, false
			}
		case ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".for", ".f90", ".s", ".sx", ".swig", ".swigcxx", ".syso", ".pgo", ".work":
			return "", nil, false
		}
		if name == "vendor" {
			return "", nil, false
		}
	}
	source, err = os.ReadFile(filepath.Join(session, "main.go"))
	if err != nil || bytes.Contains(source, []byte("//go:")) || bytes.Contains(source, []byte("// +build")) {
		return "", nil, false
	}
	imports, err := importsOf(source)
	if err != nil || slices.Contains(imports, "C") || slices.Contains(imports, "unsafe") {
		return "", nil, false
	}
	return out, source, true
}

// importsOf returns what a program imports.
func importsOf(source []byte) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	if f.Name.Name != "main" {
		return nil, fmt.Errorf("package %s", f.Name.Name)
	}
	var imports []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		imports = append(imports, path)
	}
	slices.Sort(imports)
	return slices.Compact(imports), nil
}

// planKey returns a hash of what the commands depend on, besides the program, the
// packages in folders, and what is another in each session: its name, and where the program goes.
func planKey(program, session string, args, env []string) string {
	h := sha256.New()
	say := func(parts ...string) { fmt.Fprintf(h, "%q\n", parts) }
	at := slices.Index(args, "-o")
	say(slices.Concat(args[:at], args[at+2:])...)
	env = slices.Clone(env)
	slices.Sort(env)
	settings := ""
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if name == "GOENV" {
			settings = value
		}
		if strings.HasPrefix(name, "GONB_") {
			continue
		}
		for _, prefix := range []string{"GO", "CGO_", "CC", "CXX", "AR", "FC", "PKG_CONFIG", "HOME", "XDG_"} {
			if strings.HasPrefix(name, prefix) {
				say(v)
				break
			}
		}
	}
	for _, name := range []string{os.Getenv("CC"), os.Getenv("CXX"), "gcc", "g++", "clang", "clang++", "gfortran", "pkg-config"} {
		found, err := exec.LookPath(name) // all that PATH decides
		say(name, found, stamp(found), fmt.Sprint(err == nil))
	}
	if dir, err := os.UserConfigDir(); err == nil && settings == "" {
		settings = filepath.Join(dir, "go", "env")
	}
	if resolved, err := filepath.EvalSymlinks(program); err == nil {
		program = resolved
	}
	root := filepath.Dir(filepath.Dir(program))
	for _, file := range []string{program, settings, filepath.Join(root, "VERSION"), filepath.Join(root, "go.env")} {
		say(file, stamp(file))
	}
	b, err := os.ReadFile(filepath.Join(session, "go.mod"))
	say(strings.Replace(string(b), "module "+modfile.ModulePath(b)+"\n", "", 1), fmt.Sprint(err == nil))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// stamp returns what changes when a file is written: its size, mode and time, "" if it
// cannot be had.
func stamp(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.Mode(), info.ModTime().UnixNano())
}

// stampFolders returns a hash of the names, sizes and times of all files in the folders and
// below, and the latest of the times; "" if there are too many.
func stampFolders(folders []string) (hash string, latest time.Time) {
	h := sha256.New()
	n := 0
	seen := map[string]bool{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(file string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() {
				if seen[file] || file != folder && strings.HasPrefix(e.Name(), ".") {
					return fs.SkipDir
				}
				seen[file] = true
				return nil
			}
			if n++; n > mostFiles {
				return fmt.Errorf("%s: more than %d files", folder, mostFiles)
			}
			info, err := os.Stat(file) // what a link points to
			if err != nil {
				return err
			}
			if info.ModTime().After(latest) {
				latest = info.ModTime()
			}
			fmt.Fprintf(h, "%q %d %v %d\n", file, info.Size(), info.Mode(), info.ModTime().UnixNano())
			return nil
		})
		if err != nil {
			return "", latest
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), latest
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// readPlan returns the plan of a session, or else the one that the kernel keeps, nil if
// there is none that counts.
func readPlan(session, key string) *plan {
	for _, read := range []func(string) (*plan, error){ownPlan, sharedPlan} {
		if p, err := read(session); err == nil && p.counts(session, key) {
			return p
		}
	}
	return nil
}

// ownPlan reads the plan of a session.
func ownPlan(session string) (*plan, error) {
	b, err := os.ReadFile(filepath.Join(session, planFile))
	if err != nil {
		return nil, err
	}
	p := new(plan)
	return p, json.Unmarshal(b, p)
}

// counts reports whether all is as it was when the plan was made.
func (p *plan) counts(session, key string) bool {
	if p.Key != key || p.Tools != p.tools() || !p.summed(session) {
		return false
	}
	files, _ := stampFolders(p.Folders)
	return files != "" && files == p.Files
}

// summed reports whether go.sum has the checksums of the modules. The go command adds to it
// those of others.
func (p *plan) summed(session string) bool {
	b, err := os.ReadFile(filepath.Join(session, "go.sum"))
	have := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		have[strings.TrimSpace(line)] = true
	}
	for _, m := range p.Module {
		for line := range strings.SplitSeq(m, `\n`) {
			field := strings.Split(line, `\t`) // dep or =>, path, version, checksum
			if len(field) == 4 && field[3] != "" && !have[strings.Join(field[1:], " ")] {
				return false
			}
		}
	}
	return err == nil || errors.Is(err, fs.ErrNotExist)
}

func (p *plan) write(session string) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return writeFile(session, planFile, b)
}

// tools returns stamps of the compiler and the linker.
func (p *plan) tools() string { return stamp(p.Compile[0]) + " " + stamp(p.Link[0]) }

// build compiles the program of the session, and links it if it will run.
func (p *plan) build(session, out string, imports, env []string) error {
	work, err := os.MkdirTemp(session, ".build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	compile, link := p.configs(imports)
	for name, text := range map[string]string{"importcfg": compile, "importcfg.link": link} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name string
		args []string
	}{{"compile", p.Compile}, {"link", p.Link}} {
		if c.name == "link" && out == os.DevNull {
			return nil
		}
		start := time.Now()
		var args []string
		for _, a := range c.args {
			args = append(args, strings.ReplaceAll(a, "$WORK", work))
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = session, append(slices.Clone(env), "PWD="+session)
		if c.name == "link" {
			cmd.Env = append(cmd.Env, "GOROOT="+p.Root)
		}
		if output, err := cmd.CombinedOutput(); err != nil || len(output) > 0 {
			return fmt.Errorf("%s: %v\n%s", c.name, err, output)
		}
		stage(c.name, start)
	}
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", out)
	}
	return os.Rename(filepath.Join(work, "a.out"), out)
}

// configs returns what tells the compiler and the linker where packages are, and the
// linker which modules they are of.
func (p *plan) configs(imports []string) (compile, link string) {
	var c, l strings.Builder
	for _, path := range imports {
		if file := p.Package[path].File; file != "" {
			fmt.Fprintf(&c, "packagefile %s=%s\n", path, file)
		}
	}
	need := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if !need[path] {
			need[path] = true
			for _, i := range p.Package[path].Imports {
				visit(i)
			}
		}
	}
	for _, path := range imports {
		visit(path)
	}
	modules := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(p.Package)) {
		fmt.Fprintf(&l, "packagefile %s=%s\n", path, p.Package[path].File)
		if need[path] {
			modules[p.Package[path].Module] = true
		}
	}
	info := p.Info[0]
	for _, m := range slices.Sorted(maps.Keys(p.Module)) {
		if modules[m] {
			info += p.Module[m]
		}
	}
	fmt.Fprintf(&l, "modinfo \"%s\"\n", info+p.Info[1])
	return c.String(), l.String()
}

// record has the go command build the program, and keeps how it did, beside what old has.
func record(program, session, out string, source []byte, args, env []string, old *plan) error {
	start := time.Now()
	run := func() error { return becomeGo(program, append([]string{"build"}, args...), env) }
	self, err := os.Executable()
	if err != nil || strings.ContainsAny(self, "'\"\\") {
		return run()
	}
	work, err := os.MkdirTemp("", "regbook_record")
	if err != nil {
		return run()
	}
	defer os.RemoveAll(work)
	cmd := exec.Command(program, slices.Concat([]string{"build", "-toolexec='" + self + "' tool"}, args)...)
	cmd.Dir, cmd.Env = session, append(slices.Clone(env), recordEnv+"="+work)
	if output, err := cmd.CombinedOutput(); err != nil {
		return &goError{output, err}
	}
	p, err := newPlan(program, session, work, args, env, old)
	if err != nil { // the program is built: the next one is, too
		stage("go: "+err.Error(), start)
		return os.RemoveAll(filepath.Join(session, planFile))
	}
	if _, latest := stampFolders(p.Folders); latest.After(start.Add(-2 * time.Second)) {
		stage("go: packages changed", start)
		return os.RemoveAll(filepath.Join(session, planFile))
	}
	p.Program, p.Built = programHash(source), stamp(out)
	stage("go", start)
	p.share(session)
	return p.write(session)
}

// newPlan returns the plan that was recorded in work, with what old has.
func newPlan(program, session, work string, args, env []string, old *plan) (*plan, error) {
	p := &plan{Key: planKey(program, session, args, env), Package: map[string]pkg{}, Module: map[string]string{}}
	var err error
	if p.Compile, err = readCommand(work, "compile", "importcfg"); err != nil {
		return nil, err
	}
	if p.Link, err = readCommand(work, "link", "importcfg.link"); err != nil {
		return nil, err
	}
	root, err := os.ReadFile(filepath.Join(work, "root"))
	if err != nil {
		return nil, err
	}
	p.Root, p.Tools = string(root), p.tools()
	config, err := os.ReadFile(filepath.Join(work, "importcfg.link"))
	if err != nil {
		return nil, err
	}
	if err := p.readLinks(string(config)); err != nil {
		return nil, err
	}
	if err := p.list(program, session, args, env); err != nil {
		return nil, err
	}
	if old != nil && slices.Equal(old.Compile, p.Compile) && slices.Equal(old.Link, p.Link) && old.Info == p.Info {
		p.Folders = append(p.Folders, old.Folders...)
		for path, pkg := range old.Package {
			if now, ok := p.Package[path]; ok && now.File != pkg.File {
				return nil, fmt.Errorf("%s has changed", path)
			}
			p.Package[path] = pkg
		}
		maps.Copy(p.Module, old.Module)
	}
	p.Folders = slices.Compact(slices.Sorted(slices.Values(p.Folders)))
	if p.Files, _ = stampFolders(p.Folders); p.Files == "" {
		return nil, errors.New("too many files")
	}
	for path := range p.Package {
		if dirs := strings.Split(path, "/"); dirs[0] != "vendor" && !slices.Contains(dirs, "internal") {
			p.Imports = append(p.Imports, path)
		}
	}
	return p, nil
}

// readLinks reads which packages the linker is told of.
func (p *plan) readLinks(config string) error {
	for line := range strings.Lines(config) {
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "packagefile":
			path, file, _ := strings.Cut(rest, "=")
			if filepath.Base(file) == "_pkg_.a" { // where the go command compiles
				if filepath.Base(filepath.Dir(file)) == "b001" {
					continue // the program itself
				}
				file = "" // list knows where it is now
			}
			p.Package[path] = pkg{File: file}
		case "modinfo":
			info, err := strconv.Unquote(rest)
			if err != nil {
				return err
			}
			p.setInfo(info)
		case "", "#":
		default:
			return fmt.Errorf("the linker is told of %s", word)
		}
	}
	return nil
}

// setInfo divides the build information: lines of modules are those of dep, of what
// replaces them, and what is empty after these.
func (p *plan) setInfo(info string) {
	module, part := "", 0
	for line := range strings.Lines(info) {
		line = strings.Trim(strconv.QuoteToASCII(line), `"`) // parts of it are no text
		switch field := strings.Split(strings.TrimSuffix(line, `\n`), `\t`); {
		case field[0] == "dep" && len(field) > 1:
			module = field[1]
			p.Module[module] = line
		case field[0] == "=>" || field[0] == "" && module != "":
			p.Module[module] += line
		default:
			if field[0] == "build" {
				part = 1
			}
			p.Info[part] += line
		}
	}
}

// A listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export string
	Standard                bool
	Imports                 []string
	Module                  *struct {
		Path, GoMod string
		Main        bool
		Replace     *struct{ Version string }
	}
}

// list asks the go command where the packages are, and what they import. The objects of those
// that were compiled with the program are in the cache by now.
func (p *plan) list(program, session string, args, env []string) error {
	at := slices.Index(args, "-o")
	list := slices.Concat([]string{"list", "-deps", "-json=ImportPath,Standard,Dir,Imports,Module,Export"}, args[:at], args[at+2:])
	for _, pkg := range p.Package {
		if pkg.File == "" {
			list = append(list, "-export")
			break
		}
	}
	cmd := exec.Command(program, list...)
	cmd.Dir, cmd.Env = session, env
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listed)
		if err := d.Decode(l); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if err := p.add(l); err != nil {
			return err
		}
	}
	for path, pkg := range p.Package {
		if pkg.File == "" {
			return fmt.Errorf("%s is nowhere", path)
		}
	}
	return nil
}

// add keeps what go list says of a package.
func (p *plan) add(l *listed) error {
	have, linked := p.Package[l.ImportPath]
	if linked && have.File == "" {
		have.File = l.Export
		p.Package[l.ImportPath] = have
	}
	m := l.Module
	if l.Standard || m == nil || m.Main && l.ImportPath == m.Path { // the last is the program
		return nil
	}
	if !linked {
		return fmt.Errorf("%s is not linked", l.ImportPath)
	}
	have.Module, have.Imports = m.Path, l.Imports
	p.Package[l.ImportPath] = have
	if m.Main {
		p.Folders = append(p.Folders, l.Dir)
	} else if m.Replace != nil && m.Replace.Version == "" {
		p.Folders = append(p.Folders, l.Dir, m.GoMod)
	}
	return nil
}

// readCommand returns the recorded command of a tool, with $WORK for the go command's
// folder and the names that configs and build use.
func readCommand(work, tool, config string) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(work, tool))
	if err != nil {
		return nil, fmt.Errorf("the go command ran no %s", tool)
	}
	var args []string
	if err := json.Unmarshal(b, &args); err != nil {
		return nil, err
	}
	folder := ""
	if at := slices.Index(args, "-importcfg"); at >= 0 && at+1 < len(args) && filepath.Base(args[at+1]) == config {
		folder = filepath.Dir(args[at+1])
	}
	if folder == "" || strings.Contains(strings.Join(args, ""), "$WORK") {
		return nil, fmt.Errorf("the command of %s is not understood", tool)
	}
	named := false // -buildid, which flags of the cell's own may follow
	for i, a := range args {
		a = strings.ReplaceAll(a, folder, "$WORK")
		switch {
		case i > 0 && args[i-1] == "-o" && tool == "link":
			a = "$WORK/a.out"
		case i > 0 && args[i-1] == "-buildid":
			a = "kernel/kernel" // that of the go command is a hash of the program
		case strings.HasPrefix(a, "-buildid=") && !named:
			a, named = "-buildid=kernel/kernel/kernel/kernel", true
		}
		args[i] = a
	}
	return args, nil
}

// tool runs a tool of the go command, and records those that build a program.
func tool(args []string) error {
	work := os.Getenv(recordEnv)
	if len(args) == 0 {
		return errors.New("no tool")
	}
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	at := slices.Index(args, "-p")
	if work != "" && (name == "link" || name == "compile" && at >= 0 && at+1 < len(args) && args[at+1] == "main") && slices.Contains(args, "-importcfg") {
		b, err := json.Marshal(args)
		if err != nil {
			return err
		}
		files := map[string][]byte{name: b, "root": []byte(os.Getenv("GOROOT"))}
		config := args[slices.Index(args, "-importcfg")+1]
		if files[filepath.Base(config)], err = os.ReadFile(config); err != nil {
			return err
		}
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(work, file), text, 0o600); err != nil {
				return err
			}
		}
	}
	err := syscall.Exec(args[0], args, os.Environ())
	return fmt.Errorf("%s: %w", args[0], err)
}

// A goError is that of a go command, with what it said.
type goError struct {
	output []byte
	err    error
}

func (e *goError) Error() string { return fmt.Sprintf("%v\n%s", e.err, e.output) }
func (e *goError) Unwrap() error { return e.err }

// becomeGo runs the go command in place of this program.
func becomeGo(program string, args, env []string) error {
	err := syscall.Exec(program, append([]string{"go"}, args...), env)
	return fmt.Errorf("%s: %w", program, err)
}

func programHash(source []byte) string { return fmt.Sprintf("%x", sha256.Sum256(source)) }

// stage says what a build did, if it is asked.
func stage(what string, since time.Time) {
	name := os.Getenv(stagesEnv)
	if name == "" {
		return
	}
	if f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintf(f, "%s %.1f\n", what, float64(time.Since(since).Microseconds())/1000)
		f.Close()
	}
}
