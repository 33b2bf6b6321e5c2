package frames_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: broom::tidy(lm(lpsa ~ lcavol + svi, prostate), conf.int = TRUE).
func ExampleTidy() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	table := must.M1(frames.Tidy(must.M1(mlreg.FitOLS(d, nil)), 0.95))
	fmt.Println(table.Select([]string{"term", "estimate", "std.error", "conf.low", "conf.high"}))
	// Output:
	// [3x5] DataFrame
	//
	//     term        estimate std.error conf.low conf.high
	//  0: (Intercept) 1.533432 0.117326  1.300479 1.766386
	//  1: lcavol      0.592557 0.077678  0.438325 0.746789
	//  2: svi         0.669746 0.221146  0.230655 1.108837
	//     <string>    <float>  <float>   <float>  <float>
}

// R: broom::glance(m).
func ExampleGlance() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	row := must.M1(frames.Glance(must.M1(mlreg.FitOLS(d, nil))))
	fmt.Println(row.Select([]string{"r.squared", "sigma", "statistic", "AIC", "df.residual", "nobs"}))
	// Output:
	// [1x6] DataFrame
	//
	//     r.squared sigma    statistic AIC        df.residual nobs
	//  0: 0.580376  0.755669 65.005087 225.877149 94.000000   97
	//     <float>   <float>  <float>   <float>    <float>     <int>
}

// R: broom::augment(m, prostate).
func ExampleAugment() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ lcavol + svi"))
	rows := must.M1(frames.Augment(must.M1(mlreg.FitOLS(d, nil)), df))
	fmt.Println(rows.Select([]string{"lcavol", "lpsa", ".fitted", ".resid", ".hat", ".cooksd"}).Subset([]int{0, 1, 2}))
	// Output:
	// [3x6] DataFrame
	//
	//     lcavol    lpsa      .fitted  .resid    .hat     .cooksd
	//  0: -0.579818 -0.430783 1.189857 -1.620640 0.040131 0.066780
	//  1: -0.994252 -0.162519 0.944281 -1.106800 0.055939 0.044882
	//  2: -0.510826 -0.162519 1.230739 -1.393258 0.037852 0.046332
	//     <float>   <float>   <float>  <float>   <float>  <float>
}
