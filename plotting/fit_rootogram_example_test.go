package plotting_test

import (
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Visits whose mean varies from person to person by more than the term explains: too many
// have none, and too many have very many.
func ExampleRootogram() {
	src := rand.NewPCG(3, 14)
	x, y := mat.NewDense(400, 1, nil), make([]float64, 400)
	for i := range y {
		x.Set(i, 0, float64(i%5))
		own := distuv.Gamma{Alpha: 1.5, Beta: 1.5, Src: src}.Rand()
		y[i] = distuv.Poisson{Lambda: own * math.Exp(0.4+0.2*x.At(i, 0)), Src: src}.Rand()
	}
	d := must.M1(mlreg.NewDesign(x, y, "age"))
	d.Response = "visits"
	fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))
	plotting.Show(plotting.Rootogram(must.M1(fit.Frequencies(d, 0))))
	// Output:
	// Figure: √rows against visits (horizontal -1.09 to 16.1, vertical -3.03 to 10.5)
}

func ExampleQuantileResiduals() {
	d := must.M1(frames.Design(datasets.Insurance(), "claims ~ factor(age) + factor(district) + offset(log(holders))"))
	fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))
	plotting.Show(plotting.QuantileResiduals(fit, d, rand.NewPCG(1, 2)))
	// Output:
	// Figure: Quantile residuals: quantile residual against linear predictor (horizontal -0.543 to 6.29, vertical -3.27 to 3.73); Normal QQ: quantile residual against normal quantile (horizontal -2.61 to 2.61, vertical -3.63 to 3.74)
}
