package mlreg_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
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

func ExampleFitLAD() {
	d := telephone()
	fit, err := mlreg.FitLAD(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fit)
	// Output:
	// Median regression of calls
	// term         estimate    least  largest
	// (Intercept)   -2313.8  -3163.2  -2254.0
	// year              1.2      1.2      1.6
	// n = 24, residual df = 22, loss 422, R1 = 0.1533
	// log L = -126.08, AIC = 258.16, BIC = 261.69
	// simplex, duality gap at most 1e-14 of the objective, one of many minima: least and largest are the ranges of the coefficients over all of them
}

func ExampleFitQuantile() {
	d := telephone()
	fit, err := mlreg.FitQuantile(d, 0.25, nil)
	if err != nil {
		log.Fatal(err)
	}
	certificate, err := fit.Certify(d)
	if err != nil {
		log.Fatal(err)
	}
	limits, err := fit.RankLimits(d, 0.9, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(certificate)
	fmt.Println(limits)
	// Output:
	// Certificate of a quantile regression
	//                                   value
	// objective                         214.15
	// dual objective                    214.15
	// gap                               ≤ 1e-14
	// rows above, on and below the fit  18, 2, 4
	// rows whose subgradient is wrong   0
	// imbalance of a column             ≤ 1e-14
	//
	// Confidence limits
	// term         lower 90%  upper 90%
	// (Intercept)    -2739.7    -2010.9
	// year               1.0        1.4
}

func ExampleFitQuantiles() {
	d := telephone()
	fits, err := mlreg.FitQuantiles(d, []float64{0.25, 0.5, 0.75}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fits)
	crossings, err := fits.Crossings(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("rows where fits cross:", len(crossings))
	// Output:
	// Quantile regressions of calls
	//    τ  (Intercept)   year      R1
	// 0.25        -2258  1.159  0.1960
	// 0.5         -2338  1.200  0.1533
	// 0.75       -19139  9.807  0.3973
	// other coefficients have the same loss at τ = 0.25, 0.5; see Unique and Range of Fit
	// n = 24, 3 fits
	// duality gaps at most 1e-14 of the objective
	//
	// rows where fits cross: 2
}

func ExampleFitQuantileProcess() {
	process, err := mlreg.FitQuantileProcess(telephone(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(process)
	// Output:
	// Quantile regressions of calls
	//      τ  (Intercept)   year      R1
	// 0.0307        -2116   1.09  0.2037
	// 0.1241        -2302   1.18  0.2032
	// 0.2628        -2290   1.18  0.1945
	// 0.3243        -2323   1.19  0.1884
	// 0.4361        -2310   1.19  0.1684
	// 0.5833        -4256   2.18  0.1452
	// 0.6601       -17909   9.18  0.2079
	// 0.7549       -19139   9.81  0.3985
	// 0.8781       -20343  10.43  0.4490
	// 0.9656       -21302  10.93  0.5058
	// n = 24, 22 fits, all quantiles from 4.17e-06 to 0.999996
	// duality gaps at most 1e-14 of the objective
}

func ExampleFitQuantilePath() {
	path, err := mlreg.FitQuantilePath(telephone(), 0.5, &mlreg.PathSettings{Count: 5, Ratio: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(path)
	// Output:
	// Lasso path of the quantile at τ = 0.5 of calls
	//     λ   dof  nonzero   Σ|b|      R1
	// 72     1.00        0  0.000  0.0000
	// 40.49  2.00        1  1.036  0.1454
	// 22.77  2.00        1  1.133  0.1523
	// 12.8   2.00        1  1.157  0.1533
	//  7.2   2.00        1  1.157  0.1533
	// n = 24, 5 lambdas, 1 term
	// all penalized slopes are zero from λ = 72 on
	// at every λ: duality gap at most 1e-12 of the null loss, KKT violated by at most 1e-12
}

func ExampleBootstrapQuantile() {
	boot, err := mlreg.BootstrapQuantile(telephone(), 0.5, rand.NewPCG(1, 2), &mlreg.BootstrapSettings{B: 200})
	if err != nil {
		log.Fatal(err)
	}
	limits, err := boot.ConfInt(mlreg.Percentile, 0.9)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("slope between %.1f and %.1f\n", limits[1].Lower, limits[1].Upper)
	// Output:
	// slope between 1.1 and 12.2
}

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
	// 1963: 16.3 to 17.6
}

func ExampleQuantile_Range() {
	fit, err := mlreg.FitLAD(telephone(), nil)
	if err != nil {
		log.Fatal(err)
	}
	slope := fit.Range()[1]
	fmt.Printf("the only minimum: %t; slopes of the minima: %.4f to %.4f\n", fit.Unique(), slope.Lower, slope.Upper)
	fmt.Printf("τ = %g, rows on the line: %v\n", fit.Tau(), fit.Basis())
	fmt.Printf("R1 = 1 - %.1f/%.1f = %.4f\n", fit.Loss(), fit.NullLoss(), fit.R1())
	// Output:
	// the only minimum: false; slopes of the minima: 1.1571 to 1.6222
	// τ = 0.5, rows on the line: [4 12]
	// R1 = 1 - 422.0/498.4 = 0.1533
}

func ExampleQuantile_Inference() {
	d := telephone()
	fit, err := mlreg.FitQuantile(d, 0.25, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, kind := range []mlreg.Sparsity{mlreg.SameDensity, mlreg.HendricksKoenker, mlreg.PowellKernel} {
		inf, err := fit.Inference(d, kind)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: τ = %g, bandwidth %.3f, density %.4f, crossed in %d rows, std. errors %.3f\n",
			inf.Sparsity(), inf.Tau(), inf.Bandwidth(), inf.Density(), inf.Crossed(), inf.StdErr())
	}
	// Output:
	// same density: τ = 0.25, bandwidth 0.233, density 0.2259, crossed in 0 rows, std. errors [110.852 0.057]
	// Hendricks-Koenker: τ = 0.25, bandwidth 0.233, density 0.3101, crossed in 0 rows, std. errors [92.165 0.047]
	// Powell kernel: τ = 0.25, bandwidth 60.687, density 0.0051, crossed in 0 rows, std. errors [4714.629 2.407]
}

// Has the curve a bend? The rank test compares the line with a parabola.
func ExampleQuantile_RankTest() {
	d := telephone()
	line, err := mlreg.FitLAD(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	x := mat.NewDense(d.NObs(), 2, nil)
	for i := range d.NObs() {
		year := float64(i)
		x.SetRow(i, []float64{1950 + year, year * year})
	}
	parabola, err := mlreg.NewDesign(x, d.Y, "year", "bend")
	if err != nil {
		log.Fatal(err)
	}
	test, err := line.RankTest(parabola)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(test)
	// Output:
	// χ²(1) = 0.4728, p = 0.4917
}

func ExampleQuantiles_EqualSlopes() {
	d := telephone()
	fits, err := mlreg.FitQuantiles(d, []float64{0.25, 0.5, 0.75}, nil)
	if err != nil {
		log.Fatal(err)
	}
	test, err := fits.EqualSlopes(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(test)
	// Output:
	// F(2, 70) = 10.09, p = 0.0001
}

// At 1950 the upper quartile is below the others, until the predictions are sorted.
func ExampleQuantiles_PredictSorted() {
	d := telephone()
	fits, err := mlreg.FitQuantiles(d, []float64{0.25, 0.5, 0.75}, nil)
	if err != nil {
		log.Fatal(err)
	}
	raw, err := fits.Predict(d)
	if err != nil {
		log.Fatal(err)
	}
	sorted, err := fits.PredictSorted(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("τ:", fits.Tau())
	fmt.Printf("1950: %.1f, sorted %.1f\n", raw.RawRowView(0), sorted.RawRowView(0))
	fmt.Printf("loss %.1f, R1 %.4f\n", fits.Loss(), fits.R1())
	// Output:
	// τ: [0.25 0.5 0.75]
	// 1950: [1.5 2.3 -14.9], sorted [-14.9 1.5 2.3]
	// loss [214.2 422.0 384.5], R1 [0.1960 0.1533 0.3973]
}

func ExampleQuantiles_Pieces() {
	process, err := mlreg.FitQuantileProcess(telephone(), nil)
	if err != nil {
		log.Fatal(err)
	}
	from, to := process.Pieces()
	fmt.Printf("%d lines; the first is best from τ = %.6f to %.4f\n", process.Len(), from[0], to[0])
	// Output:
	// 22 lines; the first is best from τ = 0.000004 to 0.0614
}
