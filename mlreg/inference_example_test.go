package mlreg_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// growth is ten observations of two terms and a response.
func growth() *mlreg.Design {
	x := mat.NewDense(10, 2, []float64{
		1, 4, 2, 1, 3, 5, 4, 2, 5, 6, 6, 3, 7, 7, 8, 2, 9, 8, 10, 4,
	})
	y := []float64{3.1, 3.0, 5.8, 5.3, 8.2, 7.6, 10.9, 9.4, 13.2, 12.1}
	d, err := mlreg.NewDesign(x, y, "week", "dose")
	if err != nil {
		log.Fatal(err)
	}
	return d
}

func fit(d *mlreg.Design, settings *mlreg.OLSSettings) *mlreg.OLS {
	f, err := mlreg.FitOLS(d, settings)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

func ExampleOLS_ConfInt() {
	d := growth()
	for _, settings := range []*mlreg.OLSSettings{nil, {Sigma2: 0.01}} {
		f := fit(d, settings)
		limits, err := f.ConfInt(0.95)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("sigma known:", f.SigmaKnown())
		for _, l := range limits {
			fmt.Printf("%-11s %.3f to %.3f\n", l.Term, l.Lower, l.Upper)
		}
	}
	// Output:
	// sigma known: false
	// (Intercept) 0.054 to 0.641
	// week        0.952 to 1.039
	// dose        0.428 to 0.542
	// sigma known: true
	// (Intercept) 0.190 to 0.504
	// week        0.973 to 1.019
	// dose        0.454 to 0.515
}

func ExampleUpperLimits() {
	f := fit(growth(), nil)
	upper, err := mlreg.UpperLimits(f, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	lower, err := mlreg.LowerLimits(f, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("below %.3f, or above %.3f, with 95%% confidence each\n", upper[1], lower[1])
	// Output:
	// below 1.031, or above 0.961, with 95% confidence each
}

func ExampleCoefTest() {
	test, err := mlreg.CoefTest(fit(growth(), nil), "week", 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("t = %.3f on %v degrees of freedom, P = %.4f\n", test.Stat, test.DF, test.P)
	// Output:
	// t = -0.232 on 7 degrees of freedom, P = 0.8234
}

func ExampleContrast() {
	row, err := mlreg.Contrast(fit(growth(), nil), []float64{0, 1, -2}, 0, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %.3f (%.3f), t = %.2f, P = %.3f\n", row.Term, row.Estimate, row.StdErr, row.Statistic, row.P)
	// Output:
	// week - 2 dose = 0: 0.026 (0.058), t = 0.45, P = 0.665
}

func ExampleWaldTest() {
	// Are both slopes 1?
	test, err := mlreg.WaldTest(fit(growth(), nil), mat.NewDense(2, 3, []float64{
		0, 1, 0,
		0, 0, 1,
	}), []float64{1, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("F = %.1f on %v and %v, P = %.2g\n", test.Stat, test.DF1, test.DF2, test.P)
	// Output:
	// F = 264.4 on 2 and 7, P = 2.5e-07
}

func ExampleOLS_Robust() {
	d := growth()
	robust, err := fit(d, nil).Robust(d, mlreg.HC3)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := robust.Table(0.95)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows {
		fmt.Printf("%-11s %.3f %.3f\n", row.Term, row.Estimate, row.StdErr)
	}
	// Output:
	// (Intercept) 0.347 0.176
	// week        0.996 0.027
	// dose        0.485 0.028
}

func ExampleOLS_PredictionBand() {
	f := fit(growth(), nil)
	at, err := mlreg.NewDesign(mat.NewDense(2, 2, []float64{5.5, 4.2, 20, 4.2}), nil, "week", "dose")
	if err != nil {
		log.Fatal(err)
	}
	for _, band := range []func(*mlreg.Design, float64) (*mlreg.Band, error){f.ConfidenceBand, f.PredictionBand} {
		b, err := band(at, 0.95)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: ", b.Kind)
		for i := range b.Fitted {
			fmt.Printf(" %.2f in [%.2f, %.2f]", b.Fitted[i], b.Lower[i], b.Upper[i])
		}
		fmt.Println()
	}
	// Output:
	// confidence band of the mean:  7.86 in [7.74, 7.98] 22.30 in [21.66, 22.94]
	// prediction band of a new observation:  7.86 in [7.48, 8.24] 22.30 in [21.56, 23.04]
}

func ExampleOLS_Anova() {
	rows, err := fit(growth(), nil).Anova()
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%-9s %v %8.4f %8.1f %.2g\n", r.Term, r.DF, r.SumSq, r.F, r.P)
	}
	// Output:
	// week      1 105.5138   4381.3 4.7e-11
	// dose      1   9.6816    402.0 1.9e-07
	// Residuals 7   0.1686      NaN NaN
}

func ExampleCompareNested() {
	d := growth()
	week, err := d.Select("week")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := mlreg.CompareNested(fit(week, nil), fit(d, nil))
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%-15s %v %.4f %.4g\n", r.Terms, r.DoFResidual, r.RSS, r.F)
	}
	// Output:
	// 1 + week        8 9.8502 NaN
	// 1 + week + dose 7 0.1686 402
}

func ExampleOLS_Influence() {
	d := growth()
	inf, err := fit(d, nil).Influence(d)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		fmt.Printf("leverage %.3f  studentised %6.3f  Cook %.3f\n", inf.Leverage[i], inf.Studentized[i], inf.CooksDistance[i])
	}
	// Output:
	// leverage 0.372  studentised -1.656  Cook 0.434
	// leverage 0.369  studentised  1.576  Cook 0.399
	// leverage 0.230  studentised  0.284  Cook 0.009
}

func ExampleLOOMSE() {
	d := growth()
	f := fit(d, nil)
	loo, err := mlreg.LOOMSE(f, d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("training %.4f, leave-one-out %.4f, GCV %.4f\n", f.RSS()/10, loo, mlreg.GCV(f))
	// Output:
	// training 0.0169, leave-one-out 0.0369, GCV 0.0344
}

func ExampleVIF() {
	vif, err := mlreg.VIF(growth())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", vif)
	// Output:
	// [1.156 1.156]
}

func ExampleJarqueBera() {
	d := growth()
	f := fit(d, nil)
	r, err := f.Residuals(d)
	if err != nil {
		log.Fatal(err)
	}
	jb, err := mlreg.JarqueBera(r)
	if err != nil {
		log.Fatal(err)
	}
	bp, err := f.BreuschPagan(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("normal: P = %.2f; equal variances: P = %.2f; Durbin-Watson %.2f\n", jb.P, bp.P, mlreg.DurbinWatson(r))
	// Output:
	// normal: P = 0.72; equal variances: P = 0.74; Durbin-Watson 2.04
}
