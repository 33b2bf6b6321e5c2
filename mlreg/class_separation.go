package mlreg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Separation says how far a linear combination of the terms tells two classes
// apart, which decides whether the maximum-likelihood estimate of a logistic
// regression exists (Albert and Anderson, Biometrika 71 (1984), 1-10).
type Separation int

const (
	// Overlapping: no combination separates the classes; the estimate exists.
	Overlapping Separation = iota
	// QuasiComplete: some combination is never negative for the second class
	// and never positive for the first, and not always zero. The estimate does
	// not exist.
	QuasiComplete
	// Complete: some combination is positive for all rows of the second class
	// and negative for all rows of the first. The estimate does not exist.
	Complete
)

// String returns the name in words.
func (s Separation) String() string {
	return [...]string{"overlapping", "quasi-complete", "complete"}[s]
}

// SeparationError says that the classes of a logistic regression are separated,
// so that its likelihood has no maximum: it grows for ever along Direction. It
// matches ErrSeparated.
type SeparationError struct {
	Kind Separation // QuasiComplete or Complete
	// Terms are the coefficients that the direction moves, as a fit names
	// them, and Direction their weights, in the units of the design, the
	// largest being 1 or -1. Of two classes, eta = sum_j Direction[j] Terms[j]
	// is >= 0 for the second and <= 0 for the first.
	Terms     []string
	Direction []float64
	// Rows are those that the direction separates strictly, Of all rows; for q
	// classes, a row counts for q-1, once with every class that is not its own.
	Rows, Of int
	Classes  []string
	Response string
}

// Error names the direction and the cure.
func (e *SeparationError) Error() string {
	eta := strings.Builder{}
	for j, v := range e.Direction {
		term := e.Terms[j]
		switch {
		case j > 0 && v < 0:
			eta.WriteString(" - ")
		case j > 0:
			eta.WriteString(" + ")
		case v < 0:
			eta.WriteString("-")
		}
		number := strconv.FormatFloat(math.Abs(v), 'g', 4, 64)
		if term == InterceptName {
			eta.WriteString(number)
			continue
		}
		if number != "1" {
			eta.WriteString(number + " ")
		}
		eta.WriteString(term)
	}
	if len(e.Classes) > 2 {
		return fmt.Sprintf("%v: no maximum-likelihood estimate exists, by %s separation: along %s no row loses odds of its class of %s to another, "+
			"and %d of %d odds grow for ever; set MultinomialSettings.L2, the Gaussian prior N(0, 1/(2 L2)) on the slopes in the units of the design, "+
			"which has a maximum always, or leave a term out",
			ErrSeparated, e.Kind, eta.String(), e.Response, e.Rows, e.Of)
	}
	relation := [2]string{"<= 0", ">= 0"}
	if e.Kind == Complete {
		relation = [2]string{"< 0", "> 0"}
	}
	return fmt.Sprintf("%v: no maximum-likelihood estimate exists, by %s separation: %s is %s where %s is %q and %s where it is %q"+
		" (not zero in %d of %d rows), and the likelihood grows for ever along it; "+
		"set LogisticSettings.L2, the Gaussian prior N(0, 1/(2 L2)) on the slopes in the units of the design, "+
		"which has a maximum always, or leave a term out",
		ErrSeparated, e.Kind, eta.String(), relation[1], e.Response, e.Classes[1], relation[0], e.Classes[0], e.Rows, e.Of)
}

// Unwrap makes errors.Is(err, ErrSeparated) true.
func (e *SeparationError) Unwrap() error { return ErrSeparated }

