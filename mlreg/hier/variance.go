package hier

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/hierarchy"
	"github.com/regbook/regbook/mlreg/internal/nesting"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// VarianceTest is the likelihood-ratio test of a variance between groups against zero.
type VarianceTest struct {
	Level, Term   string
	Stat          float64 // difference of Criterion, 0 if the variance is zero
	DF1, DF2      int     // of the two parts of the null distribution, half each
	P             float64
	Naive         float64 // P by DF2 alone, which takes zero for a value inside the range
	REML          bool
	Full, Reduced float64 // Criterion with and without the variance
}

// TestVariance tests whether a coefficient varies between the groups of a level: it fits
// the model of the settings with and without it, and compares
//
//	Stat = Criterion without - Criterion with ~ 1/2 chi2(r) + 1/2 chi2(r+1),
//
// r the number of its covariances with other coefficients. The null hypothesis is at the
// edge of the range, a variance of zero, so that Stat is zero in half of all samples that
// have none: the P of chi2(r+1) alone, which R's anova prints, is too large. The test is
// asymptotic in the number of groups. The model without has the same b*, so that REML may
// be compared, too. level "" is the innermost. Errors: mlreg.ErrSetting if the coefficient does
// not vary at that level, or has a known variance; those of Fit.
//
// Self and Liang, Journal of the American Statistical Association 82 (1987), 605-610,
// case 5 and 6; Stram and Lee, Biometrics 50 (1994), 1171-1177.
func TestVariance(data mlreg.Data, groups *mlreg.Grouping, settings *Settings, level, term string) (*VarianceTest, error) {
	s := args.OrDefaults(settings)
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.variances() != nil || s.AvoidZero {
		return nil, fmt.Errorf("%w: the test is of a variance that is estimated, without AvoidZero", mlreg.ErrSetting)
	}
	m, err := newGroupData(data, groups, &s, false)
	if err != nil {
		return nil, err
	}
	l, err := nesting.Find(groups.Levels(), level)
	if err != nil {
		return nil, err
	}
	blocks, covariances, err := m.blocksWithout(l, term)
	if err != nil {
		return nil, err
	}
	with, err := m.search(m.model(&s), &s)
	if err != nil {
		return nil, err
	}
	// Without an intercept that varies the origin of the columns matters: it is raw zero.
	if slices.ContainsFunc(m.tree.Levels[l].Vary, func(j int) bool { return m.work[j].shift != 0 }) {
		if m, err = newGroupData(data, groups, &s, true); err != nil {
			return nil, err
		}
	}
	reduced := m.model(&s)
	reduced.Blocks = blocks
	without, err := m.search(reduced, &s)
	if err != nil {
		return nil, err
	}
	units := 2 * m.freedom(&s) * math.Log(m.scaleY)
	out := &VarianceTest{
		Level: m.levels[l].Name, Term: term, DF1: covariances, DF2: covariances + 1, REML: !s.ML && s.Hyperprior == nil,
		Full: with.Minus2 + units, Reduced: without.Minus2 + units, Stat: without.Minus2 - with.Minus2,
	}
	if out.Stat < 1e-8 {
		out.Stat = 0
	}
	out.Naive = dist.Chi2Upper(out.Stat, float64(out.DF2))
	out.P = out.Naive / 2
	switch {
	case covariances > 0:
		out.P += dist.Chi2Upper(out.Stat, float64(out.DF1)) / 2
	case out.Stat == 0:
		out.P = 1
	}
	return out, nil
}

// blocksWithout returns the blocks of what varies without a term of a level, and the number of
// its covariances.
func (m *groupData) blocksWithout(l int, term string) (blocks []hierarchy.Block, covariances int, err error) {
	at := -1
	if col := slices.Index(m.columns, term); col >= 0 {
		at = slices.Index(m.vary[l], col)
	}
	if at < 0 {
		return nil, 0, fmt.Errorf("%w: %q does not vary at level %q", mlreg.ErrSetting, term, m.levels[l].Name)
	}
	for _, b := range m.blocks {
		if b.Level == l && slices.Contains(b.At, at) {
			if b.Equal && len(b.At) > 1 {
				return nil, 0, fmt.Errorf("%w: %q has one variance with %d others; test another structure", mlreg.ErrSetting, term, len(b.At)-1)
			}
			b.At = slices.DeleteFunc(slices.Clone(b.At), func(a int) bool { return a == at })
			covariances = len(b.At)
			if len(b.At) == 0 {
				continue
			}
		}
		blocks = append(blocks, b)
	}
	return blocks, covariances, nil
}

// search is a search for variances whose failure is an error.
func (m *groupData) search(model *hierarchy.Model, s *Settings) (*hierarchy.Optimum, error) {
	best, err := model.Search(nil, 0, cmp.Or(s.Iterations, 200), nil)
	if err != nil {
		return nil, m.explain(err)
	}
	if !best.Converged {
		return nil, notSearched(best)
	}
	return best, nil
}

func notSearched(best *hierarchy.Optimum) error {
	return &mlreg.ConvergenceError{Method: "Newton's method", Iterations: best.Iterations, Measure: "Newton decrement", Value: best.Decrement, Tol: 1e-10}
}

