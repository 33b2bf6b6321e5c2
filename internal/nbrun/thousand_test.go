package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A notebook of 1,000 cells goes through Jupyter and the runner whole: every cell is
// executed once and timed, its output is kept, what it states is read once, and no process
// and no folder is left. The kernel answers at once.
func TestThousandCells(t *testing.T) {
	const n = 1000
	if testing.Short() {
		t.Skip("executes 1,000 cells")
	}
	jupyter, err := exec.LookPath("jupyter")
	if err != nil {
		t.Skip(err)
	}
	script, err := os.ReadFile(jupyter)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(script), "\n")
	python, ok := strings.CutPrefix(first, "#!") // which has what Jupyter needs, pyzmq too
	if !ok {
		t.Skipf("%s is no script", jupyter)
	}
	for _, need := range [][]string{{jupyter, "execute", "--version"}, {python, "-c", "import zmq"}} {
		if err := exec.Command(need[0], need[1:]...).Run(); err != nil {
			t.Skipf("%s: %v", strings.Join(need, " "), err)
		}
	}
	dir := t.TempDir()
	c := &course{root: "../..", notebooks: filepath.Join(dir, "notebooks"), build: filepath.Join(dir, "build"),
		jupyter: jupyter, jobs: 1, timeout: 5 * time.Minute, out: new(bytes.Buffer)}
	program, err := filepath.Abs("testdata/kernel.py")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := json.Marshal(map[string]any{"argv": []string{python, program, "{connection_file}"}, "display_name": kernelDisplay, "language": "go"})
	if err != nil {
		t.Fatal(err)
	}
	var cells []map[string]any
	for k := range n {
		cells = append(cells, map[string]any{"cell_type": "code", "id": fmt.Sprintf("c%d", k), "metadata": map[string]any{}, "source": fmt.Sprintf("// cell %d", k),
			"outputs": []any{}, "execution_count": nil})
	}
	notebook, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": map[string]any{
		"kernelspec":    map[string]any{"name": kernelName, "display_name": kernelDisplay, "language": "go"},
		"language_info": map[string]any{"name": "go"}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.notebooks, "01_thousand.ipynb")
	for file, data := range map[string][]byte{filepath.Join(c.build, "jupyter", "kernels", kernelName, "kernel.json"): spec, path: notebook} {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	nb, err := c.execute(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if len(nb.Cells) != n {
		t.Fatalf("%d cells, wanted %d", len(nb.Cells), n)
	}
	for k, cell := range nb.Cells {
		text := fmt.Sprintf("cell %d\n", k)
		if len(cell.Outputs) != 1 || string(cell.Outputs[0].Text) != text || cell.Metadata["ledger"] != text {
			t.Fatalf("cell %d has the outputs %v and states %q", k, cell.Outputs, cell.Metadata["ledger"])
		}
		number, _ := cell.Metadata["seconds"].(json.Number)
		if took, err := number.Float64(); err != nil || took < 0 {
			t.Fatalf("cell %d has no time, but %v", k, cell.Metadata)
		}
	}
	for _, folder := range []string{"tmp", filepath.Join("jupyter", "runtime")} {
		if left, err := os.ReadDir(filepath.Join(c.build, folder)); len(left) > 0 {
			t.Errorf("left behind in %s are %v (%v)", folder, left, err)
		}
	}
}
