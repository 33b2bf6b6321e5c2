package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// NestedRow is a line of a comparison of nested fits: the residual sum of squares of
// a fit, and by how much it is smaller than that of the line before.
type NestedRow struct {
	Terms            string // "1 + lcavol + lweight"
	DoFResidual, RSS float64
	DF, SumSq, F, P  float64 // NaN in the first line
	Note             string  // what cannot be told of the fit and that before, "" if nothing
}

// CompareNested tests each fit against the smaller one before it, R's
// anova(m1, m2, ...):
//
//	F = (RSS_small - RSS_large) / (difference of DoF) / Sigma2,
//
// with Sigma2 and InferenceDoF of the last and largest fit in every line. If that
// fit knows sigma, F times DF is chi-squared.
//
// Errors: ErrSetting for fewer than two fits; ErrShape if two fits have different
// responses (name, mean, standard deviation) or rows (number, weights), or if the next has
// not the terms of one and more; ErrSaturated if the last leaves no degree of freedom.
// NestedRow.Note says where the names of terms cannot tell, see LikelihoodRatioTest.
func CompareNested(fits ...*OLS) (report.Rows[NestedRow], error) {
	if len(fits) < 2 {
		return nil, fmt.Errorf("%w: %d fits to compare; give two or more, the smallest first", ErrSetting, len(fits))
	}
	for i, f := range fits {
		if err := args.Given(fmt.Sprintf("fit %d", i+1), f); err != nil {
			return nil, err
		}
	}
	last := fits[len(fits)-1]
	if err := args.ResidualDoF(last.InferenceDoF()); err != nil {
		return nil, err
	}
	rows := make([]NestedRow, len(fits))
	for i, f := range fits {
		row := NestedRow{f.l.spell(), f.DoFResidual(), f.RSS(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), ""}
		if i > 0 {
			small := fits[i-1]
			note, err := small.nestedIn(f)
			if err != nil {
				return nil, fmt.Errorf("fits %d and %d: %w", i, i+1, err)
			}
			row.Note = note
			row.DF, row.SumSq = f.DoF()-small.DoF(), small.RSS()-f.RSS()
			row.F = row.SumSq / row.DF / last.Sigma2()
			row.P = dist.FUpper(row.F, row.DF, last.InferenceDoF())
		}
		rows[i] = row
	}
	return rows, nil
}

// nestedIn refuses to compare f with a fit that does not contain it, to the same data, and
// says what cannot be told.
func (f *OLS) nestedIn(large *OLS) (note string, err error) {
	var c comparison
	if err := c.sameRows(f, large); err != nil {
		return "", err
	}
	if f.DoF() >= large.DoF() {
		return "", fmt.Errorf("%w: their degrees of freedom are %v and %v; put the smaller first", ErrShape, f.DoF(), large.DoF())
	}
	if err := c.containedIn(newLikelihoodOf(f), newLikelihoodOf(large)); err != nil {
		return "", err
	}
	if f.RSS() < large.RSS()*(1-1e-9)-1e-12*large.TSS() {
		return "", fmt.Errorf("%w: the smaller has the smaller residual sum of squares, %g below %g, so it is not contained in the larger, or their rows differ", ErrShape, f.RSS(), large.RSS())
	}
	return c.String(), nil
}

// Tabulate returns the comparison as a table.
func (NestedRow) Tabulate(r []NestedRow) *report.Table {
	t := tables.Rows("Comparison of nested fits",
		tables.Text("terms", r, func(r NestedRow) string { return r.Terms }),
		tables.Number("residual df", r, 6, func(r NestedRow) float64 { return r.DoFResidual }),
		tables.Number("RSS", r, format.Digits+1, func(r NestedRow) float64 { return r.RSS }),
		tables.Blank(tables.Number(format.DF, r, 6, func(r NestedRow) float64 { return r.DF })),
		tables.Blank(tables.Number("sum of squares", r, format.Digits+1, func(r NestedRow) float64 { return r.SumSq })),
		tables.Blank(tables.Number("F", r, 0, func(r NestedRow) float64 { return r.F })),
		tables.Blank(tables.P(format.P, r, func(r NestedRow) float64 { return r.P })))
	t.Notes = append(t.Notes, tables.Notes(r, func(r NestedRow) string { return r.Note })...)
	return t
}

// String writes the line as text.
func (r NestedRow) String() string { return report.Rows[NestedRow]{r}.String() }
