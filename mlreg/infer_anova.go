package mlreg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// AnovaRow is a line of an analysis of variance: the part SumSq of the sum of
// squares that DF degrees of freedom explain, F = SumSq/DF/Sigma2 and the
// probability P of a larger F. F and P of the line "Residuals" are NaN. With a known
// sigma, DF times F is chi-squared.
type AnovaRow struct {
	Term                    string
	DF, SumSq, MeanSq, F, P float64
}

// Anova returns the sequential (type I) analysis of variance of the fit: what
// each term removes from the residual sum of squares when it is added to the
// intercept and the terms before it, and the residuals last; R's anova(lm). Without
// groups, terms are those of Design.Coding, a factor in one line; groups, if given,
// hold every term once, in the order of Names. Aliased terms add no degree of
// freedom, and a group of aliased terms alone has no line. No data are needed, whether
// the fit was made to rows or to Moments:
//
//	SumSq = sum_j e_j^2,  e = R b,
//
// with the triangular factor R of A'WA = R'R.
//
// Errors: ErrShape if the groups are not as above, ErrNotEstimable after a
// minimum-norm fit to rank-deficient data.
func (f *OLS) Anova(groups ...TermGroup) (report.Rows[AnovaRow], error) {
	groups, cols, err := f.grouped(groups)
	if err != nil {
		return nil, err
	}
	var rows []AnovaRow
	effects := f.effects()
	for k, g := range groups {
		var ss float64
		var df int
		for _, j := range cols[k] {
			if e := effects[j]; !math.IsNaN(e) {
				ss, df = ss+e*e, df+1
			}
		}
		if df > 0 {
			rows = append(rows, f.anovaRow(g.Name, df, ss))
		}
	}
	return append(rows, f.residualRow()), nil
}

// grouped checks groups, those of the data if none are given, and returns them with
// the numbers of the columns of [1 X] that each has.
func (f *OLS) grouped(groups []TermGroup) ([]TermGroup, [][]int, error) {
	if err := f.checkEstimable(); err != nil {
		return nil, nil, err
	}
	if len(groups) == 0 {
		groups = inGroups(f.l.Names, f.l.Coding.Groups())
	}
	if err := checkGroups(groups, f.l.Names); err != nil {
		return nil, nil, err
	}
	cols, next := make([][]int, len(groups)), f.columns()-len(f.l.Names)
	for k, g := range groups {
		for range g.Terms {
			cols[k] = append(cols[k], next)
			next++
		}
	}
	return groups, cols, nil
}

// anovaRow tests what df degrees of freedom explain; with none there is no test.
func (f *OLS) anovaRow(term string, df int, ss float64) AnovaRow {
	row := AnovaRow{term, float64(df), ss, math.NaN(), math.NaN(), math.NaN()}
	if df > 0 {
		row.MeanSq = ss / row.DF
		row.F = row.MeanSq / f.Sigma2()
		row.P = dist.FUpper(row.F, row.DF, f.InferenceDoF())
	}
	return row
}

// residualRow is the line "Residuals".
func (f *OLS) residualRow() AnovaRow {
	nu := f.DoFResidual()
	return AnovaRow{"Residuals", nu, f.RSS(), f.RSS() / nu, math.NaN(), math.NaN()}
}

// effects returns R b, the coordinates of the fitted values in the orthonormal
// basis that Gram and Schmidt make of the columns in their order; NaN for
// aliased terms.
func (f *OLS) effects() []float64 {
	effects, r := f.Coef(), f.s.Rank
	// The root of (A'A)^-1 is R^-1, upper triangular in the kept columns.
	rinv := blas64.Triangular{N: r, Stride: max(r, 1), Uplo: blas.Upper, Diag: blas.NonUnit}
	var kept []int
	var e []float64
	for j, b := range effects {
		if !math.IsNaN(b) {
			kept, e = append(kept, j), append(e, b)
			rinv.Data = append(rinv.Data, f.root(j).Data...)
		}
	}
	if r == len(e) && r > 0 { // not after a minimum-norm fit
		blas64.Trsv(blas.NoTrans, rinv, blas64.Vector{N: r, Inc: 1, Data: e})
	}
	for i, j := range kept {
		effects[j] = e[i]
	}
	return effects
}

// Tabulate returns the analysis of variance as a table. Cells that do not apply to a
// line are empty.
func (AnovaRow) Tabulate(r []AnovaRow) *report.Table {
	return tables.Rows("Analysis of variance",
		tables.Text("term", r, func(r AnovaRow) string { return r.Term }),
		tables.Number(format.DF, r, 6, func(r AnovaRow) float64 { return r.DF }),
		tables.Number("sum of squares", r, format.Digits+1, func(r AnovaRow) float64 { return r.SumSq }),
		tables.Blank(tables.Number("mean square", r, format.Digits+1, func(r AnovaRow) float64 { return r.MeanSq })),
		tables.Blank(tables.Number("F", r, 0, func(r AnovaRow) float64 { return r.F })),
		tables.Blank(tables.P(format.P, r, func(r AnovaRow) float64 { return r.P })))
}

// String writes the line as text.
func (r AnovaRow) String() string { return report.Rows[AnovaRow]{r}.String() }
