package frames_test

import (
	"errors"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// An error of this package that means what one of mlreg means is found by the
// name of either.
func TestSharedSentinels(t *testing.T) {
	df, err := frames.Frame(frames.Col("y", []float64{1, 2, 4}), frames.Col("x", []float64{0, 1, 3}))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := frames.ParseFormula("y ~ x")
	if err != nil {
		t.Fatal(err)
	}
	_, setting := parsed.Design(df, &frames.DesignSettings{Contrasts: 9})
	_, infinite := frames.Design(df, "y ~ log(x)")
	_, empty := frames.Design(df.Subset([]int{}), "y ~ x")
	for _, c := range []struct {
		err, ours, theirs error
		others            []error
	}{
		{setting, frames.ErrSetting, mlreg.ErrSetting, []error{mlreg.ErrNotFinite, mlreg.ErrNoData}},
		{infinite, frames.ErrNotFinite, mlreg.ErrNotFinite, []error{mlreg.ErrSetting, mlreg.ErrNoData}},
		{empty, frames.ErrNoRows, mlreg.ErrNoData, []error{mlreg.ErrSetting, mlreg.ErrNotFinite}},
	} {
		if !errors.Is(c.err, c.ours) || !errors.Is(c.err, c.theirs) {
			t.Errorf("%v is not both %q and %q", c.err, c.ours, c.theirs)
		}
		for _, other := range c.others {
			if errors.Is(c.err, other) {
				t.Errorf("%v is %q", c.err, other)
			}
		}
	}
}
