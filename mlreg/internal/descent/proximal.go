package descent

import (
	"math"
	"slices"
)

// Proximal minimizes the deviance of a Model plus a Penalty, for one penalty after
// another, each starting from the solution of the one before. It knows both by their
// interfaces only. For the squares of a lasso a Solver is faster, since there it is
// linear systems that have to be solved, and for a loss of one linear predictor a
// Curved.
//
// On a working set of blocks, steps of Newton's method for the deviance alternate
// with a search for the minimum of the quadratic model that they make: proximal
// steps block by block find which weights are zero, and Newton's steps on the others
// their values (Lee, Sun and Saunders, 2014, SIAM Journal on Optimization 24,
// 1420-1443). Blocks that violate the optimality conditions join the working set.
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
	k      quadratics
}

// NewProximal returns a solver that starts from zero, for penalties with these blocks.
func NewProximal(model Model, blocks [][]int) *Proximal {
	p := model.Weights()
	s := &Proximal{
		model: model, blocks: blocks, w: make([]float64, p), u: make([]float64, p), limit: make([]float64, p),
		most: make([]float64, len(blocks)), size: make([]float64, len(blocks)),
	}
	s.null, s.residual = model.Null()
	s.deviance = s.null
	for b, of := range blocks {
		for _, c := range of {
			s.size[b] = math.Hypot(s.size[b], model.Length(c))
		}
	}
	s.k = quadratics{model: model, blocks: blocks, at: make([]int, len(blocks)), null: s.null}
	s.measure(make([]float64, p))
	return s
}

// Null returns the deviance at zero.
func (s *Proximal) Null() float64 { return s.null }

// Active returns the weights that are not zero, by number, and their values.
func (s *Proximal) Active() (set []int, w []float64) {
	for c, v := range s.w {
		if v != 0 {
			set, w = append(set, c), append(w, v)
		}
	}
	return set, w
}

// Intercepts returns the intercepts.
func (s *Proximal) Intercepts() []float64 { return s.model.Intercepts() }

// Descent returns minus the derivatives of the deviance by all weights.
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

// Solve solves a problem.
func (s *Proximal) Solve(pen Penalty, tol Tolerance) Certificate {
	s.enter(pen)
	var cert Certificate
	sweeps, stalled := 0, 0
	best := math.Inf(1) // gap on the working set
	fine := tol.Gap / 10 * s.null
	for sweeps < tol.Sweeps {
		before := slices.Clone(s.k.v)
		sweeps += max(1, s.k.minimize(pen, fine, min(tol.Sweeps-sweeps, 100)))
		progress := s.advance(pen, before)
		cert = s.certify(pen, s.k.in)
		if gap := cert.Gap; progress && gap > tol.Gap/2*s.null && gap < best {
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
	cert.DoF = s.k.dof(pen)
	return cert
}

// check certifies the weights with all gradients.
func (s *Proximal) check(pen Penalty, tol Tolerance) Certificate {
	s.measure(s.limit)
	all := make([]int, len(s.blocks))
	for b := range all {
		all[b] = b
	}
	cert := s.certify(pen, all)
	cert.Done = cert.Gap <= tol.Gap*s.null
	return cert
}

// measure has the model compute derivatives.
func (s *Proximal) measure(limit []float64) { s.model.Descent(s.set, limit, s.u) }

// enter takes a penalty, and adds to the working set the blocks that the sequential
// strong rule keeps, and those that are never left out; see Solver.enter.
func (s *Proximal) enter(pen Penalty) {
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
	s.model.Exact(s.k.cols, s.u)
	s.k.take(s.u)
}

// violators returns blocks outside the working set that violate the optimality
// conditions, at most as many as weights are active, and 64, the worst first.
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
	if most := 64 + len(s.set); len(add) > most {
		slices.SortStableFunc(add, func(a, b int) int {
			switch {
			case ratio[a] > ratio[b]:
				return -1
			case ratio[a] < ratio[b]:
				return 1
			}
			return 0
		})
		add = add[:most]
	}
	return add
}

// advance goes from the weights before to those of the working set, or less far if
// the objective does not fall. It reports whether it fell by more than rounding.
func (s *Proximal) advance(pen Penalty, before []float64) bool {
	from := s.deviance + s.k.value(pen, before)
	target := slices.Clone(s.k.v)
	noise := 1e-14 * (math.Abs(from) + s.null)
	progress, moved := false, false
	for t := 1.0; t > 1e-6 && !moved; t /= 2 {
		for i, v := range before {
			s.k.v[i] = v + t*(target[i]-v)
			if t == 1 {
				s.k.v[i] = target[i]
			}
		}
		s.move()
		to := s.deviance + s.k.value(pen, s.k.v)
		moved, progress = to <= from+noise, to < from-noise
		if moved && t < 1 {
			s.k.renew(false) // the second derivatives mislead
		}
	}
	if !moved {
		copy(s.k.v, before)
		s.move()
		s.k.renew(false)
	}
	s.model.Exact(s.k.cols, s.u)
	s.k.take(s.u)
	return progress
}

// move takes the weights from the working set and goes there.
func (s *Proximal) move() {
	s.set, s.values = s.set[:0], s.values[:0]
	for i, c := range s.k.cols {
		s.w[c] = s.k.v[i]
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
	for _, b := range blocks {
		w, u := s.of(b, s.w, nil), s.of(b, s.u, nil)
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
			ratio := (limit + slack) / size
			scale = math.Min(scale, ratio)
			if math.IsInf(pen.Conjugate(b, u, slack), 1) {
				one = math.Min(one, ratio)
			}
		}
		t := gapTerm{block: b, u: u, slack: slack, value: pen.Value(b, w)}
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
		gap += t.value - t.wu + pen.Conjugate(t.block, u, t.slack*(1+1e-6))
	}
	return math.Max(gap+s.model.Shrink(scale, wu), 0)
}
