package frames_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

// R: summary(df); pandas: df.describe().
func ExampleDescribe() {
	df := datasets.Prostate().Select([]string{"lcavol", "age", "train"})
	table := must.M1(frames.Describe(df))
	fmt.Println(table.Select([]string{"variable", "type", "n", "distinct", "mean", "sd", "median", "max"}))
	// Output:
	// [3x8] DataFrame
	//
	//     variable type     n     distinct mean      sd       median    max
	//  0: lcavol   float    97    93       1.350010  1.178625 1.446919  3.821004
	//  1: age      int      97    31       63.865979 7.445117 65.000000 79.000000
	//  2: train    string   97    2        NaN       NaN      NaN       NaN
	//     <string> <string> <int> <int>    <float>   <float>  <float>   <float>
}

// pandas: df.info().
func ExampleInfo() {
	fmt.Println(must.M1(frames.Info(datasets.Prostate())))
	// Output: 97 rows, 10 columns: 5 float, 4 int, 1 string; no missing values
}
