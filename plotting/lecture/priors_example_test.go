package lecture_test

import (
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

func ExamplePriorDensities() {
	plotting.Show(lecture.PriorDensities(1, 0.25, 1, 4))
	// Output:
	// Figure: normal prior densities for prior variances [0.25 1 4], and the penalty sigma^2/tau^2 of each
}

func ExampleNormalLaplace() {
	plotting.Show(lecture.NormalLaplace(1))
	// Output:
	// Figure: normal and Laplace density of standard deviation 1, and their logarithms
}
