package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// inBlocks gives the rows of a design forty at a time, as a file does.
func inBlocks(d *mlreg.Design) mlreg.RowBlocksFunc {
	return func(f func(*mlreg.Design) error) error {
		for first := 0; first < d.NObs(); first += 40 {
			var block []int
			for i := first; i < min(first+40, d.NObs()); i++ {
				block = append(block, i)
			}
			if err := f(d.Rows(block...)); err != nil {
				return err
			}
		}
		return nil
	}
}

// Least squares of a file, with the digits of rows in memory.
func ExampleRefineOLS() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + poly(age, 3, raw = TRUE)"))
	digits, _ := must.M1(mlreg.FitOLS(must.M1(d.Moments()), nil)).Digits()
	refined, _ := must.M1(mlreg.RefineOLS(inBlocks(d), nil)).Digits()
	fmt.Printf("%d digits by sums, %d by passes\n", digits, refined)
	// Output: 8 digits by sums, 15 by passes
}

// Standard errors for patients whose noise is alike within an age.
func ExampleOLS_Clustered() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + age"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	byAge := must.M1(ols.Clustered(inBlocks(d), func(block *mlreg.Design) ([]string, error) {
		names := make([]string, block.NObs())
		for i := range names {
			names[i] = fmt.Sprint(block.X.At(i, 1))
		}
		return names, nil
	}))
	fmt.Printf("%.4f, clustered %.4f\n", ols.StdErr(), byAge.StdErr())
	// Output: [0.7008 0.0704 0.0111], clustered [0.6506 0.0889 0.0106]
}
