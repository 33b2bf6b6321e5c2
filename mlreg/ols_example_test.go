package mlreg_test

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: summary(lm(lpsa ~ lcavol + lweight + svi, prostate)).
func ExampleFitOLS() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	for j, name := range ols.Names() {
		fmt.Printf("%-11s %7.4f  standard error %.4f\n", name, ols.Coef()[j], ols.StdErr()[j])
	}
	fmt.Printf("R2 %.4f, adjusted %.4f; sigma %.4f on %v degrees of freedom\n",
		ols.R2(), ols.AdjR2(), math.Sqrt(ols.Sigma2()), ols.DoFResidual())
	// Output:
	// (Intercept) -0.7772  standard error 0.6230
	// lcavol       0.5259  standard error 0.0749
	// lweight      0.6618  standard error 0.1756
	// svi          0.6657  standard error 0.2071
	// R2 0.6359, adjusted 0.6242; sigma 0.7076 on 93 degrees of freedom
}

// A row with a gap does not count, and the fit says so.
// R: "(1 observation deleted due to missingness)" in summary(m).
func ExampleOLS_Omitted() {
	df := must.M1(frames.Frame(
		frames.Col("speed", []float64{4, 7, math.NaN(), 12, 15}),
		frames.Col("distance", []float64{2, 13, 10, 20, 26}),
	))
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "distance ~ speed")), nil))
	fmt.Println(ols.NObs(), "rows,", ols.Omitted(), "omitted")
	// Output: 4 rows, 1 omitted
}

// Without a formula: speed and stopping distance of seven cars (invented), as
// a matrix and a slice.
func ExampleFitOLS_matrix() {
	speed := mat.NewDense(7, 1, []float64{4, 7, 9, 12, 15, 19, 24})
	distance := []float64{2, 13, 10, 20, 26, 46, 70}
	d := must.M1(mlreg.NewDesign(speed, distance, "speed"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	faster := must.M1(mlreg.NewDesign(mat.NewDense(1, 1, []float64{21}), nil, "speed"))
	fmt.Printf("%q %.3f\n", ols.Names(), ols.Coef())
	fmt.Printf("at speed 21: %.1f\n", must.M1(ols.Predict(faster)))
	// Output:
	// ["(Intercept)" "speed"] [-15.526 3.285]
	// at speed 21: [53.5]
}

// Every other value of lpsa counts four times as much.
// R: coef(lm(lpsa ~ lcavol, prostate, weights = rep(c(1, 4), length = 97))).
func ExampleFitOLS_weights() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	for i := range d.NObs() {
		d.Weights = append(d.Weights, float64(1+3*(i%2)))
	}
	fmt.Printf("%.4f\n", must.M1(mlreg.FitOLS(d, nil)).Coef())
	// Output: [1.4914 0.7138]
}

// The columns of R's coef(summary(m)) and confint(m).
func ExampleOLS_Table() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	for _, r := range must.M1(must.M1(mlreg.FitOLS(d, nil)).Table(0.95)) {
		fmt.Printf("%-11s %7.4f %.4f  t %5.2f  P %.4f  %7.4f to %.4f\n",
			r.Term, r.Estimate, r.StdErr, r.Statistic, r.P, r.Lower, r.Upper)
	}
	// Output:
	// (Intercept) -0.7772 0.6230  t -1.25  P 0.2154  -2.0143 to 0.4600
	// lcavol       0.5259 0.0749  t  7.02  P 0.0000   0.3772 to 0.6745
	// lweight      0.6618 0.1756  t  3.77  P 0.0003   0.3130 to 1.0105
	// svi          0.6657 0.2071  t  3.21  P 0.0018   0.2544 to 1.0769
}

// New rows come with the names of the columns, not in their order.
// R: predict(m, data.frame(lcavol = c(1, 2), svi = c(0, 1))).
func ExampleOLS_Predict() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	men := must.M1(frames.Frame(frames.Col("svi", []int{0, 1}), frames.Col("lcavol", []float64{1, 2})))
	fmt.Printf("%.4f\n", must.M1(ols.Predict(must.M1(frames.DesignLike(d, men)))))
	// Output: [2.1260 3.3883]
}

// R: range(resid(m)), where m is the fit to the training rows; and what is left
// on the test rows.
func ExampleOLS_Residuals() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ lcavol + svi"))
	train, test := must.M2(d.Split(must.M1(frames.Mask(df, "train", "T"))))
	ols := must.M1(mlreg.FitOLS(train, nil))
	r := must.M1(ols.Residuals(train))
	fmt.Printf("training residuals from %.3f to %.3f\n", slices.Min(r), slices.Max(r))
	out := must.M1(ols.Residuals(test))
	fmt.Printf("mean squared error of %d test rows %.4f\n", len(out), floats.Dot(out, out)/float64(len(out)))
	// Output:
	// training residuals from -1.620 to 1.695
	// mean squared error of 30 test rows 0.3861
}

// R: vcov(m).
func ExampleOLS_VCov() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%.5f\n", mat.Formatted(ols.VCov()))
	// Output:
	// ⎡ 0.01377  -0.00614   0.00191⎤
	// ⎢-0.00614   0.00603  -0.00926⎥
	// ⎣ 0.00191  -0.00926   0.04891⎦
}

// The last line of R's summary(m): is there anything in the model at all?
func ExampleOLS_F() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	f := must.M1(mlreg.FitOLS(d, nil)).F()
	fmt.Printf("F = %.2f on %v and %v degrees of freedom, P = %.1e\n", f.Stat, f.DF1, f.DF2, f.P)
	// Output: F = 54.15 on 3 and 93 degrees of freedom, P = 2.4e-20
}

