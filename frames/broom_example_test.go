package frames_test

import (
	"fmt"
	"log"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func trialFit() (*mlreg.OLS, *mlreg.Design) {
	d, err := frames.Design(trial(), "y ~ drug + dose")
	if err != nil {
		log.Fatal(err)
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	return fit, d
}

func ExampleTidy() {
	fit, _ := trialFit()
	table, err := frames.Tidy(fit, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table.Select([]string{"term", "estimate", "std.error", "p.value"}))
	// Output:
	// [3x4] DataFrame
	//
	//     term        estimate std.error p.value
	//  0: (Intercept) 0.333333 1.387777  0.825659
	//  1: drugB       3.000000 0.981307  0.055117
	//  2: dose        1.500000 0.600925  0.088005
	//     <string>    <float>  <float>   <float>
}

func ExampleTidyPosterior() {
	_, d := trialFit()
	post, err := mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 4}, mlreg.KnownVariance(1), nil)
	if err != nil {
		log.Fatal(err)
	}
	table, err := frames.TidyPosterior(post, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table)
	// Output:
	// [3x6] DataFrame
	//
	//     term        estimate std.error conf.low  conf.high prob.positive
	//  0: (Intercept) 0.724090 1.118347  -1.467830 2.916010  0.741334
	//  1: drugB       2.571429 0.755929  1.089835  4.053022  0.999665
	//  2: dose        1.411765 0.485071  0.461043  2.362487  0.998195
	//     <string>    <float>  <float>   <float>   <float>   <float>
}

func ExampleGlance() {
	fit, _ := trialFit()
	row, err := frames.Glance(fit)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(row.Select([]string{"r.squared", "sigma", "df.residual", "nobs"}))
	// Output:
	// [1x4] DataFrame
	//
	//     r.squared sigma    df.residual nobs
	//  0: 0.838509  1.201850 3.000000    6
	//     <float>   <float>  <float>     <int>
}

func ExampleAugment() {
	fit, d := trialFit()
	rows, err := frames.Augment(fit, d, trial())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows.Select([]string{"drug", "dose", ".fitted", ".resid", ".hat"}).Subset([]int{0, 1}))
	// Output:
	// [2x5] DataFrame
	//
	//     drug     dose     .fitted  .resid    .hat
	//  0: A        1.000000 1.833333 0.166667  0.583333
	//  1: A        2.000000 3.333333 -0.333333 0.333333
	//     <string> <float>  <float>  <float>   <float>
}
