package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// DevianceRow is a line of an analysis of deviance: the part Deviance that DF degrees of
// freedom explain, and what is left, ResidualDeviance with ResidualDF. With the dispersion
// phi of the fit, P is the probability that chi-squared with DF degrees of freedom exceeds
// Deviance/phi, and PF that F with DF and InferenceDoF degrees of freedom exceeds
// F = Deviance/DF/phi. They are the same where phi is known. The first line of a table of
// fits in turn has nothing but the residual.
type DevianceRow struct {
	Term                         string
	DF, Deviance                 float64
	ResidualDF, ResidualDeviance float64
	P, F, PF                     float64
	Note                         string // what cannot be told of the fit and that before, "" if nothing; see CompareDeviances
}

// Anova returns the analysis of deviance of the terms in their order: by how much the
// deviance falls when each is added to those before it, tested by the dispersion of the
// fit. The columns of a factor are one term. R's anova(g, test = "Chisq") and "F". d has
// the rows that were fitted.
//
// Errors: those of FitGLM; ErrShape for other rows; ErrNotEstimable for a fit with a
// penalty; ErrSaturated if the dispersion cannot be estimated.
func (f *GLM) Anova(d *Design) (report.Rows[DevianceRow], error) {
	groups, err := f.termsOf(d)
	if err != nil {
		return nil, err
	}
	var names []string
	fits := make([]*GLM, 0, len(groups)+1)
	for k := range len(groups) + 1 {
		fit := f
		if k < len(groups) {
			if fit, err = f.refit(d, names); err != nil {
				return nil, err
			}
			names = append(names, groups[k].Terms...)
		}
		fits = append(fits, fit)
	}
	table := report.Rows[DevianceRow]{fits[0].alone("(none)")}
	for k, g := range groups {
		table = append(table, f.between(g.Name, fits[k], fits[k+1]))
	}
	return table, nil
}

// alone is the line of a fit that is compared with none.
func (f *GLM) alone(term string) DevianceRow {
	nan := math.NaN()
	return DevianceRow{Term: term, DF: nan, Deviance: nan, ResidualDF: f.DoFResidual(), ResidualDeviance: f.Deviance(), P: nan, F: nan, PF: nan}
}

// between is the line of a fit beside a smaller one, with the dispersion of f; there is no test of none.
func (f *GLM) between(term string, small, large *GLM) DevianceRow {
	r := large.alone(term)
	r.DF, r.Deviance = small.DoFResidual()-large.DoFResidual(), math.Max(small.Deviance()-large.Deviance(), 0)
	if phi := f.Dispersion(); r.DF != 0 {
		r.F, r.P = r.Deviance/r.DF/phi, dist.Chi2Upper(r.Deviance/phi, r.DF)
		r.PF = dist.FUpper(r.F, r.DF, f.deviationDoF())
	}
	return r
}

// deviationDoF returns the degrees of freedom of the dispersion, +Inf if it is known.
func (f *GLM) deviationDoF() float64 {
	if f.c.Family.estimated() {
		return f.DoFResidual()
	}
	return math.Inf(1)
}

// DropTerms returns by how much the deviance rises when each term is left out by itself,
// tested by the dispersion of the fit. The columns of a factor are one term; a term within
// an interaction stays. ResidualDF and ResidualDeviance are of the fit without the term.
// R's drop1(g, test = "Chisq"). Its F test takes the deviance of the full fit over its
// degrees of freedom for the dispersion; here it is Dispersion. Errors are those of Anova.
func (f *GLM) DropTerms(d *Design) (report.Rows[DevianceRow], error) {
	groups, err := f.termsOf(d)
	if err != nil {
		return nil, err
	}
	var table report.Rows[DevianceRow]
	for k, g := range groups {
		if len(containing(groups, k)) > 0 {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(f.l.Names), func(name string) bool { return slices.Contains(g.Terms, name) })
		small, err := f.refit(d, rest)
		if err != nil {
			return nil, err
		}
		r := f.between(g.Name, small, f)
		r.ResidualDF, r.ResidualDeviance = small.DoFResidual(), small.Deviance()
		table = append(table, r)
	}
	return table, nil
}

