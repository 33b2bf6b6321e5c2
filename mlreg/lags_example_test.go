package mlreg_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// waves is a series of two channels: "y" follows "x" two steps later.
func waves(n int) *mlreg.Series {
	values := mat.NewDense(n, 2, nil)
	for t := range n {
		values.Set(t, 1, math.Sin(float64(t*t)))
		if t >= 2 {
			values.Set(t, 0, 3+2*values.At(t-2, 1)+0.01*math.Cos(float64(7*t*t)))
		}
	}
	s, _ := mlreg.NewSeries(values, "y", "x")
	return s
}

func ExampleNewSeries() {
	s, err := mlreg.NewSeries(mat.NewDense(3, 1, []float64{5, math.NaN(), 7}), "level")
	if err != nil {
		panic(err)
	}
	s.Time = []float64{2021, 2022, 2023}
	fmt.Println(s.NObs(), s.Names)
	// Output: 3 [level]
}

func ExampleNewLags() {
	lags, err := mlreg.NewLags(waves(500), 0, &mlreg.LagsSettings{
		Channels: []mlreg.ChannelLags{{Channel: "x", From: 1, To: 3}},
	})
	if err != nil {
		panic(err)
	}
	fit, err := mlreg.FitOLS(lags, nil) // no row of the design is built
	if err != nil {
		panic(err)
	}
	for j, name := range fit.Names() {
		fmt.Printf("%-12s %.2f\n", name, math.Abs(fit.Coef()[j]))
	}
	// Output:
	// (Intercept)  3.00
	// lag(x, 1)    0.00
	// lag(x, 2)    2.00
	// lag(x, 3)    0.00
}
