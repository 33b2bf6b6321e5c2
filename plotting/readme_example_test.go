package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The example of the README: 97 men, a formula, a fit, its table and a figure.
func Example() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ lcavol + lweight + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	plotting.Show(ols)

	line := must.M1(frames.Design(df, "lpsa ~ lcavol"))
	plotting.Show(plotting.FitLine(line, must.M1(mlreg.FitOLS(line, nil)), 0.95))
	// Output:
	// OLS fit of lpsa
	// term         estimate  std. error      t        p  lower 95%  upper 95%
	// (Intercept)   -0.7772      0.6230  -1.25   0.2154    -2.0143     0.4600
	// lcavol         0.5259      0.0749   7.02  <0.0001     0.3772     0.6745
	// lweight        0.6618      0.1756   3.77   0.0003     0.3130     1.0105
	// svi            0.6657      0.2071   3.21   0.0018     0.2544     1.0769
	// n = 97, residual df = 93, σ = 0.7076 (estimated)
	// R² = 0.6359, adjusted R² = 0.6242, F(3, 93) = 54.15, p < 0.0001
	// log L = -102.05, AIC = 214.10, BIC = 226.97
	// Householder QR in double-double, condition number 21.8
	// correct digits: 15 (estimates), 15 (standard errors), |xⱼ'r| ≤ 1e-16 ‖xⱼ‖ ‖y‖ for all columns
	// Figure: lpsa = 1.51 + 0.719 lcavol: lpsa against lcavol (horizontal -1.55 to 4.03, vertical -0.671 to 5.82)
}
