package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// mostPoints is how many models are drawn one by one; of more, the extremes of
// as many stretches are.
const mostPoints = 4096

// ModelProbs draws the posterior probability of every model as a bar, in the
// order of the Gray code, in which neighbors differ by one term. The vertical axis
// ends at cut, so that small probabilities are visible beside large ones. A bar
// beyond it has its probability and terms beside it. With cut = 0 the axis shows
// all. Of more than 4,096 models, the largest and smallest values of 2,048 stretches
// are drawn. (Murphy, Machine Learning: A Probabilistic Perspective, figure 13.1b.)
//
// The error is mlreg.ErrSetting for a cut that is not a probability or if the scores
// were not kept (see Scores of mlreg.EnumerateSettings), and mlreg.ErrNoData if the
// enumeration is nil or was stopped.
func ModelProbs(e *mlreg.Enumeration, cut float64, title string) (*plot.Plot, error) {
	if !(cut >= 0 && cut <= 1) {
		return nil, fmt.Errorf("plotting: model probabilities: %w: the axis is cut at %v; a probability lies between 0 and 1", mlreg.ErrSetting, cut)
	}
	scores, err := grayScores(e)
	if err != nil {
		return nil, err
	}
	probs := make([]float64, len(scores))
	for i, s := range scores {
		probs[i] = math.Exp(s - e.LogNormalizer())
	}
	top := slices.Max(probs)
	cut = cmp.Or(cut, math.Inf(1))
	bars := Stems{Color: Blue, Width: 1.5}
	var high []int // those that reach beyond the cut
	for _, i := range extremes(probs) {
		bars.X, bars.Y = append(bars.X, float64(i)), append(bars.Y, math.Min(probs[i], cut))
		if probs[i] > cut {
			high = append(high, i)
		}
	}
	var notes []Layer
	const most = 7
	for k, i := range high[:min(most, len(high))] {
		left, right := i, len(probs)-i // room on both sides
		if k > 0 {
			left -= high[k-1]
		}
		if k+1 < len(high) {
			right = high[k+1] - i
		}
		side := LowerRight
		if left > right {
			side = LowerLeft
		}
		notes = append(notes, Note{X: float64(i), Y: cut * (1 - 0.075*float64(k)), Side: side,
			Text: format.Decimal(probs[i], 3) + " " + format.Set(e.GrayModel(i))})
	}
	p, err := Draw(Labels{Title: title, X: "model γ, in Gray-code order", Y: "p(γ|y)"}, append([]Layer{bars}, notes...)...)
	if err != nil {
		return nil, err
	}
	p.Y.Max = math.Min(cut, 1.04*top)
	return p, nil
}

// grayScores returns the scores of all models that were visited.
func grayScores(e *mlreg.Enumeration) ([]float64, error) {
	const what = "model probabilities"
	if e == nil {
		return nil, check.Nothing(what, "the enumeration is nil")
	}
	scores, err := e.GrayScores()
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	if !e.Exact() {
		return nil, fmt.Errorf("plotting: %s: %w: the enumeration was stopped after %v models", what, mlreg.ErrNoData, e.Models())
	}
	return scores, nil
}

// extremes returns the positions of the values to draw: all, or the extremes of
// equal stretches, in order.
func extremes(values []float64) []int {
	n := len(values)
	at := make([]int, 0, mostPoints)
	if n <= mostPoints {
		for i := range n {
			at = append(at, i)
		}
		return at
	}
	const stretches = mostPoints / 2
	for k := range stretches {
		low := k * n / stretches
		high := low
		for i := low; i < (k+1)*n/stretches; i++ {
			if values[i] < values[low] {
				low = i
			}
			if values[i] > values[high] {
				high = i
			}
		}
		at = append(at, min(low, high), max(low, high))
	}
	return at
}
