package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// probOf is a column of probabilities to four decimals.
func probOf(name string, p []float64) report.Column { return report.DecimalColumn(name, p, 4) }

// marks is a column with a mark for the terms that are in.
func marks(name string, terms []string, in func(term string) bool) report.Column {
	return tables.Text(name, terms, func(term string) string {
		if in(term) {
			return "•"
		}
		return ""
	})
}

// describeModels returns the table of a posterior over models, with columns and notes
// of its own.
func describeModels(response string, terms []string, inclusion []float64, best RankedModel, median []string, columns []report.Column) *report.Table {
	return &report.Table{
		Title: tables.Of("Posterior over models", response),
		Columns: slices.Concat([]report.Column{report.TextColumn("term", terms...), probOf("p(in)", inclusion)}, columns,
			[]report.Column{marks("MAP", terms, isIn(best.Terms)), marks("median", terms, isIn(median))}),
	}
}

// otherTerms tells of the terms that are no candidates, and of groups that were not
// taken as one.
func otherTerms(always, aliased, split []string) (notes []string) {
	if len(always) > 0 {
		notes = append(notes, "in every model: "+strings.Join(always, ", "))
	}
	if len(aliased) > 0 {
		notes = append(notes, "combinations of other candidates: "+strings.Join(aliased, ", "))
	}
	if len(split) > 0 {
		notes = append(notes, "columns chosen one by one, not as a term (Groups): "+strings.Join(split, ", "))
	}
	return notes
}

// Describe returns the posterior over models as a table with a row for each
// candidate: its probability, the mean and standard deviation of its coefficient over
// all models if they were summed, and whether it is in the most probable model (MAP)
// and in the median model. Below stand how many models were summed, and how well; the
// log marginal likelihood; the two models.
func (e *Enumeration) Describe() *report.Table {
	terms := e.Terms()
	var columns []report.Column
	if average, err := e.ModelAverage(); err == nil {
		columns = averageColumns(average, terms)
	}
	t := describeModels(e.Response(), terms, e.InclusionProb(), e.MAPModel(), e.MedianModel().Terms, columns)
	count := format.Grouped(e.Models()) + " models summed"
	all := fmt.Sprintf("2^%d", len(terms))
	if total := e.total(); total != math.Ldexp(1, len(terms)) {
		all = format.Grouped(total) + " that heredity allows"
	}
	if e.Exact() {
		count += ", all of " + all
	} else {
		count += " of " + all + ": stopped; probabilities are among these"
	}
	t.Notes = append([]string{
		count,
		fmt.Sprintf("log p(y) = %s, scores certified to %s", format.Decimal(e.LogNormalizer(), 4), format.CoarseBound(e.ScoreError())),
		"most probable {" + modelText(e.MAPModel()),
		"median model {" + modelText(e.MedianModel()),
	}, otherTerms(e.Always(), e.Aliased(), e.s.Split)...)
	return t
}

// String writes the table of the posterior as text.
func (e *Enumeration) String() string { return e.Describe().String() }

// Describe returns the posterior over models as a table with a row for each candidate:
// its probability with the Monte Carlo error, the mean and standard deviation of its
// coefficient if they were averaged, and whether it is in the best model that was
// visited (MAP) and in the median model.
func (m *ModelSample) Describe() *report.Table {
	best := m.Best()[0]
	columns := []report.Column{probOf("MC error", m.InclusionErr())}
	if m.s.Average != nil {
		columns = append(columns, averageColumns(m.s.Average, m.Terms())...)
	}
	t := describeModels(m.Response(), m.Terms(), m.InclusionProb(), best, m.MedianModel(), columns)
	t.Notes = append([]string{
		fmt.Sprintf("sampled: %s, %s in all, %s visited", format.Plural(m.Chains(), "chain"), format.Plural(m.Sweeps(), "sweep"), format.Plural(m.Visited(), "model")),
		fmt.Sprintf("most probable visited {%s, exact score %s", modelText(best), format.Decimal(best.LogScore, 4)),
		fmt.Sprintf("median model {%s}", strings.Join(m.MedianModel(), " ")),
	}, otherTerms(m.Always(), m.Aliased(), m.s.Split)...)
	return t
}

// String writes the table of the posterior as text.
func (m *ModelSample) String() string { return m.Describe().String() }

// modelText writes the terms and the probability: "x1 x2}, probability 0.31".
func modelText(m RankedModel) string {
	return strings.Join(m.Terms, " ") + "}, probability " + format.Decimal(m.PostProb, 4)
}

