package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A point seen by wider and wider bumps about three prototypes.
func ExampleNewRBF() {
	prototypes := mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 2})
	for _, width := range []float64{0.2, 1, 5} {
		fmt.Printf("width %.1f: %.3f\n", width, must.M1(mlreg.NewRBF(prototypes, width)).Eval(nil, 0, 1))
	}
	// Output:
	// width 0.2: [0.000 0.000 0.000]
	// width 1.0: [0.607 0.368 0.607]
	// width 5.0: [0.980 0.961 0.980]
}

func ExampleQuantilePrototypes() {
	centers := must.M1(mlreg.QuantilePrototypes([]float64{0, 1, 2, 3, 4, 10}, 3))
	fmt.Println(centers.RawMatrix().Data)
	// Output: [0 2.5 10]
}

// Three of the distinct rows.
func ExampleSamplePrototypes() {
	x := mat.NewDense(5, 2, []float64{0, 0, 1, 0, 0, 2, 1, 0, 3, 3})
	fmt.Println(mat.Formatted(must.M1(mlreg.SamplePrototypes(x, 3, rand.NewPCG(1, 0)))))
	// Output:
	// ⎡0  0⎤
	// ⎢1  0⎥
	// ⎣0  2⎦
}

func ExampleDistinctRows() {
	x := mat.NewDense(4, 2, []float64{2, 1, 0, 5, 2, 1, 2, 5})
	fmt.Println(mat.Formatted(must.M1(mlreg.DistinctRows(x))))
	// Output:
	// ⎡2  1⎤
	// ⎢0  5⎥
	// ⎣2  5⎦
}

// The corners of a square of side 3: dmax is its diagonal, and K is 4.
func ExamplePrototypeWidth() {
	fmt.Printf("%.4f\n", mlreg.PrototypeWidth(mat.NewDense(4, 2, []float64{0, 0, 0, 3, 3, 0, 3, 3})))
	// Output: 1.5000
}
