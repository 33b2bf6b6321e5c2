package mlreg

import (
	"encoding/gob"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/report"
)

func init() { gob.Register(&NaturalSpline{}) }

// NaturalSpline is a basis of natural cubic splines of one input: piecewise
// cubic with two continuous derivatives at the interior knots, second derivative
// 0 at the boundary knots, and linear beyond them. The columns are those of R's
// splines::ns: the cubic B-splines B(x), without the first unless Intercept,
// times the last columns of the orthogonal factor Q of
//
//	[B''(Boundary[0]) B''(Boundary[1])] = Q R,
//
// which span the splines that meet the two conditions.
type NaturalSpline struct {
	Knots     []float64 // interior knots, rising
	Boundary  []float64 // two
	Intercept bool
	// Natural takes B-splines to natural splines: (len(Knots)+4) x m.
	Natural *mat.Dense
}

// NewNaturalSpline places the knots of a natural cubic spline basis on the
// training values x. With K interior knots it has m = K + 1 columns, or K + 2
// with Intercept. Nil settings are the defaults. The error matches ErrNotFinite,
// or ErrSetting if x has too few distinct values, knots coincide or lie outside the
// boundary, or DF is too small.
func NewNaturalSpline(x []float64, settings *SplineSettings) (*NaturalSpline, error) {
	s := args.OrDefaults(settings)
	if s.Degree != 0 && s.Degree != 3 {
		return nil, fmt.Errorf("%w: natural splines are cubic, not of degree %d", ErrSetting, s.Degree)
	}
	s.Degree = 3
	least := 1
	if s.Intercept {
		least = 2
	}
	b, err := placeKnots(x, s, least)
	if err != nil {
		return nil, err
	}
	rows, first := b.splines(), b.first()
	second := mat.NewDense(rows-first, 2, nil)
	unit, _ := b.inUnit()
	for c, at := range unit.Boundary {
		values, from := unit.piece(at, 2)
		for k, v := range values[:4] {
			if j := from + k - first; j >= 0 {
				second.Set(j, c, v)
			}
		}
	}
	var qr mat.QR
	qr.Factorize(second)
	var q mat.Dense
	qr.QTo(&q)
	m := rows - first - 2
	natural := mat.NewDense(rows, m, nil)
	for i := range rows - first {
		copy(natural.RawRowView(i+first), q.RawRowView(i)[2:])
	}
	return &NaturalSpline{Knots: b.Knots, Boundary: b.Boundary, Intercept: b.Intercept, Natural: natural}, nil
}

// Inputs returns 1.
func (s *NaturalSpline) Inputs() int { return 1 }

// Names returns ns(x, m)1 ... ns(x, m)m.
func (s *NaturalSpline) Names(inputs ...string) []string {
	m := s.Natural.RawMatrix().Cols
	return numbered(fmt.Sprintf("ns(%s, %d)", inputs[0], m), m)
}

// Eval returns the natural splines at x.
func (s *NaturalSpline) Eval(dst []float64, x ...float64) []float64 {
	dst = evalSpace(dst, s.Natural.RawMatrix().Cols, x, 1)
	clear(dst)
	b := &BSpline{Knots: s.Knots, Boundary: s.Boundary, Degree: 3, Intercept: s.Intercept}
	at := min(max(x[0], s.Boundary[0]), s.Boundary[1])
	values, from := b.piece(at, 0)
	if at != x[0] { // the tangent at the boundary
		slopes, _ := b.piece(at, 1)
		for k, slope := range slopes[:4] {
			values[k] += (x[0] - at) * slope
		}
	}
	for k, v := range values[:4] {
		for c, q := range s.Natural.RawRowView(from + k) {
			dst[c] += v * q
		}
	}
	return dst
}

// Describe returns the functions of the basis as a table.
func (n *NaturalSpline) Describe() *report.Table {
	return describeBasis(n, "Natural cubic splines", knotNotes(n.Knots, n.Boundary)...)
}

// String writes the functions of the basis as text.
func (n *NaturalSpline) String() string { return n.Describe().String() }
