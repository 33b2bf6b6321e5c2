package plotting

import (
	"cmp"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// ErrorCurve is an error at every complexity of a model.
type ErrorCurve struct {
	Name   string
	Values []float64
	// NoMinimum leaves the smallest value unmarked. Use it for a training
	// error, which does not tell the right complexity.
	NoMinimum bool
	Color     color.Color // nil is the next of Palette
}

// ErrorCurves draws training and other errors against the complexity of a model,
// such as the degree of a polynomial, the number of terms or a penalty. A ring
// marks the smallest value of a curve, unless it is at one of the ends. Values
// that are NaN or infinite are left out, and on a logarithmic axis values that
// are not positive. Further layers, such as LogY, are drawn beneath.
//
//	plotting.ErrorCurves(plotting.Labels{X: "degree", Y: "squared error"}, degrees, []plotting.ErrorCurve{
//		{Name: "training", Values: train, NoMinimum: true},
//		{Name: "expected", Values: expected},
//	}, plotting.LogY{})
//
// Errors: mlreg.ErrNoData without a curve, or if a curve has no value left;
// mlreg.ErrShape if a curve does not have one value for each complexity; and
// those of Draw.
func ErrorCurves(labels Labels, complexity []float64, curves []ErrorCurve, layers ...Layer) (*plot.Plot, error) {
	if len(curves) == 0 {
		return nil, check.Nothing("error curves", "there is no curve")
	}
	least := math.Inf(-1)
	for _, l := range layers {
		if _, log := l.(LogY); log {
			least = math.SmallestNonzeroFloat64
		}
	}
	var minima Points
	for k, c := range curves {
		what := layerName("error curve", c.Name)
		if err := check.Lengths(what, check.Series{Name: "complexity", Values: complexity}, check.Series{Name: "the error", Values: c.Values}); err != nil {
			return nil, err
		}
		var x, y []float64
		best := 0
		for i, v := range c.Values {
			if !check.IsFinite(v) || v < least {
				continue
			}
			x, y = append(x, complexity[i]), append(y, v)
			if v < y[best] {
				best = len(y) - 1
			}
		}
		if len(y) == 0 {
			return nil, check.Nothing(what, "none of its values can be drawn")
		}
		if !c.NoMinimum && best > 0 && best < len(y)-1 {
			minima.X, minima.Y = append(minima.X, x[best]), append(minima.Y, y[best])
		}
		if c.Color == nil {
			c.Color = Palette(k)
		}
		layers = append(layers, Line{X: x, Y: y, Name: c.Name, Color: c.Color}, Points{X: x, Y: y, Color: c.Color})
	}
	if len(minima.X) > 0 {
		minima.Name, minima.Color, minima.Radius, minima.Shape = "smallest", Black, 5, draw.RingGlyph{}
		layers = append(layers, minima)
	}
	return Draw(labels, layers...)
}

// ExpectedErrors draws the path of mlreg.ExpectedErrorPath against the number of
// columns, from 0: the expected training error, which keeps falling, and the
// expected error on new responses, which is the noise variance sigma^2 (a level
// line), plus the squared bias, plus the variance of the fit; these are the other
// two curves. (Hastie, Tibshirani and Friedman, The Elements of Statistical
// Learning, 2nd ed., section 7.3.) An empty label is the default, which for the
// horizontal axis is "number of columns". Errors are those of ErrorCurves.
func ExpectedErrors(labels Labels, path []mlreg.ExpectedError, layers ...Layer) (*plot.Plot, error) {
	curves := []ErrorCurve{
		{Name: "training error", NoMinimum: true, Color: Green}, {Name: "new responses, same inputs", Color: Purple},
		{Name: "squared bias", NoMinimum: true, Color: Black}, {Name: "variance", NoMinimum: true, Color: Sky},
	}
	columns := make([]float64, len(path))
	for k, e := range path {
		columns[k] = float64(k)
		for c, v := range []float64{e.Training, e.New, e.Bias2, e.Variance} {
			curves[c].Values = append(curves[c].Values, v)
		}
	}
	if len(path) > 0 {
		layers = append(layers, HLine{Y: path[0].New - path[0].Error, Name: "noise σ²"})
	}
	labels.X = cmp.Or(labels.X, "number of columns")
	labels.Y = cmp.Or(labels.Y, "mean squared error")
	return ErrorCurves(labels, columns, curves, layers...)
}
