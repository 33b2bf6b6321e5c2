package plotting

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// NamedROC is the curve of a classifier with its name in the legend.
type NamedROC struct {
	Name  string
	Curve *mlreg.ROCCurve
}

// ROCSettings are the options of ROCPlot.
type ROCSettings struct {
	// Title stands above; the default is none.
	Title string
	// Threshold, if not 0, marks on every curve the point at which a row is put
	// in the second class if its score is the threshold or more.
	Threshold float64
}

// ROCPlot draws the receiver operating characteristics of one or several
// classifiers: for every threshold, the false positive rate (horizontal) and the
// true positive rate (vertical), where positive is the second class. Guessing
// gives the diagonal; the legend has the areas under the curves. Nil settings
// are the defaults.
//
// Errors: mlreg.ErrNoData without a curve, or for an empty one; mlreg.ErrShape if
// FPR, TPR and thresholds of a curve differ in length.
func ROCPlot(curves []NamedROC, settings *ROCSettings) (*Figure, error) {
	const what = "ROC curves"
	s := check.OrDefaults(settings)
	if len(curves) == 0 {
		return nil, check.Nothing(what, "there is no curve")
	}
	layers := []Layer{Line{X: []float64{0, 1}, Y: []float64{0, 1}, Color: Gray, Width: 1, Dashed: true, Name: "guessing"}}
	var marks []Layer
	var areas []string
	for k, named := range curves {
		c := named.Curve
		if c == nil || len(c.FPR) == 0 {
			return nil, fmt.Errorf("plotting: %s: %w: curve %d of %d is nil or empty", what, mlreg.ErrNoData, k+1, len(curves))
		}
		if len(c.TPR) != len(c.FPR) || len(c.Threshold) != len(c.FPR) {
			return nil, fmt.Errorf("plotting: %s: %w: curve %q has %d, %d and %d values of FPR, TPR and threshold",
				what, mlreg.ErrShape, named.Name, len(c.FPR), len(c.TPR), len(c.Threshold))
		}
		area := "AUC " + format.Decimal(c.AUC, 3)
		areas = append(areas, captioned(named.Name, area))
		x, y := thinnedCurve(c.FPR, c.TPR, rocStep)
		layers = append(layers, Line{X: x, Y: y, Color: Palette(k), Name: captioned(named.Name, area)})
		if s.Threshold != 0 {
			at := reached(c, s.Threshold)
			mark := Points{X: c.FPR[at : at+1], Y: c.TPR[at : at+1], Color: Black, Radius: 3.5}
			if k == 0 {
				mark.Name = "threshold " + format.Number(s.Threshold, 3)
			}
			marks = append(marks, mark)
		}
	}
	p, err := Draw(Labels{Title: s.Title, X: "false positive rate", Y: "true positive rate"}, append(layers, marks...)...)
	if err != nil {
		return nil, err
	}
	f := unitSquare(p)
	f.Alt = captioned(s.Title, "receiver operating characteristic; "+strings.Join(areas, ", "))
	return f, nil
}

// rocStep is how far the line of an ROC curve may be from its points, as a share of an axis: less than
// a dot of print, at 300 to the inch.
const rocStep = 1. / 2048

// thinnedCurve returns points of a line that rises in both coordinates, or stays level in one, such that no point left out
// is farther than step from the line through the others. The points left out between two lie in
// the rectangle of these, one of whose sides is at most step. The end of a level or upright
// run longer than step stays, and so do the ends of the line.
func thinnedCurve(x, y []float64, step float64) (xs, ys []float64) {
	last, corner := 0, 0 // the point kept last, and the end of the level or upright run from it
	keep := func(k int) {
		xs, ys = append(xs, x[k]), append(ys, y[k])
		last, corner = k, k
	}
	keep(0)
	for k := 1; k < len(x); k++ {
		dx, dy := x[k]-x[last], y[k]-y[last]
		for min(dx, dy) > step && k-1 > last {
			if max(x[corner]-x[last], y[corner]-y[last]) > step {
				keep(corner)
			} else {
				keep(k - 1)
			}
			dx, dy = x[k]-x[last], y[k]-y[last]
		}
		if min(dx, dy) == 0 {
			corner = k
		}
	}
	if last < len(x)-1 {
		keep(len(x) - 1)
	}
	return xs, ys
}

// reached returns the last point of a curve whose threshold is not below t.
func reached(c *mlreg.ROCCurve, t float64) int {
	at := 0
	for at+1 < len(c.Threshold) && c.Threshold[at+1] >= t {
		at++
	}
	return at
}

// unitSquare is the figure of a plot of two fractions.
func unitSquare(p *plot.Plot) *Figure {
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Min, axis.Max = -0.02, 1.02
		axis.Tick.Marker = quarters
	}
	f := Sized(p, 5, 4.8)
	f.EqualAxes = true
	return f
}
