package datasets

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

// The best error of the book, 0.26, from all 128 displays.
func TestDigitDisplay(t *testing.T) {
	f := get(DigitDisplay(0.1))(t)
	p, right := f.Prob(), 0.0
	for display := range 128 {
		best := 0.0
		for k := range 10 {
			joint := 0.1
			for j := range 7 {
				if display>>j&1 == 1 {
					joint *= p.At(k, j)
				} else {
					joint *= 1 - p.At(k, j)
				}
			}
			best = math.Max(best, joint)
		}
		right += best
	}
	if math.Abs(1-right-0.26) > 0.0005 {
		t.Errorf("best error %.4f, the book has 0.26", 1-right)
	}
	clean := get(DigitDisplay(0))(t)
	d := get(clean.Sample(50, "", rand.NewPCG(1, 2)))(t)
	table, err := mlreg.Confusion(clean, d, 0)
	if err != nil || table.ErrorRate() != 0 {
		t.Errorf("without wrong bars: %v, %v", table, err)
	}
	for _, bad := range []float64{-0.1, 1.5, math.NaN()} {
		if _, err := DigitDisplay(bad); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
