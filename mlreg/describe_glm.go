package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
)

// Describe returns the analysis of deviance as a table, with the F test if the dispersion
// is estimated, so that it differs from that by chi-squared.
func (r DevianceTable) Describe() *Table {
	t := rowsTable("Analysis of deviance",
		textOf("term", r, func(r DevianceRow) string { return r.Term }),
		blankNA(numberOf("df", r, 6, func(r DevianceRow) float64 { return r.DF })),
		blankNA(numberOf("deviance", r, format.Digits+1, func(r DevianceRow) float64 { return r.Deviance })),
		numberOf("residual df", r, 6, func(r DevianceRow) float64 { return r.ResidualDF }),
		numberOf("residual deviance", r, format.Digits+1, func(r DevianceRow) float64 { return r.ResidualDeviance }),
		blankNA(pOf("p (χ²)", r, func(r DevianceRow) float64 { return r.P })))
	for _, row := range r {
		if math.Abs(row.P-row.PF) > 1e-9 {
			t.Columns = append(t.Columns,
				blankNA(numberOf("F", r, 0, func(r DevianceRow) float64 { return r.F })),
				blankNA(pOf("p (F)", r, func(r DevianceRow) float64 { return r.PF })))
			break
		}
	}
	t.Notes = append(t.Notes, notesOf(r, func(r DevianceRow) string { return r.Note })...)
	return t
}

// String writes the analysis of deviance as text.
func (r DevianceTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r DevianceRow) Describe() *Table { return DevianceTable{r}.Describe() }

// String writes the line as text.
func (r DevianceRow) String() string { return r.Describe().String() }

// Describe returns the test as a table that is written in a line: "z = 1.98, p = 0.0239".
func (t ZTest) Describe() *Table {
	line := fmt.Sprintf("z = %s, %s", format.Number(t.Stat, format.Digits), pEquals(t.P))
	return lineOf(line, one("z", t.Stat), PColumn("p", []float64{t.P}))
}

// String writes the test in a line.
func (t ZTest) String() string { return t.Describe().String() }

// Describe returns a row for each test.
func (o *Overdispersion) Describe() *Table {
	tests := []struct {
		name, variance string
		ZTest
	}{
		{"Cameron-Trivedi", "μ (1 + α)", o.CameronTrivedi}, {"Cameron-Trivedi", "μ + α μ²", o.CameronTrivediNB2}, {"Dean", "μ + α μ²", o.Dean},
	}
	t := &Table{Title: "Overdispersion of counts, against Poisson's variance μ"}
	var names, variances []string
	var z, p []float64
	for _, test := range tests {
		names, variances = append(names, test.name), append(variances, test.variance)
		z, p = append(z, test.Stat), append(p, test.P)
	}
	t.Columns = []Column{TextColumn("test", names...), TextColumn("variance", variances...), NumberColumn("z", z, 3), PColumn("p", p)}
	t.Notes = []string{"variance over mean: " + format.Number(1+o.Alpha, format.Digits) + "; p of a larger z"}
	return t
}

// String writes the tests as text.
func (o *Overdispersion) String() string { return o.Describe().String() }

// Describe returns a row for every bin.
func (c *CountFrequencies) Describe() *Table {
	var names []string
	for k := range c.Observed {
		if c.Width == 1 {
			names = append(names, fmt.Sprint(k))
		} else {
			names = append(names, fmt.Sprintf("%d to %d", k*c.Width, (k+1)*c.Width-1))
		}
	}
	t := &Table{Title: "Rows by " + c.Response, Columns: []Column{
		TextColumn(c.Response, names...), NumberColumn("observed", c.Observed, 0), NumberColumn("expected", c.Expected, 0),
	}}
	if c.Above > 0 {
		t.Notes = []string{"expected above: " + format.Number(c.Above, 3)}
	}
	return t
}

// String writes the frequencies as text.
func (c *CountFrequencies) String() string { return c.Describe().String() }

// Describe returns the table of the posterior; see Summary.
func (f *BayesGLM) Describe() *Table { return summary(f) }

// String writes the table of the posterior as text.
func (f *BayesGLM) String() string { return f.Describe().String() }

func (f *BayesGLM) kind() string {
	return f.c.Family.title() + " posterior, " + f.c.Link.String() + " link,"
}
