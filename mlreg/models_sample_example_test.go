package mlreg_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Forty terms, of which three matter, have 2^40 models, which are sampled.
func ExampleSampleModels() {
	rnd := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(100, 40, nil), make([]float64, 100)
	for i := range y {
		for j := range 40 {
			x.Set(i, j, rnd.NormFloat64())
		}
		y[i] = x.At(i, 3) - 0.6*x.At(i, 11) + 0.45*x.At(i, 30) + rnd.NormFloat64()
	}
	d := must.M1(mlreg.NewDesign(x, y))
	sample := must.M1(mlreg.SampleModels(d, mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 1}, rand.NewPCG(3, 4), &mlreg.SampleModelsSettings{Sweeps: 1000}))
	fmt.Println(sample.Chains(), "chains saw more than 100 models:", sample.Visited() > 100)
	fmt.Println("median model", sample.MedianModel())
	p, e := sample.InclusionProb(), sample.InclusionErr()
	for j, name := range sample.Terms() {
		if p[j] > 0.1 {
			fmt.Printf("%-4s %.2f, standard error below %.2f\n", name, p[j], math.Ceil(100*e[j])/100)
		}
	}
	// Output:
	// 4 chains saw more than 100 models: true
	// median model [x4 x12]
	// x4   1.00, standard error below 0.01
	// x9   0.17, standard error below 0.01
	// x12  1.00, standard error below 0.01
	// x16  0.11, standard error below 0.01
	// x31  0.48, standard error below 0.01
}

// The average over the models that the chains visit predicts without a choice among
// them; its coefficients have Monte Carlo errors.
func ExampleModelSample_ModelAverage() {
	rnd := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(100, 40, nil), make([]float64, 100)
	for i := range y {
		for j := range 40 {
			x.Set(i, j, rnd.NormFloat64())
		}
		y[i] = x.At(i, 3) - 0.6*x.At(i, 11) + 0.45*x.At(i, 30) + rnd.NormFloat64()
	}
	d := must.M1(mlreg.NewDesign(x, y))
	sample := must.M1(mlreg.SampleModels(d, mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 1}, rand.NewPCG(3, 4),
		&mlreg.SampleModelsSettings{Sweeps: 1000, Average: true}))
	average := must.M1(sample.ModelAverage())
	for _, j := range []int{4, 12, 31} {
		fmt.Printf("%-4s %.1f ± %.1f, Monte Carlo error below %.2f\n", average.Names()[j],
			average.Coef()[j], average.StdErr()[j], math.Ceil(100*sample.AverageErr()[j])/100)
	}
	// Output:
	// x4   0.9 ± 0.1, Monte Carlo error below 0.01
	// x12  -0.5 ± 0.1, Monte Carlo error below 0.01
	// x31  0.2 ± 0.2, Monte Carlo error below 0.01
}
