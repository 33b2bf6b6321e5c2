package plotting

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// trendPoints is at how many x a trend is drawn.
const trendPoints = 101

// trend is a curve through the rows of a group, with its band: nil if the rows do not
// determine their scatter.
type trend struct{ x, y, lower, upper []float64 }

// trend returns the curve of a cell, nil if it has too few different x.
func (c *chart) trend(kind Marks, cell chartCell) (*trend, error) {
	distinct := len(slices.Compact(slices.Sorted(slices.Values(cell.x))))
	least, draw, name := 3, linearTrend, kind.String()
	if kind == AsSmooth {
		least = 4
		draw = func(x, y []float64, level float64) (*trend, error) { return smoothTrend(x, y, c.s.Span, level) }
	}
	if distinct < least {
		if len(cell.x) > 0 {
			c.untrended[kind]++
		}
		return nil, nil
	}
	t, err := draw(cell.x, cell.y, c.s.Level)
	if err != nil {
		return nil, fmt.Errorf("the %s: %w", name, err)
	}
	for _, values := range [][]float64{t.y, t.lower, t.upper} {
		if i := slices.IndexFunc(values, func(v float64) bool { return !check.IsFinite(v) }); i >= 0 {
			return nil, fmt.Errorf("the %s: %w: it is %v at %q = %v; scale the columns", name, mlreg.ErrNotFinite, values[i], c.x.name, t.x[i])
		}
	}
	return t, nil
}

// linearTrend returns the least-squares line with the confidence band of the mean.
func linearTrend(x, y []float64, level float64) (*trend, error) {
	d, err := mlreg.NewDesign(mat.NewDense(len(x), 1, slices.Clone(x)), y)
	if err != nil {
		return nil, err
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		return nil, err
	}
	grid := Range(slices.Min(x), slices.Max(x), trendPoints)
	at, err := mlreg.NewDesign(mat.NewDense(len(grid), 1, grid), nil)
	if err != nil {
		return nil, err
	}
	band, err := fit.ConfidenceBand(at, level)
	if err != nil {
		return nil, err
	}
	return &trend{grid, band.Fitted, band.Lower, band.Upper}, nil
}
