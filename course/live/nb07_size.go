package live

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, GreedySize) }

// GreedySize fits a bump and a valley, seen at fifty noisy points, by functions chosen one
// after the other from a thousand random cosines: the surface by the number of functions, the
// errors on the fifty points and on five hundred others, and a criterion of the fifty points
// with the number that it chooses of none to forty. Cp has the true variance of the noise;
// cross-validation has ten folds, and chooses the functions anew in each.
func GreedySize() *Explorable {
	return &Explorable{
		ID: "07.size", Title: "How many functions?", Seed: 76, Random: true,
		Params: []Param{
			{
				Name: "functions", Label: "functions chosen", Min: 1, Max: 40, Step: 1,
				Frames: []float64{1, 3, 7, 15, 40}, Default: 7,
			},
			{Name: "criterion", Label: "criterion", Values: []float64{0, 1, 2, 3, 4}, Texts: sizeCriteria, Frames: []float64{0, 2, 4}, Default: 0},
		},
		MaxBytes: 900_000,
		FreeAxes: true, // those of the criterion
		draw:     drawGreedySize,
	}
}

// sizeCriteria are the criteria of GreedySize, in the order of its parameter.
var sizeCriteria = []string{"AIC", "BIC", "Cp", "adjusted R²", "cross-validation"}

// bumpSigma is the standard deviation of the noise about the surface.
const bumpSigma = 0.1

// bumpAndValley is the surface that the notebook's dictionary fits.
func bumpAndValley(a, b float64) float64 {
	return math.Exp(-(a-1)*(a-1)-b*b) - math.Exp(-(a+1)*(a+1)-b*b)
}

func drawBumps(n int, src rand.Source) (*mat.Dense, []float64) {
	rng := rand.New(src)
	x, y := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		a, b := 6*rng.Float64()-3, 4*rng.Float64()-2
		x.SetRow(i, []float64{a, b})
		y[i] = bumpAndValley(a, b) + bumpSigma*rng.NormFloat64()
	}
	return x, y
}

// greedyBumps is the choice of forty functions, and the points it was made on.
type greedyBumps struct {
	train *mlreg.Design
	x     *mat.Dense
	fit   *mlreg.Greedy
	// heights are the surfaces of one, two ... functions at the nodes of a grid, in turn along x2.
	heights [][]float64
}

// bumpNodes is the number of nodes along each side of the grid, which are the corners of the contours.
const bumpNodes = 41

func fitBumps(at Point) (g greedyBumps) {
	h := try.Get(mlreg.NewRandomCosines(2, 1000, 0.8, at.Source(9)))
	x, y := drawBumps(50, at.Source(1))
	g.train = try.Get(mlreg.Expand(h, x, y))
	g.x = x
	x, y = drawBumps(500, at.Source(2))
	test := try.Get(mlreg.ExpandLike(g.train, x, y))
	g.fit = try.Get(mlreg.FitGreedy(g.train, &mlreg.GreedySettings{MaxTerms: 40, Test: test}))
	grid := mat.NewDense(bumpNodes*bumpNodes, 2, nil)
	for i := range bumpNodes {
		for j := range bumpNodes {
			grid.SetRow(i*bumpNodes+j, []float64{-3 + 6*float64(i)/(bumpNodes-1), -2 + 4*float64(j)/(bumpNodes-1)})
		}
	}
	rows := try.Get(mlreg.ExpandLike(g.train, grid, nil))
	for k := range g.fit.Size() {
		height := try.Get(g.fit.Predict(rows, k+1))
		g.heights = append(g.heights, height)
	}
	return g
}

// sizeChoice is a criterion by the number of functions, and the number that it chooses.
type sizeChoice struct {
	values []float64
	best   int
}

// sizeCriterion returns a criterion of the models of none, one, two ... functions, and the
// number of functions of the best.
func (g greedyBumps) sizeCriterion(criterion int, at Point) (values []float64, best int) {
	if sizeCriteria[criterion] == "cross-validation" {
		folds := try.Get(mlreg.KFold(g.train.NObs(), 10, at.Source(3)))
		cv := try.Get(mlreg.FitGreedyCV(g.train, folds, &mlreg.GreedySettings{MaxTerms: g.fit.Size()}, nil))
		return cv.Mean(), cv.SizeMin()
	}
	chosen := try.Get(g.train.Select(g.fit.Terms()...))
	models := try.Get(mlreg.OrderedModels(chosen, bumpSigma*bumpSigma, g.fit.Terms()...))
	for k, m := range models {
		v := []float64{m.AIC, m.BIC, m.Cp, m.AdjR2}[criterion]
		values = append(values, v)
		if sizeCriteria[criterion] == "adjusted R²" && v > values[best] || sizeCriteria[criterion] != "adjusted R²" && v < values[best] {
			best = k
		}
	}
	return values, best
}

var (
	lastBumps  kept[uint64, greedyBumps]
	lastChoice [5]kept[uint64, sizeChoice] // of each criterion
)

