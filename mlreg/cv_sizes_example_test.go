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
	d := must.M1(frames.Design(must.M1(frames.Where(df, "train == 'T'")), "lpsa ~ . - train"))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.CrossValidateSizes(d, folds, func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
		subsets, err := mlreg.FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return subsets.Models(), nil
	}))
	mean, se := cv.Mean(), cv.StdErr()
	for k, size := range cv.Sizes() {
		fmt.Printf("%d  %.3f (%.3f)\n", size, mean[k], se[k])
	}
	fmt.Println("least:", cv.SizeMin(), "within one standard error:", cv.SizeOneSE())
	// Output:
	// 0  1.526 (0.356)
	// 1  0.734 (0.153)
	// 2  0.664 (0.138)
	// 3  0.703 (0.129)
	// 4  0.732 (0.164)
	// 5  0.737 (0.156)
	// 6  0.645 (0.154)
	// 7  0.600 (0.136)
	// 8  0.633 (0.142)
	// least: 7 within one standard error: 1
}
