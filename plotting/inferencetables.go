package plotting

import (
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// AnovaTable returns an analysis of variance as a table: the lines of
// mlreg.OLS.Anova, of DropTerms or of their kin. What does not apply to a line is empty. The
// error is mlreg.ErrNoData if there is no line.
func AnovaTable(rows []mlreg.AnovaRow) (*Table, error) {
	if len(rows) == 0 {
		return nil, check.Nothing("analysis of variance", "there are no lines")
	}
	return NewTable("Analysis of variance",
		TextColumn("term", cells(rows, func(r mlreg.AnovaRow) string { return r.Term })...),
		NumberColumn("df", cells(rows, func(r mlreg.AnovaRow) float64 { return r.DF }), 6),
		NumberColumn("sum of squares", cells(rows, func(r mlreg.AnovaRow) float64 { return r.SumSq }), defaultDigits+1),
		blankNA(NumberColumn("mean square", cells(rows, func(r mlreg.AnovaRow) float64 { return r.MeanSq }), defaultDigits+1)),
		blankNA(NumberColumn("F", cells(rows, func(r mlreg.AnovaRow) float64 { return r.F }), defaultDigits)),
		blankNA(PColumn("p", cells(rows, func(r mlreg.AnovaRow) float64 { return r.P }))))
}

// vifTable is the table of variance inflation factors.
func vifTable(rows []mlreg.VIFRow) (*Table, error) {
	if len(rows) == 0 {
		return nil, check.Nothing("variance inflation factors", "there are no lines")
	}
	number := func(name string, of func(mlreg.VIFRow) float64) Column {
		return NumberColumn(name, cells(rows, of), defaultDigits)
	}
	return NewTable("Variance inflation factors",
		TextColumn("term", cells(rows, func(r mlreg.VIFRow) string { return r.Term })...),
		number("df", func(r mlreg.VIFRow) float64 { return r.DF }),
		number("VIF", func(r mlreg.VIFRow) float64 { return r.VIF }),
		number("VIF^(1/(2 df))", func(r mlreg.VIFRow) float64 { return r.PerDF }))
}

// NestedTable returns a comparison of nested fits, of mlreg.CompareNested, as a
// table. The error is mlreg.ErrNoData if there is none.
func NestedTable(rows []mlreg.NestedRow) (*Table, error) {
	if len(rows) == 0 {
		return nil, check.Nothing("comparison of nested fits", "there are none")
	}
	return NewTable("Comparison of nested fits",
		TextColumn("terms", cells(rows, func(r mlreg.NestedRow) string { return r.Terms })...),
		NumberColumn("residual df", cells(rows, func(r mlreg.NestedRow) float64 { return r.DoFResidual }), 6),
		NumberColumn("RSS", cells(rows, func(r mlreg.NestedRow) float64 { return r.RSS }), defaultDigits+1),
		blankNA(NumberColumn("df", cells(rows, func(r mlreg.NestedRow) float64 { return r.DF }), 6)),
		blankNA(NumberColumn("sum of squares", cells(rows, func(r mlreg.NestedRow) float64 { return r.SumSq }), defaultDigits+1)),
		blankNA(NumberColumn("F", cells(rows, func(r mlreg.NestedRow) float64 { return r.F }), defaultDigits)),
		blankNA(PColumn("p", cells(rows, func(r mlreg.NestedRow) float64 { return r.P }))))
}

// CoefRows returns coefficients or contrasts as a table, at the level they were
// made for. The error is mlreg.ErrNoData if there are none.
func CoefRows(rows []mlreg.CoefRow, level float64) (*Table, error) {
	if len(rows) == 0 {
		return nil, check.Nothing("table of coefficients", "there are none")
	}
	percent := Number(100*level, 6) + "%"
	number := func(name string, of func(mlreg.CoefRow) float64) Column {
		return NumberColumn(name, cells(rows, of), defaultDigits)
	}
	return NewTable("",
		TextColumn("term", cells(rows, func(r mlreg.CoefRow) string { return r.Term })...),
		number("estimate", func(r mlreg.CoefRow) float64 { return r.Estimate }),
		number("std. error", func(r mlreg.CoefRow) float64 { return r.StdErr }),
		NumberColumn("statistic", cells(rows, func(r mlreg.CoefRow) float64 { return r.Statistic }), 3),
		PColumn("p", cells(rows, func(r mlreg.CoefRow) float64 { return r.P })),
		number("lower "+percent, func(r mlreg.CoefRow) float64 { return r.Lower }),
		number("upper "+percent, func(r mlreg.CoefRow) float64 { return r.Upper }))
}

// BandTable returns the fitted values of rows with their limits as a table, R's
// predict with an interval; rows are as in Head, and their names and the errors as
// in InfluenceTable.
func BandTable(b *mlreg.Band, rows int, names []string) (*Table, error) {
	if b == nil {
		return nil, check.Nothing("band table", "the band is nil")
	}
	n := len(b.Fitted)
	names, err := rowNames("band table", names, n)
	if err != nil {
		return nil, err
	}
	show := headLength(rows, n)
	percent := Number(100*b.Level, 6) + "%"
	number := func(name string, values []float64) Column { return NumberColumn(name, values[:show], defaultDigits) }
	kind := b.Kind.String()
	t, err := NewTable(strings.ToUpper(kind[:1])+kind[1:],
		Column{Name: "row", Cells: names[:show], Align: AlignRight},
		number("fitted", b.Fitted), number("std. error", b.StdErr),
		number("lower "+percent, b.Lower), number("upper "+percent, b.Upper))
	if err == nil && show < n {
		t.Notes = []string{"... " + check.Plural(n-show, "more row")}
	}
	return t, err
}

// intervalTable returns confidence limits as a table.
func intervalTable(limits []mlreg.Interval) (*Table, error) {
	return NewTable("Confidence limits",
		TextColumn("term", cells(limits, func(l mlreg.Interval) string { return l.Term })...),
		NumberColumn("lower", cells(limits, func(l mlreg.Interval) float64 { return l.Lower }), defaultDigits+1),
		NumberColumn("upper", cells(limits, func(l mlreg.Interval) float64 { return l.Upper }), defaultDigits+1))
}

// InfluenceTable returns the rows of the largest Cook's distances as a table, the
// largest first, with what mlreg.Influence has of each; rows = 0 means ten, a
// negative number all. The names of the rows are their numbers from 1 if nil;
// d.RowNames() gives those in the frame, in which rows with missing values
// count, too. The error is mlreg.ErrNoData without diagnostics, and mlreg.ErrShape
// for a wrong number of names.
func InfluenceTable(inf *mlreg.Influence, rows int, names []string) (*Table, error) {
	if inf == nil {
		return nil, check.Nothing("influence table", "the diagnostics are nil")
	}
	n := len(inf.CooksDistance)
	names, err := rowNames("influence table", names, n)
	if err != nil {
		return nil, err
	}
	if rows == 0 {
		rows = headRows
	}
	if rows < 0 || rows > n {
		rows = n
	}
	order := largest(rows, inf.CooksDistance)
	number := func(name string, values []float64, digits int) Column {
		return NumberColumn(name, cells(order, func(i int) float64 { return values[i] }), digits)
	}
	t, err := NewTable("Rows of the largest Cook's distances",
		Column{Name: "row", Cells: cells(order, func(i int) string { return names[i] }), Align: AlignRight},
		number("residual", inf.Residuals, defaultDigits),
		number("leverage", inf.Leverage, 3),
		number("standardised", inf.Standardized, 3),
		number("studentised", inf.Studentized, 3),
		number("Cook's distance", inf.CooksDistance, 3),
		number("DFFITS", inf.DFFITS, 3),
		number("cov. ratio", inf.CovRatio, 3))
	if err != nil {
		return nil, err
	}
	if rows < n {
		t.Notes = []string{fmt.Sprintf("... %d more rows", n-rows)}
	}
	return t, nil
}

// cells returns f of every row.
func cells[R, C any](rows []R, f func(R) C) []C {
	c := make([]C, len(rows))
	for i, r := range rows {
		c[i] = f(r)
	}
	return c
}

// blankNA returns the column with nothing in the cells that do not apply.
func blankNA(c Column) Column {
	for i, s := range c.Cells {
		if s == "NA" {
			c.Cells[i] = ""
		}
	}
	return c
}

// testText writes the result of a test on a line: "F(2, 58) = 4.06, p = 0.0224".
func testText(test any) string {
	switch t := test.(type) {
	case mlreg.FTest:
		if math.IsInf(t.DF2, 1) {
			return testText(mlreg.Chi2Test{Stat: t.Stat * t.DF1, DF: t.DF1, P: t.P})
		}
		return fmt.Sprintf("F(%s, %s) = %s, %s", Number(t.DF1, 6), Number(t.DF2, 6), Number(t.Stat, defaultDigits), pEquals(t.P))
	case mlreg.TTest:
		name := "t(" + Number(t.DF, 6) + ")"
		if math.IsInf(t.DF, 1) {
			name = "z"
		}
		return fmt.Sprintf("%s = %s, two-sided %s", name, Number(t.Stat, defaultDigits), pEquals(t.P))
	case mlreg.Chi2Test:
		return fmt.Sprintf("χ²(%s) = %s, %s", Number(t.DF, 6), Number(t.Stat, defaultDigits), pEquals(t.P))
	case mlreg.NormalityTest:
		return fmt.Sprintf("Jarque-Bera χ²(2) = %s, %s (skewness %s, kurtosis %s)",
			Number(t.Stat, defaultDigits), pEquals(t.P), Number(t.Skewness, 3), Number(t.Kurtosis, 3))
	}
	return fmt.Sprint(test)
}
