package frames

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"
)

// likeEncodingCSV checks that what encoding/csv takes for a table is cut into the
// same cells, but for line ends in quotes, which it rewrites, and for blanks.
func likeEncodingCSV(t *testing.T, text string) {
	t.Helper()
	comma := cmp.Or(sniff(text, 0), ',')
	if strings.Contains(strings.ReplaceAll(text, "\r\n", "\n"), "\r") || regexp.MustCompile(`[\v\f\x{85}\x{a0}\p{Z}]\s*"`).MatchString(strings.ReplaceAll(text, " ", "")) {
		return // blanks that only it takes off before a quote
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = comma, -1, comma != '\t'
	s := get(newScanner(text, comma, 0))(t)
	for {
		want, err := r.Read()
		if err != nil && !errors.Is(err, io.EOF) {
			return
		}
		got, how, line, scanErr := s.row()
		if scanErr != nil || (line == 0) != errors.Is(err, io.EOF) || len(got) != len(want) {
			t.Fatalf("%q: row %q on line %d, %v; encoding/csv has %q, %v", text, got, line, scanErr, want, err)
		}
		if line == 0 {
			return
		}
		for j := range got {
			a, b := got[j], want[j]
			if a = strings.ReplaceAll(a, "\r\n", "\n"); how[j]&quotedCell == 0 {
				a, b = strings.TrimSpace(a), strings.TrimSpace(b)
			}
			if a != b {
				t.Fatalf("%q: cell %q on line %d, encoding/csv has %q", text, got[j], line, want[j])
			}
		}
	}
}

func TestQuotedCellsAreLiteral(t *testing.T) {
	c := parse(t, "\" name \",n,id,plain\n\"Anna\",\" 1 \",\"007\", x\n\"Anna \",\"2\",\"+8\",\"x\"\n\" say \"\"hi\"\"\n,\", \"NA\" ,9,NA\n", nil)
	if names := c.Frame.Names(); names[0] != " name " {
		t.Errorf("names %q", names)
	}
	if got := c.Frame.Col(" name ").Records(); !slices.Equal(got, []string{"Anna", "Anna ", " say \"hi\"\n,"}) {
		t.Errorf("texts %q", got)
	}
	for j, want := range []ColumnReport{
		{Name: " name ", Type: series.String},
		{Name: "n", Type: series.Int, Missing: 1, Marks: []CellCount{{"NA", 1, 3}}, Changes: []CellChange{
			{blanksDropped, 2, 3, "NA"}, {"taken as missing, though in quotes", 1, 3, "NA"}}},
		{Name: "id", Type: series.Int, Changes: []CellChange{{"leading zeros or a plus sign dropped", 2, 1, "007"}}},
		{Name: "plain", Type: series.String, Missing: 1, Marks: []CellCount{{"NA", 1, 3}}, Changes: []CellChange{{blanksDropped, 1, 1, " x"}}},
	} {
		if got := c.Report.Columns[j]; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("column %d: %+v\nwant %+v", j+1, got, want)
		}
	}
	if s := c.Report.String(); !strings.Contains(s, `changed: id: leading zeros or a plus sign dropped: "007" in row 1 and 1 more`) {
		t.Errorf("report\n%s", s)
	}
}

func TestReportNamesEveryChange(t *testing.T) {
	for _, test := range []struct {
		text     string
		settings *CSVSettings
		want     CellChange
	}{
		{"x;y\n1.234,5;0\n2.000,5;0\n", &CSVSettings{Decimal: ',', Thousands: '.'}, CellChange{"mark '.' between thousands dropped", 2, 1, "1.234,5"}},
		{"x;y\n7;0\n2,5;0\n", &CSVSettings{Decimal: ','}, CellChange{"decimal mark ',' read as a dot", 1, 2, "2,5"}},
		{"x\n1.5\n9007199254740993\n9007199254740992\n", nil, CellChange{"rounded to the digits of a float64", 1, 2, "9007199254740993"}},
		{"x\nab\n\"NaN\"\n", &CSVSettings{NA: []string{"-"}}, CellChange{"taken as missing, since the data frame has no such text", 1, 2, "NaN"}},
		{"x\n5 %\n6\n", &CSVSettings{Clean: map[string]func(string) string{"x": func(s string) string { return strings.TrimSuffix(s, "%") }}},
			CellChange{"changed by Clean", 1, 1, "5 %"}},
		{"x\n1\n\" 2\"\n", nil, CellChange{blanksDropped, 1, 2, " 2"}},
	} {
		c := parse(t, test.text, test.settings)
		if !slices.Contains(c.Report.Columns[0].Changes, test.want) {
			t.Errorf("%q: changes %+v, want %+v", test.text, c.Report.Columns[0].Changes, test.want)
		}
	}
	c := parse(t, "# of 2024, by hand\nx;y\n\n1;2\n# half way\n \n3;4\n", &CSVSettings{Comment: '#'})
	if !slices.Equal(c.Report.Repairs, []string{"2 blank lines skipped, the first is line 3", "2 comment lines skipped, the first is line 1"}) || c.Report.Delimiter != ';' {
		t.Errorf("repairs %q, delimiter %q", c.Report.Repairs, c.Report.Delimiter)
	}
}

