package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Intervals draws the confidence limits of repeated studies side by side, with a
// line at the truth: blue if they contain it, vermillion if not. Limits may be
// infinite, as one-sided limits are. Errors: mlreg.ErrNoData without limits,
// mlreg.ErrNotFinite if the truth or all limits are not finite, mlreg.ErrSetting
// if a limit is NaN, or a lower limit is above its upper limit.
func Intervals(labels Labels, limits []mlreg.Interval, truth float64) (*plot.Plot, error) {
	const what = "intervals"
	if len(limits) == 0 {
		return nil, fmt.Errorf("plotting: %s: %w", what, mlreg.ErrNoData)
	}
	low, high := truth, truth
	for i, l := range limits {
		if !(l.Lower <= l.Upper) {
			return nil, fmt.Errorf("plotting: %s: %w: the limits of row %d are %v and %v", what, mlreg.ErrSetting, i+1, l.Lower, l.Upper)
		}
		for _, v := range []float64{l.Lower, l.Upper} {
			if check.IsFinite(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	if low == high {
		return nil, fmt.Errorf("plotting: %s: %w: the truth is %v, and no other limit is finite", what, mlreg.ErrNotFinite, truth)
	}
	var hold, miss Line // the bars, one after the other with gaps between
	gap := math.NaN()
	missed := 0
	for i, l := range limits {
		bars := &hold
		if truth < l.Lower || truth > l.Upper {
			bars = &miss
			missed++
		}
		x := float64(i + 1)
		bars.X = append(bars.X, x, x, gap)
		bars.Y = append(bars.Y, math.Max(l.Lower, low), math.Min(l.Upper, high), gap)
	}
	hold.Name, hold.Color, hold.Width = fmt.Sprintf("%d hold the truth", len(limits)-missed), Blue, 1.25
	miss.Name, miss.Color, miss.Width = fmt.Sprintf("%d do not", missed), Vermillion, 1.75
	var layers []Layer
	for _, bars := range []Line{hold, miss} {
		if len(bars.X) > 0 {
			layers = append(layers, bars)
		}
	}
	return Draw(labels, append(layers, HLine{Y: truth, Name: "truth", Color: Black})...)
}
