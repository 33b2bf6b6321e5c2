package lecture

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

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
		plotting.Curve{F: normal.Prob, From: -reach, To: reach, N: 801, Name: "normal", Color: plotting.Purple},
		plotting.Curve{F: laplace.Prob, From: -reach, To: reach, N: 801, Name: "Laplace", Color: plotting.Black, Dashed: true})
	if err != nil {
		return nil, err
	}
	right, err := plotting.Draw(plotting.Labels{Title: "Their logarithms", X: "w", Y: "ln p(w)"},
		plotting.Curve{F: normal.LogProb, From: -reach, To: reach, N: 801, Color: plotting.Purple},
		plotting.Curve{F: laplace.LogProb, From: -reach, To: reach, N: 801, Color: plotting.Black, Dashed: true})
	if err != nil {
		return nil, err
	}
	f := plotting.Grid(2, left, right)
	f.Alt = "normal and Laplace density of standard deviation " + format.Number(sd, 4) + ", and their logarithms"
	return f, nil
}
