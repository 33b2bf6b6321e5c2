package plotting_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Polynomials of degree 1 to 5, judged without a test set.
func ExampleFamilyPlot() {
	df := must.M1(datasets.PolyVsDegree().Draw(rand.NewPCG(1, 0)))
	var families []mlreg.Family
	for degree := 1; degree <= 5; degree++ {
		d := must.M1(frames.Design(df, fmt.Sprintf("y ~ poly(x, %d)", degree)))
		fit := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 100}, mlreg.KnownVariance(4), nil))
		families = append(families, mlreg.Family{Name: fmt.Sprint(degree), LogEvidence: fit.LogEvidence()})
	}
	plotting.Show(plotting.FamilyPlot(must.M1(mlreg.CompareFamilies(families)), "degree"))
	// Output:
	// Figure: log evidence and posterior probability of 5 families; the most probable is 2 with 0.676
}

// The prior variance of largest evidence.
func ExampleEvidencePlot() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	surface := must.M1(mlreg.NewEvidenceSurface(must.M1(d.Standardize(nil)), nil))
	best := must.M1(surface.Maximize(nil))
	path := must.M1(surface.Path([]float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10}, mlreg.KnownVariance(best.Sigma2)))
	plotting.Show(plotting.EvidencePlot(path, best))
	// Output:
	// Figure: log evidence and effective parameters against the prior variance from 0.001 to 10; largest at 0.0757
}
