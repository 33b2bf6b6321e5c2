package mlreg

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// exactPower returns x^k as a rational number.
func exactPower(x float64, k int) *big.Rat {
	r, f := big.NewRat(1, 1), new(big.Rat).SetFloat64(x)
	for range k {
		r.Mul(r, f)
	}
	return r
}

// nearestPair fails unless hi is the float64 nearest to want and hi + lo is want
// to 1e-30.
func nearestPair(t *testing.T, what string, hi, lo float64, want *big.Rat) {
	t.Helper()
	nearest, _ := want.Float64()
	if hi != nearest {
		t.Errorf("%s: %v is not the nearest float64, %v", what, hi, nearest)
	}
	got := new(big.Rat).SetFloat64(hi)
	got.Add(got, new(big.Rat).SetFloat64(lo))
	if off, _ := got.Sub(got, want).Float64(); math.Abs(off) > 1e-30*math.Abs(nearest) {
		t.Errorf("%s: off by %g of %g", what, off, nearest)
	}
}

// Powers to twice the digits of a float64.
func TestPowersToTwiceTheDigits(t *testing.T) {
	x := []float64{-8.781464495, 3.14159, 1e-3, 17, 0.1}
	five := get(NewPowers(5))(t)
	cols, low, err := EvalRows(five, mat.NewDense(len(x), 1, x))
	if err != nil {
		t.Fatal(err)
	}
	for i := range x {
		for j, name := range five.Names("x") {
			nearestPair(t, name, cols.At(i, j), low.At(i, j), exactPower(x[i], j+1))
		}
		hi, lo := Power(x[i], 10)
		nearestPair(t, "x^10", hi, lo, exactPower(x[i], 10))
	}
	sameByGob(t, five, -8.78)
}

func TestPowerOverflow(t *testing.T) {
	if hi, lo := Power(1e200, 2); !math.IsInf(hi, 1) || lo != 0 {
		t.Errorf("1e200^2 = %v + %v", hi, lo)
	}
	if hi, lo := Power(-1e200, 3); !math.IsInf(hi, -1) || lo != 0 {
		t.Errorf("-1e200^3 = %v + %v", hi, lo)
	}
	p := get(NewPowers(3))(t)
	_, err := Expand(p, inputs(1, -1e200), nil)
	wantErr(t, err, ErrNotFinite, `term "x^2" is +Inf in row 2`)
	_, err = NewPowers(0)
	wantErr(t, err, ErrSetting, "at least 1, not 0")
}
