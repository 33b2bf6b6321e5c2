// Command attack calls every exported function and method of the packages at random, with
// hostile arguments, and fails if a call hangs, kills the process, panics without its
// documentation saying so, or writes control characters into a text or an error:
//
//	go run ./internal/attack -seed 1 -calls 100000
//
// Ctrl-C ends it with the table of the calls made by then.
//
// What is called is read from the source at the start (registry.go), so that a new name is
// attacked at once. The calls are made by a child process with a limit of memory; a call
// that works longer than the deadline is a hang. The child is then started again after it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

var (
	seed     = flag.Uint64("seed", 1, "seed of the calls")
	calls    = flag.Int("calls", 100_000, "number of calls")
	only     = flag.String("only", "", "call only what has this in its name, such as mlreg.FitOLS")
	deadline = flag.Duration("deadline", 20*time.Second, "time of the processor after which a call hangs, or, of ten times that, on the wall")
	memory   = flag.Int("memory", 8192, "address space of the child in megabytes")
	workers  = flag.Int("workers", 2, "children at the same time")
	shown    = flag.Int("show", 30, "findings to print")
	moving   = flag.Bool("names", false, "give names and levels control characters, all of them")
	first    = flag.Int("first", 0, "number of the first call")
)

func main() {
	flag.Parse()
	ok, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// finding is something that must not happen.
type finding struct {
	kind, name, what string
	call             int
	args             string
}

// tally is what children report.
type tally struct {
	sync.Mutex
	stop     chan struct{}  // closed by Ctrl-C: what was called so far is printed
	calls    map[string]int // by kind
	errors   map[string]int // by sentinel
	names    map[string]int // calls of a name
	slowest  time.Duration
	slowName string
	findings []finding
}

func run() (bool, error) {
	dir, err := os.MkdirTemp("", "regbook-attack")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	program, functions, skipped, err := build(dir)
	if err != nil {
		return false, err
	}
	t := &tally{stop: make(chan struct{}), calls: map[string]int{}, errors: map[string]int{}, names: map[string]int{}}
	start := time.Now()
	const block = 2000 // calls of a child, which then starts with a fresh pool
	blocks := make(chan int)
	var wait sync.WaitGroup
	failed := make([]error, *workers)
	for w := range *workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for b := range blocks {
				if failed[w] == nil {
					failed[w] = t.calling(program, filepath.Join(dir, strconv.Itoa(b)), b, min(b+block, *first+*calls))
				}
			}
		}()
	}
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-stopped
		close(t.stop)
	}()
	for b := *first; b < *first+*calls; b += block {
		select {
		case blocks <- b:
		case <-t.stop:
		}
	}
	close(blocks)
	wait.Wait()
	if err := errors.Join(failed...); err != nil {
		return false, err
	}
	return t.print(functions, skipped, time.Since(start)), nil
}

// build builds the child with a registry.
func build(dir string) (program string, functions int, skipped []string, err error) {
	if _, functions, skipped, err = compile(dir); err != nil {
		return "", 0, nil, err
	}
	program = filepath.Join(dir, "child")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-gcflags=-e", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./internal/attack/child")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", 0, nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, functions, skipped, nil
}

