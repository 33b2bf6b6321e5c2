package lecture

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
)

// OccamsRazor draws what families of functions expect of data, for orthonormal columns
// q_j, noise of variance sigma2 and weights with the prior N(0, tau2). All that the data
// say about a further column q is z = q'y, of which a family
//
//	without the column expects   z ~ N(0, sigma2),
//	with it                      z ~ N(0, sigma2 + tau2),
//
// so that the ratio of the evidences is that of these densities at z, whatever else the
// data are. The axis is z in standard deviations of the noise, z/sqrt(sigma2). The left
// panel has the densities, the strip below them the color of the
// family that is highest; the right one the log evidence against the family without the
// column, where families compare. (MacKay, Information Theory, Inference, and Learning
// Algorithms, figure 28.3.) There is a family for each of tau2. Errors:
// mlreg.ErrNoData without one, mlreg.ErrSetting for a variance that is not positive and
// finite.
func OccamsRazor(sigma2 float64, tau2 ...float64) (*plotting.Figure, error) {
	if len(tau2) == 0 {
		return nil, check.Nothing("Occam's razor", "no prior variances")
	}
	for _, v := range append([]float64{sigma2}, tau2...) {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("plotting: Occam's razor: %w: variances are positive and finite, not %v", mlreg.ErrSetting, v)
		}
	}
	reach := 3 * math.Sqrt(1+slices.Max(tau2)/sigma2)
	families := []distuv.Normal{{Sigma: 1}} // of z/sigma
	names := []string{"without the feature"}
	for _, v := range tau2 {
		families = append(families, distuv.Normal{Sigma: math.Sqrt(1 + v/sigma2)})
		names = append(names, "with it, τ² = "+format.Number(v, 4))
	}
	var densities []plotting.Layer
	ratios := []plotting.Layer{plotting.HLine{Y: 0, Color: plotting.Palette(0), Solid: true}}
	for k, f := range families {
		densities = append(densities, plotting.Curve{F: f.Prob, From: -reach, To: reach, N: 801, Name: names[k], Color: familyColor(k)})
		if k > 0 {
			ratios = append(ratios, plotting.Curve{F: func(z float64) float64 { return f.LogProb(z) - families[0].LogProb(z) },
				From: -5 * families[0].Sigma, To: 5 * families[0].Sigma, N: 801, Color: familyColor(k)})
		}
	}
	densities = append(densities, strip(families, reach)...)
	left, err := plotting.Draw(plotting.Labels{Title: "What each family expects", X: "z/σ, with z = qᵀy", Y: "p(z/σ | family)"}, densities...)
	if err != nil {
		return nil, err
	}
	right, err := plotting.Draw(plotting.Labels{Title: "Log evidence, with − without", X: "z/σ, with z = qᵀy", Y: "log p(y | with) − log p(y | without)"}, ratios...)
	if err != nil {
		return nil, err
	}
	right.Y.Min, right.Y.Max = -2.5, 6
	f := plotting.Grid(2, left, right)
	f.Alt = fmt.Sprintf("densities of z for a family without a feature and for prior variances %v of its weight, and their log ratios", tau2)
	return f, nil
}

// familyColor is blue for the family without the column, and for those with it orange, the lighter
// the later.
func familyColor(k int) color.Color {
	if k == 0 {
		return plotting.Blue
	}
	return plotting.Fade(plotting.Vermillion, math.Pow(0.5, float64(k-1)))
}

// strip marks, below the axis, which family's density is highest.
func strip(families []distuv.Normal, reach float64) []plotting.Layer {
	best := func(z float64) int {
		k := 0
		for j, f := range families {
			if f.LogProb(z) > families[k].LogProb(z) {
				k = j
			}
		}
		return k
	}
	level := -0.04 * families[0].Prob(0)
	var layers []plotting.Layer
	z := plotting.Range(-reach, reach, 801)
	for start := 0; start < len(z)-1; {
		end := start + 1
		for end < len(z)-1 && best(z[end]) == best(z[start]) {
			end++
		}
		layers = append(layers, plotting.Line{X: []float64{z[start], z[end]}, Y: []float64{level, level},
			Color: familyColor(best(z[start])), Width: 6})
		start = end
	}
	return layers
}
