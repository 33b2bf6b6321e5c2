package frames

import (
	"math"
	"math/big"
	"testing"
)

// X + XLow is the exact power, product or power within a level, to 1e-30.
func TestPowersToTwiceTheDigits(t *testing.T) {
	x := []float64{-8.781464495, 3.14159, 1e-3, 17, 0.1}
	b := []float64{.3, 7, -2.7, 1e5, 1.1}
	df := frame(t, Col("x", x), Col("b", b), Col("g", []string{"u", "v", "u", "v", "u"}))
	d := get(Design(df, "~ poly(x, 10, raw = TRUE) + I(x^3) + I((b^2)) + b:I(x^2) + I(x^2):g:I(b^3) + poly(x, 2) + b:x"))(t)
	pow := func(v float64, k int) *big.Rat {
		r, f := big.NewRat(1, 1), new(big.Rat).SetFloat64(v)
		for range k {
			r.Mul(r, f)
		}
		return r
	}
	exact := map[string]func(i int) *big.Rat{
		"I(x^3)":   func(i int) *big.Rat { return pow(x[i], 3) },
		"I((b^2))": func(i int) *big.Rat { return pow(b[i], 2) },
		"b:I(x^2)": func(i int) *big.Rat { return new(big.Rat).Mul(pow(x[i], 2), pow(b[i], 1)) },
		"I(x^2):gv:I(b^3)": func(i int) *big.Rat {
			return new(big.Rat).Mul(new(big.Rat).Mul(pow(x[i], 2), pow(b[i], 3)), big.NewRat(int64(i%2), 1))
		},
	}
	for k := 1; k <= 10; k++ {
		exact["poly(x, 10, raw = TRUE)"+formatNumber(float64(k))] = func(i int) *big.Rat { return pow(x[i], k) }
	}
	found := 0
	for j, name := range d.Names {
		if exact[name] == nil {
			for i := range x {
				if name[0] != 'I' && d.XLow.At(i, j) != 0 { // other columns are taken as they are
					t.Errorf("%s has a low part in row %d", name, i+1)
				}
			}
			continue
		}
		found++
		for i := range x {
			want := exact[name](i)
			got := new(big.Rat).SetFloat64(d.X.At(i, j))
			got.Add(got, new(big.Rat).SetFloat64(d.XLow.At(i, j)))
			scale, _ := want.Float64()
			if off, _ := got.Sub(got, want).Float64(); math.Abs(off) > 1e-30*math.Abs(scale) {
				t.Errorf("%s, row %d: off by %g of %g", name, i+1, off, scale)
			}
			if nearest, _ := want.Float64(); d.X.At(i, j) != nearest {
				t.Errorf("%s, row %d: %v is not the nearest float64, %v", name, i+1, d.X.At(i, j), nearest)
			}
		}
	}
	if found != len(exact) {
		t.Errorf("%d of %d columns found among %q", found, len(exact), d.Names)
	}
	d, err := Design(df, "~ x:b + poly(x, 2) + g + I(x + b)")
	if err != nil || d.XLow != nil {
		t.Errorf("a design without powers has low parts: %v, %v", d.XLow, err)
	}
}

func TestPowerOverflow(t *testing.T) {
	_, err := Design(frame(t, Col("x", []float64{1, 1e200})), "~ poly(x, 2, raw = TRUE)")
	wantError(t, err, ErrNotFinite, "poly(x, 2, raw = TRUE) is +Inf in row 2, where x = 1e+200")
}
