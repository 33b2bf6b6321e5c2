package rlm_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/rlm"
)

// telephone are the phone calls from Belgium, 1950 to 1973, in tens of millions: of 1964 to
// 1969, and in part of 1963 and 1970, minutes were counted instead (Rousseeuw and Leroy,
// Robust Regression and Outlier Detection (1987), table 2.2; R's MASS has them as phones).
func telephone() *mlreg.Design {
	calls := []float64{4.4, 4.7, 4.7, 5.9, 6.6, 7.3, 8.1, 8.8, 10.6, 12, 13.5, 14.9, 16.1, 21.2, 119, 124, 142, 159, 182, 212, 43, 24, 27, 29}
	years := mat.NewDense(len(calls), 1, nil)
	for i := range calls {
		years.Set(i, 0, float64(1950+i))
	}
	d, err := mlreg.NewDesign(years, calls, "year")
	if err != nil {
		log.Fatal(err)
	}
	d.Response = "calls"
	return d
}

func ExampleFit() {
	d := telephone()
	fit, err := rlm.Fit(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fit)
	weights, err := fit.Weights(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("weight of 1963: %.2f, of 1964: %.2f\n", weights[13], weights[14])
	// Output:
	// MM estimate of calls
	// term          estimate  std. error      z        p  lower 95%  upper 95%
	// (Intercept)  -2144.238      92.418  -23.2  <0.0001  -2325.374  -1963.101
	// year             1.101       0.047   23.4  <0.0001      1.009      1.193
	// n = 24, residual df = 22, σ = 2.128
	// bisquare, c = 4.685; 7 rows of weight below 0.1
	// breakdown at 45.8% of the rows, efficiency 95% at Gaussian noise
	// 9 iterations, estimating equations hold to 1e-10
	//
	// weight of 1963: 0.67, of 1964: 0.00
}

func ExampleFitStudent() {
	fit, err := rlm.FitStudent(telephone(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(fit)
	fmt.Printf("maxima of the likelihood: %d found; without a bound: %v\n", fit.Maxima(), fit.Unbounded())
	// Output:
	// Student-t regression of calls
	// term          estimate  std. error      z        p  lower 95%  upper 95%
	// (Intercept)  -2203.254      58.428  -37.7  <0.0001  -2317.771  -2088.737
	// year             1.131       0.030   38.0  <0.0001      1.073      1.189
	// n = 24, residual df = 22
	// log L = -94.04, AIC = 196.07, BIC = 200.78
	// noise: Student's t with 0.5 degrees of freedom (estimated), scale 0.6613
	// evidence against Gaussian noise: 49.2 bits
	// breakdown at 0% of the rows: outlying responses lose their weight, rows far out in their terms do not; see Fit
	// 28 iterations, likelihood equations hold to 1e-9
	// the likelihood has several maxima, of which 2 were found; the fit is at the greatest
	// maxima of the likelihood: 2 found; without a bound: false
}

func ExampleMEstimate_Breakdown() {
	for _, method := range []rlm.Method{rlm.MM, rlm.HuberM, rlm.TukeyM} {
		fit, err := rlm.Fit(telephone(), &rlm.Settings{Method: method})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v, %v: breakdown %.2f, efficiency %.2f, %d outliers, equations hold: %t\n",
			fit.Method(), fit.Psi(), fit.Breakdown(), fit.Efficiency(), fit.Outliers(), fit.Equation() < 1e-8)
	}
	// Output:
	// MM, bisquare, c = 4.685: breakdown 0.46, efficiency 0.95, 7 outliers, equations hold: true
	// Huber M, Huber, c = 1.345: breakdown 0.00, efficiency 0.95, 3 outliers, equations hold: true
	// Tukey M, bisquare, c = 4.685: breakdown 0.00, efficiency 0.95, 7 outliers, equations hold: true
}

func ExamplePsi() {
	for _, psi := range []rlm.Psi{{}, {Kind: rlm.BisquarePsi}} {
		fmt.Printf("%v: efficiency %.3f\n", psi, psi.Efficiency())
		for _, u := range []float64{1, 3, 6} {
			fmt.Printf("u = %v: rho %.3f, psi %.3f, slope %.3f, weight %.3f\n", u, psi.Rho(u), psi.Value(u), psi.Slope(u), psi.Weight(u))
		}
	}
	// Output:
	// Huber, c = 1.345: efficiency 0.950
	// u = 1: rho 0.500, psi 1.000, slope 1.000, weight 1.000
	// u = 3: rho 3.130, psi 1.345, slope 0.000, weight 0.448
	// u = 6: rho 7.165, psi 1.345, slope 0.000, weight 0.224
	// bisquare, c = 4.685: efficiency 0.950
	// u = 1: rho 0.478, psi 0.911, slope 0.737, weight 0.911
	// u = 3: rho 2.907, psi 1.044, slope -0.620, weight 0.348
	// u = 6: rho 3.658, psi 0.000, slope 0.000, weight 0.000
}

// By a fit with heavy tails, fewer calls than those of 1969 were almost certain.
func ExampleStudent_PIT() {
	d := telephone()
	fit, err := rlm.FitStudent(d, &rlm.StudentSettings{Nu: 3})
	if err != nil {
		log.Fatal(err)
	}
	pit, err := fit.PIT(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ν = %g (known: %t), %.1f bits against Gaussian noise, equations hold: %t\n", fit.Nu(), fit.NuKnown(), fit.EvidenceBits(), fit.Equation() < 1e-8)
	fmt.Printf("1950: %.3f, 1963: %.3f, 1969: %.3f\n", pit[0], pit[13], pit[19])
	// Output:
	// ν = 3 (known: true), 1.7 bits against Gaussian noise, equations hold: true
	// 1950: 0.564, 1963: 0.457, 1969: 0.998
}

// Errors of the coefficients, and limits by them.
func ExampleMEstimate_ConfInt() {
	d := telephone()
	fit, err := rlm.Fit(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	limits, err := fit.ConfInt(0.9)
	if err != nil {
		log.Fatal(err)
	}
	table, err := fit.Table(0.9)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(limits[1])
	fmt.Println(table[1].Estimate == fit.Slopes()[0], table[1].StdErr == fit.StdErr()[1])
	fmt.Printf("variance %.6f, scale %.3f, its square %.3f; exact: %t\n", fit.VCov().At(1, 1), fit.Scale(), fit.Sigma2(), fit.Exact())
	fmt.Printf("%d rows, %g residual degrees of freedom, statistics with %g; %d iterations\n", fit.NObs(), fit.DoFResidual(), fit.InferenceDoF(), fit.Iterations())
	fmt.Println(fit.Kind(), "by rows of", fit.Describe().Columns[0].Name)
	// Output:
	// Confidence limits
	// term  lower 90%  upper 90%
	// year     1.0235     1.1785
	//
	// true true
	// variance 0.002220, scale 2.128, its square 4.530; exact: false
	// 24 rows, 22 residual degrees of freedom, statistics with +Inf; 9 iterations
	// MM estimate by rows of term
}

// The likelihood of every row sums to that of the fit.
func ExampleStudent_LogLikRows() {
	d := telephone()
	fit, err := rlm.FitStudent(d, &rlm.StudentSettings{Nu: 3})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := fit.LogLikRows(d)
	if err != nil {
		log.Fatal(err)
	}
	var sum float64
	for _, v := range rows {
		sum += v
	}
	fmt.Printf("%.3f, %.3f; %d parameters: %s with nu = %s\n", sum, fit.LogLik(), fit.Parameters(), fit.LikelihoodModel().Model, fit.LikelihoodModel().Given["nu"])
	// Output:
	// -128.515, -128.515; 3 parameters: a linear model with nu = 3
}
