package plotting_test

import (
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/plotting"
)

func ExampleCorrelationMap() {
	plotting.Show(plotting.CorrelationMap(datasets.Longley(), nil))
	// Output:
	// Figure: Correlation coefficients: heat map of 7 columns, 16 rows; the strongest is 1.00 between GNP and Year
}