// compile writes a registry, and leaves out what does not compile: a function with type
// parameters whose constraints the registry does not know.
func compile(dir string) (text []byte, functions int, skipped []string, err error) {
	source, overlay := filepath.Join(dir, "registry.go"), filepath.Join(dir, "overlay.json")
	target, err := filepath.Abs("internal/attack/child/registry.go")
	if err != nil {
		return nil, 0, nil, err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{target: source}})
	if err != nil {
		return nil, 0, nil, err
	}
	if err := os.WriteFile(overlay, replace, 0o666); err != nil {
		return nil, 0, nil, err
	}
	leftOut := map[string]bool{}
	for {
		text, n, err := registry(leftOut)
		if err != nil {
			return nil, 0, nil, err
		}
		if err := os.WriteFile(source, text, 0o666); err != nil {
			return nil, 0, nil, err
		}
		cmd := exec.Command("go", "list", "-buildvcs=false", "-export", "-gcflags=-e", "-overlay", overlay, "./internal/attack/child")
		out, err := cmd.CombinedOutput()
		if err == nil {
			return text, n - len(skipped), skipped, nil
		}
		more := false
		lines := bytes.Split(text, []byte("\n"))
		for _, m := range regexp.MustCompile(`registry\.go:(\d+):`).FindAllSubmatch(out, -1) {
			at, _ := strconv.Atoi(string(m[1]))
			if name := expression.FindSubmatch(lines[at-1]); name != nil && !leftOut[string(name[1])] {
				leftOut[string(name[1])], more = true, true
				skipped = append(skipped, string(name[1]))
			}
		}
		if !more {
			return nil, 0, nil, fmt.Errorf("go list -export: %w\n%s", err, out)
		}
	}
}

var expression = regexp.MustCompile(`^\tfunction\("([^"]*)"`)

// calling has children make the calls from first up to end.
func (t *tally) calling(program, dir string, first, end int) error {
	for first < end {
		next, err := t.child(program, dir, first, end)
		if err != nil {
			return err
		}
		first = next
	}
	return os.RemoveAll(dir)
}

// child starts one and returns the number of the call after its last.
func (t *tally) child(program, dir string, first, end int) (int, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	var stderr tail
	cmd, read, err := startChild(program, dir, first, end, &stderr)
	if err != nil {
		return 0, err
	}
	defer read.Close()
	lines := linesOf(read)
	var current finding // the call that is being made
	began := time.Now()
	hung, waited := false, 0
	var worked time.Duration // of the child, before the call
	timer := time.NewTimer(*deadline)
	for open := true; open; {
		select {
		case line, ok := <-lines:
			if !ok {
				open = false
				break
			}
			timer.Reset(*deadline)
			part := strings.Split(line, "\t")
			switch part[0] {
			case "broken":
				return 0, fmt.Errorf("the child cannot start: %s", part[1])
			case "call":
				worked, waited = processorTime(cmd.Process.Pid), 0
				current, began = announced(part), time.Now()
			case "done":
				what, _ := strconv.Unquote(part[4])
				t.done(current, part[3], what, time.Since(began))
				current = finding{}
			}
		case <-t.stop:
			killed(cmd, lines)
			_ = cmd.Wait()
			return end, nil
		case <-timer.C:
			// On a busy machine a call may wait long before it has worked for long.
			if used := processorTime(cmd.Process.Pid) - worked; used < *deadline && waited < 10 {
				waited++
				timer.Reset(max(*deadline-used, time.Second))
				break
			}
			hung, open = true, false
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGQUIT) // it writes its stacks
			time.Sleep(time.Second)
			killed(cmd, lines)
		}
	}
	return t.ended(current, end, hung, cmd.Wait(), stderr.String())
}

// ended tells of the call during which a child ended, unless it had made them all, and returns the number
// of the next.
func (t *tally) ended(current finding, end int, hung bool, err error, stderr string) (int, error) {
	switch {
	case current.name == "" && err != nil && !hung:
		return 0, fmt.Errorf("the child ended between calls: %w\n%s", err, stderr)
	case current.name == "":
		return end, nil
	case hung:
		t.done(current, "hang", stack(stderr), *deadline)
	default:
		t.done(current, "death", fmt.Sprintf("%v\n%s", err, stack(stderr)), 0)
	}
	return current.call + 1, nil
}

// announced is the call that a line says is being made.
func announced(part []string) finding {
	n, _ := strconv.Atoi(part[1])
	args, _ := strconv.Unquote(part[3])
	return finding{call: n, name: part[2], args: args}
}

