package certify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// MaxColumns is the largest number of columns: matrices of that order are factored at
// every node.
const MaxColumns = 1000

// Errors of problems that cannot be bracketed. A *ColumnError names the column, a *RoundingError says by how much rounding is too large.
var (
	ErrPerfectFit = errors.New("certify: the columns fit the response exactly")
	ErrSingular   = errors.New("certify: columns are combinations of others, as far as rounding lets tell")
	ErrProblem    = errors.New("certify: bad problem")
	ErrMemory     = errors.New("certify: too little memory")
)

// ColumnError says at which column, from 0, the others before it leave nothing.
type ColumnError struct{ Column int }

// Error implements error.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("certify: column %d is a combination of those before it, as far as rounding lets tell", e.Column)
}

// Unwrap returns ErrSingular.
func (e *ColumnError) Unwrap() error { return ErrSingular }

// RoundingError says what rounding may change log weights by, which is too much, and Q relatively.
type RoundingError struct{ Nats, Relative float64 }

// Error implements error.
func (e *RoundingError) Error() string {
	return fmt.Sprintf("certify: rounding may change log weights by %.2g", e.Nats)
}

// Unwrap returns ErrSingular.
func (e *RoundingError) Unwrap() error { return ErrSingular }

// Problem says what to sum over; see the package comment. It is that of package enumerate, in nats.
type Problem struct {
	Columns int
	// M is the packed lower triangle with the response in row 0, as in package enumerate.
	M []float64
	// Units are the columns, from 0, that go in and out together; nil takes every column by itself.
	Units [][]int
	// Needs are, by unit, the units that it needs in a subset; with One, it needs one of them. Subsets without are left out of the sum. Nil is none.
	Needs [][]int
	One   bool
	// Size has the log weight of every number of units, from 0 on.
	Size []float64
	// Own are log weights of units; nil is zeros. Prior probabilities that differ are here.
	Own []float64
	// Power multiplies log Q, Rate multiplies Q; one of them is negative and the other 0.
	Power, Rate float64
	// Det includes -1/2 log det.
	Det bool
	// Rounding is what the log weights of M as it is stored may be wrong by; intervals allow for it, too.
	Rounding float64
}

// problem is a Problem made ready: columns scaled by powers of 2 to lengths about 1, units
// given, linear sizes moved to Own, and limits of rounding known.
type problem struct {
	columns  int
	units    [][]int
	cross    []float64 // M, order columns+1, symmetric, the response last
	own      []float64
	size     []float64 // nil if linear
	det      bool
	parts    []component
	power    float64   // 0 if the variance is known
	offset   float64   // added to all log weights
	tau      float64   // relative error of what elimination gives (statement 5)
	wrong    float64   // what the log weight of a subset, summed over components, may be off
	given    float64   // what M itself may move it by
	diagonal []float64 // D <= (1 - tau) G
	pivots   []float64 // v of statement 4 for all columns, if det
	// By column: a limit of the coefficient in every model, and of what rounding does to it (statement 10).
	most, off []float64
	coefUnit  []float64 // of coefficients, by column
	needs     [][]int
	one       bool
	average   bool // pairs and coefficients are bracketed, too
	single    bool // every unit is a column, and needs nothing
	leaf      int  // columns up to which subtrees are summed
}

func prepare(p *Problem) (*problem, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	q := &problem{columns: p.Columns, units: p.Units, det: p.Det, given: p.Rounding, own: make([]float64, p.unitCount()), leaf: leafColumns}
	copy(q.own, p.Own)
	q.needs, q.one = p.Needs, p.One
	if q.units == nil {
		for j := range p.Columns {
			q.units = append(q.units, []int{j})
		}
	}
	q.single = !slices.ContainsFunc(q.units, func(u []int) bool { return len(u) != 1 }) && q.needs == nil
	q.setSize(p.Size)
	rate := q.setCross(p)
	lowest, err := q.setRounding(p)
	if err != nil {
		return nil, err
	}
	n := p.Columns + 1
	y := q.cross[n*n-1]
	if p.Power != 0 {
		parts, eps := mixture(-p.Power, lowest, y*(1+4*q.tau))
		q.parts, q.power = parts, p.Power
		q.wrong += eps - p.Power*q.tau/(1-q.tau)
	} else {
		q.parts = []component{{phi: -rate}}
		q.wrong += -rate * q.tau * y
	}
	if p.Det {
		q.wrong += float64(p.Columns) / 2 * q.tau / (1 - q.tau)
	}
	if !(q.wrong <= mostWrong) {
		return nil, &RoundingError{q.wrong, q.tau}
	}
	return q, nil
}

