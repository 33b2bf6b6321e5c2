package frames_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

// R: na.omit(df[c("y", "dose")]). Nested models must have the same rows, and a
// formula keeps those that are complete in its own columns.
func ExampleComplete() {
	df := must.M1(frames.Frame(
		frames.Col("y", []float64{2, 3, 5, 4}),
		frames.Col("dose", []float64{1, 2, 3, math.NaN()}),
		frames.Col("note", []string{"", "NaN", "", ""}),
	))
	fmt.Println(must.M1(frames.Complete(df, "y", "dose")))
	fmt.Println(must.M1(frames.Complete(df)).Frame.Nrow(), "rows are complete in all columns")
	// Output:
	// 3 of 4 rows are complete, 1 dropped; missing values: dose 1
	// 2 rows are complete in all columns
}

// scikit-learn: train_test_split(df, train_size=0.75, stratify=df.svi).
func ExampleSplit() {
	train, test := must.M2(frames.Split(datasets.Prostate(), 0.75, rand.NewPCG(1, 2), "svi"))
	fmt.Println(must.M1(frames.Count(train, "svi")).Col("n"), must.M1(frames.Count(test, "svi")).Col("n"))
	// Output: [57 16] [19 5]
}

// The rows to train on and those to test on, which the data name.
func ExampleSplitMask() {
	df := datasets.Prostate()
	train, test := must.M2(frames.SplitMask(df, must.M1(frames.Mask(df, "train", "T"))))
	fmt.Println(train.Nrow(), "rows to train on,", test.Nrow(), "to test on")
	// Output: 67 rows to train on, 30 to test on
}

// R: prostate[sample(97, 5), ]; pandas: df.sample(5).
func ExampleSample() {
	some := must.M1(frames.Sample(datasets.Prostate(), 5, rand.NewPCG(1, 2)))
	fmt.Println(some.Col("age"))
	// Output: [68 41 50 61 63]
}
