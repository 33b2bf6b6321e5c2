package mlreg_test

import (
	"fmt"

	"github.com/regbook/regbook/mlreg"
)

// R: quantile(c(1, 2, 4, 8), c(0.5, 0.9)).
func ExampleSampleQuantile() {
	x := []float64{1, 2, 4, 8}
	fmt.Printf("%.1f %.1f\n", mlreg.SampleQuantile(x, 0.5), mlreg.SampleQuantile(x, 0.9))
	// Output: 3.0 6.8
}
