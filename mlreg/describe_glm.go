package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Describe returns the analysis of deviance as a table, with the F test if the dispersion
// is estimated, so that it differs from that by chi-squared.
func (r DevianceTable) Describe() *report.Table {
	t := tables.Rows("Analysis of deviance",
		tables.Text("term", r, func(r DevianceRow) string { return r.Term }),
		tables.Blank(tables.Number("df", r, 6, func(r DevianceRow) float64 { return r.DF })),
		tables.Blank(tables.Number("deviance", r, format.Digits+1, func(r DevianceRow) float64 { return r.Deviance })),
		tables.Number("residual df", r, 6, func(r DevianceRow) float64 { return r.ResidualDF }),
		tables.Number("residual deviance", r, format.Digits+1, func(r DevianceRow) float64 { return r.ResidualDeviance }),
		tables.Blank(tables.P("p (χ²)", r, func(r DevianceRow) float64 { return r.P })))
	for _, row := range r {
		if math.Abs(row.P-row.PF) > 1e-9 {
			t.Columns = append(t.Columns,
				tables.Blank(tables.Number("F", r, 0, func(r DevianceRow) float64 { return r.F })),
				tables.Blank(tables.P("p (F)", r, func(r DevianceRow) float64 { return r.PF })))
			break
		}
	}
	t.Notes = append(t.Notes, tables.Notes(r, func(r DevianceRow) string { return r.Note })...)
	return t
}

// String writes the analysis of deviance as text.
func (r DevianceTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r DevianceRow) Describe() *report.Table { return DevianceTable{r}.Describe() }

// String writes the line as text.
func (r DevianceRow) String() string { return r.Describe().String() }

// Describe returns the test as a table that is written in a line: "z = 1.98, p = 0.0239".
func (t ZTest) Describe() *report.Table {
	line := fmt.Sprintf("z = %s, %s", format.Number(t.Stat, format.Digits), format.PEquals(t.P))
	return tables.Line(line, tables.One("z", t.Stat), report.PColumn("p", []float64{t.P}))
}

// String writes the test in a line.
func (t ZTest) String() string { return t.Describe().String() }

// Describe returns a row for each test.
func (o *Overdispersion) Describe() *report.Table {
	tests := []struct {
		name, variance string
		ZTest
	}{
		{"Cameron-Trivedi", "μ (1 + α)", o.CameronTrivedi}, {"Cameron-Trivedi", "μ + α μ²", o.CameronTrivediNB2}, {"Dean", "μ + α μ²", o.Dean},
	}
	t := &report.Table{Title: "Overdispersion of counts, against Poisson's variance μ"}
	var names, variances []string
	var z, p []float64
	for _, test := range tests {
		names, variances = append(names, test.name), append(variances, test.variance)
		z, p = append(z, test.Stat), append(p, test.P)
	}
	t.Columns = []report.Column{report.TextColumn("test", names...), report.TextColumn("variance", variances...), report.NumberColumn("z", z, 3), report.PColumn("p", p)}
	t.Notes = []string{"variance over mean: " + format.Number(1+o.Alpha, format.Digits) + "; p of a larger z"}
	return t
}

// String writes the tests as text.
func (o *Overdispersion) String() string { return o.Describe().String() }

// Describe returns a row for every bin.
func (c *CountFrequencies) Describe() *report.Table {
	var names []string
	for k := range c.Observed {
		if c.Width == 1 {
			names = append(names, fmt.Sprint(k))
		} else {
			names = append(names, fmt.Sprintf("%d to %d", k*c.Width, (k+1)*c.Width-1))
		}
	}
	t := &report.Table{Title: "Rows by " + c.Response, Columns: []report.Column{
		report.TextColumn(c.Response, names...), report.NumberColumn("observed", c.Observed, 0), report.NumberColumn("expected", c.Expected, 0),
	}}
	if c.Above > 0 {
		t.Notes = []string{"expected above: " + format.Number(c.Above, 3)}
	}
	return t
}

// String writes the frequencies as text.
func (c *CountFrequencies) String() string { return c.Describe().String() }

// Describe returns the table of the posterior; see Summary.
func (f *BayesGLM) Describe() *report.Table { return summary(f) }

// String writes the table of the posterior as text.
func (f *BayesGLM) String() string { return f.Describe().String() }

func (f *BayesGLM) kind() string {
	return f.c.Family.title() + " posterior, " + f.c.Link.String() + " link,"
}
