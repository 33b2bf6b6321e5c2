package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: confint(lm(lpsa ~ lcavol + svi, prostate)). If sigma is known limits are
// normal, and narrower.
func ExampleOLS_ConfInt() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	for _, settings := range []*mlreg.OLSSettings{nil, {Sigma2: 0.5}} {
		ols := must.M1(mlreg.FitOLS(d, settings))
		fmt.Println("sigma known:", ols.SigmaKnown(), "degrees of freedom:", ols.InferenceDoF())
		for _, l := range must.M1(ols.ConfInt(0.95)) {
			fmt.Printf("%-11s %.4f to %.4f\n", l.Term, l.Lower, l.Upper)
		}
	}
	// Output:
	// sigma known: false degrees of freedom: 94
	// (Intercept) 1.3005 to 1.7664
	// lcavol      0.4383 to 0.7468
	// svi         0.2307 to 1.1088
	// sigma known: true degrees of freedom: +Inf
	// (Intercept) 1.3183 to 1.7486
	// lcavol      0.4501 to 0.7350
	// svi         0.2642 to 1.0753
}

// The function takes any fit that has standard errors: here a logistic
// regression. R: confint.default(glm(svi ~ lpsa, binomial, prostate)).
func ExampleConfInt() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	for _, l := range must.M1(mlreg.ConfInt(must.M1(mlreg.FitLogistic(d, nil)), 0.95)) {
		fmt.Printf("%-11s %.4f to %.4f\n", l.Term, l.Lower, l.Upper)
	}
	// Output:
	// (Intercept) -11.2841 to -4.5128
	// lpsa        1.1876 to 3.3106
}

// R: coef(summary(glm(svi ~ lpsa, binomial, prostate))).
func ExampleCoefTable() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	for _, r := range must.M1(mlreg.CoefTable(must.M1(mlreg.FitLogistic(d, nil)), 0.95)) {
		fmt.Printf("%-11s %8.4f %.4f  z %5.2f  P %.1e\n", r.Term, r.Estimate, r.StdErr, r.Statistic, r.P)
	}
	// Output:
	// (Intercept)  -7.8985 1.7274  z -4.57  P 4.8e-06
	// lpsa          2.2491 0.5416  z  4.15  P 3.3e-05
}

// Of a one-sided limit of confidence 95% the other side is not in doubt.
func ExampleUpperLimits() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	upper := must.M1(mlreg.UpperLimits(must.M1(mlreg.FitOLS(d, nil)), 0.95))
	fmt.Printf("the slope is below %.4f\n", upper[1].Upper)
	// Output: the slope is below 0.8326
}

// R: confint(lm(lpsa ~ lcavol, prostate), level = 0.9)[2, 1].
func ExampleLowerLimits() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	lower := must.M1(mlreg.LowerLimits(must.M1(mlreg.FitOLS(d, nil)), 0.95))
	fmt.Printf("the slope is above %.4f\n", lower[1].Lower)
	// Output: the slope is above 0.6060
}

// R: 94 * s2/qchisq(c(0.975, 0.025), 94) with s2 = summary(m)$sigma^2.
func ExampleOLS_Sigma2ConfInt() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	limits := must.M1(ols.Sigma2ConfInt(0.95))
	fmt.Printf("%.4f, with 95%% confidence between %.4f and %.4f\n", ols.Sigma2(), limits.Lower, limits.Upper)
	// Output: 0.5710, with 95% confidence between 0.4374 and 0.7772
}