// R: hatvalues(m).
func ExampleOLS_Leverage() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	h := must.M1(must.M1(mlreg.FitOLS(d, nil)).Leverage(d))
	most := floats.MaxIdx(h)
	fmt.Printf("sum %.4f; row %d has the largest, %.4f\n", floats.Sum(h), most, h[most])
	// Output: sum 3.0000; row 11 has the largest, 0.0723
}

// Longley's data are so collinear that half of the digits of a float64 are lost
// to a program that solves the normal equations.
func ExampleOLS_Digits() {
	d := must.M1(frames.Design(datasets.Longley(), "Employed ~ ."))
	ols := must.M1(mlreg.FitOLS(d, nil))
	coef, stderr := ols.Digits()
	fmt.Printf("condition number %.0f, yet %d digits of every coefficient and %d of every standard error are right\n",
		ols.Cond(), coef, stderr)
	fmt.Printf("%s; the residual is orthogonal to every column to 1e-15: %v\n", ols.Method(), ols.Orthogonality() < 1e-15)
	// Output:
	// condition number 43275, yet 15 digits of every coefficient and 15 of every standard error are right
	// Householder QR in double-double; the residual is orthogonal to every column to 1e-15: true
}

// Collinear columns cost the coefficients digits that predictions keep.
func ExampleOLS_PredictError() {
	d := must.M1(frames.Design(datasets.Longley(), "Employed ~ ."))
	sums := must.M1(mlreg.FitOLS(must.M1(d.Moments()), nil)) // of cross-products, which lose digits
	coef, _ := sums.Digits()
	yhat, bound := must.M1(sums.Predict(d)), must.M1(sums.PredictError(d))
	fmt.Printf("coefficients to %d digits; the first prediction is %.3f, right to 1e-9: %v\n", coef, yhat[0], bound[0] < 1e-9)
	// Output: coefficients to 9 digits; the first prediction is 60.056, right to 1e-9: true
}

func ExampleOLS_ContrastError() {
	d := must.M1(frames.Design(datasets.Longley(), "Employed ~ GNP + Population"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	l := []float64{0, 10, 1}
	row := must.M1(mlreg.Contrast(ols, l, 0, 0.95))
	bound := must.M1(ols.ContrastError(l))
	fmt.Printf("%s: %.6f, right to 1e-15: %v\n", row.Term, row.Estimate, bound < 1e-15)
	// Output: 10 GNP + Population = 0: 0.221981, right to 1e-15: true
}

// Coefficients of standardized columns compare terms; those of raw columns have
// units. They are one fit.
func ExampleOLS_Raw() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + age"))
	ols := must.M1(mlreg.FitOLS(must.M1(d.Standardize(nil)), nil))
	raw := must.M1(ols.Raw())
	fmt.Printf("%q\nper standard deviation %.4f\nper unit               %.4f\n", ols.Names(), ols.Coef(), raw.Coef())
	// Output:
	// ["(Intercept)" "lcavol" "age"]
	// per standard deviation [2.4784 0.8422 0.0052]
	// per unit               [1.4634 0.7183 0.0007]
}

// Two columns that say the same are named, not hidden; on request they are
// treated as R does.
func ExampleRankDeficientError() {
	x := mat.NewDense(4, 2, []float64{1, 100, 2, 200, 3, 300, 5, 500})
	d := must.M1(mlreg.NewDesign(x, []float64{1, 2, 2, 4}, "metres", "centimetres"))
	_, err := mlreg.FitOLS(d, nil)
	var deficient *mlreg.RankDeficientError
	fmt.Println(errors.As(err, &deficient), deficient.Aliased)

	ols := must.M1(mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.DropAliased}))
	fmt.Printf("%.4f\n", ols.Coef())
	// Output:
	// true [centimetres]
	// [0.2857 0.7143 NaN]
}

// scikit-learn's intercept_ and coef_.
func ExampleOLS_Intercept() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%s = %.4f + %.4f %v\n", ols.Response(), ols.Intercept(), ols.Slopes(), d.Names)

	d = must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi - 1"))
	fmt.Println("an intercept:", must.M1(mlreg.FitOLS(d, nil)).HasIntercept())
	// Output:
	// lpsa = 1.5334 + [0.5926 0.6697] [lcavol svi]
	// an intercept: false
}

// R: summary(m)$r.squared; scikit-learn: m.score(X, y).
func ExampleOLS_R2() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("1 - %.3f/%.3f = %.4f\n", ols.RSS(), ols.TSS(), ols.R2())
	// Output: 1 - 53.677/127.918 = 0.5804
}

// R: logLik(m), whose df is Parameters; statsmodels: m.llf.
func ExampleOLS_LogLik() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%.4f with %d parameters; the sum over the rows %.4f\n",
		ols.LogLik(), ols.Parameters(), floats.Sum(must.M1(ols.LogLikRows(d))))
	// Output: -108.9386 with 4 parameters; the sum over the rows -108.9386
}

// The digits that are left if the data were rounded: powers of x computed in float64.
func ExampleOLS_InputDigits() {
	x, y := mat.NewDense(30, 8, nil), make([]float64, 30)
	for i := range y {
		t := 1 + float64(i)/60
		y[i] = math.Sin(5 * t)
		for k := range 8 {
			x.Set(i, k, math.Pow(t, float64(k+1)))
		}
	}
	ols := must.M1(mlreg.FitOLS(must.M1(mlreg.NewDesign(x, y)), nil))
	exact, _ := ols.Digits()
	rounded, _ := ols.InputDigits()
	fmt.Printf("%d digits for these numbers, %d if they were rounded to float64\n", exact, rounded)
	// Output:
	// 15 digits for these numbers, 4 if they were rounded to float64
}
