package mlreg

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestFourierValues(t *testing.T) {
	f := get(NewFourier(365, 3))(t)
	if fmt.Sprint(f.Names("day")[2:4]) != "[fourier(day, 365)sin2 fourier(day, 365)cos2]" {
		t.Errorf("%q", f.Names("day"))
	}
	for _, x := range []float64{0, 1, -17.3, 91.25, 365, 1e15 + .5, -1e22} {
		turn := new(big.Rat).Quo(new(big.Rat).SetFloat64(x), big.NewRat(365, 1))
		var want []float64
		for k := int64(1); k <= 3; k++ {
			kt := new(big.Rat).Mul(turn, big.NewRat(k, 1))
			whole := new(big.Int).Quo(kt.Num(), kt.Denom())
			part, _ := kt.Sub(kt, new(big.Rat).SetInt(whole)).Float64()
			s, c := math.Sincos(2 * math.Pi * part)
			want = append(want, s, c)
		}
		got := f.Eval(nil, x)
		for k := range want {
			if math.Abs(got[k]-want[k]) > 4e-15 { // 2 pi k rounding errors of the turn
				t.Errorf("at %v: %v, want %v", x, got, want)
			}
		}
	}
	sameByGob(t, f, 12)
}

// On a period divided evenly the columns are orthogonal, of squared length n/2.
func TestFourierIsOrthogonal(t *testing.T) {
	const n = 24
	f := get(NewFourier(2*math.Pi, 11))(t)
	var x []float64
	for i := range n {
		x = append(x, 2*math.Pi*float64(i)/n-1)
	}
	cols, _, err := EvalRows(f, inputs(x...))
	if err != nil {
		t.Fatal(err)
	}
	var gram mat.Dense
	gram.Mul(cols.T(), cols)
	for j := range 22 {
		for k := range 22 {
			want := 0.0
			if j == k {
				want = n / 2
			}
			if math.Abs(gram.At(j, k)-want) > 1e-13 {
				t.Errorf("columns %d and %d have product %v", j+1, k+1, gram.At(j, k))
			}
		}
	}
	for _, period := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, err := NewFourier(period, 1)
		wantErr(t, err, ErrSetting, "period", fmt.Sprint(period))
	}
	_, err = NewFourier(7, 0)
	wantErr(t, err, ErrSetting, "order of harmonics is at least 1, not 0")
}
