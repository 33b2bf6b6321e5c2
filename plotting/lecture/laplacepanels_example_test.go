package lecture_test

import (
	"math"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// Four events in a unit of time: the posterior of the rate.
func ExampleLaplacePanels() {
	logDensity := func(rate float64) float64 { return 4*math.Log(rate) - rate }
	a := must.M1(mlreg.Laplace1D(logDensity, 3, nil))
	plotting.Show(lecture.LaplacePanels(logDensity, a, 0.3, 13))
	// Output:
	// Figure: logarithm of a density and its parabola at the mode 4, and the density with its Gaussian approximation
}
