package hier

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Grid has the candidates of CrossValidate.
type Grid struct {
	// SD are the standard deviations s of the groups' coefficients about b*; nil is
	// sigma/8, sigma/4, ... 8 sigma.
	SD []float64
	// HyperSD are those of b* about zero, s*, 0 a flat prior; nil is a flat prior alone.
	HyperSD []float64
	// CV are the settings of mlreg.CrossValidate, of which Progress and Loss count.
	CV *mlreg.CVSettings
}

// CV is a cross-validation of the standard deviations of Fit. Its
// candidates are pairs of s and s*, s ascending, and for each s* from the smallest to a
// flat prior: Mean, StdErr, Min and OneSE are those of CV.
type CV struct {
	*mlreg.CV
	s cvState
}

type cvState struct {
	SD, HyperSD []float64 // of the candidates
	Sigma2      float64
}

// CrossValidate chooses s and s* of
//
//	b_j ~ N(b*, s^2 I),   b* ~ N(0, s*^2 I),
//
// by cross-validation at a given residual variance: every fold's rows are predicted by
// the regressions of their groups, fitted without the fold, and by b* if their group had
// no other rows. Only the ratios s/sigma and s*/sigma count. Errors are those of
// mlreg.CrossValidate and Fit.
func CrossValidate(d *mlreg.Design, groups *mlreg.Grouping, folds *mlreg.Folds, sigma2 float64, grid *Grid) (*CV, error) {
	s := args.OrDefaults(grid)
	if !(sigma2 > 0) || math.IsInf(sigma2, 1) {
		return nil, fmt.Errorf("%w: sigma2 = %v; it is finite and positive", mlreg.ErrSetting, sigma2)
	}
	if err := args.Given("the grouping", groups); err != nil {
		return nil, err
	}
	if err := s.complete(sigma2); err != nil {
		return nil, err
	}
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if groups.NObs() != d.NObs() {
		levels := door.GroupsOf(groups)
		return nil, fmt.Errorf("%w: the grouping %q is not of the %d rows of the design", mlreg.ErrShape, levels[len(levels)-1].Name, d.NObs())
	}
	out := &CV{s: cvState{Sigma2: sigma2}}
	out.s.SD, out.s.HyperSD = s.candidates()
	cv, err := door.ValidateRows(d, folds, s.CV, func(train, test []int) (*mat.Dense, error) {
		inner, rows, held := groups.Rows(train...), d.Rows(train...), d.Rows(test...)
		yhat := mat.NewDense(len(test), len(out.s.SD), nil)
		for i := range out.s.SD {
			settings := out.settings(i)
			fit, err := Fit(rows, inner, settings)
			if err != nil {
				return nil, err
			}
			p, err := fit.PredictGroups(held, groups.Rows(test...), 0.95)
			if err != nil {
				return nil, err
			}
			yhat.SetCol(i, p.Mean)
		}
		return yhat, nil
	})
	if out.CV = cv.(*mlreg.CV); out.CV == nil {
		return nil, err
	}
	return out, err
}

// complete puts defaults for what the grid leaves out, and checks the rest.
func (g *Grid) complete(sigma2 float64) error {
	if g.SD == nil {
		for k := -3; k <= 3; k++ {
			g.SD = append(g.SD, math.Ldexp(math.Sqrt(sigma2), k))
		}
	}
	if g.HyperSD == nil {
		g.HyperSD = []float64{0}
	}
	for _, v := range g.SD {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: a standard deviation of the grid is %v; it is finite and not negative", mlreg.ErrSetting, v)
		}
	}
	for _, v := range g.HyperSD {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: a HyperSD of the grid is %v; it is finite and positive, or 0 for a flat prior", mlreg.ErrSetting, v)
		}
	}
	if len(g.SD) == 0 || len(g.HyperSD) == 0 {
		return fmt.Errorf("%w: the grid has no candidates", mlreg.ErrSetting)
	}
	return nil
}

// candidates returns s and s* of every candidate, in ascending order; a flat prior is last.
func (g *Grid) candidates() (sd, hyper []float64) {
	flatLast := func(v float64) float64 {
		if v == 0 {
			return math.Inf(1)
		}
		return v
	}
	hypers := slices.Clone(g.HyperSD)
	slices.SortFunc(hypers, func(a, b float64) int { return cmp.Compare(flatLast(a), flatLast(b)) })
	for _, v := range slices.Sorted(slices.Values(g.SD)) {
		for _, h := range hypers {
			sd, hyper = append(sd, v), append(hyper, h)
		}
	}
	return sd, hyper
}

// SD returns s of every candidate.
func (c *CV) SD() []float64 { return slices.Clone(c.s.SD) }

// HyperSD returns s* of every candidate, 0 for a flat prior.
func (c *CV) HyperSD() []float64 { return slices.Clone(c.s.HyperSD) }

// Fit fits candidate k, counted from 0, to some rows; c.Fit(d, groups, c.Min()) is the fit
// that the cross-validation chooses. An unknown candidate is mlreg.ErrSetting.
func (c *CV) Fit(data mlreg.Data, groups *mlreg.Grouping, k int) (*MultiTask, error) {
	if k < 0 || k >= len(c.s.SD) {
		return nil, fmt.Errorf("%w: there is no candidate %d of %d", mlreg.ErrSetting, k, len(c.s.SD))
	}
	return Fit(data, groups, c.settings(k))
}

func (c *CV) settings(k int) *Settings {
	s := &Settings{Sigma2: c.s.Sigma2, Varying: []mlreg.Varying{{Shape: mlreg.EqualVariances, SD: []float64{c.s.SD[k]}}}}
	if h := c.s.HyperSD[k]; h > 0 {
		s.Hyperprior = &Hyperprior{Var: h * h}
	}
	return s
}

// GobEncode implements gob.GobEncoder.
func (c *CV) GobEncode() ([]byte, error) { return stream.Encode(c, c.CV, &c.s) }

// GobDecode implements gob.GobDecoder.
func (c *CV) GobDecode(b []byte) error { return stream.Decode(b, c, nil, &c.CV, &c.s) }

// Describe returns the errors as a table.
func (c *CV) Describe() *report.Table {
	if c.CV == nil {
		return tables.Rows("Cross-validated error by s and s*")
	}
	hyper := make([]string, len(c.s.HyperSD))
	for i, h := range c.s.HyperSD {
		if hyper[i] = "flat"; h > 0 {
			hyper[i] = format.Number(h, 4)
		}
	}
	t := tables.Rows("Cross-validated error by s and s*",
		report.NumberColumn("s", c.s.SD, 4), report.TextColumn("s*", hyper...), report.NumberColumn(c.Measure(), c.Mean(), 5), report.NumberColumn(format.StdErr, c.StdErr(), 3))
	best := c.Min()
	t.Notes = []string{fmt.Sprintf("least error at s = %s, s* = %s", format.Number(c.s.SD[best], 4), hyper[best])}
	return t
}

// String writes the errors as text.
func (c *CV) String() string { return c.Describe().String() }
