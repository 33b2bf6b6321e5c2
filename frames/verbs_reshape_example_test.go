package frames_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

// R: merge(visits, patients, by.x = "patient", by.y = "id", all.x = TRUE);
// pandas: visits.merge(patients, left_on="patient", right_on="id", how="left").
func ExampleJoin() {
	visits := must.M1(frames.Frame(frames.Col("patient", []int{7, 8, 7, 9}), frames.Col("dose", []float64{1, 2, 1.5, 1})))
	patients := must.M1(frames.Frame(frames.Col("id", []int{7, 8, 10}), frames.Col("ward", []string{"north", "south", "north"})))
	j := must.M1(frames.Join(visits, patients, frames.LeftJoin, "patient = id"))
	fmt.Println(j)
	fmt.Println(j.Frame)
	// Output:
	// left join by patient = id: 4 rows, of 4 and 3
	// without a match: 1 rows on the left, 1 on the right
	// keys of several rows: 1 on the left, 0 on the right, 0 on both
	// [4x3] DataFrame
	//
	//     patient dose     ward
	//  0: 7       1.000000 north
	//  1: 8       2.000000 south
	//  2: 7       1.500000 north
	//  3: 9       1.000000 NaN
	//     <int>   <float>  <string>
}

// dplyr: bind_rows(january, february); pandas: pd.concat. The column of integers becomes one of decimal
// numbers, and the one that January does not have is missing there.
func ExampleBind() {
	january := must.M1(frames.Frame(frames.Col("town", []string{"Ghent", "Bruges"}), frames.Col("rain", []int{70, 68})))
	february := must.M1(frames.Frame(frames.Col("rain", []float64{54.5}), frames.Col("town", []string{"Ghent"}), frames.Col("snow", []int{3})))
	fmt.Println(must.M1(frames.Bind(january, february)))
	// Output:
	// [3x3] DataFrame
	//
	//     town     rain      snow
	//  0: Ghent    70.000000 NaN
	//  1: Bruges   68.000000 NaN
	//  2: Ghent    54.500000 3
	//     <string> <float>   <int>
}

// R: reshape(direction = "long"); pandas: df.melt(id_vars="town").
func ExampleLonger() {
	rain := must.M1(frames.Frame(frames.Col("town", []string{"Ghent", "Bruges"}), frames.Col("jan", []int{70, 68}), frames.Col("feb", []int{55, 54})))
	long := must.M1(frames.Longer(rain, "month", "mm", "jan", "feb"))
	fmt.Println(long)
	// Output:
	// [4x3] DataFrame
	//
	//     town     month    mm
	//  0: Ghent    jan      70
	//  1: Ghent    feb      55
	//  2: Bruges   jan      68
	//  3: Bruges   feb      54
	//     <string> <string> <int>
}

// R: reshape(direction = "wide"); pandas: df.pivot(index="town", columns="month").
func ExampleWider() {
	long := must.M1(frames.Frame(
		frames.Col("town", []string{"Ghent", "Ghent", "Bruges"}),
		frames.Col("month", []string{"jan", "feb", "jan"}),
		frames.Col("mm", []int{70, 55, 68}),
	))
	fmt.Println(must.M1(frames.Wider(long, "month", "mm")))
	// Output:
	// [2x3] DataFrame
	//
	//     town     jan   feb
	//  0: Ghent    70    55
	//  1: Bruges   68    NaN
	//     <string> <int> <int>
}

// R: table(cut(prostate$age, c(40, 60, 70, Inf))); pandas: pd.cut.
func ExampleCut() {
	df := must.M1(frames.Cut(datasets.Prostate(), "age", []float64{40, 60, 70, math.Inf(1)}, nil))
	fmt.Println(must.M1(frames.GroupBy(df, "age_cut").Summarise("n()", "mean(lpsa)")))
	// Output:
	// [3x3] DataFrame
	//
	//     age_cut  n()   mean(lpsa)
	//  0: (40,60]  25    2.162008
	//  1: (60,70]  59    2.554667
	//  2: (70,Inf] 13    2.740614
	//     <string> <int> <float>
}
