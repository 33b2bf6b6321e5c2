package datasets_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
)

func ExampleAbout() {
	fmt.Println(must.M1(datasets.About("longley")))
	// Output:
	// longley: Seven economic series of the United States, 1947 to 1962, nearly collinear
	// 16 rows
	//
	// Source:   R's package datasets, with its names and units
	// Cite:     Longley, J. W. (1967) An appraisal of least-squares programs from the point of view of the user. JASA 62:819-841
	// License:  public domain: statistics of the United States government
	//
	// GNP.deflator  float  implicit price deflator of the gross national product [1954 = 100]
	// GNP           float  gross national product [10^9 US$]
	// Unemployed    float  unemployed [10^4 persons]
	// Armed.Forces  float  size of the armed forces [10^4 persons]
	// Population    float  noninstitutional population of 14 years and over [10^6 persons]
	// Year          int    year
	// Employed      float  response: employed [10^6 persons]
}

func ExampleList() {
	for _, info := range datasets.List() {
		fmt.Printf("%-13s %4d rows, %2d variables\n", info.Name, info.Rows, len(info.Variables))
	}
	// Output:
	// prostate        97 rows, 10 variables
	// diabetes       442 rows, 11 variables
	// caterpillar     33 rows, 11 variables
	// spambase      4601 rows, 58 variables
	// exam          4059 rows, 10 variables
	// longley         16 rows,  7 variables
	// airquality     153 rows,  5 variables
	// insurance       64 rows,  5 variables
	// co2            468 rows,  2 variables
	// lynx           114 rows,  2 variables
	// engel          235 rows,  2 variables
	// stackloss       21 rows,  4 variables
	// eightschools     8 rows,  3 variables
	// benchmarks       9 rows,  4 variables
	// reviews         24 rows,  2 variables
	// projection       3 rows,  4 variables
}
