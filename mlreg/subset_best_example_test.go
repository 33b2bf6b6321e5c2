package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: leaps::regsubsets(lpsa ~ . - train, prostate), of which summary() has $rss
// and $cp; its $bic is ours less a constant.
func ExampleFitBestSubsets() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	subsets := must.M1(mlreg.FitBestSubsets(d, nil))
	for _, m := range subsets.Models() {
		fmt.Printf("%d  RSS %7.4f  Cp %6.3f  BIC %.3f  %v\n", m.Size(), m.RSS, m.Cp, m.BIC, m.Terms)
	}
	fmt.Println("proven:", subsets.Proven())
	// Output:
	// 0  RSS 127.9177  Cp 166.430  BIC 311.261  []
	// 1  RSS 58.9148  Cp 27.406  BIC 240.632  [lcavol]
	// 2  RSS 51.7422  Cp 14.747  BIC 232.614  [lcavol lweight]
	// 3  RSS 46.5684  Cp  6.174  BIC 226.970  [lcavol lweight svi]
	// 4  RSS 45.5955  Cp  6.185  BIC 229.497  [lcavol lweight lbph svi]
	// 5  RSS 44.4367  Cp  5.817  BIC 231.574  [lcavol lweight age lbph svi]
	// 6  RSS 43.7760  Cp  6.466  BIC 234.696  [lcavol lweight age lbph svi pgg45]
	// 7  RSS 43.1076  Cp  7.100  BIC 237.778  [lcavol lweight age lbph svi lcp pgg45]
	// 8  RSS 43.0584  Cp  9.000  BIC 242.242  [lcavol lweight age lbph svi lcp gleason pgg45]
	// proven: true
}

// The criteria do not agree.
func ExampleSubsets_BestBy() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	subsets := must.M1(mlreg.FitBestSubsets(d, nil))
	for _, by := range []mlreg.Criterion{mlreg.ByAIC, mlreg.ByBIC, mlreg.ByCp, mlreg.ByAdjR2} {
		fmt.Println(by, must.M1(subsets.BestBy(by)).Terms)
	}
	// Output:
	// AIC [lcavol lweight age lbph svi]
	// BIC [lcavol lweight svi]
	// Cp [lcavol lweight age lbph svi]
	// adjusted R2 [lcavol lweight age lbph svi lcp pgg45]
}

// The three best models of two terms.
func ExampleSubsets_BestOfSize() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	subsets := must.M1(mlreg.FitBestSubsets(d, &mlreg.SubsetSettings{Best: 3}))
	for _, m := range subsets.BestOfSize(2) {
		fmt.Printf("RSS %.4f %v\n", m.RSS, m.Terms)
	}
	// Output:
	// RSS 51.7422 [lcavol lweight]
	// RSS 53.6773 [lcavol svi]
	// RSS 55.6490 [lcavol lbph]
}

// How much the search had to look at, and what it can say of a size.
func ExampleSubsets_Proven() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	subsets := must.M1(mlreg.FitBestSubsets(d, nil))
	fmt.Printf("no model of 3 terms has an RSS below %.4f\n", subsets.Bound(3))
	fmt.Println("proven:", subsets.Proven(), "with fewer than 256 models visited:", subsets.Visited() < 256, subsets.Nodes() < 256)
	fmt.Println("exact to 1e-10:", subsets.RSSError() < 1e-10)
	byBIC := must.M1(mlreg.FitBestSubsets(d, &mlreg.SubsetSettings{Criterion: mlreg.ByBIC}))
	fmt.Printf("no model has a BIC below %.4f\n", byBIC.CriterionBound())
	// Output:
	// no model of 3 terms has an RSS below 46.5684
	// proven: true with fewer than 256 models visited: true true
	// exact to 1e-10: true
	// no model has a BIC below 226.9702
}
