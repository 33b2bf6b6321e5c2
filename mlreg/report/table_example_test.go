package report_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"

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
	// \begin{tabular}{lr}
	// \toprule
	// term & estimate \\
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
