package frames_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

// pandas: DataFrame({"dose": ..., "drug": ...}).
func ExampleFrame() {
	fmt.Println(must.M1(frames.Frame(
		frames.Col("dose", []float64{1.5, 2.5}),
		frames.Col("drug", []string{"A", "B"}),
	)))
	// Output:
	// [2x2] DataFrame
	//
	//     dose     drug
	//  0: 1.500000 A
	//  1: 2.500000 B
	//     <float>  <string>
}

// Columns of numbers, whole numbers, text and bools.
func ExampleCol() {
	df := must.M1(frames.Frame(
		frames.Col("dose", []float64{1.5, math.NaN()}),
		frames.Col("visits", []int{3, 4}),
		frames.Col("cured", []bool{true, false}),
	))
	fmt.Println(must.M1(frames.Info(df)))
	// Output: 2 rows, 3 columns: 1 float, 1 int, 1 bool; 1 missing values
}

// pandas: df["lcavol"].to_numpy(), but text is no number.
func ExampleFloats() {
	fmt.Printf("%.4f\n", must.M1(frames.Floats(datasets.Prostate(), "lcavol"))[:3])
	_, err := frames.Floats(datasets.Spambase(), "type")
	fmt.Println(err)
	_, err = frames.Floats(datasets.Prostate(), "lcavoll")
	fmt.Println(err)
	// Output:
	// [-0.5798 -0.9943 -0.5108]
	// frames: column "type" is text, not numbers: row 1 has "spam"
	// frames: no column "lcavoll" in the data; did you mean "lcavol"?
}

// R: as.matrix(prostate[1:3, c("lcavol", "age")]).
func ExampleMatrix() {
	m := must.M1(frames.Matrix(datasets.Prostate(), "lcavol", "age"))
	fmt.Printf("%.4f\n", mat.Formatted(m.Slice(0, 3, 0, 2)))
	// Output:
	// ⎡-0.5798  50.0000⎤
	// ⎢-0.9943  58.0000⎥
	// ⎣-0.5108  74.0000⎦
}

// pandas: df["svi"] == 1.
func ExampleMask() {
	mask := must.M1(frames.Mask(datasets.Prostate(), "svi", 1))
	with, without := must.M2(frames.SplitMask(datasets.Prostate(), mask))
	fmt.Println(with.Nrow(), "with,", without.Nrow(), "without")
	// Output: 21 with, 76 without
}
