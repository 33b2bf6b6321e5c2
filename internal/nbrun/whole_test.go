package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// wholeCourse is a course whose notebook has these code cells, and a Jupyter whose kernel prints
// what each cell has below printed. Without printed there is no Jupyter.
func wholeCourse(t *testing.T, printed []string, sources ...string) (*course, string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	c := &course{root: root, notebooks: dir, build: filepath.Join(dir, "build"), jupyter: filepath.Join(dir, "jupyter"),
		command: "check", jobs: 1, timeout: 5 * time.Minute, out: new(bytes.Buffer)}
	nb := &notebook{Format: 4, FormatMinor: 5, Metadata: map[string]any{}}
	for _, source := range sources {
		nb.Cells = append(nb.Cells, &cell{Type: "code", Source: text(source), Metadata: map[string]any{}, Outputs: []*output{}})
	}
	path := filepath.Join(dir, "01_page.ipynb")
	if err := nb.write(path); err != nil {
		t.Fatal(err)
	}
	if printed == nil {
		return c, path
	}
	for i, s := range printed {
		nb.Cells[i].ExecutionCount = []byte(fmt.Sprint(i + 1))
		if s != "" {
			nb.Cells[i].Outputs = []*output{{Type: "stream", Name: "stdout", Text: text(s)}}
		}
	}
	if err := nb.write(filepath.Join(dir, "kernel.ipynb.txt")); err != nil {
		t.Fatal(err)
	}
	kernel := filepath.Join(c.build, "bin", "kernel")
	if err := os.MkdirAll(filepath.Dir(kernel), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, script := range map[string]string{kernel: "#!/bin/sh\n", c.jupyter: "#!/bin/sh\ncp " + filepath.Join(dir, "kernel.ipynb.txt") + ` "$REGBOOK_EXECUTED"` + "\n"} {
		if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return c, path
}

// What a page prints, displays and states is its cell's, as in the kernel; also what a
// declaration prints, and bars of progress show their end only.
func TestExecuteWhole(t *testing.T) {
	c, path := wholeCourse(t, nil,
		"func told(s string) string {\n\tplotting.Show(s)\n\treturn s\n}\n\nvar word = told(\"of a declaration\")\n%%\nfmt.Println(word)",
		"var other = 2",
		"%%\nfmt.Println(other)\nprogress := plotting.Progress(\"steps\")\nmust.M(progress(1, 2))\nmust.M(progress(2, 2))",
		"%%\nledger.Bind(\"other\", other)\nplotting.Show(report.NewTable(\"\", report.TextColumn(\"name\", word)))",
	)
	nb, err := c.executeWhole(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, cell := range nb.withOutputs(nb).Cells {
		var outputs []string
		for _, o := range cell.Outputs {
			outputs = append(outputs, o.Type+" "+string(o.Text)+o.data("text/plain"))
		}
		got = append(got, fmt.Sprintf("[%s] %q %v", cell.ExecutionCount, outputs, cell.stated().Bound))
	}
	want := []string{
		`[1] ["stream of a declaration\n" "display_data of a declaration"] map[]`,
		`[2] [] map[]`,
		`[3] ["stream 2\n" "display_data steps: all 2 done"] map[]`,
		`[4] [] map[other:2]`,
	}
	for i, w := range want[:3] {
		if got[i] != w {
			t.Errorf("cell %d: %s, want %s", i+1, got[i], w)
		}
	}
	if !strings.Contains(got[3], "map[other:2]") || !strings.Contains(got[3], "of a declaration") {
		t.Errorf("cell 4: %s", got[3])
	}
}

// stateful is a page whose cells leave something to the next where they are one program, and nothing
// in the kernel.
var stateful = []string{"var n = 1", "%%\nn++\nfmt.Println(n)", "%%\nn++\nfmt.Println(n)"}

// The kernel decides on a page that differs as one program; without it the page fails.
func TestCheckAsksTheKernel(t *testing.T) {
	for _, test := range []struct {
		name    string
		sources []string
		kernel  []string // prints
		agreed  string   // printed by all cells
		note    bool
		failure string
	}{
		{"as committed", []string{"%%\nfmt.Println(2)"}, nil, "2\n", false, ""},
		{"kernel as committed", stateful, []string{"", "2\n", "2\n"}, "2\n2\n", true, ""},
		{"kernel differs, too", stateful, []string{"", "2\n", "9\n"}, "2\n2\n", false, "prints"},
		{"nobody to ask", stateful, nil, "2\n2\n", false, "cannot be asked"},
		{"a cell fails in the program", []string{"%%\npanic(\"no\")"}, []string{"2\n"}, "2\n", true, ""},
	} {
		c, path := wholeCourse(t, test.kernel, test.sources...)
		r, _ := c.attempt(t.Context(), path, func(r result, committed *notebook) error {
			var all string
			for _, cell := range r.executed.Cells {
				for _, o := range cell.Outputs {
					all += string(o.Text)
				}
			}
			if all != test.agreed {
				return fmt.Errorf("prints %q", all)
			}
			return nil
		})
		if (r.note != "") != test.note || (r.err == nil) != (test.failure == "") || r.err != nil && !strings.Contains(r.err.Error(), test.failure) {
			t.Errorf("%s: note %q, error %v", test.name, r.note, r.err)
		}
	}
}
