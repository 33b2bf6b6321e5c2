package live

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/rlm"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, FirstLine) }

// firstPoints are the rows of FirstLine, which a reader drags.
var firstPoints = [][2]float64{{1, 1.9}, {2, 2.3}, {3, 3.9}, {4, 3.6}, {5, 5.2}, {6, 5.1}, {7, 6.6}, {8, 7.6}, {9, 3.4}}

// FirstLine is a line through nine points that a reader drags, by least squares with a band of confidence, by least
// absolute deviations and by an MM-estimate. It stands on the first page of the site: where the last point
// is dragged below the line, the first follows it and the third does not.
func FirstLine() *Explorable {
	e := &Explorable{
		ID: "00.first_line", Title: "One point, three estimators", Seed: 1,
		Params: []Param{{Name: "level", Label: "band", Unit: "%", Values: []float64{50, 80, 90, 95, 99}, Default: 95}},
		draw:   drawFirstLine,
	}
	// The last point first: it is the one to drag.
	for i := len(firstPoints) - 1; i >= 0; i-- {
		p := firstPoints[i]
		e.Params = append(e.Params,
			Param{Name: pointName("x", i), Label: fmt.Sprintf("point %d: x", i+1), Min: 0, Max: 10, Step: 0.1, Default: p[0]},
			Param{Name: pointName("y", i), Label: fmt.Sprintf("point %d: y", i+1), Min: 0, Max: 10, Step: 0.1, Default: p[1]})
	}
	return e
}

func pointName(axis string, i int) string { return fmt.Sprint(axis, i+1) }

func drawFirstLine(at Point) *View {
	n := len(firstPoints)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = at.Value(pointName("x", i)), at.Value(pointName("y", i))
	}
	d := try.Get(mlreg.NewDesign(mat.NewDense(n, 1, x), y, "x"))
	least := try.Get(mlreg.FitOLS(d, nil))
	lad := try.Get(quantreg.FitLAD(d, nil))
	mm := try.Get(rlm.Fit(d, nil))
	grid := plotting.Range(0, 10, 101)
	level := at.Value("level")
	band := try.Get(least.ConfidenceBand(&mlreg.Design{X: mat.NewDense(len(grid), 1, grid), Names: d.Names}, level/100))
	layers := []plotting.Layer{plotting.Ribbon{X: grid, Lower: band.Lower, Upper: band.Upper, Color: plotting.Palette(0), Name: fmt.Sprintf("%g%% confidence", level)}}
	view := &View{}
	var slopes []string
	for k, f := range []struct {
		name, by string
		line     lineOf
	}{{"least squares", "least squares", least}, {"least absolute deviations", "least absolute deviations", lad}, {"MM-estimate", "an MM-estimate", mm}} {
		b0, b := f.line.Intercept(), f.line.Slopes()[0]
		layers = append(layers, plotting.Line{X: []float64{0, 10}, Y: []float64{b0, b0 + 10*b}, Color: plotting.Palette(k), Name: f.name})
		view.Numbers = append(view.Numbers, Number{Name: "slope by " + f.name, Value: b, Digits: 3})
		slopes = append(slopes, fmt.Sprintf("%.2f by %s", b, f.by))
	}
	layers = append(layers, plotting.Points{X: x, Y: y, Color: plotting.Gray})
	p := try.Get(plotting.Draw(plotting.Labels{X: "x", Y: "y"}, layers...))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 10, 0, 10
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs = true, true, 8, -4
	for i := n - 1; i >= 0; i-- {
		x, y := pointName("x", i), pointName("y", i)
		view.drag(at, p, fmt.Sprintf("point %d", i+1), func(at Point) (float64, float64) { return at.Value(x), at.Value(y) }, x, y)
	}
	view.Figure = plotting.Sized(p, 5.6, 4.2)
	view.Sentence = fmt.Sprintf("The slope of the line through nine points is %s, %s and %s.", slopes[0], slopes[1], slopes[2])
	return view
}
