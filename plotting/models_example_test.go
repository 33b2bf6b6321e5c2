package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The probabilities of all models, cut at 0.04.
func ExampleModelProbs() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	e := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, &mlreg.EnumerateSettings{Scores: true}))
	plotting.Show(plotting.ModelProbs(e, 0.04, "1,024 models"))
	// Output:
	// Figure: 1,024 models: p(γ|y) against model γ, in Gray-code order (horizontal -40.9 to 1064, vertical 0 to 0.04)
}

func ExampleModelSpace() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	e := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, &mlreg.EnumerateSettings{Best: 200}))
	plotting.Show(plotting.ModelSpace(e, &plotting.ModelSpaceSettings{Title: "Caterpillars"}))
	// Output:
	// Figure: Caterpillars: the terms of the 200 models of highest posterior probability; the best is {x1, x2, x4, x5} with 0.218
}

// All 1,024 models of the number of caterpillar nests.
func ExampleShow_models() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	plotting.Show(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, nil))
	// Output:
	// Posterior over models of log(y)
	// term   p(in)  MAP  median
	// x1    0.8487  •    •
	// x2    0.6839  •    •
	// x3    0.1539
	// x4    0.6362  •    •
	// x5    0.6161  •    •
	// x6    0.1648
	// x7    0.1374
	// x8    0.1603
	// x9    0.4046
	// x10   0.1109
	// 1,024 models summed, all of 2^10
	// log p(y) = -52.8873, scores certified to 1e-9
	// most probable {x1 x2 x4 x5}, probability 0.2176
	// median model {x1 x2 x4 x5}, probability 0.2176
}

func ExampleShow_bestModels() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	plotting.Show(must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, nil)).Best()[:3])
	// Output:
	// The most probable models
	//    terms             size  p(γ|y)  cumulated  log p(y|γ)
	// 1  {x1 x2 x4 x5}        4  0.2176     0.2176     -47.481
	// 2  {x1 x9}              2  0.0370     0.2546     -49.252
	// 3  {x1 x2 x4 x5 x9}     5  0.0348     0.2894     -49.314
}

func ExampleInclusionPlot() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	e := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, nil))
	plotting.Show(plotting.InclusionPlot(e, &plotting.InclusionSettings{Sorted: true}))
	// Output:
	// Figure: posterior probabilities of inclusion of 10 terms; above 1/2: {x1 x2 x4 x5}
}

// What a sampler makes of the same posterior, and another score.
func ExampleCompareInclusions() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	g := mlreg.ZellnerG{G: 100}
	plotting.Show(plotting.CompareInclusions([]plotting.NamedModels{
		{Name: "exact", Models: must.M1(mlreg.EnumerateModels(d, g, nil))},
		{Name: "sampled", Models: must.M1(mlreg.SampleModels(d, g, rand.NewPCG(1, 1), nil))},
		{Name: "by BIC", Models: must.M1(mlreg.EnumerateModels(d, mlreg.BICScore{}, nil))},
	}, nil))
	// Output:
	// Figure: posterior probabilities of inclusion of 10 terms; above 1/2: {x1 x2 x4 x5}
}

func ExampleSizePlot() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	plotting.Show(plotting.SizePlot(must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, nil)), "Caterpillars"))
	// Output:
	// Figure: Caterpillars: probability against number of terms in the model (horizontal -0.6 to 9.6, vertical 0 to 0.384)
}

// Limits of the probabilities of 25 terms, beside a sampler's estimates.
func ExampleCertifiedInclusion() {
	d := must.M1(frames.Design(datasets.DiabetesQuadratic(), "progression ~ (age + sex + bmi + bp + s3 + s5)^2 + s1 + s2 + s4 + s6"))
	limits := must.M1(mlreg.CertifyModels(d, mlreg.BICScore{}, rand.NewPCG(1, 2), &mlreg.CertifySettings{Nodes: 60, Proposals: 1 << 14}))
	sampled := must.M1(mlreg.SampleModels(d, mlreg.BICScore{}, rand.NewPCG(1, 2), &mlreg.SampleModelsSettings{Sweeps: 200}))
	plotting.Show(plotting.CertifiedInclusion(limits, sampled, &plotting.InclusionSettings{Sorted: true}))
	// Output:
	// Figure: limits of the posterior probabilities of inclusion of 25 terms, the widest 0.54 wide
}
