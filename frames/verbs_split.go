package frames

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gota/gota/dataframe"
)

// Split divides the rows at random into two parts, for example to train and to
// test: the first has share of them, 0 < share < 1, rounded to whole rows. Both
// keep the order of the rows. With columns named, every combination of their
// values is divided in this way, so that both parts have it in the same
// proportion (stratified); a missing value counts as a value.
//
//	train, test, err := frames.Split(df, 0.75, rand.NewPCG(1, 2), "class")
//
// The same source gives the same rows. The error matches ErrSetting, ErrNoColumn,
// or ErrNoRows if a part would be empty.
func Split(df dataframe.DataFrame, share float64, src rand.Source, strata ...string) (in, out dataframe.DataFrame, err error) {
	none := dataframe.DataFrame{}
	if err := checkFrame(df); err != nil {
		return none, none, err
	}
	if !(share > 0 && share < 1) {
		return none, none, errorf(ErrSetting, "the share of the first part is %v; it is between 0 and 1", share)
	}
	if src == nil {
		return none, none, noSource()
	}
	by := GroupBy(df, strata...)
	if by.err != nil {
		return none, none, by.err
	}
	groups, rng := by.e.groups, rand.New(src)
	mask := make([]bool, df.Nrow())
	for k := range groups.n {
		rows := groups.rowsOf(k)
		chosen := int(math.Round(share * float64(len(rows))))
		for _, at := range rng.Perm(len(rows))[:chosen] {
			mask[rows[at]] = true
		}
	}
	return SplitMask(df, mask)
}

func noSource() error {
	return errorf(ErrSetting, "the source of randomness is nil; rand.NewPCG(1, 2) is one")
}

// SplitMask returns the rows whose mask is true and those whose mask is false.
// The error matches ErrSetting if the mask does not have one value per row, and
// ErrNoRows if either part is empty.
func SplitMask(df dataframe.DataFrame, mask []bool) (in, out dataframe.DataFrame, err error) {
	none := dataframe.DataFrame{}
	if err := checkFrame(df); err != nil {
		return none, none, err
	}
	if len(mask) != df.Nrow() {
		return none, none, errorf(ErrSetting, "the mask has %d values and the frame has %d rows", len(mask), df.Nrow())
	}
	no, yes := divideRows(mask)
	if len(yes) == 0 || len(no) == 0 {
		return none, none, errorf(ErrNoRows, "the first part has %d of %d rows, so one part is empty", len(yes), len(mask))
	}
	if in, err = take(df, yes); err != nil {
		return none, none, err
	}
	out, err = take(df, no)
	return in, out, err
}

// divideRows returns the rows that a mask leaves out and those that it marks.
func divideRows(mask []bool) (no, yes []int) {
	for i, m := range mask {
		if m {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	return no, yes
}

// Sample returns rows drawn at random without replacement, in the order drawn;
// of size df.Nrow() it shuffles. The same source gives the same rows. The error
// matches ErrSetting if size is below 1 or above the number of rows.
func Sample(df dataframe.DataFrame, size int, src rand.Source) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	switch err := checkFrame(df); {
	case err != nil:
		return none, err
	case size < 1 || size > df.Nrow():
		return none, errorf(ErrSetting, "a sample of %d rows of %d", size, df.Nrow())
	case src == nil:
		return none, noSource()
	}
	return take(df, slices.Clip(rand.New(src).Perm(df.Nrow())[:size]))
}
