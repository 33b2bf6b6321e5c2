package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// NestedRow is a line of a comparison of nested fits: the residual sum of squares of
// a fit, and by how much it is smaller than that of the line before.
type NestedRow struct {
	Terms            string // "1 + lcavol + lweight"
	DoFResidual, RSS float64
	DF, SumSq, F, P  float64 // NaN in the first line
}

// NestedTable compares nested fits, a line for each.
type NestedTable []NestedRow

// CompareNested tests each fit against the smaller one before it, R's
// anova(m1, m2, ...):
//
//	F = (RSS_small - RSS_large) / (difference of DoF) / Sigma2,
//
// with Sigma2 and InferenceDoF of the last and largest fit in every line. If that
// fit knows sigma, F times DF is chi-squared.
//
// Errors: ErrSetting for fewer than two fits; ErrShape if two fits have different
// responses or rows (number, weights, total sum of squares), or if the terms of one
// are not among those of the next, which must have more; ErrSaturated if the last
// leaves no degree of freedom.
func CompareNested(fits ...*OLS) (NestedTable, error) {
	if len(fits) < 2 {
		return nil, fmt.Errorf("%w: %d fits to compare; give two or more, the smallest first", ErrSetting, len(fits))
	}
	for i, f := range fits {
		if err := given(fmt.Sprintf("fit %d", i+1), f); err != nil {
			return nil, err
		}
	}
	last := fits[len(fits)-1]
	if err := checkResidualDoF(last.InferenceDoF()); err != nil {
		return nil, err
	}
	rows := make([]NestedRow, len(fits))
	for i, f := range fits {
		row := NestedRow{f.terms(), f.DoFResidual(), f.RSS(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}
		if i > 0 {
			small := fits[i-1]
			if err := small.checkNested(f); err != nil {
				return nil, fmt.Errorf("fits %d and %d: %w", i, i+1, err)
			}
			row.DF, row.SumSq = f.DoF()-small.DoF(), small.RSS()-f.RSS()
			row.F = row.SumSq / row.DF / last.Sigma2()
			row.P = fUpper(row.F, row.DF, last.InferenceDoF())
		}
		rows[i] = row
	}
	return rows, nil
}

// terms spells what the fit is of.
func (f *OLS) terms() string {
	first := "1"
	if f.l.NoIntercept {
		first = "0"
	}
	return strings.Join(append([]string{first}, f.l.Names...), " + ")
}

// checkNested says why f is not a submodel, to the same data, of large.
func (f *OLS) checkNested(large *OLS) error {
	differ := func(a, b float64) bool { return math.Abs(a-b) > 1e-9*math.Max(math.Abs(a), math.Abs(b)) }
	switch {
	case f.l.Response != large.l.Response:
		return fmt.Errorf("%w: their responses are %q and %q", ErrShape, f.l.Response, large.l.Response)
	case f.NObs() != large.NObs():
		return fmt.Errorf("%w: they have %d and %d observations; if values are missing, keep the rows that are complete in all terms",
			ErrShape, f.NObs(), large.NObs())
	case differ(f.s.W, large.s.W) || math.Abs(f.s.LogW-large.s.LogW) > 1e-9*float64(f.NObs()):
		return fmt.Errorf("%w: their weights differ", ErrShape)
	case f.l.NoIntercept == large.l.NoIntercept && differ(f.TSS(), large.TSS()):
		return fmt.Errorf("%w: their total sums of squares are %g and %g, so the responses differ", ErrShape, f.TSS(), large.TSS())
	case !f.l.NoIntercept && large.l.NoIntercept:
		return fmt.Errorf("%w: the smaller has an intercept and the larger has none", ErrShape)
	case f.DoF() >= large.DoF():
		return fmt.Errorf("%w: their degrees of freedom are %v and %v; put the smaller first", ErrShape, f.DoF(), large.DoF())
	}
	for j, name := range f.l.Names {
		k := slices.Index(large.l.Names, name)
		if k < 0 {
			if math.IsNaN(f.l.B[j]) {
				continue
			}
			return fmt.Errorf("%w: not nested: term %q of the smaller is not among %s", ErrShape, name, quoteAll(large.l.Names))
		}
		c, _ := f.l.Scaling.at(j)
		l, _ := large.l.Scaling.at(k)
		if f.l.NoIntercept && large.l.NoIntercept && c != l {
			return fmt.Errorf("%w: not nested: without an intercept, term %q is centered at %v in one and at %v in the other", ErrShape, name, c, l)
		}
	}
	if f.RSS() < large.RSS()*(1-1e-9)-1e-12*large.TSS() {
		return fmt.Errorf("%w: the smaller has the smaller residual sum of squares, %g below %g, so their rows differ", ErrShape, f.RSS(), large.RSS())
	}
	return nil
}
