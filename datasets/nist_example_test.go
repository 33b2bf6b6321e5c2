package datasets_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// A polynomial of degree 5, fitted and held against the certified coefficients.
func ExampleNIST() {
	c := must.M1(datasets.NIST("Wampler4"))
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(c.Frame(), c.Formula())), nil))
	worst := 0.0
	for j, b := range ols.Coef() {
		worst = max(worst, math.Abs(b/c.Coef[j]-1))
	}
	fmt.Println(c.Formula())
	fmt.Println(c.CoefText[0], "with standard error", c.StdErrText[0])
	fmt.Println("relative error below 1e-13:", worst < 1e-13)
	// Output:
	// y ~ poly(x, 5, raw = TRUE)
	// 1.00000000000000 with standard error 215232.624678170
	// relative error below 1e-13: true
}

// The coefficients of Longley's regression to six digits, as a program prints them.
func ExampleCorrectDigits() {
	printed := []float64{-3482.26, 1.50619e-2, -3.58192e-2}
	certified := []float64{-3482.25863459582, 0.0150618722713733, -0.0358191792925910}
	fmt.Printf("%.1f\n", must.M1(datasets.CorrectDigits(printed, certified)))
	// Output: 5.7
}

func ExampleNISTNames() {
	for _, name := range datasets.NISTNames() {
		c := must.M1(datasets.NIST(name))
		fmt.Printf("%-8s %2d rows, powers %v\n", name, len(c.X), c.Powers)
	}
	// Output:
	// Filip    82 rows, powers [0 1 2 3 4 5 6 7 8 9 10]
	// NoInt1   11 rows, powers [1]
	// Wampler1 21 rows, powers [0 1 2 3 4 5]
	// Wampler2 21 rows, powers [0 1 2 3 4 5]
	// Wampler3 21 rows, powers [0 1 2 3 4 5]
	// Wampler4 21 rows, powers [0 1 2 3 4 5]
	// Wampler5 21 rows, powers [0 1 2 3 4 5]
}
