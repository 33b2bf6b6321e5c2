package plotting

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// takeLogs replaces the values of the axes that are logarithmic by their logarithms to base 10, so that
// lines, bins and means are those of logarithms, as under ggplot2's scale_x_log10.
func (c *chart) takeLogs() error {
	for _, axis := range []struct {
		asked bool
		name  string
		of    *frameColumn
	}{{c.s.LogX, "LogX", c.x}, {c.s.LogY, "LogY", c.y}} {
		switch {
		case !axis.asked:
			continue
		case axis.of == nil:
			return fmt.Errorf("%w: LogY needs a column on the vertical axis", mlreg.ErrSetting)
		case axis.of.text || axis.of.date:
			return fmt.Errorf("%w: %s: column %q is not of numbers", mlreg.ErrSetting, axis.name, axis.of.name)
		}
		logs := make([]float64, len(axis.of.values))
		for i, v := range axis.of.values {
			if v <= 0 {
				return fmt.Errorf("%w: %s: column %q is %s in row %d, which has no logarithm; leave such rows out by frames.Where(df, \"%s > 0\")", mlreg.ErrSetting, axis.name, axis.of.name, format.Number(v, 6), i+1, axis.of.name)
			}
			logs[i] = math.Log10(v)
		}
		axis.of.values, axis.of.levels, axis.of.labels = logs, nil, nil
	}
	return nil
}

// suitsLogs returns an error for logarithms on an axis of categories, and of bars, which begin at 0.
func (c *chart) suitsLogs(of family) error {
	switch {
	case c.s.LogX && of.categories:
		return fmt.Errorf("%w: LogX: the horizontal axis of %s has categories", mlreg.ErrSetting, c.s.Marks)
	case c.s.LogY && c.s.Marks&AsBars != 0:
		return fmt.Errorf("%w: LogY: bars begin at 0, which has no logarithm; AsMeans draws points", mlreg.ErrSetting)
	}
	return nil
}

// noteLogs says what is computed of logarithms.
func (c *chart) noteLogs() {
	if !c.s.LogX && !c.s.LogY {
		return
	}
	switch {
	case c.s.Marks&(AsLinear|AsSmooth) != 0:
		c.notes = append(c.notes, "Lines are fitted on the logarithmic scale.")
	case c.s.Marks&AsMeans != 0:
		c.notes = append(c.notes, "Means are geometric.")
	case c.s.Marks&AsDensity != 0:
		c.notes = append(c.notes, "The density is per decade.")
	}
}

// decades marks an axis of logarithms to base 10 by the numbers: powers of ten or, of few decades, also 2 and
// 5 times powers of ten.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(min, max float64) []plot.Tick {
	low, high := math.Pow(10, min), math.Pow(10, max)
	if !(low > 0) || !check.IsFinite(high) {
		return nil
	}
	ticks := LogTicks{}.Ticks(low, high)
	labels := 0
	for _, t := range ticks {
		if t.Label != "" {
			labels++
		}
	}
	few := max-min < 3 && labels < 4
	for i, t := range ticks {
		if lead := leadingDigit(t.Value); few && t.Label == "" && (lead == 2 || lead == 5) {
			ticks[i].Label = format.Number(t.Value, 1)
		}
		ticks[i].Value = math.Log10(t.Value)
	}
	return ticks
}

// leadingDigit returns the first digit of a number.
func leadingDigit(v float64) int {
	return int(strconv.FormatFloat(v, 'e', 0, 64)[0] - '0')
}

// isLogarithmic reports whether decades mark an axis.
func isLogarithmic(axis *plot.Axis) bool {
	marker := axis.Tick.Marker
	if hidden, ok := marker.(unlabeled); ok {
		marker = hidden.Ticker
	}
	_, ok := marker.(decades)
	return ok
}