// mostWrong is what rounding may do to log weights; beyond, intervals would say little.
const mostWrong = 0.01

func (p *Problem) unitCount() int {
	if p.Units == nil {
		return p.Columns
	}
	return len(p.Units)
}

// check refuses what is no problem.
func (p *Problem) check() error {
	units := p.unitCount()
	switch {
	case p.Columns < 1 || p.Columns > MaxColumns:
		return fmt.Errorf("%w: %d columns; there are 1 to %d", ErrProblem, p.Columns, MaxColumns)
	case len(p.M) != (p.Columns+1)*(p.Columns+2)/2 || len(p.Size) != units+1 || p.Own != nil && len(p.Own) != units:
		return fmt.Errorf("%w: %d elements of M, %d of Size and %d of Own for %d columns in %d units", ErrProblem, len(p.M), len(p.Size), len(p.Own), p.Columns, units)
	case !(p.Power <= 0 && p.Rate <= 0 && p.Power+p.Rate < 0 && p.Power*p.Rate == 0):
		return fmt.Errorf("%w: Power %v and Rate %v; one is negative and the other 0", ErrProblem, p.Power, p.Rate)
	case !(p.Rounding >= 0):
		return fmt.Errorf("%w: Rounding %v is below 0", ErrProblem, p.Rounding)
	}
	if err := p.checkNeeds(); err != nil {
		return err
	}
	used := make([]bool, p.Columns)
	for k, unit := range p.Units {
		for _, j := range unit {
			if j < 0 || j >= p.Columns || used[j] {
				return fmt.Errorf("%w: unit %d has column %d, which is none or in another unit", ErrProblem, k, j)
			}
			used[j] = true
		}
	}
	if p.Units != nil && slices.Contains(used, false) {
		return fmt.Errorf("%w: column %d is in no unit", ErrProblem, slices.Index(used, false))
	}
	for _, v := range slices.Concat(p.M, p.Size, p.Own, []float64{p.Power, p.Rate}) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: a number is not finite", ErrProblem)
		}
	}
	return nil
}

// checkNeeds refuses needs of what is no unit, and in circles.
func (p *Problem) checkNeeds() error {
	units := p.unitCount()
	if p.Needs != nil && len(p.Needs) != units {
		return fmt.Errorf("%w: %d Needs for %d units", ErrProblem, len(p.Needs), units)
	}
	depth := make([]int, units) // of chains of needs
	for range units + 1 {
		again := false
		for k, needs := range p.Needs {
			for _, n := range needs {
				if n < 0 || n >= units {
					return fmt.Errorf("%w: unit %d needs %d, which is none", ErrProblem, k, n)
				}
				if depth[k] <= depth[n] {
					depth[k], again = depth[n]+1, true
				}
			}
		}
		if !again {
			return nil
		}
	}
	return fmt.Errorf("%w: Needs go in a circle", ErrProblem)
}

// setSize moves what is linear in Size to own.
func (q *problem) setSize(size []float64) {
	units := len(q.units)
	slope := (size[units] - size[0]) / float64(units)
	var most, off float64
	for k, s := range size {
		most = math.Max(most, math.Abs(s))
		off = math.Max(off, math.Abs(s-size[0]-float64(k)*slope))
	}
	q.wrong += 8 * dd.Unit * most
	if off > 64*dd.Unit*most {
		q.size = slices.Clone(size)
		return
	}
	q.wrong += off
	q.offset += size[0]
	for k := range q.own {
		q.own[k] += slope
	}
}

