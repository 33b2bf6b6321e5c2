// Command cells shows where the time of a notebook's cell goes, and fails if a cell
// makes the linker read more than its budget. make cells runs it.
//
// It builds and runs the cells of testdata by the programs of the kernel, in one session,
// in turn, each with a new line in it, as a reader does who changes a cell. Columns are medians in
// milliseconds:
//
//	goimports  the kernel runs it on every cell
//	get        so it does go get
//	check      whether anything but the cell has changed
//	compile    the cell itself
//	link       it with the packages it needs
//	run        the program
//	cell       all of these, measured together
//	over       what a cell takes beyond the first
//	CPU        the processors' time of a cell
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

// A cell has a program in testdata and what it may make the linker read.
type cell struct {
	name     string
	packages int
	megabyte int
}

var cells = []cell{{"print", 62, 25}, {"fit", 150, 86}, {"figure", 221, 110}}

//go:embed testdata
var programs embed.FS

func main() {
	rounds := flag.Int("rounds", 9, "times that each cell is built")
	kernel := flag.String("kernel", "build/jupyter/kernels/regbook", "`folder` of the kernel")
	flag.Parse()
	if err := run(max(1, *rounds), *kernel); err != nil {
		fmt.Fprintln(os.Stderr, "cells:", err)
		os.Exit(1)
	}
}

func run(rounds int, kernel string) error {
	dir, err := os.MkdirTemp("", "cells")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &session{dir: dir, stages: filepath.Join(dir, "stages")}
	if s.kernel, err = filepath.Abs(kernel); err != nil {
		return err
	}
	if _, err := s.run(s.program("go"), "mod", "init", "cells"); err != nil {
		return err
	}
	fmt.Printf("%s, %d processors; milliseconds, medians of %d\n\n", runtime.Version(), runtime.NumCPU(), rounds)
	fmt.Println("cell    packages   MB  goimports   get  check  compile  link   run   cell  over   CPU")
	spent := make([][][]time.Duration, len(cells)) // of a cell, of a round: the columns
	sizes := make([]size, len(cells))
	for i, c := range cells {
		if err := s.write(c, ""); err != nil {
			return err
		}
		if sizes[i], err = s.load(); err != nil {
			return err
		}
	}
	for round := range rounds + 2 { // the first ones warm
		for i, c := range cells {
			times, err := s.time(c, round > 1)
			if err != nil {
				return err
			}
			if round > 1 {
				spent[i] = append(spent[i], times)
			}
		}
	}
	first := medians(spent[0])
	var over error
	for i, c := range cells {
		m := medians(spent[i])
		fmt.Printf("%-7s %8d %4d  %9d %5d %6d  %7d %5d %5d  %5d %5d %5d\n", c.name, sizes[i].packages, sizes[i].megabytes(),
			m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[6]-first[6], m[7])
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

// A session is what GoNB has: a folder with the program of a cell.
type session struct {
	dir, kernel string
	stages      string // file to which the kernel's go command writes what it did
	cpu         time.Duration
}

// program returns the kernel's program of that name.
func (s *session) program(name string) string { return filepath.Join(s.kernel, "bin", name) }

// run runs a program in the session, and returns the time it took.
func (s *session) run(name string, args ...string) (time.Duration, error) {
	start := time.Now()
	_, used, err := s.output(name, args...)
	s.cpu += used
	return time.Since(start), err
}

func (s *session) output(name string, args ...string) (string, time.Duration, error) {
	return output(s.dir, []string{"REGBOOK_KERNEL=" + s.kernel, "GONB_TMP_DIR=" + s.dir, "REGBOOK_STAGES=" + s.stages}, name, args...)
}

// write makes a cell the program of the session.
func (s *session) write(c cell, more string) error {
	text, err := programs.ReadFile("testdata/" + c.name + "/main.go")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, "main.go"), append(text, more...), 0o644)
}

// size is what the linker reads for a cell.
type size struct {
	packages int
	bytes    int64
}

func (s size) megabytes() int { return int((s.bytes + 999_999) / 1e6) }

// load compiles what the program needs and adds it up.
func (s *session) load() (size, error) {
	list, _, err := s.output(s.program("go"), slices.Concat([]string{"list", "-deps", "-export", "-f", "{{.Export}}"}, flags)...)
	if err != nil {
		return size{}, err
	}
	var sum size
	for _, file := range strings.Split(strings.TrimSuffix(list, "\n"), "\n") {
		sum.packages++
		if file == "" { // unsafe has none
			continue
		}
		info, err := os.Stat(file)
		if err != nil {
			return size{}, err
		}
		sum.bytes += info.Size()
	}
	return sum, nil
}

// time changes a cell and returns the columns of its line. If warm, the compiler and the
// linker build it without the go command.
func (s *session) time(c cell, warm bool) ([]time.Duration, error) {
	if err := s.write(c, fmt.Sprintf("\n// %d\n", time.Now().UnixNano())); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(s.stages); err != nil {
		return nil, err
	}
	s.cpu = 0
	start := time.Now()
	program := filepath.Join(s.dir, "cell")
	imports, err := s.run(s.program("goimports"), "-w", filepath.Join(s.dir, "main.go"))
	get, err1 := s.run(s.program("go"), "get")
	_, err2 := s.run(s.program("go"), "build", "-o", program)
	run, err3 := s.run(program)
	all := time.Since(start)
	stages, err4 := s.took()
	if err := errors.Join(err, err1, err2, err3, err4); err != nil {
		return nil, err
	}
	if warm && stages["link"] == 0 {
		return nil, fmt.Errorf("cell %s was built by %v, not by the compiler and the linker", c.name, stages)
	}
	return []time.Duration{imports, get, stages["check"], stages["compile"], stages["link"], run, all, s.cpu}, nil
}

// took returns the times of the stages of a build.
func (s *session) took() (map[string]time.Duration, error) {
	text, err := os.ReadFile(s.stages)
	if err != nil {
		return nil, err
	}
	times := map[string]time.Duration{}
	for line := range strings.Lines(string(text)) {
		var name string
		var ms float64
		if _, err := fmt.Sscan(line, &name, &ms); err == nil {
			times[name] += time.Duration(ms * float64(time.Millisecond))
		}
	}
	return times, nil
}

// medians returns the median of every column, in milliseconds.
func medians(rounds [][]time.Duration) []int64 {
	m := make([]int64, len(rounds[0]))
	for k := range m {
		var column []time.Duration
		for _, r := range rounds {
			column = append(column, r[k])
		}
		slices.Sort(column)
		m[k] = column[len(column)/2].Milliseconds()
	}
	return m
}

// output runs a command in a folder, with more environment, and returns what it wrote and the
// processors' time it took. The error has what it wrote to standard error.
func output(dir string, env []string, name string, args ...string) (string, time.Duration, error) {
	var out, complaint bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", 0, fmt.Errorf("%s: %w\n%s", cmd, err, complaint.String())
	}
	return out.String(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
