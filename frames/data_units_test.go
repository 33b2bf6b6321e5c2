package frames

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"
)

// What Percent and Currency read, and what they leave as it is.
func TestPercentAndCurrency(t *testing.T) {
	percent, comma := Percent('.'), Percent(',')
	dollar, euro, code := Currency("$", '.'), Currency("€", ','), Currency("USD", '.')
	for _, c := range []struct {
		clean      func(string) string
		cell, want string // want is a number, or the cell as it is left
	}{
		{percent, "1%", "0.01"}, {percent, " 12.5 % ", "0.125"}, {percent, "-3%", "-0.03"}, {percent, "(3%)", "-0.03"}, {percent, "+3%", "0.03"}, {percent, "1,234%", "12.34"},
		{percent, ".5%", "0.005"}, {percent, "−2%", "-0.02"}, {percent, "0%", "0"}, {percent, "0", "0"}, {percent, "1\u00a0000 %", "10"}, {percent, "0.10%", "0.001"},
		{comma, "12,5%", "0.125"}, {comma, "1.234%", "12.34"}, {comma, "1,234%", "0.01234"},
		{percent, "5", "5 without a percent sign"}, {percent, "12,5%", "12,5%"}, {percent, "%5", "%5"}, {percent, "5%%", "5%%"}, {percent, "10-20%", "10-20%"}, {percent, "<5%", "<5%"},
		{percent, "NA", "NA"}, {percent, "", ""}, {percent, "%", "%"}, {percent, "$5", "$5"}, {percent, "5 percent", "5 percent"}, {percent, "(-3%)", "(-3%)"}, {percent, "1e3%", "1e3%"},
		{dollar, "$5", "5"}, {dollar, "-$5", "-5"}, {dollar, "$-5", "-5"}, {dollar, "($5.00)", "-5"}, {dollar, "5 $", "5"}, {dollar, "$1,234", "1234"}, {dollar, "$ 1,234,567.89", "1234567.89"},
		{dollar, "(5.00)", "-5"}, {dollar, "3.50", "3.5"}, {dollar, "$.99", "0.99"}, {dollar, "- $ 5", "-5"}, {dollar, "$007", "7"}, {dollar, "$1'234.5", "1234.5"},
		{euro, "€ 3,50", "3.5"}, {euro, "€ 1.234,50", "1234.5"}, {euro, "5 €", "5"}, {euro, "1 234,5 €", "1234.5"}, {euro, "€1.234", "1234"}, {code, "USD 5", "5"}, {code, "5USD", "5"},
		{dollar, "€5", "€5"}, {dollar, "$3,50", "$3,50"}, {dollar, "$1,2345", "$1,2345"}, {dollar, "$1,23,456", "$1,23,456"}, {dollar, "$1.2.3", "$1.2.3"}, {dollar, "$5.", "$5."},
		{dollar, "$5-$10", "$5-$10"}, {dollar, "$$5", "$$5"}, {dollar, "$5$", "$5$"}, {dollar, "USD 5", "USD 5"}, {dollar, "free", "free"}, {dollar, "NA", "NA"}, {dollar, "$", "$"}, {dollar, "5%", "5%"},
		{euro, "€ 3.5", "€ 3.5"}, {euro, "€ 1,234,567", "€ 1,234,567"}, {dollar, "$1.5e3", "$1.5e3"}, {dollar, "$1k", "$1k"},
	} {
		got := c.clean(c.cell)
		if v, ok := dotted.number(got); ok {
			if want, err := strconv.ParseFloat(c.want, 64); err != nil || v != want {
				t.Errorf("%q is read as %q, want %s", c.cell, got, c.want)
			}
		} else if got != c.want {
			t.Errorf("%q is read as %q, want %q", c.cell, got, c.want)
		}
	}
}

