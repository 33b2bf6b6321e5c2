package plotting

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/check"
)

// BootstrapPlotSettings are the options of BootstrapPlot.
type BootstrapPlotSettings struct {
	// Title stands above; the default is none.
	Title string
	// Level is that of the limits; the default 0 is 0.95.
	Level float64
}

// Resamples are the values of numbers on resamples, such as *assess.Boot.
type Resamples interface {
	Replicated(term string) (values []float64, estimate float64, err error)
	Limits(term string, level float64) (report.Rows[mlreg.Interval], error) // by several methods, NaN if they do not exist
	Cautions(term string) []string
}

// BootstrapPlot draws the distribution of the replicates of one number of a bootstrap, with
// the estimate and, below, its limits of every kind that the bootstrap has. Its warnings about
// the number stand under it. Nil settings are the defaults.
//
// Errors: mlreg.ErrNoData for a nil bootstrap, mlreg.ErrShape if it has no number of the
// name term, mlreg.ErrSetting for a Level that is not between 0 and 1.
func BootstrapPlot(boot Resamples, term string, settings *BootstrapPlotSettings) (*Figure, error) {
	const what = "bootstrap"
	if boot == nil {
		return nil, check.Nothing(what, "there is no bootstrap")
	}
	s := check.OrDefaults(settings)
	s.Level = cmp.Or(s.Level, 0.95)
	values, estimate, err := boot.Replicated(term)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	limits, err := boot.Limits(term, s.Level)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	resamples := format.Plural(len(values), "resample")
	// The bars of a Histogram would reach down behind the limits.
	bars := Ribbon{Name: resamples, Color: Blue, Opacity: 0.45}
	var peak float64
	for _, b := range (Histogram{X: values, Density: true}).bins() {
		peak = max(peak, b.Weight)
		bars.X, bars.Lower, bars.Upper = append(bars.X, b.Min, b.Max), append(bars.Lower, 0, 0), append(bars.Upper, b.Weight, b.Weight)
	}
	layers := []Layer{bars}
	below := 0.0
	for k, l := range limits {
		if math.IsNaN(l.Lower) {
			continue
		}
		below -= peak / 14
		layers = append(layers, Line{X: []float64{l.Lower, l.Upper}, Y: []float64{below, below}, Color: Palette(k + 1), Width: 3, Name: l.Term})
	}
	layers = append(layers, HLine{Y: 0, Solid: true}, VLine{X: estimate, Name: "estimate", Color: Black})
	p, err := Draw(Labels{Title: s.Title, X: term, Y: "density"}, layers...)
	if err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Tick.Marker = below-peak/14, plot.ConstantTicks{}
	f := Sized(p, 6.4, 4)
	f.Alt = captioned(s.Title, fmt.Sprintf("distribution of %s over %s, with limits at %s%%", term, resamples, format.Number(100*s.Level, 4)))
	notes := format.Each(boot.Cautions(term), func(text string) string { return "Warning: " + text + "." })
	f.Note = strings.Join(notes, " ")
	return f, nil
}
