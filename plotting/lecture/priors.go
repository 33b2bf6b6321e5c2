package lecture

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
)

// PriorDensities draws the densities N(0, tau^2) of a weight for several prior
// variances and, beside them, their ridge penalties lambda = sigma^2/tau^2. The
// error is mlreg.ErrNoData without a prior variance, and mlreg.ErrSetting for a
// variance that is not positive and finite.
func PriorDensities(sigma2 float64, tau2 ...float64) (*plotting.Figure, error) {
	if len(tau2) == 0 {
		return nil, check.Nothing("prior densities", "no prior variances")
	}
	for _, v := range append([]float64{sigma2}, tau2...) {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("plotting: prior densities: %w: variances are positive and finite, not %v", mlreg.ErrSetting, v)
		}
	}
	least, most := slices.Min(tau2), slices.Max(tau2)
	reach := 3 * math.Sqrt(most)
	layers := []plotting.Layer{}
	marks := []plotting.Layer{plotting.Curve{F: func(t float64) float64 { return sigma2 / t }, From: least / 2, To: 1.25 * most, Color: plotting.Gray, Name: "λ = σ²/τ²"}}
	for k, v := range tau2 {
		normal := distuv.Normal{Sigma: math.Sqrt(v)}
		layers = append(layers, plotting.Curve{F: normal.Prob, From: -reach, To: reach, Name: "τ² = " + format.Number(v, 4)})
		marks = append(marks, plotting.Points{X: []float64{v}, Y: []float64{sigma2 / v}, Color: plotting.Palette(k), Radius: 4})
	}
	left, err := plotting.Draw(plotting.Labels{Title: "Prior of a weight, N(0, τ²)", X: "w", Y: "density"}, layers...)
	if err != nil {
		return nil, err
	}
	right, err := plotting.Draw(plotting.Labels{Title: "Penalty, for σ² = " + format.Number(sigma2, 4), X: "prior variance τ²", Y: "λ"}, marks...)
	if err != nil {
		return nil, err
	}
	f := plotting.Grid(2, left, right)
	f.Alt = fmt.Sprintf("normal prior densities for prior variances %v, and the penalty sigma^2/tau^2 of each", tau2)
	return f, nil
}

// NormalLaplace draws the normal and the Laplace (double exponential) density
// of mean 0 and the same standard deviation, and their logarithms: a parabola,
// and two straight lines that meet in a peak. The Laplace density is
// exp(-|w|/b)/(2b) with b = sd/sqrt(2). The error is mlreg.ErrSetting for an sd that
// is not positive and finite.
func NormalLaplace(sd float64) (*plotting.Figure, error) {
	if !(sd > 0) || math.IsInf(sd, 1) {
		return nil, fmt.Errorf("plotting: normal and Laplace densities: %w: standard deviation %v", mlreg.ErrSetting, sd)
	}
	normal := distuv.Normal{Sigma: sd}
	laplace := distuv.Laplace{Scale: sd / math.Sqrt2}
	reach := 4 * sd
	left, err := plotting.Draw(plotting.Labels{Title: "Densities", X: "w", Y: "p(w)"},
		plotting.Curve{F: normal.Prob, From: -reach, To: reach, N: 801, Name: "normal"},
		plotting.Curve{F: laplace.Prob, From: -reach, To: reach, N: 801, Name: "Laplace"})
	if err != nil {
		return nil, err
	}
	right, err := plotting.Draw(plotting.Labels{Title: "Their logarithms", X: "w", Y: "ln p(w)"},
		plotting.Curve{F: normal.LogProb, From: -reach, To: reach, N: 801},
		plotting.Curve{F: laplace.LogProb, From: -reach, To: reach, N: 801})
	if err != nil {
		return nil, err
	}
	f := plotting.Grid(2, left, right)
	f.Alt = "normal and Laplace density of standard deviation " + format.Number(sd, 4) + ", and their logarithms"
	return f, nil
}
