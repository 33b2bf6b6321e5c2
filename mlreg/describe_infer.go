package mlreg

import (
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Describe returns the analysis of variance as a table. Cells that do not apply to a
// line are empty.
func (r AnovaTable) Describe() *report.Table {
	return tables.Rows("Analysis of variance",
		tables.Text("term", r, func(r AnovaRow) string { return r.Term }),
		tables.Number("df", r, 6, func(r AnovaRow) float64 { return r.DF }),
		tables.Number("sum of squares", r, format.Digits+1, func(r AnovaRow) float64 { return r.SumSq }),
		tables.Blank(tables.Number("mean square", r, format.Digits+1, func(r AnovaRow) float64 { return r.MeanSq })),
		tables.Blank(tables.Number("F", r, 0, func(r AnovaRow) float64 { return r.F })),
		tables.Blank(tables.P("p", r, func(r AnovaRow) float64 { return r.P })))
}

// String writes the analysis of variance as text.
func (r AnovaTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r AnovaRow) Describe() *report.Table { return AnovaTable{r}.Describe() }

// String writes the line as text.
func (r AnovaRow) String() string { return r.Describe().String() }

// Describe returns the comparison as a table.
func (r NestedTable) Describe() *report.Table {
	t := tables.Rows("Comparison of nested fits",
		tables.Text("terms", r, func(r NestedRow) string { return r.Terms }),
		tables.Number("residual df", r, 6, func(r NestedRow) float64 { return r.DoFResidual }),
		tables.Number("RSS", r, format.Digits+1, func(r NestedRow) float64 { return r.RSS }),
		tables.Blank(tables.Number("df", r, 6, func(r NestedRow) float64 { return r.DF })),
		tables.Blank(tables.Number("sum of squares", r, format.Digits+1, func(r NestedRow) float64 { return r.SumSq })),
		tables.Blank(tables.Number("F", r, 0, func(r NestedRow) float64 { return r.F })),
		tables.Blank(tables.P("p", r, func(r NestedRow) float64 { return r.P })))
	t.Notes = append(t.Notes, tables.Notes(r, func(r NestedRow) string { return r.Note })...)
	return t
}

// String writes the comparison as text.
func (r NestedTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r NestedRow) Describe() *report.Table { return NestedTable{r}.Describe() }

// String writes the line as text.
func (r NestedRow) String() string { return r.Describe().String() }

// Describe returns the factors as a table.
func (r VIFTable) Describe() *report.Table {
	return tables.Rows("Variance inflation factors",
		tables.Text("term", r, func(r VIFRow) string { return r.Term }),
		tables.Number("df", r, 0, func(r VIFRow) float64 { return r.DF }),
		tables.Number("VIF", r, 0, func(r VIFRow) float64 { return r.VIF }),
		tables.Number("VIF^(1/(2 df))", r, 0, func(r VIFRow) float64 { return r.PerDF }))
}

// String writes the factors as text.
func (r VIFTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r VIFRow) Describe() *report.Table { return VIFTable{r}.Describe() }

// String writes the line as text.
func (r VIFRow) String() string { return r.Describe().String() }

// Head returns the fitted values of the first rows with their limits as a table, R's
// predict with an interval; rows = 0 means ten, or all of up to 25, and a negative
// number all. The names of the rows are their numbers from 1 if nil; d.RowNames() gives
// those in the frame. The error is ErrShape for a wrong number of names.
func (b *Band) Head(rows int, names []string) (*report.Table, error) {
	kind := b.Kind.String()
	number := func(name string, values []float64) report.Column { return report.NumberColumn(name, values, 0) }
	return tables.Head(strings.ToUpper(kind[:1])+kind[1:], rows, names,
		number("fitted", b.Fitted), number("std. error", b.StdErr),
		number("lower "+format.Percent(b.Level), b.Lower), number("upper "+format.Percent(b.Level), b.Upper))
}

// Describe returns the band as a table; see Head.
func (b *Band) Describe() *report.Table { return tables.OrError(b.Head(0, nil)) }

// String writes the band as text.
func (b *Band) String() string { return b.Describe().String() }

// Head returns the rows of the largest Cook's distances as a table, the largest first;
// rows = 0 means ten, a negative number all. Names and errors are those of Band.Head;
// rows with missing values count in d.RowNames(), too.
func (inf *Influence) Head(rows int, names []string) (*report.Table, error) {
	n := len(inf.CooksDistance)
	names, err := tables.RowNames(names, n)
	if err != nil {
		return nil, err
	}
	if rows == 0 {
		rows = format.HeadRows
	}
	if rows < 0 || rows > n {
		rows = n
	}
	order := largestOf(rows, inf.CooksDistance)
	number := func(name string, values []float64, digits int) report.Column {
		return tables.Number(name, order, digits, func(i int) float64 { return values[i] })
	}
	t := &report.Table{Title: "Rows of the largest Cook's distances", Columns: []report.Column{
		{Name: "row", Cells: format.Each(order, func(i int) string { return names[i] }), Align: report.AlignRight},
		number("residual", inf.Residuals, 0),
		number("leverage", inf.Leverage, 3),
		number("standardized", inf.Standardized, 3),
		number("studentised", inf.Studentized, 3),
		number("Cook's distance", inf.CooksDistance, 3),
		number("DFFITS", inf.DFFITS, 3),
		number("cov. ratio", inf.CovRatio, 3),
	}}
	if rows < n {
		t.Notes = []string{fmt.Sprintf("... %d more rows", n-rows)}
	}
	return t, nil
}

// Describe returns the rows of most influence as a table; see Head.
func (inf *Influence) Describe() *report.Table { return tables.OrError(inf.Head(0, nil)) }

// String writes the rows of most influence as text.
func (inf *Influence) String() string { return inf.Describe().String() }

// Describe returns the test as a table that is written in a line:
// "F(2, 58) = 4.06, p = 0.0224".
func (t FTest) Describe() *report.Table {
	line := Chi2Test{Stat: t.Stat * t.DF1, DF: t.DF1, P: t.P}.Describe().Line
	if !math.IsInf(t.DF2, 1) {
		line = fmt.Sprintf("F(%s, %s) = %s, %s", format.Number(t.DF1, 6), format.Number(t.DF2, 6), format.Number(t.Stat, format.Digits), format.PEquals(t.P))
	}
	return tables.Line(line, tables.One("F", t.Stat), tables.One("df1", t.DF1), tables.One("df2", t.DF2), report.PColumn("p", []float64{t.P}))
}

// String writes the test in a line.
func (t FTest) String() string { return t.Describe().String() }

// Describe returns the test as a table that is written in a line:
// "t(58) = 2.06, two-sided p = 0.0437".
func (t TTest) Describe() *report.Table {
	name := "t(" + format.Number(t.DF, 6) + ")"
	if math.IsInf(t.DF, 1) {
		name = "z"
	}
	line := fmt.Sprintf("%s = %s, two-sided %s", name, format.Number(t.Stat, format.Digits), format.PEquals(t.P))
	return tables.Line(line, tables.One("t", t.Stat), tables.One("df", t.DF), report.PColumn("p", []float64{t.P}), report.PColumn("p (above)", []float64{t.PUpper}), report.PColumn("p (below)", []float64{t.PLower}))
}

// String writes the test in a line.
func (t TTest) String() string { return t.Describe().String() }

// Describe returns the test as a table that is written in a line:
// "χ²(2) = 8.12, p = 0.0172".
func (t Chi2Test) Describe() *report.Table {
	line := fmt.Sprintf("χ²(%s) = %s, %s", format.Number(t.DF, 6), format.Number(t.Stat, format.Digits), format.PEquals(t.P))
	table := tables.Line(line, tables.One("χ²", t.Stat), tables.One("df", t.DF), report.PColumn("p", []float64{t.P}))
	if t.Note != "" {
		table.Line, table.Notes = line+"; "+t.Note, []string{t.Note}
	}
	return table
}

// String writes the test in a line.
func (t Chi2Test) String() string { return t.Describe().String() }

// Describe returns the test as a table that is written in a line.
func (t NormalityTest) Describe() *report.Table {
	line := fmt.Sprintf("Jarque-Bera χ²(2) = %s, %s (skewness %s, kurtosis %s)",
		format.Number(t.Stat, format.Digits), format.PEquals(t.P), format.Number(t.Skewness, 3), format.Number(t.Kurtosis, 3))
	return tables.Line(line, tables.One("χ²", t.Stat), report.PColumn("p", []float64{t.P}), tables.One("skewness", t.Skewness), tables.One("kurtosis", t.Kurtosis))
}

// String writes the test in a line.
func (t NormalityTest) String() string { return t.Describe().String() }

// Describe returns the test as a table that is written in a line:
// "Durbin-Watson 1.42, two-sided p = 0.0312".
func (t DurbinWatsonTest) Describe() *report.Table {
	line := "Durbin-Watson " + format.Number(t.Stat, format.Digits) + ", two-sided " + format.PEquals(t.TwoSided)
	p := func(name string, v float64) report.Column { return report.PColumn(name, []float64{v}) }
	return tables.Line(line, tables.One("Durbin-Watson", t.Stat), p("p", t.TwoSided), p("p (positive correlation)", t.Positive), p("p (negative correlation)", t.Negative))
}

// String writes the test in a line.
func (t DurbinWatsonTest) String() string { return t.Describe().String() }
