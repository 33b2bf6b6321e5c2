package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// ShrinkageWeights draws the factors by which a fit shrinks the response along
// each principal component of X, in the order of the singular values s_k:
// s_k^2/(s_k^2 + lambda) for ridge regression, for each lambda, and 1 or 0 for
// principal components regression with the given number of components. (Elements
// of Statistical Learning, 2nd ed., figure 3.17.) Components = 0 leaves the
// latter out. Errors: mlreg.ErrNoData without a path; mlreg.ErrSetting if there
// are more components than singular values, or for a negative lambda, which it
// names.
func ShrinkageWeights(path *mlreg.RidgePath, components int, lambda ...float64) (*plot.Plot, error) {
	if path == nil {
		return nil, check.Nothing("shrinkage weights", "the path is nil")
	}
	n := len(path.SingularValues())
	if components < 0 || components > n {
		return nil, fmt.Errorf("plotting: shrinkage weights: %w: %d components; X has %d", mlreg.ErrSetting, components, n)
	}
	at := Range(1, float64(n), n)
	var layers []Layer
	for k, l := range lambda {
		if !(l >= 0) || math.IsInf(l, 1) {
			return nil, fmt.Errorf("plotting: shrinkage weights: %w: lambda = %v", mlreg.ErrSetting, l)
		}
		weights, c := path.Shrinkage(l), Palette(k)
		layers = append(layers, Line{X: at, Y: weights, Color: Fade(c, 0.5), Width: 1.2},
			Points{X: at, Y: weights, Color: c, Radius: 3.2, Name: "ridge, λ = " + format.Number(l, 4)})
	}
	if k := float64(components); components > 0 {
		layers = append(layers, Line{X: []float64{1, k + 0.5, k + 0.5, float64(n)}, Y: []float64{1, 1, 0, 0}, Color: Black, Dashed: true, Name: "PCR, " + check.Plural(components, "component")})
	}
	p, err := Draw(Labels{Title: "Factors of the principal components", X: "component", Y: "factor"}, layers...)
	if err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Max = -0.04, 1.04
	return p, nil
}
