package plotting

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// BootstrapPlotSettings are the options of BootstrapPlot.
type BootstrapPlotSettings struct {
	// Title stands above; the default is none.
	Title string
	// Level is that of the limits; the default 0 is 0.95.
	Level float64
	// Kinds are the limits to draw. The default is all that the bootstrap has: studentized
	// ones need standard errors, BCa ones the influence of the rows.
	Kinds []mlreg.IntervalKind
}

// BootstrapPlot draws the distribution of the replicates of one number of a bootstrap, with
// the estimate and, below, its limits of several kinds. The warnings of Boot.Warnings about
// the number stand under it. Nil settings are the defaults.
//
// Errors: mlreg.ErrNoData for a nil bootstrap, mlreg.ErrShape if it has no number of the
// name term, and those of Boot.ConfInt for Kinds that it does not have.
func BootstrapPlot(boot *mlreg.Boot, term string, settings *BootstrapPlotSettings) (*Figure, error) {
	const what = "bootstrap"
	if boot == nil || len(boot.Replicates) == 0 {
		return nil, check.Nothing(what, "there is no bootstrap")
	}
	var s BootstrapPlotSettings
	if settings != nil {
		s = *settings
	}
	if s.Level == 0 {
		s.Level = 0.95
	}
	j := slices.Index(boot.Names, term)
	if j < 0 {
		return nil, fmt.Errorf("plotting: %s: %w: no number %q among %s", what, mlreg.ErrShape, term, format.Line(strings.Join(boot.Names, ", ")))
	}
	all := s.Kinds == nil
	if all {
		s.Kinds = []mlreg.IntervalKind{mlreg.Percentile, mlreg.Basic, mlreg.Normal, mlreg.Studentized, mlreg.BCa}
	}
	// The bars of a Histogram would reach down behind the limits.
	bars := Ribbon{Name: format.Plural(boot.B(), "resample"), Color: Blue, Opacity: 0.45}
	var peak float64
	for _, b := range (Histogram{X: boot.Replicates[j], Density: true}).bins() {
		peak = max(peak, b.Weight)
		bars.X, bars.Lower, bars.Upper = append(bars.X, b.Min, b.Max), append(bars.Lower, 0, 0), append(bars.Upper, b.Weight, b.Weight)
	}
	layers := []Layer{bars}
	below := 0.0
	for k, kind := range s.Kinds {
		limits, err := boot.ConfInt(kind, s.Level)
		if err != nil {
			if all && s.Level > 0 && s.Level < 1 {
				continue
			}
			return nil, fmt.Errorf("plotting: %s: %w", what, err)
		}
		below -= peak / 14
		l := limits[j]
		layers = append(layers, Line{X: []float64{l.Lower, l.Upper}, Y: []float64{below, below}, Color: Palette(k + 1), Width: 3, Name: kind.String()})
	}
	layers = append(layers, HLine{Y: 0, Solid: true}, VLine{X: boot.Estimate[j], Name: "estimate", Color: Black})
	p, err := Draw(Labels{Title: s.Title, X: term, Y: "density"}, layers...)
	if err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Tick.Marker = below-peak/14, plot.ConstantTicks{}
	f := Sized(p, 6.4, 4)
	f.Alt = captioned(s.Title, fmt.Sprintf("distribution of %s over %s, with limits at %s%%", term, format.Plural(boot.B(), "resample"), format.Number(100*s.Level, 4)))
	var notes []string
	for _, w := range boot.Warnings() {
		if w.Term == "" || w.Term == term {
			notes = append(notes, "Warning: "+w.Text+".")
		}
	}
	f.Note = strings.Join(notes, " ")
	return f, nil
}
