package datasets_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func ExampleStraightClasses() {
	s := datasets.StraightClasses()
	fmt.Println(s.LogOdds(1, 1), s.LogOdds(1, -1))
	// Output: 6 0
}

func ExampleCurvedClasses() {
	s := datasets.CurvedClasses()
	fmt.Printf("%.1f %.1f\n", s.LogOdds(0, 0), s.LogOdds(2, 2))
	// Output: -1.0 3.8
}

// A fourth weight saves half a bit and costs more than three.
func ExampleStraightSample() {
	for _, formula := range []string{"y ~ x1 + x2", "y ~ x1 + x2 + I((x1+x2)^2)"} {
		d := must.M1(frames.Design(datasets.StraightSample(), formula))
		l := mlreg.DescriptionLength(must.M1(mlreg.FitLogistic(d, nil)))
		fmt.Printf("%.2f + %.2f bits\n", l.Data, l.Model)
	}
	// Output:
	// 16.36 + 9.97 bits
	// 15.77 + 13.29 bits
}

// Here it saves twenty.
func ExampleCurvedSample() {
	for _, formula := range []string{"y ~ x1 + x2", "y ~ x1 + x2 + I((x1+x2)^2)"} {
		d := must.M1(frames.Design(datasets.CurvedSample(), formula))
		l := mlreg.DescriptionLength(must.M1(mlreg.FitLogistic(d, nil)))
		fmt.Printf("%.2f + %.2f bits\n", l.Data, l.Model)
	}
	// Output:
	// 58.56 + 9.97 bits
	// 38.05 + 13.29 bits
}
