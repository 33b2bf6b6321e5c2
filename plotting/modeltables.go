package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// ModelsTable returns a posterior over models as a table with a row for each
// candidate: its probability, with the Monte Carlo error if it was sampled, the
// mean and standard deviation of its coefficient over all models if they were
// summed, and whether it is in the most probable model (MAP) and in the median
// model. Below stand how many models were summed, and how well; the log
// marginal likelihood; the two models. Show displays an *mlreg.Enumeration and
// an *mlreg.ModelSample so. The error is mlreg.ErrNoData if there is none.
func ModelsTable(m Models) (*Table, error) {
	if check.IsNil(m) || len(m.Best()) == 0 {
		return nil, check.Nothing("models table", "there is no posterior")
	}
	terms := m.Terms()
	t := &Table{Title: "Posterior over models", Columns: []Column{TextColumn("term", terms...), probColumn("p(in)", m.InclusionProb())}}
	if m.Response() != "" {
		t.Title += " of " + m.Response()
	}
	median := medianTerms(m)
	switch m := m.(type) {
	case *mlreg.Enumeration:
		if average, err := m.ModelAverage(); err == nil {
			t.Columns = append(t.Columns, averageColumns(average, terms)...)
		}
		t.Notes = enumerationFacts(m)
	case *mlreg.ModelSample:
		t.Columns = append(t.Columns, probColumn("MC error", m.InclusionErr()))
		t.Notes = append(t.Notes,
			fmt.Sprintf("sampled: %s, %s in all, %s visited", check.Plural(m.Chains(), "chain"), check.Plural(m.Sweeps(), "sweep"), check.Plural(m.Visited(), "model")),
			fmt.Sprintf("most probable visited {%s, exact score %s", modelText(m.Best()[0]), format.Decimal(m.Best()[0].LogScore, 4)),
			fmt.Sprintf("median model {%s}", strings.Join(median, " ")))
	}
	t.Columns = append(t.Columns, marks("MAP", terms, m.Best()[0].Terms), marks("median", terms, median))
	if a, ok := m.(interface{ Always() []string }); ok && len(a.Always()) > 0 {
		t.Notes = append(t.Notes, "in every model: "+strings.Join(a.Always(), ", "))
	}
	if a, ok := m.(interface{ Aliased() []string }); ok && len(a.Aliased()) > 0 {
		t.Notes = append(t.Notes, "combinations of other candidates: "+strings.Join(a.Aliased(), ", "))
	}
	return t, t.Check()
}

// enumerationFacts returns the lines below a table of an enumeration.
func enumerationFacts(e *mlreg.Enumeration) []string {
	count := format.Grouped(e.Models()) + " models summed"
	if e.Exact() {
		count += fmt.Sprintf(", all of 2^%d", len(e.Terms()))
	} else {
		count += fmt.Sprintf(" of 2^%d: stopped; probabilities are among these", len(e.Terms()))
	}
	certificate := fmt.Sprintf("log p(y) = %s, scores certified to %s", format.Decimal(e.LogNormalizer(), 4), coarseBound(e.ScoreError()))
	return []string{
		count, certificate,
		"most probable {" + modelText(e.MAPModel()),
		"median model {" + modelText(e.MedianModel()),
	}
}

// modelText writes the terms and the probability: "x1 x2}, probability 0.31".
func modelText(m mlreg.RankedModel) string {
	return strings.Join(m.Terms, " ") + "}, probability " + format.Decimal(m.PostProb, 4)
}

// coarseBound returns one of 1e-12, 1e-9, ... that is not below x: rounding
// errors differ between processors.
func coarseBound(x float64) string {
	if !(x < 1) {
		return Number(x, 1)
	}
	return fmt.Sprintf("1e%d", 3*int(math.Ceil(math.Log10(math.Max(x, 1e-12))/3)))
}

// probColumn is a column of probabilities to four decimals.
func probColumn(name string, p []float64) Column {
	return Column{Name: name, Cells: cells(p, func(v float64) string { return format.Decimal(v, 4) }), Align: AlignDecimal}
}

// averageColumns returns the means and standard deviations of the terms.
func averageColumns(f *mlreg.ModelAverage, terms []string) []Column {
	names, coef, sd := f.Names(), f.Coef(), f.StdErr()
	of := func(values []float64) []float64 {
		return cells(terms, func(term string) float64 { return values[slices.Index(names, term)] })
	}
	return []Column{NumberColumn("mean", of(coef), defaultDigits), NumberColumn("s.d.", of(sd), defaultDigits)}
}

// marks is a column with a mark for the terms that are in.
func marks(name string, terms, in []string) Column {
	return TextColumn(name, cells(terms, func(term string) string {
		if slices.Contains(in, term) {
			return "•"
		}
		return ""
	})...)
}

// BestModels returns the most probable models as a table: a row for each of at
// most so many models (0 is all that the posterior has), with its terms, its
// probability, the sum of the probabilities so far, and log p(y|model). The
// errors are those of ModelsTable, and mlreg.ErrSetting for a negative
// number.
func BestModels(m Models, most int) (*Table, error) {
	if check.IsNil(m) || len(m.Best()) == 0 {
		return nil, check.Nothing("best models", "there is no posterior")
	}
	if most < 0 {
		return nil, fmt.Errorf("plotting: best models: %w: %d models", mlreg.ErrSetting, most)
	}
	best := m.Best()
	if most > 0 {
		best = best[:min(most, len(best))]
	}
	rank, sum := make([]int, len(best)), make([]float64, len(best))
	for i, b := range best {
		rank[i], sum[i] = i+1, b.PostProb
		if i > 0 {
			sum[i] += sum[i-1]
		}
	}
	return NewTable("The most probable models",
		IntColumn("", rank...),
		TextColumn("terms", cells(best, func(b mlreg.RankedModel) string { return "{" + strings.Join(b.Terms, " ") + "}" })...),
		IntColumn("size", cells(best, func(b mlreg.RankedModel) int { return len(b.Terms) })...),
		probColumn("p(γ|y)", cells(best, func(b mlreg.RankedModel) float64 { return b.PostProb })),
		probColumn("cumulated", sum),
		Column{Name: "log p(y|γ)", Cells: cells(best, func(b mlreg.RankedModel) string { return format.Decimal(b.LogMarginal, 3) }), Align: AlignDecimal})
}

// averageTable is the table of a model average.
func averageTable(f *mlreg.ModelAverage) *Table {
	t := &Table{Title: "Model average"}
	if f.Response() != "" {
		t.Title += " of " + f.Response()
	}
	t.Columns = append([]Column{TextColumn("term", f.Names()...)}, averageColumns(f, f.Names())...)
	t.Notes = []string{fmt.Sprintf("n = %d, σ = %s (mean of σ² over models)", f.NObs(), Number(math.Sqrt(f.Sigma2()), defaultDigits))}
	if f.Scaling() != nil {
		t.Notes = append(t.Notes, "coefficients are in units of the scaled predictors")
	}
	return t
}
