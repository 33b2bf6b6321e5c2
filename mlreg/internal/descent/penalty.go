package descent

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Penalty is a convex function of weights, a sum over blocks of them, and infinite
// for weights it does not allow. A new penalty is a new Penalty: Proximal does not
// know which one it has.
//
// Arguments w and u are of the weights of a block, in the order of Blocks; u is in the
// units of the penalty's derivatives. slack is how large rounding makes a u that is zero.
type Penalty interface {
	// Blocks returns the weights, by number, that each block has; every weight is in
	// one. The same slices are returned for every penalty of a path.
	Blocks() [][]int
	// Value returns the penalty of a block.
	Value(block int, w []float64) float64
	// Prox replaces w by the v that minimizes |v-w|^2/(2 step) + Value(v).
	Prox(block int, w []float64, step float64)
	// Distance returns how far u is from the subdifferential at w.
	Distance(block int, w, u []float64) float64
	// Conjugate returns max_v (u'v - Value(v)), which may be infinite.
	Conjugate(block int, u []float64, slack float64) float64
	// Size returns the dual norm of u: zero weights are optimal as long as it is at
	// most Limit. It is at most |u|.
	Size(block int, u []float64) float64
	// Limit is infinite for weights that are always zero. Where it is zero, Proximal
	// never leaves the block out.
	Limit(block int) float64
	// Smooth adds the first derivatives at w to grad and the second ones to hess (row
	// by row), as far as weights that are active remain so, and reports whether w is.
	Smooth(block int, w, grad, hess []float64) bool
	// Crossing returns the part t <= 1 of the step d from w up to which Smooth is the
	// same smooth function; at t < 1 weights become zero.
	Crossing(block int, w, d []float64) float64
}

// Elastic is the penalty
//
//	sum_b (L1_b |w_b|_2 + L2_b |w_b|_2^2)
//
// over blocks of weights: the lasso, ridge regression and the elastic net if each
// weight is a block, the group lasso if not. L1 and L2 have a number for each block,
// L2 may be nil for zeros. The weight of a block for which Positive is true is not
// negative; such a block has one weight only. Positive may be nil.
type Elastic struct {
	L1, L2   []float64
	Of       [][]int
	Positive []bool
}

// Blocks implements Penalty.
func (e *Elastic) Blocks() [][]int { return e.Of }

func (e *Elastic) l2(b int) float64 {
	if e.L2 == nil {
		return 0
	}
	return e.L2[b]
}

func (e *Elastic) positive(b int) bool {
	if e.Positive == nil || !e.Positive[b] {
		return false
	}
	if len(e.Of[b]) > 1 {
		panic(fmt.Sprintf("descent: block %d has several weights that are not negative", b))
	}
	return true
}

// size is Size of a single weight.
func (e *Elastic) size(b int, u float64) float64 {
	if e.positive(b) {
		return math.Max(u, 0)
	}
	return math.Abs(u)
}

// length returns |v|.
func length(v []float64) float64 {
	if len(v) == 1 {
		return math.Abs(v[0])
	}
	return math.Sqrt(gram.Dot(v, v))
}

// Value implements Penalty.
func (e *Elastic) Value(b int, w []float64) float64 {
	if e.positive(b) && w[0] < 0 {
		return math.Inf(1)
	}
	size := length(w)
	if size == 0 {
		return 0
	}
	return e.L1[b]*size + e.l2(b)*size*size
}

// Prox implements Penalty: shrinkage of the length.
func (e *Elastic) Prox(b int, w []float64, step float64) {
	size := e.Size(b, w)
	f := 0.0
	if left := size - step*e.L1[b]; left > 0 {
		f = left / size / (1 + 2*step*e.l2(b))
	}
	for i := range w {
		w[i] *= f
	}
}

// Size implements Penalty: the length, that of the positive part if w is not negative.
func (e *Elastic) Size(b int, u []float64) float64 {
	if e.positive(b) {
		return math.Max(u[0], 0)
	}
	return length(u)
}

// Limit implements Penalty.
func (e *Elastic) Limit(b int) float64 {
	if e.L1[b] == 0 && e.positive(b) {
		return math.SmallestNonzeroFloat64 // not always active
	}
	return e.L1[b]
}

// Distance implements Penalty.
func (e *Elastic) Distance(b int, w, u []float64) float64 {
	size := length(w)
	if size == 0 {
		return math.Max(e.Size(b, u)-e.L1[b], 0)
	}
	var sum float64
	for i, v := range w {
		d := u[i] - v*(e.L1[b]/size+2*e.l2(b))
		sum += d * d
	}
	return math.Sqrt(sum)
}

// Conjugate implements Penalty: (|u| - L1)_+^2 / (4 L2).
func (e *Elastic) Conjugate(b int, u []float64, slack float64) float64 {
	excess := e.Size(b, u) - e.L1[b] - slack
	switch l2 := e.l2(b); {
	case excess <= 0:
		return 0
	case l2 > 0:
		return excess * excess / (4 * l2)
	}
	return math.Inf(1)
}

// Smooth implements Penalty.
func (e *Elastic) Smooth(b int, w, grad, hess []float64) bool {
	size, k := length(w), len(w)
	l1, l2 := e.L1[b], e.l2(b)
	if size == 0 && (l1 > 0 || e.positive(b)) {
		return false
	}
	if size > 0 {
		l1 /= size
	}
	for i, v := range w {
		grad[i] += (l1 + 2*l2) * v
		hess[i*k+i] += 2 * l2
		if k == 1 || l1 == 0 {
			continue
		}
		hess[i*k+i] += l1
		for c := range w {
			hess[i*k+c] -= l1 * (v / size) * (w[c] / size)
		}
	}
	return true
}

// Crossing implements Penalty: where the sign of a single weight changes.
func (e *Elastic) Crossing(b int, w, d []float64) float64 {
	if len(w) > 1 || e.L1[b] == 0 && !e.positive(b) || w[0]*(w[0]+d[0]) > 0 || d[0] == 0 {
		return 1
	}
	return -w[0] / d[0]
}
