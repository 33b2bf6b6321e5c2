package live

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, PriorInclusion) }

// PriorInclusion is the lecture's example of spike and slab, twenty rows of ten predictors,
// for every prior probability pi0 that a predictor is in: the prior over the sizes of models,
// and the probabilities of the predictors after the data. A reader of the page moves the
// variance of the slab and the correlation of the predictors, too.
func PriorInclusion() *Explorable {
	return &Explorable{
		ID: "06.pi0", Title: "The prior on bits, and what it does", Seed: 16, Random: true,
		Params: []Param{{
			Name: "pi0", Label: "π₀", Min: 0.01, Max: 0.9, Step: 0.01,
			Frames: []float64{0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9}, Default: 0.1,
		},
			{Name: "slab", Label: "slab variance", Min: 1, Max: 1000, Step: math.Pow(10, 0.25), Log: true, Default: 100},
			{Name: "rho", Label: "correlation of neighbors", Min: 0, Max: 0.95, Step: 0.05, Default: 0},
		},
		MaxBytes: 500_000,
		draw:     drawPriorInclusion,
	}
}

// tenTerms draws the data of the lecture's example, whose neighbors have a correlation: seed 16 and 0 are
// the notebook's.
func tenTerms(at Point, rho float64) *mlreg.Design {
	src := at.Source(13)
	x := try.Get(datasets.NormalDesign(20, 10, rho, src))
	return try.Get(datasets.AllSubsets().Draw(x, src))
}

// sumTen sums the models of the lecture's example.
func sumTen(at Point, rho, pi0, slabVar float64) *mlreg.Enumeration {
	d := tenTerms(at, rho)
	return try.Get(mlreg.EnumerateModels(d, mlreg.SpikeSlab{Pi0: pi0, SlabVar: slabVar, Noise: mlreg.KnownVariance(1)}, nil))
}

func drawPriorInclusion(at Point) *View {
	pi0 := at.Value("pi0")
	e := sumTen(at, at.Value("rho"), pi0, at.Value("slab"))
	sizes := plotting.Range(0, 10, 11)
	prior := try.Get(plotting.Draw(plotting.Labels{
		Title: fmt.Sprintf("How many predictors? π₀ = %.4g", pi0), X: "number of predictors in the model", Y: "probability",
	}, plotting.Bars{X: plotting.Range(-0.2, 9.8, 11), Y: e.SizePrior(), Name: "prior", Color: plotting.Gray, Width: 0.36},
		plotting.Bars{X: plotting.Range(0.2, 10.2, 11), Y: e.SizeProb(), Name: "posterior", Width: 0.36}))
	prior.Y.Min, prior.Y.Max = 0, 1
	prior.X.Min, prior.X.Max = -0.6, 10.6
	after := inclusionBars(e)
	figure := plotting.Grid(1, prior, after)
	figure.Width, figure.Height = 6.4, 5.6
	before, then := floats.Dot(sizes, e.SizePrior()), floats.Dot(sizes, e.SizeProb())
	p := e.InclusionProb()
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "predictors expected before the data", Value: before, Digits: 3},
			{Name: "after", Value: then, Digits: 3},
			{Name: "p(x6)", Value: p[5], Digits: 4},
			{Name: "p(x9)", Value: p[8], Digits: 4},
		},
		Sentence: fmt.Sprintf("With π₀ = %.4g, %.2f of ten predictors are expected before the data and %.2f after; x2 is in with probability %.2f, x6 with %.2f, x9 with %.2f.",
			pi0, before, then, p[1], p[5], p[8]),
	}
}

// inclusionBars draws the probabilities of ten predictors, with a triangle above those that are in the truth.
func inclusionBars(e *mlreg.Enumeration) *plot.Plot {
	p := e.InclusionProb()
	at := plotting.Range(1, float64(len(p)), len(p))
	truth := plotting.Points{Name: "in the truth", Color: plotting.Black, Radius: 3.5, Shape: draw.PyramidGlyph{}}
	ticks := make(plot.ConstantTicks, len(p))
	for j, w := range datasets.AllSubsets().Coef {
		ticks[j] = plot.Tick{Value: at[j], Label: e.Terms()[j]}
		if w != 0 {
			truth.X, truth.Y = append(truth.X, at[j]), append(truth.Y, 1.07)
		}
	}
	figure := try.Get(plotting.Draw(plotting.Labels{Title: "Which predictors?", Y: "probability of inclusion"},
		plotting.Bars{X: at, Y: p},
		plotting.HLine{Y: 0.5, Name: "1/2: the median model"}, truth))
	figure.Y.Min, figure.Y.Max = 0, 1.45 // the legend is above
	figure.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.5, Label: "0.5"}, {Value: 1, Label: "1"}}
	figure.X.Min, figure.X.Max, figure.X.Tick.Marker = 0.4, float64(len(p))+0.6, ticks
	return figure
}