// The report names columns of percentages and amounts, with a cell and what reads them; what it
// says is done reads them.
func TestUnitsInReports(t *testing.T) {
	const file = "id;rate;price;cost;share;both;mixed;band\n" +
		"1;1%;$5;€ 3,50;12,5 %;$1,234;$5;<5%\n2;2.5%;-$5;€ 1.234,50;7 %;$2,345;€3;5-9%\n3;NA;($1,200.50);5 €;;$3;$4;10%+\n4;3%;free;3 €;1 %;n/a;$2;<5%\n"
	c := get(ParseCSV(strings.NewReader(file), nil))(t)
	for name, want := range map[string]string{
		"id": "", "band": "",
		"rate":  `text, such as "1%" in row 1; to read percentages, set CSVSettings.Clean to frames.Percent('.')`,
		"price": `text, such as "$5" in row 1, though row 4 has "free"; to read amounts, set CSVSettings.Clean to frames.Currency("$", '.')`,
		"cost":  `text, such as "€ 3,50" in row 1; to read amounts, set CSVSettings.Clean to frames.Currency("€", ',')`,
		"share": `text, such as "12,5 %" in row 1; to read percentages, set CSVSettings.Clean to frames.Percent(',')`,
		"both":  `text, such as "$1,234" in row 1; to read amounts, set CSVSettings.Clean to frames.Currency("$", '.'), or if the decimal mark is a comma to frames.Currency("$", ',')`,
		"mixed": `text, such as "$5" in row 1, though row 2 has "€3"; to read amounts, set CSVSettings.Clean to frames.Currency("$", '.')`,
	} {
		for _, about := range c.Report.Columns {
			if about.Name == name && about.Note != want {
				t.Errorf("%s: %q, want %q", name, about.Note, want)
			}
		}
	}
	for _, formula := range []string{"id ~ rate", "id ~ price", "id ~ cost", "id ~ log(share)", "rate ~ id"} {
		_, err := Design(c.Frame, formula)
		if !errors.Is(err, ErrNotNumeric) || !strings.Contains(err.Error(), "set CSVSettings.Clean") {
			t.Errorf("%s: %v", formula, err)
		}
	}
	if _, err := Design(c.Frame, "id ~ factor(rate) + band"); err != nil {
		t.Error(err)
	}
	for _, decimal := range []rune{'.', ','} { // of other columns
		cured := get(ParseCSV(strings.NewReader(file), &CSVSettings{Decimal: decimal, Clean: map[string]func(string) string{
			"rate": Percent('.'), "share": Percent(','), "cost": Currency("€", ','), "both": Currency("$", '.'), "price": Currency("$", '.'), "mixed": Currency("$", '.'),
		}}))(t)
		nan := math.NaN()
		near(t, "rate", get(Floats(cured.Frame, "rate"))(t), []float64{0.01, 0.025, nan, 0.03}, 0)
		near(t, "share", get(Floats(cured.Frame, "share"))(t), []float64{0.125, 0.07, nan, 0.01}, 0)
		near(t, "cost", get(Floats(cured.Frame, "cost"))(t), []float64{3.5, 1234.5, 5, 3}, 0)
		near(t, "both", get(Floats(cured.Frame, "both"))(t), []float64{1234, 2345, 3, nan}, 0)
		for name, culprit := range map[string]string{"price": `row 4 has "free"`, "mixed": `row 2 has "€3"`} {
			for _, about := range cured.Report.Columns {
				if about.Name == name && (about.Type != series.String || !strings.Contains(about.Note, culprit)) {
					t.Errorf("%s: %q", name, about.Note)
				}
			}
		}
	}
	negative := get(ParseCSV(strings.NewReader("a\n1.50\n(2.25)\n7\n"), nil))(t)
	if note := negative.Report.Columns[0].Note; note != `text, though 2 of 3 values are numbers: row 2 has "(2.25)"; if parentheses make it negative, set CSVSettings.Clean to frames.Currency("", '.')` {
		t.Error(note)
	}
	negative = get(ParseCSV(strings.NewReader("a\n1.50\n(2.25)\n7\n"), &CSVSettings{Clean: map[string]func(string) string{"a": Currency("", '.')}}))(t)
	near(t, "parentheses", get(Floats(negative.Frame, "a"))(t), []float64{1.5, -2.25, 7}, 0)
	_, err := ParseCSV(strings.NewReader("rate\n1%\n5\n"), &CSVSettings{Clean: map[string]func(string) string{"rate": Percent('.')}, Types: map[string]series.Type{"rate": series.Float}})
	if !errors.Is(err, ErrNotNumeric) || !strings.Contains(err.Error(), `row 2 has "5 without a percent sign"`) {
		t.Error(err)
	}
}

// A text column whose cells are all numbers is no factor unless the formula says so, as one
// of which most are.
func TestTextOfNumbersIsNoFactor(t *testing.T) {
	df := get(ParseCSV(strings.NewReader("y,zip,g\n1,01234,a\n2,04567,b\n3,01234,a\n4,04567,c\n"), &CSVSettings{Types: map[string]series.Type{"zip": series.String}}))(t).Frame
	for _, formula := range []string{"y ~ zip", "y ~ zip*g", "zip ~ y"} {
		if _, err := Design(df, formula); !errors.Is(err, ErrNotNumeric) || !strings.Contains(err.Error(), `column "zip" is text, though its cells are numbers; read it as numbers; to use it as a factor, write factor(zip)`) {
			t.Errorf("%s: %v", formula, err)
		}
	}
	if d := get(Design(df, "y ~ factor(zip) + g"))(t); d.Names[0] != `factor(zip)04567` {
		t.Errorf("columns %q", d.Names)
	}
}

// An amount is read or left as it is: what is read is one finite number of the cell's digits, and
// nothing else than marks, a sign and the unit is dropped.
func FuzzAmounts(f *testing.F) {
	for _, cell := range []string{"1%", "$5", "€ 1.234,50", "(5.00)", "-$5", "5 €", "USD 5", "1,234", "1.234", "", "−3 %", "1 234,5 €", "US$ 12", "%", "()", "$-", ".5%", "\xff1%", "1e5%"} {
		f.Add(cell, "$")
	}
	f.Fuzz(func(t *testing.T, cell, sign string) {
		digits := func(s string) string {
			return strings.TrimLeft(strings.Map(func(r rune) rune {
				if r >= '0' && r <= '9' {
					return r
				}
				return -1
			}, s), "0")
		}
		for _, decimal := range []rune{'.', ','} {
			for _, clean := range []func(string) string{Percent(decimal), Currency(sign, decimal)} {
				got := clean(cell)
				if got == cell || got == cell+" without a percent sign" {
					continue
				}
				v, err := strconv.ParseFloat(got, 64)
				if err != nil && !errors.Is(err, strconv.ErrRange) || v != v {
					t.Fatalf("%q is read as %q: %v", cell, got, err)
				}
				mantissa, _, _ := strings.Cut(got, "e")
				if digits(mantissa) != digits(cell) {
					t.Fatalf("%q is read as %q, of other digits", cell, got)
				}
			}
		}
		var u unitCounts
		u.add(0, cell)
		if note := u.note(1); note != "" && !strings.Contains(note, "frames.") {
			t.Fatalf("%q: %q", cell, note)
		}
	})
}
