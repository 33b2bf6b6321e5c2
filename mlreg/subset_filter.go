package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// FilterRow is the fit of the response by one term alone.
type FilterRow struct {
	Term            string
	Intercept, Coef float64
	// RSS is the residual sum of squares, Loss the training error RSS/W.
	RSS, Loss float64
	// Cor is the correlation of term and response (about zero without an
	// intercept), R2 its square.
	Cor, R2 float64
	// F tests that the coefficient is zero; P is the probability of a larger
	// one if it is.
	F, P float64
}

// FilterTerms ranks the terms of data by how well each explains the response alone,
// the one with the least loss first; this is also the order of R2 and of |Cor|.
// Terms with equal loss, such as those that fit exactly, stay in their order. A
// constant term explains nothing: its Coef and P are NaN.
//
// A filter compares d models only and ignores what terms do together: two good
// terms may carry the same information, and two useless ones may be good as a pair
// (Guyon and Elisseeff, Journal of Machine Learning Research 3 (2003), 1157-1182,
// section 3).
//
// Errors: ErrConstant for a constant response, ErrNoData, ErrShape, ErrNotFinite.
func FilterTerms(data Data) (report.Rows[FilterRow], error) {
	m, err := sumsOf(data)
	if err != nil {
		return nil, err
	}
	e := problem.FromSums(&m.s.Sums, m.s.NoIntercept)
	if e.YY == 0 {
		return nil, fmt.Errorf("%w: response %q is %v in every row; there is nothing to explain", ErrConstant, m.s.Response, m.s.MeanY)
	}
	dof := float64(m.s.N - 1)
	if !m.s.NoIntercept {
		dof--
	}
	rows := make([]FilterRow, len(e.C))
	for j, c := range e.C {
		g := e.Cross(j, j)
		r := FilterRow{Term: m.s.Names[j], RSS: e.YY, Intercept: m.s.MeanY, Coef: math.NaN(), F: math.NaN(), P: math.NaN()}
		if g > 0 {
			b := c / g
			r.Cor = math.Max(-1, math.Min(1, c/math.Sqrt(g)/math.Sqrt(e.YY)))
			r.RSS = math.Max(e.YY-b*c, 0)
			if dof > 0 {
				r.F = b * c / (r.RSS / dof)
				r.P = dist.FUpper(r.F, 1, dof)
			}
			r.Coef = e.Slope(j, b)
			r.Intercept -= r.Coef * m.s.MeanX[j]
		}
		if m.s.NoIntercept {
			r.Intercept = 0
		}
		r.R2 = r.Cor * r.Cor
		r.RSS = e.Squares(r.RSS)
		r.Loss = r.RSS / m.s.W
		rows[j] = r
	}
	least := e.Squares(perfectFit * e.YY) // below it are perfect fits, which are equal
	slices.SortStableFunc(rows, func(a, b FilterRow) int { return compareValues(math.Max(a.RSS, least), math.Max(b.RSS, least)) })
	return rows, nil
}

// OrderedModels returns the models of the first 0, 1, 2, ... of the named terms, such
// as a ranking by FilterTerms. Sigma2 is the noise variance in Cp, 0 to
// estimate it from all terms of data. A term that is a combination of those
// before it adds nothing. Errors: ErrShape for a term that does not exist, and
// those of FitBestSubsets.
func OrderedModels(data Data, sigma2 float64, terms ...string) (report.Rows[SubsetModel], error) {
	s, err := newSubsetData(data, nil, nil, sigma2)
	if err != nil {
		return nil, err
	}
	var models []SubsetModel
	for k := range len(terms) + 1 {
		var in []int
		for _, name := range terms[:k] {
			j := slices.Index(s.m.s.Names, name)
			if j < 0 {
				return nil, fmt.Errorf("%w: no term %q among %s", ErrShape, name, format.Quoted(s.m.s.Names))
			}
			if slices.Contains(in, j) {
				return nil, fmt.Errorf("%w: term %q is given twice", ErrSetting, name)
			}
			in = append(in, j)
		}
		m, err := s.model(in)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// Tabulate returns the terms as a table.
func (FilterRow) Tabulate(r []FilterRow) *report.Table {
	return tables.Rows("Terms by what each explains alone",
		tables.Text("term", r, func(r FilterRow) string { return r.Term }),
		tables.Number("estimate", r, 0, func(r FilterRow) float64 { return r.Coef }),
		tables.Number("loss", r, 0, func(r FilterRow) float64 { return r.Loss }),
		tables.Number("R²", r, 0, func(r FilterRow) float64 { return r.R2 }),
		tables.Number("F", r, 0, func(r FilterRow) float64 { return r.F }),
		tables.P(format.P, r, func(r FilterRow) float64 { return r.P }))
}

// String writes the line as text.
func (r FilterRow) String() string { return report.Rows[FilterRow]{r}.String() }
