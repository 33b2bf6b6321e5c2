package mlreg_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// All 256 models of the prostate data, with a spike and slab prior.
func ExampleEnumerateModels() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.SpikeSlab{SlabVar: 1}, nil))
	fmt.Printf("%v models, exact: %v, log p(y) = %.4f\n", all.Models(), all.Exact(), all.LogNormalizer())
	for _, m := range all.Best()[:4] {
		fmt.Printf("%.4f  %v\n", m.PostProb, m.Terms)
	}
	// Output:
	// 256 models, exact: true, log p(y) = -116.4424
	// 0.3286  [lcavol lweight svi]
	// 0.1023  [lcavol lweight lbph svi]
	// 0.0665  [lcavol lweight svi pgg45]
	// 0.0651  [lcavol lweight age svi]
}

// Which terms are in, with what coefficient, averaged over all models.
func ExampleEnumeration_InclusionTable() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.SpikeSlab{SlabVar: 1}, &mlreg.EnumerateSettings{Average: true}))
	for _, r := range all.InclusionTable() {
		fmt.Printf("%-7s in with probability %.3f, coefficient %6.3f +- %.3f\n", r.Term, r.PostProb, r.Mean, r.SD)
	}
	// Output:
	// lcavol  in with probability 1.000, coefficient  0.619 +- 0.095
	// lweight in with probability 0.955, coefficient  0.262 +- 0.098
	// age     in with probability 0.209, coefficient -0.022 +- 0.056
	// lbph    in with probability 0.276, coefficient  0.036 +- 0.075
	// svi     in with probability 0.938, coefficient  0.260 +- 0.109
	// lcp     in with probability 0.159, coefficient -0.007 +- 0.053
	// gleason in with probability 0.148, coefficient  0.010 +- 0.042
	// pgg45   in with probability 0.194, coefficient  0.020 +- 0.058
}

// The most probable model, and that of all terms more probable than not.
func ExampleEnumeration_MedianModel() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.SpikeSlab{SlabVar: 1}, nil))
	fmt.Println("most probable", all.MAPModel().Terms)
	fmt.Println("median model ", all.MedianModel().Terms)
	// Output:
	// most probable [lcavol lweight svi]
	// median model  [lcavol lweight svi]
}

// Prediction by all models together. R: predict(BMS::bms(...)).
func ExampleEnumeration_ModelAverage() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{}, &mlreg.EnumerateSettings{Average: true}))
	average := must.M1(all.ModelAverage())
	fmt.Printf("%.3f\n", average.Slopes())
	fmt.Printf("the first man: %.4f\n", must.M1(average.Predict(d.Rows(0))))
	// Output:
	// [0.531 0.609 -0.003 0.024 0.611 -0.004 0.011 0.001]
	// the first man: [0.7817]
}

// Two terms that stand in for each other are rarely in together.
func ExampleEnumeration_PairInclusion() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lbph + lweight")).Standardize(nil))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.SpikeSlab{SlabVar: 1}, &mlreg.EnumerateSettings{Average: true}))
	p, pairs := all.InclusionProb(), must.M1(all.PairInclusion())
	fmt.Printf("lbph %.3f, lweight %.3f, both %.3f; if independent %.3f\n", p[1], p[2], pairs.At(1, 2), p[1]*p[2])
	// Output: lbph 0.163, lweight 0.961, both 0.140; if independent 0.157
}

// A term that is not in question, and how exact the sums are.
func ExampleEnumeration_Always() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.SpikeSlab{SlabVar: 1}, &mlreg.EnumerateSettings{Always: []string{"lcavol"}}))
	fmt.Println(all.Models(), "models with", all.Always())
	fmt.Println("scores exact to 1e-9:", all.ScoreError() < 1e-9)
	// Output:
	// 128 models with [lcavol]
	// scores exact to 1e-9: true
}

// The scores of all models, in an order in which neighbors differ by one term.
func ExampleEnumeration_GrayScores() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi")).Standardize(nil))
	all := must.M1(mlreg.EnumerateModels(d, mlreg.SpikeSlab{SlabVar: 1}, &mlreg.EnumerateSettings{Scores: true}))
	for i, score := range must.M1(all.GrayScores()) {
		fmt.Printf("%d %-12s probability %.4f\n", i, strings.Join(all.GrayModel(i), " "), math.Exp(score-all.LogNormalizer()))
	}
	// Output:
	// 0              probability 0.0000
	// 1 lcavol       probability 0.0816
	// 2 lcavol svi   probability 0.9184
	// 3 svi          probability 0.0000
}
