package descent

import (
	"cmp"
	"math"
	"slices"
)

// Path solves for one elastic net after another on the same data, each starting from the
// solution of the one before; the first starts from zero. Weights are known by their
// numbers, and the penalties of a path have the same blocks.
type Path interface {
	// Solve solves for a penalty, which is an *Elastic for a Solver, and for a Proximal
	// any other as well.
	Solve(pen Penalty, tol Tolerance) Certificate
	// Active returns the weights that are not zero, by number in ascending order, and
	// their values.
	Active() (set []int, w []float64)
	// Descent returns minus the derivatives of the deviance by all weights.
	Descent() []float64
	// Null returns the deviance at zero, |y|^2 of squares.
	Null() float64
	// Intercepts returns that of every linear predictor, for centered columns.
	Intercepts() []float64
}

// Tolerance says when to stop.
type Tolerance struct {
	Gap    float64 // duality gap relative to |y|^2
	Sweeps int     // at most
}

// Certificate says how good a solution is.
type Certificate struct {
	RSS       float64 // |y - Xw|^2
	Objective float64 // P(w)
	Gap       float64 // P(w) less a lower bound of its minimum; not relative
	// KKT is the largest violation of the optimality conditions, relative to
	// |x_j||y|: of x_j'r - L2_j w_j = L1_j/2 sign(w_j), or |x_j'r| <= L1_j/2 if
	// w_j = 0, with r = y - Xw.
	KKT    float64
	DoF    float64 // of X_A (X_A'X_A + L2)^-1 X_A' for the active columns A
	Sweeps int     // of coordinate descent over the working set
	Done   bool    // the gap was reached
}

// Solver is the Path of squares with penalties of single weights. They are quadratic as they
// are: a Proximal would go over the data twice where a Solver does once, to find out how the
// deviance differs from its quadratic model, and which gradients violate the conditions.
type Solver struct {
	src    Source
	null   float64
	square []float64 // p: |x_j|^2
	w      []float64 // p
	g      []float64 // p: x_j'r, or what Source.Residual says
	limit  []float64 // p: how large |g_j| may be if w_j = 0
	work   *working
	set    []int // columns of weight not zero
	values []float64
}

// New returns a solver that starts from zero.
func New(src Source) *Solver {
	p := src.Terms()
	s := &Solver{
		src: src, null: src.Null(),
		square: make([]float64, p), w: make([]float64, p), g: make([]float64, p), limit: make([]float64, p),
	}
	for j := range s.square {
		s.square[j] = src.Square(j)
	}
	s.work = newWorking(src, p, s.null)
	src.Gradients(nil, nil, s.g)
	return s
}

// Null implements Path.
func (s *Solver) Null() float64 { return s.null }

// Intercepts implements Path: 0, as columns and y are centered.
func (s *Solver) Intercepts() []float64 { return []float64{0} }

// Active implements Path.
func (s *Solver) Active() (set []int, w []float64) { return active(s.w) }

// active returns the weights that are not zero.
func active(all []float64) (set []int, w []float64) {
	for j, v := range all {
		if v != 0 {
			set, w = append(set, j), append(w, v)
		}
	}
	return set, w
}

// Descent implements Path: 2 x_j'(y - Xw).
func (s *Solver) Descent() []float64 {
	set, w := s.Active()
	none, g := slices.Repeat([]float64{-1}, len(s.w)), make([]float64, len(s.w))
	s.src.Residual(set, w, none, g)
	for j := range g {
		g[j] *= 2
	}
	return g
}

// rounding is the size of x_j'r, relative to |x_j| (|y| + sum |x_k w_k|), that
// rounding makes of nothing.
const rounding = 1e-14

// Solve implements Path, for an *Elastic of single weights.
func (s *Solver) Solve(penalty Penalty, tol Tolerance) Certificate {
	pen := penalty.(*Elastic)
	s.enter(pen)
	var cert Certificate
	sweeps := 0
	for round := 0; ; round++ {
		sweeps += s.work.solve(tol.Gap/10*s.null, tol.Sweeps-sweeps)
		s.collect()
		s.measure()
		cert = s.certify(pen)
		cert.Sweeps, cert.Done = sweeps, cert.Gap <= tol.Gap*s.null
		added := s.violators(pen)
		if cert.Done || sweeps >= tol.Sweeps {
			break
		}
		if len(added) == 0 && round > 0 && !s.work.moved {
			break // nothing left to improve in float64
		}
		s.work.add(added, s.g)
	}
	cert.DoF = s.work.dof()
	return cert
}

// enter sets the penalties of the working set, and adds to it the columns without
// a penalty and those that the sequential strong rule keeps: if gradients change
// no faster than penalties, only those with 2|g_j| >= 2 L1_j - (L1_j before) can
// become active. (Tibshirani and others, 2012, Journal of the Royal Statistical
// Society B 74, eq. 7.)
func (s *Solver) enter(pen *Elastic) {
	var add []int
	for j, before := range s.limit {
		now := pen.L1[j] / 2
		s.limit[j] = now
		kept := before > 0 && before <= math.MaxFloat64 && pen.size(j, s.g[j]) > now-strong*(before-now)
		if (kept || pen.Limit(j) == 0) && !s.work.has(j) && s.square[j] > 0 && now <= math.MaxFloat64 {
			add = append(add, j)
		}
	}
	s.src.Exact(add, s.g)
	s.work.penalize(pen)
	s.work.add(add, s.g)
}

// strong is the rate at which gradients are taken to change: 1 is the strong
// rule, and less keeps fewer columns.
const strong = 0.3

// collect takes the weights from the working set.
func (s *Solver) collect() {
	s.set, s.values = s.set[:0], s.values[:0]
	for i, j := range s.work.cols {
		s.w[j] = s.work.v[i]
		if s.w[j] != 0 {
			s.set = append(s.set, j)
			s.values = append(s.values, s.w[j])
		}
	}
}

// measure has the source compute gradients.
func (s *Solver) measure() {
	s.work.rss = s.src.Residual(s.set, s.values, s.limit, s.g)
	s.work.sync(s.g, s.limit)
}

// violators returns columns outside the working set that violate the optimality conditions.
func (s *Solver) violators(pen *Elastic) []int {
	var add []int
	for j := range s.g {
		if pen.size(j, s.g[j]) > s.limit[j] && !s.work.has(j) && s.square[j] > 0 {
			add = append(add, j)
		}
	}
	return worst(add, len(s.set), func(j int) float64 { return pen.size(j, s.g[j]) / s.limit[j] })
}

// worst returns those of the numbers for which by is largest, at most as many as weights are
// active, and 64.
func worst(numbers []int, active int, by func(int) float64) []int {
	most := 64 + active
	if len(numbers) <= most {
		return numbers
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(by(b), by(a)) })
	return numbers[:most]
}
