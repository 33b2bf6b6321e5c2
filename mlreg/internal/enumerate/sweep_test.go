package enumerate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// withCopies is a problem in which each of the last rows is a copy of the one so many
// before it.
func withCopies(p *Problem, copies, apart int) *Problem {
	q := *p
	q.M = slices.Clone(p.M)
	at := func(i, j int) float64 { return p.M[Tri(max(i, j))+min(i, j)] }
	from := func(i int) int {
		if i > p.D-copies {
			return i - apart
		}
		return i
	}
	for i := range p.D + 1 {
		for j := range i + 1 {
			q.M[Tri(i)+j] = at(from(i), from(j))
		}
	}
	return &q
}

// choose returns k different rows of d in no order.
func choose(r *rand.Rand, d, k int) []int {
	rows := r.Perm(d)[:k]
	for i := range rows {
		rows[i]++
	}
	return rows
}

// Rows that are flipped together, and the weight that this would give, are what they are
// one by one: in blocks and without, with rows that are combinations of others and in a
// subset that has some of them already.
func TestFlipAll(t *testing.T) {
	for _, c := range []struct {
		what string
		p    *Problem
		tol  float64
	}{
		{"few rows", random(1, 60, 12, "power"), 1e-9},
		{"copies", withCopies(random(2, 60, 12, "power"), 3, 5), 1e-9},
		{"slab", random(3, 60, 12, "slab"), 1e-9},
		{"many rows", random(4, 400, 120, "power"), 1e-8},
		{"many rows in a slab", random(5, 400, 120, "slab"), 1e-8},
		{"many rows, copies", withCopies(random(6, 400, 120, "power"), 10, 40), 1e-8},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			together := NewSweeper(c.p)
			alike := 0
			for range 60 {
				rows := choose(r, c.p.D, 1+r.IntN(min(c.p.D, 60)))
				if r.IntN(2) == 0 { // all in, or all out
					rows = slices.DeleteFunc(rows, func(j int) bool { return together.In(j) != together.In(rows[0]) })
				}
				one := NewSweeper(c.p) // begun anew
				for j := 1; j <= c.p.D; j++ {
					if together.In(j) != slices.Contains(rows, j) {
						one.Flip(j)
					}
				}
				near(t, "L of the subset to come", together.Log2FlippedAll(rows), one.Log2(), c.tol)
				if len(rows) == 1 {
					near(t, "Log2Flipped", together.Log2Flipped(rows[0]), one.Log2(), c.tol)
				}
				together.FlipAll(rows)
				if together.Size() != one.Size() || len(together.Idle()) != len(one.Idle()) {
					t.Fatalf("%d rows, %d idle; want %d, %d", together.Size(), len(together.Idle()), one.Size(), len(one.Idle()))
				}
				near(t, "L", together.Log2(), one.Log2(), c.tol)
				near(t, "determinant", together.Log2Det(), one.Log2Det(), c.tol)
				if !slices.Equal(together.Idle(), one.Idle()) {
					continue // which of two copies is idle depends on the way
				}
				alike++
				for i := range c.p.D + 1 {
					for j := range c.p.D + 1 {
						got, want := together.At(i, j), one.At(i, j)
						if scale := math.Sqrt(math.Abs(one.At(i, i)*one.At(j, j))) + 1e-6; !(math.Abs(got-want) <= c.tol*scale) {
							t.Fatalf("element (%d, %d) is %v, want %v", i, j, got, want)
						}
					}
				}
			}
			if alike == 0 {
				t.Error("no matrix was compared")
			}
		})
	}
}

// AddTo adds the coefficients of a subset and their products, less their covariances.
func TestAddTo(t *testing.T) {
	p := random(3, 30, 5, "rate")
	s := NewSweeper(p)
	s.Flip(2)
	s.Flip(4)
	sums := &Sums{Mean: make([]float64, 5), Second: make([]float64, Tri(5))}
	s.AddTo(sums)
	v := p.VarConst + p.VarSlope[2]*s.At(0, 0)
	near(t, "V", sums.V, v, 1e-14)
	for i := range 5 {
		b, in := s.At(i+1, 0), i%2 == 1 && i < 4
		if !in {
			b = 0
		}
		near(t, "mean", sums.Mean[i], b, 1e-14)
	}
	near(t, "second", sums.Second[Tri(3)+1], s.At(4, 0)*s.At(2, 0)-v*s.At(4, 2), 1e-14)
}
