package frames

import (
	"slices"
	"strings"
	"testing"
)

// Messages that misled: each names the culprit and what to write.
func TestMessages(t *testing.T) {
	names := Col("name", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})
	df := cars(t).CBind(frame(t, names, Col("gear", []int{4, 4, 4, 3, 3, 3, 3, 4, 4, 4})))
	for formula, says := range map[string]string{
		"mpg ~ s(wt)":                  "ns(a, 4)",
		"mpg ~ .":                      `column "name", whose text differs in each of 10 rows`,
		"mpg ~ wtt":                    `did you mean "wt"?`,
		"mpg ~ facter(cyl)":            `did you mean "factor"?`,
		"mpg ~ cyl == four":            `the text of column "cyl" is in quotes: "four"`,
		`mpg ~ cyl == "fuor"`:          `did you mean "four"?`,
		"mpg ~ factor(gear, lvels=1)":  `did you mean "levels"?`,
		"mpg ~ C(gear, Helmet)":        `did you mean "Helmert"?`,
		"mpg ~ factor(gear) == 4 + wt": "the column itself, gear",
	} {
		if _, err := Design(df, formula); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; wanted %q", formula, err, says)
		}
	}
	for _, formula := range []string{"mpg ~ C(gear)", "mpg ~ (gear == 4)", "mpg ~ factor(gear == 4)"} {
		if _, err := Design(df, formula); err != nil {
			t.Errorf("%s: %v", formula, err)
		}
	}
}

// A text that no true/false is, and a second column of max, are errors and not an
// answer.
func TestMisreadExpressions(t *testing.T) {
	df := frame(t, Col("ok", []bool{true, false}), Col("x", []float64{1, 2}), Col("y", []float64{3, 4}))
	for definition, says := range map[string]string{
		`z = ok == "true"`:        `ok is TRUE or FALSE, never "true"`,
		`z = "yes" != (x > 1)`:    `never "yes"`,
		"z = max(x, y)":           "ifelse(a > b, a, b)",
		"z = min(x, na.rm = 0.5)": "ifelse(a < b, a, b)",
	} {
		if _, err := With(df, definition); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; wanted %q", definition, err, says)
		}
	}
	got, err := With(df, `z = ok == "TRUE"`)
	if err != nil || !slices.Equal(got.Col("z").Records(), []string{"true", "false"}) {
		t.Errorf("%v, %v", got, err)
	}
}
