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

// R: transform(df, city = recode(trimws(tolower(city)), "n.y." = "new york"), ...). Patterns are regular expressions of Go's.
func ExampleWith_text() {
	df := must.M1(frames.Frame(
		frames.Col("city", []string{" New York", "new york ", "N.Y.", "Boston"}),
		frames.Col("item", []string{"A-17", "B-4", "A-230", "C"}),
		frames.Col("amount", []string{"$1,200", "$35.50", "free", "$7"}),
	))
	df = must.M1(frames.With(df,
		`city = recode(trimws(tolower(city)), "n.y." = "new york")`,
		`number = as.numeric(strsplit(item, "-", 2))`,
		`amount = as.numeric(gsub("[$,]", "", amount), errors = "coerce")`,
		`size = case_when(amount > 1000, "large", amount > 0, "small", TRUE, "unknown")`,
		`label = sprintf("%s (%03d)", toupper(substr(city, 1, 3)), number)`,
	))
	fmt.Println(df.Select([]string{"city", "number", "amount", "size", "label"}))
	// Output:
	// [4x5] DataFrame
	//
	//     city     number     amount      size     label
	//  0: new york 17.000000  1200.000000 large    NEW (017)
	//  1: new york 4.000000   35.500000   small    NEW (004)
	//  2: new york 230.000000 NaN         unknown  NEW (230)
	//  3: boston   NaN        7.000000    small    BOS ( NA)
	//     <string> <float>    <float>     <string> <string>
}

// Local times with the hour that the clocks repeat, hours and months of times, and dates in two orders.
func ExampleWith_times() {
	df := must.M1(frames.Frame(
		frames.Col("clock", []string{"2024-10-27 01:30", "2024-10-27 02:30", "2024-10-27 02:30", "2024-10-27 03:30"}),
		frames.Col("sold", []string{"2024-01-31", "15/02/2024", "2024-03-09", "01/12/2024"}),
	))
	df = must.M1(frames.With(df,
		`utc = to_utc(clock, "Europe/Zurich", repeated = "order")`,
		`hour = floor_date(utc, "hour")`,
		`sold = ifelse(grepl("/", sold), dmy(sold), ymd(sold))`,
		`quarter = floor_date(sold, "quarter")`,
	))
	fmt.Println(df.Select([]string{"utc", "hour", "sold", "quarter"}))
	// Output:
	// [4x4] DataFrame
	//
	//     utc                 hour                sold       quarter
	//  0: 2024-10-26 23:30:00 2024-10-26 23:00:00 2024-01-31 2024-01-01
	//  1: 2024-10-27 00:30:00 2024-10-27 00:00:00 2024-02-15 2024-01-01
	//  2: 2024-10-27 01:30:00 2024-10-27 01:00:00 2024-03-09 2024-01-01
	//  3: 2024-10-27 02:30:00 2024-10-27 02:00:00 2024-12-01 2024-10-01
	//     <string>            <string>            <string>   <string>
}

// R: df[!duplicated(df$patient), ]; dplyr: distinct(df, patient, .keep_all = TRUE); pandas: df.drop_duplicates("patient").
func ExampleDistinct() {
	df := must.M1(frames.Frame(
		frames.Col("patient", []string{"b", "a", "b", "a"}),
		frames.Col("crp", []float64{12, 3, 8, 5}),
	))
	fmt.Println(must.M1(frames.Distinct(df, "patient")))
	// Output:
	// [2x2] DataFrame
	//
	//     patient  crp
	//  0: b        12.000000
	//  1: a        3.000000
	//     <string> <float>
}

// A laboratory writes <0.5 for what it cannot measure.
func ExampleCensored() {
	df := must.M1(frames.Frame(frames.Col("crp", []string{"1.2", "<0.5", "14", ">200"})))
	df = must.M1(frames.Censored(df, "crp"))
	df = must.M1(frames.With(df, `half = ifelse(crp_censored == "below", crp/2, crp)`))
	fmt.Println(df)
	// Output:
	// [4x3] DataFrame
	//
	//     crp        crp_censored half
	//  0: 1.200000   no           1.200000
	//  1: 0.500000   below        0.250000
	//  2: 14.000000  no           14.000000
	//  3: 200.000000 above        200.000000
	//     <float>    <string>     <float>
}
