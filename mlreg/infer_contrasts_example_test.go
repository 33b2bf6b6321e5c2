package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Is what svi adds the same as one more unit of lcavol?
// R: car::linearHypothesis(m, "lcavol - svi = 0"), whose F is t squared.
func ExampleContrast() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	row := must.M1(mlreg.Contrast(must.M1(mlreg.FitOLS(d, nil)), []float64{0, 1, -1}, 0, 0.95))
	fmt.Printf("%s: %.4f (%.4f), t = %.3f, P = %.4f\n", row.Term, row.Estimate, row.StdErr, row.Statistic, row.P)
	// Output: lcavol - svi = 0: -0.0772 (0.2710), t = -0.285, P = 0.7764
}

// Are the slopes of age and gleason both zero?
// statsmodels: m.f_test("age = 0, gleason = 0").
func ExampleWaldTest() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + age + gleason"))
	test := must.M1(mlreg.WaldTest(must.M1(mlreg.FitOLS(d, nil)), mat.NewDense(2, 4, []float64{
		0, 0, 1, 0,
		0, 0, 0, 1,
	}), nil))
	fmt.Printf("F = %.4f on %v and %v degrees of freedom, P = %.4f\n", test.Stat, test.DF1, test.DF2, test.P)
	// Output: F = 0.3351 on 2 and 93 degrees of freedom, P = 0.7161
}