// CheckSeparation decides whether a linear combination of the terms, with the
// intercept if the design has one, separates the two classes of its response. It
// returns nil if they overlap. Rows of weight zero do not count. The error is
// one of bad data, see FitLogistic, or if rounding keeps it from deciding.
//
// With the rows z_i = s_i (1, x_i), s_i = 1 for the second class and -1 for the
// first, it solves the linear program
//
//	maximise sum_i c_i z_i'delta   subject to   z_i'delta >= 0,  |delta_j| <= 1
//
// with positive weights c_i, in columns centred and scaled to typical values of 1,
// and rows scaled to a largest value of 1. The maximum is zero if and only if the classes overlap (Konis, Linear
// programming algorithms for detecting separated data in binary logistic
// regression models, 2007, section 4.1). Rows on the boundary are then tried again
// without the others, until none is left (complete) or the rest overlap
// (quasi-complete). Values below 1e-9 count as zero.
func CheckSeparation(d *Design) (*SeparationError, error) {
	if err := d.checkTraining(); err != nil {
		return nil, err
	}
	if err := d.checkFinite(); err != nil {
		return nil, err
	}
	classes, y, err := d.binaryLabels()
	if err != nil {
		return nil, err
	}
	q := &logisticProblem{rows: gram.Rows{X: d.X.RawMatrix(), Y: y, Weights: d.Weights}, intercept: !d.NoIntercept}
	names := (&linear{linearState{header: d.header()}}).Names()
	return q.separated(names, d.Response, classes)
}

// separation is CheckSeparation with its result as the error.
func (q *logisticProblem) separation(names []string, response string, classes []string) error {
	e, err := q.separated(names, response, classes)
	if err != nil {
		return err
	}
	if e != nil {
		return e
	}
	return nil
}

const (
	separationZero = 1e-9 // what counts as zero, of values of size 1
	separationRows = 2000 // rows that a linear program starts with
)

// separated decides by linear programming.
func (q *logisticProblem) separated(names []string, response string, classes []string) (*SeparationError, error) {
	c := q.separationColumns()
	first := q.first()
	s := newSeparator(len(c.rows), q.parameters(), func(z []float64, r int) {
		i := c.rows[r]
		side := 2*q.rows.Y[i] - 1
		if first == 1 {
			z[0] = side
		}
		for j, v := range q.x(i) {
			z[j+first] = side * (v - c.center[j]) / c.scale[j]
		}
	})
	e, err := s.decide()
	if e == nil || err != nil {
		return nil, err
	}
	e.Response, e.Classes = response, classes
	values := slices.Clone(s.delta)
	for j, center := range c.center {
		values[j+first] /= c.scale[j]
		if first == 1 {
			values[0] -= values[j+1] * center
		}
	}
	moves := slices.Clone(s.delta)
	copy(moves, values[:first])
	e.name(names, moves, values)
	return e, nil
}

// name takes the direction, whose values are given in the units of the design,
// and how much each moves eta, without terms that do nothing.
func (e *SeparationError) name(names []string, moves, values []float64) {
	var largest, length float64
	for _, v := range moves {
		largest = math.Max(largest, math.Abs(v))
	}
	for j, v := range values {
		if math.Abs(moves[j]) > 1e-7*largest {
			e.Terms = append(e.Terms, names[j])
			e.Direction = append(e.Direction, v)
			length = math.Max(length, math.Abs(v))
		}
	}
	for j := range e.Direction {
		e.Direction[j] /= length
	}
}

// separationColumns are the rows of positive weight, and medians of the columns
// and typical distances from them.
type separationColumns struct {
	rows          []int
	center, scale []float64
}

func (q *logisticProblem) separationColumns() *separationColumns {
	p := q.rows.X.Cols
	c := &separationColumns{center: make([]float64, p), scale: make([]float64, p)}
	for i := range q.rows.X.Rows {
		if q.rows.Weights == nil || q.rows.Weights[i] > 0 {
			c.rows = append(c.rows, i)
		}
	}
	var sample []int
	for r := 0; r < len(c.rows); r += max(1, len(c.rows)/separationRows) {
		sample = append(sample, c.rows[r])
	}
	for j := range p {
		if q.intercept {
			c.center[j] = q.median(j, sample, 0, false)
		}
		c.scale[j] = q.median(j, sample, c.center[j], true)
		if c.scale[j] == 0 { // a rare value
			c.scale[j] = q.median(j, c.rows, c.center[j], true)
		}
		if c.scale[j] == 0 {
			c.scale[j] = 1
		}
	}
	return c
}

// median returns the median of column j in the given rows, or of its distances
// from the center that are not zero, 0 if there are none.
func (q *logisticProblem) median(j int, rows []int, center float64, distance bool) float64 {
	v := make([]float64, 0, len(rows))
	for _, i := range rows {
		x := q.x(i)[j] - center
		if distance {
			x = math.Abs(x)
		}
		if !distance || x > 0 {
			v = append(v, x)
		}
	}
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/2]
}

