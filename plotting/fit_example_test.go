package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Show(ols) displays this table with 95% limits.
func ExampleSummary() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	table := must.M1(plotting.Summary(must.M1(mlreg.FitOLS(d, nil)), 0.90))
	table.Notes = table.Notes[:3] // leave out method and certificate
	plotting.Show(table)
	// Output:
	// OLS fit of lpsa
	// term         estimate  std. error      t        p  lower 90%  upper 90%
	// (Intercept)   -0.7772      0.6230  -1.25   0.2154    -1.8122     0.2579
	// lcavol         0.5259      0.0749   7.02  <0.0001     0.4015     0.6502
	// lweight        0.6618      0.1756   3.77   0.0003     0.3700     0.9536
	// svi            0.6657      0.2071   3.21   0.0018     0.3216     1.0097
	// n = 97, residual df = 93, σ = 0.7076 (estimated)
	// R² = 0.6359, adjusted R² = 0.6242, F(3, 93) = 54.15, p < 0.0001
	// log L = -102.05, AIC = 214.10, BIC = 226.97
}
