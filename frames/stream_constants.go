package frames

import (
	"slices"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// independent reports whether the constants are all in the call.
func (n *wanted) independent() bool {
	has := func(args ...string) bool {
		return !slices.ContainsFunc(args, func(a string) bool { return n.options.args[a] == nil })
	}
	switch n.fn {
	case "fourier":
		return true
	case "poly":
		raw, err := n.options.boolean("raw")
		return raw && err == nil
	case "ns", "bs":
		return has("knots", "Boundary.knots")
	}
	return false
}

// momentsDegree returns up to which degree moments of the input are enough.
func (n *wanted) momentsDegree() (int, bool) {
	switch n.fn {
	case "scale":
		return 1, true
	case "poly":
		degree, err := n.options.integer("degree", 1)
		return degree, err == nil
	}
	return 0, false
}

func (n *wanted) cure() string {
	switch n.fn {
	case "ns", "bs":
		return "; give knots = c(...) and Boundary.knots = c(...), for example from the quartiles of Source.Describe"
	case "rbf":
		return "; learn it from a sample, and code the rest with DesignLike"
	}
	return ""
}

// describe tells what of the values the constants of a basis follow from.
func (n *wanted) describe(to *table.Need) {
	switch n.fn {
	case "scale", "poly", "ns", "bs", "fourier":
	default:
		return
	}
	if len(n.options.data) != 1 {
		return
	}
	to.Inputs = []*table.Node{tree(n.options.data[0])}
	if n.fn == "ns" || n.fn == "bs" {
		s, err := splineSettings(n.options)
		if err != nil {
			return // as learning says
		}
		to.Knots, to.Distinct = splineKnots(n.fn, s)
		to.Boundary = s.Boundary
	} else if degree, ok := n.momentsDegree(); ok && degree > 0 && !n.independent() {
		to.Degree = degree
		if n.fn == "poly" {
			to.Distinct = degree
		}
	}
}

// splineKnots returns how many knots of a spline are at quantiles, and how many distinct
// values are too few for it: mlreg.NewNaturalSpline and NewBSpline.
func splineKnots(fn string, s *mlreg.SplineSettings) (knots, few int) {
	least := 1
	if fn == "bs" {
		least = s.Degree
	}
	if s.Intercept {
		least++
	}
	columns := least + len(s.Knots)
	if s.DF != 0 && s.Knots == nil {
		columns = s.DF
		knots = max(0, s.DF-least)
	}
	if few = columns; s.Intercept {
		few--
	}
	return knots, max(few, 1)
}

// basisOf is the fit of a basis to values of which the constants are known.
func (n *wanted) basisOf(c table.Constants) (mlreg.Basis, error) {
	fit := func() (mlreg.Basis, error) { return basisFunctions[n.fn].fit([][]float64{c.Distinct}, n.options) }
	switch n.fn {
	case "scale":
		return scaleOf(c, n.options)
	case "poly":
		if len(c.Alpha) > 0 {
			return &mlreg.Poly{N: c.N, Alpha: c.Alpha, Beta: c.Beta, Low: c.Least, High: c.Largest}, nil
		}
	case "ns", "bs":
		s, err := splineSettings(n.options)
		if err != nil {
			return nil, err
		}
		knots, few := splineKnots(n.fn, s)
		if len(c.Distinct) <= few || knots > 0 && c.Knots == nil {
			return fit() // which says what is wrong
		}
		if knots > 0 {
			s.DF, s.Knots = 0, c.Knots
		}
		if s.Boundary == nil {
			s.Boundary = []float64{c.Least, c.Largest}
		}
		return newSpline(n.fn, c.Distinct, s)
	}
	return fit()
}
