package frames_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The fit as a function of one column, the others held; R: ggeffects::ggpredict(m, "lcavol").
func ExampleEffects() {
	df := datasets.Prostate()
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ poly(lcavol, 2) + age + factor(svi)")), nil))
	fmt.Println(must.M1(frames.Effects(ols, df, "lcavol", 0.95, &frames.EffectSettings{Points: 4})))
	// Output:
	// Effect of lcavol on lpsa
	// lcavol  fitted  std. error  lower 95%  upper 95%  lower 95% of new  upper 95% of new
	// -1.347   0.665      0.3285      0.012      1.317            -0.986             2.315
	//  0.376   1.766      0.1066      1.554      1.978             0.235             3.297
	//  2.098   2.778      0.1226      2.534      3.021             1.242             4.313
	//  3.821   3.699      0.4067      2.891      4.506             1.981             5.417
	// lower 95%, upper 95%: confidence band of the mean
	// lower 95% of new, upper 95% of new: prediction band of a new observation
	// held: age = 63.87 (mean), svi = 0 (most frequent level)
}

// What the fit says of each of its columns; R: effects::allEffects(m).
func ExampleAllEffects() {
	df := datasets.Prostate()
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol + factor(svi)")), nil))
	for _, e := range must.M1(frames.AllEffects(ols, df, 0.95, &frames.EffectSettings{Points: 2})) {
		fmt.Printf("%s: %.3f\n", e.Over, e.Fitted)
	}
	// Output:
	// lcavol: [0.735 3.798]
	// svi: [2.333 3.003]
}

// Curves side by side, as a frame.
func ExampleEffect_Frame() {
	df := datasets.Prostate()
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol * factor(svi)")), nil))
	e := must.M1(frames.Effects(ols, df, "lcavol", 0.95, &frames.EffectSettings{By: "svi", From: 1, To: 3, Points: 2}))
	fmt.Println(must.M1(e.Frame()).Select([]string{"lcavol", "svi", ".fitted", ".lower.confidence", ".upper.confidence"}))
	// Output:
	// [4x5] DataFrame
	//
	//     lcavol   svi      .fitted  .lower.confidence .upper.confidence
	//  0: 1.000000 0        2.126100 1.953076          2.299124
	//  1: 3.000000 0        3.298892 2.932453          3.665331
	//  2: 1.000000 1        2.704741 1.857924          3.551559
	//  3: 3.000000 1        4.007119 3.608306          4.405933
	//     <float>  <string> <float>  <float>           <float>
}

// R: emmeans(m, "gleason"), and pairs(emmeans(m, "gleason"), adjust = "holm").
func ExampleMarginalMeans() {
	df := must.M1(frames.With(datasets.Prostate(), "high = ifelse(gleason > 7, \"high\", ifelse(gleason > 6, \"seven\", \"six\"))"))
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol + high + factor(svi)")), nil))
	means := must.M1(frames.MarginalMeans(ols, df, "high", 0.95, nil))
	fmt.Println(means.Describe())
	fmt.Println(means.ContrastTable())
	// Output:
	// Marginal means of lpsa by high
	// high    mean  std. error  lower 95%  upper 95%
	// high   2.491      0.3167      1.862      3.121
	// seven  2.778      0.1170      2.545      3.010
	// six    2.474      0.1631      2.150      2.798
	// averaged over the levels of svi
	// held: lcavol = 1.35 (mean)
	//
	// Differences of means by high
	// term          estimate  std. error  statistic       p  lower 95%  upper 95%
	// high - seven   -0.2863      0.3235     -0.885  0.7567    -0.9288     0.3561
	// high - six      0.0176      0.3502      0.050  0.9599    -0.6780     0.7133
	// seven - six     0.3040      0.1885      1.612  0.3308    -0.0704     0.6784
	// p by Holm's method; limits are of each difference by itself
}

// R: summary(margins::margins(m)); statsmodels: m.get_margeff(dummy=True).summary().
func ExampleMarginalEffects() {
	df := datasets.Prostate()
	logit := must.M1(mlreg.FitLogistic(must.M1(frames.Design(df, "svi == 1 ~ lpsa + log(lweight) + age")), nil))
	fmt.Println(must.M1(frames.MarginalEffects(logit, df, 0.95)))
	// Output:
	// term     estimate  std. error  statistic        p  lower 95%  upper 95%
	// lpsa       0.2260     0.02769       8.16  <0.0001     0.1718     0.2803
	// lweight   -0.0695     0.07834      -0.89   0.3751    -0.2230     0.0841
	// age        0.0060     0.00480       1.25   0.2122    -0.0034     0.0154
}
