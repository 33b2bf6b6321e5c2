package live

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Separation, LogisticPenalty) }

// Separation is the logistic regression of seven points, of which the reader moves one. While
// it is among the points of the other class the likelihood has a maximum; the nearer it comes to
// its own class, the steeper is the sigmoid, and once no point is on a wrong side, steeper
// sigmoids fit ever better.
func Separation() *Explorable {
	return &Explorable{
		ID: "11.separation", Title: "When the maximum does not exist", Seed: 1,
		Params: []Param{{
			Name: "seventh", Label: "seventh point at x", Min: 0.5, Max: 3, Step: 0.01,
			Frames: []float64{3, 2.5, 2, 1.7, 1.5, 1.3, 1.2, 1.1, 1.05, 1, 0.8, 0.5}, Default: 1.5,
		}},
		MaxBytes: 600_000,
		draw:     drawSeparation,
	}
}

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
	low, high := -5*w-10, 5*w+10
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

func drawSeparation(at Point) (*View, error) {
	seventh := at.Value("seventh")
	x, y := append([]float64{seventh}, sixPoints.x...), append([]float64{0}, sixPoints.y...)
	d, err := mlreg.NewDesign(mat.NewVecDense(len(x), x), y, "x")
	if err != nil {
		return nil, err
	}
	const steepest = 100
	loss := func(w float64) float64 { return sumOfLosses(x, y, bestIntercept(x, y, w), w) }
	profile := []plotting.Layer{plotting.Curve{F: loss, From: 0.1, To: steepest, N: 200}, plotting.LogX{}}
	var width, least, slope, intercept float64
	var title, sentence string
	fit, err := mlreg.FitLogistic(d, nil)
	var separated *mlreg.SeparationError
	switch {
	case errors.As(err, &separated):
		slope, intercept = steepest, bestIntercept(x, y, steepest)
		if separated.Kind == mlreg.QuasiComplete {
			least = 2 * math.Ln2 // of the two points on the border
		}
		title = "Ever steeper: no estimate"
		sentence = fmt.Sprintf("With the seventh point at x = %.4g the classes are separated (%s): the loss falls for ever with the slope, towards %.3g, and no estimate exists.", seventh, separated.Kind, least)
	case err != nil:
		return nil, err
	default:
		slope, intercept, least = fit.Slopes()[0], fit.Intercept(), -fit.LogLik()
		width = 1 / slope
		title = fmt.Sprintf("Slope %.3g", slope)
		sentence = fmt.Sprintf("With the seventh point at x = %.4g the classes overlap: the loss is least, %.3g, at a slope of %.3g.", seventh, least, slope)
		profile = append(profile, plotting.Points{X: []float64{slope}, Y: []float64{least}, Color: plotting.Vermillion, Radius: 4})
	}
	left, err := plotting.Draw(plotting.Labels{Title: title, X: "x", Y: "P(Y = 1 | x)"},
		plotting.Curve{F: func(x float64) float64 { return sigmoid(intercept + slope*x) }, From: -4, To: 4, N: 1601},
		plotting.Points{X: sixPoints.x, Y: sixPoints.y, Color: plotting.Black},
		plotting.Points{X: x[:1], Y: y[:1], Color: plotting.Vermillion, Radius: 4.5})
	if err != nil {
		return nil, err
	}
	right, err := plotting.Draw(plotting.Labels{Title: fmt.Sprintf("Least sum of losses %.3g", least), X: "slope", Y: "sum of losses, best intercept"}, profile...)
	if err != nil {
		return nil, err
	}
	left.X.Min, left.X.Max, left.Y.Min, left.Y.Max = -4, 4, -0.05, 1.05
	right.X.Min, right.X.Max, right.Y.Min, right.Y.Max = 0.1, steepest, 0, 8
	figure := plotting.Grid(2, left, right)
	figure.Width, figure.Height = 8, 3.2
	view := &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "1/slope", Value: width, Digits: 4},
			{Name: "least sum of losses", Value: least, Digits: 4},
		},
		Sentence: sentence,
	}
	view.drag(at, left, "the seventh point", func(at Point) (x, y float64) { return at.Value("seventh"), 0 }, "seventh")
	return view, nil
}
