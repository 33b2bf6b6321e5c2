package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Checks of what the notebook computed, and checks of nothing.
func TestIdle(t *testing.T) {
	const page = `const retyped = 16.36
var degrees = 3
var x = []float64{1, 2}
var fit = must.M1(mlreg.FitOLS(data, nil))
func row(bits float64) mlreg.CodeLength { return mlreg.CodeLength{Data: bits} }
func own(z float64) float64 { return math.Exp(z) }
func mean() float64 { return fit.Coef()[0] }
func loop(n int) float64 { return loop(n - 1) }`
	for check, reads := range map[string]bool{
		`ledger.True("a", fit.RSS() < 3)`:                                                                       true,
		`ledger.True("a", mean() < 3)`:                                                                          true,
		`ledger.True("a", mlreg.CountSubsets(8) == 256)`:                                                        true,
		`ledger.Near("a", 1e-9, []float64{floats.Sum(x)}, 3)`:                                                   true,
		`ledger.Printed("a", row(16.36).Total(), "26.33")`:                                                      true,
		"r := fit.RSS()\ns := r + 1\nledger.True(\"a\", s < 3)":                                                 true,
		"n := 0\nfor _, v := range fit.Coef() {\nif v > 0 {\nn++\n}\n}\nledger.True(\"a\", n == 8)":             true,
		"var inv mat.Dense\ninv.Inverse(fit.VCov())\nledger.True(\"a\", inv.At(0, 0) > 0)":                      true,
		"same := func(name string, a float64) {\nledger.Near(name, 1, []float64{a}, 1)\n}\nsame(\"a\", mean())": true,
		`ledger.True("arithmetic: 2^10", math.Pow(2, 10) == 1024)`:                                              true,

		`ledger.Printed("a", retyped+9.97, "26.33")`:                                    false,
		`ledger.True("a", degrees == 3)`:                                                false,
		`ledger.Near("34 h", 1e-12, []float64{-math.Log2(1.0/1024)}, 10)`:               false,
		`ledger.Near("a", 1e-12, []float64{own(0)}, 1)`:                                 false,
		`ledger.True("a", loop(3) == 1)`:                                                false,
		"grid := math.Pow(10, 3)\ng := grid\nledger.True(\"a\", g == 1000)":             false,
		"n := 0\nfor i := range 8 {\nif i > 2 {\nn++\n}\n}\nledger.True(\"a\", n == 5)": false,
		`ledger.Near("only wanted", 1e-12, []float64{1}, fit.RSS())`:                    false,
	} {
		nb := &notebook{Cells: []*cell{{Type: "code", Source: page}, {Type: "markdown"}, {Type: "code", Source: text("%%\n" + check + "\nledger.Done()")}}}
		got := nb.idle()
		if (len(got) == 0) != reads {
			t.Errorf("%s: %v", check, got)
		}
		for _, p := range got {
			if p.cell != 3 || !strings.Contains(p.text, "reads nothing") {
				t.Errorf("%s: %+v", check, p)
			}
		}
	}
}

// What is bound is computed, or a setting that the code uses.
func TestBindsOfNothing(t *testing.T) {
	const page = `const sigma2, unused = 0.25, 3
var degrees = 3
var fit = must.M1(mlreg.FitOLS(data, degrees, sigma2))`
	for bind, stands := range map[string]bool{
		`ledger.Bind("a", fit.RSS())`:                   true,
		`ledger.Bind("a", 100*sigma2)`:                  true,
		`ledger.Bind("a", degrees)`:                     true,
		"n := 8\nfmt.Println(n)\nledger.Bind(\"a\", n)": true,
		"n := len(fit.Coef())\nledger.Bind(\"a\", n)":   true,
		`ledger.Bind("a", 8)`:                           false,
		`ledger.Bind("a", math.Sqrt(8))`:                false,
		`ledger.Bind("a", unused)`:                      false,
		"n := 8\nledger.Bind(\"a\", n)":                 false,
	} {
		nb := &notebook{Cells: []*cell{{Type: "code", Source: page}, {Type: "code", Source: text("%%\n" + bind)}}}
		if got := nb.idle(); (len(got) == 0) != stands || !stands && !strings.Contains(got[0].text, "nothing else uses") {
			t.Errorf("%s: %v", bind, got)
		}
	}
}

// Every check is shown by the last ledger.Done.
func TestChecksAreShown(t *testing.T) {
	checks := func(n string) map[string]any {
		return map[string]any{statedKey: map[string]any{"checks": json.Number(n)}}
	}
	shown := func(lines string) []*output { return []*output{{Type: "stream", Text: text(lines)}} }
	for want, cells := range map[string][]*cell{
		"": {
			{Type: "code", Source: "%%\nledger.True(\"a\", mlreg.A())", Metadata: checks("2")},
			{Type: "code", Source: "%%\nledger.Done()", Outputs: shown("ok  a  true  want true\nok  b  true  want true\n")}},
		"cell 2: ledger.Done shows 1 of 2 checks": {
			{Type: "code", Metadata: checks("2")},
			{Type: "code", Source: "%%\nledger.Done()", Outputs: shown("ok  a  true  want true\n")}},
		"cell 2: no ledger.Done()": {
			{Type: "code", Source: "%%\nledger.Done()"},
			{Type: "code", Source: "%%\nledger.True(\"arithmetic\", 1 < 2)"}},
	} {
		err := asError((&notebook{Cells: cells}).idle())
		if (err == nil) != (want == "") || !strings.Contains(asText(err), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestHeavy(t *testing.T) {
	code := func(n int) *cell {
		return &cell{Type: "code", Source: text(strings.TrimSuffix(strings.Repeat("x\n", n), "\n"))}
	}
	hidden := code(300)
	hidden.Metadata = map[string]any{"tags": []any{"solution"}}
	checks := &cell{Type: "code", Source: text(strings.Repeat("x\n", 300) + "ledger.Done()\n")}
	repeat := func(c *cell, n int) (cells []*cell) {
		for range n {
			cells = append(cells, c)
		}
		return cells
	}
	for want, cells := range map[string][]*cell{
		"":                                  {code(25), code(9), code(9), {Type: "markdown", Source: text(strings.Repeat("x\n", 300))}, hidden, checks},
		"cell 2 has 26 lines, more than 25": {code(1), code(26), code(1)},
		"252 lines of code, more than 250":  repeat(code(9), 28),
		"the median code cell has 10 lines: want fewer than 10": {code(1), code(10), code(10)},
	} {
		err := (&notebook{Cells: cells}).heavy()
		if got := asText(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func asText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
