package subsets

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/enumerate"
)

// Change returns by how much the residual sum of squares At(0, 0) of the subset
// that s holds changes if row j is taken out, or in. It is NaN for a row that is
// a combination of those in the subset: one outside whose pivot is at or below
// tol, or an idle one inside.
func Change(s *enumerate.Sweeper, j int, tol float64) float64 {
	pivot := s.At(j, j)
	if s.In(j) && pivot >= 0 || !s.In(j) && pivot <= tol {
		return math.NaN()
	}
	return -s.At(0, j) * s.At(0, j) / pivot
}

// tableau is a subset of independent terms.
type tableau struct {
	*enumerate.Sweeper
	p   *Problem
	set uint64
}

// safePivot is the pivot at or below which tableaux leave a term out, that a
// rounded zero may not pass for a pivot. The tree takes them all.
const safePivot = 1e-9

// newTableau returns the empty subset.
func newTableau(p *Problem) *tableau {
	return &tableau{p: p, Sweeper: enumerate.NewSweeper(&enumerate.Problem{
		D: p.D, M: p.M, Tol: p.Tol, Size: make([]float64, p.D+1), // sizes are not scored
	})}
}

func (t *tableau) flip(j int) {
	t.Flip(j)
	t.set ^= bit(j)
}

// exchange is Change of term i going out and term j coming in.
func (t *tableau) exchange(i, j int) float64 {
	ii, ij, jj := t.At(i, i), t.At(i, j), t.At(j, j)
	if ii >= 0 || jj-ij*ij/ii <= safePivot { // the pivot of j once i is out
		return math.NaN()
	}
	bi, bj := t.At(0, i), t.At(0, j)
	return (bi*(2*bj*ij-bi*jj) - bj*bj*ii) / (ii*jj - ij*ij)
}

// best returns the term, in the subset or out of it, whose flip leaves the
// least Q; 0 if there is none.
func (t *tableau) best(in bool) int {
	at, least := 0, math.Inf(1)
	for j := 1; j <= t.p.D; j++ {
		if t.In(j) == in {
			if c := Change(t.Sweeper, j, safePivot); c < least {
				at, least = j, c
			}
		}
	}
	return at
}

// polish exchanges a term for another as long as that lowers Q, and offers
// every model it looks at.
func (t *tableau) polish(r *ranking) {
	r.offer(t.set, t.At(0, 0))
	for range 4 * t.p.D {
		out, in, least := 0, 0, -1e-9*t.At(0, 0)-Floor
		for i := 1; i <= t.p.D; i++ {
			for j := 1; j <= t.p.D && t.In(i); j++ {
				if t.In(j) {
					continue
				}
				c := t.exchange(i, j)
				if math.IsNaN(c) {
					continue
				}
				r.offer(t.set&^bit(i)|bit(j), t.At(0, 0)+c)
				if c < least {
					out, in, least = i, j, c
				}
			}
		}
		if out == 0 {
			return
		}
		t.flip(out)
		t.flip(in)
	}
}

// search looks for good models of every size: forward and then backward, one
// term at a time, polished at every size.
func (r *ranking) search() {
	t := newTableau(r.p)
	r.offer(0, t.At(0, 0))
	for _, in := range []bool{false, true} {
		for j := t.best(in); j > 0; j = t.best(in) {
			t.flip(j)
			t.polish(r)
		}
	}
}

// preferFirst exchanges terms of the models for earlier ones that are as good, so
// that of terms that are the same the first is taken.
func (r *ranking) preferFirst() {
	t := newTableau(r.p)
	for _, list := range r.best {
		for x := range list {
			m := &list[x]
			t.to(m.Set)
			same := Floor + ties*m.Q
			for j := 1; j <= r.p.D; j++ {
				for i := r.p.D; i > j && !t.In(j); i-- {
					if t.In(i) && math.Abs(t.exchange(i, j)) <= same {
						t.flip(i)
						t.flip(j)
					}
				}
			}
			m.Set = t.set
		}
	}
}

// to changes to another subset.
func (t *tableau) to(set uint64) {
	for _, in := range []bool{true, false} { // terms out first
		for j := 1; j <= t.p.D; j++ {
			if t.In(j) == in && t.In(j) != (set&bit(j) != 0) {
				t.flip(j)
			}
		}
	}
}
