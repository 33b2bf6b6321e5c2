package descent

import "math"

// singles are the subproblem of an elastic net of single weights: a Solver's working set
// with half the second derivatives for cross-products. Coordinate descent finds which
// weights are zero, and Newton's steps with a factor that is updated the values of the others.
type singles struct {
	*working
	model Model
}

// halves are half the second derivatives of a Model.
type halves struct{ Model }

// Cross implements crossProducts.
func (h halves) Cross(rows, cols []int, dst []float64, stride int) {
	h.Model.Cross(rows, cols, dst, stride)
	scale(0.5, dst, len(rows), len(cols), stride)
}

func newSingles(model Model, null float64) *singles {
	return &singles{newWorking(halves{model}, model.Weights(), null), model}
}

func (k *singles) members() []int { return k.cols }

func (k *singles) weights() (cols []int, v []float64) { return k.cols, k.v }

func (k *singles) penalize(pen Penalty) { k.working.penalize(pen.(*Elastic)) }

func (k *singles) add(cols []int) { k.working.add(cols, make([]float64, len(k.at))) }

func (k *singles) take(u []float64, deviance float64) {
	for i, j := range k.cols {
		k.q[i] = u[j] / 2
	}
	k.rss = deviance
}

func (k *singles) minimize(fine float64, most int) (sweeps int) { return k.solve(fine, most) }

func (k *singles) renew(bound bool) {
	if !k.model.Renew(bound) {
		return
	}
	k.forget()
	if len(k.cols) == 0 {
		return
	}
	k.src.Cross(k.cols, k.cols, k.gram, k.stride)
	for i := range k.cols {
		k.square[i] = k.gram[i*k.stride+i]
	}
}

// gap tries one multiple of the residuals only, that for which the conjugates of columns
// without an L2 penalty are finite, and takes of a column without any penalty what a step
// would gain.
func (k *singles) gap(*Proximal) float64 {
	scale := 1.0
	var gap, wq float64
	for i, v := range k.v {
		q := k.q[i]
		if k.positive[i] {
			q = math.Max(q, 0)
		}
		q = math.Abs(q)
		limit, l2 := k.limit[i], k.l2[i]
		if q > limit {
			if l2 > 0 {
				gap += (q - limit) * (q - limit) / l2
			} else if limit > 0 {
				scale = math.Min(scale, limit/q)
			}
		}
		gap += 2*limit*math.Abs(v) + v*(l2*v-2*k.q[i])
		wq += v * k.q[i]
		if limit == 0 && l2 == 0 && k.square[i] > 0 {
			gap += q * q / k.square[i]
		}
	}
	return math.Max(gap+k.model.Shrink(scale, 2*wq), 0)
}

func (k *singles) dof() float64 {
	if k.pen.L2 != nil {
		k.renew(false) // the trace is that of this point's curvatures
	}
	return k.working.dof()
}
