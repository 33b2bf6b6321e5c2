package plotting_test

import (
	"log"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The best subsets of five predictors: a table, and the RSS of all 32 models.
func ExampleSubsetPlot() {
	d, err := frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + age + lbph + svi")
	if err != nil {
		log.Fatal(err)
	}
	f, err := mlreg.FitBestSubsets(d, &mlreg.SubsetSettings{Best: 10})
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(f)
	plotting.Show(plotting.SubsetPlot(f, "32 models"))
	// Output:
	// Best subsets for lpsa
	// size     RSS      R²  adj. R²      Cp     AIC     BIC  terms
	//    0  127.92  0.0000   0.0000  166.96  306.11  311.26  {}
	//    1   58.91  0.5394   0.5346   27.65  232.91  240.63  {lcavol}
	//    2   51.74  0.5955   0.5869   14.96  222.32  232.61  {lcavol, lweight}
	//    3   46.57  0.6359   0.6242    6.37  214.10  226.97  {lcavol, lweight, svi}
	//    4   45.60  0.6436   0.6281    6.37  214.05  229.50  {lcavol, lweight, lbph, svi}
	//    5   44.44  0.6526   0.6335    6.00  213.55  231.57  {lcavol, lweight, age, lbph, svi}
	// proven to be the best; 32 of 32 models were looked at
	// Figure: 32 models: residual sum of squares against number of terms (horizontal -0.2 to 5.2, vertical 41.1 to 131)
}
