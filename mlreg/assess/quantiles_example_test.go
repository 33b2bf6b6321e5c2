package assess_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/mlreg/quantreg"
)

func ExampleConformalQuantiles() {
	calls := []float64{4.4, 4.7, 4.7, 5.9, 6.6, 7.3, 8.1, 8.8, 10.6, 12, 13.5, 14.9, 16.1, 21.2} // Belgium, 1950 to 1963
	years := mat.NewDense(len(calls), 1, nil)
	for i := range calls {
		years.Set(i, 0, float64(1950+i))
	}
	d, err := mlreg.NewDesign(years, calls, "year")
	if err != nil {
		log.Fatal(err)
	}
	train, calibration := d.Rows(0, 2, 4, 6, 8, 10, 12), d.Rows(1, 3, 5, 7, 9, 11)
	low, err := quantreg.Fit(train, 0.1, nil)
	if err != nil {
		log.Fatal(err)
	}
	high, err := quantreg.Fit(train, 0.9, nil)
	if err != nil {
		log.Fatal(err)
	}
	band, err := assess.ConformalQuantiles(low, high, calibration, d.Rows(13), 0.8)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("1963: %.1f to %.1f\n", band.Lower[0], band.Upper[0])
	// Output:
	// 1963: 16.3 to 17.6
}
