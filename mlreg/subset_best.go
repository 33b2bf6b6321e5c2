package mlreg

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/subsets"
	"github.com/regbook/regbook/mlreg/report"
)

// SubsetSettings are the options of FitBestSubsets.
type SubsetSettings struct {
	// Always names columns that are in every model; the others are candidates.
	Always []string
	// Groups and Heredity are those of EnumerateSettings: columns that go in and out
	// as one term, and interactions that need their margins. Sizes are still those of
	// columns. There are at most 30 terms then, all of whose models are looked at.
	Groups   []TermGroup
	Heredity Heredity
	// Best is the number of models to return of every size, or, by a criterion, in
	// all; the default 0 is 1.
	Best int
	// MinSize and MaxSize limit the number of terms in a model, which includes those
	// of Always and not the intercept. The default 0 is no limit.
	MinSize, MaxSize int
	// Criterion, if it is ByAIC, ByBIC, ByCp or ByAdjR2, asks for the best
	// models by that criterion only, which takes less time. The default 0, and
	// ByRSS, ask for the best of every size.
	Criterion Criterion
	// Sigma2 is the noise variance in Cp if it is known. The default 0
	// estimates it by RSS/(n - rank) of all terms together.
	Sigma2 float64
	// Progress, if not nil, is told from time to time how many parts of the search
	// are done. An error from it stops the work.
	Progress func(done, total float64) error
}

// Subsets are the best subsets of the terms of a linear model. They hold no data
// and do not change.
type Subsets struct {
	stored[Subsets, subsetsState]
}

type subsetsState struct {
	Response           string
	N                  int
	Candidates, Always []string
	Aliased            []string
	Criterion          Criterion
	Models             [][]SubsetModel // by size, or ranked at index 0
	Open               []float64       // RSS by number of candidates; infinite if there is nothing open
	CriterionBound     float64
	Nodes, Visited     float64
	Error              float64
	Sigma2             float64
	Total              float64  // number of models there are; 0 for 2^d
	Split              []string // groups whose columns were taken one by one
}

// subsetPivot is the squared relative length of the part of a candidate
// orthogonal to others below which it is a combination of them.
const subsetPivot = 1e-12

// FitBestSubsets returns, for every size, the subset of the terms of data that
// has the smallest residual sum of squares,
//
//	min over T with |T| = k of min over b_0, b of |y - b_0 - X_T b|^2,
//
// or, by a criterion, the best subset of any size. The intercept, unless the
// design has none, is in every model. There are at most 64 candidates; with 40
// it takes less than a second, with 50 some seconds if many of the best
// subsets are about as good as others.
//
// The subsets are searched by branch and bound, from the model of all terms
// down, the terms ordered at every node by what dropping them costs (Furnival
// and Wilson, Technometrics 16 (1974), 499-511; Hofmann, Gatu and Kontoghiorghes,
// Computational Statistics and Data Analysis 52 (2007), 16-29), starting from
// subsets that no exchange of one term improves. The search leaves a subtree out if
// a lower bound on its RSS shows that it holds nothing better: the cost of its
// cheapest term, or the sum of w_j b_j^2 over as many terms as are dropped, for w
// such that S_xx - diag(w), about the fixed terms, is positive semidefinite. So the
// result is the best there is, up to ties: differences below 1e-10 of an RSS, or
// below RSSError. It does not depend on GOMAXPROCS.
//
// Candidates may be combinations of others, which Aliased names; every model
// returned consists of independent terms. With fewer observations than terms there
// are many maximal sets of independent terms; the error says if they are too many.
//
// Nil settings are the defaults. Errors: ErrSetting (more than 64 candidates,
// sizes out of range), ErrConstant (the response), ErrPerfectFit (the terms of
// Always, the best model by AIC or BIC, or that of all terms by Cp leaves no
// residual: less than 1e-12 of the sum of squares), ErrSaturated (Cp without a residual
// degree of freedom), ErrNoData, ErrShape, ErrNotFinite.
// If Progress returns an error, so does FitBestSubsets, together with the best
// models found by then; see Proven and Bound.
func FitBestSubsets(data Data, settings *SubsetSettings) (*Subsets, error) {
	set := args.OrDefaults(settings)
	if set.Best < 0 {
		return nil, fmt.Errorf("%w: SubsetSettings.Best = %d; it is not negative", ErrSetting, set.Best)
	}
	if set.Best == 0 {
		set.Best = 1
	}
	if set.Criterion == 0 {
		set.Criterion = ByRSS
	}
	s, err := newSubsetData(data, nil, set.Always, set.Sigma2)
	if err != nil {
		return nil, err
	}
	p, aliased, err := s.problem(set)
	if err != nil {
		return nil, err
	}
	units, err := newTermUnits(&s.m.s.header, s.terms(s.candidates), choice{always: set.Always, groups: set.Groups, heredity: set.Heredity})
	if err != nil {
		return nil, err
	}
	if units != nil {
		return s.groupSubsets(p, units, aliased, set)
	}
	r, stopped := subsets.Search(p)
	if errors.Is(stopped, subsets.ErrTooMany) {
		return nil, fmt.Errorf("%w: %d candidates of rank %d: %v; choose candidates first (FilterTerms, forward FitStepwise) or leave out %s",
			ErrSetting, p.D, p.D-len(aliased), stopped, format.Quoted(aliased))
	}
	found, err := s.subsets(r, set)
	if err != nil {
		return nil, err
	}
	found.s.Aliased = aliased
	return found, stopped
}

