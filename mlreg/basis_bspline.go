package mlreg

import (
	"encoding/gob"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/report"
)

func init() { gob.Register(&BSpline{}) }

// SplineSettings say where the knots of a spline are. Give DF or Knots, not both.
type SplineSettings struct {
	// DF is the number of columns wanted, which determines the number K of interior
	// knots. They are at the type 7 quantiles i/(K+1), i = 1 ... K, of the training
	// values within the boundary. The default 0 is no interior knot.
	DF int
	// Knots are the interior knots.
	Knots []float64
	// Boundary are the two boundary knots; the default is the range of x.
	Boundary []float64
	// Degree is that of the polynomial pieces of a BSpline; the default is 3.
	Degree int
	// Intercept keeps the constant in the space of the columns. The default is
	// to leave it out, for a design that has an intercept of its own.
	Intercept bool
}

// BSpline is the basis of B-splines of one input: piecewise polynomials with
// Degree-1 continuous derivatives at the interior knots, each non-zero on at
// most Degree+1 intervals between knots, that are non-negative and sum to 1
// within the boundary. The columns are those of R's splines::bs: without
// Intercept the first B-spline is left out. Beyond the boundary the outermost
// polynomials continue, and may grow fast. (de Boor, A Practical Guide to Splines,
// chapters IX and X.)
type BSpline struct {
	Knots     []float64 // interior knots, rising
	Boundary  []float64 // two
	Degree    int
	Intercept bool
}

// maxDegree bounds the degree of spline pieces.
const maxDegree = 15

// NewBSpline places the knots of a B-spline basis on the training values x. Of
// Degree D, with K interior knots, it has K + D columns, or K + D + 1 with
// Intercept. Nil settings are the defaults. The error matches ErrNotFinite, or
// ErrSetting if x has too few distinct values, knots coincide or lie outside the
// boundary, or DF is too small.
func NewBSpline(x []float64, settings *SplineSettings) (*BSpline, error) {
	s := args.OrDefaults(settings)
	if s.Degree == 0 {
		s.Degree = 3
	}
	if s.Degree < 1 || s.Degree > maxDegree {
		return nil, fmt.Errorf("%w: the degree of B-splines is %d; it is 1 to %d", ErrSetting, s.Degree, maxDegree)
	}
	least := s.Degree
	if s.Intercept {
		least++
	}
	return placeKnots(x, s, least)
}

// placeKnots returns a spline with knots as the settings say, for a basis that
// has least columns without interior knots, and one more for each.
func placeKnots(x []float64, s SplineSettings, least int) (*BSpline, error) {
	distinct, err := distinctValues(x)
	if err != nil {
		return nil, err
	}
	b := &BSpline{Boundary: slices.Clone(s.Boundary), Degree: s.Degree, Intercept: s.Intercept, Knots: slices.Clone(s.Knots)}
	if s.Boundary == nil && len(distinct) > 0 {
		b.Boundary = []float64{distinct[0], distinct[len(distinct)-1]}
	}
	if err := b.checkBoundary(s, len(distinct)); err != nil {
		return nil, err
	}
	columns, err := s.columns(least)
	if err != nil {
		return nil, err
	}
	free := columns // columns that are not the constant
	if s.Intercept {
		free--
	}
	if len(x) > 0 && len(distinct) <= free {
		return nil, fmt.Errorf("%w: a spline of %d columns needs more than %d distinct values; there are %d", ErrSetting, columns, free, len(distinct))
	}
	slices.Sort(b.Knots)
	if s.Knots == nil && columns > least {
		if b.Knots = quantileKnots(x, b.Boundary, columns-least); b.Knots == nil {
			return nil, fmt.Errorf("%w: no training value lies within the boundary knots %v", ErrSetting, b.Boundary)
		}
	}
	if err := b.checkKnots(); err != nil {
		return nil, err
	}
	return b, nil
}

// columns returns the number of columns asked for.
func (s *SplineSettings) columns(least int) (int, error) {
	switch {
	case s.DF != 0 && s.Knots != nil:
		return 0, fmt.Errorf("%w: a spline takes DF or Knots, not both", ErrSetting)
	case s.DF != 0 && s.DF < least:
		return 0, fmt.Errorf("%w: DF = %d; the spline has at least %d columns", ErrSetting, s.DF, least)
	case s.DF != 0:
		return s.DF, nil
	}
	return least + len(s.Knots), nil
}

// checkBoundary checks the boundary knots, those of the settings or the range of x.
func (b *BSpline) checkBoundary(s SplineSettings, distinct int) error {
	switch {
	case s.Boundary == nil && distinct < 2:
		return fmt.Errorf("%w: a spline needs a range; x has %d distinct values", ErrSetting, distinct)
	case len(b.Boundary) != 2 || !(b.Boundary[0] < b.Boundary[1]):
		return fmt.Errorf("%w: the boundary knots are %v; they are two numbers, the smaller first", ErrSetting, b.Boundary)
	case math.IsInf(b.Boundary[1]-b.Boundary[0], 0):
		return fmt.Errorf("%w: the range of a spline, %v to %v, overflows; rescale x", ErrNotFinite, b.Boundary[0], b.Boundary[1])
	}
	return nil
}

// checkKnots checks the sorted interior knots.
func (b *BSpline) checkKnots() error {
	for k, knot := range b.Knots {
		switch {
		case !(knot > b.Boundary[0] && knot < b.Boundary[1]):
			return fmt.Errorf("%w: the interior knot %v is not between the boundary knots %v and %v", ErrSetting, knot, b.Boundary[0], b.Boundary[1])
		case k > 0 && knot == b.Knots[k-1]:
			return fmt.Errorf("%w: two interior knots are at %v; take fewer, or place them", ErrSetting, knot)
		}
	}
	return nil
}

