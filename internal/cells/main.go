// Command cells shows where the time of a notebook's cell goes, and fails if a cell
// makes the linker read more than its budget. make cells runs it.
//
// It builds the cells of testdata as the kernel does, in a module of their own, in
// turn, each with a new line in it. Columns are medians in milliseconds:
//
//	goimports  the kernel runs it on every cell
//	go         the go command, when nothing has changed
//	compile    the cell itself
//	link       it with the packages it needs, by which it grows
//	run        the program
//	cell       all of these, measured together
//	over       what a cell takes beyond the first
//	CPU        the processors' time of a cell, which a busy machine changes less
//
// Packages and the bytes of their objects do not depend on the machine, so they have
// budgets. The bytes depend on Go's version.
package main

import (
	"bytes"
	"embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// flags build a cell: without debug data, which no cell needs and the linker reads, and
// without the formats of figures that a program has to import.
var flags = []string{"-mod=mod", "-tags=minimal", "-gcflags=all=-dwarf=false", "-ldflags=-s -w"}

// environment is what the kernel sets for the go command: the linker collects garbage
// rarely.
var environment = []string{"GOGC=400", "GOMEMLIMIT=1GiB"}

// A cell has a program in testdata and what it may make the linker read.
type cell struct {
	name     string
	packages int
	megabyte int
}

var cells = []cell{{"print", 65, 26}, {"fit", 155, 90}, {"figure", 230, 115}}

//go:embed testdata
var programs embed.FS

func main() {
	rounds := flag.Int("rounds", 9, "times that each cell is built")
	goimports := flag.String("goimports", "goimports", "`program` that the kernel runs on a cell")
	flag.Parse()
	if err := run(max(1, *rounds), *goimports); err != nil {
		fmt.Fprintln(os.Stderr, "cells:", err)
		os.Exit(1)
	}
}

func run(rounds int, goimports string) error {
	dir, err := os.MkdirTemp("", "cells")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if goimports, err = exec.LookPath(goimports); err != nil {
		return err
	}
	if goimports, err = filepath.Abs(goimports); err != nil {
		return err
	}
	if err := writeModule(dir); err != nil {
		return err
	}
	fmt.Printf("%s, %d processors; milliseconds, medians of %d\n\n", runtime.Version(), runtime.NumCPU(), rounds)
	fmt.Println("cell    packages   MB  goimports    go  compile  link   run   cell  over   CPU")
	spent := make([][][]time.Duration, len(cells)) // of a cell, of a round: the columns
	sizes := make([]size, len(cells))
	for i, c := range cells {
		if sizes[i], err = load(filepath.Join(dir, c.name)); err != nil {
			return err
		}
	}
	for round := range rounds + 1 { // the first one warms
		for i, c := range cells {
			times, err := timeCell(filepath.Join(dir, c.name), goimports)
			if err != nil {
				return err
			}
			if round > 0 {
				spent[i] = append(spent[i], times)
			}
		}
	}
	first := medians(spent[0])
	var over error
	for i, c := range cells {
		m := medians(spent[i])
		fmt.Printf("%-7s %8d %4d  %9d %5d  %7d %5d %5d  %5d %5d %5d\n", c.name, sizes[i].packages, sizes[i].megabytes(),
			m[0], m[1], m[2], m[3], m[4], m[5], m[5]-first[5], m[6])
		over = errors.Join(over, c.check(sizes[i]))
	}
	return over
}

// check returns an error above the budget.
func (c cell) check(s size) error {
	if s.packages <= c.packages && s.megabytes() <= c.megabyte {
		return nil
	}
	return fmt.Errorf("cell %s: the linker reads %d packages of %d MB; the budget is %d packages, %d MB: see who imports what by go list -deps",
		c.name, s.packages, s.megabytes(), c.packages, c.megabyte)
}

// writeModule writes a module with the cells to dir, as the kernel's first cell does.
func writeModule(dir string) error {
	root, _, err := output(".", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	root = strings.TrimSpace(root)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	const module = "github.com/regbook/regbook"
	mod := fmt.Sprintf("module cells\n\nrequire %s v0.0.0\n\nreplace %[1]s => %q\n", module, root)
	for name, text := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	for _, c := range cells {
		text, err := programs.ReadFile("testdata/" + c.name + "/main.go")
		if err != nil {
			return err
		}
		if err := os.Mkdir(filepath.Join(dir, c.name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, c.name, "main.go"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// size is what the linker reads for a cell.
type size struct {
	packages int
	bytes    int64
}

func (s size) megabytes() int { return int((s.bytes + 999_999) / 1e6) }

// load compiles what a cell needs and adds it up.
func load(dir string) (size, error) {
	list, _, err := output(dir, "go", goArgs("list", "-deps", "-export", "-f", "{{.Export}}")...)
	if err != nil {
		return size{}, err
	}
	var s size
	for _, file := range strings.Split(strings.TrimSuffix(list, "\n"), "\n") {
		s.packages++
		if file == "" { // unsafe has none
			continue
		}
		info, err := os.Stat(file)
		if err != nil {
			return size{}, err
		}
		s.bytes += info.Size()
	}
	return s, nil
}

// timeCell changes a cell and returns the columns of its line.
func timeCell(dir, goimports string) ([]time.Duration, error) {
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "cell")
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	var failed error
	var cpu time.Duration
	took := func(name string, args ...string) time.Duration {
		start := time.Now()
		_, used, err := output(dir, name, args...)
		failed, cpu = errors.Join(failed, err), cpu+used
		return time.Since(start)
	}
	change := func() {
		line := fmt.Sprintf("\n// %d\n", time.Now().UnixNano())
		failed = errors.Join(failed, os.WriteFile(source, append(slices.Clip(text), line...), 0o644))
	}
	build := func() time.Duration { return took("go", goArgs("build", "-buildvcs=false", "-o", program)...) }

	change()
	imports, whole, run := took(goimports, "-w", source), build(), took(program)
	all := cpu
	change()
	compiled := took("go", goArgs("list", "-export", "-f", "{{.Export}}")...)
	linked, idle := build(), build()
	failed = errors.Join(failed, os.WriteFile(source, text, 0o644))
	return []time.Duration{imports, idle, compiled - idle, linked - idle, run, imports + whole + run, all}, failed
}

func goArgs(command string, args ...string) []string {
	return slices.Concat([]string{command}, flags, args)
}

// medians returns the median of every column, in milliseconds, 0 where noise made it
// negative.
func medians(rounds [][]time.Duration) []int64 {
	m := make([]int64, len(rounds[0]))
	for k := range m {
		var column []time.Duration
		for _, r := range rounds {
			column = append(column, r[k])
		}
		slices.Sort(column)
		m[k] = max(0, column[len(column)/2].Milliseconds())
	}
	return m
}

// output runs a program and returns what it wrote and the processors' time it took. The
// error has what it wrote to standard error.
func output(dir, name string, args ...string) (string, time.Duration, error) {
	cmd := exec.Command(name, args...)
	var out, complaint bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &complaint
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if name == "go" {
		cmd.Env = append(cmd.Env, environment...)
	}
	if err := cmd.Run(); err != nil {
		return "", 0, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, complaint.String())
	}
	return out.String(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
