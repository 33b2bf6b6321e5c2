package live

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// LogisticPenalty is the logistic regression of six separated points with an L2 penalty: the
// loss falls for ever with the slope, the penalty grows with its square, and their sum has a
// minimum at every lambda.
func LogisticPenalty() *Explorable {
	return &Explorable{
		ID: "11.penalty", Title: "A penalty brings the maximum back", Seed: 1,
		Params: []Param{{
			Name: "lambda", Label: "λ", Min: 0.001, Max: 10, Step: 1.05, Log: true,
			Frames: []float64{10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001}, Default: 0.1,
		}},
		MaxBytes: 500_000,
		draw:     drawLogisticPenalty,
	}
}

func drawLogisticPenalty(at Point) *View {
	x, y, lambda := sixPoints.x, sixPoints.y, at.Value("lambda")
	d := try.Get(mlreg.NewDesign(mat.NewVecDense(len(x), x), y, "x"))
	fit := try.Get(mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: lambda}))
	slope, intercept, loss := fit.Slopes()[0], fit.Intercept(), -fit.LogLik()
	penalty := lambda * slope * slope
	atOne := sigmoid(intercept + slope)

	left := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("λ = %.4g: P(Y = 1 | x = 1) is %.3g", lambda, atOne), X: "x", Y: "P(Y = 1 | x)"},
		plotting.Curve{F: func(x float64) float64 { return sigmoid(intercept + slope*x) }, From: -4, To: 4},
		plotting.Points{X: x, Y: y, Color: plotting.Black},
		plotting.Points{X: []float64{1}, Y: []float64{atOne}, Color: plotting.Vermillion, Radius: 4.5}))
	const widest = 7.0
	lossAt := func(w float64) float64 { return sumOfLosses(x, y, 0, w) } // by symmetry
	right := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("Least at slope %.3g", slope), X: "slope", Y: "objective"},
		plotting.Curve{F: func(w float64) float64 { return lossAt(w) + lambda*w*w }, From: 0, To: widest, Name: "sum", Color: plotting.Blue},
		plotting.Curve{F: lossAt, From: 0, To: widest, Name: "losses", Color: plotting.Black, Dashed: true},
		plotting.Curve{F: func(w float64) float64 { return lambda * w * w }, From: 0, To: widest, Name: "penalty λ·slope²", Color: plotting.Vermillion, Dashed: true},
		plotting.Points{X: []float64{slope}, Y: []float64{loss + penalty}, Color: plotting.Vermillion, Radius: 4}))
	left.X.Min, left.X.Max, left.Y.Min, left.Y.Max = -4, 4, -0.05, 1.05
	right.X.Min, right.X.Max, right.Y.Min, right.Y.Max = 0, widest, 0, 6
	right.Legend.Top, right.Legend.XOffs, right.Legend.YOffs = true, -8, -4
	if lambda < 0.7 { // the penalty passes the right corner
		right.Legend.Left, right.Legend.XOffs = true, 30
	}
	figure := plotting.Grid(2, left, right)
	figure.Width, figure.Height = 8, 3.2
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "slope", Value: slope, Digits: 4},
			{Name: "P(Y = 1 | x = 1)", Value: atOne, Digits: 4},
			{Name: "sum of losses", Value: loss, Digits: 4},
			{Name: "penalty", Value: penalty, Digits: 4},
		},
		Sentence: fmt.Sprintf("At λ = %.4g the slope is %.3g and P(Y = 1 | x = 1) is %.3g; the losses sum to %.3g and the penalty is %.3g.",
			lambda, slope, atOne, loss, penalty),
	}
}
