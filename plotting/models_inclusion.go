package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Models is a posterior distribution over models: *mlreg.Enumeration, which is
// exact, or *mlreg.ModelSample.
type Models interface {
	Response() string
	Terms() []string
	InclusionProb() []float64
	SizeProb() []float64
	SizePrior() []float64
	Best() report.Rows[mlreg.RankedModel]
}

// Inclusions are probabilities of terms: a posterior over models (Models), or
// *assess.Stability, the share of resamples that choose each term.
type Inclusions interface {
	Terms() []string
	InclusionProb() []float64
}

// NamedModels is a posterior over models, or an *assess.Stability, with its name in the
// legend.
type NamedModels struct {
	Name   string
	Models Inclusions
}

// InclusionSettings are the options of InclusionPlot and CompareInclusions.
type InclusionSettings struct {
	// Title stands above; the default is none.
	Title string
	// Truth names the terms of the true model, if known, as in a simulation;
	// the plot marks them.
	Truth []string
	// Sorted puts the most probable term, of the first posterior, on top; the
	// default is the order of the design.
	Sorted bool
}

// InclusionPlot draws the probability of every candidate as a bar, with a line at 1/2: of
// a posterior, the candidates beyond it are the median model. Probabilities from
// sampling, and shares of resamples, have bars of two standard errors. Nil
// settings are the defaults.
//
// Errors: mlreg.ErrNoData if there is no posterior, mlreg.ErrShape if Truth
// names a term that is not a candidate.
func InclusionPlot(m Inclusions, settings *InclusionSettings) (*Figure, error) {
	return CompareInclusions([]NamedModels{{Models: m}}, settings)
}

// CompareInclusions is InclusionPlot for several posteriors, one below the
// other in every row, and a legend with their names. Their candidates may
// differ. Errors are those of InclusionPlot.
func CompareInclusions(all []NamedModels, settings *InclusionSettings) (*Figure, error) {
	const what = "inclusion plot"
	s := check.OrDefaults(settings)
	if len(all) == 0 {
		return nil, check.Nothing(what, "there is no posterior")
	}
	terms, probs, err := inclusionsOf(what, all)
	if err != nil {
		return nil, err
	}
	if s.Sorted {
		terms = sortedBy(terms, func(term string) float64 { return probs[0][term] })
	}

	n := len(terms)
	if n == 0 {
		return nil, check.Nothing(what, "the posterior has no candidates")
	}
	axis, shown, half := inclusionWords(all)
	layers := []Layer{VLine{X: 0.5, Name: half, Solid: false}}
	for k, named := range all {
		layers = append(layers, inclusionBars(named, terms, probs[k], k, len(all))...)
	}
	if len(s.Truth) > 0 {
		truth, err := truthMarks(what, s.Truth, terms)
		if err != nil {
			return nil, err
		}
		layers = append(layers, truth)
	}
	p, err := Draw(Labels{Title: s.Title, X: axis}, layers...)
	if err != nil {
		return nil, err
	}
	rowAxis(p, terms)
	probabilityAxis(p, len(s.Truth) > 0)
	f := Sized(p, singleWidth, math.Min(1.1+float64(n)*math.Max(0.24, 0.14*float64(len(all))), 40))
	f.Alt = captioned(s.Title, fmt.Sprintf("%s of %s; above 1/2: {%s}",
		shown, check.Plural(n, "term"), strings.Join(medianTerms(all[0].Models), " ")))
	return f, nil
}

// inclusionBars are the bars of the k-th of so many posteriors, with the limits of a sampled one.
func inclusionBars(named NamedModels, terms []string, probs map[string]float64, k, count int) []Layer {
	bars := rowBars{name: named.Name, color: Palette(k), height: 0.7 / float64(count)}
	var low, high []float64
	for i, term := range terms {
		p, ok := probs[term]
		if !ok {
			continue
		}
		const spread = 0.7 // of the height of a row
		down := spread*(float64(k)+0.5)/float64(count) - spread/2
		bars.x, bars.y = append(bars.x, p), append(bars.y, float64(len(terms)-i)-down)
		if m, sampled := named.Models.(interface{ InclusionErr() []float64 }); sampled {
			two := 2 * m.InclusionErr()[slices.Index(named.Models.Terms(), term)]
			low, high = append(low, math.Max(p-two, 0)), append(high, math.Min(p+two, 1))
		}
	}
	if low == nil {
		return []Layer{bars}
	}
	return []Layer{bars, hBars{x: bars.x, y: bars.y, lower: low, upper: high, color: look.Ink, radius: 1.2}}
}

// truthMarks marks the terms of the true model right of the rows.
func truthMarks(what string, truth, terms []string) (Points, error) {
	marks := Points{Name: "in the truth", Color: Black, Radius: 3.5, Shape: draw.PyramidGlyph{}}
	for _, term := range truth {
		if !slices.Contains(terms, term) {
			return Points{}, fmt.Errorf("plotting: %s: %w: Truth has %q, which is not a candidate", what, mlreg.ErrShape, term)
		}
	}
	for i, term := range terms {
		if slices.Contains(truth, term) {
			marks.X, marks.Y = append(marks.X, 1.05), append(marks.Y, float64(len(terms)-i))
		}
	}
	return marks, nil
}

