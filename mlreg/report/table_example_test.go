package report_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// A table of a fit is data: its columns keep the numbers that their cells round.
func ExampleTable() {
	t := must.M1(report.NewTable("Weights", report.TextColumn("term", "lcavol", "svi"), report.NumberColumn("estimate", []float64{0.5931, 0.6704}, 2)))
	t.Notes = []string{"n = 97"}
	fmt.Println(t)
	fmt.Println(t.Markdown())
	fmt.Println(t.LaTeX())
	fmt.Println(t.CSV())
	fmt.Println(t.Columns[1].Values, t.Check() == nil, report.Describer(t).Describe() == t, len(t.HTML()) > 0)
	// Output:
	// Weights
	// term    estimate
	// lcavol      0.59
	// svi         0.67
	// n = 97
	//
	// **Weights**
	//
	// | term | estimate |
	// | :-- | --: |
	// | lcavol | 0.59 |
	// | svi | 0.67 |
	//
	// n = 97
	//
	// \begin{table}
	// \centering
	// \caption{Weights}
	// \begin{tabular}{lS[table-format=1.2]}
	// \toprule
	// term & {estimate} \\
	// \midrule
	// lcavol & 0.59 \\
	// svi & 0.67 \\
	// \bottomrule
	// \multicolumn{2}{l}{\footnotesize n = 97} \\
	// \end{tabular}
	// \end{table}
	//
	// term,estimate
	// lcavol,0.5931
	// svi,0.6704
	//
	// [0.5931 0.6704] true true true
}

// A column is found by its name; a file takes its form from its ending.
func ExampleTable_Column() {
	t := must.M1(report.NewTable("Weights", report.TextColumn("term", "lcavol", "svi"), report.NumberColumn("estimate", []float64{0.5931, 0.6704}, 2)))
	fmt.Println(t.Column("estimate").Values, t.Column("weight") == nil)
	fmt.Println(t.Save("weights.doc"))
	// Output:
	// [0.5931 0.6704] true
	// mlreg: invalid setting: "weights.doc" ends in ".doc"; a table is saved as .txt, .html, .md, .tex or .csv
}

func ExampleNewTable() {
	fmt.Print(must.M1(report.NewTable("Lengths", report.TextColumn("vector", "residual"), report.NumberColumn("length", []float64{2.449490}, 3))))
	// Output:
	// Lengths
	// vector    length
	// residual    2.45
}

func ExampleTextColumn() {
	fmt.Print(must.M1(report.NewTable("", report.TextColumn("school", "A", "B"))))
	// Output:
	// school
	// A
	// B
}

// Decimals are common to all, so that the largest has three digits.
func ExampleNumberColumn() {
	fmt.Print(must.M1(report.NewTable("", report.NumberColumn("estimate", []float64{0.5259, -12.3456, math.NaN()}, 3))))
	// Output:
	// estimate
	//     0.53
	//   -12.35
	//    NA
}

func ExampleDecimalColumn() {
	fmt.Print(must.M1(report.NewTable("", report.DecimalColumn("AIC", []float64{232.909, 222.3}, 2))))
	// Output:
	//    AIC
	// 232.91
	// 222.30
}

func ExampleIntColumn() {
	fmt.Print(must.M1(report.NewTable("", report.IntColumn("rows", 67, 30))))
	// Output:
	// rows
	//   67
	//   30
}

func ExamplePColumn() {
	fmt.Print(must.M1(report.NewTable("", report.PColumn("p", []float64{0.2154, 3e-9}))))
	// Output:
	// p
	//  0.2154
	// <0.0001
}

// A result is printed as its table; so is a slice of its rows.
func ExampleDescribe() {
	x := mat.NewDense(6, 2, []float64{0, 1, 1, 0, 2, 1, 3, 1, 4, 0, 5, 1})
	d := must.M1(mlreg.NewDesign(x, []float64{1.1, 2.9, 5.2, 7.1, 8.8, 11.2}, "dose", "group"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Print(must.M1(ols.Anova()))
	fmt.Println(must.M1(mlreg.WaldTest(ols, mat.NewDense(1, 3, []float64{0, 1, -1}), nil)))

	rows := []mlreg.Interval{{Term: "dose", Lower: 1.94932, Upper: 2.05639}} // of another program
	fmt.Print(report.Describe(rows).CSV())
	fmt.Println(report.Describe("nothing") == nil)
	// Output:
	// Analysis of variance
	// term       df  sum of squares  mean square      F        p
	// dose        1          70.200      70.2001  14175  <0.0001
	// group       1           0.120       0.1200     24   0.0161
	// Residuals   3           0.015       0.0050
	// F(1, 3) = 725.4, p = 0.0001
	// term,lower,upper
	// dose,1.94932,2.05639
	// true
}

func ExampleRows() {
	fmt.Print(report.Rows[mlreg.Interval]{{Term: "dose", Lower: 1.9493, Upper: 2.0564}, {Term: "group", Lower: -0.1, Upper: 0.2}})
	// Output:
	// Confidence limits
	// term     lower   upper
	// dose    1.9493  2.0564
	// group  -0.1000  0.2000
}
