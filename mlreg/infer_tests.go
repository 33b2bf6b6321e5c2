package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// FTest is a test statistic with its degrees of freedom and the probability P
// of a larger one under the null hypothesis.
type FTest struct {
	Stat, DF1, DF2, P float64
}

// TTest is a statistic that is Student's t with DF degrees of freedom under the
// hypothesis tested; infinite DF is the normal, z. P is the probability of a
// larger absolute value, PUpper of a larger and PLower of a smaller value.
type TTest struct {
	Stat, DF, P, PUpper, PLower float64
}

// Describe returns the test as a table that is written in a line:
// "F(2, 58) = 4.06, p = 0.0224".
func (t FTest) Describe() *report.Table {
	line := Chi2Test{Stat: t.Stat * t.DF1, DF: t.DF1, P: t.P}.Describe().Line
	if !math.IsInf(t.DF2, 1) {
		line = fmt.Sprintf("F(%s, %s) = %s, %s", format.Number(t.DF1, 6), format.Number(t.DF2, 6), format.Number(t.Stat, format.Digits), format.PEquals(t.P))
	}
	return tables.Line(line, tables.One("F", t.Stat), tables.One("df1", t.DF1), tables.One("df2", t.DF2), report.PColumn(format.P, []float64{t.P}))
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
	return tables.Line(line, tables.One("t", t.Stat), tables.One(format.DF, t.DF), report.PColumn(format.P, []float64{t.P}), report.PColumn("p (above)", []float64{t.PUpper}), report.PColumn("p (below)", []float64{t.PLower}))
}

// String writes the test in a line.
func (t TTest) String() string { return t.Describe().String() }

// Chi2Test is a statistic that is chi-squared with DF degrees of freedom under
// the hypothesis tested, and the probability P of a larger one.
type Chi2Test struct {
	Stat, DF, P float64
	Note        string // what to see to before P counts, "" if nothing; see LikelihoodRatioTest
}

// Describe returns the test as a table that is written in a line:
// "χ²(2) = 8.12, p = 0.0172".
func (t Chi2Test) Describe() *report.Table {
	line := fmt.Sprintf("χ²(%s) = %s, %s", format.Number(t.DF, 6), format.Number(t.Stat, format.Digits), format.PEquals(t.P))
	table := tables.Line(line, tables.One("χ²", t.Stat), tables.One(format.DF, t.DF), report.PColumn(format.P, []float64{t.P}))
	if t.Note != "" {
		table.Line, table.Notes = line+"; "+t.Note, []string{t.Note}
	}
	return table
}

// String writes the test in a line.
func (t Chi2Test) String() string { return t.Describe().String() }
