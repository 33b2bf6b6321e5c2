package frames

import (
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
