package mlreg

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/report"
)

// DropTerms returns, for every term that no interaction in the model contains, what
// leaving it out adds to the residual sum of squares, with its F test:
//
//	SumSq = RSS(without the term) - RSS,   DF = rank - rank(without the term).
//
// It is R's drop1(lm, test = "F"): with a:b in the model, a and b stay. It compares
// with a fit without the term, also if terms are aliased; a term that the others
// replace has DF and SumSq 0 and no test. Groups and errors are as in Anova; given
// groups have the margins that they name.
func (f *OLS) DropTerms(groups ...TermGroup) (report.Rows[AnovaRow], error) {
	return f.marginal(groups, func(groups []TermGroup, k int) (dropped, beside []int, wanted bool) {
		return []int{k}, nil, len(containing(groups, k)) == 0
	})
}

// DropIgnoringMargins is DropTerms of every term, even if an interaction with it stays
// in the model: R's drop1(lm, . ~ ., test = "F"). What that tests depends on how
// factors are coded, see AnovaTypeIII.
func (f *OLS) DropIgnoringMargins(groups ...TermGroup) (report.Rows[AnovaRow], error) {
	return f.marginal(groups, func(_ []TermGroup, k int) (dropped, beside []int, wanted bool) {
		return []int{k}, nil, true
	})
}

// AnovaTypeII returns the type II analysis of variance: what each term adds to
// all terms but those that contain it, and the residuals last; car's Anova(lm).
// It tests the main effect of a in the model without a:b, with the noise variance of
// the fit. The coding of factors makes no difference. With aliased terms it compares
// fits, as DropTerms does (car tests the coefficients that are left). Groups and
// errors are as in Anova.
func (f *OLS) AnovaTypeII(groups ...TermGroup) (report.Rows[AnovaRow], error) {
	rows, err := f.marginal(groups, func(groups []TermGroup, k int) (dropped, beside []int, wanted bool) {
		return []int{k}, containing(groups, k), true
	})
	if err != nil {
		return nil, err
	}
	return append(rows, f.residualRow()), nil
}

// AnovaTypeIII returns the type III analysis of variance: what each term adds to
// all others, those that contain it included, and the residuals last; car's
// Anova(lm, type = 3) without its line of the intercept. If the columns of every
// factor sum to zero over its levels (Sum, Helmert or Poly contrasts), the line of
// a tests the effect of a averaged over the levels of b, each counted once, also in
// unbalanced data. In a*x with a number x, it tests a where x is zero.
//
// Errors: ErrSetting if a factor of an interaction is coded by contrasts to a
// reference level, so that the other factor would be tested at that level alone;
// ErrNotEstimable if a term is aliased (use DropTerms or AnovaTypeII, which compare
// fits); and those of Anova. Given groups are coded as their Reference says.
func (f *OLS) AnovaTypeIII(groups ...TermGroup) (report.Rows[AnovaRow], error) {
	groups, _, err := f.grouped(groups)
	if err != nil {
		return nil, err
	}
	if aliased := f.Aliased(); len(aliased) > 0 {
		return nil, fmt.Errorf("%w: a type III test needs coefficients that the data determine; the terms %s are aliased: leave them out, or use AnovaTypeII",
			ErrNotEstimable, format.Quoted(aliased))
	}
	for k, g := range groups {
		if len(g.Reference) > 0 && len(containing(groups, k)) > 0 { // Select may have taken the interaction out
			return nil, fmt.Errorf("%w: a type III test of %q would be about %s only, because an interaction codes it by contrasts to that level; "+
				"use Sum contrasts, such as C(a, Sum) in the formula, or AnovaTypeII", ErrSetting, g.Name, format.Line(strings.Join(g.Reference, ", ")))
		}
	}
	rows, err := f.DropIgnoringMargins(groups...)
	if err != nil {
		return nil, err
	}
	return append(rows, f.residualRow()), nil
}

// containing returns the groups that have group k in their margin.
func containing(groups []TermGroup, k int) []int {
	var of []int
	for i, g := range groups {
		if slices.Contains(g.Margins, groups[k].Name) {
			of = append(of, i)
		}
	}
	return of
}