// CompareDeviances returns the analysis of deviance of fits of the same rows, each of which
// contains the one before: R's anova(g1, g2, g3, test = "Chisq"). Tests are by the
// dispersion of the last, the largest. The error (ErrShape) names a fit of another family,
// link or response, of other rows or weights, with a penalty, with no more coefficients than
// the one before, or without one of its terms. DevianceRow.Note says where the names of terms
// cannot tell, see LikelihoodRatioTest.
func CompareDeviances(fits ...*GLM) (report.Rows[DevianceRow], error) {
	if len(fits) < 2 {
		return nil, fmt.Errorf("%w: %d fits to compare; give two or more", ErrShape, len(fits))
	}
	notes := make([]string, len(fits))
	for k, f := range fits {
		if err := args.Given(fmt.Sprintf("fit %d", k+1), f); err != nil {
			return nil, err
		}
		var c comparison
		switch first := fits[0]; {
		case f.c.Family != first.c.Family || f.c.Link != first.c.Link:
			return nil, fmt.Errorf("%w: fit %d has the %v family with the %v link, and the first %v with %v", ErrShape, k+1, f.c.Family, f.c.Link, first.c.Family, first.c.Link)
		case f.s.L2 > 0:
			return nil, fmt.Errorf("%w: fit %d has a penalty", ErrShape, k+1)
		case k == 0:
			continue
		}
		small := fits[k-1]
		err := c.sameRows(small, f)
		switch {
		case err != nil:
		case f.columns() <= small.columns():
			return nil, fmt.Errorf("%w: fit %d has no more coefficients than the one before; put the smaller first", ErrShape, k+1)
		default:
			err = c.containedIn(newLikelihoodOf(small), newLikelihoodOf(f))
		}
		if err != nil {
			return nil, fmt.Errorf("fits %d and %d: %w", k, k+1, err)
		}
		notes[k] = c.String()
	}
	largest := fits[len(fits)-1]
	if err := args.ResidualDoF(largest.deviationDoF()); err != nil {
		return nil, err
	}
	table := report.Rows[DevianceRow]{fits[0].alone("1")}
	for k, f := range fits[1:] {
		row := largest.between(fmt.Sprint(k+2), fits[k], f)
		row.Note = notes[k+1]
		table = append(table, row)
	}
	return table, nil
}

// termsOf returns the terms of the fit, whose rows d has.
func (f *GLM) termsOf(d *Design) ([]TermGroup, error) {
	deviance, err := f.DevianceResiduals(d)
	if err != nil {
		return nil, err
	}
	if err := f.checkUnpenalized(); err != nil {
		return nil, err
	}
	if err := f.checkFitted(d, deviance); err != nil {
		return nil, err
	}
	return inGroups(f.l.Names, f.l.Coding.Groups()), nil
}

// checkUnpenalized refuses a fit with a penalty, and one without degrees of freedom for its
// dispersion.
func (f *GLM) checkUnpenalized() error {
	if f.s.L2 > 0 {
		return fmt.Errorf("%w: the fit has the penalty L2 = %v, and its deviance is not the smallest", ErrNotEstimable, f.s.L2)
	}
	return args.ResidualDoF(f.deviationDoF())
}

// refit fits the named terms to the same rows.
func (f *GLM) refit(d *Design, names []string) (*GLM, error) {
	sub, err := d.Select(names...)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 && d.NoIntercept {
		return f.constant(), nil
	}
	return FitGLM(sub, f.c.Family, &GLMSettings{Link: f.c.Link})
}

// constant is the model of no coefficients.
func (f *GLM) constant() *GLM {
	none := *f
	none.l.Names, none.l.B = nil, nil
	none.s.Root = nil
	none.s.Loss = f.s.Null
	return &none
}

// Tabulate returns the analysis of deviance as a table, with the F test if the dispersion
// is estimated, so that it differs from that by chi-squared.
func (DevianceRow) Tabulate(r []DevianceRow) *report.Table {
	t := tables.Rows("Analysis of deviance",
		tables.Text("term", r, func(r DevianceRow) string { return r.Term }),
		tables.Blank(tables.Number(format.DF, r, 6, func(r DevianceRow) float64 { return r.DF })),
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

// String writes the line as text.
func (r DevianceRow) String() string { return report.Rows[DevianceRow]{r}.String() }
