package mlreg_test

import (
	"fmt"
	"log"

	"github.com/regbook/regbook/mlreg"
)

func ExampleConformalQuantiles() {
	d := telephone()
	train, calibration := d.Rows(0, 2, 4, 6, 8, 10, 12), d.Rows(1, 3, 5, 7, 9, 11)
	low, err := mlreg.FitQuantile(train, 0.1, nil)
	if err != nil {
		log.Fatal(err)
	}
	high, err := mlreg.FitQuantile(train, 0.9, nil)
	if err != nil {
		log.Fatal(err)
	}
	band, err := mlreg.ConformalQuantiles(low, high, calibration, d.Rows(13), 0.8)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("1963: %.1f to %.1f\n", band.Lower[0], band.Upper[0])
	// Output:
	// 1963: 13.9 to 17.2
}