// startChild starts a child, which writes what it calls to read.
func startChild(program, dir string, first, end int, stderr io.Writer) (cmd *exec.Cmd, read *os.File, err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	cmd = exec.Command(program, strconv.FormatUint(*seed, 10), strconv.Itoa(first), strconv.Itoa(end), strconv.Itoa(*memory), *only, strconv.FormatBool(*moving))
	cmd.Dir, cmd.ExtraFiles = dir, []*os.File{write}
	cmd.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
	cmd.Stderr = stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	write.Close()
	if err != nil {
		read.Close()
		return nil, nil, err
	}
	return cmd, read, nil
}

// linesOf sends lines until there are no more.
func linesOf(r io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		in := bufio.NewReader(r)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				close(lines)
				return
			}
			lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	return lines
}

// killed kills a child with its children, and waits until its lines end.
func killed(cmd *exec.Cmd, lines <-chan string) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	for range lines {
	}
}

// processorTime is what a process has used of the processors, in ticks of 10 ms.
func processorTime(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name of the program may have blanks
	part := strings.Fields(rest)
	if len(part) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(part[11])
	system, _ := strconv.Atoi(part[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// stack shortens a dump of goroutines to those lines that name our files.
func stack(dump string) string {
	var lines []string
	for line := range strings.Lines(dump) {
		if strings.Contains(line, ".go:") && !strings.Contains(line, "/src/") && !strings.Contains(line, "/attack/child/") || len(lines) < 2 {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return strings.Join(lines[:min(len(lines), 14)], "\n")
}

func (t *tally) done(f finding, kind, what string, took time.Duration) {
	t.Lock()
	defer t.Unlock()
	t.calls[kind]++
	t.names[f.name]++
	if took > t.slowest && kind != "hang" {
		t.slowest, t.slowName = took, f.name
	}
	switch kind {
	case "error":
		t.errors[what]++
	case "panic", "unescaped", "hang", "death":
		f.kind, f.what = kind, what
		t.findings = append(t.findings, f)
	}
}

// print writes the table and the findings, one for each place, and tells whether there are
// none.
func (t *tally) print(functions int, skipped []string, took time.Duration) bool {
	total := 0
	for _, n := range t.calls {
		total += n
	}
	fmt.Printf("seed %d: %d calls of %d functions and methods (%d functions are exported) in %v; the slowest, %s, took %v\n\n",
		*seed, total, len(t.names), functions, took.Round(time.Second), t.slowName, t.slowest.Round(time.Millisecond))
	for _, kind := range []string{"ok", "error", "documented panic", "own panic", "panic", "unescaped", "hang", "death"} {
		fmt.Printf("  %-18s %7d\n", kind, t.calls[kind])
	}
	var kinds []string
	for what := range t.errors {
		kinds = append(kinds, what)
	}
	slices.SortFunc(kinds, func(a, b string) int { return t.errors[b] - t.errors[a] })
	fmt.Println("\nerrors:")
	for _, what := range kinds[:min(len(kinds), 25)] {
		fmt.Printf("  %-70.70q %7d\n", what, t.errors[what])
	}
	if len(skipped) > 0 {
		fmt.Println("\nnot called, since their type parameters are not known:", strings.Join(skipped, ", "))
	}
	seen := map[string]int{}
	for _, f := range t.findings {
		key := f.kind + " " + f.name
		if seen[key]++; seen[key] == 1 && len(seen) <= *shown {
			fmt.Printf("\n%s in call %d, %s(%.600s)\n%.1800s\n", f.kind, f.call, f.name, f.args, f.what)
		}
	}
	if len(seen) > 0 {
		fmt.Println("\nfindings by name:")
		var names []string
		for key := range seen {
			names = append(names, key)
		}
		slices.Sort(names)
		for _, key := range names {
			fmt.Printf("  %-60s %5d\n", key, seen[key])
		}
	}
	return len(t.findings) == 0
}

// tail keeps the beginning of what is written, and throws the rest away.
type tail struct{ bytes.Buffer }

func (t *tail) Write(b []byte) (int, error) {
	if t.Len() < 1<<20 {
		t.Buffer.Write(b)
	}
	return len(b), nil
}
