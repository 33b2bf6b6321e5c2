package report_test

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
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

func TestTableRenderers(t *testing.T) { checkForms(t, hostileTable(t)) }

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

// The decimal points of a column stand below each other in the text form.
func TestTableAlignsPoints(t *testing.T) {
	table, err := report.NewTable("", report.NumberColumn("x", []float64{1.5, -22, 333.25, 1e-5, math.NaN()}, 5))
	check(t, err)
	column := -1
	for _, line := range strings.Split(table.String(), "\n") {
		if i := strings.IndexByte(line, '.'); i >= 0 {
			if column >= 0 && i != column {
				t.Errorf("point at %d and %d:\n%s", column, i, table)
			}
			column = i
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

// A saturated fit has a table, in which standard errors are missing; lists of no rows
// say so; the zero values of data do not panic.
func TestDescribeLittle(t *testing.T) {
	d, err := mlreg.NewDesign(mat.NewDense(2, 1, []float64{0, 1}), []float64{1, 3}, "x")
	check(t, err)
	saturated, err := mlreg.FitOLS(d, nil)
	check(t, err)
	checkForms(t, saturated.Describe())
	if c := saturated.Describe().Column("std. error"); c.Cells[0] != "NA" {
		t.Errorf("standard errors %q", c.Cells)
	}
	for _, empty := range []report.Describer{report.Rows[mlreg.AnovaRow]{}, report.Rows[mlreg.SubsetModel](nil), report.Rows[mlreg.RankedModel]{}, report.Rows[mlreg.Culprit]{}, &mlreg.Design{}, &mlreg.Scaling{}} {
		checkForms(t, empty.Describe())
		if !strings.Contains(empty.Describe().String(), "no rows") {
			t.Errorf("%T is shown as\n%v", empty, empty)
		}
	}
}

// What an XML reader finds in the HTML is the text of the cells, in the elements of a
// table and no others, and nothing of it would be typeset as a formula.
func checkHTML(t *testing.T, table *report.Table) {
	t.Helper()
	page := table.HTML()
	allowed := map[string]bool{"table": true, "caption": true, "b": true, "thead": true, "tbody": true, "tfoot": true, "tr": true, "th": true, "td": true, "span": true}
	decoder := xml.NewDecoder(strings.NewReader(page))
	var text strings.Builder
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, page)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if !allowed[e.Name.Local] {
				t.Errorf("element %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if a.Name.Local != "colspan" && (a.Name.Local != "style" || !strings.HasPrefix(a.Value, "text-align:")) {
					t.Errorf("attribute %s=%q", a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			text.Write(e)
		}
	}
	for _, want := range shown(table) {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the HTML lacks %q", want)
		}
	}
	for _, run := range regexp.MustCompile(`<[^>]*>`).Split(page, -1) {
		if strings.Count(run, "$") > 1 || strings.Contains(run, `\`) && run != `\` {
			t.Errorf("text %q would be typeset", run)
		}
	}
}

// shown are the texts of a table as a reader sees them.
func shown(table *report.Table) []string {
	texts := append([]string{table.Title}, table.Notes...)
	for _, c := range table.Columns {
		texts = append(append(texts, c.Name), c.Cells...)
	}
	clean := strings.NewReplacer("\n", " ", "\x1b", `\x1b`)
	return format.Each(texts, clean.Replace)
}

// Every row of the CSV has every column, and numbers read back to the last bit.
func checkCSV(t *testing.T, table *report.Table) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(table.CSV())).ReadAll()
	if err != nil {
		t.Fatalf("%v in\n%s", err, table.CSV())
	}
	if len(records) != 1+len(table.Columns[0].Cells) {
		t.Fatalf("%d records of\n%s", len(records), table)
	}
	for j, c := range table.Columns {
		if records[0][j] != c.Name {
			t.Errorf("column %q is named %q", c.Name, records[0][j])
		}
		for i, s := range c.Cells {
			got := records[i+1][j]
			if c.Values == nil || s == "" {
				if got != s {
					t.Errorf("%q, want %q", got, s)
				}
				continue
			}
			v, err := strconv.ParseFloat(strings.Replace(got, "NA", "NaN", 1), 64)
			if err != nil || v != c.Values[i] && !(math.IsNaN(v) && math.IsNaN(c.Values[i])) {
				t.Errorf("%q of column %q is %v, error %v", got, c.Name, c.Values[i], err)
			}
		}
	}
}

// checkMarkdown undoes the escapes of a row between its bars, and finds the cells.
func checkMarkdown(t *testing.T, table *report.Table) {
	t.Helper()
	text := table.Markdown()
	back := regexp.MustCompile(`\\([[:punct:]])`)
	entities := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
	bar := regexp.MustCompile(` \| ?`)
	var rows [][]string
	for _, line := range strings.Split(text, "\n") {
		if regexp.MustCompile(`[^\\]\$|[^\\]_|<|^\$|^_`).MatchString(line) {
			t.Errorf("line %q would not be shown as it is", line)
		}
		if strings.HasPrefix(line, "| ") {
			cells := bar.Split(strings.TrimPrefix(line, "| "), -1)
			rows = append(rows, cells[:len(cells)-1])
		}
	}
	if len(rows) != 2+len(table.Columns[0].Cells) {
		t.Fatalf("%d rows of\n%s", len(rows), text)
	}
	clean := strings.NewReplacer("\n", " ", "\x1b", `\x1b`)
	for i, row := range rows {
		if len(row) != len(table.Columns) {
			t.Fatalf("row %q has %d cells", row, len(row))
		}
		for j, c := range table.Columns {
			want := c.Name
			if i > 1 {
				want = c.Cells[i-2]
			}
			if got := entities.Replace(back.ReplaceAllString(row[j], "$1")); i != 1 && got != strings.TrimSpace(clean.Replace(want)) {
				t.Errorf("cell %q, want %q", got, want)
			}
		}
	}
}

// checkLaTeX counts the cells of every row and the braces, and looks for marks of TeX
// that are not escaped.
func checkLaTeX(t *testing.T, table *report.Table) {
	t.Helper()
	text := table.LaTeX()
	plain := regexp.MustCompile(`\\[\\{}$&#%_]`).ReplaceAllString(text, "")
	if strings.Count(plain, "{") != strings.Count(plain, "}") || strings.Count(plain, "$")%2 != 0 || strings.ContainsAny(plain, "#%~\x1b") {
		t.Errorf("the LaTeX is not well formed:\n%s", text)
	}
	rows := 0
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasSuffix(line, `\\`) || strings.HasPrefix(line, `\multicolumn`) {
			continue
		}
		rows++
		if n := strings.Count(strings.ReplaceAll(line, `\&`, ""), "&"); n != len(table.Columns)-1 {
			t.Errorf("%d ampersands in %s", n, line)
		}
	}
	want := len(table.Columns[0].Cells)
	if headed(table) {
		want++
	}
	if rows != want {
		t.Errorf("%d rows, want %d:\n%s", rows, want, text)
	}
}

// checkText looks for what a terminal would take for a command, and for rows in more
// than one line.
func checkText(t *testing.T, table *report.Table) {
	t.Helper()
	text := table.String()
	if strings.ContainsAny(text, "\x1b\x00\t\r") {
		t.Errorf("control characters in %q", text)
	}
	if table.Line != "" {
		return
	}
	lines := len(table.Columns[0].Cells) + len(table.Notes)
	if table.Title != "" {
		lines++
	}
	if headed(table) {
		lines++
	}
	if got := strings.Count(text, "\n"); got != lines {
		t.Errorf("%d lines, want %d:\n%s", got, lines, text)
	}
}

// checkForms reads every form of a table as its reader does.
func checkForms(t *testing.T, table *report.Table) {
	t.Helper()
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	checkText(t, table)
	checkHTML(t, table)
	checkCSV(t, table)
	checkMarkdown(t, table)
	checkLaTeX(t, table)
}

func headed(table *report.Table) bool {
	return slices.ContainsFunc(table.Columns, func(c report.Column) bool { return c.Name != "" })
}

// LaTeX has the notes on numbers, and those on the algorithm if they are asked for.
func TestLaTeXLeavesTheMethodOut(t *testing.T) {
	d, err := mlreg.NewDesign(mat.NewDense(4, 1, []float64{1, 2, 3, 5}), []float64{1, 2, 2, 4}, "x")
	check(t, err)
	fit, err := mlreg.FitOLS(d, nil)
	check(t, err)
	table := fit.Describe()
	if text := table.LaTeX(); strings.Contains(text, "Householder") || strings.Contains(text, "correct digits") || !strings.Contains(text, "adjusted") {
		t.Error(text)
	}
	if !strings.Contains(table.String(), "Householder") {
		t.Error("the text does not name the method")
	}
	if table.Method = nil; !strings.Contains(table.LaTeX(), "Householder") {
		t.Error("all notes were asked for")
	}
}

// Numbers stand in LaTeX as they are, in columns whose format has room for all of them.
func TestLaTeXNumbers(t *testing.T) {
	table, err := report.NewTable("", report.Column{Name: "x (m)", Align: report.AlignDecimal, Cells: []string{"-1.5", "22", "1.25e-05", "NA", "<0.001"}})
	check(t, err)
	text := table.LaTeX()
	for _, want := range []string{"{S[table-format=-2.2e-2]}", "{x (m)} \\\\", "\n-1.5 \\\\", "\n22 \\\\", "\n1.25e-05 \\\\", "\n{NA} \\\\", "\n{\\textless{}0.001} \\\\"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
