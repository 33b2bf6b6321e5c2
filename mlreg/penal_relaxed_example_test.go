package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The lasso chooses three terms; half of what it took from their slopes is given back.
// glmnet: coef(glmnet(x, y, relax = TRUE), s = lambda, gamma = 0.5)
func ExampleFitRelaxedLasso() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	for _, gamma := range []float64{1, 0.5, 0} {
		fit := must.M1(mlreg.FitRelaxedLasso(d, 50, gamma, nil))
		fmt.Printf("gamma %.1f  %v %.4f  RSS %.3f\n", fit.Gamma(), fit.Active(), fit.Slopes()[:2], fit.RSS())
	}
	// Output:
	// gamma 1.0  [lcavol lweight svi] [0.5047 0.0815]  RSS 58.535
	// gamma 0.5  [lcavol lweight svi] [0.5606 0.1818]  RSS 49.560
	// gamma 0.0  [lcavol lweight svi] [0.6166 0.2820]  RSS 46.568
}

// Where a path has the same terms for a while, least squares on them does not change.
func ExampleFitRelaxedLassoPath() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	path := must.M1(mlreg.FitRelaxedLassoPath(d, 0, &mlreg.PathSettings{Lambda: []float64{100, 60, 40, 20}}))
	for k, lambda := range path.Lambda() {
		fit := path.Fit(k)
		fmt.Printf("%3.0f %v %.4f\n", lambda, fit.Active(), path.R2()[k])
	}
	// Output:
	// 100 [lcavol] 0.5394
	//  60 [lcavol lweight svi] 0.6359
	//  40 [lcavol lweight svi] 0.6359
	//  20 [lcavol lweight lbph svi pgg45] 0.6461
}

// Some mixtures on the same folds: the same number of terms predicts better if they are not
// shrunk.
func ExampleFitRelaxedLassoCV() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2)))
	for _, gamma := range []float64{1, 0.5, 0} {
		cv := must.M1(mlreg.FitRelaxedLassoCV(d, folds, gamma, nil, nil))
		fmt.Printf("gamma %.1f  loss %.3f, %d terms\n", gamma, cv.Mean()[cv.OneSE()], len(cv.FitOneSE().Active()))
	}
	// Output:
	// gamma 1.0  loss 0.612, 3 terms
	// gamma 0.5  loss 0.566, 3 terms
	// gamma 0.0  loss 0.524, 3 terms
}
