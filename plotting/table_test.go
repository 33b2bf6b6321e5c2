package plotting

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/golden"
)

func sampleTable(t *testing.T) *Table {
	t.Helper()
	table := get(NewTable(`Costs $1 & <b>$2</b>`,
		TextColumn("what", "$5 and $6", `\(x\)`, "β̂₁ <script>"),
		NumberColumn("value", []float64{1e-9, -12.5, 123456}, 0),
		IntColumn("n", 1, 20, 300),
		PColumn("p", []float64{0.5, 1e-20, math.NaN()})))(t)
	table.Notes = []string{"a note of $3 & more"}
	return table
}

func TestTableGolden(t *testing.T) {
	b := get(tableBundle(sampleTable(t)))(t)
	golden.Text(t, "table.txt", b.Text)
	golden.Text(t, "table.html", b.HTML)
}

// The characters of every cell survive the HTML as they are, and the page has
// no element or attribute but those of a plain table.
func TestTableHTMLIsPlain(t *testing.T) {
	table := sampleTable(t)
	b := get(tableBundle(table))(t)
	allowed := map[string]bool{"table": true, "caption": true, "b": true, "thead": true, "tbody": true, "tfoot": true, "tr": true, "th": true, "td": true, "span": true}
	decoder := xml.NewDecoder(strings.NewReader(b.HTML))
	var text strings.Builder
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
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
	for _, want := range append([]string{table.Title, table.Notes[0]}, table.Columns[0].Cells...) {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q", want)
		}
	}
}

// No run of text holds two dollars, or a backslash before a bracket: what
// typesetters of TeX look for.
func TestTableHidesMath(t *testing.T) {
	b := get(tableBundle(sampleTable(t)))(t)
	for _, run := range regexp.MustCompile(`<[^>]*>`).Split(b.HTML, -1) {
		if strings.Count(run, "$") > 1 || strings.Contains(run, `\(`) {
			t.Errorf("text %q would be typeset", run)
		}
	}
}

// The decimal points of a column stand below each other in the text form.
func TestTableAlignsPoints(t *testing.T) {
	table := get(NewTable("", NumberColumn("x", []float64{1.5, -22, 333.25, 1e-5, math.NaN()}, 5)))(t)
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

func TestTableErrors(t *testing.T) {
	if _, err := NewTable("t"); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("no columns: %v", err)
	}
	_, err := NewTable("t", IntColumn("a", 1), TextColumn("bee", "x", "y"))
	if !errors.Is(err, mlreg.ErrShape) || !strings.Contains(err.Error(), `"bee" has 2 cells`) {
		t.Errorf("lengths: %v", err)
	}
}

func TestMatrixForms(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{[]float64{}, "[]"},
		{[]float64{5, 2, -1}, "[5, 2, -1]"},
		{[]float64{0.1, math.Copysign(0, -1), math.NaN()}, "[0.1, 0.0, NA]"},
		{Range(1, 100, 100), "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ... 88 more]"},
		{columns([]float64{1, -3}, []float64{2.5, 4}), " 1.0  2.5\n-3.0  4.0\n"},
		{columns(Range(1, 20, 20)), "1\n2\n3\n4\n5\n6\n... top left corner of 20 x 1\n"},
	} {
		b := get(bundle(c.v))(t)
		if b.Text != c.want {
			t.Errorf("%v is shown as\n%q, want\n%q", c.v, b.Text, c.want)
		}
	}
}
