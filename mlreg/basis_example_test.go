package mlreg_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A natural cubic spline through a wave, and its prediction at new inputs, one
// of them beyond the training range, where it goes on as a line.
func ExampleExpand() {
	x := mat.NewVecDense(9, []float64{0, .5, 1, 1.5, 2, 2.5, 3, 3.5, 4})
	var y []float64
	for i := range x.Len() {
		y = append(y, math.Sin(x.AtVec(i)))
	}
	basis, err := mlreg.NewNaturalSpline(x.RawVector().Data, &mlreg.SplineSettings{DF: 4})
	if err != nil {
		log.Fatal(err)
	}
	d, err := mlreg.Expand(basis, x, y, "hours")
	if err != nil {
		log.Fatal(err)
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	at, err := mlreg.ExpandLike(d, mat.NewVecDense(2, []float64{1.2, 5}), nil)
	if err != nil {
		log.Fatal(err)
	}
	yhat, err := fit.Predict(at)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\nR2 %.4f, predictions %.3f\n", d.Names, fit.R2(), yhat)
	// Output:
	// ["ns(hours, 4)1" "ns(hours, 4)2" "ns(hours, 4)3" "ns(hours, 4)4"]
	// R2 0.9996, predictions [0.932 -1.648]
}

func ExamplePowers() {
	p, err := mlreg.NewPowers(3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Names("x"), p.Eval(nil, 2))
	// Output: [x x^2 x^3] [2 4 8]
}

func ExamplePower() {
	hi, lo := mlreg.Power(0.1, 2) // 0.1 itself is rounded; its square is rounded once more
	fmt.Printf("%.17g and %.3g\n", hi, lo)
	// Output: 0.010000000000000002 and -8.33e-19
}

func ExampleNewPoly() {
	p, err := mlreg.NewPoly([]float64{-1, 0, 1, 2}, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", p.Eval(nil, 2))
	// Output: [0.6708 0.5000]
}

func ExampleNewBSpline() {
	x := []float64{0, 1, 2, 3, 4, 5, 6}
	b, err := mlreg.NewBSpline(x, &mlreg.SplineSettings{Knots: []float64{2, 4}, Degree: 1, Intercept: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", b.Eval(nil, 2.5)) // hats over 0, 2, 4 and 6
	// Output: [0.00 0.75 0.25 0.00]
}

func ExampleNewNaturalSpline() {
	x := []float64{0, 1, 2, 3, 4, 5, 6}
	s, err := mlreg.NewNaturalSpline(x, &mlreg.SplineSettings{DF: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("knots %v between %v\n", s.Knots, s.Boundary)
	fmt.Printf("%.4f\n", s.Eval(nil, 2.5))
	// Output:
	// knots [2 4] between [0 6]
	// [0.1371 0.5341 -0.3535]
}

func ExampleNewFourier() {
	f, err := mlreg.NewFourier(24, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Names("hour"))
	fmt.Printf("%.3f\n", f.Eval(nil, 3))
	// Output:
	// [fourier(hour, 24)sin1 fourier(hour, 24)cos1 fourier(hour, 24)sin2 fourier(hour, 24)cos2]
	// [0.707 0.707 1.000 0.000]
}

// The same two inputs seen by wider and wider bumps about three prototypes.
func ExampleNewRBF() {
	x := mat.NewDense(4, 2, []float64{0, 0, 1, 0, 0, 2, 1, 0})
	for _, width := range []float64{0.2, 1, 5} {
		r, err := mlreg.NewRBF(x, width)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("width %.1f: %.3f\n", width, r.Eval(nil, 0, 1))
	}
	// Output:
	// width 0.2: [0.000 0.000 0.000]
	// width 1.0: [0.607 0.368 0.607]
	// width 5.0: [0.980 0.961 0.980]
}

func ExampleQuantilePrototypes() {
	centers, err := mlreg.QuantilePrototypes([]float64{0, 1, 2, 3, 4, 10}, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(centers.RawMatrix().Data)
	fmt.Printf("width %.3f\n", mlreg.PrototypeWidth(centers))
	// Output:
	// [0 2.5 10]
	// width 4.082
}

func ExampleSamplePrototypes() {
	x := mat.NewDense(5, 2, []float64{0, 0, 1, 0, 0, 2, 1, 0, 3, 3})
	centers, err := mlreg.SamplePrototypes(x, 2, rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(centers))
	// Output:
	// ⎡1  0⎤
	// ⎣0  2⎦
}

func ExampleDistinctRows() {
	rows, err := mlreg.DistinctRows(mat.NewDense(3, 1, []float64{2, 1, 2}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows.RawMatrix().Data)
	// Output: [2 1]
}

func ExampleSampleQuantile() {
	fmt.Println(mlreg.SampleQuantile([]float64{1, 2, 4, 8}, 0.5))
	// Output: 3
}

// An additive model of a trend and a season, and their interaction.
func ExampleNewAdditive() {
	trend, err := mlreg.NewPowers(1)
	if err != nil {
		log.Fatal(err)
	}
	season, err := mlreg.NewFourier(4, 1)
	if err != nil {
		log.Fatal(err)
	}
	both, err := mlreg.NewInteraction(trend, season)
	if err != nil {
		log.Fatal(err)
	}
	basis, err := mlreg.NewAdditive(trend, season, both)
	if err != nil {
		log.Fatal(err)
	}
	for k, name := range basis.Names("year", "quarter", "year", "quarter") {
		fmt.Printf("%-27s %4.1f\n", name, basis.Eval(nil, 3, 1, 3, 1)[k])
	}
	// Output:
	// year                         3.0
	// fourier(quarter, 4)sin1      1.0
	// fourier(quarter, 4)cos1      0.0
	// year:fourier(quarter, 4)sin1  3.0
	// year:fourier(quarter, 4)cos1  0.0
}

func ExampleNewInteraction() {
	two, err := mlreg.NewPowers(2)
	if err != nil {
		log.Fatal(err)
	}
	product, err := mlreg.NewInteraction(two, two)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(product.Names("x", "z"), product.Eval(nil, 2, 10))
	// Output: [x:z x^2:z x:z^2 x^2:z^2] [20 40 200 400]
}

func ExampleEvalRows() {
	p, err := mlreg.NewPowers(2)
	if err != nil {
		log.Fatal(err)
	}
	cols, low, err := mlreg.EvalRows(p, mat.NewVecDense(2, []float64{3, 1e9 + 1}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f\n%.0f\n", mat.Formatted(cols), mat.Formatted(low)) // (10^9 + 1)^2 ends in 1
	// Output:
	// ⎡                  3                    9⎤
	// ⎣         1000000001  1000000002000000000⎦
	// ⎡0  0⎤
	// ⎣0  1⎦
}

// The vocabulary is learnt from three reviews, and a fourth is coded by it.
func ExampleNewWords() {
	words, err := mlreg.NewWords([]string{
		"The tea was hot and the cake was good.",
		"Good tea, slow service.",
		"The service was slow; the tea was cold.",
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q, in every review %q\n", words.Vocabulary, words.Everywhere)
	review := "A slow, cold tea. Was it good?"
	fmt.Println(words.Eval(nil, review), words.Unknown(review))
	// Output:
	// ["good" "service" "slow" "the" "was"], in every review ["tea"]
	// [1 0 1 0 1] [a cold it]
}

func ExampleTokenize() {
	fmt.Printf("%q\n", mlreg.Tokenize("Don't panic: 42 towels!"))
	// Output: ["don't" "panic" "42" "towels"]
}

// Training error falls with the degree, whatever the truth.
func ExampleRSSPath() {
	p, err := mlreg.NewPowers(3)
	if err != nil {
		log.Fatal(err)
	}
	d, err := mlreg.Expand(p, mat.NewVecDense(5, []float64{-2, -1, 0, 1, 2}), []float64{5, 1, 0, 2, 4})
	if err != nil {
		log.Fatal(err)
	}
	rss, err := mlreg.RSSPath(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", rss)
	// Output: [17.2000 17.1000 1.0286 0.1286]
}

// A straight truth: more degrees buy nothing but variance.
func ExampleExpectedErrorPath() {
	p, err := mlreg.NewPowers(3)
	if err != nil {
		log.Fatal(err)
	}
	x := mat.NewVecDense(5, []float64{-2, -1, 0, 1, 2})
	d, err := mlreg.Expand(p, x, nil)
	if err != nil {
		log.Fatal(err)
	}
	path, err := mlreg.ExpectedErrorPath(d, []float64{-2, -1, 0, 1, 2}, 1)
	if err != nil {
		log.Fatal(err)
	}
	for degree, e := range path {
		fmt.Printf("degree %d: bias^2 %.1f, variance %.1f, training %.1f, new %.1f\n", degree, e.Bias2, e.Variance, e.Training, e.New)
	}
	// Output:
	// degree 0: bias^2 2.0, variance 0.2, training 2.8, new 3.2
	// degree 1: bias^2 0.0, variance 0.4, training 0.6, new 1.4
	// degree 2: bias^2 0.0, variance 0.6, training 0.4, new 1.6
	// degree 3: bias^2 0.0, variance 0.8, training 0.2, new 1.8
}

// Beyond the training inputs the expected error of a cubic explodes.
func ExampleExpectedErrorAt() {
	p, err := mlreg.NewPowers(3)
	if err != nil {
		log.Fatal(err)
	}
	train, err := mlreg.Expand(p, mat.NewVecDense(5, []float64{-2, -1, 0, 1, 2}), []float64{-2, -1, 0, 1, 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range []float64{0.5, 2.5, 4} {
		at, err := mlreg.ExpandLike(train, mat.NewVecDense(1, []float64{x}), []float64{x})
		if err != nil {
			log.Fatal(err)
		}
		e, err := mlreg.ExpectedErrorAt(train, at, 1, mlreg.ErrorOnAliased)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("at %.1f: %.1f\n", x, e.Error)
	}
	// Output:
	// at 0.5: 0.6
	// at 2.5: 5.6
	// at 4.0: 192.2
}
