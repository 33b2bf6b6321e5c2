package source

import (
	"math"
	"strings"

	"github.com/regbook/regbook/mlreg"
)

// This file writes how far a number that SQL computes can be from the exact one: a value's
// off is an SQL expression of the row, and the number is wrong by at most off times 2^-53, to
// first order. It is Higham's running error analysis (Accuracy and Stability of Numerical
// Algorithms, 2nd ed., section 3.3): operations add the rounding of their result, functions
// four units of it, and the errors of operands are taken through derivatives. A column of
// mean 10^6 and standard deviation 1 whose values are rounded has lost six digits before it
// is summed.

// elementary is how many units of rounding functions of a database may be off.
const elementary = 4

func absolute(sql string) string { return "abs(" + sql + ")" }

// sumOf writes the sum of offs that are not empty.
func sumOf(offs ...string) string {
	var parts []string
	for _, off := range offs {
		if off != "" {
			parts = append(parts, off)
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return "(" + strings.Join(parts, " + ") + ")"
}

func orZero(d *Dialect, off string) string {
	if off == "" {
		return d.number(0)
	}
	return off
}

// times writes factor times off, "" if that is.
func times(factor, off string) string {
	if off == "" {
		return ""
	}
	return "(" + factor + " * " + off + ")"
}

// offConstant is that of a constant, of which not all databases read every digit.
func (d *Dialect) offConstant(v float64) string {
	if !d.Rounds || v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return ""
	}
	return d.number(math.Abs(v))
}

// withOff returns a number.
func (c *compiler) withOff(sql, off string) (value, error) {
	v, err := c.made(sql, numberValue)
	if err != nil || c.ieee {
		return v, err
	}
	if len(off) > maxSQL {
		return v, refuse("an expression is too long for SQL")
	}
	v.off = off
	return v, nil
}

// offProduct is that of products.
func offProduct(factors ...value) string {
	var all []string
	var offs []string
	for i, f := range factors {
		all = append(all, "("+f.sql+")")
		var others []string
		for j, g := range factors {
			if j != i {
				others = append(others, absolute(g.sql))
			}
		}
		if len(others) == 0 {
			return f.off
		}
		offs = append(offs, times(strings.Join(others, " * "), f.off))
	}
	for range len(factors) - 1 {
		offs = append(offs, absolute(strings.Join(all, " * ")))
	}
	return sumOf(offs...)
}

// offQuotient is that of sql = x/y.
func offQuotient(sql string, x, y value) string {
	from := sumOf(x.off, times(absolute(sql), y.off))
	if from != "" {
		from = "(" + from + " / " + absolute("nullif("+y.sql+", 0)") + ")"
	}
	return sumOf(from, absolute(sql))
}

// offFunction is that of a function of x, given its value and the size of its derivative.
func (c *compiler) offFunction(sql string, x value, derivative string) string {
	return sumOf("("+c.d.number(elementary)+" * "+absolute(sql)+")", times(derivative, x.off))
}

// offBasis is that of function k of a basis that is a polynomial of a degree, piece by piece,
// in t = |x - center|/half: bounds of the rounding and of the derivative by 1 + t^degree,
// which are measured on points near and far.
func (d *Dialect) offBasis(b mlreg.Basis, k, degree int, center, half float64, x value) string {
	at := func(t float64) float64 { return b.Eval(nil, center+half*t)[k] }
	var size, slope float64
	for _, far := range []float64{1, 2, 4, 16, 256} {
		const points = 512
		last := at(-far)
		for i := range points + 1 {
			t := far * (2*float64(i)/points - 1)
			v := at(t)
			size = math.Max(size, math.Abs(v)/(1+math.Pow(math.Abs(t), float64(degree))))
			if i > 0 {
				slope = math.Max(slope, math.Abs(v-last)/(2*far/points)/(1+math.Pow(math.Abs(t), float64(max(degree-1, 0)))))
			}
			last = v
		}
	}
	t := "abs((" + x.sql + " - " + d.number(center) + ") / " + d.number(half) + ")"
	power := func(k int) string {
		return "(" + d.number(1) + strings.Repeat(" * "+t, k) + " + " + d.number(1) + ")"
	}
	// Clenshaw's and Horner's sums of so few terms lose a small multiple of their size.
	rounding := d.number(8*float64(degree+1)*float64(degree+1)*size) + " * " + power(degree)
	reading := "" // of the center
	if d.Rounds {
		reading = "(" + d.number(2*slope/half*math.Abs(center)) + " * " + power(max(degree-1, 0)) + ")"
	}
	return sumOf("("+rounding+")", reading, times(d.number(2*slope/half)+" * "+power(max(degree-1, 0)), x.off))
}
