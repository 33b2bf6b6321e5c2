package descent

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Proximal minimizes the deviance of a Model plus a Penalty, for one penalty after
// another, each starting from the solution of the one before. It knows both by their
// interfaces only.
//
// On a working set of blocks, steps of Newton's method for the deviance alternate
// with a search for the minimum of the quadratic model that they make (Lee, Sun and
// Saunders, 2014, SIAM Journal on Optimization 24, 1420-1443), which is that of a
// subproblem. Blocks that violate the optimality conditions join the working set.
type Proximal struct {
	model    Model
	blocks   [][]int
	null     float64 // deviance
	residual float64 // its length, of the null model
	deviance float64

	w, u, limit []float64 // of every weight; see Model.Descent
	most        []float64 // of every block: the penalty's Limit
	size        []float64 // and the length of its columns

	set    []int // weights that are not zero
	values []float64
	all    []int // the blocks
	k      subproblem
}

// subproblem is the quadratic model of a deviance, with a penalty, on a working set of
// blocks, in which everything is known from second derivatives.
type subproblem interface {
	has(block int) bool
	members() []int                        // the blocks in the set
	weights() (numbers []int, v []float64) // of the set, block by block; v may be changed
	penalize(pen Penalty)
	add(blocks []int)
	// take takes minus the derivatives of the deviance at v, and the deviance.
	take(u []float64, deviance float64)
	// minimize goes down until a sweep over all blocks gains less than fine, and
	// returns the number of sweeps.
	minimize(fine float64, most int) (sweeps int)
	// gap returns the duality gap on the working set, at weights whose derivatives it
	// took; it may be larger than need be.
	gap(s *Proximal) float64
	// renew takes the second derivatives of the model's point, or their bound.
	renew(bound bool)
	dof() float64
}

// newSubproblem chooses one: that of single weights, if these are those of columns, needs no
// decomposition for every change of the active ones.
func newSubproblem(model Model, pen Penalty, blocks [][]int, null float64) subproblem {
	one := len(model.Intercepts()) == 1 && !slices.ContainsFunc(blocks, func(of []int) bool { return len(of) > 1 })
	if _, elastic := pen.(*Elastic); elastic && one {
		return newSingles(model, null)
	}
	return &quadratics{model: model, blocks: blocks, at: make([]int, len(blocks)), null: null}
}

// NewProximal returns a solver that starts from zero, for penalties with these blocks.
func NewProximal(model Model, blocks [][]int) *Proximal {
	p := model.Weights()
	s := &Proximal{
		model: model, blocks: blocks, w: make([]float64, p), u: make([]float64, p), limit: make([]float64, p),
		most: make([]float64, len(blocks)), size: make([]float64, len(blocks)), all: gram.NumbersTo(len(blocks)),
	}
	s.null, s.residual = model.Null()
	s.deviance = s.null
	for b, of := range blocks {
		for _, c := range of {
			s.size[b] = math.Hypot(s.size[b], model.Length(c))
		}
	}
	s.measure(make([]float64, p))
	return s
}

// Null implements Path.
func (s *Proximal) Null() float64 { return s.null }

// Active implements Path.
func (s *Proximal) Active() (set []int, w []float64) { return active(s.w) }

// Intercepts implements Path.
func (s *Proximal) Intercepts() []float64 { return s.model.Intercepts() }

// Descent implements Path.
func (s *Proximal) Descent() []float64 {
	u, none := make([]float64, len(s.w)), slices.Repeat([]float64{-1}, len(s.w))
	s.model.Descent(s.set, none, u)
	return u
}

// of writes the numbers of a block to dst.
func (s *Proximal) of(b int, all, dst []float64) []float64 {
	dst = dst[:0]
	for _, c := range s.blocks[b] {
		dst = append(dst, all[c])
	}
	return dst
}

