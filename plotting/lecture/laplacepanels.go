package lecture

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
)

// LaplacePanels shows Laplace's method in one dimension in two panels: ln p* and
// its parabola ln Q* at the mode, and p* and Q* themselves, over the interval
// given. The areas under the two are Z and its approximation. Values are
// relative to the largest of p*, exp(LogAtMode), which may be outside the range of
// float64. Where p* is 0 there is no line.
//
// Errors: mlreg.ErrNoData without a density or an approximation, mlreg.ErrShape for
// one that is not of one dimension, mlreg.ErrSetting for an empty interval.
func LaplacePanels(logDensity func(x float64) float64, a *mlreg.LaplaceApproximation, from, to float64) (*plotting.Figure, error) {
	if logDensity == nil || a == nil {
		return nil, check.Nothing("Laplace", "the log density or the approximation is nil")
	}
	if a.Dim() != 1 {
		return nil, fmt.Errorf("plotting: Laplace: %w: the approximation has %d dimensions, the panels show one", mlreg.ErrShape, a.Dim())
	}
	mode, top := a.Mode()[0], a.LogAtMode()
	logP := func(x float64) float64 { return logDensity(x) - top }
	logQ := func(x float64) float64 { return a.LogQ([]float64{x}) - top }
	exp := func(f func(x float64) float64) func(x float64) float64 {
		return func(x float64) float64 { return math.Exp(f(x)) }
	}
	left, err := plotting.Draw(plotting.Labels{Title: "ln p* and ln Q*", X: "θ", Y: "less ln p* at the mode"},
		plotting.Curve{F: logP, From: from, To: to, Name: "ln p*"},
		plotting.Curve{F: logQ, From: from, To: to, Name: "ln Q*", Dashed: true}, plotting.VLine{X: mode, Name: "mode"})
	if err != nil {
		return nil, err
	}
	right, err := plotting.Draw(plotting.Labels{Title: "p* and Q*", X: "θ", Y: "relative to p* at the mode"},
		plotting.Curve{F: exp(logP), From: from, To: to, Name: "p*"},
		plotting.Curve{F: exp(logQ), From: from, To: to, Name: "Q*", Dashed: true}, plotting.VLine{X: mode, Name: "mode"})
	if err != nil {
		return nil, err
	}
	f := plotting.Grid(2, left, right)
	f.Alt = fmt.Sprintf("logarithm of a density and its parabola at the mode %s, and the density with its Gaussian approximation", format.Number(mode, 4))
	return f, nil
}
