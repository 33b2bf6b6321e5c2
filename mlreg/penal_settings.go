package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/limit"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// PathSettings are the options of FitLassoPath and of all other paths with an L1 penalty, of
// squares, classes, counts or quantiles, and of the paths that cross-validations make.
type PathSettings struct {
	// Lambda is the grid, ascending or descending. Nil is Count values in
	// constant proportion, from the smallest lambda for which every penalized
	// slope is zero down to Ratio times that.
	Lambda []float64
	// Count is the number of values of the default grid. The default 0 is 100.
	Count int
	// Ratio is the last value of the default grid in proportion to the first.
	// The default 0 is 0.01 if there are more terms than observations, and 1e-4
	// if not, as in glmnet.
	Ratio float64
	// PenaltyFactor, AlwaysIn, NonNegative, Groups, Gap and Sweeps (for each lambda)
	// are as in LassoSettings.
	PenaltyFactor         []float64
	AlwaysIn, NonNegative []string
	Groups                []TermGroup
	Gap                   float64
	Sweeps                int
	// Progress, if not nil, is told after every lambda how many are done. An
	// error from it stops the path, which is returned as far as it went.
	Progress func(done, total float64) error
}

// checkShare refuses a share of L1 that is not above 0, and at most 1.
func checkShare(share float64, without string) error {
	if !(share > 0 && share <= 1) {
		return fmt.Errorf("%w: share = %v; the part of L1 is above 0, and at most 1; for L2 alone use %s", ErrSetting, share, without)
	}
	return nil
}

// each returns the settings at every lambda.
func (s *PathSettings) each() LassoSettings {
	return LassoSettings{
		PenaltyFactor: s.PenaltyFactor, AlwaysIn: s.AlwaysIn, NonNegative: s.NonNegative, Groups: s.Groups, Gap: s.Gap, Sweeps: s.Sweeps,
	}
}

// at returns the settings of a path of one lambda.
func (s *LassoSettings) at(lambda float64) *PathSettings {
	each := args.OrDefaults(s)
	return &PathSettings{
		Lambda: []float64{lambda}, PenaltyFactor: each.PenaltyFactor, AlwaysIn: each.AlwaysIn, NonNegative: each.NonNegative,
		Groups: each.Groups, Gap: each.Gap, Sweeps: each.Sweeps,
	}
}

// penalty returns what the settings say of the penalty of terms, without groups.
func (s *LassoSettings) penalty(h *header) (*problem.Penalty, error) {
	p := &problem.Penalty{Factor: slices.Repeat([]float64{1}, len(h.Names))}
	err := h.checkFactors(s.PenaltyFactor, func(f float64) bool { return f >= 0 }, "factors are finite and not negative")
	if err != nil {
		return nil, err
	}
	copy(p.Factor, s.PenaltyFactor)
	always, err := h.positions(s.AlwaysIn, "AlwaysIn")
	if err != nil {
		return nil, err
	}
	for _, j := range always {
		p.Factor[j] = 0
	}
	notNegative, err := h.positions(s.NonNegative, "NonNegative")
	if err != nil {
		return nil, err
	}
	if len(notNegative) > 0 {
		p.Positive = make([]bool, len(h.Names))
	}
	for _, j := range notNegative {
		p.Positive[j] = true
	}
	return p, nil
}

// groupPenalty divides the terms of a penalty among groups, a term of none being one of its own, and
// returns their names; nil is no groups. It refuses a penalty that treats the columns of a group
// differently.
func (h *header) groupPenalty(p *problem.Penalty, groups []TermGroup) (names []string, err error) {
	if groups == nil {
		return nil, nil
	}
	if err := h.checkTermGroups(groups); err != nil {
		return nil, err
	}
	for _, group := range wholeGroups(h.Names, groups) {
		of, err := h.positions(group.Terms, "Groups")
		if err != nil {
			return nil, err
		}
		for i, j := range of {
			if one := p.Factor[of[0]]; p.Factor[j] != one {
				return nil, fmt.Errorf("%w: the penalty of group %q has the factor %v for %q and %v for %q; the columns of a group have one, and are all always in, or none",
					ErrSetting, group.Name, one, group.Terms[0], p.Factor[j], group.Terms[i])
			}
		}
		for i, j := range of {
			if len(of) > 1 && p.Positive != nil && p.Positive[j] {
				return nil, fmt.Errorf("%w: NonNegative: %q is in the group %q, whose columns enter with any sign", ErrSetting, group.Terms[i], group.Name)
			}
		}
		names, p.Groups = append(names, group.Name), append(p.Groups, of)
	}
	return names, nil
}

