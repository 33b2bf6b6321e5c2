// Command gotest makes runs of go test, two at a time, and, of what fails, says last what it
// was and the command that runs it alone. The first run, the longest, has all processors, each
// other half of them. Meanwhile it shows how many packages are done: on a terminal in a status line, elsewhere
// in a line every half minute. A package has an hour, on a busy machine, too. The Makefile's
// targets call it. Runs are divided by --; each has the arguments of go test, after variables of
// its own:
//
//	gotest -vet=all ./... -- CGO_ENABLED=1 -race ./mlreg ./frames
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
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	// Ctrl-C ends go test, which then this reports. (Ignored signals, unlike
	// caught ones, would be ignored by go test, too.)
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM)
	out, every := &lines{to: os.Stdout}, 30*time.Second
	if info, err := os.Stdout.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" {
		out.terminal, every = true, time.Second
	}
	if err := run(os.Args[1:], out, time.Tick(every)); err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}
}

// run makes the runs that words say, and shows at every tick how far they are.
func run(words []string, out *lines, tick <-chan time.Time) error {
	runs := parse(words)
	p := &progress{start: time.Now()}
	for _, g := range runs {
		p.count(g)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		out.follow(p, tick, stop)
		close(stopped)
	}()
	reports, errs := runAll(runs, out, p)
	close(stop)
	<-stopped
	return summarize(runs, reports, errs, out)
}

// runAll makes runs, two at a time.
func runAll(runs []goTest, out io.Writer, p *progress) ([]*report, []error) {
	reports, errs := make([]*report, len(runs)), make([]error, len(runs))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, g := range runs {
		if i > 0 {
			g.flags = append([]string{fmt.Sprintf("-p=%d", max(1, runtime.NumCPU()/2))}, g.flags...)
		}
		slots <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			reports[i], errs[i] = g.run(out, p, len(runs) > 1)
			<-slots
		}()
	}
	wg.Wait()
	return reports, errs
}

// summarize says last what failed, and the command that runs it alone.
func summarize(runs []goTest, reports []*report, errs []error, out io.Writer) error {
	n := 0
	for i, r := range reports {
		if r == nil || r.failed == nil {
			continue
		}
		if n == 0 {
			fmt.Fprintln(out, "\nfailed, and the command that runs it alone:")
		}
		n += len(r.failed)
		errs[i] = nil // said by what failed
		for _, f := range r.failed {
			fmt.Fprintf(out, "  %s\n", runs[i].command(f))
		}
	}
	if n > 0 {
		errs = append(errs, fmt.Errorf("%d failed", n))
	}
	return errors.Join(errs...)
}

// A goTest is one run of go test.
type goTest struct {
	env      []string // variables, such as CGO_ENABLED=1
	folder   []string // -C and its folder, which go test wants first
	flags    []string
	packages []string
}

// parse divides words into runs.
func parse(words []string) []goTest {
	var runs []goTest
	for len(words) > 0 {
		end := slices.Index(words, "--")
		if end < 0 {
			end = len(words)
		}
		runs = append(runs, parseOne(words[:end]))
		words = words[min(end+1, len(words)):]
	}
	return runs
}

// withValue are the flags that gotest is called with whose value is the next word.
var withValue = []string{"-run", "-skip", "-timeout"}

func parseOne(words []string) goTest {
	var g goTest
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") || !strings.Contains(w, "=") })
	if i < 0 {
		i = len(words)
	}
	g.env, words = words[:i], words[i:]
	if len(words) > 1 && words[0] == "-C" {
		g.folder, words = words[:2], words[2:]
	}
	i = 0
	for i < len(words) && strings.HasPrefix(words[i], "-") {
		if slices.Contains(withValue, words[i]) {
			i++
		}
		i++
	}
	i = min(i, len(words))
	g.flags, g.packages = words[:i], words[i:]
	return g
}

// run runs go test; label has the lines of its packages say how.
func (g goTest) run(out io.Writer, p *progress, label bool) (*report, error) {
	cmd := exec.Command("go", slices.Concat([]string{"test"}, g.folder, []string{"-json", "-timeout=1h"}, g.flags, g.packages)...)
	cmd.Env = append(os.Environ(), g.env...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := &report{out: out, progress: p, lines: map[test][]string{}}
	if label {
		r.label = g.label()
	}
	readErr := r.read(events)
	return r, errors.Join(cmd.Wait(), readErr)
}

// label is what tells a run from others: its variables, its folder, the race detector.
func (g goTest) label() string {
	words := slices.Concat(g.env, g.folder)
	if slices.Contains(g.flags, "-race") {
		words = append(words, "-race")
	}
	return strings.Join(words, " ")
}

// A test is one function, or with no name a whole package.
type test struct{ pkg, name string }

// An event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// A report keeps what tests print until they fail.
type report struct {
	out      io.Writer
	progress *progress
	label    string // at the end of a package's line
	lines    map[test][]string
	failed   []test
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
	r.progress.add(r.label, e)
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "output":
		if t.name == "" && summary.MatchString(e.Output) {
			if !strings.HasSuffix(e.Output, "[no test files]\n") {
				line, end := e.Output, ""
				if r.label != "" {
					line, end = strings.TrimSuffix(line, "\n"), "\t"+r.label+"\n"
				}
				fmt.Fprint(r.out, line+end)
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
func (g goTest) command(t test) string {
	var words []string
	for _, name := range []string{"CGO_ENABLED", "GOWORK", "REGBOOK_KERNELS"} {
		own := slices.ContainsFunc(g.env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if v := os.Getenv(name); v != "" && !own {
			words = append(words, name+"="+v)
		}
	}
	words = slices.Concat(words, g.env, []string{"go", "test"}, g.folder)
	for i := 0; i < len(g.flags); i++ {
		if slices.Contains(withValue, g.flags[i]) {
			i++
		} else {
			words = append(words, g.flags[i])
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
