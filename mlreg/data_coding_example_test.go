package mlreg_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A fit refuses new rows whose polynomials were learned anew: they would mean something
// else.
func ExampleCoding() {
	x := []float64{1, 2, 3, 4, 5, 6}
	y := []float64{1.2, 3.9, 9.3, 15.8, 25.1, 36.2}
	square, err := mlreg.NewPoly(x, 2)
	if err != nil {
		panic(err)
	}
	train, err := mlreg.Expand(square, mat.NewVecDense(6, x), y)
	if err != nil {
		panic(err)
	}
	fit, err := mlreg.FitOLS(train, nil)
	if err != nil {
		panic(err)
	}
	at := mat.NewVecDense(3, []float64{1, 2, 7})
	anew, err := mlreg.NewPoly([]float64{1, 2, 7}, 2)
	if err != nil {
		panic(err)
	}
	wrong, err := mlreg.Expand(anew, at, nil)
	if err != nil {
		panic(err)
	}
	_, err = fit.Predict(wrong)
	fmt.Println(err)
	right, err := mlreg.ExpandLike(train, at, nil)
	if err != nil {
		panic(err)
	}
	yhat, err := fit.Predict(right)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f\n", yhat)
	// Output:
	// mlreg: rows are coded differently from the fit: the constants of term "poly(x, 2)1" were learned anew from these rows; code new rows like those fitted with mlreg.ExpandLike
	// [1.17 4.06 49.36]
}

// Columns that a program codes itself: x divided by its largest value.
func ExampleNewCoding() {
	train, err := mlreg.NewDesign(mat.NewVecDense(3, []float64{0.25, 0.5, 1}), []float64{1, 2, 4}, "share")
	if err != nil {
		panic(err)
	}
	share := func(largest float64) *mlreg.Coding {
		columns := []mlreg.CodedColumn{{Name: "share", Fingerprint: mlreg.Fingerprint(largest)}}
		return mlreg.NewCoding(columns, nil, "shares.Like 1", fmt.Append(nil, largest))
	}
	train.Coding = share(8)
	fit, err := mlreg.FitOLS(train, nil)
	if err != nil {
		panic(err)
	}
	rows := *train
	rows.Coding = share(20)
	_, err = fit.Predict(&rows)
	fmt.Println(err)
	format, recipe := fit.Coding().Recipe()
	fmt.Printf("%s: %s\n", format, recipe)
	format, recipe = fit.Coding().WithRecipe("shares.Like 2", []byte("max 8")).Recipe()
	fmt.Printf("%s: %s\n", format, recipe)
	// Output:
	// mlreg: rows are coded differently from the fit: the constants of term "share" were learned anew from these rows; code new rows like those fitted with shares.Like
	// shares.Like 1: 8
	// shares.Like 2: max 8
}

// The columns of a factor are one term.
func ExampleCoding_Groups() {
	columns := []mlreg.CodedColumn{{Name: "colourgreen"}, {Name: "colourred"}}
	coding := mlreg.NewCoding(columns, []mlreg.TermGroup{{Name: "color", Terms: []string{"colourgreen", "colourred"}}}, "", nil)
	for _, g := range coding.Groups() {
		fmt.Println(g.Name, g.Terms)
	}
	// Output: color [colourgreen colourred]
}

// Constants that differ in the last bit are others.
func ExampleFingerprint() {
	a := mlreg.Fingerprint("knots", []float64{0.1, 0.3})
	b := mlreg.Fingerprint("knots", []float64{0.1, math.Nextafter(0.3, 1)})
	fmt.Println(len(a), a == b)
	// Output: 32 false
}
