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

// Powers, and products of powers, to twice the digits of a float64.
func TestPowersToTwiceTheDigits(t *testing.T) {
	x, z := []float64{-8.781464495, 3.14159, 1e-3, 17, 0.1}, []float64{.3, 7, -2.7, 1e5, 1.1}
	five := get(NewPowers(5))(t)
	two := get(NewPowers(2))(t)
	product := get(NewInteraction(five, two))(t)
	both := get(NewAdditive(two, product))(t)
	in := mat.NewDense(len(x), 3, nil)
	in.SetCol(0, z)
	in.SetCol(1, x)
	in.SetCol(2, z)
	cols, low, err := EvalRows(both, in)
	if err != nil {
		t.Fatal(err)
	}
	names := both.Names("u", "x", "z")
	for i := range x {
		for j, name := range names {
			want := exactPower(z[i], j+1)
			if j >= 2 {
				want = exactPower(x[i], (j-2)%5+1)
				want.Mul(want, exactPower(z[i], (j-2)/5+1))
			}
			nearestPair(t, name, cols.At(i, j), low.At(i, j), want)
		}
		hi, lo := Power(x[i], 10)
		nearestPair(t, "x^10", hi, lo, exactPower(x[i], 10))
	}
	if names[0] != "u" || names[1] != "u^2" || names[2] != "x:z" || names[3] != "x^2:z" || names[7] != "x:z^2" {
		t.Errorf("names %q", names)
	}
	sameByGob(t, both, .3, -8.78, 7)
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
