package mlreg_test

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Three formulas on the same ten folds. scikit-learn: cross_val_score, R:
// boot::cv.glm(..., K = 10).
func ExampleCrossValidate() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	models := [][]string{{"lcavol"}, {"lcavol", "lweight", "svi"}, d.Names}
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(3, 4)))
	cv := must.M1(mlreg.CrossValidate(d, folds, func(train *mlreg.Design) ([]*mlreg.OLS, error) {
		var fits []*mlreg.OLS
		for _, terms := range models {
			ols, err := mlreg.FitOLS(must.M1(train.Select(terms...)), nil)
			if err != nil {
				return nil, err
			}
			fits = append(fits, ols)
		}
		return fits, nil
	}, nil))
	for k, terms := range models {
		fmt.Printf("%.3f +- %.3f with %d terms\n", cv.Mean()[k], cv.StdErr()[k], len(terms))
	}
	fmt.Println("least error:", len(models[cv.Min()]), "terms; within one standard error:", len(models[cv.OneSE()]))
	// Output:
	// 0.639 +- 0.082 with 1 terms
	// 0.535 +- 0.054 with 3 terms
	// 0.557 +- 0.058 with 8 terms
	// least error: 3 terms; within one standard error: 3
}

// Losses of folds that were computed elsewhere: two candidates, three folds.
func ExampleNewCV() {
	loss := mat.NewDense(3, 2, []float64{
		1.2, 1.0,
		0.9, 0.8,
		1.5, 1.6,
	})
	cv := must.M1(mlreg.NewCV("mean squared error", 3, loss, []float64{10, 10, 5}))
	fmt.Printf("%.2f\n", cv.Mean())
	fmt.Println("least error:", cv.Min(), "within one standard error:", cv.OneSE())
	// Output:
	// [1.14 1.04]
	// least error: 1 within one standard error: 0
}

// The loss of every fold, of which the standard error is made.
func ExampleCV_FoldLoss() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	folds := must.M1(mlreg.KFold(d.NObs(), 5, rand.NewPCG(3, 4)))
	cv := must.M1(mlreg.CrossValidate(d, folds, func(train *mlreg.Design) ([]*mlreg.OLS, error) {
		ols, err := mlreg.FitOLS(train, nil)
		return []*mlreg.OLS{ols}, err
	}, nil))
	fmt.Printf("%d folds: %.3f\n", cv.Folds(), mat.Formatted(cv.FoldLoss().T()))
	fmt.Printf("mean %.3f, standard error %.3f\n", cv.Mean(), cv.StdErr())
	// Output:
	// 5 folds: [0.502  0.449  0.636  0.560  0.820]
	// mean [0.591], standard error [0.065]
}

// Leave-one-out that is stopped on the way: what it has by then is kept.
func ExampleCV_Planned() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	folds := must.M1(mlreg.LeaveOneOut(d.NObs()))
	enough := errors.New("enough")
	cv, err := mlreg.CrossValidate(d, folds, func(train *mlreg.Design) ([]*mlreg.OLS, error) {
		ols, err := mlreg.FitOLS(train, nil)
		return []*mlreg.OLS{ols}, err
	}, &mlreg.CVSettings{Progress: func(done, total float64) error {
		if done < 10 {
			return nil
		}
		return enough
	}})
	fmt.Printf("%v: %d of %d folds\n", err, cv.Folds(), cv.Planned())
	// Output:
	// enough: 10 of 97 folds
}
