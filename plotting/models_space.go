package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// ModelSpaceSettings are the options of ModelSpace.
type ModelSpaceSettings struct {
	// Title stands above; the default is none.
	Title string
	// Most is the number of best models to show; the default, 0, is all models
	// that the posterior keeps (see mlreg.EnumerateSettings).
	Most int
	// Unsorted leaves the terms in the order of the design; the default is the
	// most probable on top.
	Unsorted bool
	// EqualWidths gives all models one width; the default is a width in
	// proportion to the model's probability.
	EqualWidths bool
}

// ModelSpace draws the best models: a column for each, the best at the left, and
// a row for each term, with a cell where the term is in the model, blue if its
// coefficient there is positive and vermillion if it is negative. The width of a
// column is the probability of its model, so the colored length of a row is the
// probability of its term in these models. The empty width on the right belongs
// to models not shown. The numbers at the right are the probabilities of
// inclusion in all models. Nil settings are the defaults.
//
// R's BMS draws such a figure with image.bma. Errors: mlreg.ErrNoData if there
// is no posterior, mlreg.ErrSetting if Most is negative.
func ModelSpace(m Models, settings *ModelSpaceSettings) (*Figure, error) {
	const what = "model space"
	s := check.OrDefaults(settings)
	if check.IsNil(m) || len(m.Best()) == 0 {
		return nil, check.Nothing(what, "there is no posterior")
	}
	best := m.Best()
	if s.Most < 0 {
		return nil, fmt.Errorf("plotting: %s: %w: Most = %d", what, mlreg.ErrSetting, s.Most)
	}
	if s.Most > 0 {
		best = best[:min(s.Most, len(best))]
	}
	terms, probs := m.Terms(), m.InclusionProb()
	inclusion := make(map[string]float64)
	for j, term := range terms {
		inclusion[term] = probs[j]
	}
	if !s.Unsorted {
		terms = sortedBy(terms, func(term string) float64 { return inclusion[term] })
	}

	space := newModelCells(terms, best, s.EqualWidths)
	for _, term := range terms {
		space.right = append(space.right, format.Decimal(inclusion[term], 2))
	}
	var seen float64
	for _, b := range best {
		seen += b.PostProb
	}
	label := fmt.Sprintf("%s by probability, cumulated: %s of the total", check.Plural(len(best), "model"), format.Decimal(seen, 2))
	if s.EqualWidths {
		label = fmt.Sprintf("%s, the best first, with %s of the total probability", check.Plural(len(best), "model"), format.Decimal(seen, 2))
	}
	p := newBare(s.Title, label, "")
	p.Add(space)
	rowAxis(p, terms)
	p.Y.Min, p.Y.Max = 0.5, float64(len(terms))+0.5+headRow
	p.X.Min, p.X.Max = 0, space.from[len(best)]
	p.X.Tick.Marker = Ticks{}
	if s.EqualWidths {
		p.X.Tick.Marker = cellTicks(nil, len(best), false)
		p.X.Tick.LineStyle.Width = 0
	}
	f := Sized(p, singleWidth, math.Min(1+0.26*(float64(len(terms))+headRow), 40))
	f.cells = true
	f.Alt = captioned(s.Title, fmt.Sprintf("the terms of the %s of highest posterior probability; the best is %s with %s",
		check.Plural(len(best), "model"), format.Set(best[0].Terms), format.Decimal(best[0].PostProb, 3)))
	return f, nil
}

// modelCells is the plotter of ModelSpace.
type modelCells struct {
	terms []string // from the top, at the heights n ... 1
	best  []mlreg.RankedModel
	from  []float64 // left edges of the columns, and the right one of the last
	right []string  // written at the right of the rows
}

const (
	inclusionGap  = vg.Length(6)
	inclusionHead = "p(in)"
	headRow       = 0.8 // height of the line above the cells, in rows
)

// newModelCells returns the cells of models whose widths are their probabilities, or equal.
func newModelCells(terms []string, best []mlreg.RankedModel, equal bool) *modelCells {
	m := &modelCells{terms: terms, best: best}
	total := 0.0
	for _, b := range best {
		m.from = append(m.from, total)
		if equal {
			total++
		} else {
			total += b.PostProb
		}
	}
	m.from = append(m.from, total)
	return m
}

// Plot implements plot.Plotter.
func (m *modelCells) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	n := len(m.terms)
	hair := draw.LineStyle{Color: look.Faint, Width: look.GridWidth}
	for k, b := range m.best {
		x0, x1 := trX(m.from[k]), trX(m.from[k+1])
		if x1-x0 > 3 { // a gap where there is room for one
			x0, x1 = x0+0.3, x1-0.3
		}
		for i, term := range m.terms {
			at := slices.Index(b.Terms, term)
			if at < 0 {
				continue
			}
			fill := Blue
			if b.Coef[at] < 0 {
				fill = Vermillion
			}
			y := float64(n - i)
			fillBox(c, fill, x0, trY(y-0.5)+0.4, x1, trY(y+0.5)-0.4)
		}
	}
	for i := range n + 1 {
		y := trY(float64(i) + 0.5)
		c.StrokeLine2(hair, c.Min.X, y, c.Max.X, y)
	}
	style := p.Y.Tick.Label
	style.XAlign, style.YAlign = text.XLeft, text.YCenter
	for i, s := range m.right {
		fillCentered(c, style, vg.Point{X: c.Max.X + inclusionGap, Y: trY(float64(n - i))}, s)
	}
	y := trY(float64(n) + 0.5 + headRow/2)
	fillCentered(c, style, vg.Point{X: c.Max.X + inclusionGap, Y: y}, inclusionHead)
	x := c.Min.X + 2
	for _, sign := range []struct {
		name string
		fill color.Color
	}{{"positive coefficient", Blue}, {"negative", Vermillion}} {
		const box, gap = vg.Length(9), vg.Length(4)
		fillBox(c, sign.fill, x, y-box/2, x+box, y+box/2)
		fillCentered(c, style, vg.Point{X: x + box + gap, Y: y}, sign.name)
		x += box + 4*gap + style.Width(sign.name)
	}
}

// GlyphBoxes implements plot.GlyphBoxer: it keeps the place of the numbers free.
func (m *modelCells) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	return rightMargin(inclusionGap + 2 + p.Y.Tick.Label.Width(inclusionHead)).GlyphBoxes(p)
}
