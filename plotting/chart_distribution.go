package plotting

import (
	"fmt"
	"slices"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// suitsDistribution returns an error if the chart is not of one column of numbers.
func (c *chart) suitsDistribution() error {
	switch {
	case c.y != nil:
		return fmt.Errorf("%w: Marks (%s) take one column; leave %q out", mlreg.ErrSetting, c.s.Marks, c.y.name)
	case c.x.text:
		return fmt.Errorf("%w: Marks (%s) need numbers, and column %q is text, such as %q; AsBars counts texts", mlreg.ErrSetting, c.s.Marks, c.x.name, c.x.labels[0])
	case c.s.Marks == AsHistogram|AsDensity && c.s.Color != "":
		return fmt.Errorf("%w: a histogram of groups has no density curve over it; leave out AsHistogram, AsDensity or Color", mlreg.ErrSetting)
	}
	return nil
}

// distributionLayers returns the layers of a panel of the values of one column.
func (c *chart) distributionLayers(p int) ([]Layer, error) {
	var layers []Layer
	if c.s.Marks&AsHistogram != 0 {
		layers = c.stackedHistogram(p)
	}
	if c.s.Marks&AsDensity == 0 {
		return layers, nil
	}
	var curves []Layer
	for g, cell := range c.cells[p] {
		if len(cell.x) == 0 {
			continue
		}
		x, f := kernelDensity(cell.x, c.s.Bandwidth)
		if x == nil {
			c.untrended[AsDensity]++
			continue
		}
		if k := slices.IndexFunc(f, func(v float64) bool { return !check.IsFinite(v) }); k >= 0 || !check.IsFinite(x[len(x)-1]-x[0]) {
			return nil, fmt.Errorf("the density: %w: values are too large for float64; scale the column", mlreg.ErrNotFinite)
		}
		tint := c.groups[g].color
		if c.s.Marks&AsHistogram != 0 {
			tint = Vermillion
		} else {
			layers = append(layers, Ribbon{X: x, Lower: make([]float64, len(x)), Upper: f, Color: tint})
		}
		curves = append(curves, Line{X: x, Y: f, Color: tint})
	}
	return append(layers, curves...), nil
}

// stackedHistogram draws the groups of a panel on each other, in bins that all panels
// share.
func (c *chart) stackedHistogram(p int) []Layer {
	if c.bins == nil {
		var all []float64
		for _, cells := range c.cells {
			for _, cell := range cells {
				all = append(all, cell.x...)
			}
		}
		c.bins = frameColumn{values: all}.histogram(c.s.Bins).bins()
	}
	values, total := make([][]float64, len(c.groups)), 0
	for g, cell := range c.cells[p] {
		values[g] = cell.x
		total += len(cell.x)
	}
	weight := 1.0
	if c.s.Marks&AsDensity != 0 {
		weight = 1 / (float64(total) * (c.bins[0].Max - c.bins[0].Min))
	}
	return stacked(c.bins, values, weight, c.groups)
}
