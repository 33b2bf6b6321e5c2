package frames

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"
)

func parse(t *testing.T, text string, s *CSVSettings) *CSV {
	t.Helper()
	c := get(ParseCSV(strings.NewReader(text), s))(t)
	return c
}

func wantError(t *testing.T, err, kind error, parts ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v is not of the kind %v", err, kind)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

func TestColumnTypes(t *testing.T) {
	for _, test := range []struct {
		name, cells string
		want        series.Type
		missing     int
	}{
		{"integers", "1 -7 +3", series.Int, 0},
		{"integers with gaps", "1 NA ?", series.Int, 2},
		{"an integer beyond 64 bits", "1 99999999999999999999", series.Float, 0},
		{"decimals", "1 2.5 .5", series.Float, 0},
		{"exponents", "-2e-3 1E5 Inf", series.Float, 0},
		{"truth values", "true FALSE True", series.Bool, 0},
		{"truth values with gaps", "true NULL", series.Bool, 1},
		{"one true among numbers", "true 1", series.String, 0},
		{"T and F stay text", "T F", series.String, 0},
		{"hexadecimal is text", "0x10 0x11", series.String, 0},
		{"underscores are text", "1_000 2_000", series.String, 0},
		{"beyond float64 is text", "1 1e999", series.String, 0},
		{"nothing", "NA . NaN", series.Float, 3},
		{"words", "a NA b", series.String, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := parse(t, "x,y\n"+strings.ReplaceAll(test.cells, " ", ",0\n")+",0\n", nil)
			about := c.Report.Columns[0]
			if about.Type != test.want || c.Frame.Col("x").Type() != test.want {
				t.Errorf("type %s in the report and %s in the frame, want %s", about.Type, c.Frame.Col("x").Type(), test.want)
			}
			missing := 0
			for _, m := range c.Frame.Col("x").IsNaN() {
				if m {
					missing++
				}
			}
			if about.Missing != test.missing || missing != test.missing {
				t.Errorf("%d missing in the report and %d in the frame, want %d", about.Missing, missing, test.missing)
			}
		})
	}
}

// What gota's own reader gets wrong: one N/A, one leading blank or one "true"
// changes a column of numbers, and a byte order mark stays in the first name.
func TestCellsAreClean(t *testing.T) {
	c := parse(t, "\ufeff a ; b\r\n 1 ;N/A\r\n\r\n 2.5; 4\r\n", nil)
	if names := c.Frame.Names(); !slices.Equal(names, []string{"a", "b"}) {
		t.Fatalf("names %q", names)
	}
	a, err := Floats(c.Frame, "a")
	if err != nil || !slices.Equal(a, []float64{1, 2.5}) {
		t.Errorf("a = %v, %v", a, err)
	}
	b, err := Floats(c.Frame, "b")
	if err != nil || !math.IsNaN(b[0]) || b[1] != 4 {
		t.Errorf("b = %v, %v", b, err)
	}
	repairs := []string{
		"byte order mark dropped", "blank line 3 skipped",
		`blanks around the name "a" of column 1 dropped`, `blanks around the name "b" of column 2 dropped`,
	}
	if c.Report.Delimiter != ';' || !slices.Equal(c.Report.Repairs, repairs) || c.Report.Rows != 2 {
		t.Errorf("report %+v", c.Report)
	}
	if want := []CellChange{{blanksDropped, 2, 1, " 1 "}}; !slices.Equal(c.Report.Columns[0].Changes, want) {
		t.Errorf("changes %+v", c.Report.Columns[0].Changes)
	}
}

func TestNumbersKeepEveryDigit(t *testing.T) {
	x, err := Floats(parse(t, "x\n0.1\n1e-9\n0.30000000000000004\n-1.7976931348623157e308\n5e-324\n", nil).Frame, "x")
	if err != nil || !slices.Equal(x, []float64{0.1, 1e-9, 0.30000000000000004, -math.MaxFloat64, 5e-324}) {
		t.Errorf("%v, %v", x, err)
	}
}

func TestNamesAreRepaired(t *testing.T) {
	c := parse(t, ",x,x,x_2,,x\n1,2,3,4,5,6\n", nil)
	want := []string{"column1", "x", "x_3", "x_2", "column5", "x_4"}
	if names := c.Frame.Names(); !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
	if len(c.Report.Repairs) != 4 || !strings.Contains(c.Report.Repairs[1], `column 3 was again named "x"; it is "x_3"`) {
		t.Errorf("repairs %q", c.Report.Repairs)
	}
}

func TestReportNamesTheTextCell(t *testing.T) {
	c := parse(t, "age\n50\n51\n6o\n53\n", nil)
	if s := c.Report.String(); !strings.Contains(s, `note: age: text, though 3 of 4 values are numbers: row 3 has "6o"`) {
		t.Errorf("report\n%s", s)
	}
}

