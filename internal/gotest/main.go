// Command gotest runs go test and, of what fails, says last what it was and the
// command that runs it alone. The Makefile's targets call it with the arguments
// of go test:
//
//	gotest -race ./mlreg ./frames
//
// Variables that decide what a test does (REGBOOK_KERNELS, CGO_ENABLED) are part
// of the command that it prints.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

func main() {
	// Ctrl-C ends go test, which then this reports. (Ignored signals, unlike
	// caught ones, would be ignored by go test, too.)
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM)
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}
}

// run runs go test with args.
func run(args []string, out io.Writer) error {
	dir, rest := folder(args)
	cmd := exec.Command("go", slices.Concat([]string{"test"}, dir, []string{"-json"}, rest)...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r := &report{out: out, lines: map[test][]string{}}
	readErr := r.read(events)
	err = cmd.Wait()
	if failed := r.failed; failed != nil {
		fmt.Fprintln(out, "\nfailed, and the command that runs it alone:")
		for _, f := range failed {
			fmt.Fprintf(out, "  %s\n", f.command(args))
		}
		return fmt.Errorf("%d failed", len(failed))
	}
	return errors.Join(err, readErr)
}

// folder divides -C and its folder, which go test wants first, from the other
// arguments.
func folder(args []string) (dir, rest []string) {
	if len(args) > 1 && args[0] == "-C" {
		return args[:2], args[2:]
	}
	return nil, args
}

// A test is one function, or with no name a whole package.
type test struct{ pkg, name string }

// An event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// A report keeps what tests print until they fail.
type report struct {
	out    io.Writer
	lines  map[test][]string
	failed []test
}

func (r *report) read(events io.Reader) error {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if len(line) > 0 {
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(r.out, "%s", line) // not of a test
			} else {
				r.add(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// summary is the line that go test prints of a package.
var summary = regexp.MustCompile(`^(ok|FAIL|\?) +\t`)

func (r *report) add(e event) {
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "output":
		if t.name == "" && summary.MatchString(e.Output) {
			if !strings.HasSuffix(e.Output, "[no test files]\n") {
				fmt.Fprint(r.out, e.Output)
			}
			return
		}
		r.lines[t] = append(r.lines[t], e.Output)
	case "pass", "skip":
		delete(r.lines, t)
	case "fail":
		fmt.Fprint(r.out, strings.Join(r.lines[t], ""))
		delete(r.lines, t)
		// A package fails with its tests, a test with its parts.
		part := func(f test) bool {
			return f.pkg == t.pkg && (t.name == "" || strings.HasPrefix(f.name, t.name+"/"))
		}
		if !slices.ContainsFunc(r.failed, part) {
			r.failed = append(r.failed, t)
		}
	}
}

// command returns what runs a failed test as it was run, and no other.
func (t test) command(args []string) string {
	words := []string{}
	for _, name := range []string{"CGO_ENABLED", "GOWORK", "REGBOOK_KERNELS"} {
		if v := os.Getenv(name); v != "" {
			words = append(words, name+"="+v)
		}
	}
	dir, args := folder(args)
	words = append(append(words, "go", "test"), dir...)
	for i := 0; i < len(args) && strings.HasPrefix(args[i], "-"); i++ {
		if args[i] == "-run" || args[i] == "-skip" || args[i] == "-timeout" {
			i++ // its value
		} else {
			words = append(words, args[i])
		}
	}
	if t.name != "" {
		var parts []string
		for _, p := range strings.Split(t.name, "/") {
			parts = append(parts, "^"+regexp.QuoteMeta(p)+"$")
		}
		words = append(words, "-run", "'"+strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`)+"'")
	}
	return strings.Join(append(words, t.pkg), " ")
}