// quantileKnots returns k knots at quantiles of the values within the boundary,
// nil if there are none.
func quantileKnots(x, boundary []float64, k int) []float64 {
	inside := slices.Clone(x)
	inside = slices.DeleteFunc(inside, func(v float64) bool { return v < boundary[0] || v > boundary[1] })
	if len(inside) == 0 {
		return nil
	}
	slices.Sort(inside)
	knots := make([]float64, k)
	for i := range knots {
		knots[i] = SampleQuantile(inside, float64(i+1)/float64(k+1))
	}
	return knots
}

// Inputs returns 1.
func (b *BSpline) Inputs() int { return 1 }

// Names returns bs(x, m)1 ... bs(x, m)m, m being the number of columns.
func (b *BSpline) Names(inputs ...string) []string {
	m := b.splines() - b.first()
	return numbered(fmt.Sprintf("bs(%s, %d)", inputs[0], m), m)
}

// splines returns the number of B-splines, the first included.
func (b *BSpline) splines() int { return len(b.Knots) + b.Degree + 1 }

// first returns the index of the first B-spline that is a column.
func (b *BSpline) first() int {
	if b.Intercept {
		return 0
	}
	return 1
}

// Eval returns the B-splines at x.
func (b *BSpline) Eval(dst []float64, x ...float64) []float64 {
	dst = evalSpace(dst, b.splines()-b.first(), x, 1)
	clear(dst)
	add := func(at, factor float64, derivative int) {
		values, from := b.piece(at, derivative)
		for k, v := range values[:b.Degree+1] {
			if j := from + k - b.first(); j >= 0 {
				dst[j] += factor * v
			}
		}
	}
	if x[0] >= b.Boundary[0] && x[0] <= b.Boundary[1] {
		add(x[0], 1, 0)
		return dst
	}
	// The outermost polynomial, by its Taylor series about a point within its
	// interval, a quarter from the boundary.
	b, unit := b.inUnit()
	at := unit.In(x[0])
	outer := b.knot(b.Degree + 1)
	boundary := b.Boundary[0]
	if at > b.Boundary[1] {
		outer, boundary = b.knot(len(b.Knots)+b.Degree), b.Boundary[1]
	}
	pivot := 0.75*boundary + 0.25*outer
	factor := 1.0
	for d := range b.Degree + 1 {
		if d > 0 {
			factor *= (at - pivot) / float64(d)
		}
		add(pivot, factor, d)
	}
	return dst
}

// inUnit returns the spline with its knots in a unit in which their range is
// about 1 and no derivative overflows or underflows.
func (b *BSpline) inUnit() (*BSpline, problem.Unit) {
	unit := problem.UnitOf(b.Boundary[1] - b.Boundary[0])
	scaled := *b
	scaled.Knots, scaled.Boundary = slices.Clone(b.Knots), slices.Clone(b.Boundary)
	for _, knots := range [][]float64{scaled.Knots, scaled.Boundary} {
		for i := range knots {
			knots[i] = unit.In(knots[i])
		}
	}
	return &scaled, unit
}

// knot returns knot i of all, the boundary knots being repeated Degree+1 times.
func (b *BSpline) knot(i int) float64 {
	switch k := i - b.Degree - 1; {
	case k < 0:
		return b.Boundary[0]
	case k < len(b.Knots):
		return b.Knots[k]
	}
	return b.Boundary[1]
}

// piece returns a derivative of the Degree+1 B-splines that are not zero at x,
// within the boundary, and the index of the first of them. (Piegl and Tiller,
// The NURBS Book, algorithm A2.2, and eq. 2.7 for derivatives.)
func (b *BSpline) piece(x float64, derivative int) (values [maxDegree + 1]float64, from int) {
	i := b.Degree // x lies between knots i and i+1
	for i < b.Degree+len(b.Knots) && x >= b.knot(i+1) {
		i++
	}
	low := b.Degree - derivative
	values[0] = 1
	for p := 1; p <= low; p++ {
		var saved float64
		for r := range p {
			right, left := b.knot(i+r+1), b.knot(i+r+1-p)
			part := values[r] / (right - left)
			values[r] = saved + (right-x)*part
			saved = (x - left) * part
		}
		values[p] = saved
	}
	for p := low + 1; p <= b.Degree; p++ {
		var saved float64
		for r := range p {
			part := float64(p) * values[r] / (b.knot(i+r+1) - b.knot(i+r+1-p))
			values[r] = saved - part
			saved = part
		}
		values[p] = saved
	}
	return values, i - b.Degree
}

// knotNotes tells of the knots of a spline.
func knotNotes(knots, boundary []float64) []string {
	notes := []string{"no knots inside"}
	if len(knots) > 0 {
		notes[0] = "knots inside at " + format.Brackets(knots)
	}
	if len(boundary) == 2 {
		notes = append(notes, "boundary "+format.Brackets(boundary))
	}
	return notes
}

// Describe returns the functions of the basis as a table.
func (b *BSpline) Describe() *report.Table {
	return describeBasis(b, fmt.Sprintf("B-splines of degree %d", b.Degree), knotNotes(b.Knots, b.Boundary)...)
}

// String writes the functions of the basis as text.
func (b *BSpline) String() string { return b.Describe().String() }