// Solve implements Path, for penalties that are all of one type.
func (s *Proximal) Solve(pen Penalty, tol Tolerance) Certificate {
	s.enter(pen)
	var cert Certificate
	sweeps, stalled := 0, 0
	best := math.Inf(1) // gap on the working set
	fine := tol.Gap / 10 * s.null
	for sweeps < tol.Sweeps {
		_, v := s.k.weights()
		before := slices.Clone(v)
		sweeps += max(1, s.k.minimize(fine, min(tol.Sweeps-sweeps, 100)))
		progress := s.advance(pen, before)
		if gap := s.k.gap(s); progress && gap > tol.Gap/2*s.null && gap < best {
			if gap > 0.2*best {
				s.k.renew(false)
			}
			best = gap
			continue
		}
		cert = s.check(pen, tol)
		if cert.Done {
			break
		}
		added := s.violators(pen)
		if len(added) == 0 {
			if progress {
				stalled = 0
			} else if stalled++; stalled > 4 {
				break // nothing left to improve in float64
			}
			fine /= 10
			s.k.renew(stalled == 3)
		}
		s.add(added)
		best = math.Inf(1)
	}
	if !cert.Done {
		cert = s.check(pen, tol)
	}
	cert.Sweeps = sweeps
	cert.DoF = s.k.dof()
	return cert
}

// check certifies the weights with all gradients.
func (s *Proximal) check(pen Penalty, tol Tolerance) Certificate {
	s.measure(s.limit)
	cert := s.certify(pen, s.all)
	cert.Done = cert.Gap <= tol.Gap*s.null
	return cert
}

// measure has the model compute derivatives.
func (s *Proximal) measure(limit []float64) { s.model.Descent(s.set, limit, s.u) }

// enter takes a penalty, and adds to the working set the blocks that the sequential
// strong rule keeps, and those that are never left out; see Solver.enter.
func (s *Proximal) enter(pen Penalty) {
	if s.k == nil {
		s.k = newSubproblem(s.model, pen, s.blocks, s.null)
	}
	s.k.penalize(pen)
	var add []int
	var buf []float64
	for b, before := range s.most {
		now := pen.Limit(b)
		s.most[b] = now
		for _, c := range s.blocks[b] {
			s.limit[c] = now / math.Sqrt(float64(len(s.blocks[b])))
		}
		if s.k.has(b) || s.size[b] == 0 || math.IsInf(now, 1) {
			continue
		}
		buf = s.of(b, s.u, buf)
		kept := before > 0 && !math.IsInf(before, 1) && pen.Size(b, buf) > now-strong*(before-now)
		if kept || now == 0 {
			add = append(add, b)
		}
	}
	s.add(add)
}

// add adds blocks to the working set.
func (s *Proximal) add(blocks []int) {
	s.k.add(blocks)
	s.take()
}

// take has the working set take the derivatives at its weights.
func (s *Proximal) take() {
	cols, _ := s.k.weights()
	s.model.Exact(cols, s.u)
	s.k.take(s.u, s.deviance)
}

// violators returns blocks outside the working set that violate the optimality conditions.
func (s *Proximal) violators(pen Penalty) []int {
	var add []int
	ratio := make(map[int]float64)
	var buf []float64
	for b, limit := range s.most {
		if s.k.has(b) || s.size[b] == 0 {
			continue
		}
		buf = s.of(b, s.u, buf)
		if size := pen.Size(b, buf); size > limit {
			add = append(add, b)
			ratio[b] = size / limit
		}
	}
	return worst(add, len(s.set), func(b int) float64 { return ratio[b] })
}

// advance goes from the weights before to those of the working set, or less far if
// the objective does not fall. It reports whether it fell by more than rounding.
func (s *Proximal) advance(pen Penalty, before []float64) bool {
	_, now := s.k.weights()
	from := s.deviance + s.value(pen, before)
	target := slices.Clone(now)
	noise := 1e-14 * (math.Abs(from) + s.null)
	progress, moved := false, false
	for t := 1.0; t > 1e-6 && !moved; t /= 2 {
		for i, v := range before {
			now[i] = v + t*(target[i]-v)
			if t == 1 {
				now[i] = target[i]
			}
		}
		s.move()
		to := s.deviance + s.value(pen, now)
		moved, progress = to <= from+noise, to < from-noise
		if moved && t < 1 {
			s.k.renew(false) // the second derivatives mislead
		}
	}
	if !moved {
		copy(now, before)
		s.move()
		s.k.renew(false)
	}
	s.take()
	return progress
}

