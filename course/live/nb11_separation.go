package live

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Separation, LogisticPenalty) }

// Separation is the logistic regression of seven points on a line, which the reader moves: in a notebook
// the seventh only. While classes overlap the likelihood has a maximum; the less they do, the steeper is the
// sigmoid, and once no point is on a wrong side, steeper sigmoids fit ever better.
func Separation() *Explorable {
	e := &Explorable{
		ID: "11.separation", Title: "When the maximum does not exist", Seed: 1,
		Params: []Param{{
			Name: ordinals[6], Label: "seventh point at x", Min: -farthestPoint, Max: farthestPoint, Step: 0.01,
			Frames: []float64{3, 2.5, 2, 1.7, 1.5, 1.3, 1.2, 1.1, 1.05, 1, 0.8, 0.5}, Default: 1.5,
		}},
		MaxBytes: 600_000,
		draw:     drawSeparation,
	}
	for i, x := range sixPoints.x {
		e.Params = append(e.Params, Param{Name: ordinals[i], Label: ordinals[i] + " point at x", Min: -farthestPoint, Max: farthestPoint, Step: 0.01, Default: x})
	}
	return e
}

// farthestPoint is how far from zero a point of Separation can be moved.
const farthestPoint = 3.5

var ordinals = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh"}

// sixPoints are points of two classes on a line that zero separates.
var sixPoints = struct{ x, y []float64 }{[]float64{-3, -2, -1, 1, 2, 3}, []float64{0, 0, 0, 1, 1, 1}}

// sumOfLosses returns the negative log-likelihood of b + w x.
func sumOfLosses(x, y []float64, b, w float64) (sum float64) {
	for i := range x {
		margin := (2*y[i] - 1) * (b + w*x[i])
		sum += math.Max(-margin, 0) + math.Log1p(math.Exp(-math.Abs(margin)))
	}
	return sum
}

// bestIntercept returns the intercept of least loss at a slope: where as many points of the
// second class are expected as there are.
func bestIntercept(x, y []float64, w float64) float64 {
	low, high := -5*math.Abs(w)-10, 5*math.Abs(w)+10
	for range 80 {
		b, excess := (low+high)/2, 0.0
		for i := range x {
			excess += sigmoid(b+w*x[i]) - y[i]
		}
		if excess > 0 {
			high = b
		} else {
			low = b
		}
	}
	return (low + high) / 2
}

func sigmoid(eta float64) float64 { return 1 / (1 + math.Exp(-eta)) }

// lossOfSteepest returns what the loss of separated points falls towards: that of the points on the border, if
// both classes have some there, which any sigmoid takes for one.
func lossOfSteepest(x, y []float64) (loss float64) {
	for _, border := range x {
		var ends [2]struct{ below, at, above float64 } // of the classes
		for i := range x {
			switch e := &ends[int(y[i])]; {
			case x[i] < border:
				e.below++
			case x[i] > border:
				e.above++
			default:
				e.at++
			}
		}
		zero, one := ends[0], ends[1]
		if zero.at > 0 && one.at > 0 && (zero.above+one.below == 0 || zero.below+one.above == 0) {
			n := zero.at + one.at
			loss = zero.at*math.Log(n/zero.at) + one.at*math.Log(n/one.at)
		}
	}
	return loss
}

// separation is what the losses of seven points say of the slope of a sigmoid.
type separation struct {
	slope, intercept, least, width float64 // infinite and unknown slopes are drawn as the steepest
	title, sentence                string
	estimate                       bool // that is drawn
}

// The slopes that are drawn.
const flattestSlope, steepestSlope = 0.1, 100

