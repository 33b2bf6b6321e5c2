package report_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/tabletest"
	"github.com/regbook/regbook/mlreg/report"
)

// hostile are names that a browser, a typesetter, a terminal or a reader of tables
// could take for something else.
var hostile = []string{
	"<script>alert(1)</script>", "$x$ and $y$", `\(x\)`, "a|b", "snake_case_", "two\nlines", "\x1b[31mred", "*b* `c` [d](e) #f",
	"50% & ~^{}", "-- \"quoted\", comma", "β̂₁ λ² ≤ ‖w‖",
}

func hostileTable(t *testing.T) *report.Table {
	t.Helper()
	values := make([]float64, len(hostile))
	for i := range values {
		values[i] = math.Pi * math.Pow(-10, float64(i-5))
	}
	values[3] = math.NaN()
	table, err := report.NewTable(hostile[0], report.TextColumn(hostile[1], hostile...), report.NumberColumn(hostile[3], values, 0),
		report.PColumn("p", make([]float64, len(hostile))), report.IntColumn("", make([]int, len(hostile))...))
	check(t, err)
	table.Notes = hostile
	return table
}

func TestTableRenderers(t *testing.T) { tabletest.Check(t, hostileTable(t)) }

// Lengths that do not agree, and no columns, are errors, of which every form tells.
func TestTableCheck(t *testing.T) {
	for name, c := range map[string]struct {
		table report.Table
		is    error
	}{
		"none":   {report.Table{Title: "t"}, mlreg.ErrNoData},
		"cells":  {report.Table{Columns: []report.Column{report.IntColumn("a", 1), report.TextColumn("bee", "x", "y")}}, mlreg.ErrShape},
		"values": {report.Table{Columns: []report.Column{{Name: "bee", Cells: []string{"1"}, Values: []float64{1, 2}}}}, mlreg.ErrShape},
	} {
		if err := c.table.Check(); !errors.Is(err, c.is) {
			t.Errorf("%s: %v", name, err)
		}
		for _, text := range []string{c.table.String(), c.table.HTML(), c.table.Markdown(), c.table.LaTeX(), c.table.CSV()} {
			if !strings.Contains(text, "table") || strings.Contains(text, "<table>") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

func TestTableSave(t *testing.T) {
	table, dir := hostileTable(t), t.TempDir()
	for ending, want := range map[string]string{"txt": table.String(), "md": table.Markdown(), "tex": table.LaTeX(), "CSV": table.CSV(), "html": table.HTML()} {
		path := filepath.Join(dir, "fit."+ending)
		check(t, os.WriteFile(path, []byte("old"), 0o600))
		check(t, table.Save(path))
		got, err := os.ReadFile(path)
		check(t, err)
		if !strings.HasSuffix(string(got), want) {
			t.Errorf("%s: %q", ending, got)
		}
	}
	if err := table.Save(filepath.Join(dir, "none", "fit.md")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
	check(t, os.Mkdir(filepath.Join(dir, "folder.md"), 0o755))
	if err := table.Save(filepath.Join(dir, "folder.md")); err == nil {
		t.Error("a table was saved in place of a folder")
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*.part"))
	if check(t, err); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
