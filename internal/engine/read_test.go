package main

import (
	"encoding/binary"
	"fmt"
	"go/parser"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// utf16le is a text as Excel writes it.
func utf16le(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// Files as people have them are read without a setting: the columns that hold numbers are numbers, with these
// values, and the settings are those told.
func TestNastyFiles(t *testing.T) {
	for _, c := range []struct {
		name, text      string
		decimal, groups string
		column          string
		want            []float64
		code            string
	}{
		{"semicolons and decimal commas", "x;y\n1,5;2\n2,25;3\n-0,5;4\n", ",", none, "x", []float64{1.5, 2.25, -0.5}, `Delimiter: ';', Decimal: ','`},
		{"German thousands", "ort\tpreis\nA\t1.234,50\nB\t12.000,00\nC\t3,25\n", ",", ".", "preis", []float64{1234.5, 12000, 3.25}, `Decimal: ',', Thousands: '.'`},
		{"English thousands in quotes", "x,y\n\"1,234.5\",1\n\"12,000\",2\n7,3\n", ".", ",", "x", []float64{1234.5, 12000, 7}, `Thousands: ','`},
		{"UTF-16 of a spreadsheet", utf16le("größe;gewicht\n1,80;75\n1,65;60,5\n"), ",", none, "größe", []float64{1.8, 1.65}, `Decimal: ','`},
		{"texts where values are missing", "x,y\n1,2\n-,3\nn.a.,4\n2.5,5\n", ".", none, "x", []float64{1, math.NaN(), math.NaN(), 2.5}, `NA: append(slices.Clone(frames.DefaultNA), "-", "n.a.")`},
		{"percent and money", "p,m\n12.5%,\"$1,200\"\n7%,$5\n", ".", none, "m", []float64{1200, 5}, `Clean: map[string]func(string) string{"p": frames.Percent('.'), "m": frames.Currency("$", '.')}`},
		{"French blanks", "x;y\n1\u202f234,5;1\n22\u202f000;2\n", ",", " ", "x", []float64{1234.5, 22000}, `Thousands: ' '`},
	} {
		f, err := readFile([]byte(c.text), reading{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if f.reading.Decimal != c.decimal || f.reading.Thousands != c.groups {
			t.Errorf("%s: decimal %q, thousands %q", c.name, f.reading.Decimal, f.reading.Thousands)
		}
		if got := f.csv.Frame.Col(c.column).Float(); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v\n%s", c.name, got, c.want, f.csv.Report)
		}
		if !strings.Contains(f.code, c.code) {
			t.Errorf("%s: %s, want %s", c.name, f.code, c.code)
		}
		if _, err := parser.ParseExpr(f.code); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// What a reader sets is taken in place of the guess: dates that leave it open are read in the order told.
func TestToldReading(t *testing.T) {
	const text = "d,x\n1/2/2024,1\n3/4/2024,2\n"
	for dates, want := range map[string]string{"": "2024-01-02", "mdy": "2024-01-02", "dmy": "2024-02-01"} {
		f, err := readFile([]byte(text), reading{Dates: dates})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.csv.Frame.Col("d").Elem(0).String(); got != want {
			t.Errorf("%q: %s, want %s", dates, got, want)
		}
	}
	f, err := readFile([]byte("x;y\n1,234;2\n5,678;3\n"), reading{Decimal: ".", Thousands: ","})
	if err != nil || f.csv.Frame.Col("x").Float()[0] != 1234 {
		t.Errorf("%v: %v", err, f)
	}
	if _, err := readFile([]byte("a,b\n1,2,3\n"), reading{}); err == nil || strings.Contains(err.Error(), "CSVSettings") {
		t.Errorf("%v", err)
	}
}

// A file that is held is read once, and again when it is to be read otherwise.
func TestHeld(t *testing.T) {
	if a := asked(t, request{Do: "columns", Play: &play{File: "a.csv", Held: true}}); !strings.Contains(a.Error, "choose it again") {
		t.Errorf("%+v", a)
	}
	hold([]byte("x;y\n1,5;2\n2;3\n7;1\n"))
	first := asked(t, request{Do: "columns", Play: &play{File: "a.csv", Held: true}})
	if first.Error != "" || first.Read.Decimal != "," || first.Preview.Rows[0][0] != "1.5" {
		t.Errorf("%+v", first)
	}
	kept := held.file
	if a := fitted(t, play{File: "a.csv", Held: true, Formula: "y ~ x", Method: "ols"}); a.Error != "" || held.file != kept {
		t.Errorf("%s, read again %t", a.Error, held.file != kept)
	}
	if a := asked(t, request{Do: "columns", Play: &play{File: "a.csv", Held: true, Read: reading{Decimal: "."}}}); a.Preview.Rows[0][0] != "1,5" {
		t.Errorf("%+v", a.Preview)
	}
	held.bytes, held.file = nil, nil
}

// The methods of the page give what the packages give.
func TestMethods(t *testing.T) {
	for _, c := range []struct{ data, formula, method, class, title, in string }{
		{"prostate", "lpsa ~ lcavol + svi", "robust", "", "Least squares, robust standard errors (HC3)", "HC3"},
		{"prostate", "gleason ~ lcavol", "poisson", "", "Poisson regression", "Poisson"},
		{"prostate", "lpsa ~ lcavol + svi", "quantile", "", "Quantile regression, 0.5 of the responses below", "lcavol"},
		{"prostate", "lpsa ~ lcavol + svi", "mm", "", "Robust regression, an MM-estimate", "lcavol"},
		{"exam", "normexam ~ standLRT + (1 | school)", "groups", "", "Hierarchy", "school"},
		{"prostate", "svi ~ lcavol", "logistic", "0", "Logistic regression", "lcavol"},
		{"prostate", "gleason ~ lcavol", "logistic", "7", "Logistic regression", "lcavol"},
	} {
		a := fitted(t, play{Data: c.data, Formula: c.formula, Method: c.method, Class: c.class})
		if a.Error != "" || a.Parts[0].Title != c.title || !strings.Contains(a.Parts[0].Text, c.in) {
			t.Errorf("%s of %s: %s %v", c.method, c.formula, a.Error, a.Parts)
		}
	}
	one, other := fitted(t, play{Data: "prostate", Formula: "svi ~ lcavol", Method: "logistic", Class: "1"}), fitted(t, play{Data: "prostate", Formula: "svi ~ lcavol", Method: "logistic", Class: "0"})
	if one.Error != "" || one.Parts[0].Text == other.Parts[0].Text {
		t.Errorf("%s: both classes give\n%s", one.Error, one.Parts[0].Text)
	}
	for _, c := range []struct{ formula, method, class, want string }{
		{"lpsa ~ lcavol + (1 | svi)", "ols", "", `"Hierarchy"`}, {"lpsa ~ lcavol", "groups", "", "(1 | g)"}, {"svi ~ lcavol", "logistic", "2", `no class "2"`},
	} {
		if a := fitted(t, play{Data: "prostate", Formula: c.formula, Method: c.method, Class: c.class}); !strings.Contains(a.Error, c.want) {
			t.Errorf("%s: %q, want %q", c.formula, a.Error, c.want)
		}
	}
}

// Coefficients in the units of the data predict as those of the standardized columns do.
func TestCoefficientsInUnits(t *testing.T) {
	a := fitted(t, play{Data: "prostate", Formula: "lpsa ~ lcavol + age", Method: "ridge", New: "lcavol,age\n0,0\n1,0\n"})
	d, err := frames.Design(datasets.Prostate(), "lpsa ~ lcavol + age")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mlreg.FitOLS(d, nil); err != nil {
		t.Fatal(err)
	}
	var units, predictions string
	for _, p := range a.Parts {
		switch p.Title {
		case "Coefficients in the units of the data":
			units = p.CSV
		case "Predictions":
			predictions = p.CSV
		}
	}
	number := func(csv string, row, column int) float64 {
		var x float64
		if _, err := fmt.Sscan(strings.Split(strings.Split(csv, "\n")[row], ",")[column], &x); err != nil {
			t.Fatalf("%v: %s", err, csv)
		}
		return x
	}
	at0, at1 := number(predictions, 1, 1), number(predictions, 2, 1)
	if b0, b1 := number(units, 1, 1), number(units, 2, 1); math.Abs(b0-at0) > 1e-3 || math.Abs(b1-(at1-at0)) > 1e-3 {
		t.Errorf("intercept %g and slope %g, by predictions %g and %g", b0, b1, at0, at1-at0)
	}
}

// A bad row is a note, and the others have predictions with limits.
func TestBadRow(t *testing.T) {
	a := fitted(t, play{Data: "prostate", Formula: "lpsa ~ lcavol", Method: "ols", New: "lcavol\n1\nlarge\n\n2\nNA\n"})
	last := a.Parts[len(a.Parts)-1]
	if a.Error != "" || last.Title != "Predictions" || !strings.Contains(last.Text, "lower 95%") || !strings.Contains(last.Text, "row 2: ") || !strings.Contains(last.Text, "row 4: ") {
		t.Errorf("%s\n%s", a.Error, last.Text)
	}
	a = fitted(t, play{Data: "prostate", Formula: "lpsa ~ lcavol", Method: "ols", New: "age\n3\n"})
	if last := a.Parts[len(a.Parts)-1]; a.Error != "" || a.Parts[0].Title != "Least squares" || !strings.Contains(last.Text, "row 1: no column") {
		t.Errorf("%s\n%s", a.Error, last.Text)
	}
}
