package mlreg

import (
	"encoding/gob"
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/report"
)

func init() { gob.Register(&Powers{}) }

// Powers is the basis x, x^2, ... x^Degree of one input; degree 1 is the input
// itself. Powers are computed to twice the digits of a float64, since rounding x^10
// alone would cost a polynomial fit the digits that least squares can give. Poly
// spans the same space with columns that are far better conditioned.
type Powers struct {
	Degree int
}

// NewPowers returns the powers of an input up to the given degree, at least 1
// (ErrSetting) and at most 2^17 (ErrTooLarge).
func NewPowers(degree int) (*Powers, error) {
	if degree < 1 {
		return nil, fmt.Errorf("%w: the degree of a polynomial is at least 1, not %d", ErrSetting, degree)
	}
	if err := args.Columns(fmt.Sprintf("powers up to %d", degree), float64(degree)); err != nil {
		return nil, err
	}
	return &Powers{degree}, nil
}

// Inputs returns 1.
func (p *Powers) Inputs() int { return 1 }

// Names returns x, x^2, ... for an input named x.
func (p *Powers) Names(inputs ...string) []string {
	checkNames(float64(len(inputs[0])) * float64(p.Degree))
	names := make([]string, p.Degree)
	for k := range names {
		names[k] = inputs[0]
		if k > 0 {
			names[k] = fmt.Sprintf("%s^%d", inputs[0], k+1)
		}
	}
	return names
}

// Eval returns x, x^2, ... x^Degree.
func (p *Powers) Eval(dst []float64, x ...float64) []float64 {
	dst = evalSpace(dst, p.Degree, x, 1)
	v := dd.Of(1)
	for k := range dst {
		v = v.Mul(dd.Of(x[0]))
		dst[k] = v.Hi
		if v.Hi-v.Hi != 0 { // overflow
			dst[k] = math.Pow(x[0], float64(k+1))
		}
	}
	return dst
}

func (p *Powers) evalLow(lo, hi, x []float64) {
	v := dd.Of(1)
	for k := range lo {
		v = v.Mul(dd.Of(x[0]))
		lo[k] = v.Lo
		if hi[k]-hi[k] != 0 {
			lo[k] = 0
		}
	}
}

// mostMultiplied is the largest power that is formed by one product after the other, as
// Powers.Eval forms its own.
const mostMultiplied = 4096

// Power returns x^k as hi + lo with |lo| <= ulp(hi)/2, to about k 2^-104: hi for a column
// of Design.X, and lo for XLow. If hi overflows, or k < 1, lo is 0.
func Power(x float64, k int) (hi, lo float64) {
	if k < 1 {
		return math.Pow(x, float64(k)), 0
	}
	power, v := k, dd.Of(x)
	if k <= mostMultiplied {
		for range k - 1 {
			v = v.Mul(dd.Of(x))
		}
	} else { // by squares
		square := v
		v = dd.Of(1)
		for ; k > 0 && v.Hi-v.Hi == 0; k /= 2 {
			if k%2 == 1 {
				v = v.Mul(square)
			}
			square = square.Mul(square)
		}
	}
	if v.Hi-v.Hi != 0 {
		return math.Pow(x, float64(power)), 0
	}
	return v.Hi, v.Lo
}

// Describe returns the functions of the basis as a table.
func (p *Powers) Describe() *report.Table { return describeBasis(p, "Powers") }

// String writes the functions of the basis as text.
func (p *Powers) String() string { return p.Describe().String() }
