package lecture

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Subgradients draws a convex function and lines f(x0) + g (x - x0) that touch it
// at x0 and nowhere lie above it: each slope g is a subgradient of f at x0. Where f
// is smooth there is one, the derivative; at a kink they are all from the slope
// on the left to that on the right. (Murphy, Machine Learning: A Probabilistic
// Perspective, figure 13.4.)
//
// The error names a slope whose line is above f somewhere between from and to,
// which is no subgradient.
func Subgradients(f func(x float64) float64, x0 float64, slopes []float64, from, to float64) (*plot.Plot, error) {
	if f == nil || len(slopes) == 0 {
		return nil, check.Nothing("subgradients", "no function, or no slopes")
	}
	if !(from < x0 && x0 < to) || math.IsInf(to-from, 0) {
		return nil, fmt.Errorf("plotting: subgradients: %w: x0 = %v is not between %v and %v", mlreg.ErrSetting, x0, from, to)
	}
	x := plotting.Range(from, to, 401)
	y, at := format.Each(x, f), f(x0)
	low, high := math.Min(at, slices.Min(y)), math.Max(at, slices.Max(y))
	var layers []plotting.Layer
	for k, g := range slopes {
		line := func(x float64) float64 { return at + g*(x-x0) }
		for i := range x {
			if v := line(x[i]); v > y[i]+1e-9*math.Max(high-low, math.Abs(v)) {
				return nil, fmt.Errorf("plotting: subgradients: %w: the slope %v is no subgradient at %v: its line is above the function at %v", mlreg.ErrSetting, g, x0, format.Number(x[i], 4))
			}
		}
		layers = append(layers, plotting.Line{X: []float64{from, to}, Y: []float64{line(from), line(to)}, Color: plotting.Palette(k + 1), Width: 1.2, Name: "slope " + format.Number(g, 3)})
	}
	layers = append(layers, plotting.Line{X: x, Y: y, Color: plotting.Blue, Width: 2.4, Name: "f(x)"},
		plotting.VLine{X: x0}, plotting.Points{X: []float64{x0}, Y: []float64{at}, Color: plotting.Black, Radius: 4})
	p, err := plotting.Draw(plotting.Labels{X: "x", Y: "f(x)"}, layers...)
	if err != nil {
		return nil, err
	}
	p.Title.Text = "Subgradients at x₀ = " + format.Number(x0, 3)
	p.Y.Min, p.Y.Max = low-0.35*(high-low), high+0.05*(high-low)
	return p, nil
}
