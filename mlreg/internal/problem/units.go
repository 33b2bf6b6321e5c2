package problem

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Response is the number of the response among columns in an error.
const Response = -1

// RangeError says that the length of a column, or its square, is no normal float64
// with room for sums.
type RangeError struct {
	Column  int // or Response
	Squares bool
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("problem: the length of column %d leaves the range of float64", e.Column)
}

// BesideError says that the squares of a column are nothing beside those of the
// largest.
type BesideError struct {
	Column, Largest   int
	Unit, LargestUnit Unit // of their lengths
}

func (e *BesideError) Error() string {
	return fmt.Sprintf("problem: the squares of column %d are nothing beside those of column %d", e.Column, e.Largest)
}

// Unit is a power of two, by its exponent, that numbers are divided by. Dividing costs no
// digit, and the unit of a product is the sum of those of its factors.
type Unit int

// Out multiplies v by the unit: it brings what is in the unit out to the units of the data.
func (u Unit) Out(v float64) float64 { return math.Ldexp(v, int(u)) }

// In divides v by the unit.
func (u Unit) In(v float64) float64 { return math.Ldexp(v, -int(u)) }

// OutTwofold is Out, and InTwofold In, of twice the digits.
func (u Unit) OutTwofold(v dd.Number) dd.Number { return v.Ldexp(int(u)) }
func (u Unit) InTwofold(v dd.Number) dd.Number  { return v.Ldexp(-int(u)) }

// Float returns the unit as a number.
func (u Unit) Float() float64 { return math.Ldexp(1, int(u)) }

// Log returns the natural logarithm of the unit.
func (u Unit) Log() float64 { return float64(u) * math.Ln2 }

// Squarable tells whether the square of a length of about the unit is a normal number with room
// for sums.
func (u Unit) Squarable() bool { return max(u, -u) <= mostSquared }

const mostSquared = 508

// UnitOf returns the power of two just above the size of v, 1 for zero.
func UnitOf(v float64) Unit {
	_, e := math.Frexp(v)
	return Unit(e)
}

// UnitOfSquares returns the unit whose square is about the sum of squares ss.
func UnitOfSquares(ss float64) Unit { return UnitOf(ss) / 2 }

// Measure returns UnitOf a length. It refuses what is at the ends of float64, whose slopes or
// products leave it, or is no number.
func Measure(length float64) (u Unit, ok bool) {
	u = UnitOf(length)
	return u, length-length == 0 && -960 < u && u <= 960
}

// Units are those of the columns of a problem and of its response: their lengths in them are
// about 1, so that no sum of squares overflows or underflows.
type Units struct {
	XUnit []Unit
	YUnit Unit
}

// Inverses returns what multiplies the columns and, last, the response.
func (u *Units) Inverses() []float64 {
	f := make([]float64, 0, len(u.XUnit)+1)
	for _, x := range u.XUnit {
		f = append(f, (-x).Float())
	}
	return append(f, (-u.YUnit).Float())
}

// Slope brings a coefficient of column j to the units of the data.
func (u *Units) Slope(j int, b float64) float64 {
	return (u.YUnit - u.XUnit[j]).Out(b) + 0 // 0 for -0
}

// InSlope brings a coefficient of column j from them to those of the problem.
func (u *Units) InSlope(j int, b float64) float64 { return (u.YUnit - u.XUnit[j]).In(b) }

// Squares brings a sum of squares of the response to the units of the data.
func (u *Units) Squares(v float64) float64 { return (2 * u.YUnit).Out(v) }

// Root brings to them a number in row j of a T with (A'A)^-1 = T T'.
func (u *Units) Root(j int, v float64) float64 { return u.XUnit[j].In(v) }

// Center subtracts the weighted mean and returns it; a constant column becomes
// exactly zero. Values of weight zero are not looked at, and become zero; nil weights are
// ones.
func Centre(v, weights []float64, total float64) (mean float64) {
	of := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	for pass := range 2 {
		var first, sum float64
		seen := false
		for i, x := range v {
			w := of(i)
			if w == 0 {
				continue
			}
			if !seen {
				first, seen = x, true
			}
			sum += w * (x - first)
		}
		m := first + sum/total
		if pass == 1 && !(math.Abs(m) > 0) {
			break
		}
		mean += m
		for i := range v {
			if of(i) > 0 {
				v[i] -= m
			} else {
				v[i] = 0
			}
		}
	}
	return mean
}

// scale divides v by the unit.
func scale(v []float64, u Unit) {
	if u == 0 {
		return
	}
	f := (-u).Float()
	for i := range v {
		v[i] *= f
	}
}

func squares(v []float64) float64 { return gram.Dot(v, v) }
