package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
)

// probOf is a column of probabilities to four decimals.
func probOf(name string, p []float64) Column { return DecimalColumn(name, p, 4) }

// marks is a column with a mark for the terms that are in.
func marks(name string, terms []string, in func(term string) bool) Column {
	return textOf(name, terms, func(term string) string {
		if in(term) {
			return "•"
		}
		return ""
	})
}

// describeModels returns the table of a posterior over models, with columns and notes
// of its own.
func describeModels(response string, terms []string, inclusion []float64, best RankedModel, median []string, columns []Column) *Table {
	return &Table{
		Title: of("Posterior over models", response),
		Columns: slices.Concat([]Column{TextColumn("term", terms...), probOf("p(in)", inclusion)}, columns,
			[]Column{marks("MAP", terms, isIn(best.Terms)), marks("median", terms, isIn(median))}),
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
func (e *Enumeration) Describe() *Table {
	terms := e.Terms()
	var columns []Column
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
		fmt.Sprintf("log p(y) = %s, scores certified to %s", format.Decimal(e.LogNormalizer(), 4), coarseBound(e.ScoreError())),
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
func (m *ModelSample) Describe() *Table {
	best := m.Best()[0]
	columns := []Column{probOf("MC error", m.InclusionErr())}
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
func averageColumns(f *ModelAverage, terms []string) []Column {
	names := f.Names()
	of := func(values []float64) []float64 {
		return cellsOf(terms, func(term string) float64 {
			if j := slices.Index(names, term); j >= 0 {
				return values[j]
			}
			return math.NaN() // a group of columns
		})
	}
	return []Column{NumberColumn("mean", of(f.Coef()), 0), NumberColumn("s.d.", of(f.StdErr()), 0)}
}

// Describe returns means and standard deviations of the coefficients over all models
// as a table.
func (f *ModelAverage) Describe() *Table {
	return &Table{
		Title:   of("Model average", f.Response()),
		Columns: append([]Column{TextColumn("term", f.Names()...)}, averageColumns(f, f.Names())...),
		Notes: inScaledUnits([]string{
			fmt.Sprintf("n = %d, σ = %s (mean of σ² over models)", f.NObs(), format.Number(math.Sqrt(f.Sigma2()), format.Digits)),
		}, f.Scaling()),
	}
}

// String writes the table of the average as text.
func (f *ModelAverage) String() string { return f.Describe().String() }

// Describe returns the models as a table: terms, probability, the sum of the
// probabilities so far, and log p(y|model).
func (m RankedModels) Describe() *Table {
	sum := cellsOf(m, func(m RankedModel) float64 { return m.PostProb })
	for i := 1; i < len(sum); i++ {
		sum[i] += sum[i-1]
	}
	return rowsTable("The most probable models",
		intOf("", numbersTo(len(m)), func(i int) int { return i + 1 }),
		textOf("terms", m, func(m RankedModel) string { return "{" + strings.Join(m.Terms, " ") + "}" }),
		intOf("size", m, func(m RankedModel) int { return len(m.Terms) }),
		decimalOf("p(γ|y)", m, 4, func(m RankedModel) float64 { return m.PostProb }),
		probOf("cumulated", sum),
		decimalOf("log p(y|γ)", m, 3, func(m RankedModel) float64 { return m.LogMarginal }))
}

// Describe returns the probabilities as a table.
func (s TermSets) Describe() *Table {
	t := rowsTable("Sets of terms",
		textOf("terms", s, func(s TermSet) string { return format.Set(s.Terms) }),
		probOf("p(any in)", cellsOf(s, func(s TermSet) float64 { return s.Any })),
		probOf("p(all in)", cellsOf(s, func(s TermSet) float64 { return s.All })))
	if slices.ContainsFunc(s, func(s TermSet) bool { return s.AnyErr > 0 || s.AllErr > 0 }) {
		t.Columns = slices.Insert(t.Columns, 2, numberOf("MC error", s, 2, func(s TermSet) float64 { return s.AnyErr }))
		t.Columns = append(t.Columns, numberOf("MC error", s, 2, func(s TermSet) float64 { return s.AllErr }))
	}
	return t
}

// String writes the probabilities as text.
func (s TermSets) String() string { return s.Describe().String() }

// Describe returns the probabilities as a table.
func (s TermSet) Describe() *Table { return TermSets{s}.Describe() }

// String writes the probabilities as text.
func (s TermSet) String() string { return s.Describe().String() }

// String writes the models as text.
func (m RankedModels) String() string { return m.Describe().String() }

// Describe returns the model as a table.
func (m RankedModel) Describe() *Table {
	t := RankedModels{m}.Describe()
	t.Title = "A model"
	t.Columns = slices.Concat(t.Columns[1:4], t.Columns[5:])
	return t
}

// String writes the model as text.
func (m RankedModel) String() string { return m.Describe().String() }

// Describe returns the posterior of the terms as a table.
func (r InclusionTable) Describe() *Table {
	marked := func(name string, in func(InclusionRow) bool) Column {
		return textOf(name, r, func(r InclusionRow) string {
			if in(r) {
				return "•"
			}
			return ""
		})
	}
	return rowsTable("Inclusion of terms",
		textOf("term", r, func(r InclusionRow) string { return r.Term }),
		decimalOf("p(in)", r, 4, func(r InclusionRow) float64 { return r.PostProb }),
		blankNA(numberOf("mean", r, 0, func(r InclusionRow) float64 { return r.Mean })),
		blankNA(numberOf("s.d.", r, 0, func(r InclusionRow) float64 { return r.SD })),
		marked("MAP", func(r InclusionRow) bool { return r.InMAP }),
		marked("median", func(r InclusionRow) bool { return r.InMedian }))
}

// String writes the posterior of the terms as text.
func (r InclusionTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r InclusionRow) Describe() *Table { return InclusionTable{r}.Describe() }

// String writes the line as text.
func (r InclusionRow) String() string { return r.Describe().String() }
