package quantreg_test

import (
	"slices"
	"testing"

	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg/quantreg"
)

// Crossings are the neighboring fits of which the lower one predicts more, row by row, with what both predict.
func TestCrossingsAreThoseOfPredictions(t *testing.T) {
	d := telephone()
	tau := []float64{0.1, 0.25, 0.5, 0.75, 0.9}
	fits := fatal.On(quantreg.FitQuantiles(d, tau, nil))(t)
	m := fatal.On(fits.Predict(d))(t)
	got := fatal.On(fits.Crossings(d))(t)
	var later int
	for i := range d.NObs() {
		for k := range len(tau) - 1 {
			low, high := m.At(i, k), m.At(i, k+1)
			if low <= high+1e-6 {
				continue
			}
			if len(got) == 0 || got[0] != (quantreg.Crossing{Row: i, Lower: tau[k], Upper: tau[k+1], AtLower: low, AtUpper: high}) {
				t.Fatalf("row %d, fits %d and %d: %g and %g; crossings %v", i, k, k+1, low, high, got)
			}
			if got = got[1:]; k > 0 {
				later++
			}
		}
	}
	if len(got) > 0 || later == 0 {
		t.Errorf("crossings that are none: %v; of later fits: %d", got, later)
	}
}

// A crossing as a table: rows count from one, and columns keep their order.
func TestDescribeCrossing(t *testing.T) {
	var got []string
	for _, c := range (quantreg.Crossing{Row: 4, Lower: 0.25, Upper: 0.75, AtLower: 7, AtUpper: 6.5}).Describe().Columns {
		got = append(got, c.Name)
		got = append(got, c.Cells...)
	}
	if want := []string{"row", "5", "τ", "0.25", "fit", "7", "next τ", "0.75", "its fit", "6.5"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