func (q *logisticProblem) x(i int) []float64 {
	raw := q.rows.X
	return raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols]
}

// separator looks for a direction delta with z_r'delta >= 0 for rows z_r, and not
// always zero.
type separator struct {
	fill   func(z []float64, r int) // writes row r, with typical values of 1, over zeros
	left   []int                    // rows not yet separated strictly
	margin []float64                // of all rows: z_r'delta
	delta  []float64                // the sum of the directions found
}

func newSeparator(rows, dim int, fill func(z []float64, r int)) *separator {
	s := &separator{fill: fill, left: make([]int, rows), margin: make([]float64, rows), delta: make([]float64, dim)}
	for r := range rows {
		s.left[r] = r
	}
	return s
}

// decide returns nil if there is no direction, and otherwise what kind there is.
func (s *separator) decide() (*SeparationError, error) {
	total := len(s.left)
	for len(s.left) > 0 {
		delta, err := s.direction()
		if err != nil {
			return nil, err
		}
		if delta == nil || !s.take(delta) {
			break
		}
	}
	switch separated := total - len(s.left); separated {
	case 0:
		return nil, nil
	case total:
		return &SeparationError{Kind: Complete, Rows: total, Of: total}, nil
	default:
		return &SeparationError{Kind: QuasiComplete, Rows: separated, Of: total}, nil
	}
}

// row writes row r to z, scaled to a largest value of 1.
func (s *separator) row(z []float64, r int) {
	clear(z)
	s.fill(z, r)
	var largest float64
	for _, v := range z {
		largest = math.Max(largest, math.Abs(v))
	}
	if largest > 0 {
		blas64.Scal(1/largest, vector(z))
	}
}

// values returns z_i'delta of the given rows.
func (s *separator) values(rows []int, delta []float64) []float64 {
	v := make([]float64, len(rows))
	eachChunk(len(rows), func() func(chunk, start, end int) {
		z := make([]float64, len(delta))
		return func(_, start, end int) {
			for r := start; r < end; r++ {
				s.row(z, rows[r])
				v[r] = blas64.Dot(vector(z), vector(delta))
			}
		}
	})
	return v
}

// take adds a direction to the sum, by so much that no row gets to the wrong
// side, and takes the rows that it separates strictly from those left. It
// reports whether there are any.
func (s *separator) take(delta []float64) bool {
	all := make([]int, len(s.margin))
	for i := range all {
		all[i] = i
	}
	values := s.values(all, delta)
	step := 1.0
	for i, v := range values {
		if s.margin[i] > 0 && v < 0 {
			step = math.Min(step, s.margin[i]/(-2*v))
		}
	}
	blas64.Axpy(step, vector(delta), vector(s.delta))
	for i, v := range values {
		if s.margin[i] > 0 {
			s.margin[i] += step * v
		}
	}
	before := len(s.left)
	s.left = slices.DeleteFunc(s.left, func(i int) bool {
		if values[i] > separationZero {
			s.margin[i] = step * values[i]
			return true
		}
		return false
	})
	return len(s.left) < before
}

