package plotting

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Effect draws what frames.Effects computes: the fit as a function of one predictor,
// the others held, with the confidence band (of a posterior, the credible one), the
// prediction band if the fit has it, and the observations or partial residuals:
//
//	e, err := frames.Effects(ols, df, "wt", 0.95, nil)
//	plotting.Show(plotting.Effect(e))
//
// A numeric predictor has a curve, a factor a point with its limits for every level.
// With By, every group has its color, and no prediction band, for legibility. The
// horizontal axis says at which values the other columns are held. Errors:
// mlreg.ErrNoData for an effect that is nil or has no values, mlreg.ErrShape for one
// whose columns differ in length.
func Effect(e *frames.Effect) (*plot.Plot, error) {
	const what = "effect"
	if e == nil || len(e.Fitted) == 0 {
		return nil, check.Nothing(what, "the effect is nil or has no values")
	}
	n := len(e.Fitted)
	for name, length := range map[string]int{"values": max(len(e.X), len(e.Levels)), "groups": len(e.Groups)} {
		if length != n && (length > 0 || name == "values") {
			return nil, fmt.Errorf("plotting: %s: %w: %d %s and %d fitted values", what, mlreg.ErrShape, length, name, n)
		}
	}
	f := newEffectFigure(e)
	layers := f.observations()
	for k, group := range f.groups {
		layers = append(layers, f.fit(group, Palette(k))...)
	}
	p, err := Draw(Labels{Title: f.title(), X: f.axis(), Y: e.Response}, layers...)
	if err != nil {
		return nil, err
	}
	if e.Levels != nil {
		p.X.Tick.Marker = namedTicks(f.levels, func(i int) float64 { return float64(i) })
		p.X.Min, p.X.Max = -0.6, float64(len(f.levels))-0.4
		p.Y.Max += 0.35 * (p.Y.Max - p.Y.Min) // room for the legend
	}
	return p, nil
}

// effectFigure places an effect on the axes.
type effectFigure struct {
	e      *frames.Effect
	groups []string // one, "", without By
	levels []string // of a factor
}

func newEffectFigure(e *frames.Effect) *effectFigure {
	f := &effectFigure{e: e, groups: distinct(e.Groups), levels: distinct(e.Levels)}
	if e.By == "" {
		f.groups = []string{""}
	}
	return f
}

// distinct returns the values by their first appearance.
func distinct(values []string) []string {
	var out []string
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func (f *effectFigure) title() string {
	title := fmt.Sprintf("Effect of %s on %s", f.e.Over, f.e.Response)
	if f.e.By != "" {
		title += " by " + f.e.By
	}
	return title
}

// axis names the predictor, and where the others are held.
func (f *effectFigure) axis() string {
	const longest = 70
	if len(f.e.Held) == 0 {
		return f.e.Over
	}
	parts := make([]string, len(f.e.Held))
	for i, h := range f.e.Held {
		parts[i] = h.Column + " = " + h.Value
	}
	label := fmt.Sprintf("%s (at %s)", f.e.Over, strings.Join(parts, ", "))
	if len(label) > longest {
		label = fmt.Sprintf("%s (%s held)", f.e.Over, check.Plural(len(parts), "other column"))
	}
	return label
}

// shift sets the groups of a factor, and its observations, beside each other.
func (f *effectFigure) shift(group string) float64 {
	const width = 0.5
	if len(f.groups) < 2 {
		return 0
	}
	k := slices.Index(f.groups, group)
	return width * (float64(k)/float64(len(f.groups)-1) - 0.5)
}

// at returns where a value of the predictor is.
func (f *effectFigure) at(x []float64, levels, groups []string, i int) float64 {
	if f.e.Levels == nil {
		return x[i]
	}
	at := float64(slices.Index(f.levels, levels[i]))
	if groups != nil {
		at += f.shift(groups[i])
	}
	return at
}

// observations are the points below the fit.
func (f *effectFigure) observations() []Layer {
	p := f.e.Points
	var layers []Layer
	for k, group := range f.groups {
		points := Points{Name: "data", Color: Gray, Radius: 1.8}
		if p.Residuals {
			points.Name = "partial residuals"
		}
		if f.e.By != "" {
			points.Name, points.Color = "", Palette(k)
		}
		for i, y := range p.Y {
			if f.e.By == "" || p.Groups[i] == group {
				x := f.at(p.X, p.Levels, p.Groups, i)
				if f.e.Levels != nil {
					x += 0.12 // beside the limits
				}
				points.X, points.Y = append(points.X, x), append(points.Y, y)
			}
		}
		if points.X != nil {
			layers = append(layers, points)
		}
	}
	return layers
}

// fit is the curve of a group with its bands, or its points with limits.
func (f *effectFigure) fit(group string, c color.Color) []Layer {
	e := f.e
	var x []float64
	var rows []int
	for i := range e.Fitted {
		if e.By == "" || e.Groups[i] == group {
			rows = append(rows, i)
			x = append(x, f.at(e.X, e.Levels, e.Groups, i))
		}
	}
	pick := func(values []float64) []float64 {
		out := make([]float64, len(rows))
		for k, i := range rows {
			out[k] = values[i]
		}
		return out
	}
	name := "fit"
	if e.By != "" {
		name = e.By + " = " + group
	}
	var layers []Layer
	if b := e.Prediction; b != nil && e.By == "" {
		layers = append(layers, f.limits(Ribbon{X: x, Lower: pick(b.Lower), Upper: pick(b.Upper), Name: bandName(b), Color: Gray, Opacity: 0.12}, pick(e.Fitted))...)
	}
	if b := e.Confidence; b != nil {
		l := Ribbon{X: x, Lower: pick(b.Lower), Upper: pick(b.Upper), Color: c}
		if e.By == "" {
			l.Name = bandName(b)
		}
		layers = append(layers, f.limits(l, pick(e.Fitted))...)
	}
	if e.Levels != nil {
		return append(layers, Points{X: x, Y: pick(e.Fitted), Name: name, Color: c, Radius: 3.2})
	}
	return append(layers, Line{X: x, Y: pick(e.Fitted), Name: name, Color: c})
}

// limits is the band of a curve, or the limits of the levels of a factor.
func (f *effectFigure) limits(l Ribbon, fitted []float64) []Layer {
	if f.e.Levels == nil {
		return []Layer{l}
	}
	return []Layer{ErrorBars{X: l.X, Y: fitted, Lower: l.Lower, Upper: l.Upper, Name: l.Name, Color: l.Color}}
}

// bandName names a band in a legend: "95% confidence".
func bandName(b *mlreg.Band) string {
	kind, _, _ := strings.Cut(b.Kind.String(), " ")
	return format.Number(100*b.Level, 6) + "% " + kind
}
