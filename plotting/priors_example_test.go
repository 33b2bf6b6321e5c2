package plotting_test

import "github.com/regbook/regbook/plotting"

func ExamplePriorDensities() {
	plotting.Show(plotting.PriorDensities(1, 0.25, 1, 4))
	// Output:
	// Figure: normal prior densities for prior variances [0.25 1 4], and the penalty sigma^2/tau^2 of each
}

func ExampleNormalLaplace() {
	plotting.Show(plotting.NormalLaplace(1))
	// Output:
	// Figure: normal and Laplace density of standard deviation 1, and their logarithms
}
