package plotting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// FamilyPlot compares families, in the order given, in two panels: the natural
// logarithm of their evidence, and their posterior probabilities as bars. x labels
// the horizontal axis, such as "degree". A log evidence of -Inf has no point. The
// error is mlreg.ErrNoData if there is no family.
func FamilyPlot(rows []mlreg.FamilyRow, x string) (*Figure, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("plotting: comparison of families: %w", mlreg.ErrNoData)
	}
	var at, place, evidence, probability []float64
	names := format.Each(rows, func(r mlreg.FamilyRow) string { return r.Name })
	best := 0
	for i, r := range rows {
		at, probability = append(at, float64(i+1)), append(probability, r.PostProb)
		if check.IsFinite(r.LogEvidence) {
			place, evidence = append(place, float64(i+1)), append(evidence, r.LogEvidence)
		}
		if r.PostProb > rows[best].PostProb {
			best = i
		}
	}
	top, err := Draw(Labels{Title: "Log evidence", X: x, Y: "log p(y | family)"},
		Line{X: place, Y: evidence, Color: Fade(Blue, 0.4), Width: 1}, Points{X: place, Y: evidence, Color: Blue, Radius: 3.5})
	if err != nil {
		return nil, err
	}
	bottom, err := Draw(Labels{Title: "Posterior probability", X: x, Y: "p(family | y)"}, Bars{X: at, Y: probability, Color: Blue})
	if err != nil {
		return nil, err
	}
	bottom.Y.Min, bottom.Y.Max = 0, math.Max(bottom.Y.Max, 0.05)
	for _, p := range []*plot.Plot{top, bottom} {
		p.X.Min, p.X.Max, p.X.Tick.Marker = 0.5, float64(len(rows))+0.5, namedTicks(names, fromOne)
	}
	f := Grid(2, top, bottom)
	f.Alt = fmt.Sprintf("log evidence and posterior probability of %d families; the most probable is %s with %s",
		len(rows), rows[best].Name, format.Number(rows[best].PostProb, 3))
	return f, nil
}

// EvidencePlot draws the log evidence along a grid of prior variances tau^2,
// on a logarithmic axis, and beside it the effective number of parameters. Best,
// if it is not nil, is marked in both: the maximum of
// mlreg.EvidenceSurface.Maximize. The error is mlreg.ErrNoData if the path is nil or
// empty.
func EvidencePlot(path *mlreg.EvidencePath, best *mlreg.MaxEvidence) (*Figure, error) {
	if path == nil || len(path.Tau2) == 0 {
		return nil, check.Nothing("evidence", "the path is nil or empty")
	}
	panel := func(title, y string, values []float64, at float64, mark string) (*plot.Plot, error) {
		layers := []Layer{LogX{}, Line{X: path.Tau2, Y: values, Color: Blue}}
		if best != nil && best.Tau2 > 0 {
			layers = append(layers, VLine{X: best.Tau2}, Points{X: []float64{best.Tau2}, Y: []float64{at}, Color: Vermillion, Radius: 4, Name: mark})
		}
		return Draw(Labels{Title: title, X: "prior variance τ²", Y: y}, layers...)
	}
	var at mlreg.MaxEvidence
	var mark string
	if best != nil {
		at, mark = *best, "maximum at τ² = "+format.Number(best.Tau2, 3)
	}
	left, err := panel("Log evidence", "log p(y | τ²)", path.LogEvidence, at.LogEvidence, mark)
	if err != nil {
		return nil, err
	}
	right, err := panel("Effective parameters", "γ", path.EffectiveParameters, at.EffectiveParameters, "γ = "+format.Number(at.EffectiveParameters, 3))
	if err != nil {
		return nil, err
	}
	largest := path.Tau2[path.Best]
	if best != nil && best.Tau2 > 0 {
		largest = best.Tau2
	}
	f := Grid(2, left, right)
	f.Alt = fmt.Sprintf("log evidence and effective parameters against the prior variance from %s to %s; largest at %s",
		format.Number(slices.Min(path.Tau2), 3), format.Number(slices.Max(path.Tau2), 3), format.Number(largest, 3))
	return f, nil
}