// value returns the penalty of weights v of the working set.
func (s *Proximal) value(pen Penalty, v []float64) float64 {
	var sum float64
	for _, b := range s.k.members() {
		n := len(s.blocks[b])
		sum += pen.Value(b, v[:n])
		v = v[n:]
	}
	return sum
}

// move takes the weights from the working set and goes there.
func (s *Proximal) move() {
	s.set, s.values = s.set[:0], s.values[:0]
	cols, v := s.k.weights()
	for i, c := range cols {
		s.w[c] = v[i]
		if s.w[c] != 0 {
			s.set, s.values = append(s.set, c), append(s.values, s.w[c])
		}
	}
	s.deviance = s.model.Move(s.set, s.values)
}

// certify returns the certificate of the weights, given derivatives, on the problem
// of some blocks. For the conjugates F of the deviance and Omega* of the penalty and
// minus the derivative r of the deviance by the linear predictors, any 0 <= s <= 1
// gives a bound by Fenchel's duality,
//
//	P(w) - D(s r) = sum_b (Omega_b(w_b) - w_b'u_b + Omega*_b(s u_b)) + F(s r) - F(r),
//
// a sum of terms that are not negative. As in Solver.certify two values are tried:
// the largest s for which no u_b exceeds its limit, and the largest for which
// Omega*_b is finite.
func (s *Proximal) certify(pen Penalty, blocks []int) Certificate {
	c := Certificate{RSS: s.deviance, Objective: s.deviance}
	scale, one := 1.0, 1.0
	var count []gapTerm
	var wu float64
	var w, u, kept []float64
	for _, b := range blocks {
		w, u = s.of(b, s.w, w), s.of(b, s.u, u)
		size, limit := pen.Size(b, u), s.most[b]
		active := slices.ContainsFunc(w, func(v float64) bool { return v != 0 })
		if s.size[b] == 0 || !active && !(size > limit) {
			continue
		}
		var slack float64
		for _, k := range s.blocks[b] {
			slack = math.Hypot(slack, s.model.Noise(k))
		}
		if size > limit+slack {
			ratio := (limit + slack) / size * (1 - 1e-15) // feasible whatever rounding does
			scale = math.Min(scale, ratio)
			if math.IsInf(pen.Conjugate(b, u, slack), 1) {
				one = math.Min(one, ratio)
			}
		}
		kept = append(kept, u...)
		t := gapTerm{block: b, u: kept[len(kept)-len(u):], slack: slack, value: pen.Value(b, w)}
		c.Objective += t.value
		for i, v := range w {
			t.wu += v * u[i]
		}
		wu += t.wu
		count = append(count, t)
		c.KKT = math.Max(c.KKT, pen.Distance(b, w, u)/(2*s.size[b]*s.residual))
	}
	c.Gap = s.gap(pen, count, scale, wu)
	if one > scale {
		c.Gap = math.Min(c.Gap, s.gap(pen, count, one, wu))
	}
	return c
}

// gapTerm is a block that has a part in the gap.
type gapTerm struct {
	block            int
	u                []float64
	slack, value, wu float64
}

// gap returns P(w) - D(s r).
func (s *Proximal) gap(pen Penalty, count []gapTerm, scale, wu float64) float64 {
	var gap float64
	var u []float64
	for _, t := range count {
		u = u[:0]
		for _, v := range t.u {
			u = append(u, scale*v)
		}
		gap += t.value - t.wu + pen.Conjugate(t.block, u, t.slack)
	}
	return math.Max(gap+s.model.Shrink(scale, wu), 0)
}
