package assess_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// Prediction limits of least squares that do not suppose Gaussian noise, for one fit.
func ExampleJackknifePlus() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Println(must.M1(assess.JackknifePlus(ols, d, d.Rows(0, 40, 96), 0.9)))
	// Output:
	// Prediction limits by jackknife+
	// row  fitted  lower 90%  upper 90%
	//   1   0.751     -0.536      2.092
	//   2   1.628      0.324      2.942
	//   3   4.345      3.052      5.585
	// from 97 rows; a new response is held with probability 0.8 at least, and about 0.9 is expected, if rows are exchangeable
}

// Any fit, by ten fits without a fold each.
func ExampleCVPlus() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2)))
	lasso := func(train *mlreg.Design) (*mlreg.Lasso, error) { return mlreg.FitLasso(train, 5, nil) }
	band := must.M1(assess.CVPlus(d, folds, lasso, d.Rows(0, 40, 96), 0.9))
	fmt.Println(must.M1(band.Head(2, nil)))
	// Output:
	// Prediction limits by CV+ with 10 folds
	// row  fitted  lower 90%  upper 90%
	//   1   0.916    -0.3829      2.386
	//   2   1.969     0.5870      3.359
	// ... 1 more row
	// from 97 rows; a new response is held with probability 0.718 at least, and about 0.9 is expected, if rows are exchangeable
}

// Rows kept from the fit say how wide limits must be.
func ExampleSplitConformal() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	of := must.M1(must.M1(mlreg.RandomParts(d.NObs(), rand.NewPCG(1, 2), 0.6, 0.4)).Designs(d))
	ols := must.M1(mlreg.FitOLS(of[0], nil))
	fmt.Println(must.M1(assess.SplitConformal(ols, of[1], d.Rows(0, 40, 96), 0.9, nil)))
	// Output:
	// Prediction limits by split conformal
	// row  fitted  lower 90%  upper 90%
	//   1   0.533     -0.789      1.856
	//   2   2.330      1.008      3.653
	//   3   4.130      2.807      5.452
	// from 39 rows; a new response is held with probability 0.9 at least, and about 0.9 is expected, if rows are exchangeable
}
