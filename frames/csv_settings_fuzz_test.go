package frames

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-gota/gota/series"
)

// Whatever the settings and the text, a table or an error comes out, and what it says does
// nothing to a terminal.
func FuzzCSVSettings(f *testing.F) {
	f.Add("a,b\n1,x\n2,y\n", ',', '.', rune(0), '#', "NA", "a", "int", "ymd", false)
	f.Add("a;b\n1,5;3/4/2024\n", ';', ',', '.', rune(0), "", "b", "string", "dmy", true)
	f.Add("\"a\n\",\x1b\n\xff,1e999\n", rune(0), 'e', '1', '"', "1", "", "float", "mdy", false)
	f.Add("1 2\n", ' ', ' ', ' ', ' ', " ", "1", "bool", "", true)
	f.Fuzz(func(t *testing.T, text string, delimiter, decimal, thousands, comment rune, na, column, kind, dates string, headless bool) {
		s := &CSVSettings{Delimiter: delimiter, Decimal: decimal, Thousands: thousands, Comment: comment}
		if na != "" {
			s.NA = strings.Split(na, "|")
		}
		if kind != "" {
			s.Types = map[string]series.Type{column: series.Type(kind)}
		}
		if dates != "" {
			s.Dates = map[string]string{column: dates}
		}
		if headless {
			s.Names = []string{column, "other"}
		}
		c, err := ParseCSV(strings.NewReader(text), s)
		said := ""
		if err != nil {
			said = err.Error()
		} else {
			if said = c.Report.String(); c.Frame.Nrow() != c.Report.Rows || c.Frame.Ncol() != len(c.Report.Columns) {
				t.Errorf("%d x %d, and the report has %d rows and %d columns", c.Frame.Nrow(), c.Frame.Ncol(), c.Report.Rows, len(c.Report.Columns))
			}
		}
		if strings.ContainsAny(said, "\x1b\x07\u202e\r\x00") || !utf8.ValidString(said) {
			t.Errorf("%q", said)
		}
	})
}
