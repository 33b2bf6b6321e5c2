package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

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

func ExampleBestModels() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	plotting.Show(plotting.BestModels(must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, nil)), 3))
	// Output:
	// The most probable models
	//    terms             size  p(γ|y)  cumulated  log p(y|γ)
	// 1  {x1 x2 x4 x5}        4  0.2176     0.2176     -47.481
	// 2  {x1 x9}              2  0.0370     0.2546     -49.252
	// 3  {x1 x2 x4 x5 x9}     5  0.0348     0.2894     -49.314
}