// marginal makes a line for every group k that is wanted: what the groups dropped
// explain in the model without the groups beside them.
func (f *OLS) marginal(groups []TermGroup, choose func(groups []TermGroup, k int) (dropped, beside []int, wanted bool)) ([]AnovaRow, error) {
	groups, cols, err := f.grouped(groups)
	if err != nil {
		return nil, err
	}
	space := f.columnSpace()
	var rows []AnovaRow
	for k, g := range groups {
		dropped, beside, wanted := choose(groups, k)
		if !wanted {
			continue
		}
		out := make(map[int]bool)
		take := func(ks []int) {
			for _, k := range ks {
				for _, j := range cols[k] {
					out[j] = true
				}
			}
		}
		take(beside)
		less, lessDF := space.lost(out, space.effects)
		take(dropped)
		part, df := space.lost(out, space.effects)
		if lessDF > 0 {
			// What both lose is not the term's: less is in the space of part.
			floats.Sub(part, less)
		}
		ss := floats.Dot(part, part)
		if df -= lessDF; df == 0 {
			ss = 0 // but for rounding
		}
		rows = append(rows, f.anovaRow(g.Name, df, ss))
	}
	return rows, nil
}

// columnSpace is the space that the columns of A = [1 X] of a fit span, in the
// orthonormal basis Q = A Root.
type columnSpace struct {
	effects []float64         // Q'y
	duals   map[int][]float64 // of each kept column, orthogonal to all others that are kept; length 1
	rest    map[int][]float64 // the aliased columns, without their means, of length 1
}

// columnSpace returns the column space of the fit.
func (f *OLS) columnSpace() *columnSpace {
	r := f.s.Rank
	s := &columnSpace{duals: make(map[int][]float64), rest: make(map[int][]float64)}
	unit := func(v []float64) []float64 {
		v = slices.Clone(v)
		floats.Scale(1/floats.Norm(v, 2), v)
		return v
	}
	effects, rest := f.effects(), f.s.Rest
	for j, e := range effects {
		if !math.IsNaN(e) {
			s.effects, s.duals[j] = append(s.effects, e), unit(f.root(j).Data)
			continue
		}
		v := slices.Clone(rest[:r])
		rest = rest[r:]
		length := floats.Norm(v, 2)
		if !f.l.NoIntercept && r > 0 {
			v[0] = 0
		}
		if floats.Norm(v, 2) > lsq.AliasSums*length { // neither zero nor constant
			s.rest[j] = unit(v)
		}
	}
	return s
}

// lost returns the part of v, in the space, that is orthogonal to all columns but
// those out, and the dimension of the space of such parts.
func (s *columnSpace) lost(out map[int]bool, v []float64) (part []float64, dim int) {
	var duals [][]float64
	for _, j := range slices.Sorted(maps.Keys(out)) {
		if u := s.duals[j]; u != nil {
			duals = append(duals, u)
		}
	}
	basis := orthonormalOf(duals, 0)
	// Aliased columns that stay keep what they have in the space of the duals.
	var kept [][]float64
	for _, j := range slices.Sorted(maps.Keys(s.rest)) {
		if !out[j] {
			kept = append(kept, coordinatesIn(basis, s.rest[j]))
		}
	}
	part = make([]float64, len(v))
	c := coordinatesIn(basis, v)
	stay := orthonormalOf(kept, lsq.AliasSums)
	for _, u := range stay {
		floats.AddScaled(c, -floats.Dot(u, c), u)
	}
	for i, u := range basis {
		floats.AddScaled(part, c[i], u)
	}
	return part, len(basis) - len(stay)
}

// orthonormalOf orthogonalizes vectors of length 1 at most, each twice against those
// before it, and leaves out those of which no more than tol is left.
func orthonormalOf(vectors [][]float64, tol float64) [][]float64 {
	var basis [][]float64
	for _, v := range vectors {
		v = slices.Clone(v)
		for range 2 {
			for _, u := range basis {
				floats.AddScaled(v, -floats.Dot(u, v), u)
			}
		}
		if rest := floats.Norm(v, 2); rest > tol {
			floats.Scale(1/rest, v)
			basis = append(basis, v)
		}
	}
	return basis
}

// coordinatesIn returns the coordinates of v in an orthonormal basis.
func coordinatesIn(basis [][]float64, v []float64) []float64 {
	c := make([]float64, len(basis))
	for i, u := range basis {
		c[i] = floats.Dot(u, v)
	}
	return c
}
