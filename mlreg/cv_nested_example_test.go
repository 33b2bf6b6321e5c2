package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The error of a lasso whose lambda is chosen by cross-validation.
func ExampleCrossValidateNested() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	outer := must.M1(mlreg.KFold(d.NObs(), 5, rand.NewPCG(1, 2)))
	nested := must.M1(mlreg.CrossValidateNested(d, outer, rand.NewPCG(3, 4), func(train *mlreg.Design, inner *mlreg.Folds) (mlreg.Chosen, error) {
		return mlreg.FitLassoCV(train, inner, nil, nil)
	}, mlreg.SquaredLoss, nil))
	fmt.Println(nested)
	// Output:
	// Nested cross-validation
	// fold  chosen      inner loss  outer loss
	//    0  λ = 5.314       0.5611      0.5274
	//    1  λ = 3.858       0.6342      0.2839
	//    2  λ = 0.7162      0.5282      0.6407
	//    3  λ = 1.878       0.5305      0.6684
	//    4  λ = 3.893       0.5478      0.5931
	// squared error 0.5399, standard error 0.0801; 5-fold cross-validation
}

// Ten divisions into ten folds. What the divisions leave uncertain becomes small; the
// rows themselves remain the same.
func ExampleRepeatCV() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	cv := must.M1(mlreg.RepeatCV(10, rand.NewPCG(1, 2), func(src rand.Source) (*mlreg.CV, error) {
		ridge, err := mlreg.FitRidgeCV(d, must.M1(mlreg.KFold(d.NObs(), 10, src)), nil, nil)
		if err != nil {
			return nil, err
		}
		return ridge.CV, nil
	}))
	fmt.Println(cv)
	fmt.Printf("%.3f from the divisions, %.3f from the rows\n", cv.SplitErr()[cv.Min()], cv.StdErr()[cv.Min()])
	// Output:
	// Repeated cross-validation
	//                     candidate    loss  std. error  of the divisions
	// least loss                100  0.5613       0.090           0.00573
	// one standard error         84  0.6437       0.101           0.00681
	// 10 divisions into folds, 100 candidates
	//
	// 0.006 from the divisions, 0.090 from the rows
}

// How many terms of a dictionary to take: the terms are chosen anew in every fold.
func ExampleFitGreedyCV() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.FitGreedyCV(d, folds, nil, nil))
	fmt.Println(cv)
	fmt.Println(cv.Greedy.Terms()[:cv.SizeMin()])
	// Output:
	// Cross-validated error of a greedy choice
	// terms   loss  std. error
	//     0  1.341       0.213
	//     1  0.649       0.073
	//     2  0.573       0.056
	//     3  0.524       0.054
	//     4  0.571       0.074
	//     5  0.578       0.081
	//     6  0.568       0.080
	//     7  0.550       0.071
	//     8  0.545       0.071
	// least error with 3 terms; within one standard error of it with 2
	//
	// [lcavol lweight svi]
}