// averageColumns returns the means and standard deviations of the terms.
func averageColumns(f *ModelAverage, terms []string) []report.Column {
	names := f.Names()
	of := func(values []float64) []float64 {
		return format.Each(terms, func(term string) float64 {
			if j := slices.Index(names, term); j >= 0 {
				return values[j]
			}
			return math.NaN() // a group of columns
		})
	}
	return []report.Column{report.NumberColumn("mean", of(f.Coef()), 0), report.NumberColumn("s.d.", of(f.StdErr()), 0)}
}

// Describe returns means and standard deviations of the coefficients over all models
// as a table.
func (f *ModelAverage) Describe() *report.Table {
	return &report.Table{
		Title:   tables.Of("Model average", f.Response()),
		Columns: append([]report.Column{report.TextColumn("term", f.Names()...)}, averageColumns(f, f.Names())...),
		Notes: inScaledUnits([]string{
			fmt.Sprintf("n = %d, σ = %s (mean of σ² over models)", f.NObs(), format.Number(math.Sqrt(f.Sigma2()), format.Digits)),
		}, f.Scaling()),
	}
}

// String writes the table of the average as text.
func (f *ModelAverage) String() string { return f.Describe().String() }

// Describe returns the models as a table: terms, probability, the sum of the
// probabilities so far, and log p(y|model).
func (m RankedModels) Describe() *report.Table {
	sum := format.Each(m, func(m RankedModel) float64 { return m.PostProb })
	for i := 1; i < len(sum); i++ {
		sum[i] += sum[i-1]
	}
	return tables.Rows("The most probable models",
		tables.Int("", numbersTo(len(m)), func(i int) int { return i + 1 }),
		tables.Text("terms", m, func(m RankedModel) string { return "{" + strings.Join(m.Terms, " ") + "}" }),
		tables.Int("size", m, func(m RankedModel) int { return len(m.Terms) }),
		tables.Decimal("p(γ|y)", m, 4, func(m RankedModel) float64 { return m.PostProb }),
		probOf("cumulated", sum),
		tables.Decimal("log p(y|γ)", m, 3, func(m RankedModel) float64 { return m.LogMarginal }))
}

// Describe returns the probabilities as a table.
func (s TermSets) Describe() *report.Table {
	t := tables.Rows("Sets of terms",
		tables.Text("terms", s, func(s TermSet) string { return format.Set(s.Terms) }),
		probOf("p(any in)", format.Each(s, func(s TermSet) float64 { return s.Any })),
		probOf("p(all in)", format.Each(s, func(s TermSet) float64 { return s.All })))
	if slices.ContainsFunc(s, func(s TermSet) bool { return s.AnyErr > 0 || s.AllErr > 0 }) {
		t.Columns = slices.Insert(t.Columns, 2, tables.Number("MC error", s, 2, func(s TermSet) float64 { return s.AnyErr }))
		t.Columns = append(t.Columns, tables.Number("MC error", s, 2, func(s TermSet) float64 { return s.AllErr }))
	}
	return t
}

// String writes the probabilities as text.
func (s TermSets) String() string { return s.Describe().String() }

// Describe returns the probabilities as a table.
func (s TermSet) Describe() *report.Table { return TermSets{s}.Describe() }

// String writes the probabilities as text.
func (s TermSet) String() string { return s.Describe().String() }

// String writes the models as text.
func (m RankedModels) String() string { return m.Describe().String() }

// Describe returns the model as a table.
func (m RankedModel) Describe() *report.Table {
	t := RankedModels{m}.Describe()
	t.Title = "A model"
	t.Columns = slices.Concat(t.Columns[1:4], t.Columns[5:])
	return t
}

// String writes the model as text.
func (m RankedModel) String() string { return m.Describe().String() }

// Describe returns the posterior of the terms as a table.
func (r InclusionTable) Describe() *report.Table {
	marked := func(name string, in func(InclusionRow) bool) report.Column {
		return tables.Text(name, r, func(r InclusionRow) string {
			if in(r) {
				return "•"
			}
			return ""
		})
	}
	return tables.Rows("Inclusion of terms",
		tables.Text("term", r, func(r InclusionRow) string { return r.Term }),
		tables.Decimal("p(in)", r, 4, func(r InclusionRow) float64 { return r.PostProb }),
		tables.Blank(tables.Number("mean", r, 0, func(r InclusionRow) float64 { return r.Mean })),
		tables.Blank(tables.Number("s.d.", r, 0, func(r InclusionRow) float64 { return r.SD })),
		marked("MAP", func(r InclusionRow) bool { return r.InMAP }),
		marked("median", func(r InclusionRow) bool { return r.InMedian }))
}

// String writes the posterior of the terms as text.
func (r InclusionTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r InclusionRow) Describe() *report.Table { return InclusionTable{r}.Describe() }

// String writes the line as text.
func (r InclusionRow) String() string { return r.Describe().String() }
