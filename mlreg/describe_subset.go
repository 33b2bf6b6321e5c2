package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Describe returns the models as a table: their terms and the numbers that compare
// them.
func (m SubsetModels) Describe() *report.Table {
	return tables.Rows("",
		tables.Int("size", m, SubsetModel.Size),
		tables.Number("RSS", m, format.Digits+1, func(m SubsetModel) float64 { return m.RSS }),
		tables.Decimal("R²", m, 4, func(m SubsetModel) float64 { return m.R2 }),
		tables.Decimal("adj. R²", m, 4, func(m SubsetModel) float64 { return m.AdjR2 }),
		tables.Decimal("Cp", m, 2, func(m SubsetModel) float64 { return m.Cp }),
		tables.Decimal("AIC", m, 2, func(m SubsetModel) float64 { return m.AIC }),
		tables.Decimal("BIC", m, 2, func(m SubsetModel) float64 { return m.BIC }),
		tables.Text("terms", m, func(m SubsetModel) string {
			if m.Groups != nil {
				return format.Set(m.Groups)
			}
			return format.Set(m.Terms)
		}))
}

// String writes the models as text.
func (m SubsetModels) String() string { return m.Describe().String() }

// Describe returns the model as a table.
func (m SubsetModel) Describe() *report.Table { return SubsetModels{m}.Describe() }

// String writes the model as text.
func (m SubsetModel) String() string { return m.Describe().String() }

