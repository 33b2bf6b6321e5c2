package assess_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// Two copies of one column, up to noise: the lasso takes the one or the other.
func ExampleSelectionStability() {
	random := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(80, 4, nil), make([]float64, 80)
	for i := range y {
		a, b := random.NormFloat64(), random.NormFloat64()
		x.SetRow(i, []float64{a, b + 0.1*random.NormFloat64(), b + 0.1*random.NormFloat64(), random.NormFloat64()})
		y[i] = 2*a + b + random.NormFloat64()
	}
	d, err := mlreg.NewDesign(x, y, "a", "b", "copy of b", "noise")
	if err != nil {
		log.Fatal(err)
	}
	first := func(rows *mlreg.Design, _ rand.Source) ([]string, error) { // the first two of the path
		path, err := mlreg.FitLassoPath(rows, nil)
		if err != nil {
			return nil, err
		}
		order, _ := path.Order()
		return order[:2], nil
	}
	stability, err := assess.SelectionStability(d, first, rand.NewPCG(3, 4), &assess.StabilitySettings{Rows: assess.ComplementaryPairs})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stability)
	stable, err := stability.Stable(0.9)
	if err != nil {
		log.Fatal(err)
	}
	bound, err := stability.ErrorBound(0.9)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("stable: %v; bound on terms named falsely %.2f\n", stable, bound)
	fmt.Printf("b in %.2f, its copy in %.2f\n", stability.InclusionProb()[1], stability.InclusionProb()[2])
	fmt.Printf("Monte Carlo error %.3f, %.0f terms a choice, index %.2f\n", stability.InclusionErr()[1], stability.MeanSize(), stability.Index())
	failed, _ := stability.Failed()
	sets, counts := stability.Sets()
	fmt.Println(sets[0], counts[0], stability.Resamples(), failed)
	fmt.Printf("%s of %q\n", stability.Response(), stability.Terms())
	// Output:
	// How often terms are chosen: 100 half samples in complementary pairs of 80 rows
	// term       share  std. error
	// a          1.000       0.000
	// b          0.940       0.024
	// copy of b  0.060       0.024
	// noise      0.000       0.000
	// 2.00 terms on average; stability index 0.886
	// 94 of 100: {a b}
	// 6 of 100: {a copy of b}
	//
	// stable: [a b]; bound on terms named falsely 1.25
	// b in 0.94, its copy in 0.06
	// Monte Carlo error 0.024, 2 terms a choice, index 0.89
	// [a b] 94 100 0
	// y of ["a" "b" "copy of b" "noise"]
}
