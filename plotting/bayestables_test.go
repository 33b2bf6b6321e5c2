package plotting_test

import (
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func parabola() *mlreg.Design {
	m := mat.NewDense(7, 2, nil)
	for i := range 7 {
		x := float64(i - 3)
		m.SetRow(i, []float64{x, x * x})
	}
	d, err := mlreg.NewDesign(m, []float64{8, 5, 2, 0, 2, 3, 10}, "x", "x²")
	if err != nil {
		log.Fatal(err)
	}
	return d
}

// Show displays a posterior as this table, with 95% limits.
func ExamplePosteriorTable() {
	known, err := mlreg.FitBayes(parabola(), mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(1.5), nil)
	if err != nil {
		log.Fatal(err)
	}
	unknown, err := mlreg.FitBayes(parabola(), mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.PosteriorTable(known, 0.9))
	plotting.Show(unknown)
	// Output:
	// Bayes fit of y
	// term           mean  std. dev.  lower 90%  upper 90%  P(w > 0)
	// (Intercept)  0.6366     0.7036    -0.5207     1.7938    0.8172
	// x            0.0678     0.2255    -0.3031     0.4387    0.6182
	// x²           0.9123     0.1325     0.6944     1.1301   >0.9999
	// n = 7, σ² = 1.5 (known)
	// λ = 1.5, 1.93 of 2 parameters determined by the data, with a flat prior of the intercept
	// log evidence -13.259, Cholesky, condition number 1
	// Bayes fit of y
	// term           mean  std. dev.  lower 95%  upper 95%  P(w > 0)
	// (Intercept)  0.6151     0.6877    -0.7589     1.9891    0.8423
	// x            0.0690     0.2219    -0.3745     0.5124    0.6417
	// x²           0.9176     0.1296     0.6586     1.1767   >0.9999
	// n = 7, σ² = 1.429 (posterior mean; inverse gamma with shape 3 and scale 2.857)
	// λ = 1, 1.95 of 2 parameters determined by the data, with a flat prior of the intercept
	// log evidence -12.848, Cholesky, condition number 1
}

// Results of the evidence and of Laplace's method are shown with their numbers.
func ExampleShow_evidence() {
	surface, err := mlreg.NewEvidenceSurface(parabola(), nil)
	if err != nil {
		log.Fatal(err)
	}
	best, err := surface.Maximize(nil)
	if err != nil {
		log.Fatal(err)
	}
	ols, err := mlreg.FitOLS(parabola(), nil)
	if err != nil {
		log.Fatal(err)
	}
	laplace, err := mlreg.Laplace1D(func(x float64) float64 { return 20*math.Log(x) - x }, 10, nil)
	if err != nil {
		log.Fatal(err)
	}
	families, err := mlreg.CompareFamilies([]mlreg.Family{{Name: "line", LogEvidence: -18.44}, {Name: "parabola", LogEvidence: -12.85}})
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(best)
	plotting.Show(families)
	plotting.Show(mlreg.DescriptionLength(ols))
	plotting.Show(laplace)
	// Output:
	// Maximum of the evidence
	// τ²                    0.4325
	// σ²                    1.197
	// λ = σ²/τ²             2.766
	// log evidence          -12.952
	// effective parameters  1.878
	// gradient at most 1e-8
	// Comparison of families
	// family    log evidence  log Bayes factor   prior  posterior
	// line            -18.44             -5.59  0.5000     0.0037
	// parabola        -12.85              0.00  0.5000     0.9963
	// 18.10 bits = 12.48 (data) + 5.61 (model)
	// Laplace approximation
	// coordinate  mode  std. dev.
	// θ1            20      4.472
	// ln p* at the mode 39.9146, ln Z 42.3315
	// gradient at the mode at most 1e-6
}
