package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// aPage is a notebook with a figure, an exercise with its solution, and the authors' checks.
func aPage() *notebook {
	stdout := func(lines string) []*output { return []*output{{Type: "stream", Name: "stdout", Text: text(lines)}} }
	figure := []*output{{Type: "display_data", Data: map[string]json.RawMessage{"image/png": json.RawMessage(`"AAAA"`)}}}
	count := json.RawMessage("1")
	return &notebook{Format: 4, FormatMinor: 5, Metadata: map[string]any{}, Cells: []*cell{
		{Type: "markdown", ID: "a", Source: "# 02. Limits\n\nThe slope is 2<!--=slope-->.\n\n$$y = Xw$$\n\nMore."},
		{Type: "code", ID: "b", ExecutionCount: count, Metadata: map[string]any{}, Source: "%%\nplotting.Show(fit)", Outputs: figure},
		{Type: "markdown", ID: "c", Source: "**Exercise 02.1** How wide?"},
		{Type: "code", ID: "d", ExecutionCount: count, Metadata: map[string]any{"tags": []any{"solution"}, "jupyter": map[string]any{"source_hidden": true}},
			Source: "%%\nsecret := 7.5\nexercise.Check(\"02.1\", secret)", Outputs: stdout("02.1: right\n")},
		{Type: "code", ID: "h", ExecutionCount: count, Metadata: map[string]any{}, Source: "%%\nledger.Done()"},
		{Type: "markdown", ID: "i", Source: "## What this page was held to<!--rows 1-->\n\nChecks."},
		{Type: "markdown", ID: "e", Source: "## Checks\n\nHeld."},
		{Type: "code", ID: "f", ExecutionCount: count, Metadata: map[string]any{"ledger": map[string]any{}}, Source: "%%\nledger.Done()"},
	}}
}

// Students get no outputs, no solutions and none of the authors' checks, and a cell for each answer; teachers get
// solutions, unfolded, with outputs.
func TestForStudentsAndTeachers(t *testing.T) {
	dir := t.TempDir()
	for name, nb := range map[string]*notebook{"students": aPage().forStudents(), "teachers": aPage().forTeachers()} {
		file := filepath.Join(dir, name+".ipynb")
		if err := nb.write(file); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		has := map[string]bool{"secret": name == "teachers", "AAAA": name == "teachers", "source_hidden": false, "ledger": false, "=slope": false, "Checks": false,
			`exercise.Check(\"02.1\", nil)`: name == "students", "plotting.Show(fit)": true, "How wide?": true}
		for part, want := range has {
			if strings.Contains(string(b), part) != want {
				t.Errorf("%s: has %s: %t\n%s", name, part, !want, b)
			}
		}
		if _, err := readNotebook(file); err != nil {
			t.Error(err)
		}
	}
}

// Slides have headings, formulas and figures, and no solution.
func TestSlides(t *testing.T) {
	var got []string
	for _, c := range aPage().slides().Cells {
		got = append(got, c.Metadata["slideshow"].(map[string]any)["slide_type"].(string)+" "+string(c.Source))
	}
	if want := []string{"slide # 02. Limits", "- $$y = Xw$$", "subslide "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A grade is what exercise.Check wrote in the cell that calls it. What a cell writes by itself is for a person to read.
func TestGrades(t *testing.T) {
	check := func(source, said string) *cell {
		return &cell{Type: "code", Source: text(source), Outputs: []*output{{Type: "stream", Name: "stdout", Text: text(said)}}}
	}
	nb := &notebook{Cells: []*cell{
		check(`exercise.Check("01.1", 2)`, "01.1: right\n"),
		check(`exercise.Check("01.2", 3)`, "01.2: not yet. Too large.\n"),
		check(`exercise.Check("01.3", nil)`, "01.3 asks for a number\n"),
		check(`exercise.Check("01.4", f)`, ""),
		check(`fmt.Println("01.5: right")`, "01.5: right\n"),
		check("fmt.Println(\"01.6: right\")\nexercise.Check(\"01.6\", nil)", "01.6: right\n01.6 asks for a number\n"),
		check(`exercise.Check("01.7", 1)`, "01.7: not yet. Hm.\n"), check(`exercise.Check("01.7", 2)`, "01.7: right\n"),
	}}
	got := nb.grades()
	want := map[string]grade{"01.1": rightGrade, "01.2": notYetGrade, "01.4": failedGrade, "01.6": suspectGrade, "01.7": rightGrade}
	for id := range map[string]bool{"01.1": true, "01.2": true, "01.3": true, "01.4": true, "01.5": true, "01.6": true, "01.7": true} {
		if got[id] != want[id] {
			t.Errorf("%s: %q, want %q", id, got[id], want[id])
		}
	}
	table := gradeTable([]string{"01.1", "01.2", "02.1"}, map[string]map[string]grade{"Bo": {"01.2": notYetGrade}, "Ada": got})
	for i, row := range [][]string{{"student", "01.1", "01.2", "right"}, {"Ada", "right", "not yet", "1 of 2"}, {"Bo", "–", "not yet", "0 of 2"}} {
		if !slices.Equal(table[i], row) {
			t.Errorf("row %d is %q, want %q", i, table[i], row)
		}
	}
}

// A student is a folder, or what stands before the page's name.
func TestStudentOf(t *testing.T) {
	for path, want := range map[string]string{
		"in/ada/02_confidence_limits.ipynb": "ada", "in/bo_lee_02b_when_assumptions_fail.ipynb": "bo_lee", "in/cy - 14_hierarchies.ipynb": "cy", "in/mine.ipynb": "mine",
		"in/dee/week 2/x.ipynb": "dee",
	} {
		if got := studentOf("in", path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// Notebooks handed in are run, and the table is written; no folder, and no notebooks in it, are errors.
func TestGradeFolder(t *testing.T) {
	dir := t.TempDir()
	jupyter := filepath.Join(dir, "jupyter")
	const fake = "#!/bin/sh\nfor last; do :; done\ncp \"$last\" \"$REGBOOK_EXECUTED\"\n"
	if err := os.WriteFile(jupyter, []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(dir, "in")
	if err := os.MkdirAll(filepath.Join(in, "ada"), 0o755); err != nil {
		t.Fatal(err)
	}
	notebooks := filepath.Join(dir, "notebooks")
	if err := os.MkdirAll(notebooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(notebooks, "02_limits.ipynb"), filepath.Join(in, "ada", "02_limits.ipynb")} {
		if err := aPage().write(file); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	c := &course{root: "../..", notebooks: notebooks, build: filepath.Join(dir, "build"), jupyter: jupyter, out: &out}
	if err := c.grade(t.Context(), in, ""); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(in, "grades.csv"))
	if err != nil || string(b) != "student,02.1,right\nada,right,1 of 1\n" {
		t.Errorf("%v: %s\n%s", err, b, out.String())
	}
	for _, folder := range []string{notebooks + "x", t.TempDir()} {
		if err := c.grade(t.Context(), folder, ""); err == nil {
			t.Errorf("%s: no error", folder)
		}
	}
}