// direction returns the solution of the linear program for the rows left, nil if
// its maximum is zero. It takes constraints in as they are violated.
func (s *separator) direction() ([]float64, error) {
	const tries, rounds = 5, 500
	var failure error
	for seed := range uint64(tries) {
		objective := s.objective(seed)
		step := max(1, len(s.left)/separationRows)
		var active []int
		in := make(map[int]bool)
		for r := 0; r < len(s.left); r += step {
			active = append(active, s.left[r])
			in[s.left[r]] = true
		}
		for range rounds {
			delta, err := s.program(objective, active)
			if delta == nil && err == nil {
				return nil, nil
			}
			if err != nil {
				failure = err
				break
			}
			values := s.values(s.left, delta)
			var violated []int // of left
			for r, v := range values {
				if v < -separationZero && !in[s.left[r]] {
					violated = append(violated, r)
				}
			}
			if len(violated) == 0 {
				return delta, nil
			}
			slices.SortStableFunc(violated, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
			for _, r := range violated[:min(len(violated), 100+4*len(delta))] {
				active = append(active, s.left[r])
				in[s.left[r]] = true
			}
		}
	}
	return nil, fmt.Errorf("%w: linear programming cannot decide whether the classes are separated: %v; set LogisticSettings.L2", ErrNotConverged, failure)
}

// objective returns c = sum_i c_i z_i over the rows left, for random c_i in
// [1, 2), scaled to a largest element of 1. A little of it is not of the rows, so
// that no vertex of the program is degenerate.
func (s *separator) objective(seed uint64) []float64 {
	rnd := rand.New(rand.NewPCG(seed, 89))
	c, z := make([]float64, len(s.delta)), make([]float64, len(s.delta))
	for _, i := range s.left {
		s.row(z, i)
		blas64.Axpy(1+rnd.Float64(), vector(z), vector(c))
	}
	var largest float64
	for _, v := range c {
		largest = math.Max(largest, math.Abs(v))
	}
	for j := range c {
		if largest > 0 {
			c[j] /= largest
		}
		c[j] += 1e-9 * (rnd.Float64() - 0.5)
	}
	return c
}

// program maximises c'delta subject to z_i'delta >= 0 for the active rows and
// |delta_j| <= 1, by its dual in standard form,
//
//	minimise sum_j (p_j + q_j)  subject to  p - q - sum_i u_i z_i = c,
//
// p, q and u not negative, for which p or q is a vertex to start from. It returns
// nil if the maximum is zero.
func (s *separator) program(c []float64, active []int) ([]float64, error) {
	k, m := len(c), len(active)
	a := mat.NewDense(k, 2*k+m, nil)
	cost := make([]float64, 2*k+m)
	basic := make([]int, k)
	for j, v := range c {
		a.Set(j, j, 1)
		a.Set(j, k+j, -1)
		cost[j], cost[k+j] = 1, 1
		basic[j] = j
		if v < 0 {
			basic[j] = k + j
		}
	}
	z := make([]float64, k)
	columns := 2 * k
	for _, i := range active {
		s.row(z, i)
		if blas64.Asum(vector(z)) == 0 {
			continue // no constraint
		}
		for j, v := range z {
			a.Set(j, columns, -v)
		}
		columns++
	}
	a = a.Slice(0, k, 0, columns).(*mat.Dense)
	maximum, x, err := simplex(cost[:columns], a, c, basic, 1000+20*columns)
	if err != nil {
		return nil, err
	}
	if maximum <= separationZero/10 {
		return nil, nil
	}
	// delta are the prices of the rows at the vertex, B'delta = cost of B.
	b, price := mat.NewDense(k, k, nil), mat.NewVecDense(k, nil)
	found := 0
	for col, v := range x {
		if v > 0 {
			if found == k {
				return nil, errDegenerate
			}
			b.SetRow(found, mat.Col(nil, col, a))
			price.SetVec(found, cost[col])
			found++
		}
	}
	if found < k {
		return nil, errDegenerate
	}
	var delta mat.VecDense
	if err := delta.SolveVec(b, price); err != nil {
		return nil, err
	}
	return delta.RawVector().Data, nil
}

var (
	errDegenerate = errors.New("the vertex is degenerate")
	errCycle      = errors.New("the simplex method goes in circles")
)

// simplex is lp.Simplex with a cap on its steps, which it has not itself: rounding
// can make it go in circles. Every step asks for a column of a.
func simplex(cost []float64, a *mat.Dense, c []float64, basic []int, steps int) (maximum float64, x []float64, err error) {
	k, columns := a.Dims()
	defer func() {
		if r := recover(); r == errCycle {
			err = errCycle
		} else if r != nil {
			panic(r)
		}
	}()
	return lp.Simplex(cost, &cappedMatrix{a, k * (steps + 4*columns)}, c, separationZero/10, basic)
}

// cappedMatrix panics with errCycle when more than left elements are asked for.
type cappedMatrix struct {
	mat.Matrix
	left int
}

func (m *cappedMatrix) At(i, j int) float64 {
	if m.left--; m.left < 0 {
		panic(errCycle)
	}
	return m.Matrix.At(i, j)
}
