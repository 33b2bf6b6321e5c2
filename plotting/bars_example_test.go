package plotting_test

import "github.com/regbook/regbook/plotting"

func ExampleBars() {
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Binomial distribution, n = 3, p = 1/2", X: "successes", Y: "probability"},
		plotting.Bars{X: []float64{0, 1, 2, 3}, Y: []float64{0.125, 0.375, 0.375, 0.125}}))
	// Output:
	// Figure: Binomial distribution, n = 3, p = 1/2: probability against successes (horizontal -0.444 to 3.44, vertical 0 to 0.39)
}
