package live

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, SlabVariance) }

// SlabVariance is the lecture's example of spike and slab for slabs of every variance, beside
// BIC: a slab too narrow for the weights leaves every predictor its prior, and one that is too wide
// sends all but the strongest to 0.
func SlabVariance() *Explorable {
	return &Explorable{
		ID: "06.slab", Title: "The wider the slab, the smaller the model", Seed: 16, Random: true,
		Params: []Param{{
			Name: "variance", Label: "variance of the slab", Min: 0.01, Max: 1e6, Step: math.Pow(10, 0.05), Log: true,
			Frames: []float64{0.01, 0.1, 0.3, 1, 3, 10, 100, 1e3, 1e4, 1e6}, Default: 100,
		}},
		MaxBytes: 700_000,
		draw:     drawSlabVariance,
	}
}

// slabs are inclusion probabilities that do not change with the variance of the bars: of x6 and x9 by the
// variance of the slab, and of all terms under BIC.
type slabs struct{ variance, x6, x9, bic []float64 }

var lastSlabs kept[uint64, slabs]

func slabsOf(at Point, d *mlreg.Design) (s slabs) {
	bic := try.Get(mlreg.EnumerateModels(d, mlreg.BICScore{Sigma2: 1, Pi0: 0.1}, nil))
	s.bic = bic.InclusionProb()
	for _, e := range plotting.Range(-2, 6, 33) {
		v := math.Pow(10, e)
		sum := sumTen(at, 0, 0.1, v)
		s.variance, s.x6, s.x9 = append(s.variance, v), append(s.x6, sum.InclusionProb()[5]), append(s.x9, sum.InclusionProb()[8])
	}
	return s
}

func drawSlabVariance(at Point) *View {
	d := tenTerms(at, 0)
	by := lastSlabs.at(at.Seed, func() slabs { return slabsOf(at, d) })
	variance := at.Value("variance")
	now := sumTen(at, 0, 0.1, variance)
	p, byBIC := now.InclusionProb(), by.bic
	curves := try.Get(plotting.Draw(plotting.Labels{
		Title: fmt.Sprintf("Slab of variance %.4g", variance), X: "variance of the slab", Y: "probability of inclusion",
	}, plotting.LogX{},
		plotting.Line{X: by.variance, Y: by.x6, Name: "x6, weight 1.19"},
		plotting.Line{X: by.variance, Y: by.x9, Name: "x9, weight 0.33", Color: plotting.Sky},
		plotting.HLine{Y: byBIC[5], Name: "x6 under BIC", Color: plotting.Blue},
		plotting.HLine{Y: byBIC[8], Name: "x9 under BIC", Color: plotting.Sky},
		plotting.VLine{X: variance, Color: plotting.Black, Solid: true}))
	curves.Y.Min, curves.Y.Max = 0, 1
	bars := inclusionBars(now)
	figure := plotting.Grid(1, curves, bars)
	figure.Width, figure.Height = 6.4, 5.8
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "p(x2)", Value: p[1], Digits: 4}, {Name: "p(x6)", Value: p[5], Digits: 4}, {Name: "p(x9)", Value: p[8], Digits: 4},
			{Name: "p(x6) under BIC", Value: byBIC[5], Digits: 4}, {Name: "p(x9) under BIC", Value: byBIC[8], Digits: 4},
		},
		Sentence: fmt.Sprintf("With a slab of variance %.4g, x2 is in with probability %.2f, x6 with %.2f and x9 with %.2f; under BIC x6 has %.2f and x9 %.2f.",
			variance, p[1], p[5], p[8], byBIC[5], byBIC[8]),
	}
}
