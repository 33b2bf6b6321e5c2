package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The RSS of all 256 models, and the best of every size.
func ExampleSubsetPlot() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	plotting.Show(plotting.SubsetPlot(must.M1(mlreg.FitBestSubsets(d, &mlreg.SubsetSettings{Best: 70})), "256 models"))
	// Output:
	// Figure: 256 models: residual sum of squares (RSS) against number of predictors (horizontal -0.32 to 8.32, vertical 39.7 to 131)
}

// The best of every size by five criteria.
func ExampleCriterionPlots() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	best := must.M1(mlreg.FitBestSubsets(d, nil))
	plotting.Show(plotting.CriterionPlots(best.Models(), "Best subsets"))
	// Output:
	// Figure: Best subsets; Training error: RSS/n against number of predictors (horizontal -0.32 to 8.32, vertical 0.409 to 1.35); Mallows' Cp: Cp against number of predictors (horizontal -0.32 to 8.32, vertical -0.608 to 173); Information criteria: AIC, BIC against number of predictors (horizontal -0.32 to 8.32, vertical 210 to 315); Adjusted R²: adjusted R² against number of predictors (horizontal -0.32 to 8.32, vertical -0.0255 to 0.662)
}

// How many terms? Five folds, each with a search of its own.
func ExampleSizeCurve() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	folds := must.M1(mlreg.KFold(d.NObs(), 5, rand.NewPCG(1, 2)))
	sizes := must.M1(mlreg.CrossValidateSizes(d, folds, func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
		best, err := mlreg.FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return best.Models(), nil
	}))
	plotting.Show(plotting.SizeCurve(sizes, "Best subsets"))
	// Output:
	// Figure: Best subsets: mean squared error against number of predictors (horizontal -0.32 to 8.32, vertical 0.43 to 1.72)
}

// The three best models of two terms.
func ExampleShow_ofSize() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	best := must.M1(mlreg.FitBestSubsets(d, &mlreg.SubsetSettings{Best: 3}))
	plotting.Show(best.BestOfSize(2))
	// Output:
	// size     RSS      R²  adj. R²     Cp     AIC     BIC  terms
	//    2  51.742  0.5955   0.5869  14.75  222.32  232.61  {lcavol, lweight}
	//    2  53.677  0.5804   0.5714  18.70  225.88  236.18  {lcavol, svi}
	//    2  55.649  0.5650   0.5557  22.73  229.38  239.68  {lcavol, lbph}
}