// problem makes the problem of package subsets, and names the candidates that
// are combinations of those before them.
func (s *subsetData) problem(set SubsetSettings) (p *subsets.Problem, aliased []string, err error) {
	d, fixed := len(s.candidates), len(s.always)
	if d > subsets.MaxTerms {
		return nil, nil, fmt.Errorf("%w: %d candidates; the best subsets of at most %d can be searched for: "+
			"use FitStepwise, FilterTerms or SampleModels, or keep some terms out", ErrSetting, d, subsets.MaxTerms)
	}
	sweeper := enumerate.NewSweeper(&enumerate.Problem{D: d, M: s.corr, Tol: subsetPivot, Size: make([]float64, d+1)})
	for j := range d {
		sweeper.Flip(j + 1)
	}
	for _, j := range sweeper.Idle() {
		aliased = append(aliased, s.m.s.Names[s.candidates[j-1]])
	}
	rank := d - len(aliased)
	if set.MaxSize == 0 {
		set.MaxSize = fixed + d
	}
	if set.MinSize < 0 || set.MaxSize < max(set.MinSize, fixed) || set.MaxSize > fixed+d || set.MinSize > fixed+rank {
		return nil, nil, fmt.Errorf("%w: sizes %d to %d; there are %d terms, %d of them always in, and at most %d independent ones",
			ErrSetting, set.MinSize, set.MaxSize, fixed+d, fixed, fixed+rank)
	}
	p = &subsets.Problem{D: d, M: s.corr, Tol: subsetPivot, Best: set.Best,
		Least: max(set.MinSize-fixed, 0), Most: min(set.MaxSize-fixed, rank), Progress: door.Progress("SubsetSettings.Progress", set.Progress)}
	return p, aliased, s.penalize(p, set)
}