// Of delimiters that are equally frequent, comma comes before semicolon before tab.
func TestDelimiterOfATie(t *testing.T) {
	for text, want := range map[string]rune{
		"a,b;c\n": ',', "a;b,c\n": ',', "a\tb,c": ',', "a;b\tc": ';', "a\tb;c": ';', "a": ',', "a;b;c,d": ';', "a\tb\tc;d": '\t',
		"\"a;b;c\",d\n;;;": ',', "\"a\n;;\";b": ';', "\n\r\na;b": ';',
		" \t\t\na;b": ';', "\u00a0\n\"\"\n\"\t\"\na;b": ';', "\t\"\"\t\na\tb\tc": '\t', " \n": 0,
	} {
		if got := sniff(text, 0); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Random tables, in quotes or not: a text is read as it was written, or the
// report counts it among the changes.
func TestTablesComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	pieces := []string{"a", "B", " ", "  ", ",", ";", "\n", "\r\n", `"`, "é", "'", "\t", "#", "\u00a0"}
	values := [][]string{nil, {"7", "007", " 8 ", "+3", "NA", "", "-12", " NA"}, {"1.5", "01.5", "2", "", " 3e2", "NaN"}, {"TRUE", "false", " True", "?"}, {"NaN", "x ", "N/A", " y", ".", " ."}}
	zeros := regexp.MustCompile(`^(\+|-?0\d)`)
	for trial := range 2000 {
		rows, cols := 1+rng.IntN(6), 2+rng.IntN(3)
		cells := make([][]string, rows+1)
		for i := range cells {
			cells[i] = make([]string, cols)
		}
		for j := range cols {
			cells[0][j] = fmt.Sprintf(" c%d", j)
			from := values[rng.IntN(len(values))]
			for i := 1; i <= rows; i++ {
				if from != nil {
					cells[i][j] = from[rng.IntN(len(from))]
					continue
				}
				for range rng.IntN(6) {
					cells[i][j] += pieces[rng.IntN(len(pieces))]
				}
			}
		}
		bare := trial%2 == 1 // what needs no quotes has none
		var b strings.Builder
		quoted := func(s string) bool { return !bare || strings.ContainsAny(s, ",;\t\n\r\"") }
		for _, row := range cells {
			for j, cell := range row {
				if j > 0 {
					b.WriteByte(',')
				}
				if quoted(cell) {
					cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
				}
				b.WriteString(cell)
			}
			b.WriteString("\r\n")
		}
		c := get(readInPieces(b.String(), &CSVSettings{Delimiter: ','}, 1<<12, false))(t) // one piece, of less memory
		if c.Report.Rows != rows {
			continue // all cells of a row were blank, which only a single column allows
		}
		for j, about := range c.Report.Columns {
			if want := cells[0][j]; about.Name != want && !bare {
				t.Fatalf("%q: name %q, want %q", b.String(), about.Name, want)
			}
			col := get(copyColumn(c.Frame, about.Name))(t)
			var missing, blanks, signs int
			for i := range rows {
				cell := cells[i+1][j]
				trimmed := strings.TrimSpace(cell)
				literal := quoted(cell)
				switch {
				case col.missing[i]:
					missing++
					if !slices.ContainsFunc(about.Marks, func(m CellCount) bool { return m.Cell == trimmed }) {
						t.Fatalf("%q: %q is missing, the report has %+v", b.String(), cell, about.Marks)
					}
					if !literal && trimmed != cell {
						blanks++
					}
					continue
				case about.Type == series.String && literal:
					if col.text[i] != cell {
						t.Fatalf("%q: %q came back as %q", b.String(), cell, col.text[i])
					}
					continue
				case about.Type == series.String && col.text[i] != trimmed:
					t.Fatalf("%q: %q came back as %q", b.String(), cell, col.text[i])
				case about.Type == series.Bool && col.at(i) != strings.ToUpper(trimmed):
					t.Fatalf("%q: %q came back as %q", b.String(), cell, col.at(i))
				}
				if trimmed != cell {
					blanks++
				}
				if about.Type != series.Bool && about.Type != series.String && zeros.MatchString(trimmed) {
					signs++
				}
			}
			for what, want := range map[string]int{blanksDropped: blanks, "leading zeros or a plus sign dropped": signs} {
				got := 0
				if k := slices.IndexFunc(about.Changes, func(c CellChange) bool { return c.What == what }); k >= 0 {
					got = about.Changes[k].Count
				}
				if got != want {
					t.Fatalf("%q: column %q: %d cells with %s, the report has %+v", b.String(), about.Name, want, what, about.Changes)
				}
			}
			if missing != about.Missing {
				t.Fatalf("%q: %d missing, the report has %+v", b.String(), missing, about)
			}
		}
	}
}
