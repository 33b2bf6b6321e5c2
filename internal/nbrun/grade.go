package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A grade is what became of an exercise: right, not yet, failed (the cell, or an earlier one, stopped), suspect (the
// cell writes verdicts itself), or "" if nothing was handed in.
type grade string

const (
	rightGrade   grade = "right"
	notYetGrade  grade = "not yet"
	failedGrade  grade = "failed"
	suspectGrade grade = "look" // a person has to
)

// grade executes the notebooks below a folder, one for each student and page, and writes a table of exercises by student.
func (c *course) grade(ctx context.Context, folder, image string) error {
	exercises, err := c.exercises()
	if err != nil {
		return err
	}
	handed, err := handedIn(folder)
	if err != nil {
		return err
	}
	if len(handed) == 0 {
		return fmt.Errorf("%s has no notebooks: it has a folder for each student, or files such as ada_02_confidence_limits.ipynb", folder)
	}
	run := c.execute
	if image != "" {
		run = func(ctx context.Context, path string) (*notebook, error) { return c.executeIn(ctx, image, path) }
	}
	of := map[string]map[string]grade{}
	var errs []error
	for _, path := range handed {
		student := studentOf(folder, path)
		if of[student] == nil {
			of[student] = map[string]grade{}
		}
		fmt.Fprintf(c.out, "%s: %s\n", student, filepath.Base(path))
		executed, err := run(ctx, path)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
			if executed, err = readNotebook(path); err != nil {
				continue
			}
			executed = executed.forStudents() // without the outputs that the student left
		}
		for id, g := range executed.grades() {
			of[student][id] = g
		}
	}
	table := gradeTable(exercises, of)
	if err := writeGrades(filepath.Join(folder, "grades.csv"), table); err != nil {
		return err
	}
	for i, row := range table {
		fmt.Fprintf(c.out, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(c.out, "|%s\n", strings.Repeat("--|", len(row)))
		}
	}
	return errors.Join(errs...)
}

// exercises returns the ids of the course's exercises, in its order.
func (c *course) exercises() ([]string, error) {
	paths, err := c.list()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			return nil, err
		}
		ids = append(ids, nb.exercisesOf()...)
	}
	return ids, nil
}

// handedIn returns the notebooks below a folder.
func handedIn(folder string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != folder {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".ipynb" {
			paths = append(paths, path)
		}
		return err
	})
	return paths, err
}

var pageName = regexp.MustCompile(`[_\- ]*\d\d[a-z]?_[a-z_]+\.ipynb$`)

// studentOf returns whose a notebook is: of whom the folder is, or whose name stands before the page's.
func studentOf(folder, path string) string {
	if dir := filepath.Dir(path); filepath.Clean(dir) != filepath.Clean(folder) {
		rel, err := filepath.Rel(folder, dir)
		if err == nil {
			return strings.Split(filepath.ToSlash(rel), "/")[0]
		}
	}
	name := filepath.Base(path)
	return strings.TrimSuffix(cmp.Or(pageName.ReplaceAllString(name, ""), name), ".ipynb")
}

// grades returns what the cells of an executed notebook that call exercise.Check said. Only what such a cell wrote
// counts, and once for a call; a cell that has a verdict in its own code is for a person to read.
func (nb *notebook) grades() map[string]grade {
	of := map[string]grade{}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		calls := checkCall.FindAllStringSubmatch(string(c.Source), -1)
		var said []string
		for _, o := range c.Outputs {
			if o.Type == "stream" && o.Name == "stdout" {
				said = append(said, strings.Split(string(o.Text), "\n")...)
			}
		}
		for _, m := range calls {
			verdicts := slices.DeleteFunc(slices.Clone(said), func(line string) bool { return !strings.HasPrefix(line, m[1]+": ") })
			asked := len(slices.DeleteFunc(slices.Clone(calls), func(other []string) bool { return other[1] != m[1] }))
			g := failedGrade
			switch {
			case len(verdicts) > asked || verdictText.MatchString(string(c.Source)):
				g = suspectGrade
			case slices.Contains(verdicts, m[1]+": right"):
				g = rightGrade
			case len(verdicts) > 0:
				g = notYetGrade
			case slices.ContainsFunc(said, func(line string) bool { return strings.HasPrefix(line, m[1]+" asks for") }):
				continue // the cell as it was handed out
			}
			if of[m[1]] != rightGrade || g == suspectGrade {
				of[m[1]] = g
			}
		}
	}
	return of
}

// verdictText is code that could write a verdict by itself.
var verdictText = regexp.MustCompile(`"[^"\n]*(: right|right\b[^"\n]*\\n)[^"\n]*"|"right"`)

// gradeTable has a row for each student and a column for each exercise that somebody handed in, and their number.
func gradeTable(exercises []string, of map[string]map[string]grade) [][]string {
	used := slices.DeleteFunc(slices.Clone(exercises), func(id string) bool {
		for _, grades := range of {
			if grades[id] != "" {
				return false
			}
		}
		return true
	})
	var students []string
	for s := range of {
		students = append(students, s)
	}
	slices.Sort(students)
	table := [][]string{append(append([]string{"student"}, used...), "right")}
	for _, s := range students {
		row, n := []string{s}, 0
		for _, id := range used {
			g := of[s][id]
			if g == rightGrade {
				n++
			}
			row = append(row, cmp.Or(string(g), "–"))
		}
		table = append(table, append(row, fmt.Sprintf("%d of %d", n, len(used))))
	}
	return table
}

func writeGrades(file string, table [][]string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	err = w.WriteAll(table)
	return errors.Join(err, f.Close())
}

// executeIn executes a notebook in a container of its own: without a network, with the limits of docker/run.sh, and
// nothing of this machine but a copy of the notebook.
func (c *course) executeIn(ctx context.Context, image, path string) (*notebook, error) {
	tmp, err := c.tempDir()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o777); err != nil { // the container's user is another
		return nil, err
	}
	if err := copyTree(path, filepath.Join(tmp, "handed.ipynb")); err != nil {
		return nil, err
	}
	const work = "/home/student/regbook/work"
	cmd := exec.CommandContext(ctx, "docker", "run", "--rm", "--init", "--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges",
		"--memory", "4g", "--memory-swap", "4g", "--pids-limit", "4096", "--read-only", "--tmpfs", "/tmp:exec,mode=1777", "--tmpfs", "/run",
		"--volume", "/home/student", "--volume", tmp+":"+work, image,
		"jupyter", "nbconvert", "--execute", "--allow-errors", "--to", "notebook", "--output", "executed.ipynb",
		fmt.Sprintf("--ExecutePreprocessor.timeout=%d", int(c.timeout.Seconds())), work+"/handed.ipynb")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("in the container: %w\n%s", err, indent(string(out), "    ", 12))
	}
	return readNotebook(filepath.Join(tmp, "executed.ipynb"))
}
