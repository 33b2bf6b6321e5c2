package problem

import (
	"fmt"
	"math"

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
	Column, Largest int
	Exp, LargestExp int // of their lengths
}

func (e *BesideError) Error() string {
	return fmt.Sprintf("problem: the squares of column %d are nothing beside those of column %d", e.Column, e.Largest)
}

// MostSquared is the largest size of exponents of a length whose square is to be
// a normal number with room for sums.
const MostSquared = 508

// Exponent returns e such that length/2^e is about 1. It refuses what is at the
// ends of float64, whose slopes or products leave it, or is no number.
func Exponent(length float64) (e int, ok bool) {
	if length == 0 {
		return 0, true
	}
	_, e = math.Frexp(length)
	return e, length-length == 0 && -960 < e && e <= 960
}

// HalfExponent returns e such that the sum of squares ss is about 4^e.
func HalfExponent(ss float64) int {
	if ss == 0 {
		return 0
	}
	_, e := math.Frexp(ss)
	return e / 2
}

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

// scale multiplies v by 2^e.
func scale(v []float64, e int) {
	if e == 0 {
		return
	}
	f := math.Ldexp(1, e)
	for i := range v {
		v[i] *= f
	}
}

func squares(v []float64) float64 { return gram.Dot(v, v) }
