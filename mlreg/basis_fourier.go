package mlreg

import (
	"encoding/gob"
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/report"
)

func init() { gob.Register(&Fourier{}) }

// Fourier is the basis of the harmonics of a period T,
//
//	sin(2 pi k x/T), cos(2 pi k x/T),   k = 1 ... Order,
//
// in the order sin1, cos1, sin2, cos2 ... of its 2 Order columns. On rows that
// divide a period evenly, x = 0, h, 2h ... T - h, the columns are orthogonal to
// each other and to the constant as long as k < T/(2h).
type Fourier struct {
	Period float64
	Order  int
}

// NewFourier returns the harmonics of a period up to the given order. The error
// matches ErrSetting unless the period is positive and finite and the order at
// least 1.
func NewFourier(period float64, order int) (*Fourier, error) {
	if !(period > 0) || math.IsInf(period, 0) {
		return nil, fmt.Errorf("%w: the period is %v; it is positive", ErrSetting, period)
	}
	if order < 1 {
		return nil, fmt.Errorf("%w: the order of harmonics is at least 1, not %d", ErrSetting, order)
	}
	if err := args.Columns(fmt.Sprintf("harmonics up to %d", order), 2*float64(order)); err != nil {
		return nil, err
	}
	return &Fourier{period, order}, nil
}

// Inputs returns 1.
func (f *Fourier) Inputs() int { return 1 }

// Names returns fourier(x, T)sin1, fourier(x, T)cos1, fourier(x, T)sin2 ...
func (f *Fourier) Names(inputs ...string) []string {
	checkNames(2 * float64(len(inputs[0])) * float64(f.Order))
	var names []string
	for k := range f.Order {
		for _, fn := range []string{"sin", "cos"} {
			names = append(names, fmt.Sprintf("fourier(%s, %v)%s%d", inputs[0], f.Period, fn, k+1))
		}
	}
	return names
}

// Eval returns the harmonics at x. It first subtracts whole periods from x,
// which is exact, so that x may be large.
func (f *Fourier) Eval(dst []float64, x ...float64) []float64 {
	dst = evalSpace(dst, 2*f.Order, x, 1)
	turn := math.Mod(x[0], f.Period) / f.Period
	for k := range f.Order {
		_, part := math.Modf(float64(k+1) * turn)
		dst[2*k], dst[2*k+1] = math.Sincos(2 * math.Pi * part)
	}
	return dst
}

// Describe returns the functions of the basis as a table.
func (f *Fourier) Describe() *report.Table {
	return describeBasis(f, "Waves", "period "+format.Number(f.Period, format.Digits))
}

// String writes the functions of the basis as text.
func (f *Fourier) String() string { return f.Describe().String() }
