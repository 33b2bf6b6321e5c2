package mlreg_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/mlreg"
)

// Inner products of the columns of two points tend to a Gaussian kernel.
// scikit-learn: RBFSampler.
func ExampleNewRandomCosines() {
	c := must.M1(mlreg.NewRandomCosines(2, 20000, 1, rand.NewPCG(1, 2)))
	a, b := c.Eval(nil, 0, 0), c.Eval(nil, 0.6, 0.8)
	fmt.Printf("%.2f, kernel %.2f\n", 2*floats.Dot(a, b)/20000, math.Exp(-0.5))
	// Output: 0.61, kernel 0.61
}
