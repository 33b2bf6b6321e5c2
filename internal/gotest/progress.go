package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// progress counts the packages of all runs.
type progress struct {
	mu          sync.Mutex
	start       time.Time
	total, done int
	running     []string // what is tested now, with the labels of the runs
}

// count adds the packages of a run to the total. A pattern that go list refuses has
// go test say so.
func (p *progress) count(g goTest) {
	cmd := exec.Command("go", slices.Concat([]string{"list"}, g.folder, []string{"-buildvcs=false"}, g.packages)...)
	cmd.Env = append(os.Environ(), g.env...)
	if list, err := cmd.Output(); err == nil {
		p.total += bytes.Count(list, []byte("\n"))
	}
}

// add counts what an event says of a package.
func (p *progress) add(label string, e event) {
	if e.Test != "" || e.Package == "" {
		return
	}
	name := strings.TrimPrefix(e.Package, "github.com/regbook/regbook/")
	if label != "" {
		name += " (" + label + ")"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e.Action {
	case "start":
		p.running = append(p.running, name)
	case "pass", "fail", "skip":
		p.done++
		if i := slices.Index(p.running, name); i >= 0 {
			p.running = slices.Delete(p.running, i, i+1)
		}
	}
}

// String is a line: how many packages are done, after how long, and what goes on.
func (p *progress) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := "compiling"
	if len(p.running) > 0 {
		now = strings.Join(p.running, ", ")
	}
	took := time.Since(p.start)
	return fmt.Sprintf("[%d of %d packages, %d:%02d] %s", p.done, p.total, int(took.Minutes()), int(took.Seconds())%60, now)
}

// lines writes what is printed at once in one piece, above the status line of a terminal.
type lines struct {
	mu       sync.Mutex
	to       io.Writer
	terminal bool
	shown    bool // a status line
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
	return l.to.Write(b)
}

func (l *lines) clear() {
	if l.shown {
		fmt.Fprint(l.to, "\r\x1b[K")
	}
	l.shown = false
}

// status shows a line: on a terminal in place of the last one.
func (l *lines) status(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
	if !l.terminal {
		fmt.Fprintln(l.to, text)
		return
	}
	if r := []rune(text); len(r) > 79 {
		text = string(r[:78]) + "…"
	}
	fmt.Fprint(l.to, text)
	l.shown = true
}

// follow shows the status at every tick, until stop is closed.
func (l *lines) follow(p *progress, tick <-chan time.Time, stop <-chan struct{}) {
	for {
		select {
		case <-tick:
			l.status(p.String())
		case <-stop:
			l.mu.Lock()
			l.clear()
			l.mu.Unlock()
			return
		}
	}
}
