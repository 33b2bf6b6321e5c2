package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The two parts of the uncertainty about a new man: noise, and not knowing the
// coefficients.
func ExampleBayes_Predictive() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.6), nil))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lcavol", []float64{1, 10})))))
	p := must.M1(post.Predictive(men, 0.95))
	for i := range p.Mean {
		fmt.Printf("%.3f, variance %.3f + %.3f, 95%% between %.3f and %.3f\n",
			p.Mean[i], p.NoiseVar[i], p.ParamVar[i], p.LowerObs[i], p.UpperObs[i])
	}
	// Output:
	// 2.228, variance 0.600 + 0.007, 95% between 0.701 and 3.754
	// 8.673, variance 0.600 + 0.341, 95% between 6.771 and 10.574
}

// The plug-in takes the posterior mean for the truth, and is too sure of itself
// far from the data.
func ExampleBayes_PlugIn() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.6), nil))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lcavol", []float64{1, 10})))))
	fmt.Printf("standard deviations %.3f, plug-in %.3f\n",
		must.M1(post.Predictive(men, 0.95)).StdDev(), must.M1(post.PlugIn(men, 0.95)).StdDev())
	// Output: standard deviations [0.779 0.970], plug-in [0.775 0.775]
}

// How probable is it that svi counts for more than a unit of lcavol? Count draws.
func ExampleBayes_Sample() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))
	w, _ := must.M2(post.Sample(10000, rand.NewPCG(1, 2)))
	more := 0
	for s := range 10000 {
		if w.At(s, 2) > w.At(s, 1) {
			more++
		}
	}
	fmt.Printf("%.2f\n", float64(more)/10000)
	// Output: 0.55
}

// Lines drawn from the posterior, at two points: they spread between the data
// and beyond.
func ExampleBayes_SampleFunctions() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.6), nil))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lcavol", []float64{1, 10})))))
	f := must.M1(post.SampleFunctions(men, 1000, rand.NewPCG(1, 2)))
	for i := range 2 {
		fmt.Printf("%.1f +- %.2f\n", stat.Mean(f.RawRowView(i), nil), stat.StdDev(f.RawRowView(i), nil))
	}
	// Output:
	// 2.2 +- 0.08
	// 8.7 +- 0.58
}

// What a prior believes of lines before any data: draws of the coefficients,
// and the values of their lines at two points.
func ExampleFunctions() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(2, 1, []float64{-1, 1}), nil))
	prior := must.M1(mlreg.NewGaussian([]float64{0, 0}, mat.NewDiagDense(2, []float64{0.5, 0.5})))
	w := must.M1(prior.Sample(2, rand.NewPCG(1, 2)))
	f := must.M1(mlreg.Functions(d, w))
	for s := range 2 {
		fmt.Printf("w = %.2f: f(-1) = %.2f, f(1) = %.2f\n", w.RawRowView(s), f.At(0, s), f.At(1, s))
	}
	// Output:
	// w = [0.27 0.05]: f(-1) = 0.22, f(1) = 0.32
	// w = [0.14 -0.80]: f(-1) = 0.94, f(1) = -0.65
}

// The likelihood of two lines. R: sum(dnorm(y, 1 + 2*x, 0.5, log = TRUE)).
func ExampleLogLikelihood() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(3, 1, []float64{0, 1, 2}), []float64{1.2, 2.9, 5.3}))
	for _, w := range [][]float64{{1, 2}, {0, 3}} {
		fmt.Printf("%.0f + %.0f x: %.4f\n", w[0], w[1], must.M1(mlreg.LogLikelihood(d, w, 0.25)))
	}
	// Output:
	// 1 + 2 x: -0.9574
	// 0 + 3 x: -4.5574
}

// A score of rows that were not fitted: how probable they were.
func ExampleBayes_LogPredictive() {
	df := datasets.Prostate()
	for _, formula := range []string{"lpsa ~ lcavol", "lpsa ~ lcavol + lweight + svi"} {
		d := must.M1(frames.Design(df, formula))
		train, test := must.M2(d.Split(must.M1(frames.Mask(df, "train", "T"))))
		post := must.M1(mlreg.FitBayes(train, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))
		fmt.Printf("%-29s %.3f a row\n", formula, stat.Mean(must.M1(post.LogPredictive(test)), nil))
	}
	// Output:
	// lpsa ~ lcavol                 -1.085 a row
	// lpsa ~ lcavol + lweight + svi -0.993 a row
}

// Every prediction is made before its response is seen; together they are the evidence.
func ExampleSequentialLogEvidence() {
	x := mat.NewDense(4, 1, []float64{-1, 0, 1, 2})
	d := must.M1(mlreg.NewDesign(x, []float64{0.1, 0.4, 1.2, 1.8}))
	prior, noise := mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.25)
	settings := &mlreg.BayesSettings{PenalizeIntercept: true}
	fmt.Printf("%.3f\n", must.M1(mlreg.SequentialLogEvidence(d, prior, noise, settings)))
	fmt.Printf("all at once %.3f\n", must.M1(mlreg.FitBayes(d, prior, noise, settings)).LogEvidence())
	// Output:
	// [-1.327 -2.216 -3.424 -4.272]
	// all at once -4.272
}

// Limits of 90% for new men hold nine tenths of them, if the model is right.
func ExamplePredictive_Coverage() {
	men := datasets.Prostate()
	d := must.M1(frames.Design(men, "lpsa ~ lcavol + lweight"))
	train, test := must.M2(d.Split(must.M1(frames.Mask(men, "train", "T"))))
	post := must.M1(mlreg.FitBayes(train, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))
	limits := must.M1(post.Predictive(test, 0.9))
	fmt.Printf("%.3f of %d\n", must.M1(limits.Coverage(test.Y)), test.NObs())
	// Output: 0.933 of 30
}