// separationOf fits the points; a direction of -1 says that the second class is to the left of the first.
func separationOf(x, y []float64, direction float64) (*separation, error) {
	d, err := mlreg.NewDesign(mat.NewVecDense(len(x), x), y, "x")
	if err != nil {
		return nil, err
	}
	where := fmt.Sprintf("With the seventh point at x = %.4g", x[0])
	if !slices.Equal(x[1:], sixPoints.x) {
		where = fmt.Sprintf("With the first class at x = %.4g, %.4g, %.4g and %.4g, and the second at %.4g, %.4g and %.4g,", x[1], x[2], x[3], x[0], x[4], x[5], x[6])
	}
	fit, err := mlreg.FitLogistic(d, nil)
	var separated *mlreg.SeparationError
	s := &separation{}
	switch {
	case slices.Min(x) == slices.Max(x):
		s.intercept, s.least, s.width = math.Log(3./4), 7*math.Log(7)-4*math.Log(4)-3*math.Log(3), math.Inf(1)
		s.title = "Any slope"
		s.sentence = fmt.Sprintf("With all points at x = %.4g every slope has the same loss, %.3g.", x[0], s.least)
	case errors.As(err, &separated):
		s.slope = direction * steepestSlope
		s.intercept = bestIntercept(x, y, s.slope)
		if separated.Kind == mlreg.QuasiComplete {
			s.least = lossOfSteepest(x, y)
		}
		s.title = "Ever steeper: no estimate"
		s.sentence = fmt.Sprintf("%s the classes are separated (%s): the loss falls forever with the slope, towards %.3g, and no estimate exists.", where, separated.Kind, s.least)
	case err != nil:
		return nil, err
	default:
		s.slope, s.intercept, s.least = fit.Slopes()[0], fit.Intercept(), -fit.LogLik()
		if math.Abs(s.slope) < 1e-6 { // of classes with the same mean: 0, but for rounding
			s.slope = 0
		}
		s.width = 1 / s.slope
		s.estimate = math.Abs(s.slope) >= flattestSlope
		s.title = fmt.Sprintf("Slope %.3g", s.slope)
		s.sentence = fmt.Sprintf("%s the classes overlap: the loss is least, %.3g, at a slope of %.3g.", where, s.least, s.slope)
	}
	return s, nil
}

func drawSeparation(at Point) *View {
	x, y := []float64{at.Value("seventh")}, append([]float64{0}, sixPoints.y...)
	for _, name := range ordinals[:6] {
		x = append(x, at.Value(name))
	}
	// The second class is to the right of the first, or to the left: the sigmoid rises, or falls.
	direction, of := 1.0, "slope"
	if 3*(x[0]+x[1]+x[2]+x[3]) > 4*(x[4]+x[5]+x[6]) {
		direction, of = -1, "slope, downwards"
	}
	s := try.Get(separationOf(x, y, direction))
	loss := func(w float64) float64 { return sumOfLosses(x, y, bestIntercept(x, y, direction*w), direction*w) }
	profile := []plotting.Layer{plotting.Curve{F: loss, From: flattestSlope, To: steepestSlope, N: 200}, plotting.LogX{}}
	if s.estimate {
		profile = append(profile, plotting.Points{X: []float64{math.Abs(s.slope)}, Y: []float64{s.least}, Color: plotting.Black, Radius: 4})
	}
	left := try.Get(plotting.Draw(plotting.Labels{Title: s.title, X: "x", Y: "P(Y = 1 | x)"},
		plotting.Curve{F: func(x float64) float64 { return sigmoid(s.intercept + s.slope*x) }, From: -4, To: 4, N: 1601},
		plotting.Points{X: x[1:], Y: y[1:], Color: plotting.Black},
		plotting.Points{X: x[:1], Y: y[:1], Shape: draw.RingGlyph{}, Color: plotting.Black, Radius: 5}))
	right := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("Least sum of losses %.3g", s.least), X: of, Y: "sum of losses, best intercept"}, profile...))
	left.X.Min, left.X.Max, left.Y.Min, left.Y.Max = -4, 4, -0.05, 1.05
	right.X.Min, right.X.Max, right.Y.Min, right.Y.Max = flattestSlope, steepestSlope, 0, 8
	figure := plotting.Grid(2, left, right)
	figure.Width, figure.Height = 8, 3.2
	view := &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "1/slope", Value: s.width, Digits: 4},
			{Name: "least sum of losses", Value: s.least, Digits: 4},
		},
		Sentence: s.sentence,
	}
	for i, name := range slices.Concat(ordinals[6:], ordinals[:6]) {
		view.drag(at, left, "the "+name+" point", func(at Point) (float64, float64) { return at.Value(name), y[i] }, name)
	}
	return view
}
