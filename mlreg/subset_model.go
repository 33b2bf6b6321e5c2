package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Criterion is what compares models: the smaller (R2: the larger), the better.
type Criterion int

const (
	// ByRSS is the residual sum of squares: the training error. It always
	// prefers the larger of two nested models.
	ByRSS Criterion = iota + 1
	// ByAIC is AIC.
	ByAIC
	// ByBIC is BIC.
	ByBIC
	// ByCp is Mallows' Cp.
	ByCp
	// ByAdjR2 is the adjusted R2.
	ByAdjR2
	// ByPValue is the F test of the term to add or remove; for FitStepwise.
	ByPValue
	// ByCV is the cross-validated squared error; for FitStepwise.
	ByCV
)

// String returns the usual name of the criterion.
func (c Criterion) String() string {
	return format.Choice("Criterion", int(c), "default", "RSS", "AIC", "BIC", "Cp", "adjusted R2", "p-value", "CV error")
}

// SubsetModel is a least-squares fit of some of the terms, with the criteria that
// compare it with others of the same data. With n observations, W the sum of their
// weights (n if there are none), and rank r, which includes the intercept,
//
//	TrainError = RSS/W
//	R2         = 1 - RSS/TSS
//	AdjR2      = 1 - RSS/(n-r) / (TSS/(n-1))     n for n-1 without an intercept
//	Cp         = RSS/s2 + 2r - n
//
// where s2 is the noise variance, known or estimated from all terms together
// (Mallows, Technometrics 15 (1973), 661-675, eq. 3). AIC and BIC are those of
// the functions of the same names on the fit.
type SubsetModel struct {
	Terms                 []string // columns in the order of the data, without the intercept
	Groups                []string // the terms they make, if FitBestSubsets chose by Groups
	RSS, TrainError       float64
	R2, AdjR2             float64
	Cp, AIC, BIC          float64
	DoF, DoFResidual, TSS float64 // r, n-r, and TSS
}

// Size returns the number of columns; the intercept is not one.
func (m SubsetModel) Size() int { return len(m.Terms) }

func (m SubsetModel) clone() SubsetModel {
	m.Terms, m.Groups = slices.Clone(m.Terms), slices.Clone(m.Groups)
	return m
}

// Refit fits the model's terms to data by least squares, with errors of FitOLS.
// The model of no terms is the mean of the response; without an intercept it is
// zero, and has no *OLS: ErrNoTerms.
func (m SubsetModel) Refit(data Data) (*OLS, error) {
	sub, err := selectTerms(data, m.Terms)
	if err != nil {
		return nil, err
	}
	return FitOLS(sub, nil)
}

// value is what the criterion wants small.
func (m SubsetModel) value(c Criterion) float64 {
	switch c {
	case ByAIC:
		return m.AIC
	case ByBIC:
		return m.BIC
	case ByCp:
		return m.Cp
	case ByAdjR2:
		return -m.AdjR2
	}
	return m.RSS
}

// bestModel returns the place of the best of the models by a criterion, the
// first of equals; -1 if there is none with a number.
func bestModel(models []SubsetModel, c Criterion) int {
	best := -1
	for i, m := range models {
		if v := m.value(c); !math.IsNaN(v) && (best < 0 || compareValues(v, models[best].value(c)) < 0) {
			best = i
		}
	}
	return best
}

// subsetData are the data that subsets of the terms are fitted to.
type subsetData struct {
	*modelSpace
	rows   *Design // nil if only sums are known
	sigma2 float64 // in Cp; NaN if it cannot be estimated
}

// newSubsetData prepares the data, of which the moments may be known; a sigma2 of 0
// is estimated.
func newSubsetData(data Data, m *Moments, always []string, sigma2 float64) (*subsetData, error) {
	if !(sigma2 >= 0) || math.IsInf(sigma2, 1) {
		return nil, fmt.Errorf("%w: Sigma2 = %v; a known variance is positive and finite", ErrSetting, sigma2)
	}
	rows, _ := data.(*Design)
	if m != nil {
		data = m
	}
	space, err := newModelSpace(data, always)
	if err != nil {
		return nil, err
	}
	m = space.m
	switch {
	case space.yraw == 0:
		return nil, fmt.Errorf("%w: response %q is %v in every row; there is nothing to explain", ErrConstant, m.s.Response, m.s.MeanY)
	case space.ylen == 0:
		return nil, fmt.Errorf("%w: response %q is fitted exactly by the terms that are always in", ErrPerfectFit, m.s.Response)
	}
	s := &subsetData{modelSpace: space, rows: rows, sigma2: sigma2}
	if sigma2 == 0 {
		all, err := s.fit(m.s.Names)
		if err != nil {
			return nil, err
		}
		if s.sigma2 = all.Sigma2(); s.sigma2 > 0 && all.RSS() <= perfectFit*all.TSS() {
			s.sigma2 = 0 // but for rounding
		}
	}
	return s, nil
}

