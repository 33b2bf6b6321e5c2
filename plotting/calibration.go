package plotting

import (
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// NamedCalibration is the calibration of a classifier under the name it has in
// the legend.
type NamedCalibration struct {
	Name string
	Rows []mlreg.CalibrationRow
}

// CalibrationPlot draws a reliability diagram of one or several classifiers. For
// each group of rows it draws the fraction in the second class against the mean
// predicted probability of that class. Bars are two standard errors. If the
// probabilities are well calibrated, most bars reach the diagonal.
//
// Errors: mlreg.ErrNoData without groups; mlreg.ErrSetting names a group whose
// numbers are not probabilities.
func CalibrationPlot(sets []NamedCalibration, title string) (*Figure, error) {
	const what = "calibration"
	if len(sets) == 0 {
		return nil, check.Nothing(what, "there is no classifier")
	}
	layers := []Layer{Line{X: []float64{0, 1}, Y: []float64{0, 1}, Color: Gray, Width: 1, Dashed: true, Name: "calibrated"}}
	var names []string
	for k, set := range sets {
		if len(set.Rows) == 0 {
			return nil, fmt.Errorf("plotting: %s: %w: %q has no groups", what, mlreg.ErrNoData, set.Name)
		}
		bars := ErrorBars{Name: set.Name, Color: Palette(k)}
		for i, r := range set.Rows {
			if !(r.MeanProb >= 0 && r.MeanProb <= 1 && r.Fraction >= 0 && r.Fraction <= 1 && r.StdErr >= 0) {
				return nil, fmt.Errorf("plotting: %s: %w: group %d of %q has mean probability %v, fraction %v and standard error %v",
					what, mlreg.ErrSetting, i+1, set.Name, r.MeanProb, r.Fraction, r.StdErr)
			}
			bars.X, bars.Y = append(bars.X, r.MeanProb), append(bars.Y, r.Fraction)
			bars.Lower = append(bars.Lower, math.Max(0, r.Fraction-2*r.StdErr))
			bars.Upper = append(bars.Upper, math.Min(1, r.Fraction+2*r.StdErr))
		}
		layers = append(layers, Line{X: bars.X, Y: bars.Y, Color: Fade(Palette(k), 0.4), Width: 1}, bars)
		if set.Name != "" {
			names = append(names, set.Name)
		}
	}
	p, err := Draw(Labels{Title: title, X: "mean predicted probability", Y: "fraction that is of the class"}, layers...)
	if err != nil {
		return nil, err
	}
	f := unitSquare(p)
	f.Alt = captioned(title, "fraction observed against probability predicted")
	if len(names) > 0 {
		f.Alt += ", of " + strings.Join(names, ", ")
	}
	return f, nil
}
