package plotting_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleNewTable() {
	plotting.Show(plotting.NewTable("Lengths",
		plotting.TextColumn("vector", "y − ŷ", "y − x₃"),
		plotting.NumberColumn("length", []float64{2.449490, 4.472136}, 3),
		plotting.IntColumn("rank", 1, 2)))
	// Output:
	// Lengths
	// vector  length  rank
	// y − ŷ     2.45     1
	// y − x₃    4.47     2
}

// A table is a value: take columns out of one, or add to it.
func ExampleTable() {
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi")), nil))
	table := must.M1(plotting.Summary(ols, 0.95))
	table.Columns = append(table.Columns[:2], plotting.TextColumn("unit", "log ng/ml", "per log cm³", "with invasion"))
	table.Notes = nil
	fmt.Print(table.String())
	// Output:
	// OLS fit of lpsa
	// term         estimate  unit
	// (Intercept)     1.533  log ng/ml
	// lcavol          0.593  per log cm³
	// svi             0.670  with invasion
}

// A column of cells that are text already.
func ExampleColumn() {
	var points plotting.Align = plotting.AlignDecimal
	plotting.Show(plotting.NewTable("",
		plotting.Column{Name: "set", Cells: []string{"training", "test"}, Align: plotting.AlignLeft},
		plotting.Column{Name: "share", Cells: []string{"69.1%", "30.9%"}, Align: points}))
	// Output:
	// set       share
	// training  69.1%
	// test      30.9%
}

func ExampleTextColumn() {
	plotting.Show(plotting.NewTable("", plotting.TextColumn("school", "A", "B"), plotting.TextColumn("type", "mixed", "boys")))
	// Output:
	// school  type
	// A       mixed
	// B       boys
}

// Decimals are common to all, so that the largest has three digits.
func ExampleNumberColumn() {
	plotting.Show(plotting.NewTable("", plotting.NumberColumn("estimate", []float64{0.5259, -12.3456, math.NaN()}, 3)))
	// Output:
	// estimate
	//     0.53
	//   -12.35
	//    NA
}

func ExampleIntColumn() {
	plotting.Show(plotting.NewTable("", plotting.TextColumn("train", "T", "F"), plotting.IntColumn("rows", 67, 30)))
	// Output:
	// train  rows
	// T        67
	// F        30
}

func ExamplePColumn() {
	plotting.Show(plotting.NewTable("", plotting.PColumn("p", []float64{0.2154, 3e-9})))
	// Output:
	// p
	//  0.2154
	// <0.0001
}
