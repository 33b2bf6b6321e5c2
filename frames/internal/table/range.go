package table

import (
	"slices"

	"github.com/regbook/regbook/mlreg"
)

// Affine is a basis of one function, (x - center)/scale.
type Affine interface {
	mlreg.Basis
	Constants() (center, scale float64)
}

// RangeOf returns the range of a basis of one input, with the text of its term and
// without rows; false if it has none.
func RangeOf(term string, b mlreg.Basis) (mlreg.Extrapolation, bool) {
	e := mlreg.Extrapolation{Term: term}
	switch b := b.(type) {
	case *mlreg.BSpline:
		e.Low, e.High = b.Boundary[0], b.Boundary[1]
	case *mlreg.NaturalSpline:
		e.Low, e.High, e.Linear = b.Boundary[0], b.Boundary[1], true
	case *mlreg.Poly:
		e.Low, e.High = b.Low, b.High
	}
	e.Farthest = e.Low
	return e, e.Low < e.High
}

// Beyond counts the values beyond the range.
func Beyond(e mlreg.Extrapolation, x []float64) mlreg.Extrapolation {
	for _, v := range x {
		if v < e.Low || v > e.High {
			e.Rows++
			e.Farthest = farther(e, v)
		}
	}
	return e
}

// farther returns the value that is farther from the range, Farthest or v.
func farther(e mlreg.Extrapolation, v float64) float64 {
	excess := func(v float64) float64 { return max(e.Low-v, v-e.High) }
	if now, other := excess(e.Farthest), excess(v); other > now || other == now && v > e.Farthest {
		return v
	}
	return e.Farthest
}

// AddBeyond adds rows beyond the range of a term.
func (c *Counts) AddBeyond(all ...mlreg.Extrapolation) {
	for _, e := range all {
		k := slices.IndexFunc(c.Beyond, func(known mlreg.Extrapolation) bool { return known.Term == e.Term })
		switch {
		case e.Rows == 0:
		case k < 0:
			c.Beyond = append(c.Beyond, e)
		default:
			c.Beyond[k].Rows += e.Rows
			c.Beyond[k].Farthest = farther(c.Beyond[k], e.Farthest)
		}
	}
}