// Describe returns the best model of every size as a table, with how they were found.
func (f *Subsets) Describe() *report.Table {
	t := SubsetModels(f.Models()).Describe()
	t.Title = "Best subsets"
	if f.Response() != "" {
		t.Title += " for " + f.Response()
	}
	found := "proven to be the best"
	if !f.Proven() {
		found = "stopped: the best of those seen"
	}
	all := math.Ldexp(1, len(f.Terms()))
	if f.s.Total > 0 {
		all = f.s.Total
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%s; %s of %s models were looked at", found, format.Grouped(f.Visited()), format.Grouped(all)))
	t.Notes = append(t.Notes, otherTerms(nil, nil, f.s.Split)...)
	return t
}

// String writes the best models as text.
func (f *Subsets) String() string { return f.Describe().String() }

// describe returns the steps as a table, with their criterion.
func (s Steps) describe(c Criterion) *report.Table {
	columns := []report.Column{tables.Text("step", s, func(s Step) string {
		switch {
		case s.Change.Term == "":
			return "start"
		case s.Change.Drop:
			return "− " + s.Change.Term
		}
		return "+ " + s.Change.Term
	})}
	if c != ByRSS { // which has a column anyway
		name := "criterion" // of ByAdjR2 its negative
		if c != 0 && c != ByAdjR2 {
			name = c.String()
		}
		columns = append(columns, tables.Number(name, s, format.Digits+1, func(s Step) float64 { return s.Value }))
	}
	return tables.Rows("Steps of a selection", append(columns,
		tables.Number("RSS", s, format.Digits+1, func(s Step) float64 { return s.Model.RSS }),
		tables.Text("terms", s, func(s Step) string { return format.Set(s.Model.Terms) }))...)
}

// Describe returns the steps as a table.
func (s Steps) Describe() *report.Table { return s.describe(0) }

// String writes the steps as text.
func (s Steps) String() string { return s.Describe().String() }

// Describe returns the step as a table.
func (s Step) Describe() *report.Table { return Steps{s}.Describe() }

// String writes the step as text.
func (s Step) String() string { return s.Describe().String() }

// Describe returns the steps of the selection as a table, with why it stopped and what
// it selected.
func (f *Stepwise) Describe() *report.Table {
	t := Steps(f.Steps()).describe(f.Criterion())
	t.Title = fmt.Sprintf("Selection, %s, by %s", f.Direction(), f.Criterion())
	t.Notes = []string{fmt.Sprintf("%s; %s models were looked at", f.Stopped(), format.Grouped(f.Visited())), "selected " + format.Set(f.Final().Terms)}
	return t
}

// String writes the steps of the selection as text.
func (f *Stepwise) String() string { return f.Describe().String() }

// Describe returns the terms as a table, with the errors of the models that they made.
func (s GreedySteps) Describe() *report.Table {
	return tables.Rows("Terms chosen from a dictionary",
		tables.Text("term", s, func(s GreedyStep) string { return s.Term }),
		tables.Number("training error", s, 0, func(s GreedyStep) float64 { return s.TrainError }),
		tables.Blank(tables.Number("test error", s, 0, func(s GreedyStep) float64 { return s.TestError })))
}

// String writes the terms as text.
func (s GreedySteps) String() string { return s.Describe().String() }

// Describe returns the step as a table.
func (s GreedyStep) Describe() *report.Table { return GreedySteps{s}.Describe() }

// String writes the step as text.
func (s GreedyStep) String() string { return s.Describe().String() }

// Describe returns the terms chosen as a table, with why the selection stopped.
func (f *Greedy) Describe() *report.Table {
	t := GreedySteps(f.Steps()).Describe()
	t.Notes = []string{fmt.Sprintf("%s; %s models were compared", f.Stopped(), format.Grouped(f.Visited()))}
	if k := f.BestSize(); k < f.Size() {
		t.Notes = append(t.Notes, "least test error with "+format.Plural(k, "term"))
	}
	return t
}

// String writes the terms chosen as text.
func (f *Greedy) String() string { return f.Describe().String() }

// Describe returns a row for each fit, with the difference from the first if there are
// several.
func (r ErrorTable) Describe() *report.Table {
	columns := []report.Column{
		tables.Text("fit", r, func(r ErrorRow) string { return r.Name }),
		tables.Number("squared error", r, 0, func(r ErrorRow) float64 { return r.MSE }),
		tables.Number("std. error", r, 0, func(r ErrorRow) float64 { return r.StdErr }),
	}
	if len(r) > 1 {
		columns = append(columns,
			tables.Number("less "+r[0].Name, r, 0, func(r ErrorRow) float64 { return r.Difference }),
			tables.Number("std. error", r, 0, func(r ErrorRow) float64 { return r.DifferenceErr }))
	}
	return tables.Rows("Squared errors on the same rows", columns...)
}

// String writes the comparison as text.
func (r ErrorTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r ErrorRow) Describe() *report.Table { return ErrorTable{r}.Describe() }

// String writes the line as text.
func (r ErrorRow) String() string { return r.Describe().String() }

// Describe returns the terms as a table.
func (r FilterTable) Describe() *report.Table {
	return tables.Rows("Terms by what each explains alone",
		tables.Text("term", r, func(r FilterRow) string { return r.Term }),
		tables.Number("estimate", r, 0, func(r FilterRow) float64 { return r.Coef }),
		tables.Number("loss", r, 0, func(r FilterRow) float64 { return r.Loss }),
		tables.Number("R²", r, 0, func(r FilterRow) float64 { return r.R2 }),
		tables.Number("F", r, 0, func(r FilterRow) float64 { return r.F }),
		tables.P("p", r, func(r FilterRow) float64 { return r.P }))
}

// String writes the terms as text.
func (r FilterTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r FilterRow) Describe() *report.Table { return FilterTable{r}.Describe() }

// String writes the line as text.
func (r FilterRow) String() string { return r.Describe().String() }

// Describe returns the errors by the number of terms as a table, with the sizes that
// they select.
func (c *SizeCV) Describe() *report.Table {
	t := tables.Rows("Cross-validated error by number of terms",
		report.IntColumn("size", c.Sizes()...), report.NumberColumn("error", c.Mean(), 0), report.NumberColumn("std. error", c.StdErr(), 3))
	t.Notes = []string{fmt.Sprintf("least error with %s; within one standard error of it with %d", format.Plural(c.SizeMin(), "term"), c.SizeOneSE())}
	return t
}

// String writes the errors as text.
func (c *SizeCV) String() string { return c.Describe().String() }

// Describe returns the errors as a table: of bias and of variance, on the training rows
// and on new ones.
func (e ExpectedErrors) Describe() *report.Table {
	return tables.Rows("Expected error",
		tables.Int("parameters", e, func(e ExpectedError) int { return e.Rank }),
		tables.Number("bias²", e, 0, func(e ExpectedError) float64 { return e.Bias2 }),
		tables.Number("variance", e, 0, func(e ExpectedError) float64 { return e.Variance }),
		tables.Number("error", e, 0, func(e ExpectedError) float64 { return e.Error }),
		tables.Number("training", e, 0, func(e ExpectedError) float64 { return e.Training }),
		tables.Number("new", e, 0, func(e ExpectedError) float64 { return e.New }))
}

// String writes the errors as text.
func (e ExpectedErrors) String() string { return e.Describe().String() }

// Describe returns the error as a table.
func (e ExpectedError) Describe() *report.Table { return ExpectedErrors{e}.Describe() }

// String writes the error as text.
func (e ExpectedError) String() string { return e.Describe().String() }