// checkFactors refuses factors of the penalties of terms, nil for ones, that are infinite or not valid.
func (h *header) checkFactors(factor []float64, valid func(float64) bool, rule string) error {
	if factor != nil && len(factor) != len(h.Names) {
		return fmt.Errorf("%w: %d penalty factors for %d terms", ErrShape, len(factor), len(h.Names))
	}
	for j, f := range factor {
		if !valid(f) || math.IsInf(f, 1) {
			return fmt.Errorf("%w: the penalty factor of term %q is %v; %s", ErrSetting, h.Names[j], f, rule)
		}
	}
	return nil
}

// positions returns those of the terms that a field of the settings names.
func (h *header) positions(names []string, field string) ([]int, error) {
	var at []int
	for _, name := range names {
		j := slices.Index(h.Names, name)
		if j < 0 {
			return nil, fmt.Errorf("%w: %s: no term %q among %s", ErrSetting, field, name, format.Quoted(h.Names))
		}
		at = append(at, j)
	}
	return at, nil
}

// check looks at what does not depend on the data.
func (s *PathSettings) check() error {
	if s.Count < 0 || s.Count == 1 {
		return fmt.Errorf("%w: Count = %d; a path has at least 2 lambdas", ErrSetting, s.Count)
	}
	if s.Count > limit.Columns {
		return fmt.Errorf("%w: Count = %d; a path has at most 2^17 lambdas", ErrTooLarge, s.Count)
	}
	if !(s.Ratio >= 0 && s.Ratio < 1) {
		return fmt.Errorf("%w: Ratio = %v; it is between 0 and 1", ErrSetting, s.Ratio)
	}
	if s.Lambda != nil {
		if err := checkGrid(s.Lambda); err != nil {
			return err
		}
	}
	each := s.each()
	return each.check()
}

// checkGrid refuses a grid that is empty or not sorted.
func checkGrid(grid []float64) error {
	if len(grid) == 0 {
		return fmt.Errorf("%w: the grid of lambdas is empty; nil asks for the default", ErrSetting)
	}
	for k, l := range grid {
		if err := checkLambda(fmt.Sprintf("Lambda[%d]", k), l); err != nil {
			return err
		}
		if k > 0 && (l == grid[k-1] || (l > grid[k-1]) != (grid[1] > grid[0])) {
			return fmt.Errorf("%w: Lambda[%d] = %v after %v; a grid is strictly ascending or descending", ErrSetting, k, l, grid[k-1])
		}
	}
	return nil
}

// grid returns the grid in descending order, of data with a header and n rows of positive weight; from is
// the smallest lambda for which every penalized slope is zero.
func (s *PathSettings) grid(h *header, n int, from float64) ([]float64, error) {
	if s.Lambda != nil {
		return descending(s.Lambda), nil
	}
	if from == 0 {
		return nil, fmt.Errorf("%w: response %q does not vary with any penalized term, so that no lambda is the smallest; give Lambda",
			ErrConstant, h.Response)
	}
	ratio := 1e-4
	if len(h.Names) > n {
		ratio = 0.01
	}
	return geometric(from, cmp.Or(s.Ratio, ratio), s.Count), nil
}

func init() {
	door.CheckPath = func(settings any) error { return settings.(*PathSettings).check() }
	door.PathPenalty = func(settings, design any) (*problem.Penalty, error) {
		h, each := design.(*Design).header(), settings.(*PathSettings).each()
		if err := checkTerms(h.Names); err != nil {
			return nil, err
		}
		return each.penalty(&h)
	}
	door.PathGrid = func(settings, design any, largest float64) ([]float64, error) {
		d := design.(*Design)
		h := d.header()
		return settings.(*PathSettings).grid(&h, d.PositiveRows(), largest)
	}
}

// descending returns a sorted grid in descending order.
func descending(grid []float64) []float64 {
	grid = slices.Clone(grid)
	if grid[0] < grid[len(grid)-1] {
		slices.Reverse(grid)
	}
	return grid
}

// defaultCount is the number of lambdas of a grid for which no other is set.
const defaultCount = 100

// geometric returns count numbers in constant proportion, from the first to
// ratio times it; a count of zero is defaultCount.
func geometric(from, ratio float64, count int) []float64 {
	count = cmp.Or(count, defaultCount)
	grid := make([]float64, count)
	for k := range grid {
		grid[k] = from * math.Pow(ratio, float64(k)/float64(count-1))
	}
	return grid
}
