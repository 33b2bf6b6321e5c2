package datasets_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/mlreg"
)

// How often do 95% limits hold the slope if the noise is skewed?
func ExampleLinearModel_Replicate() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(8, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8}), nil, "x"))
	truth := datasets.LinearModel{Coef: []float64{1, 0.5}, Sigma: 1, Noise: datasets.ExponentialNoise}
	r := must.M1(truth.Replicate(d, 1000, rand.NewPCG(1, 1), func(d *mlreg.Design) (mlreg.Wald, error) {
		return mlreg.FitOLS(d, nil)
	}))
	for _, c := range must.M1(r.Coverage(0.95)) {
		fmt.Printf("%-11s %.3f (standard error %.3f)\n", c.Term, c.Rate, c.StdErr)
	}
	// Output:
	// (Intercept) 0.941 (standard error 0.007)
	// x           0.942 (standard error 0.007)
}

// The slopes of 4,000 fits scatter as sigma/sqrt(sum (x - mean)^2) says: 0.154.
func ExampleReplicates_Coef() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(8, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8}), nil, "x"))
	truth := datasets.LinearModel{Coef: []float64{1, 0.5}, Sigma: 1}
	r := must.M1(truth.Replicate(d, 4000, rand.NewPCG(1, 1), func(d *mlreg.Design) (mlreg.Wald, error) {
		return mlreg.FitOLS(d, nil)
	}))
	mean, sd := stat.MeanStdDev(must.M1(r.Coef("x")), nil)
	fmt.Printf("mean %.3f, standard deviation %.3f\n", mean, sd)
	fmt.Printf("within the limits: %.3f\n", must.M1(r.Coverage(0.95))[1].Rate)
	// Output:
	// mean 0.499, standard deviation 0.152
	// within the limits: 0.948
}

// How often the 90% ellipse of the intercept and the slope holds the truth.
func ExampleReplicates_JointCoverage() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(8, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8}), nil, "x"))
	truth := datasets.LinearModel{Coef: []float64{1, 0.5}, Sigma: 1}
	r := must.M1(truth.Replicate(d, 2000, rand.NewPCG(1, 1), func(d *mlreg.Design) (mlreg.Wald, error) {
		return mlreg.FitOLS(d, nil)
	}))
	joint := must.M1(r.JointCoverage(0.9))
	fmt.Printf("%s %.3f (standard error %.3f)\n", joint.Term, joint.Rate, joint.StdErr)
	// Output:
	// (all) 0.901 (standard error 0.007)
}

// Noise that grows with x.
func ExampleLinearModel_Draw() {
	x := must.M1(mlreg.NewDesign(mat.NewDense(4, 1, []float64{0, 1, 2, 3}), nil, "x"))
	truth := datasets.LinearModel{Coef: []float64{10, 2}, SigmaAt: func(x []float64) float64 { return 0.1 * x[0] }}
	d := must.M1(truth.Draw(x, rand.NewPCG(1, 1)))
	fmt.Printf("%.2f\n", d.Y)
	// Output:
	// [10.00 12.04 13.84 16.20]
}

// Four kinds of noise of mean 0 and variance 1, and their kurtosis: 3, 1.8, 9
// and 6.
func ExampleUnitNoise() {
	src := rand.NewPCG(1, 1)
	e := make([]float64, 100_000)
	for _, noise := range []datasets.UnitNoise{datasets.NormalNoise, datasets.UniformNoise, datasets.ExponentialNoise, datasets.LaplaceNoise} {
		for i := range e {
			e[i] = noise(src)
		}
		fmt.Printf("variance %.2f, kurtosis %.1f\n", stat.Variance(e, nil), 3+stat.ExKurtosis(e, nil))
	}
	// Output:
	// variance 1.00, kurtosis 3.0
	// variance 1.00, kurtosis 1.8
	// variance 1.01, kurtosis 9.5
	// variance 1.00, kurtosis 6.1
}
