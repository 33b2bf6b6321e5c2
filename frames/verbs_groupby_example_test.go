package frames_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

// R: aggregate(lpsa ~ gleason, prostate, mean), with more summaries at once;
// pandas: df.groupby("gleason").agg(...).
func ExampleGroupBy() {
	fmt.Println(must.M1(frames.GroupBy(datasets.Prostate(), "gleason").Summarise("n()", "mean(lpsa)", "q25 = quantile(lpsa, .25)", "invaded = mean(svi == 1)")))
	// Output:
	// [4x5] DataFrame
	//
	//     gleason n()   mean(lpsa) q25      invaded
	//  0: 6       35    1.738370   1.157133 0.000000
	//  1: 7       56    2.911377   2.299996 0.339286
	//  2: 8       1     2.157559   2.157559 0.000000
	//  3: 9       5     2.873180   2.568788 0.400000
	//     <int>   <int> <float>    <float>  <float>
}

func ExampleGrouped_Summarise() {
	df := must.M1(frames.Frame(
		frames.Col("ward", []string{"north", "south", "north", "south"}),
		frames.Col("dose", []string{"2", "4", "NaN", "6"}),
	))
	_, err := frames.GroupBy(df, "ward").Summarise("mean(dose)")
	fmt.Println(err)
	// Output:
	// frames: column "dose" is text, though its cells are numbers; read it as numbers
	//     mean(dose)
	//          ^^^^
}

// dplyr: group_by(cyl) |> mutate(above = mpg - mean(mpg)).
func ExampleGrouped_With() {
	df := must.M1(frames.Frame(frames.Col("cyl", []int{4, 6, 4}), frames.Col("mpg", []float64{30, 20, 26})))
	fmt.Println(must.M1(frames.GroupBy(df, "cyl").With("above = mpg - mean(mpg)")).Col("above").Float())
	// Output: [2 0 -2]
}

// R: table(prostate$gleason, prostate$svi); pandas: value_counts.
func ExampleCount() {
	fmt.Println(must.M1(frames.Count(datasets.Prostate(), "svi", "old = age > 70")))
	// Output:
	// [4x3] DataFrame
	//
	//     svi   old    n
	//  0: 0     false  66
	//  1: 0     true   10
	//  2: 1     false  18
	//  3: 1     true   3
	//     <int> <bool> <int>
}

func ExampleGrouped_Count() {
	fmt.Println(must.M1(frames.GroupBy(datasets.Prostate(), "gleason").Count()).Col("n").Float())
	// Output: [35 56 1 5]
}

// dplyr: group_by(patient) |> filter(row_number() == 1), and slice_max(crp, n = 1).
func ExampleGrouped_Where() {
	df := must.M1(frames.Frame(
		frames.Col("patient", []string{"b", "a", "b", "a"}),
		frames.Col("crp", []float64{12, 3, 8, 5}),
	))
	visits := frames.GroupBy(df, "patient")
	fmt.Println(must.M1(visits.Where("row() == 1")).Records())
	fmt.Println(must.M1(visits.Where("crp == max(crp)")).Records())
	fmt.Println(must.M1(visits.With("before = lag(crp)", "total = cumsum(crp)")).Records())
	// Output:
	// [[patient crp] [b 12.000000] [a 3.000000]]
	// [[patient crp] [b 12.000000] [a 5.000000]]
	// [[patient crp before total] [b 12.000000 NaN 12.000000] [a 3.000000 NaN 3.000000] [b 8.000000 12.000000 20.000000] [a 5.000000 3.000000 8.000000]]
}
