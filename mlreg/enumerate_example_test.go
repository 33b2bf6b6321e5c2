package mlreg_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// lecture returns n rows of ten terms of which {2, 6} matter much and {3, 8, 9}
// little, after Murphy's section 13.2.1; noise of variance 1.
func lecture(n int) *mlreg.Design {
	rnd := rand.New(rand.NewPCG(13, 2))
	w := []float64{0, -1.67, 0.13, 0, 0, 1.19, 0, -0.04, 0.33, 0}
	x := mat.NewDense(n, len(w), nil)
	y := make([]float64, n)
	for i := range n {
		for j := range w {
			x.Set(i, j, rnd.NormFloat64())
			y[i] += w[j] * x.At(i, j)
		}
		y[i] += rnd.NormFloat64()
	}
	d, err := mlreg.NewDesign(x, y)
	if err != nil {
		log.Fatal(err)
	}
	d.NoIntercept = true
	return d
}

// All 1,024 models of ten terms, with a spike and slab prior.
func ExampleEnumerateModels() {
	all, err := mlreg.EnumerateModels(lecture(20),
		mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 100, Noise: mlreg.KnownVariance(1)},
		&mlreg.EnumerateSettings{Best: 4, Scores: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v models, exact: %v, log p(y) = %.3f\n", all.Models(), all.Exact(), all.LogNormalizer())
	for _, m := range all.Best() {
		fmt.Printf("%.3f  {%s}\n", m.PostProb, strings.Join(m.Terms, " "))
	}
	fmt.Printf("inclusion %.2f\n", all.InclusionProb())
	fmt.Println("median model", all.MedianModel().Terms)

	scores, err := all.GrayScores()
	if err != nil {
		log.Fatal(err)
	}
	worst := 0
	for i, s := range scores {
		if s < scores[worst] {
			worst = i
		}
	}
	fmt.Printf("least probable in Gray order: %d {%s}, log score %.1f\n", worst, strings.Join(all.GrayModel(worst), " "), scores[worst])
	// Output:
	// 1024 models, exact: true, log p(y) = -41.446
	// 0.610  {x2 x6}
	// 0.305  {x2 x6 x8}
	// 0.038  {x2 x5 x6}
	// 0.017  {x2 x6 x9}
	// inclusion [0.00 0.99 0.00 0.00 0.05 1.00 0.00 0.31 0.02 0.00]
	// median model [x2 x6]
	// least probable in Gray order: 649 {x1 x3 x4 x7 x8 x9 x10}, log score -99.9
}

// What is known of a coefficient if the model is not known: the average over
// all models, and both kinds of uncertainty.
func ExampleEnumeration_ModelAverage() {
	all, err := mlreg.EnumerateModels(lecture(40), mlreg.ZellnerG{}, &mlreg.EnumerateSettings{Average: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range all.InclusionTable()[:3] {
		fmt.Printf("%-3s in with probability %.3f, coefficient %6.3f +- %.3f\n", r.Term, r.PostProb, r.Mean, r.SD)
	}
	pairs, err := all.PairInclusion()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("x2 and x6 together %.3f\n", pairs.At(1, 5))
	average, err := all.ModelAverage()
	if err != nil {
		log.Fatal(err)
	}
	row := mat.NewDense(1, 10, []float64{0, 1, 0, 0, 0, 1, 0, 0, 0, 0})
	d, err := mlreg.NewDesign(row, nil)
	if err != nil {
		log.Fatal(err)
	}
	d.NoIntercept = true
	yhat, err := average.Predict(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("prediction at x2 = x6 = 1: %.3f\n", yhat)
	// Output:
	// x1  in with probability 0.154, coefficient  0.014 +- 0.078
	// x2  in with probability 1.000, coefficient -1.794 +- 0.187
	// x3  in with probability 0.252, coefficient  0.051 +- 0.121
	// x2 and x6 together 1.000
	// prediction at x2 = x6 = 1: [-0.692]
}

// Forty terms have 2^40 models, which are sampled.
func ExampleSampleModels() {
	rnd := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(100, 40, nil)
	y := make([]float64, 100)
	for i := range y {
		for j := range 40 {
			x.Set(i, j, rnd.NormFloat64())
		}
		y[i] = x.At(i, 3) - 0.6*x.At(i, 11) + 0.45*x.At(i, 30) + rnd.NormFloat64()
	}
	d, err := mlreg.NewDesign(x, y)
	if err != nil {
		log.Fatal(err)
	}
	sample, err := mlreg.SampleModels(d, mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 1}, rand.NewPCG(3, 4), &mlreg.SampleModelsSettings{Sweeps: 1000})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("median model", sample.MedianModel())
	p, e := sample.InclusionProb(), sample.InclusionErr()
	for j, name := range sample.Terms() {
		if p[j] > 0.1 {
			fmt.Printf("%-4s %.2f, standard error below %.2f\n", name, p[j], math.Ceil(100*e[j])/100)
		}
	}
	// Output:
	// median model [x4 x12]
	// x4   1.00, standard error below 0.01
	// x9   0.17, standard error below 0.01
	// x12  1.00, standard error below 0.01
	// x16  0.11, standard error below 0.01
	// x31  0.48, standard error below 0.01
}
