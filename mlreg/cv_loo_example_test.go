package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// How far off a row is if it does not help to predict itself.
// R: resid(m)/(1 - hatvalues(m)).
func ExampleLOOResiduals() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%.4f with, %.4f without\n", must.M1(ols.Residuals(d))[:3], must.M1(mlreg.LOOResiduals(ols, d))[:3])
	// Output: [-1.6206 -1.1068 -1.3933] with, [-1.6884 -1.1724 -1.4481] without
}

// R: boot::cv.glm(prostate, glm(lpsa ~ lcavol + svi, data = prostate))$delta[1].
func ExampleLOOMSE() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("training error %.4f, leave-one-out %.4f\n", ols.RSS()/97, must.M1(mlreg.LOOMSE(ols, d)))
	// Output: training error 0.5534, leave-one-out 0.5913
}

// GCV needs no leverages. The GCV of R's MASS::lm.ridge, 0.00596 here, is
// divided by n and does not count the intercept among the degrees of freedom.
func ExampleGCV() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ridge := must.M1(mlreg.FitRidge(must.M1(d.Standardize(nil)), 10, nil))
	fmt.Printf("%.2f degrees of freedom, GCV %.4f\n", ridge.DoF(), mlreg.GCV(ridge))
	// Output: 2.75 degrees of freedom, GCV 0.5907
}
