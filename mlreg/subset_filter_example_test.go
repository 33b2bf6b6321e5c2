package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// scikit-learn: f_regression(X, y), the first three by F.
func ExampleFilterTerms() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	for _, row := range must.M1(mlreg.FilterTerms(d))[:3] {
		fmt.Printf("%-6s R2 %.4f  F %.3f  P %.1e\n", row.Term, row.R2, row.F, row.P)
	}
	// Output:
	// lcavol R2 0.5394  F 111.267  P 1.1e-17
	// svi    R2 0.3206  F 44.830  P 1.5e-09
	// lcp    R2 0.3012  F 40.947  P 5.9e-09
}

// Terms in the order of a filter: the second best by itself is not the best
// second.
func ExampleOrderedModels() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	var order []string
	for _, row := range must.M1(mlreg.FilterTerms(d)) {
		order = append(order, row.Term)
	}
	ordered := must.M1(mlreg.OrderedModels(d, 0, order...))
	best := must.M1(mlreg.FitBestSubsets(d, nil)).Models()
	for k := 1; k <= 4; k++ {
		fmt.Printf("%d: RSS %.3f with %v, best %.3f\n", k, ordered[k].RSS, ordered[k].Terms, best[k].RSS)
	}
	// Output:
	// 1: RSS 58.915 with [lcavol], best 58.915
	// 2: RSS 53.677 with [lcavol svi], best 51.742
	// 3: RSS 53.533 with [lcavol svi lcp], best 46.568
	// 4: RSS 46.499 with [lcavol lweight svi lcp], best 45.595
}
