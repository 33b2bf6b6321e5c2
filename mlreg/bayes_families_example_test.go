package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A line, a parabola or a cubic? The evidence answers, and needs no test set.
func ExampleCompareFamilies() {
	x := mat.NewVecDense(7, []float64{-3, -2, -1, 0, 1, 2, 3})
	y := []float64{8, 5, 2, 0, 2, 3, 10}
	var families []mlreg.Family
	for degree := 1; degree <= 3; degree++ {
		d := must.M1(mlreg.Expand(must.M1(mlreg.NewPowers(degree)), x, y))
		post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))
		families = append(families, mlreg.Family{Name: fmt.Sprint("degree ", degree), LogEvidence: post.LogEvidence()})
	}
	for _, r := range must.M1(mlreg.CompareFamilies(families)) {
		fmt.Printf("%s: log evidence %.2f, probability %.3f\n", r.Name, r.LogEvidence, r.PostProb)
	}
	// Output:
	// degree 1: log evidence -18.44, probability 0.003
	// degree 2: log evidence -12.85, probability 0.779
	// degree 3: log evidence -14.12, probability 0.218
}
