package plotting

import (
	"fmt"
	"image/color"
	"slices"
	"unicode/utf8"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// SlopedFit is a fit with a slope for every term, as all linear fits of mlreg are.
type SlopedFit interface {
	Names() []string // the intercept first, if there is one
	Slopes() []float64
}

// NamedSlopes is a fit with the name of its panel.
type NamedSlopes struct {
	Name string
	Fit  SlopedFit
}

// CoefBars draws the slopes of several fits with the same terms as bars, one panel
// below the other on common axes. The titles say how many slopes are zero. Slopes
// are in the units of the fits; compare terms only if the predictors are scaled.
//
// Errors: mlreg.ErrNoData without a fit, or for one that is nil; mlreg.ErrShape
// names a fit whose terms differ from those of the first; mlreg.ErrNotFinite
// names a fit with a slope that is not finite (an aliased term).
func CoefBars(fits ...NamedSlopes) (*Figure, error) {
	if len(fits) == 0 {
		return nil, check.Nothing("coefficient bars", "no fits")
	}
	f := &Figure{ShareX: true, Width: singleWidth, Height: 0.5 + 1.9*float64(len(fits))}
	var terms []string
	for k, fit := range fits {
		if check.IsNil(fit.Fit) {
			return nil, fmt.Errorf("plotting: coefficient bars: %w: fit %q is nil", mlreg.ErrNoData, fit.Name)
		}
		slopes, names := fit.Fit.Slopes(), fit.Fit.Names()
		names = names[len(names)-len(slopes):]
		if k == 0 {
			terms = names
		}
		if !slices.Equal(names, terms) {
			return nil, fmt.Errorf("plotting: coefficient bars: %w: the terms of %q are %q, those of %q are %q", mlreg.ErrShape, fit.Name, names, fits[0].Name, terms)
		}
		p, err := barPanel(fit.Name, slopes, terms, Palette(k))
		if err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, []*plot.Plot{p})
		if f.Alt != "" {
			f.Alt += ", "
		}
		f.Alt += fmt.Sprintf("%s with %d of %s", fit.Name, zeros(slopes), check.Plural(len(slopes), "slope")+" zero")
	}
	f.Alt = "coefficients as bars: " + f.Alt
	sameHeights(f.plots())
	return f, nil
}

func zeros(v []float64) int {
	n := 0
	for _, b := range v {
		if b == 0 {
			n++
		}
	}
	return n
}

// barPanel draws the bars of a fit, with the names of the terms below them as long
// as there is room.
func barPanel(name string, slopes []float64, terms []string, c color.Color) (*plot.Plot, error) {
	at := Range(1, float64(len(slopes)), len(slopes))
	letters := 0
	for _, term := range terms {
		letters += utf8.RuneCountInString(term) + 2
	}
	title := fmt.Sprintf("%s: %d of %d are zero", name, zeros(slopes), len(slopes))
	p, err := Draw(Labels{Title: title, Y: "coefficient"}, HLine{Y: 0, Solid: true}, Bars{X: at, Y: slopes, Color: c})
	if err != nil {
		return nil, fmt.Errorf("%w (%q)", err, name)
	}
	p.X.Min, p.X.Max = 0.4, float64(len(slopes))+0.6
	if letters <= 85 {
		p.X.Tick.Marker = namedTicks(terms, fromOne)
	} else {
		p.X.Label.Text = "term"
	}
	return p, nil
}
