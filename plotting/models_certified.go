package plotting

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// CertifiedInclusion draws the limits of every candidate's probability: pale, those that hold
// with certainty; dark, those that hold with probability 1 - Alpha, with the estimate as a
// point. Beside them stand the probabilities by sampling with two Monte Carlo standard
// errors, if sampled is not nil; its candidates may be others. Nil settings are the defaults.
//
// Errors: mlreg.ErrNoData without limits, mlreg.ErrShape if Truth names a term that is not a
// candidate.
func CertifiedInclusion(c *mlreg.CertifiedModels, sampled *mlreg.ModelSample, settings *InclusionSettings) (*Figure, error) {
	const what = "certified inclusion"
	s := check.OrDefaults(settings)
	if c == nil || len(c.Terms()) == 0 {
		return nil, check.Nothing(what, "there are no certified models")
	}
	index := make(map[string]int)
	for j, term := range c.Terms() {
		index[term] = j
	}
	probs, terms := c.InclusionProb(), c.Terms()
	if s.Sorted {
		terms = sortedBy(terms, func(term string) float64 { return probs[index[term]] })
	}
	n := len(terms)
	height := func(i int) float64 { return float64(n - i) }
	sure := rowBars{name: "with certainty", color: Blue, height: 0.62, opacity: 0.25}
	dark := rowBars{name: "with probability " + surely(c.Alpha()), color: Blue, height: 0.62, opacity: barOpacity}
	estimates := Points{Color: Black, Radius: 1.3, Edge: 0.5, Name: "estimate"}
	for i, term := range terms {
		j := index[term]
		sure.add(height(i), c.SureInclusion()[j])
		if c.Proposals() > 0 {
			dark.add(height(i), c.Inclusion()[j])
		}
		if e := c.Inclusion()[j].Estimate; !math.IsNaN(e) {
			estimates.X, estimates.Y = append(estimates.X, e), append(estimates.Y, height(i))
		}
	}
	layers := []Layer{VLine{X: 0.5, Name: "1/2: the median model"}, sure}
	if len(dark.y) > 0 {
		layers = append(layers, dark)
	}
	if len(estimates.X) > 0 {
		layers = append(layers, estimates)
	}
	if sampled != nil {
		layers = append(layers, sampledBars(sampled, terms, height))
	}
	if len(s.Truth) > 0 {
		truth, err := truthMarks(what, s.Truth, terms)
		if err != nil {
			return nil, err
		}
		layers = append(layers, truth)
	}
	p, err := Draw(Labels{Title: s.Title, X: "posterior probability of inclusion"}, layers...)
	if err != nil {
		return nil, err
	}
	rowAxis(p, terms)
	p.Y.Max += 0.7 * float64(len(layers)) // above the rows, for the legend
	probabilityAxis(p, len(s.Truth) > 0)
	f := Sized(p, singleWidth, math.Min(1.1+(float64(n)+0.7*float64(len(layers)))*rowHeight(n), 40))
	f.Alt = captioned(s.Title, fmt.Sprintf("limits of the posterior probabilities of inclusion of %s, the widest %.2g wide", check.Plural(n, "term"), c.Width()))
	return f, nil
}

// add adds a bar between limits at a height.
func (l *rowBars) add(y float64, b mlreg.Bracket) {
	l.y, l.from, l.x = append(l.y, y), append(l.from, b.Lower), append(l.x, b.Upper)
}

// sampledBars are the probabilities of a sample, below the limits of their row.
func sampledBars(m *mlreg.ModelSample, terms []string, height func(i int) float64) hBars {
	bars := hBars{name: "sampled, ± 2 standard errors", color: Orange, radius: 1.4}
	p, e, names := m.InclusionProb(), m.InclusionErr(), m.Terms()
	for i, term := range terms {
		j := slices.Index(names, term)
		if j < 0 {
			continue
		}
		bars.x, bars.y = append(bars.x, p[j]), append(bars.y, height(i)-0.22)
		bars.lower, bars.upper = append(bars.lower, math.Max(p[j]-2*e[j], 0)), append(bars.upper, math.Min(p[j]+2*e[j], 1))
	}
	return bars
}

// rowHeight is the height of a row, in inches: less for many rows, so that forty stay on a screen.
func rowHeight(rows int) float64 { return math.Max(0.16, math.Min(0.24, 6.4/float64(rows))) }

// surely writes 1 - alpha: 1 − 10⁻⁹ if alpha is a power of ten.
func surely(alpha float64) string {
	e := math.Round(math.Log10(alpha))
	if math.Abs(alpha-math.Pow(10, e)) <= 1e-9*alpha {
		return "1 − " + look.PowerOfTen(int(e))
	}
	return fmt.Sprintf("1 − %.2g", alpha)
}
