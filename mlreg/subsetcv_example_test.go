package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Ten folds of the training rows, in each of which the search for the best
// subsets is made anew.
func ExampleCrossValidateSizes() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(must.M1(frames.Where(df, "train", "T")), "lpsa ~ . - train"))
	folds := must.M1(must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2))).Moments(d))
	rows := must.M1(mlreg.CrossValidateSizes(folds, func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
		subsets, err := mlreg.FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return subsets.Models(), nil
	}))
	for _, row := range rows {
		fmt.Printf("%d  %.3f (%.3f)\n", row.Size, row.CVError, row.StdErr)
	}
	// Output:
	// 0  1.526 (0.352)
	// 1  0.734 (0.151)
	// 2  0.664 (0.136)
	// 3  0.703 (0.128)
	// 4  0.732 (0.164)
	// 5  0.737 (0.155)
	// 6  0.645 (0.153)
	// 7  0.600 (0.135)
	// 8  0.633 (0.140)
}

// The one-standard-error rule, on the errors of four sizes.
func ExampleBestSize() {
	rows := []mlreg.SizeError{
		{Size: 0, CVError: 1.43, StdErr: 0.21},
		{Size: 1, CVError: 0.69, StdErr: 0.10},
		{Size: 2, CVError: 0.60, StdErr: 0.08},
		{Size: 3, CVError: 0.55, StdErr: 0.08},
	}
	least, oneStdErr := mlreg.BestSize(rows)
	fmt.Println("least:", rows[least].Size, "within one standard error:", rows[oneStdErr].Size)
	// Output: least: 3 within one standard error: 2
}