// probabilityAxis makes the horizontal axis one of probabilities, with room for truthMarks.
func probabilityAxis(p *plot.Plot, marks bool) {
	p.X.Min, p.X.Max = 0, 1.02
	if marks {
		p.X.Max = 1.09
	}
	p.X.Tick.Marker = quarters
}

// inclusionsOf returns the terms of all posteriors in the order of their first, and of
// each posterior the inclusion probabilities.
func inclusionsOf(what string, all []NamedModels) (terms []string, probs []map[string]float64, err error) {
	for k, named := range all {
		if check.IsNil(named.Models) {
			return nil, nil, fmt.Errorf("plotting: %s: %w: posterior %d of %d is nil", what, mlreg.ErrNoData, k+1, len(all))
		}
		own, p := make(map[string]float64), named.Models.InclusionProb()
		for j, term := range named.Models.Terms() {
			own[term] = p[j]
			if !slices.Contains(terms, term) {
				terms = append(terms, term)
			}
		}
		probs = append(probs, own)
	}
	return terms, probs, nil
}

// inclusionWords names the axis, what it shows, and the line at 1/2.
func inclusionWords(all []NamedModels) (axis, shown, half string) {
	posteriors := 0
	for _, named := range all {
		if _, ok := named.Models.(Models); ok {
			posteriors++
		}
	}
	switch posteriors {
	case 0:
		return "share of resamples that choose the term", "shares of resamples with each", "1/2"
	case len(all):
		return "posterior probability of inclusion", "posterior probabilities of inclusion", "1/2: the median model"
	}
	return "posterior probability of inclusion, or share of resamples", "probabilities of inclusion, or shares of resamples,", "1/2: the median model of a posterior"
}

// medianTerms returns the terms with a probability above 1/2.
func medianTerms(m Inclusions) []string {
	var terms []string
	p := m.InclusionProb()
	for j, term := range m.Terms() {
		if p[j] > 0.5 {
			terms = append(terms, term)
		}
	}
	return terms
}

// rowBars is a layer of horizontal bars from 0, of one height on the page.
type rowBars struct {
	x, y    []float64
	from    []float64 // where they begin; nil is 0
	height  float64
	name    string
	color   color.NRGBA
	opacity float64 // 0 is barOpacity
}

func (l rowBars) addTo(p *plot.Plot, _ *autoColor) error {
	p.Add(l)
	legendEntry(p, l.name, l)
	return nil
}

// Plot implements plot.Plotter.
func (l rowBars) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for i, x := range l.x {
		left, right := trX(l.begin(i)), trX(x)
		if l.from != nil && right < left+leastRange { // to be seen
			left, right = (left+right-leastRange)/2, (left+right+leastRange)/2
		}
		fillBox(c, l.fill(), left, trY(l.y[i]-l.height/2), right, trY(l.y[i]+l.height/2))
	}
}

// DataRange implements plot.DataRanger.
func (l rowBars) DataRange() (xmin, xmax, ymin, ymax float64) {
	for i, x := range l.x {
		xmin, xmax = math.Min(xmin, math.Min(x, l.begin(i))), math.Max(xmax, math.Max(x, l.begin(i)))
	}
	return xmin, xmax, slices.Min(l.y) - l.height/2, slices.Max(l.y) + l.height/2
}

// Thumbnail implements plot.Thumbnailer.
func (l rowBars) Thumbnail(c *draw.Canvas) { thumbBox(c, l.fill()) }

// leastRange is the least width of a bar that does not begin at 0.
const leastRange = vg.Length(1.2)

func (l rowBars) begin(i int) float64 {
	if l.from == nil {
		return 0
	}
	return l.from[i]
}

func (l rowBars) fill() color.NRGBA {
	if l.opacity == 0 {
		return Fade(l.color, barOpacity)
	}
	return Fade(l.color, l.opacity)
}

// barOpacity is the opacity of bars.
const barOpacity = 0.75

// thumbBox draws a bar in a legend.
func thumbBox(c *draw.Canvas, fill color.NRGBA) {
	const inset = vg.Length(1.5)
	fillBox(*c, fill, c.Min.X, c.Min.Y+inset, c.Max.X-2*inset, c.Max.Y-inset)
}

// SizePlot draws the posterior distribution of the number of candidates in the
// model as bars, and its prior as points. Sizes at the end that have next to no
// probability, 0.001 in all, are left out. The error is mlreg.ErrNoData if
// there is no posterior.
func SizePlot(m Models, title string) (*plot.Plot, error) {
	if check.IsNil(m) {
		return nil, check.Nothing("size plot", "the posterior is nil")
	}
	post, prior := m.SizeProb(), m.SizePrior()
	last, tail := len(post)-1, 0.0
	for ; last > 0; last-- {
		if tail += post[last] + prior[last]; tail > 0.001 {
			break
		}
	}
	sizes := Range(0, float64(last), last+1)
	p, err := Draw(Labels{Title: title, X: "number of terms in the model", Y: "probability"},
		Bars{X: sizes, Y: post[:last+1], Name: "posterior", Color: mix(Blue, barOpacity)},
		Line{X: sizes, Y: prior[:last+1], Color: Black, Dashed: true, Width: 1},
		Points{X: sizes, Y: prior[:last+1], Name: "prior", Color: Black})
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max, p.Y.Min = -0.6, float64(last)+0.6, 0
	return p, nil
}
