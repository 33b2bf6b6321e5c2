package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// scikit-learn: KFold(3, shuffle=True).
func ExampleKFold() {
	folds := must.M1(mlreg.KFold(8, 3, rand.NewPCG(1, 2)))
	for k := range folds.Len() {
		fmt.Println("fit", folds.Train(k), "test", folds.Test(k))
	}
	// Output:
	// fit [0 1 3 5 6] test [2 4 7]
	// fit [2 4 5 6 7] test [0 1 3]
	// fit [0 1 2 3 4 7] test [5 6]
}

// One in four of every fold is of the rare class, as in the whole.
// scikit-learn: StratifiedKFold(2, shuffle=True).
func ExampleStratifiedKFold() {
	classes := []string{"spam", "ham", "ham", "ham", "ham", "spam", "ham", "ham"}
	folds := must.M1(mlreg.StratifiedKFold(classes, 2, rand.NewPCG(1, 2)))
	for k := range folds.Len() {
		var held []string
		for _, i := range folds.Test(k) {
			held = append(held, classes[i])
		}
		fmt.Println(held)
	}
	// Output:
	// [ham spam ham ham]
	// [spam ham ham ham]
}

// No patient is on both sides. scikit-learn: GroupKFold(2).
func ExampleGroupedKFold() {
	patient := []string{"Ann", "Ann", "Bob", "Cyd", "Cyd", "Cyd"}
	folds := must.M1(mlreg.GroupedKFold(patient, 2, rand.NewPCG(1, 2)))
	for k := range folds.Len() {
		var held []string
		for _, i := range folds.Test(k) {
			held = append(held, patient[i])
		}
		fmt.Println(held)
	}
	// Output:
	// [Cyd Cyd Cyd]
	// [Ann Ann Bob]
}

// For least squares and ridge regression LOOMSE does the same without refits.
func ExampleLeaveOneOut() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	folds := must.M1(mlreg.LeaveOneOut(d.NObs()))
	cv := must.M1(mlreg.CrossValidate(d, folds, func(train *mlreg.Design) ([]*mlreg.OLS, error) {
		ols, err := mlreg.FitOLS(train, nil)
		return []*mlreg.OLS{ols}, err
	}, nil))
	fmt.Printf("%.6f by %d fits, %.6f by one\n", cv.Mean(), folds.Len(), must.M1(mlreg.LOOMSE(must.M1(mlreg.FitOLS(d, nil)), d)))
	// Output: [0.591274] by 97 fits, 0.591274 by one
}

// The test rows of the data as the only fold.
func ExampleValidationSet() {
	df := datasets.Prostate()
	folds := must.M1(mlreg.ValidationSet(must.M1(frames.Mask(df, "train", "F"))))
	fmt.Println(folds.Len(), "fold of", len(folds.Test(0)), "rows;", len(folds.Train(0)), "to fit")
	// Output: 1 fold of 30 rows; 67 to fit
}

// scikit-learn: ShuffleSplit(1, test_size=30).
func ExampleRandomValidationSet() {
	folds := must.M1(mlreg.RandomValidationSet(97, 30, rand.NewPCG(1, 2)))
	fmt.Println(len(folds.Train(0)), "rows to fit,", len(folds.Test(0)), "to test")
	// Output: 67 rows to fit, 30 to test
}

// Folds in blocks, for rows in the order of time. scikit-learn: KFold(3).
func ExampleNewFolds() {
	blocks := make([]int, 9)
	for i := range blocks {
		blocks[i] = i / 3
	}
	folds := must.M1(mlreg.NewFolds(blocks))
	fmt.Println(folds.Test(0), folds.Test(1), folds.Test(2))
	// Output: [0 1 2] [3 4 5] [6 7 8]
}

// Three chunks of a table that does not fit into memory, summed up one after the
// other, are folds: how many terms predict a chunk from the others?
func ExampleMomentFolds() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	chunk := func(from, to int) *mlreg.Moments {
		var rows []int
		for i := from; i < to; i++ {
			rows = append(rows, 2*i%97) // the table is sorted
		}
		return must.M1(d.Rows(rows...).Moments())
	}
	folds := must.M1(mlreg.MomentFolds(chunk(0, 32), chunk(32, 64), chunk(64, 97)))
	cv := must.M1(mlreg.CrossValidateSizes(nil, folds, func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
		best, err := mlreg.FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return best.Models(), nil
	}))
	fmt.Printf("%d rows; by size %.3f\n", folds.NObs(), cv.Mean())
	// Output: 97 rows; by size [1.618 0.675 0.678 0.562]
}

// The same folds for another program.
func ExampleFolds_Assignment() {
	folds := must.M1(mlreg.KFold(8, 3, rand.NewPCG(1, 2)))
	fmt.Println(folds.Assignment())
	// Output: [1 1 0 1 0 2 2 0]
}
