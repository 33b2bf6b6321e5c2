package frames_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

// R: subset(prostate, gleason == 9 & age > 64); pandas: df.query(...).
func ExampleWhere() {
	old := must.M1(frames.Where(datasets.Prostate(), "gleason == 9 & age > 64"))
	fmt.Println(old.Select([]string{"age", "gleason", "lpsa"}))
	// Output:
	// [3x3] DataFrame
	//
	//     age   gleason lpsa
	//  0: 79    9       2.568788
	//  1: 72    9       2.853592
	//  2: 65    9       3.570940
	//     <int> <int>   <float>
}

// R: transform(df, ratio = hp/wt); pandas: df.assign(ratio=df.hp/df.wt).
func ExampleWith() {
	df := must.M1(frames.Frame(
		frames.Col("car", []string{"Mazda RX4", "Valiant", "Fiat 128"}),
		frames.Col("hp", []int{110, 105, 66}),
		frames.Col("wt", []float64{2.5, 3.5, 2.2}),
	))
	fmt.Println(must.M1(frames.With(df, "ratio = hp/wt", `size = ifelse(wt > 3, "large", "small")`)))
	// Output:
	// [3x5] DataFrame
	//
	//     car       hp    wt       ratio     size
	//  0: Mazda RX4 110   2.500000 44.000000 small
	//  1: Valiant   105   3.500000 30.000000 large
	//  2: Fiat 128  66    2.200000 30.000000 small
	//     <string>  <int> <float>  <float>   <string>
}

// R: prostate[order(prostate$gleason, -prostate$age), ].
func ExampleSort() {
	sorted := must.M1(frames.Sort(datasets.Prostate(), "-gleason", "age"))
	fmt.Println(must.M1(frames.Floats(sorted, "age"))[:6])
	// Output: [60 60 65 72 79 73]
}
