package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Ten numbers are enough for least squares, ridge, the lasso and Bayesian
// regression on two terms, whatever the number of rows was.
func ExampleDesign_Moments() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	m := must.M1(d.Moments())
	fmt.Printf("n = %d, means %.4f and %.4f\n%.3f\n", m.NObs(), m.MeanX(), m.MeanY(), mat.Formatted(m.SXX()))
	fmt.Printf("%.4f\n", must.M1(mlreg.FitOLS(m, nil)).Coef())
	// Output:
	// n = 97, means [1.3500 0.2165] and 2.4784
	// ⎡133.359   25.241⎤
	// ⎣ 25.241   16.454⎦
	// [1.5334 0.5926 0.6697]
}

// Rows that come a chunk at a time, as from a file that does not fit in memory.
func ExampleNewMoments() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	sums := mlreg.NewMoments(d)
	for first := 0; first < d.NObs(); first += 40 {
		var chunk []int
		for i := first; i < min(first+40, d.NObs()); i++ {
			chunk = append(chunk, i)
		}
		must.M(sums.Add(d.Rows(chunk...)))
	}
	fmt.Printf("%d rows: %.4f\n", sums.NObs(), must.M1(mlreg.FitOLS(sums, nil)).Coef())
	// Output: 97 rows: [1.5334 0.5926 0.6697]
}

// Moments of two shards give the fit of all rows, without the rows.
func ExampleMoments_Merge() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	here, there := must.M2(d.Split(must.M1(frames.Mask(datasets.Prostate(), "train", "T"))))
	all := must.M1(must.M1(here.Moments()).Merge(must.M1(there.Moments())))
	fmt.Printf("%d rows: %.4f\n", all.NObs(), must.M1(mlreg.FitOLS(all, nil)).Coef())
	// Output: 97 rows: [1.5334 0.5926 0.6697]
}

// What a fold leaves, without another pass over the other rows.
func ExampleMoments_Subtract() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	fold := must.M1(d.Rows(0, 10, 20, 30, 40).Moments())
	rest := must.M1(must.M1(d.Moments()).Subtract(fold))
	fmt.Printf("%d rows: %.4f\n", rest.NObs(), must.M1(mlreg.FitOLS(rest, nil)).Coef())
	// Output: 92 rows: [1.5922 0.5638 0.6844]
}

// A slope by hand: S_xy/S_xx, and what it leaves of S_yy.
func ExampleMoments_SXY() {
	m := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol")).Moments())
	slope := m.SXY()[0] / m.SXX().At(0, 0)
	fmt.Printf("slope %.4f, RSS %.4f, weight of all rows %v\n", slope, m.SYY()-slope*m.SXY()[0], m.SumWeights())
	// Output: slope 0.7193, RSS 58.9148, weight of all rows 97
}
