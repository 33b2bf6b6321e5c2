package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// quickAndSlow is a Jupyter that runs notebook 01 at once and 02 for five minutes, with
// the file "slow" beside itself from the start, and "ended" from the end.
const quickAndSlow = `#!/bin/sh
while [ $# -gt 1 ]; do shift; done
case $1 in
02*) touch "$(dirname "$0")/slow"; sleep 300; touch "$(dirname "$0")/ended" ;;
*) cp "$1" "$REGBOOK_EXECUTED" ;;
esac
`

// Ctrl-C while notebooks are written anew leaves each as it was or as it is
// after a whole run, and nothing beside them.
func TestInterruptedRegen(t *testing.T) {
	dir := t.TempDir()
	c := &course{root: "../..", notebooks: filepath.Join(dir, "notebooks"), build: filepath.Join(dir, "build"),
		jupyter: filepath.Join(dir, "jupyter"), jobs: 1, timeout: time.Minute, out: new(bytes.Buffer)}
	var paths []string
	for _, name := range []string{"01_quick.ipynb", "02_slow.ipynb"} {
		paths = append(paths, filepath.Join(c.notebooks, name))
		if err := copyTree("testdata/01_figure.ipynb", paths[len(paths)-1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(c.jupyter, []byte(quickAndSlow), 0o755); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(paths[1])
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(dir, "slow")); err == nil {
				interrupt()
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	if err := c.regen(ctx, paths); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ended")); err == nil {
		t.Error("the notebook ran to its end")
	}
	if after, err := os.ReadFile(paths[1]); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the notebook that was running changed (%v)", err)
	}
	for _, path := range paths {
		if _, err := readNotebook(path); err != nil {
			t.Error(err)
		}
	}
	if entries, err := os.ReadDir(c.notebooks); err != nil || len(entries) != 2 {
		t.Errorf("beside the notebooks are now %v (%v)", entries, err)
	}
}

// What failed can be run alone.
func TestAlone(t *testing.T) {
	c := &course{root: "/clone", notebooks: "/clone/notebooks", build: "/clone/build", command: "check"}
	if got, want := c.alone([]string{"01_a", "02_b"}), "build/bin/nbrun check notebooks/01_a.ipynb notebooks/02_b.ipynb"; got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
}

// Where Jupyter is missing the error says which option names it.
func TestWithoutJupyter(t *testing.T) {
	c := &course{build: t.TempDir(), jupyter: "no-such-jupyter"}
	if err := c.runJupyter(t.Context(), t.TempDir(), nil, "execute"); err == nil || !strings.Contains(err.Error(), "-jupyter") || !strings.Contains(err.Error(), "no-such-jupyter") {
		t.Errorf("%v", err)
	}
}
