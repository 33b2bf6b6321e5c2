package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// Two least-squares fits and a ridge fit of the same data, side by side.
func ExampleFitTable() {
	x := mat.NewDense(8, 2, []float64{1, 0, 2, 1, 3, 0, 4, 1, 5, 0, 6, 1, 7, 0, 8, 1})
	y := []float64{2.1, 4.8, 5.9, 9.2, 9.8, 13.1, 14.2, 16.7}
	d := must.M1(mlreg.NewDesign(x, y, "dose", "group"))
	dose := must.M1(mlreg.FitOLS(must.M1(d.Select("dose")), nil))
	both := must.M1(mlreg.FitOLS(d, nil))
	ridge := must.M1(must.M1(mlreg.FitRidgePath(d, nil)).At(1))
	t := must.M1(mlreg.FitTable([]mlreg.NamedFit{
		{Name: "dose alone", Fit: dose}, {Name: "both", Fit: both}, {Name: "ridge", Fit: ridge}},
		&mlreg.FitTableSettings{Stars: true}))
	fmt.Println(t)
	// Output:
	// term         dose alone       both   ridge
	// (Intercept)    0.2929     0.0200    0.3150
	//               (0.4506)   (0.1870)
	// dose           2.040***   1.995***  1.962
	//               (0.089)    (0.037)
	// group                     0.9550**  0.6584
	//                          (0.1681)
	// n              8          8         8
	// λ                                   1
	// R²             0.9887     0.9985    0.9970
	// adjusted R²    0.9868     0.9979
	// σ              0.5782     0.2319
	// log L         -5.82       2.22
	// AIC           17.64       3.56
	// BIC           17.88       3.88
	// standard errors in parentheses
	// * p < 0.05, ** p < 0.01, *** p < 0.001
}

// A table is saved in the form that the ending of the file's name says.
func ExampleTable_Save() {
	t := must.M1(report.NewTable("Weights", report.TextColumn("term", "lcavol"), report.NumberColumn("estimate", []float64{0.5931}, 2)))
	fmt.Println(t.Save("weights.doc"))
	// Output:
	// mlreg: invalid setting: "weights.doc" ends in ".doc"; a table is saved as .txt, .html, .md, .tex or .csv
}
