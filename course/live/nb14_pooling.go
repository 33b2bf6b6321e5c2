package live

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Pooling) }

// Pooling is regressions of exam scores for 65 schools, learnt from every sixth pupil, whose
// coefficients have a standard deviation s around those of all schools: from one line for all
// to a line for each.
func Pooling() *Explorable {
	return &Explorable{
		ID: "14.pooling", Title: "How much schools borrow", Seed: 14,
		Params: []Param{{
			Name: "s", Label: "standard deviation s between schools", Min: 0.01, Max: 10, Step: 1.2, Log: true,
			Frames: []float64{0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1, 3, 10}, Default: 0.3,
		}},
		MaxBytes: 900_000,
		FreeAxes: true,
		draw:     drawPooling,
	}
}

// poolingSigma2 is the variance of pupils around the line of their school.
const poolingSigma2 = 0.55

// examSplit are the pupils learnt from, every sixth, and the others.
type examSplit struct {
	train, test           *mlreg.Design
	trainGroup, testGroup *mlreg.Grouping
}

var examHalves = sync.OnceValue(func() *examSplit {
	h := try.Get(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	var train, test []int
	for i := range h.Design.NObs() {
		if i%6 == 0 {
			train = append(train, i)
		} else {
			test = append(test, i)
		}
	}
	return &examSplit{h.Design.Rows(train...), h.Design.Rows(test...), h.Groups.Rows(train...), h.Groups.Rows(test...)}
})

// pooled fits at s and returns the mean squared error on the other pupils.
func (e *examSplit) pooled(s float64) (*hier.MultiTask, float64) {
	fit := try.Get(hier.Fit(e.train, e.trainGroup, &hier.Settings{
		Sigma2: poolingSigma2, Varying: []mlreg.Varying{{Shape: mlreg.EqualVariances, SD: []float64{s}}},
	}))
	p := try.Get(fit.PredictGroups(e.test, e.testGroup, 0.95))
	sum := 0.0
	for i, y := range e.test.Y {
		sum += (y - p.Mean[i]) * (y - p.Mean[i])
	}
	return fit, sum / float64(len(e.test.Y))
}

// pooledErrors are the errors on the other pupils by s.
var pooledErrors kept[struct{}, plotting.Line]

func (e *examSplit) errors(at Point) (curve plotting.Line) {
	for k := range 19 {
		s := math.Pow(10, -2+float64(k)/6)
		_, mse := e.pooled(s)
		curve.X, curve.Y = append(curve.X, s), append(curve.Y, mse)
		at.report(k+1, 19)
	}
	return curve
}

// through is the curve with one point more.
func through(curve plotting.Line, x, y float64) plotting.Line {
	k, found := slices.BinarySearch(curve.X, x)
	if found {
		return curve
	}
	curve.X, curve.Y = slices.Insert(slices.Clone(curve.X), k, x), slices.Insert(slices.Clone(curve.Y), k, y)
	return curve
}

func drawPooling(at Point) *View {
	e := examHalves()
	curve := pooledErrors.at(struct{}{}, func() plotting.Line { return e.errors(at) })
	s := at.Value("s")
	fit, mse := e.pooled(s)
	coefs := try.Get(fit.GroupCoefs("school"))
	var layers []plotting.Layer
	for k, row := range coefs.Rows {
		name := ""
		if k == 0 {
			name = "schools"
		}
		layers = append(layers, plotting.Line{Name: name, X: []float64{-3, 3}, Y: []float64{row.Coef[0] - 3*row.Coef[1], row.Coef[0] + 3*row.Coef[1]},
			Color: plotting.Fade(plotting.Blue, 0.35), Width: 0.8})
	}
	b := fit.Coef()
	layers = append(layers, plotting.Line{X: []float64{-3, 3}, Y: []float64{b[0] - 3*b[1], b[0] + 3*b[1]}, Color: plotting.Vermillion, Dashed: true, Width: 2.2, Name: "b*"})
	left := try.Get(plotting.Draw(plotting.Labels{Title: "A line for each school, from every sixth pupil", X: "score at 11 (s.d.)", Y: "score at 16 (s.d.)"}, layers...))
	left.Y.Min, left.Y.Max = -4, 4
	right := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("s = %.3g: error %.4f", s, mse), X: "s", Y: "mean squared error, other pupils"},
		through(curve, s, mse),
		plotting.Points{X: []float64{s}, Y: []float64{mse}, Color: plotting.Vermillion, Radius: 4}, plotting.LogX{}))
	right.Y.Min, right.Y.Max = 0.58, 0.76
	figure := try.Get(plotting.SideBySide(plotting.Sized(left, 4.4, 3.6), plotting.Sized(right, 4, 3.6)))
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "mean squared error on the other pupils", Value: mse, Digits: 4},
			{Name: "effective coefficients", Value: fit.EffectiveDoF(), Digits: 4},
		},
		Sentence: fmt.Sprintf("With s = %.3g the lines of %d schools take %.3g effective coefficients, and have a mean squared error of %.4f on the other pupils.",
			s, len(coefs.Rows), fit.EffectiveDoF(), mse),
	}
}
