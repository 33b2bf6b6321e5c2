package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A lecturer's kit: the notebooks as students get them, as teachers do, and slides.

// kit writes a course's folder: students, without outputs and solutions; teachers, with both; slides.
func (c *course) kit(ctx context.Context, out string, paths []string) error {
	if out == "" {
		return errors.New("kit wants -out, the folder to write: make course OUT=folder")
	}
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: name a new folder", out)
	}
	for _, part := range []string{"students", "teachers", "slides"} {
		if err := os.MkdirAll(filepath.Join(out, part), 0o755); err != nil {
			return err
		}
	}
	var names []string
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			return err
		}
		name := filepath.Base(path)
		if err := nb.forStudents().write(filepath.Join(out, "students", name)); err != nil {
			return err
		}
		if err := nb.forTeachers().write(filepath.Join(out, "teachers", name)); err != nil {
			return err
		}
		if err := nb.slides().write(filepath.Join(out, "slides", name)); err != nil {
			return err
		}
		names = append(names, name)
	}
	args := append([]string{"--to", "slides", "--no-input", "--no-prompt"}, names...)
	if err := c.runJupyter(ctx, filepath.Join(out, "slides"), nil, "nbconvert", args...); err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(out, "slides", name)); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.out, "%d notebooks for students, for teachers and as slides are in %s\n", len(names), out)
	return nil
}

// copied is a copy whose metadata can be changed.
func (c *cell) copied() *cell {
	d := *c
	d.Metadata = map[string]any{}
	maps.Copy(d.Metadata, c.Metadata)
	return &d
}

var (
	checksHeading = regexp.MustCompile(`^## (Checks|What this page was held to)\b`)
	nextHeading   = regexp.MustCompile(`^##? `)
)

// withoutChecks drops the section that holds a page to its text, and wherever it stands the cell that does, which is the authors'.
func withoutChecks(cells []*cell) []*cell {
	var left []*cell
	in := false
	for _, c := range cells {
		if c.Type == "markdown" && nextHeading.MatchString(string(c.Source)) {
			in = checksHeading.MatchString(string(c.Source))
		}
		if !in && !c.isChecks() {
			left = append(left, c)
		}
	}
	return left
}

// forStudents is the notebook with nothing run, without solutions and the authors' checks. In the place of a
// solution is a cell that asks for the answer.
func (nb *notebook) forStudents() *notebook {
	plain := nb.withoutRemarks()
	out := &notebook{Metadata: plain.Metadata, Format: plain.Format, FormatMinor: plain.FormatMinor}
	for _, c := range withoutChecks(plain.Cells) {
		d := c.copied()
		delete(d.Metadata, "ledger")
		if d.Type == "code" {
			d.Outputs, d.ExecutionCount = []*output{}, json.RawMessage("null")
		}
		if c.tagged("solution") {
			if c.Type != "code" {
				continue
			}
			var asks []string
			for _, m := range checkCall.FindAllStringSubmatch(string(c.Source), -1) {
				asks = append(asks, fmt.Sprintf("exercise.Check(%q, nil) // your answer in place of nil", m[1]))
			}
			d.Metadata = map[string]any{"tags": []any{"answer"}}
			d.Source = text("%%\n" + strings.Join(asks, "\n"))
		}
		out.Cells = append(out.Cells, d)
	}
	return out
}

// forTeachers is the notebook as it was run, with its solutions unfolded.
func (nb *notebook) forTeachers() *notebook {
	plain := nb.withoutRemarks()
	out := &notebook{Metadata: plain.Metadata, Format: plain.Format, FormatMinor: plain.FormatMinor}
	for _, c := range withoutChecks(plain.Cells) {
		d := c.copied()
		delete(d.Metadata, "ledger")
		delete(d.Metadata, "jupyter")
		out.Cells = append(out.Cells, d)
	}
	return out
}

var (
	slideHeading   = regexp.MustCompile(`(?m)^#{1,3} .*$`)
	displayFormula = regexp.MustCompile(`(?s)\$\$.+?\$\$`)
)

// slides is the notebook's headings, formulas and figures: a slide for each section, and below it what it shows.
func (nb *notebook) slides() *notebook {
	plain := nb.withoutRemarks()
	out := &notebook{Metadata: plain.Metadata, Format: plain.Format, FormatMinor: plain.FormatMinor}
	add := func(kind string, c *cell) {
		c.Metadata = map[string]any{"slideshow": map[string]any{"slide_type": kind}}
		c.ID = fmt.Sprintf("slide-%d", len(out.Cells)+1)
		out.Cells = append(out.Cells, c)
	}
	for _, c := range withoutChecks(plain.Cells) {
		if c.tagged("solution") {
			continue
		}
		if c.Type == "markdown" {
			source := string(c.Source)
			if heading := slideHeading.FindString(source); heading != "" {
				add("slide", &cell{Type: "markdown", Source: text(heading)})
			}
			if formulas := displayFormula.FindAllString(source, -1); formulas != nil {
				add("-", &cell{Type: "markdown", Source: text(strings.Join(formulas, "\n\n"))})
			}
			continue
		}
		for _, o := range c.Outputs {
			if o.Data["image/png"] != nil {
				add("subslide", &cell{Type: "code", ExecutionCount: json.RawMessage("null"), Outputs: []*output{o}})
			}
		}
	}
	return out
}

// exercisesOf returns the ids of the exercises that a notebook solves.
func (nb *notebook) exercisesOf() []string {
	var ids []string
	for _, c := range nb.Cells {
		if !c.tagged("solution") {
			continue
		}
		for _, m := range checkCall.FindAllStringSubmatch(string(c.Source), -1) {
			if !slices.Contains(ids, m[1]) {
				ids = append(ids, m[1])
			}
		}
	}
	return ids
}
