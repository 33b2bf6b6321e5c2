package mlreg_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: hatvalues(m), rstudent(m), cooks.distance(m), dffits(m) of the row with
// the largest residual; statsmodels: m.get_influence().summary_frame().
func ExampleOLS_Influence() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	inf := must.M1(must.M1(mlreg.FitOLS(d, nil)).Influence(d))
	i := floats.MaxIdx(inf.Studentized)
	fmt.Printf("row %d: leverage %.4f, studentised residual %.4f, Cook's distance %.4f, DFFITS %.4f\n",
		i, inf.Leverage[i], inf.Studentized[i], inf.CooksDistance[i], inf.DFFITS[i])
	// Output: row 68: leverage 0.0358, studentised residual 2.3361, Cook's distance 0.0645, DFFITS 0.4502
}

// R: sort(cooks.distance(m), decreasing = TRUE)[1].
func ExampleOLS_CooksDistance() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	cook := must.M1(must.M1(mlreg.FitOLS(d, nil)).CooksDistance(d))
	i := floats.MaxIdx(cook)
	fmt.Printf("row %d, counted from 0: %.4f\n", i, cook[i])
	// Output: row 95, counted from 0: 0.0772
}

// R: dfbeta(m)[1, ].
func ExampleOLS_DFBETA() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	change := must.M1(must.M1(mlreg.FitOLS(d, nil)).DFBETA(d))
	fmt.Printf("with the first row the coefficients move by %.4f\n", change.RawRowView(0))
	// Output: with the first row the coefficients move by [-0.0512 0.0285 -0.0215]
}

// R: dfbetas(m), of which those beyond 2/sqrt(n) deserve a look.
func ExampleOLS_DFBETAS() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	change := must.M1(must.M1(mlreg.FitOLS(d, nil)).DFBETAS(d))
	for i := range d.NObs() {
		if slope := change.At(i, 1); math.Abs(slope) > 2.5/math.Sqrt(97) {
			fmt.Printf("row %d moves the slope of lcavol by %.4f standard errors\n", i, slope)
		}
	}
	// Output:
	// row 0 moves the slope of lcavol by 0.3747 standard errors
	// row 1 moves the slope of lcavol by 0.3231 standard errors
	// row 2 moves the slope of lcavol by 0.3053 standard errors
	// row 3 moves the slope of lcavol by 0.3191 standard errors
	// row 68 moves the slope of lcavol by -0.3581 standard errors
}

// Rows that come in blocks, as those of a file: the row of the largest Cook's distance, in
// the memory of one block.
func ExampleOLS_EachInfluence() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	var rows mlreg.RowBlocks = d // or a *source.Design
	row, largest := 0, 0.0
	must.M(ols.EachInfluence(rows, func(block *mlreg.Design, inf *mlreg.Influence) error {
		for i, cook := range inf.CooksDistance {
			if cook > largest {
				row, largest = block.RowNumber(i), cook
			}
		}
		return nil
	}))
	fmt.Printf("row %d: %.4f\n", row, largest)
	// Output: row 96: 0.0772
}