// VarianceLimits returns profile limits of the standard deviations between groups, named
// as by lme4 "sd_(Intercept)|school", and of that of the residuals, "sigma": all values at
// which the criterion, minimized over everything else, is at most
//
//	Criterion + chi2 quantile with 1 degree of freedom.
//
// A lower limit of 0 says that the data do not exclude zero. With ML these are the limits of
// lme4's confint; without, those of the restricted likelihood. Errors: mlreg.ErrSetting for the
// level of confidence or known variances, those of Fit.
//
// Bates et al., Journal of Statistical Software 67(1) (2015), section 5.1.
func VarianceLimits(data mlreg.Data, groups *mlreg.Grouping, settings *Settings, level float64) (report.Rows[mlreg.Interval], error) {
	s := args.OrDefaults(settings)
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.variances() != nil {
		return nil, fmt.Errorf("%w: limits are of variances that are estimated, and Varying has known ones", mlreg.ErrSetting)
	}
	m, err := newGroupData(data, groups, &s, true)
	if err != nil {
		return nil, err
	}
	target := dist.Chi2Quantile(1-level, 1)
	var out report.Rows[mlreg.Interval]
	for l := len(m.levels) - 1; l >= 0; l-- {
		for at, col := range m.vary[l] {
			model := m.model(&s)
			model.Blocks = slices.Clone(m.blocks)
			b := slices.IndexFunc(model.Blocks, func(b hierarchy.Block) bool { return b.Level == l && slices.Contains(b.At, at) })
			block := &model.Blocks[b]
			if block.Equal && block.At[0] != at {
				continue
			}
			// The coefficient first: its standard deviation is then a parameter.
			block.At = append([]int{at}, slices.DeleteFunc(slices.Clone(block.At), func(a int) bool { return a == at })...)
			lower, upper, err := m.profile(model, &s, b, target)
			if err != nil {
				return nil, err
			}
			unit := m.unit(l, at)
			out = append(out, mlreg.Interval{Term: "sd_" + m.columns[col] + "|" + m.levels[l].Name, Lower: lower * unit, Upper: upper * unit, Level: level})
		}
	}
	if s.Sigma2 == 0 {
		lower, upper, err := m.profile(m.model(&s), &s, -1, target)
		if err != nil {
			return nil, err
		}
		out = append(out, mlreg.Interval{Term: "sigma", Lower: lower * m.scaleY, Upper: upper * m.scaleY, Level: level})
	}
	return out, nil
}

// profile finds where the criterion rises by target as a standard deviation is held.
func (m *groupData) profile(model *hierarchy.Model, s *Settings, block int, target float64) (lower, upper float64, err error) {
	best, err := m.search(model, s)
	if err != nil {
		return 0, 0, err
	}
	sigma := math.Exp(best.LogVar / 2)
	sd := sigma
	if block >= 0 {
		at := 0
		for b := range block {
			at += model.Blocks[b].Parameters()
		}
		sd = sigma * math.Abs(best.Theta[at])
	}
	theta, logVar := best.Theta, best.LogVar
	rise := func(sd float64) (float64, error) {
		o, err := model.Hold(block, sd).Search(theta, logVar, cmp.Or(s.Iterations, 200), nil)
		if err != nil {
			return 0, m.explain(err)
		}
		if !o.Converged {
			return 0, notSearched(o)
		}
		theta, logVar = o.Theta, o.LogVar
		return o.Minus2 - best.Minus2 - target, nil
	}
	if upper, err = crossingBeyond(rise, sd, math.Max(1.5*sd, 0.05*sigma), func(v float64) float64 { return 1.5 * v }); err != nil {
		return 0, 0, err
	}
	theta, logVar = best.Theta, best.LogVar
	if block >= 0 {
		if sd < 1e-9*sigma {
			return 0, upper, nil
		}
		r, err := rise(0)
		if err != nil {
			return 0, 0, err
		}
		if r <= 0 {
			return 0, upper, nil
		}
		theta, logVar = best.Theta, best.LogVar
		lower, err = crossing(rise, sd, 0)
		return lower, upper, err
	}
	lower, err = crossingBeyond(rise, sd, sd/1.5, func(v float64) float64 { return v / 1.5 })
	return lower, upper, err
}

// crossingBeyond finds where f, negative at low, is zero: high takes steps until f is positive there.
func crossingBeyond(f func(float64) (float64, error), low, high float64, step func(float64) float64) (float64, error) {
	for range 200 {
		v, err := f(high)
		if err != nil {
			return 0, err
		}
		if v > 0 {
			break
		}
		low, high = high, step(high)
	}
	return crossing(f, low, high)
}

// crossing finds where f, negative at a and positive at b, is zero, by bisection and false
// position in turn.
func crossing(f func(x float64) (float64, error), a, b float64) (float64, error) {
	fa, err := f(a)
	if err != nil {
		return 0, err
	}
	fb, err := f(b)
	if err != nil {
		return 0, err
	}
	for k := 0; k < 200 && math.Abs(b-a) > 1e-10*math.Max(math.Abs(a), math.Abs(b)); k++ {
		x := a - fa*(b-a)/(fb-fa)
		if k%3 == 2 || !(x > math.Min(a, b) && x < math.Max(a, b)) {
			x = (a + b) / 2
		}
		fx, err := f(x)
		if err != nil {
			return 0, err
		}
		if math.Abs(fx) < 1e-10 {
			return x, nil
		}
		if fx < 0 {
			a, fa = x, fx
		} else {
			b, fb = x, fx
		}
	}
	return (a + b) / 2, nil
}

// Describe returns the test as a table.
func (v *VarianceTest) Describe() *report.Table {
	t := tables.Rows(fmt.Sprintf("Test of the variance of %s between groups of %s", v.Term, v.Level),
		report.NumberColumn("statistic", []float64{v.Stat}, 5), report.TextColumn("null distribution", fmt.Sprintf("χ²(%d)/2 + χ²(%d)/2", v.DF1, v.DF2)),
		report.PColumn(format.P, []float64{v.P}), report.PColumn(fmt.Sprintf("p of χ²(%d)", v.DF2), []float64{v.Naive}))
	t.Notes = []string{"p counts that zero is at the edge of the range of a variance"}
	return t
}

// String writes the test as text.
func (v *VarianceTest) String() string { return v.Describe().String() }
