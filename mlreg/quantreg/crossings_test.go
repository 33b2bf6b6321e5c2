package quantreg_test

import (
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
