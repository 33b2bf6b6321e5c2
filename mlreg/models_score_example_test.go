package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Three priors of the coefficients, one question: is pgg45 in?
func ExampleSpikeSlab() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	for _, score := range []mlreg.ModelScore{mlreg.SpikeSlab{SlabVar: 1}, mlreg.ZellnerG{}, mlreg.BICScore{}} {
		p := must.M1(mlreg.EnumerateModels(d, score, nil)).InclusionProb()
		fmt.Printf("%-16T %.4f\n", score, p[len(p)-1])
	}
	// Output:
	// mlreg.SpikeSlab  0.1942
	// mlreg.ZellnerG   0.1623
	// mlreg.BICScore   0.1646
}

// The score of BIC, every model equally probable beforehand.
// R: BMA::bicreg(x, y)$postprob.
func ExampleBICScore() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.BICScore{}, nil))
	for _, m := range all.Best()[:3] {
		fmt.Printf("%.4f %v\n", m.PostProb, m.Terms)
	}
	// Output:
	// 0.3708 [lcavol lweight svi]
	// 0.1048 [lcavol lweight lbph svi]
	// 0.0724 [lcavol lweight age svi]
}

// R: BMS::bms(cbind(y, x), g = "UIP", mprior = "uniform"), the column PIP.
func ExampleZellnerG() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{}, nil))
	for j, name := range all.Terms() {
		fmt.Printf("%-7s %.4f\n", name, all.InclusionProb()[j])
	}
	// Output:
	// lcavol  1.0000
	// lweight 0.9464
	// age     0.1929
	// lbph    0.2536
	// svi     0.9167
	// lcp     0.1102
	// gleason 0.1247
	// pgg45   0.1623
}

// A prior under which all sizes of a model are equally probable, against one
// under which all models are.
func ExampleBetaBinomial() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	for _, sizes := range []*mlreg.BetaBinomial{{A: 1, B: 1}, nil} {
		all := must.M1(mlreg.EnumerateModels(d, mlreg.SpikeSlab{SlabVar: 1, Sizes: sizes}, nil))
		fmt.Printf("prior %.3f\nposterior %.3f\n", all.SizePrior(), all.SizeProb())
	}
	// Output:
	// prior [0.111 0.111 0.111 0.111 0.111 0.111 0.111 0.111 0.111]
	// posterior [0.000 0.002 0.039 0.352 0.276 0.164 0.091 0.051 0.026]
	// prior [0.004 0.031 0.109 0.219 0.273 0.219 0.109 0.031 0.004]
	// posterior [0.000 0.000 0.021 0.377 0.369 0.176 0.049 0.008 0.000]
}
