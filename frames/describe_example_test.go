package frames_test

import (
	"fmt"
	"log"

	"github.com/regbook/regbook/frames"
)

func ExampleDescribe() {
	table, err := frames.Describe(trial())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table.Select([]string{"variable", "type", "n", "distinct", "mean", "median", "max"}))
	// Output:
	// [3x7] DataFrame
	//
	//     variable type     n     distinct mean     median   max
	//  0: y        float    6     6        4.833333 4.500000 8.000000
	//  1: dose     float    6     3        2.000000 2.000000 3.000000
	//  2: drug     string   6     2        NaN      NaN      NaN
	//     <string> <string> <int> <int>    <float>  <float>  <float>
}

func ExampleInfo() {
	line, err := frames.Info(trial())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(line)
	// Output: 6 rows, 3 columns: 2 float, 1 string; no missing values
}