// setCross sets cross, scaled by powers of 2, and returns the rate in its units. Known noise
// lets y be any number, since it adds a constant to the log weights: y is doubled, so that Q is no
// small difference of large numbers.
func (q *problem) setCross(p *Problem) (rate float64) {
	n := p.Columns + 1
	q.cross = make([]float64, n*n)
	half := make([]int, n) // exponents of the scales, the response last
	exponent := func(v float64) int {
		if !(v > 0) {
			return 0
		}
		_, e := math.Frexp(v)
		return e >> 1
	}
	for j := range p.Columns {
		half[j] = exponent(p.M[packed(j+1, j+1)])
	}
	half[n-1] = exponent(p.M[0])
	row := func(i int) int { return (i + 1) % n } // of M
	for i := range n {
		for j := range i + 1 {
			v := math.Ldexp(p.M[packed(max(row(i), row(j)), min(row(i), row(j)))], -half[i]-half[j])
			q.cross[i*n+j], q.cross[j*n+i] = v, v
		}
	}
	if p.Det {
		for k, unit := range q.units {
			for _, j := range unit {
				q.own[k] -= float64(half[j]) * math.Ln2
				q.wrong += 4 * dd.Unit * math.Abs(q.own[k])
			}
		}
	}
	for j := range q.columns {
		q.coefUnit = append(q.coefUnit, math.Ldexp(1, half[n-1]-half[j]))
	}
	y, e := q.cross[n*n-1], 2*half[n-1]
	if p.Power != 0 {
		scale := p.Power * float64(e) * math.Ln2
		q.wrong += 8 * dd.Unit * (math.Abs(q.offset) + math.Abs(scale))
		q.offset += scale
		return 0
	}
	rate = math.Ldexp(p.Rate, e)
	if y == 0 {
		y = 1
		q.cross[n*n-1] = 0
	}
	q.cross[n*n-1] += y
	q.wrong += 8 * dd.Unit * (math.Abs(q.offset) - rate*y)
	q.offset -= rate * y
	return rate
}

// packed is where a packed lower triangle has element (i, j), i >= j.
func packed(i, j int) int { return i*(i+1)/2 + j }

// setRounding sets tau, diagonal and pivots, and returns a limit below Q for all subsets.
func (q *problem) setRounding(p *Problem) (lowest float64, err error) {
	n := q.columns + 1
	t := slices.Clone(q.cross)
	if !eliminate(t, n, n) {
		return 0, q.singular()
	}
	delta := diagonalBelow(q.cross, n)
	if delta == nil {
		return 0, q.singular()
	}
	q.tau = relativeError(q.cross, n, delta)
	if !(q.tau < 1e-3) {
		return 0, q.singular()
	}
	q.diagonal = delta[:q.columns]
	pivots := make([]float64, q.columns) // t has the factor of G, and then the response
	conditionalPivots(pivots, t, n)
	for j := range pivots {
		pivots[j] *= 1 - 4*q.tau
	}
	if q.det {
		q.pivots = pivots
	}
	for j := range q.diagonal {
		q.diagonal[j] *= 1 - 4*q.tau
	}
	lowest = t[n*n-1] * t[n*n-1] * (1 - 4*q.tau)
	q.setMost(p, pivots, lowest)
	return lowest, nil
}

// singular says which column, or the response, is a combination of those before it.
func (q *problem) singular() error {
	n := q.columns + 1
	t := slices.Clone(q.cross)
	for k := range n {
		row := t[k*n : k*n+n]
		if !(row[k] > 1e-10*q.cross[k*n+k]) {
			if k == n-1 {
				return ErrPerfectFit
			}
			return &ColumnError{k}
		}
		for i := k + 1; i < n; i++ {
			gram.Axpy(-row[i]/row[k], row[i:], t[i*n+i:i*n+n])
		}
	}
	return ErrSingular
}
