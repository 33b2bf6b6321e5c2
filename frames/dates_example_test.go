package frames_test

import (
	"fmt"
	"time"

	"github.com/janpfeifer/must"
	"github.com/regbook/regbook/frames"
)

// R: as.POSIXct(df$day, tz = "UTC"); pandas: pd.to_datetime(df.day).
func ExampleDates() {
	df := must.M1(frames.Frame(frames.Col("day", []string{"2024-02-28", "2024-02-29", "2024-03-01 12:00"})))
	for _, t := range must.M1(frames.Dates(df, "day")) {
		fmt.Println(t.Format(time.RFC1123))
	}
	// Output:
	// Wed, 28 Feb 2024 00:00:00 UTC
	// Thu, 29 Feb 2024 00:00:00 UTC
	// Fri, 01 Mar 2024 12:00:00 UTC
}

func ExampleIsDates() {
	df := must.M1(frames.Frame(frames.Col("day", []string{"2024-02-28", "2024-02-29"}), frames.Col("due", []string{"2023-02-28", "2023-02-29"})))
	fmt.Println(frames.IsDates(df, "day"), frames.IsDates(df, "due"))
	_, err := frames.Dates(df, "due")
	fmt.Println(err)
	// Output:
	// true false
	// frames: column "due" is not of dates: row 2 has "2023-02-29", which is no date such as 2024-03-01: that day does not exist
}

// Times of Go's are a column of dates in UTC.
func ExampleCol_times() {
	noon := time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	df := must.M1(frames.Frame(frames.Col("t", []time.Time{noon, noon.AddDate(0, 0, 31), {}})))
	df = must.M1(frames.With(df, `month = floor_date(t, "month")`, "day = as.Date(t)"))
	fmt.Println(df.Records()[1:])
	// Output: [[2024-03-01 12:00:00 2024-03-01 2024-03-01] [2024-04-01 12:00:00 2024-04-01 2024-04-01] [NaN NaN NaN]]
}
