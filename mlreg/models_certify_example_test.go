package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Forty terms, of which three matter, have 2^40 models. Their sums are not computed, but lie
// between limits.
func ExampleCertifyModels() {
	rnd := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(100, 40, nil), make([]float64, 100)
	for i := range y {
		for j := range 40 {
			x.Set(i, j, rnd.NormFloat64())
		}
		y[i] = x.At(i, 3) - 0.6*x.At(i, 11) + 0.45*x.At(i, 30) + rnd.NormFloat64()
	}
	d := must.M1(mlreg.NewDesign(x, y))
	posterior := must.M1(mlreg.CertifyModels(d, mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 1}, rand.NewPCG(3, 4), &mlreg.CertifySettings{Nodes: 2000, Proposals: 1 << 18}))
	fmt.Println(posterior.NotCertified() == "", "with probability 1 -", posterior.Alpha())
	for j, p := range posterior.Inclusion() {
		if p.Upper > 0.1 {
			fmt.Printf("%-4s %.3f to %.3f\n", posterior.Terms()[j], p.Lower, p.Upper)
		}
	}
	// Output:
	// true with probability 1 - 1e-09
	// x4   1.000 to 1.000
	// x9   0.171 to 0.174
	// x12  0.996 to 0.998
	// x16  0.113 to 0.115
	// x31  0.479 to 0.482
}
