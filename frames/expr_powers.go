package frames

import (
	"math"

	"github.com/regbook/regbook/mlreg"
)

// Powers of a column are computed to twice the digits of a float64: rounding
// x^10 would cost a polynomial fit digits that least squares can give. A value
// is then a pair hi + lo, |lo| <= ulp(hi)/2, of which hi goes to Design.X and
// lo to Design.XLow.

// times returns (hi + lo)(x + rest) to about 2^-104.
func times(hi, lo, x, rest float64) (float64, float64) {
	p := float64(hi * x) // rounded here, never fused with what follows
	e := math.FMA(hi, x, -p) + (lo*x + hi*rest)
	sum := p + e
	return sum, e - (sum - p)
}

// powerLow returns the low parts of a power of a column such as I(a^2), nil
// for any other expression.
func (e *evaluator) powerLow(n node) ([]float64, error) {
	b, ok := stripped(n).(*binary)
	if !ok || b.op != "^" {
		return nil, nil
	}
	col, isColumn := b.x.(*name)
	exponent, isNumber := b.y.(*number)
	if !isColumn || !isNumber || smallPower(exponent.value) == 0 {
		return nil, nil
	}
	x, err := e.numeric(col)
	if err != nil {
		return nil, err
	}
	for i, v := range x {
		_, x[i] = mlreg.Power(v, smallPower(exponent.value))
	}
	return x, nil
}
