package plotting

import (
	"math"
	"slices"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// A resample is drawn at its own rows of the frame.
func TestOneInputRows(t *testing.T) {
	df := frame(t, frames.Col("x", []float64{0, 1, 2, 3, 4, 5}), frames.Col("y", []float64{1, 3, math.NaN(), 4, 8, 9}))
	d := get(frames.Design(df, "y ~ x"))(t)
	for _, c := range []struct {
		d    *mlreg.Design
		want []float64
	}{
		{d, []float64{0, 1, 3, 4, 5}},
		{d.Rows(4, 4, 3, 2, 1), []float64{5, 5, 4, 3, 1}},
	} {
		v := oneInput{s: CurveSettings{Input: "x"}}
		if err := v.findRows(df, c.d); err != nil || !slices.Equal(v.x, c.want) {
			t.Errorf("inputs %v, want %v (%v)", v.x, c.want, err)
		}
	}
}
