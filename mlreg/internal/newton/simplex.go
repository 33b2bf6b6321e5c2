package newton

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

const (
	separationZero = 1e-9 // what counts as zero, of values of size 1
	separationRows = 2000 // rows that a linear program starts with
)

// separator looks for a direction delta with z_r'delta >= 0 for rows z_r, and not
// always zero.
type separator struct {
	fill   func(z []float64, r int) // writes row r, with typical values of 1, over zeros
	left   []int                    // rows not yet separated strictly
	margin []float64                // of all rows: z_r'delta
	delta  []float64                // the sum of the directions found
}

// separate returns nil if there is no direction.
func separate(rows, dim int, fill func(z []float64, r int)) (*Separation, error) {
	s := &separator{fill: fill, left: gram.NumbersTo(rows), margin: make([]float64, rows), delta: make([]float64, dim)}
	for len(s.left) > 0 {
		delta, err := s.direction()
		if err != nil {
			return nil, err
		}
		if delta == nil || !s.take(delta) {
			break
		}
	}
	if len(s.left) == rows {
		return nil, nil
	}
	return &Separation{Rows: rows - len(s.left), Of: rows, Moves: s.delta, left: s.left}, nil
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
		blas64.Scal(1/largest, gram.Vector(z))
	}
}

// values returns z_i'delta of the given rows.
func (s *separator) values(rows []int, delta []float64) []float64 {
	v := make([]float64, len(rows))
	gram.EachChunk(len(rows), func() func(chunk, start, end int) {
		z := make([]float64, len(delta))
		return func(_, start, end int) {
			for r := start; r < end; r++ {
				s.row(z, rows[r])
				v[r] = blas64.Dot(gram.Vector(z), gram.Vector(delta))
			}
		}
	})
	return v
}

// take adds a direction to the sum, by so much that no row gets to the wrong
// side, and takes the rows that it separates strictly from those left. It
// reports whether there are any.
func (s *separator) take(delta []float64) bool {
	values := s.values(gram.NumbersTo(len(s.margin)), delta)
	step := 1.0
	for i, v := range values {
		if s.margin[i] > 0 && v < 0 {
			step = math.Min(step, s.margin[i]/(-2*v))
		}
	}
	blas64.Axpy(step, gram.Vector(delta), gram.Vector(s.delta))
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
	return nil, fmt.Errorf("%w: %v", ErrUndecided, failure)
}

// objective returns c = sum_i c_i z_i over the rows left, for random c_i in
// [1, 2), scaled to a largest element of 1. A little of it is not of the rows, so
// that no vertex of the program is degenerate.
func (s *separator) objective(seed uint64) []float64 {
	rnd := rand.New(rand.NewPCG(seed, 89))
	c, z := make([]float64, len(s.delta)), make([]float64, len(s.delta))
	for _, i := range s.left {
		s.row(z, i)
		blas64.Axpy(1+rnd.Float64(), gram.Vector(z), gram.Vector(c))
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

// program maximizes c'delta subject to z_i'delta >= 0 for the active rows and
// |delta_j| <= 1, by its dual in standard form,
//
//	minimize sum_j (p_j + q_j)  subject to  p - q - sum_i u_i z_i = c,
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
		if blas64.Asum(gram.Vector(z)) == 0 {
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
	// ErrUndecided says that rounding keeps linear programming from an answer.
	ErrUndecided  = errors.New("linear programming cannot decide whether the classes are separated")
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
