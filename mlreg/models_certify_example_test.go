package mlreg_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// fortyTerms are a hundred rows of forty terms, of which three matter.
func fortyTerms() *mlreg.Design {
	rnd := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(100, 40, nil), make([]float64, 100)
	for i := range y {
		for j := range 40 {
			x.Set(i, j, rnd.NormFloat64())
		}
		y[i] = x.At(i, 3) - 0.6*x.At(i, 11) + 0.45*x.At(i, 30) + rnd.NormFloat64()
	}
	return must.M1(mlreg.NewDesign(x, y))
}

// Forty terms have 2^40 models. Their sums are not computed, but lie between limits.
func ExampleCertifyModels() {
	posterior := must.M1(mlreg.CertifyModels(fortyTerms(), mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 1}, rand.NewPCG(3, 4),
		&mlreg.CertifySettings{Nodes: 2000, Proposals: 1 << 18}))
	fmt.Println(posterior.NotCertified() == "", "with probability 1 -", posterior.Alpha())
	for j, p := range posterior.Inclusion() {
		if p.Upper > 0.1 {
			fmt.Printf("%-4s %.3f to %.3f\n", posterior.Terms()[j], p.Lower, p.Upper)
		}
	}
	fmt.Printf("%d proposals, of which %.0f %% are as good as draws from the posterior\n", posterior.Proposals(), 100*posterior.Acceptance())
	fmt.Printf("the widest limits are %.3f apart\n", posterior.Width())
	// Output:
	// true with probability 1 - 1e-09
	// x4   1.000 to 1.000
	// x9   0.171 to 0.174
	// x12  0.996 to 0.998
	// x16  0.113 to 0.115
	// x31  0.479 to 0.482
	// 262144 proposals, of which 85 % are as good as draws from the posterior
	// the widest limits are 0.003 apart
}

// What holds with certainty needs no draws, and is wider.
func ExampleCertifiedModels_SureInclusion() {
	posterior := must.M1(mlreg.CertifyModels(fortyTerms(), mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 1}, rand.NewPCG(3, 4),
		&mlreg.CertifySettings{Nodes: 2000, Proposals: 1 << 18}))
	const x31 = 30
	p, sure := posterior.Inclusion()[x31], posterior.SureInclusion()[x31]
	fmt.Printf("x31 %.3f to %.3f, and with certainty %.2f to %.2f\n", p.Lower, p.Upper, sure.Lower, sure.Upper)
	evidence, certain := posterior.Evidence(), posterior.SureEvidence()
	fmt.Printf("log p(y) %.3f to %.3f, and with certainty %.1f to %.1f\n", evidence.Lower, evidence.Upper, certain.Lower, certain.Upper)
	// Output:
	// x31 0.479 to 0.482, and with certainty 0.46 to 0.50
	// log p(y) -169.403 to -169.400, and with certainty -169.4 to -169.3
}

// Any function of a model can be averaged over independent draws from the posterior, here the
// number of its terms.
func ExampleCertifiedModels_Draws() {
	posterior := must.M1(mlreg.CertifyModels(fortyTerms(), mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 1}, rand.NewPCG(3, 4),
		&mlreg.CertifySettings{Nodes: 500, Proposals: 1 << 16, Draws: 1000}))
	sizes := map[int]int{}
	for _, terms := range posterior.Draws() {
		sizes[len(terms)]++
	}
	fmt.Println(sizes)
	// Output:
	// map[2:212 3:385 4:285 5:83 6:29 7:6]
}

// Coefficients averaged over all models lie between limits, and so do the probabilities of
// pairs.
func ExampleCertifiedModels_Coef() {
	posterior := must.M1(mlreg.CertifyModels(fortyTerms(), mlreg.SpikeSlab{Pi0: 0.1, SlabVar: 1}, rand.NewPCG(3, 4),
		&mlreg.CertifySettings{Nodes: 2000, Proposals: 1 << 18, Average: true}))
	pairs := must.M1(posterior.PairInclusion())
	for j, w := range must.M1(posterior.Coef()) {
		if math.Abs(w.Estimate) > 0.1 {
			both := pairs[3][j]
			fmt.Printf("%-4s %6.3f to %6.3f, in with x4 %.3f to %.3f\n", posterior.Columns()[j], w.Lower, w.Upper, both.Lower, both.Upper)
		}
	}
	// Output:
	// x4    0.910 to  0.912, in with x4 1.000 to 1.000
	// x12  -0.512 to -0.510, in with x4 0.996 to 0.998
	// x31   0.177 to  0.179, in with x4 0.479 to 0.482
}
