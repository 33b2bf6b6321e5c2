package frames_test

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg/tsa"
)

func ExampleSeriesOf() {
	df := dataframe.New(
		series.New([]string{"2024-01-01", "2024-02-01", "2024-03-01", "2024-05-01", "2024-06-01"}, series.String, "month"),
		series.New([]float64{5, 6, 8, 7, 9}, series.Float, "level"),
	)
	s, err := frames.SeriesOf(df, &frames.SeriesSettings{Time: "month"}, "level")
	if err != nil {
		panic(err)
	}
	lags, err := tsa.NewLags(s, 1, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(lags.Design().RowNumbers) // April is missing: May has no lag
	// Output: [2 3 5]
}
