package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// leavesProcesses is a Jupyter that starts a process in its own group and one in another
// session, as a kernel is, writes their numbers and its own, and runs for ever. If the
// file "quick" is beside it, it returns at once.
const leavesProcesses = `#!/bin/sh
here=$(dirname "$0")
while [ $# -gt 1 ]; do shift; done
[ -e "$here/quick" ] && { cp "$1" "$REGBOOK_EXECUTED"; exit; }
trap '' INT
sleep 600 &
group=$!
setsid sleep 600 &
echo $$ $group $! > "$here/pids.part"
mv "$here/pids.part" "$here/pids"
wait
sleep 600
`

// courseIn is a course of one notebook in a folder, with a Jupyter that is a script.
func courseIn(dir, script string) (*course, error) {
	c := &course{root: "../..", notebooks: filepath.Join(dir, "notebooks"), build: filepath.Join(dir, "build"),
		jupyter: filepath.Join(dir, "jupyter"), jobs: 1, timeout: time.Minute, out: new(bytes.Buffer)}
	if err := os.WriteFile(c.jupyter, []byte(script), 0o755); err != nil {
		return nil, err
	}
	return c, copyTree("testdata/01_figure.ipynb", filepath.Join(c.notebooks, "01_figure.ipynb"))
}

// The runner that TestKilledRunner kills.
func TestRunnerToKill(t *testing.T) {
	dir := os.Getenv("NBRUN_TO_KILL")
	if dir == "" {
		t.Skip("run by TestKilledRunner")
	}
	c, err := courseIn(dir, leavesProcesses)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.execute(context.Background(), filepath.Join(c.notebooks, "01_figure.ipynb"))
	t.Fatalf("the runner was not killed: %v", err)
}

// A runner that SIGKILL ends, and that so can clean up nothing, leaves Jupyter, what it has
// started and a folder: the next run ends them all and removes the folder.
func TestKilledRunner(t *testing.T) {
	dir := t.TempDir()
	runner := exec.Command(os.Args[0], "-test.run=^TestRunnerToKill$")
	runner.Env = append(os.Environ(), "NBRUN_TO_KILL="+dir)
	var said bytes.Buffer
	runner.Stdout = &said
	if err := runner.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []int
	for end := time.Now().Add(5 * time.Minute); pids == nil; time.Sleep(10 * time.Millisecond) {
		b, err := os.ReadFile(filepath.Join(dir, "pids"))
		if err != nil {
			if time.Now().After(end) {
				_ = runner.Process.Kill()
				t.Fatalf("nothing runs after five minutes: %s", said.String())
			}
			continue
		}
		for _, s := range strings.Fields(string(b)) {
			pid, err := strconv.Atoi(s)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
			defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
		}
	}
	if err := runner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := runner.Wait(); err == nil {
		t.Fatal("the runner was not killed")
	}
	if got := running(pids); len(got) != 3 {
		t.Errorf("of %v, only %v outlive the runner, so that nothing is left to clean up", pids, got)
	}
	if err := os.WriteFile(filepath.Join(dir, "quick"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := courseIn(dir, leavesProcesses)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(c.build, "tmp")); err != nil || len(left) != 1 {
		t.Errorf("left behind are %v (%v)", left, err)
	}
	if _, err := c.execute(context.Background(), filepath.Join(c.notebooks, "01_figure.ipynb")); err != nil {
		t.Error(err)
	}
	left := pids
	for end := time.Now().Add(5 * time.Minute); len(left) > 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		left = running(pids)
	}
	if len(left) > 0 {
		t.Errorf("of %v, %v still run", pids, left)
	}
	if left, err := os.ReadDir(filepath.Join(c.build, "tmp")); err != nil || len(left) != 0 {
		t.Errorf("left behind are %v (%v)", left, err)
	}
}

// running returns the processes that run, those that have ended and that nobody has waited
// for left out.
func running(pids []int) (still []int) {
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		if _, state, ok := strings.Cut(string(stat), ") "); ok && !strings.HasPrefix(state, "Z") {
			still = append(still, pid)
		}
	}
	return still
}
