package frames

import (
	"slices"

	"github.com/go-gota/gota/dataframe"
)

// Distinct returns the first row of every distinct combination of values of the given columns, all
// columns if none is named, with all columns and in the order of the frame: pandas' drop_duplicates,
// dplyr's distinct(df, a, b, .keep_all = TRUE), R's df[!duplicated(df[c("a", "b")]), ].
//
//	visits, err := frames.Distinct(df, "patient", "day")
//
// Missing values are equal to each other, as in R. A key may be an expression, as for GroupBy:
// "tolower(city)". The first row of every group in another order is that of a sorted frame:
// Distinct of Sort. Errors are those of GroupBy.
func Distinct(df dataframe.DataFrame, keys ...string) (dataframe.DataFrame, error) {
	if len(keys) == 0 {
		keys = df.Names()
	}
	g := GroupBy(df, keys...)
	if g.err != nil {
		return dataframe.DataFrame{}, g.err
	}
	return take(df, slices.Sorted(slices.Values(g.e.groups.first)))
}
