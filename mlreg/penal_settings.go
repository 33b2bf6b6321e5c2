package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
		if len(h.Names) == 0 {
			return nil, errNoTerms
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