func drawGreedySize(at Point) *View {
	g := lastBumps.at(at.Seed, func() greedyBumps { return fitBumps(at) })
	k := int(math.Round(at.Value("functions")))
	fitted := g.drawFit(k)
	errors := g.drawErrors(k)
	chosen := int(at.Value("criterion"))
	name := sizeCriteria[chosen]
	choice := lastChoice[chosen].at(at.Seed, func() (c sizeChoice) {
		c.values, c.best = g.sizeCriterion(chosen, at)
		return c
	})
	values, best := choice.values, choice.best
	criterion := choice.draw(name, k)
	criterion.X.Min, criterion.X.Max = errors.X.Min, errors.X.Max
	figure := plotting.Grid(3, errors, fitted, criterion)
	figure.Width, figure.Height = 10.5, 4.2
	step := g.fit.Steps()[k-1]
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "training error", Value: step.TrainError, Digits: 3},
			{Name: "test error", Value: step.TestError, Digits: 3},
			{Name: "criterion", Value: values[k], Digits: 3},
			{Name: "chosen by the criterion", Unit: "functions", Value: float64(best), Digits: 2},
		},
		Sentence: fmt.Sprintf("With %d functions the mean squared error is %.3g on the fifty training points and %.3g on 500 others; the noise has variance %g. By %s, %s here, the number chosen is %d.",
			k, step.TrainError, step.TestError, bumpSigma*bumpSigma, name, format.Number(values[k], 3), best),
	}
}

// drawFit draws the surface of the first k functions, with the truth.
func (g *greedyBumps) drawFit(k int) *plot.Plot {
	surface := func(a, b float64) float64 {
		i, j := math.Round((a+3)/6*(bumpNodes-1)), math.Round((b+2)/4*(bumpNodes-1))
		return g.heights[k-1][int(i)*bumpNodes+int(j)]
	}
	over := plotting.Rect{XMin: -3, XMax: 3, YMin: -2, YMax: 2}
	up, down := []float64{0.2, 0.4, 0.6, 0.8}, []float64{-0.8, -0.6, -0.4, -0.2}
	both := append(append([]float64{}, down...), up...)
	p := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("%d of 1,000 functions", k), X: "x₁", Y: "x₂"},
		plotting.Contours{F: bumpAndValley, Over: over, N: bumpNodes, Levels: both, Color: plotting.Fade(plotting.Gray, 0.6), Name: "truth"},
		plotting.Contours{F: surface, Over: over, N: bumpNodes, Levels: up, Color: plotting.Blue, Name: "fit: 0.2, 0.4, 0.6, 0.8"},
		plotting.Contours{F: surface, Over: over, N: bumpNodes, Levels: down, Color: plotting.Vermillion, Name: "fit: −0.2, −0.4, −0.6, −0.8"},
		plotting.Points{X: mat.Col(nil, 0, g.x), Y: mat.Col(nil, 1, g.x), Color: plotting.Fade(plotting.Black, 0.5), Name: "the fifty points"}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -3.1, 3.1, -2.1, 2.1
	return p
}

// drawErrors draws the errors by the number of functions, with a line at k.
func (g *greedyBumps) drawErrors(k int) *plot.Plot {
	steps := g.fit.Steps()
	size := plotting.Range(1, float64(len(steps)), len(steps))
	train, test := make([]float64, len(steps)), make([]float64, len(steps))
	for i, s := range steps {
		train[i], test[i] = s.TrainError, s.TestError
	}
	least := floats.MinIdx(test)
	p := try.Get(plotting.ErrorCurves(plotting.Labels{Title: "Errors", X: "functions chosen", Y: "mean squared error"}, size,
		[]plotting.ErrorCurve{{Name: "50 training points", Values: train, NoMinimum: true}, {Name: "500 other points", Values: test, NoMinimum: true}},
		plotting.Points{X: []float64{size[least]}, Y: []float64{test[least]}, Color: plotting.Black, Radius: 5, Shape: draw.RingGlyph{}, Name: "least error on other points"},
		plotting.LogY{}, plotting.HLine{Y: bumpSigma * bumpSigma, Name: "noise variance"}, plotting.VLine{X: float64(k), Color: plotting.Black, Solid: true}))
	p.X.Min = 0
	return p
}

// draw draws the criterion of that name by the number of functions, with a line at k.
func (c sizeChoice) draw(name string, k int) *plot.Plot {
	curve := []plotting.Layer{
		plotting.Line{X: plotting.Range(0, float64(len(c.values)-1), len(c.values)), Y: c.values},
		plotting.VLine{X: float64(k), Color: plotting.Black, Solid: true},
		plotting.Points{X: []float64{float64(c.best)}, Y: []float64{c.values[c.best]}, Color: plotting.Black, Radius: 5, Shape: draw.RingGlyph{}, Name: fmt.Sprintf("chosen: %d", c.best)},
	}
	label := name
	if name == "cross-validation" {
		curve, label = append(curve, plotting.LogY{}), "cross-validated error"
	}
	return try.Get(plotting.Draw(plotting.Labels{Title: "Choice by " + name, X: "functions chosen", Y: label}, curve...))
}
