package plotting_test

import (
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/plotting"
)

func ExampleHead() {
	plotting.Show(plotting.Head(datasets.EightSchools(), 3))
	// Output:
	// school  effect  se
	// 1  A           28  15
	// 2  B            8  10
	// 3  C           -3  16
	// ... 5 more rows
	// 8 rows x 3 columns
}
