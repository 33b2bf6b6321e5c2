package quantreg_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/mlreg/quantreg"
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
	fit, err := quantreg.FitLAD(d, nil)
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

func ExampleFit() {
	d := telephone()
	fit, err := quantreg.Fit(d, 0.25, nil)
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
	fits, err := quantreg.FitQuantiles(d, []float64{0.25, 0.5, 0.75}, nil)
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

func ExampleFitProcess() {
	process, err := quantreg.FitProcess(telephone(), nil)
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

func ExampleFitPath() {
	path, err := quantreg.FitPath(telephone(), 0.5, &mlreg.PathSettings{Count: 5, Ratio: 0.1})
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
	// at every λ: duality gap at most 1e-12 of the objective, KKT violated by at most 1e-12
}

func ExampleBootstrap() {
	boot, err := quantreg.Bootstrap(telephone(), 0.5, rand.NewPCG(1, 2), &assess.BootstrapSettings{B: 200})
	if err != nil {
		log.Fatal(err)
	}
	limits, err := boot.ConfInt(assess.Percentile, 0.9)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("slope between %.1f and %.1f\n", limits[1].Lower, limits[1].Upper)
	// Output:
	// slope between 1.1 and 12.2
}

func ExampleQuantile_Range() {
	fit, err := quantreg.FitLAD(telephone(), nil)
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
	fit, err := quantreg.Fit(d, 0.25, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, kind := range []quantreg.Sparsity{quantreg.SameDensity, quantreg.HendricksKoenker, quantreg.PowellKernel} {
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
	line, err := quantreg.FitLAD(d, nil)
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
	fits, err := quantreg.FitQuantiles(d, []float64{0.25, 0.5, 0.75}, nil)
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
	fits, err := quantreg.FitQuantiles(d, []float64{0.25, 0.5, 0.75}, nil)
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
	process, err := quantreg.FitProcess(telephone(), nil)
	if err != nil {
		log.Fatal(err)
	}
	from, to := process.Pieces()
	fmt.Printf("%d lines; the first is best from τ = %.6f to %.4f\n", process.Len(), from[0], to[0])
	// Output:
	// 22 lines; the first is best from τ = 0.000004 to 0.0614
}

// A fit says what it is, how it was found and how good it is.
func ExampleQuantile_LogLik() {
	for _, s := range []*quantreg.Settings{nil, {L1: 100}, {L2: 1000}} {
		fit, err := quantreg.FitLAD(telephone(), s)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, L1 = %g, L2 = %g: objective %.1f, gap below 1e-8: %t, some steps: %t\n",
			fit.Method(), fit.L1(), fit.L2(), fit.Objective(), fit.Gap() < 1e-8, fit.Steps() > 0)
		fmt.Printf("terms %q, %.0f coefficients and %.0f degrees of freedom left; %d parameters, scale %.2f, log L %.2f\n",
			fit.Active(), fit.DoF(), fit.DoFResidual(), fit.Parameters(), fit.Scale(), fit.LogLik())
	}
	// Output:
	// simplex, L1 = 0, L2 = 0: objective 422.0, gap below 1e-8: true, some steps: true
	// terms ["year"], 2 coefficients and 22 degrees of freedom left; 3 parameters, scale 17.58, log L -126.08
	// simplex, L1 = 100, L2 = 0: objective 498.4, gap below 1e-8: true, some steps: true
	// terms [], 1 coefficients and 23 degrees of freedom left; 2 parameters, scale 20.77, log L -130.07
	// interior point, L1 = 0, L2 = 1000: objective 497.1, gap below 1e-8: true, some steps: true
	// terms ["year"], 2 coefficients and 22 degrees of freedom left; 3 parameters, scale 20.66, log L -129.95
}

// Raw coefficients are those of years, whatever the design was standardized by.
func ExampleQuantile_Raw() {
	scaled, err := telephone().Standardize(nil)
	if err != nil {
		log.Fatal(err)
	}
	fit, err := quantreg.Fit(scaled, 0.75, nil)
	if err != nil {
		log.Fatal(err)
	}
	raw, err := fit.Raw()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(raw.Describe())
	// Output:
	// Quantile regression of calls at τ = 0.75
	// term         estimate
	// (Intercept)  -19138.8
	// year              9.8
	// n = 24, residual df = 22, loss 384.54, R1 = 0.3973
	// log L = -130.75, AIC = 267.50, BIC = 271.04
	// simplex, duality gap at most 1e-14 of the objective, the only minimum
}

// The table of coefficients with standard errors.
func ExampleInference_Table() {
	d := telephone()
	fit, err := quantreg.Fit(d, 0.25, nil)
	if err != nil {
		log.Fatal(err)
	}
	inf, err := fit.Inference(d, quantreg.HendricksKoenker)
	if err != nil {
		log.Fatal(err)
	}
	table, err := inf.Table(0.9)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table)
	fmt.Printf("variance of the slope %.5f, %.0f of %.0f degrees of freedom\n", inf.VCov().At(1, 1), inf.InferenceDoF(), inf.DoFResidual())
	// Output:
	// term         estimate  std. error  statistic        p  lower 90%  upper 90%
	// (Intercept)   -2258.2      92.165      -24.5  <0.0001    -2416.5    -2099.9
	// year              1.2       0.047       24.6  <0.0001        1.1        1.2
	//
	// variance of the slope 0.00222, 22 of 22 degrees of freedom
}

// What several fits have in common, and the fit at a probability.
func ExampleQuantiles_At() {
	scaled, err := telephone().Standardize(nil)
	if err != nil {
		log.Fatal(err)
	}
	fits, err := quantreg.FitQuantiles(scaled, []float64{0.25, 0.75}, nil)
	if err != nil {
		log.Fatal(err)
	}
	upper, err := fits.At(0.75)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s on %q: %.2f, of all %.2f\n", fits.Response(), fits.Names(), upper.Coef(), fits.Coef().RawMatrix().Data)
	fmt.Printf("years about %.1f, coded: %t, rows omitted: %d, gaps below 1e-12: %t\n",
		fits.Scaling().Center, fits.Coding() != nil, fits.Omitted(), fits.Gap()[0] < 1e-12 && fits.Gap()[1] < 1e-12)
	// Output:
	// calls on ["(Intercept)" "year"]: [97.87 67.89], of all [14.94 8.13 97.87 67.89]
	// years about [1961.5], coded: false, rows omitted: 0, gaps below 1e-12: true
}

// A path from the null model on, in raw units.
func ExamplePath_Slopes() {
	scaled, err := telephone().Standardize(nil)
	if err != nil {
		log.Fatal(err)
	}
	path, err := quantreg.FitPath(scaled, 0.5, &mlreg.PathSettings{Count: 3, Ratio: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	raw, err := path.Raw()
	if err != nil {
		log.Fatal(err)
	}
	last, err := raw.At(path.Lambda()[2])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("τ = %g, slopes of %q from λ = %.1f on: %.3f, of years %.3f\n", path.Tau(), path.Terms(), path.LambdaMax(), path.Slopes().RawMatrix().Data, last.Slopes())
	fmt.Printf("λ %.1f, objectives %.1f, degrees of freedom %.0f, no violation: %t\n", path.Lambda(), path.Objective(), path.DoF(), path.KKT()[2] < 1e-12)
	// Output:
	// τ = 0.5, slopes of ["year"] from λ = 10.4 on: [0.000 7.845 8.010], of years [1.157]
	// λ [10.4 3.3 1.0], objectives [498.4 448.3 430.3], degrees of freedom [1 2 2], no violation: true
}