func TestCSVErrors(t *testing.T) {
	integer := &CSVSettings{Types: map[string]series.Type{"x": series.Int}}
	for _, test := range []struct {
		name, text string
		settings   *CSVSettings
		kind       error
		parts      []string
	}{
		{"empty", "", nil, ErrCSV, []string{"empty"}},
		{"blank", " \n\n", nil, ErrCSV, []string{"empty"}},
		{"header only", "a,b\n", nil, ErrCSV, []string{"a, b", "no rows"}},
		{"short row", "a,b\n1,2\n3\n", nil, ErrCSV, []string{"line 3 has 1 cells, the header has 2"}},
		{"long row", "a,b\n1,2,3\n", nil, ErrCSV, []string{"line 2 has 3 cells", "row name"}},
		{"long row after quotes over lines", "a,b\n\"1\n\",2\n3,4,5\n", nil, ErrCSV, []string{"line 4"}},
		{"stray quote", "a,b\n1,2\"3\n", nil, ErrCSV, []string{"line 2", "quote"}},
		{"set to UTF-8", "a\n1\n\xe4\n", &CSVSettings{Encoding: "utf-8"}, ErrCSV, []string{"line 3 is not UTF-8"}},
		{"mixed", "a\n\xe4\n\u00e4\n", nil, ErrCSV, []string{"line 2 is not UTF-8, and line 3 is", "windows-1252"}},
		{"neither", "a\n\xe4\nx\x81\n", nil, ErrCSV, []string{"line 2 is not UTF-8, and line 3 not Windows-1252"}},
		{"zeros", "a\n\xe4\nx\x00\n", nil, ErrCSV, []string{"line 2 is not UTF-8, and line 3 has a byte of zero"}},
		{"a byte that Windows-1252 does not have", "a\n\xe4\nx\x81\n", &CSVSettings{Encoding: "latin1"}, ErrCSV, []string{"line 3 has the byte 0x81"}},
		{"UTF-16 without rows", "\xff\xfea\x00", nil, ErrCSV, []string{"a header (a) and no rows"}},
		{"half of a pair", "\xff\xfea\x00\n\x00\x00\xd8b\x00\n\x00", nil, ErrCSV, []string{"line 2 has half of a character, 0xD800"}},
		{"the other half", "\xff\xfea\x00\n\x00\x00\xdcb\x00\n\x00", nil, ErrCSV, []string{"line 2 has half of a character, 0xDC00"}},
		{"cut UTF-16", "\xff\xfea\x00\n\x001\x00\n", nil, ErrCSV, []string{"in the middle of a character, in line 2"}},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", nil, ErrCSV, []string{"UTF-32"}},
		{"no such encoding", "a\n1\n", &CSVSettings{Encoding: "ebcdic"}, ErrSetting, []string{"ebcdic", "windows-1252"}},
		{"a decimal as int", "x\n1\n2.5\n", integer, ErrNotNumeric, []string{`row 2 has "2.5"`, `"x"`}},
		{"a word as float", "x\n1\nten\n", &CSVSettings{Types: map[string]series.Type{"x": series.Float}}, ErrNotNumeric, []string{`row 2 has "ten"`}},
		{"a number as bool", "x\ntrue\n2\n", &CSVSettings{Types: map[string]series.Type{"x": series.Bool}}, ErrNotNumeric, []string{`row 2 has "2"`}},
		{"cleaning of no column", "xx\n1\n", &CSVSettings{Clean: map[string]func(string) string{"x": strings.ToLower}}, ErrNoColumn, []string{`Clean`, `did you mean "xx"?`}},
		{"type of no column", "xx\n1\n", integer, ErrNoColumn, []string{`"x"`, `did you mean "xx"?`}},
		{"no such type", "x\n1\n", &CSVSettings{Types: map[string]series.Type{"x": "complex"}}, ErrSetting, []string{"complex"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseCSV(strings.NewReader(test.text), test.settings)
			wantError(t, err, test.kind, test.parts...)
		})
	}
}

func TestCSVSettings(t *testing.T) {
	c := parse(t, "# made by hand\n1,5;-;007\n2;3;008\n", &CSVSettings{
		Delimiter: ';', Decimal: ',', Comment: '#', NA: []string{"-"},
		Names: []string{"a", "b", "zip"}, Types: map[string]series.Type{"zip": series.String},
	})
	a, err := Floats(c.Frame, "a")
	if err != nil || !slices.Equal(a, []float64{1.5, 2}) {
		t.Errorf("a = %v, %v", a, err)
	}
	if zip := c.Frame.Col("zip").Records(); !slices.Equal(zip, []string{"007", "008"}) {
		t.Errorf("zip = %q", zip)
	}
	if about := c.Report.Columns[1]; about.Missing != 1 || about.Type != series.Int {
		t.Errorf("b: %+v", about)
	}
	if _, err := ParseCSV(strings.NewReader("a\n1"), &CSVSettings{Delimiter: '"'}); err == nil {
		t.Error("a quote was taken as delimiter")
	}
}