// checkCp refuses Cp without a noise variance.
func (s *subsetData) checkCp(settings string) error {
	switch {
	case s.sigma2 > 0:
		return nil
	case s.sigma2 == 0:
		return fmt.Errorf("%w: all terms together fit response %q exactly, and Cp needs a noise variance above zero; give %s.Sigma2",
			ErrPerfectFit, s.m.s.Response, settings)
	}
	return fmt.Errorf("%w: Cp needs the noise variance, which %v observations do not give in a model of all terms; give %s.Sigma2",
		ErrSaturated, s.m.s.N, settings)
}

// checkPerfect refuses a model that leaves no residual, but for the rounding of
// sums, by a criterion that compares residuals by their ratio.
func (m SubsetModel) checkPerfect(c Criterion) error {
	byRatio := c == ByAIC || c == ByBIC || c == ByPValue
	if !byRatio || m.RSS > perfectFit*m.TSS {
		return nil
	}
	return fmt.Errorf("%w: the model of %s leaves no residual, %.2g of the sum of squares of the response, and the %v compares residuals by their ratio; "+
		"take that model, select ByRSS, ByAdjR2 or ByCV, or leave out terms that the response was made from", ErrPerfectFit, format.Quoted(m.Terms), m.RSS/m.TSS, c)
}

// names returns the terms always in and those of the given candidates, counted
// from 0, in the order of the data.
func (s *subsetData) names(candidates []int) []string {
	cols := slices.Clone(s.always)
	for _, c := range candidates {
		cols = append(cols, s.candidates[c])
	}
	slices.Sort(cols)
	return s.terms(cols)
}

// model fits the terms always in and those of the given candidates by least
// squares.
func (s *subsetData) model(candidates []int) (SubsetModel, error) {
	names := s.names(candidates)
	if len(names) == 0 {
		return s.describe(nil, s.yraw*s.yraw, s.nuisance), nil
	}
	f, err := s.fit(names)
	if err != nil {
		return SubsetModel{}, err
	}
	return s.describe(names, f.RSS(), f.s.Rank), nil
}

// fit fits the named terms by least squares: to the sums, and to the rows, where
// they are known, if the sums do not stand behind ten digits.
func (s *subsetData) fit(names []string) (*OLS, error) {
	const enough = 10
	sub, err := s.m.Select(names...)
	if err != nil {
		return nil, err
	}
	f, err := fitSums(sub, nil, OLSSettings{Aliased: DropAliased})
	if err != nil || s.rows == nil {
		return f, err
	}
	if coef, stderr := f.Digits(); min(coef, stderr) >= enough {
		return f, nil
	}
	d, err := s.rows.Select(names...)
	if err != nil {
		return nil, err
	}
	return fitRows(d, OLSSettings{Aliased: DropAliased})
}

// describe computes the criteria of a model of the given rank.
func (s *subsetData) describe(terms []string, rss float64, rank int) SubsetModel {
	m := &s.m.s
	f := OLS{
		linear: linear{linearState{header: header{NoIntercept: m.NoIntercept}}},
		s:      olsState{N: m.N, W: m.W, LogW: m.LogW, Rank: rank, RSS: rss, TSS: s.yraw * s.yraw},
	}
	model := SubsetModel{
		Terms: terms, RSS: rss, TrainError: rss / m.W, R2: f.R2(), AdjR2: f.AdjR2(), Cp: math.NaN(),
		AIC: AIC(&f), BIC: BIC(&f), DoF: f.DoF(), DoFResidual: f.DoFResidual(), TSS: f.TSS(),
	}
	if s.sigma2 > 0 {
		model.Cp = rss/s.sigma2 + 2*f.DoF() - float64(m.N)
	}
	return model
}

// CountSubsets returns the number of models of q of d terms, d!/(q! (d-q)!); 0
// if there are none.
func CountSubsets(d, q int) float64 {
	if q < 0 || q > d {
		return 0
	}
	count := 1.0
	for i := 0; i < min(q, d-q) && !math.IsInf(count, 1); i++ {
		count = math.Round(count * float64(d-i) / float64(i+1))
	}
	return count
}

// CountStepwise returns the number of models that forward selection looks at to
// choose q of d terms, d + (d-1) + ... + (d-q+1).
func CountStepwise(d, q int) float64 {
	q = max(0, min(q, d))
	return float64(q) * float64(2*d-q+1) / 2
}

// Tabulate returns the models as a table: their terms and the numbers that compare
// them.
func (SubsetModel) Tabulate(m []SubsetModel) *report.Table {
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

// String writes the model as text.
func (m SubsetModel) String() string { return report.Rows[SubsetModel]{m}.String() }