// penalize makes the criterion a function Mult[k] Q + Add[k] that ranks models of
// k candidates as it does.
func (s *subsetData) penalize(p *subsets.Problem, set SubsetSettings) error {
	n := float64(s.m.s.N)
	first := float64(s.nuisance)
	factor, term := func(k float64) float64 { return 1 }, func(k float64) float64 { return 0 }
	switch set.Criterion {
	case ByRSS:
		return nil
	case ByAIC:
		factor = func(k float64) float64 { return math.Exp(2 * k / n) }
	case ByBIC:
		factor = func(k float64) float64 { return math.Exp(math.Log(n) * k / n) }
	case ByAdjR2:
		p.Most = min(p.Most, int(n-first)-1)
		factor = func(k float64) float64 { return 1 / math.Max(n-first-k, 1) }
	case ByCp:
		if err := s.checkCp("SubsetSettings"); err != nil {
			return err
		}
		term = func(k float64) float64 { return 2 * k * s.sigma2 / s.ylen / s.ylen }
	default:
		return fmt.Errorf("%w: SubsetSettings.Criterion = %v; it is ByRSS, ByAIC, ByBIC, ByCp or ByAdjR2", ErrSetting, set.Criterion)
	}
	if p.Most < p.Least {
		return fmt.Errorf("%w: models of %d candidates and more leave no degree of freedom to adjust R2 by", ErrSaturated, p.Least)
	}
	for k := range p.D + 1 {
		p.Mult = append(p.Mult, factor(float64(k)))
		p.Add = append(p.Add, term(float64(k)))
	}
	return nil
}

// subsets turns the result of a search into the units of the data.
func (s *subsetData) subsets(r *subsets.Result, set SubsetSettings) (*Subsets, error) {
	unit := s.ylen * s.ylen
	found := &Subsets{store[Subsets](subsetsState{
		Response: s.m.s.Response, N: s.m.s.N, Candidates: s.terms(s.candidates), Always: s.terms(s.always),
		Split: s.split(), Criterion: set.Criterion, Nodes: float64(r.Nodes), Visited: float64(r.Models), Error: r.Tol * unit, Sigma2: s.sigma2,
	})}
	for _, q := range r.Open {
		found.s.Open = append(found.s.Open, math.Max(q, 0)*unit)
	}
	for _, list := range r.Best {
		models := make([]SubsetModel, 0, len(list))
		for _, m := range list {
			model, err := s.model(candidatesOf(m.Set))
			if err != nil {
				return nil, err
			}
			if err := model.checkPerfect(set.Criterion); err != nil {
				return nil, err
			}
			models = append(models, model)
		}
		slices.SortStableFunc(models, func(a, b SubsetModel) int { return compareValues(a.value(set.Criterion), b.value(set.Criterion)) })
		found.s.Models = append(found.s.Models, models)
	}
	if set.Criterion != ByRSS {
		bound := found.s.Models[0][0].value(set.Criterion)
		for k, rss := range found.s.Open {
			bound = math.Min(bound, s.describe(nil, rss, s.nuisance+k).value(set.Criterion))
		}
		found.s.CriterionBound = bound
	}
	return found, nil
}

// compareValues orders two values of a criterion, those closer than rounding as
// equal.
func compareValues(a, b float64) int {
	switch {
	case a == b || !math.IsInf(a-b, 0) && math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)):
		return 0
	case a < b:
		return -1
	}
	return 1
}

// candidatesOf returns the candidates, counted from 0, of a set of package
// subsets.
func candidatesOf(set uint64) []int {
	var list []int
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}

// Terms returns the candidate terms.
func (f *Subsets) Terms() []string { return slices.Clone(f.s.Candidates) }

// Always returns the terms that are in every model.
func (f *Subsets) Always() []string { return slices.Clone(f.s.Always) }

// Response returns the name of the response.
func (f *Subsets) Response() string { return f.s.Response }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Subsets) NObs() int { return f.s.N }

// Aliased returns the candidates that are combinations of those before them, to
// a part in 1e6 of their length.
func (f *Subsets) Aliased() []string { return slices.Clone(f.s.Aliased) }

// Criterion returns what was searched for: ByRSS for the best subsets of every
// size.
func (f *Subsets) Criterion() Criterion { return f.s.Criterion }

// Sigma2 returns the noise variance in Cp, NaN if it could not be estimated, 0 if
// all terms together leave no residual.
func (f *Subsets) Sigma2() float64 { return f.s.Sigma2 }

// Models returns the best model of every size, the smallest first, or, after a
// search by a criterion, the best models, the best first.
func (f *Subsets) Models() report.Rows[SubsetModel] {
	if f.s.Criterion != ByRSS {
		return clones(f.s.Models[0])
	}
	var models []SubsetModel
	for _, list := range f.s.Models {
		models = append(models, clones(list[:min(len(list), 1)])...)
	}
	return models
}

