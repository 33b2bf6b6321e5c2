package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Rows of the prostate data are sorted by the response, and its residuals show
// it. statsmodels: durbin_watson(m.resid).
func ExampleDurbinWatson() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	r := must.M1(must.M1(mlreg.FitOLS(d, nil)).Residuals(d))
	fmt.Printf("%.4f\n", mlreg.DurbinWatson(r))
	// Output: 1.2435
}

// statsmodels: jarque_bera(m.resid), the same in m.summary().
func ExampleJarqueBera() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	jb := must.M1(mlreg.JarqueBera(must.M1(must.M1(mlreg.FitOLS(d, nil)).Residuals(d))))
	fmt.Printf("JB %.4f, P %.4f; skewness %.4f, kurtosis %.4f\n", jb.Stat, jb.P, jb.Skewness, jb.Kurtosis)
	// Output: JB 2.0089, P 0.3663; skewness -0.2637, kurtosis 2.5321
}

// R: lmtest::bptest(m); statsmodels: het_breuschpagan(m.resid, X).
func ExampleOLS_BreuschPagan() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	bp := must.M1(must.M1(mlreg.FitOLS(d, nil)).BreuschPagan(d))
	fmt.Printf("%.4f on %v degrees of freedom, P %.4f\n", bp.Stat, bp.DF, bp.P)
	// Output: 0.9324 on 2 degrees of freedom, P 0.6274
}

// R: lmtest::bptest(m, studentize = FALSE).
func ExampleOLS_BreuschPaganOriginal() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	bp := must.M1(must.M1(mlreg.FitOLS(d, nil)).BreuschPaganOriginal(d))
	fmt.Printf("%.4f on %v degrees of freedom, P %.4f\n", bp.Stat, bp.DF, bp.P)
	// Output: 0.7142 on 2 degrees of freedom, P 0.6997
}

// R: lmtest::dwtest(m), and with alternative = "two.sided".
func ExampleOLS_DurbinWatson() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	dw := must.M1(must.M1(mlreg.FitOLS(d, nil)).DurbinWatson(d))
	fmt.Printf("DW %.4f, P %.6f; two-sided %.6f\n", dw.Stat, dw.Positive, dw.TwoSided)
	// Output: DW 1.2435, P 0.000037; two-sided 0.000074
}
