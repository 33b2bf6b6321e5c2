package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// CoefPlotSettings are the options of CoefPlot and CompareCoefs.
type CoefPlotSettings struct {
	// Title stands above; the default is none.
	Title string
	// Terms are the terms to show, from the top; the default is all except the
	// intercept, in the order of the fits.
	Terms []string
	// Sorted puts the largest estimate, of the first fit that has the term, on
	// top.
	Sorted bool
	// X names the horizontal axis; the default is "estimate with 95% limits",
	// with the level given.
	X string
}

// NamedFit is a fit with its name in the legend.
type NamedFit struct {
	Name string
	Fit  frames.CoefTable
	// Color is the fit's; the default is the next of Palette.
	Color color.Color
}

// CoefPlot draws the coefficients of a fit with their limits at the given level
// (a forest plot): a row for each term, and a line at zero. It takes any fit with
// a table of coefficients, for example least squares with classical or robust
// standard errors. Terms without estimate or limits (aliased ones) have an empty
// row. Nil settings are the defaults.
//
// Errors: those of the fit's Table; mlreg.ErrShape for a term that no fit has;
// mlreg.ErrNoData if nothing is left to draw.
func CoefPlot(fit frames.CoefTable, level float64, settings *CoefPlotSettings) (*Figure, error) {
	return CompareCoefs([]NamedFit{{Fit: fit}}, level, settings)
}

// CompareCoefs is CoefPlot for several fits: one below the other in every row,
// and a legend with their names. Their terms may differ. Errors are those of
// CoefPlot.
func CompareCoefs(fits []NamedFit, level float64, settings *CoefPlotSettings) (*Figure, error) {
	s := check.OrDefaults(settings)
	tables := make([]map[string]mlreg.CoefRow, len(fits))
	var terms []string
	for k, f := range fits {
		if check.IsNil(f.Fit) {
			return nil, fmt.Errorf("plotting: coefficient plot: %w: fit %d of %d is nil", mlreg.ErrNoData, k+1, len(fits))
		}
		rows, err := f.Fit.Table(level)
		if err != nil {
			return nil, err
		}
		tables[k] = make(map[string]mlreg.CoefRow, len(rows))
		for _, r := range rows {
			tables[k][r.Term] = r
			if r.Term != mlreg.InterceptName && !slices.Contains(terms, r.Term) {
				terms = append(terms, r.Term)
			}
		}
	}
	if s.Terms != nil {
		terms = slices.Clone(s.Terms)
	}
	first := func(term string) (mlreg.CoefRow, bool) {
		for _, t := range tables {
			if r, ok := t[term]; ok {
				return r, true
			}
		}
		return mlreg.CoefRow{}, false
	}
	for _, term := range terms {
		if _, ok := first(term); !ok {
			return nil, fmt.Errorf("plotting: coefficient plot: %w: no fit has the term %q", mlreg.ErrShape, term)
		}
	}
	if s.Sorted {
		terms = sortedBy(terms, func(term string) float64 {
			r, _ := first(term)
			return r.Estimate
		})
	}
	return drawCoefs(fits, tables, terms, level, s)
}

// drawCoefs draws the first term on top, at height len(terms).
func drawCoefs(fits []NamedFit, tables []map[string]mlreg.CoefRow, terms []string, level float64, s CoefPlotSettings) (*Figure, error) {
	n, m := len(terms), len(fits)
	layers := []Layer{VLine{X: 0}}
	for k, f := range fits {
		bars := hBars{name: f.Name, color: f.Color, radius: 3.2}
		if bars.color == nil {
			bars.color = Palette(k)
		}
		for i, term := range terms {
			r, ok := tables[k][term]
			if !ok || !check.IsFinite(r.Estimate) || !check.IsFinite(r.Lower) || !check.IsFinite(r.Upper) {
				continue
			}
			const spread = 0.6 // of the height of a row
			down := spread*(float64(k)+0.5)/float64(m) - spread/2
			bars.x, bars.lower, bars.upper = append(bars.x, r.Estimate), append(bars.lower, r.Lower), append(bars.upper, r.Upper)
			bars.y = append(bars.y, float64(n-i)-down)
		}
		if len(bars.x) > 0 {
			layers = append(layers, bars)
		}
	}
	if len(layers) == 1 {
		return nil, check.Nothing("coefficient plot", "no term has an estimate with limits")
	}
	x := cmp.Or(s.X, "estimate with "+format.Number(100*level, 6)+"% limits")
	p, err := Draw(Labels{Title: s.Title, X: x}, layers...)
	if err != nil {
		return nil, err
	}
	rowAxis(p, terms)
	f := Sized(p, singleWidth, math.Min(1.1+float64(n)*math.Max(0.3, 0.16*float64(m)), 40))
	f.Alt = captioned(s.Title, fmt.Sprintf("coefficients with %s%% limits of %s", format.Number(100*level, 6), check.Plural(n, "term")))
	return f, nil
}

// hBars is points with a horizontal bar each.
type hBars struct {
	x, y, lower, upper []float64
	name               string
	color              color.Color
	radius             float64
}

func (l hBars) addTo(p *plot.Plot, auto *autoColor) error {
	limits := make(plotter.XErrors, len(l.x))
	for i := range limits {
		limits[i].Low, limits[i].High = l.x[i]-l.lower[i], l.upper[i]-l.x[i]
	}
	bars, err := plotter.NewXErrorBars(struct {
		plotter.XYs
		plotter.XErrors
	}{points(l.x, l.y), limits})
	if err != nil {
		return fmt.Errorf("plotting: coefficient plot: %w", err)
	}
	bars.LineStyle = draw.LineStyle{Color: l.color, Width: look.LineWidth}
	bars.CapWidth = vg.Points(5)
	p.Add(bars)
	return Points{X: l.x, Y: l.y, Name: l.name, Color: l.color, Radius: l.radius}.addTo(p, auto)
}
