package datasets

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func TestNIST(t *testing.T) {
	for _, name := range NISTNames() {
		c := get(NIST(strings.ToLower(name)))(t)
		d, err := frames.Design(c.Frame(), c.Formula())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p := d.NTerms()
		if !d.NoIntercept {
			p++
		}
		if c.Name != name || len(c.Coef) != p || len(c.StdErr) != p || len(c.Powers) != p || len(c.X) != len(c.Y) || d.NObs() != len(c.Y) {
			t.Errorf("%s: %d rows, %d parameters, certified %d and %d", c.Name, len(c.Y), p, len(c.Coef), len(c.StdErr))
		}
	}
	if _, err := NIST("Wampler6"); err == nil || !strings.Contains(err.Error(), "Wampler5") {
		t.Errorf("Wampler6: %v", err)
	}
}

// The normal equations X'(y - Xb) = 0 hold exactly at the certified
// coefficients of every Wampler set, and the certified residual s.d. and R2
// are those of the exact residuals, to the 15 digits given.
func TestWamplerIsExact(t *testing.T) {
	for _, name := range NISTNames()[2:] {
		c := get(NIST(name))(t)
		var fitted []string
		rss := new(big.Rat)
		gradient := make([]*big.Rat, 6)
		for k := range gradient {
			gradient[k] = new(big.Rat)
		}
		for i := range c.XText {
			x, fit := rat(c.XText[i]), new(big.Rat)
			for k := 5; k >= 0; k-- {
				fit.Add(fit.Mul(fit, x), rat(c.CoefText[k]))
			}
			fitted = append(fitted, fit.RatString())
			r := new(big.Rat).Sub(rat(c.YText[i]), fit)
			rss.Add(rss, new(big.Rat).Mul(r, r))
			for k := range gradient {
				gradient[k].Add(gradient[k], r)
				r = new(big.Rat).Mul(r, x)
			}
		}
		for k, g := range gradient {
			if g.Sign() != 0 {
				t.Errorf("%s: the residuals have product %v with x^%d", name, g, k)
			}
		}
		variance, _ := new(big.Rat).Quo(rss, big.NewRat(15, 1)).Float64()
		if want := math.Sqrt(variance); math.Abs(c.ResidualSD-want) > 5e-15*want {
			t.Errorf("%s: residual s.d. %v, it is %v", name, c.ResidualSD, want)
		}
		if want, _ := rSquared(fitted, c.YText).Float64(); math.Abs(c.R2-want) > 5e-16 {
			t.Errorf("%s: R2 %v, it is %v", name, c.R2, want)
		}
	}
}

// By hand: Wampler4 has 75901 = 1 + 100 e at x = 0, so e = 759 there; and
// 1 + 2 + ... + 2^5 = 63.
func TestWamplerValues(t *testing.T) {
	for _, test := range []struct {
		name string
		row  int
		y    string
	}{{"Wampler3", 0, "760"}, {"Wampler5", 0, "7590001"}, {"Wampler2", 20, "63.00000"}} {
		c := get(NIST(test.name))(t)
		if c.YText[test.row] != test.y || !c.Derived {
			t.Errorf("%s: y of row %d is %s, want %s", test.name, test.row+1, c.YText[test.row], test.y)
		}
	}
}

// Wampler3, 4 and 5 have one design, so their standard errors are in the ratio
// of their residual standard deviations.
func TestWamplerStdErr(t *testing.T) {
	published := get(NIST("Wampler4"))(t)
	for _, name := range []string{"Wampler3", "Wampler5"} {
		c := get(NIST(name))(t)
		for k, se := range c.StdErr {
			if want := published.StdErr[k] * (c.ResidualSD / published.ResidualSD); math.Abs(se-want) > 1e-15*want {
				t.Errorf("%s: standard error %d is %v, want %v", name, k+1, se, want)
			}
		}
	}
}

func TestCorrectDigits(t *testing.T) {
	for _, c := range []struct {
		got, want []float64
		digits    float64
	}{
		{[]float64{3}, []float64{3}, 15},
		{[]float64{3.0003, 7}, []float64{3, 7}, 4},
		{[]float64{-3}, []float64{3}, 0},
		{[]float64{1e-5}, []float64{0}, 5},
		{[]float64{0, 2}, []float64{0, 1}, 0},
		{[]float64{math.NaN()}, []float64{3}, 0},
		{[]float64{math.Inf(1)}, []float64{3}, 0},
		{[]float64{1e-9 * (1 + 1e-7)}, []float64{1e-9}, 7},
	} {
		if got, err := CorrectDigits(c.got, c.want); err != nil || !(math.Abs(got-c.digits) < 1e-6) {
			t.Errorf("%v for %v: %v digits, want %v; %v", c.got, c.want, got, c.digits, err)
		}
	}
	if _, err := CorrectDigits([]float64{1}, []float64{1, 2}); !errors.Is(err, mlreg.ErrShape) {
		t.Errorf("lengths: %v", err)
	}
	if _, err := CorrectDigits(nil, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("no values: %v", err)
	}
}

// The whole way from the embedded data through the formula to the fit gives
// every certified coefficient and standard error to 13 digits.
func TestNISTDigits(t *testing.T) {
	for _, name := range NISTNames() {
		c := get(NIST(name))(t)
		d := get(frames.Design(c.Frame(), c.Formula()))(t)
		fit, err := mlreg.FitOLS(d, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k, want := range c.Coef {
			if got := fit.Coef()[k]; !(math.Abs(got-want) <= 1e-13*math.Abs(want)) {
				t.Errorf("%s: %s is %.16g, certified %s", name, fit.Names()[k], got, c.CoefText[k])
			}
			// An exact fit leaves the rounding of y itself as residual.
			if got, want := fit.StdErr()[k], c.StdErr[k]; want > 0 && !(math.Abs(got-want) <= 1e-13*want) {
				t.Errorf("%s: standard error of %s is %.16g, certified %s", name, fit.Names()[k], got, c.StdErrText[k])
			}
		}
	}
}
