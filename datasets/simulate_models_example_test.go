package datasets_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/mlreg"
)

// Murphy's 1,024 models on 20 rows, and what the truth is.
func ExampleAllSubsets() {
	src := rand.NewPCG(16, 13)
	x := must.M1(datasets.NormalDesign(20, 10, 0, src))
	truth := datasets.AllSubsets()
	d := must.M1(truth.Draw(x, src))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.SpikeSlab{Pi0: .1, SlabVar: 100, Noise: mlreg.KnownVariance(1)}, nil))
	fmt.Println(all.Models(), "models; the most probable:", all.MAPModel().Terms)
	fmt.Println("the truth:", must.M1(truth.TrueTerms(d)))
	// Output:
	// 1024 models; the most probable: [x2 x6]
	// the truth: [x2 x3 x6 x8 x9]
}

// Terms that enter with probability 1/4.
func ExampleSpikeSlabModel() {
	truth := must.M1(datasets.SpikeSlabModel(8, 0.25, 4, 1, rand.NewPCG(1, 1)))
	fmt.Printf("%.2f\n", truth.Coef)
	// Output:
	// [0.00 0.00 0.00 0.00 0.00 -0.44 -0.23 0.00]
}

// Neighbours of correlation 0.9.
func ExampleNormalDesign() {
	d := must.M1(datasets.NormalDesign(1000, 3, 0.9, rand.NewPCG(1, 1)))
	var r12, r13 float64
	for i := range d.NObs() {
		r12 += d.X.At(i, 0) * d.X.At(i, 1) / 1000
		r13 += d.X.At(i, 0) * d.X.At(i, 2) / 1000
	}
	fmt.Printf("correlations %.2f and %.2f\n", r12, r13)
	// Output:
	// correlations 0.91 and 0.82
}
