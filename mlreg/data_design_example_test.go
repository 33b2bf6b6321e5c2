package mlreg_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// A design from numbers; from a data frame and a formula it is frames.Design.
func ExampleNewDesign() {
	x := mat.NewDense(3, 2, []float64{1, 20, 2, 10, 4, 50})
	d := must.M1(mlreg.NewDesign(x, []float64{3, 5, 4}, "dose", "age"))
	fmt.Println(d.NObs(), "rows,", d.NTerms(), "terms", d.Names, "and an intercept:", !d.NoIntercept)

	_, err := mlreg.NewDesign(x, []float64{3, math.NaN(), 4}, "dose", "age")
	fmt.Println(err)
	// Output:
	// 3 rows, 2 terms [dose age] and an intercept: true
	// mlreg: value is not finite: response "y" is NaN in row 2
}

// The normal equations, written out: X'X w = X'y.
func ExampleDesign_ModelMatrix() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	x := must.M1(d.ModelMatrix())
	var gram mat.Dense
	var xy, w mat.VecDense
	gram.Mul(x.T(), x)
	xy.MulVec(x.T(), mat.NewVecDense(d.NObs(), d.Y))
	must.M(w.SolveVec(&gram, &xy))
	fmt.Printf("%.6f\n%.6f\n", w.RawVector().Data, must.M1(mlreg.FitOLS(d, nil)).Coef())
	// Output:
	// [1.507297 0.719320]
	// [1.507297 0.719320]
}

// A bootstrap sample: rows drawn with replacement.
func ExampleDesign_Rows() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	rnd := rand.New(rand.NewPCG(1, 2))
	slopes := make([]float64, 1000)
	for b := range slopes {
		rows := make([]int, d.NObs())
		for i := range rows {
			rows[i] = rnd.IntN(d.NObs())
		}
		slopes[b] = must.M1(mlreg.FitOLS(d.Rows(rows...), nil)).Slopes()[0]
	}
	fmt.Printf("slope %.2f, bootstrap standard error %.2f\n", stat.Mean(slopes, nil), stat.StdDev(slopes, nil))
	// Output: slope 0.72, bootstrap standard error 0.07
}

// R: names(resid(lm(y ~ dose))). The second row of the table lacks its dose.
func ExampleDesign_RowNames() {
	df := must.M1(frames.Frame(
		frames.Col("y", []float64{2, 3, 6, 4}),
		frames.Col("dose", []float64{1, math.NaN(), 3, 2}),
	))
	d := must.M1(frames.Design(df, "y ~ dose"))
	fmt.Println(d.RowNames(), d.Rows(2, 0).RowNames(), d.RowNumber(1))
	// Output: [1 3 4] [4 1] 3
}

// The training and the test rows of the data, as the column train has them.
func ExampleDesign_Split() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ . - train"))
	train, test := must.M2(d.Split(must.M1(frames.Mask(df, "train", "T"))))
	fmt.Println(train.NObs(), "rows to fit,", test.NObs(), "to test")
	// Output: 67 rows to fit, 30 to test
}

// R: update(m, lpsa ~ lcavol + svi).
func ExampleDesign_Select() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	two := must.M1(d.Select("lcavol", "svi"))
	fmt.Printf("%.4f\n", must.M1(mlreg.FitOLS(two, nil)).Coef())

	_, err := d.Select("weight")
	fmt.Println(err)
	// Output:
	// [1.5334 0.5926 0.6697]
	// mlreg: shapes do not match: no term "weight" among "lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"
}

// A design that was put together or changed by hand.
func ExampleDesign_Check() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(3, 1, []float64{1, 2, 4}), []float64{3, 5, 4}, "dose"))
	d.Weights = []float64{1, 2, -1}
	fmt.Println(d.Check())
	// Output: mlreg: invalid setting: weight of row 3 is -1; weights are finite and not negative
}

// The residuals of one regression are the response of the next.
func ExampleDesign_WithResponse() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{1, 3, 2, 4}, "x"))
	fit := must.M1(mlreg.FitOLS(d, nil))
	rest := must.M1(mlreg.FitOLS(d.WithResponse("residual", must.M1(fit.Residuals(d))), nil))
	fmt.Printf("%s: slope %.1f, then %.1f\n", rest.Response(), fit.Slopes()[0], math.Abs(rest.Slopes()[0]))
	// Output: residual: slope 0.8, then 0.0
}