func TestThousands(t *testing.T) {
	const german, swiss, french = ".", "'", " "
	for _, test := range []struct {
		thousands, decimal, cells string
		want                      series.Type
		values                    []float64
	}{
		{german, ",", "1.234,5 -12 +1.000.000,25 999,5e1", series.Float, []float64{1234.5, -12, 1000000.25, 9995}},
		{german, ",", "1.234 -12.345 7", series.Int, []float64{1234, -12345, 7}},
		{",", ".", "1,234.5 0.125", series.Float, []float64{1234.5, 0.125}},
		{swiss, ".", "1'234 12'345'678", series.Int, []float64{1234, 12345678}},
		{french, ",", "1\u00a0234,5 1\u202f000", series.Float, []float64{1234.5, 1000}},
		{german, ",", "1.23 4", series.String, nil},
		{german, ",", "1234.567 4", series.String, nil},
		{german, ",", ".123 4", series.String, nil},
		{german, ",", "1,234.567 4", series.String, nil},
	} {
		c := parse(t, "x;y\n"+strings.ReplaceAll(test.cells, " ", ";0\n")+";0\n",
			&CSVSettings{Delimiter: ';', Decimal: []rune(test.decimal)[0], Thousands: []rune(test.thousands)[0]})
		if got := c.Frame.Col("x").Type(); got != test.want {
			t.Errorf("%q is of type %s, want %s", test.cells, got, test.want)
		}
		if x, err := Floats(c.Frame, "x"); test.values != nil && (err != nil || !slices.Equal(x, test.values)) {
			t.Errorf("%q is %v, %v", test.cells, x, err)
		}
	}
	_, err := ParseCSV(strings.NewReader("x\n1\n"), &CSVSettings{Decimal: ',', Thousands: ','})
	wantError(t, err, ErrSetting, "both")
}

func TestReportNamesOtherMarks(t *testing.T) {
	c := parse(t, "a;b;c\n2,5;1.234,5;x\n1;2,5;3,5\n", nil)
	for j, want := range []string{`text, such as "2,5" in row 1; if these are numbers, set Decimal or Thousands`, `"1.234,5" in row 1`, `row 1 has "x"`} {
		if note := c.Report.Columns[j].Note; !strings.Contains(note, want) {
			t.Errorf("note %q, want %q", note, want)
		}
	}
}

func TestReadCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if _, err := ReadCSV(path, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading no file: %v", err)
	}
	_, err := ReadCSV("testdata/prostrate.csv", nil)
	wantError(t, err, os.ErrNotExist, `did you mean "prostate.csv"?`)
	if err := os.WriteFile(path, []byte("a\tb\n1\t\n2\t3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := get(ReadCSV(path, nil))(t)
	if c.Report.Source != path || c.Report.Delimiter != '\t' || c.Report.Columns[1].Missing != 1 {
		t.Errorf("report %+v", c.Report)
	}
}

// Whatever the bytes are, a table or an error comes back, and the report
// agrees with the frame.
func FuzzParseCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "", "a;a\n1;\n", "\ufeffx\ty\nTRUE\tNA\n", "x\n\"a\nb\"\n", ",\n,\n", "a\n\n1e999", "a,b\r\n 1 , \"2\" \r\n",
		"a;b\n\"x\"\"y\" ;\t\"1\r\n2\"\r", "x\n \"\"\n\n\"\n\"", "a,b\n+07,\" NA \"\n", "\"a,b\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		likeEncodingCSV(t, string(data))
		c, err := ParseCSV(strings.NewReader(string(data)), nil)
		if err != nil {
			return
		}
		if rows, cols := c.Frame.Dims(); rows != c.Report.Rows || cols != len(c.Report.Columns) {
			t.Fatalf("the frame is %d x %d, the report says %d x %d", rows, cols, c.Report.Rows, len(c.Report.Columns))
		}
		for j, about := range c.Report.Columns {
			if name := c.Frame.Names()[j]; name != about.Name {
				t.Fatalf("column %d is named %q in the frame and %q in the report", j+1, name, about.Name)
			}
			col, err := copyColumn(c.Frame, about.Name)
			if err != nil || col.typ != about.Type || col.count != about.Missing {
				t.Fatalf("column %+v, report %+v, error %v", col, about, err)
			}
		}
	})
}
