package plotting_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
)

// PSA against the volume of the tumor, with a line for either value of svi, in two
// panels: the training and the test set.
func ExampleChart() {
	plotting.Show(plotting.Chart(datasets.Prostate(), "lcavol", "lpsa", &plotting.ChartSettings{
		Marks: plotting.AsPoints | plotting.AsLinear, Color: "svi", Panels: "train"}))
	// Output:
	// Figure: points and least-squares line of lpsa against lcavol, colors by svi (0, 1), panels by train (F, T); 97 rows: Bands are 95% confidence limits of the mean.
}

// A smooth curve through each of two groups, with its confidence band.
func ExampleChart_smooth() {
	plotting.Show(plotting.Chart(datasets.Diabetes(), "bmi", "progression", &plotting.ChartSettings{
		Marks: plotting.AsPoints | plotting.AsSmooth, Color: "sex", Labels: plotting.Labels{Y: "progression in a year"}}))
	// Output:
	// Figure: points and smooth curve of progression in a year against bmi, colors by sex (1, 2); 442 rows: Bands are 95% confidence limits of the mean.
}

// A column of texts that are dates has an axis of dates; the line has a gap where a
// value is missing.
func ExampleChart_dates() {
	days := []string{"2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02", "2024-02-03"}
	df := must.M1(frames.Frame(frames.Col("day", days), frames.Col("visitors", []float64{120, 135, math.NaN(), 128, 190})))
	plotting.Show(plotting.Chart(df, "day", "visitors", nil))
	// Output:
	// Figure: lines of visitors against day; 4 rows: 1 of 5 rows left out: missing values of visitors (1).
}

// How PSA is distributed, with and without invasion of the seminal vesicles.
func ExampleChart_density() {
	plotting.Show(plotting.Chart(datasets.Prostate(), "lpsa", "", &plotting.ChartSettings{Marks: plotting.AsDensity, Color: "svi"}))
	// Output:
	// Figure: density of lpsa, colors by svi (0, 1); 97 rows
}

// The histogram of one column of numbers, a panel for each Gleason score.
func ExampleChart_histogram() {
	plotting.Show(plotting.Chart(datasets.Prostate(), "lpsa", "", &plotting.ChartSettings{Panels: "gleason", PanelColumns: 2}))
	// Output:
	// Figure: histogram of lpsa, panels by gleason (6, 7, 8, 9); 97 rows
}

// How many men have which Gleason score, in the training and in the test set.
func ExampleChart_counts() {
	plotting.Show(plotting.Chart(datasets.Prostate(), "gleason", "", &plotting.ChartSettings{Color: "train"}))
	// Output:
	// Figure: bars of gleason, colors by train (F, T); 97 rows
}

// The mean of a column in groups, with its confidence limits.
func ExampleChart_bars() {
	plotting.Show(plotting.Chart(datasets.Prostate(), "svi", "lpsa", &plotting.ChartSettings{
		Marks: plotting.AsBars, Labels: plotting.Labels{Title: "Mean log PSA", X: "invasion of the seminal vesicles"}}))
	// Output:
	// Figure: Mean log PSA: bars of lpsa against invasion of the seminal vesicles; 97 rows: Limits are 95% confidence limits of the mean.
}

// Of a column of 0 and 1, the means are shares, with Wilson's limits.
func ExampleChart_means() {
	plotting.Show(plotting.Chart(datasets.Prostate(), "gleason", "svi", &plotting.ChartSettings{
		Marks: plotting.AsMeans, Categories: []string{"gleason"}}))
	// Output:
	// Figure: means of share of svi against gleason; 97 rows: Limits are 95% confidence limits of the share.
}

// Box plots of groups, and the rows they stand for.
func ExampleChart_boxes() {
	plotting.Show(plotting.Chart(datasets.Prostate(), "gleason", "lpsa", &plotting.ChartSettings{Marks: plotting.AsBoxes | plotting.AsStrip}))
	// Output:
	// Figure: boxes and strip of lpsa against gleason; 97 rows
}

// Of 20,000 rows, hexagons show how many lie where.
func ExampleChart_hexagons() {
	random := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 20_000), make([]float64, 20_000)
	for i := range x {
		x[i] = random.NormFloat64()
		y[i] = x[i]*x[i]/2 + random.NormFloat64()
	}
	df := must.M1(frames.Frame(frames.Col("x", x), frames.Col("y", y)))
	plotting.Show(plotting.Chart(df, "x", "y", nil))
	// Output:
	// Figure: hexagons of y against x; 20,000 rows
}

func ExampleMarks() {
	fmt.Println(plotting.AsPoints | plotting.AsSmooth)
	// Output:
	// points and smooth curve
}

func ExampleMarks_String() {
	fmt.Println(plotting.AsLines.String())
	// Output:
	// lines
}

func ExampleDateTicks() {
	p := plotting.New("", "", "")
	for _, mark := range (plotting.DateTicks{}).Ticks(19700, 19830) {
		fmt.Printf("%v %q\n", mark.Value, mark.Label)
	}
	p.X.Tick.Marker = plotting.DateTicks{}
	// Output:
	// 19723 "Jan\n2024"
	// 19754 "Feb"
	// 19783 "Mar"
	// 19814 "Apr"
}

// Days since 1970-01-01 on the horizontal axis.
func ExampleDateX() {
	layer := plotting.Line{X: []float64{19723, 19754, 19783}, Y: []float64{3, 5, 4}}
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Three months"}, layer, plotting.DateX{}))
	// Output:
	// Figure: Three months
}
