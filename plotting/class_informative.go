package plotting

import (
	"fmt"
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

// InformativePlot draws the count most informative features of a class (all, if
// there are fewer) as bars of their log odds ratios,
//
//	log [P(x_j = 1 | class)/P(x_j = 0 | class)] - log [P(x_j = 1 | other)/P(x_j = 0 | other)],
//
// the features in favour of the class above, those against it below. The text at
// the end of a bar gives the probabilities of the feature in the class and
// elsewhere.
//
// Errors: those of mlreg.NaiveBayes.Informative; mlreg.ErrNoData without a fit or design;
// mlreg.ErrSetting for a count below 1; mlreg.ErrNotFinite names a feature whose
// ratio is infinite, which can happen without smoothing.
func InformativePlot(f *mlreg.NaiveBayes, class string, count int) (*Figure, error) {
	const what = "informative features"
	if err := checkFilter(what, f, count); err != nil {
		return nil, err
	}
	features, err := f.Informative(class, count)
	if err != nil {
		return nil, err
	}
	other := "other classes"
	if classes := f.Classes(); len(classes) == 2 {
		other = classes[1-slices.Index(classes, class)]
	}
	order := largest(len(features), format.Each(features, func(w mlreg.Feature) float64 { return w.LogOdds }))
	var bars []signedBar
	for _, i := range order {
		w := features[i]
		bars = append(bars, signedBar{w.Term, w.LogOdds, percent(w.InClass) + " | " + percent(w.Elsewhere)})
	}
	fig, err := signedBars(what, bars, Labels{
		Title: fmt.Sprintf("Features that tell most about %s", class),
		X:     fmt.Sprintf("log odds ratio (at the bars: share in %s | share in %s)", class, other),
	}, "for "+class, "against "+class)
	if err != nil {
		return nil, err
	}
	fig.Alt = fmt.Sprintf("log odds ratios of %s; most for %s: %s, most against: %s", check.Plural(len(bars), "feature"), class, bars[0].name, bars[len(bars)-1].name)
	return fig, nil
}

// ExplainPlot explains the predicted class of row i of d, counted from 0. It
// draws the log odds of the second of two classes as a sum of bars: the priors,
// the count features with the largest contributions, and all others together.
// The names of features that the row lacks begin with "no".
//
// Errors: those of mlreg.NaiveBayes.Explain; mlreg.ErrNoData without a fit or design;
// mlreg.ErrSetting for a count below 1 or a row that does not exist;
// mlreg.ErrNotFinite names a feature that makes the row impossible in a class.
func ExplainPlot(f *mlreg.NaiveBayes, d *mlreg.Design, i, count int) (*Figure, error) {
	const what = "explanation"
	if err := checkFilter(what, f, count); err != nil {
		return nil, err
	}
	if d == nil {
		return nil, check.Nothing(what, "the design is nil")
	}
	if i < 0 || i >= d.NObs() {
		return nil, fmt.Errorf("plotting: %s: %w: there is no row %d", what, mlreg.ErrSetting, i)
	}
	evidence, err := f.Explain(d, i)
	if err != nil {
		return nil, err
	}
	prior, classes := f.Prior(), f.Classes()
	bars := []signedBar{{"prior", math.Log(prior[1]) - math.Log(prior[0]), ""}}
	total, rest := bars[0].value, 0.0
	for k, e := range evidence {
		total += e.LogRatio
		if k >= count {
			rest += e.LogRatio
			continue
		}
		name := e.Term
		if !e.Present {
			name = "no " + name
		}
		bars = append(bars, signedBar{name, e.LogRatio, ""})
	}
	if others := len(evidence) - count; others > 0 {
		bars = append(bars, signedBar{check.Plural(others, "other"), rest, ""})
	}
	for k := range bars {
		bars[k].label = format.Signed(bars[k].value)
	}
	fig, err := signedBars(what, bars, Labels{
		Title: fmt.Sprintf("Log odds of %s: %s in all", classes[1], format.Signed(total)),
		X:     "what it adds to the log odds",
	}, "for "+classes[1], "for "+classes[0])
	if err != nil {
		return nil, err
	}
	fig.Alt = fmt.Sprintf("log odds of %s as a sum: %s in all, most by %s", classes[1], format.Signed(total), bars[1].name)
	return fig, nil
}

func checkFilter(what string, f *mlreg.NaiveBayes, count int) error {
	if f == nil {
		return check.Nothing(what, "the fit is nil")
	}
	if count < 1 {
		return fmt.Errorf("plotting: %s: %w: %d features to draw", what, mlreg.ErrSetting, count)
	}
	return nil
}

// percent writes a probability in percent: 0.4%, 12%.
func percent(p float64) string {
	if p < 0.0995 {
		return format.Decimal(100*p, 1) + "%"
	}
	return format.Decimal(100*p, 0) + "%"
}

// signedBar is a horizontal bar to the right or the left of zero, with a label at
// its end.
type signedBar struct {
	name  string
	value float64
	label string
}

// signedBars draws bars, the first on top, in one color to the right of zero and
// in another to the left. The error names a bar that is not finite.
func signedBars(what string, all []signedBar, labels Labels, right, left string) (*Figure, error) {
	names := make([]string, len(all))
	sides := []rowBars{{name: right, color: Vermillion, height: 0.7}, {name: left, color: Blue, height: 0.7}}
	var ends barEnds
	for i, b := range all {
		if !check.IsFinite(b.value) {
			return nil, fmt.Errorf("plotting: %s: %w: the value of %q is %v; it has probability 0 in one of the classes; fit with smoothing above 0", what, mlreg.ErrNotFinite, b.name, b.value)
		}
		names[i] = b.name
		side, y := &sides[0], float64(len(all)-i)
		if b.value < 0 {
			side = &sides[1]
		}
		side.x, side.y = append(side.x, b.value), append(side.y, y)
		ends = append(ends, barEnd{b.value, y, b.label})
	}
	var layers []Layer
	for _, side := range sides {
		if len(side.x) > 0 {
			layers = append(layers, side)
		}
	}
	p, err := Draw(labels, append(layers, VLine{X: 0, Solid: true}, drawn{ends})...)
	if err != nil {
		return nil, err
	}
	rowAxis(p, names)
	room := 0.2 * (p.X.Max - p.X.Min) // for the labels
	if len(sides[0].x) > 0 {
		p.X.Max += room
	}
	if len(sides[1].x) > 0 {
		p.X.Min -= room
	}
	return Sized(p, singleWidth, math.Min(1.3+0.24*float64(len(all)), 40)), nil
}

// barEnd is a text outside of the end of a horizontal bar from 0 to x.
type barEnd struct {
	x, y float64
	text string
}

// barEnds draws them.
type barEnds []barEnd

// Plot implements plot.Plotter.
func (l barEnds) Plot(c draw.Canvas, p *plot.Plot) {
	const gap = vg.Length(4)
	trX, trY := p.Transforms(&c)
	style := look.Text(look.TickSize-1, look.Ink)
	style.YAlign = text.YCenter
	for _, e := range l {
		at := vg.Point{X: trX(e.x) + gap, Y: trY(e.y)}
		style.XAlign = text.XLeft
		if e.x < 0 {
			style.XAlign, at.X = text.XRight, trX(e.x)-gap
		}
		c.FillText(style, at, e.text)
	}
}