// BestOfSize returns the best models of the given number of terms, which includes
// those of Always, the best first. It returns none if that size was not searched
// or, after a search by a criterion, if none of the best has that size.
func (f *Subsets) BestOfSize(size int) report.Rows[SubsetModel] {
	var models []SubsetModel
	for _, list := range f.s.Models {
		for _, m := range list {
			if m.Size() == size {
				models = append(models, m)
			}
		}
	}
	return models
}

// BestBy returns the model found that is best by ByAIC, ByBIC, ByCp or ByAdjR2.
// After a search for every size that is the best of all subsets of the sizes
// searched. Errors: ErrSaturated if the criterion has no value, ErrPerfectFit if a
// model leaves no residual for AIC or BIC.
func (f *Subsets) BestBy(c Criterion) (SubsetModel, error) {
	models := f.Models()
	if c < ByRSS || c > ByAdjR2 {
		return SubsetModel{}, fmt.Errorf("%w: criterion %v; it is ByRSS, ByAIC, ByBIC, ByCp or ByAdjR2", ErrSetting, c)
	}
	for _, m := range models {
		if err := m.checkPerfect(c); err != nil {
			return SubsetModel{}, err
		}
	}
	best := bestModel(models, c)
	if best < 0 {
		return SubsetModel{}, fmt.Errorf("%w: no model has a %v", ErrSaturated, c)
	}
	return models[best], nil
}

// Proven tells whether the search was complete. If not, because Progress
// returned an error, the models are the best of those seen.
func (f *Subsets) Proven() bool {
	return !slices.ContainsFunc(f.s.Open, func(v float64) bool { return !math.IsInf(v, 1) })
}

// Bound returns a lower bound on the RSS of all models of the given number of terms:
// the RSS of the best one if it is Proven, and otherwise what the search had shown
// when it was stopped. The RSS of the best one less Bound is the gap. Bound is NaN
// for a size that was not searched, and after a search by a criterion.
func (f *Subsets) Bound(size int) float64 {
	k := size - len(f.s.Always)
	if f.s.Criterion != ByRSS || k < 0 || k >= len(f.s.Models) || len(f.s.Models[k]) == 0 {
		return math.NaN()
	}
	return math.Min(f.s.Models[k][0].RSS, f.s.Open[k])
}

// CriterionBound is Bound after a search by AIC, BIC or Cp: no model has a smaller
// criterion. By the adjusted R2, it is the negative of a number that no model
// exceeds. It is NaN after a search for every size.
func (f *Subsets) CriterionBound() float64 {
	if f.s.Criterion == ByRSS {
		return math.NaN()
	}
	return f.s.CriterionBound
}

// RSSError returns the error that rounding can leave in the RSS that the search
// compares: it grows with the square of the condition number of the terms. The
// RSS of the models returned are more accurate.
func (f *Subsets) RSSError() float64 { return f.s.Error }

// Nodes returns the number of nodes of the search tree that were entered.
func (f *Subsets) Nodes() float64 { return f.s.Nodes }

// Visited returns the number of models whose RSS was computed in the tree, of
// the 2^d there are.
func (f *Subsets) Visited() float64 { return f.s.Visited }

// Describe returns the best model of every size as a table, with how they were found.
func (f *Subsets) Describe() *report.Table {
	t := report.Rows[SubsetModel](f.Models()).Describe()
	t.Title = "Best subsets"
	if f.Response() != "" {
		t.Title += " for " + f.Response()
	}
	found := "proven to be the best"
	if !f.Proven() {
		found = "stopped: the best of those seen"
	}
	all := math.Ldexp(1, len(f.Terms()))
	if f.s.Total > 0 {
		all = f.s.Total
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%s; %s of %s models were looked at", found, format.Grouped(f.Visited()), format.Grouped(all)))
	t.Notes = append(t.Notes, otherTerms(nil, nil, f.s.Split)...)
	return t
}

// String writes the best models as text.
func (f *Subsets) String() string { return f.Describe().String() }
