package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// NamedCalibration is the calibration of a classifier under the name it has in
// the legend.
type NamedCalibration struct {
	Name string
	Rows []mlreg.CalibrationRow
}

// calibrationLevel is that of the limits and of the band of a reliability diagram.
const calibrationLevel = 0.95

// CalibrationPlot draws a reliability diagram of one or several classifiers. For
// each group of rows it draws the fraction f in the second class against the mean
// predicted probability p of that class. Bars are Wilson's limits of the fraction, at
// 95%. The band around the diagonal is where 95% of the fractions are expected if the
// probabilities are true,
//
//	p -+ 1.96 sqrt(sum of p_i (1 - p_i)) / n,
//
// cut off at 0 and 1; for small groups it is approximate.
//
// Errors: mlreg.ErrNoData without groups; mlreg.ErrSetting names a group whose
// numbers are not probabilities, or that has no rows.
//
// Wilson (1927), Journal of the American Statistical Association 22, 209-212.
func CalibrationPlot(sets []NamedCalibration, title string) (*Figure, error) {
	const what = "calibration"
	if len(sets) == 0 {
		return nil, check.Nothing(what, "there is no classifier")
	}
	diagonal := Line{X: []float64{0, 1}, Y: []float64{0, 1}, Color: Gray, Width: 1, Dashed: true, Name: "calibrated"}
	var bands, points []Layer
	var names []string
	for k, set := range sets {
		bars, band, err := calibrationLayers(set)
		if err != nil {
			return nil, fmt.Errorf("plotting: %s: %w", what, err)
		}
		bars.Color, band.Color = Palette(k), Palette(k)
		bands = append(bands, band)
		points = append(points, Line{X: bars.X, Y: bars.Y, Color: Fade(Palette(k), 0.4), Width: 1}, bars)
		names = append(names, given(set.Name)...)
	}
	p, err := Draw(Labels{Title: title, X: "mean predicted probability", Y: "fraction that came true"}, slices.Concat(bands, []Layer{diagonal}, points)...)
	if err != nil {
		return nil, err
	}
	f := unitSquare(p)
	f.Note = "Bars are 95% limits of the fraction. If the probabilities are true, 95% of the fractions are expected in the band."
	f.Alt = captioned(title, "fraction observed against probability predicted")
	if len(names) > 0 {
		f.Alt += ", of " + strings.Join(names, ", ")
	}
	return f, nil
}

// calibrationLayers returns the points of a classifier with their limits, and the band
// of fractions if its probabilities are true.
func calibrationLayers(set NamedCalibration) (bars ErrorBars, band Ribbon, err error) {
	if len(set.Rows) == 0 {
		return bars, band, fmt.Errorf("%w: %q has no groups", mlreg.ErrNoData, set.Name)
	}
	z := dist.NormalQuantile((1 + calibrationLevel) / 2)
	bars.Name, band.Opacity = set.Name, 0.12
	for i, r := range set.Rows {
		if !(r.MeanProb >= 0 && r.MeanProb <= 1 && r.Fraction >= 0 && r.Fraction <= 1 && r.StdErr >= 0 && r.N > 0) {
			return bars, band, fmt.Errorf("%w: group %d of %q has %s, mean probability %v, fraction %v and standard error %v",
				mlreg.ErrSetting, i+1, set.Name, check.Plural(r.N, "row"), r.MeanProb, r.Fraction, r.StdErr)
		}
		lower, upper := wilson(r.Fraction, float64(r.N), calibrationLevel)
		bars.X, bars.Y = append(bars.X, r.MeanProb), append(bars.Y, r.Fraction)
		bars.Lower, bars.Upper = append(bars.Lower, math.Min(lower, r.Fraction)), append(bars.Upper, math.Max(upper, r.Fraction))
		band.Lower = append(band.Lower, math.Max(0, r.MeanProb-z*r.StdErr))
		band.Upper = append(band.Upper, math.Min(1, r.MeanProb+z*r.StdErr))
	}
	band.X = bars.X
	return bars, band, nil
}
