package descent

import (
	"math"
	"slices"
)

// Problem is a penalty: L1 and L2 have a number for every column, L2 may be nil
// for zeros. A column whose L1 is infinite takes no part; one without any
// penalty always does.
type Problem struct {
	L1, L2 []float64
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

// Solver solves one problem after another on the same data, each starting from
// the solution of the one before.
type Solver struct {
	src      Source
	positive []bool // nil for none
	null     float64
	square   []float64 // p: |x_j|^2
	w        []float64 // p
	g        []float64 // p: x_j'r, or what Source.Residual says
	limit    []float64 // p: how large |g_j| may be if w_j = 0
	work     *working
	set      []int // columns of weight not zero
	values   []float64
}

// New returns a solver that starts from zero. The weights of the columns for
// which positive is true are not negative; nil is none.
func New(src Source, positive []bool) *Solver {
	p := src.Terms()
	s := &Solver{
		src: src, positive: positive, null: src.Null(),
		square: make([]float64, p), w: make([]float64, p), g: make([]float64, p), limit: make([]float64, p),
	}
	for j := range s.square {
		s.square[j] = src.Square(j)
	}
	s.work = newWorking(src)
	src.Gradients(nil, nil, s.g)
	return s
}

// Null returns |y|^2.
func (s *Solver) Null() float64 { return s.null }

// Intercepts returns the intercept, 0: columns and y are centered.
func (s *Solver) Intercepts() []float64 { return []float64{0} }

// Active returns the columns whose weights are not zero, in ascending order, and
// the weights.
func (s *Solver) Active() (set []int, w []float64) {
	for j, v := range s.w {
		if v != 0 {
			set, w = append(set, j), append(w, v)
		}
	}
	return set, w
}

// Gradient returns x_j'(y - Xw) for every column.
func (s *Solver) Gradient() []float64 {
	set, w := s.Active()
	none, g := make([]float64, len(s.w)), make([]float64, len(s.w))
	for j := range none {
		none[j] = -1
	}
	s.src.Residual(set, w, none, g)
	return g
}

// rounding is the size of x_j'r, relative to |x_j| (|y| + sum |x_k w_k|), that
// rounding makes of nothing.
const rounding = 1e-14

// free tells whether column j is without any penalty and constraint.
func (s *Solver) free(p Problem, j int) bool {
	return p.L1[j] == 0 && !s.isPositive(j)
}

func (s *Solver) isPositive(j int) bool { return s.positive != nil && s.positive[j] }

func (p Problem) l2(j int) float64 {
	if p.L2 == nil {
		return 0
	}
	return p.L2[j]
}

// Solve solves a problem.
func (s *Solver) Solve(p Problem, tol Tolerance) Certificate {
	s.enter(p)
	var cert Certificate
	sweeps := 0
	for round := 0; ; round++ {
		sweeps += s.work.solve(s.null, tol.Gap/10, tol.Sweeps-sweeps)
		s.collect()
		s.measure()
		cert = s.certify(p)
		cert.Sweeps, cert.Done = sweeps, cert.Gap <= tol.Gap*s.null
		added := s.violators()
		if cert.Done || sweeps >= tol.Sweeps {
			break
		}
		if len(added) == 0 && round > 0 && !s.work.moved {
			break // nothing left to improve in float64
		}
		s.work.add(added, s, p)
	}
	cert.DoF = s.dof(p)
	return cert
}

// enter sets the penalties of the working set, and adds to it the columns without
// a penalty and those that the sequential strong rule keeps: if gradients change
// no faster than penalties, only those with 2|g_j| >= 2 L1_j - (L1_j before) can
// become active. (Tibshirani and others, 2012, Journal of the Royal Statistical
// Society B 74, eq. 7.)
func (s *Solver) enter(p Problem) {
	var add []int
	for j, before := range s.limit {
		now := p.L1[j] / 2
		s.limit[j] = now
		kept := before > 0 && before <= math.MaxFloat64 && s.size(j) > now-strong*(before-now)
		if (kept || s.free(p, j)) && !s.work.has(j) && s.square[j] > 0 && now <= math.MaxFloat64 {
			add = append(add, j)
		}
	}
	s.src.Exact(add, s.g)
	s.work.penalize(p)
	s.work.add(add, s, p)
}

// strong is the rate at which gradients are taken to change: 1 is the strong
// rule, and less keeps fewer columns.
const strong = 0.3

// size is |g_j|, or max(g_j, 0) for a weight that is not negative.
func (s *Solver) size(j int) float64 {
	if s.isPositive(j) {
		return math.Max(s.g[j], 0)
	}
	return math.Abs(s.g[j])
}

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

// violators returns columns outside the working set that violate the optimality
// conditions, at most as many as are active, and 64, the worst first.
func (s *Solver) violators() []int {
	var add []int
	for j := range s.g {
		if s.size(j) > s.limit[j] && !s.work.has(j) && s.square[j] > 0 {
			add = append(add, j)
		}
	}
	most := 64 + len(s.set)
	if len(add) > most {
		slices.SortStableFunc(add, func(a, b int) int {
			switch x, y := s.size(a)*s.limit[b], s.size(b)*s.limit[a]; {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		add = add[:most]
	}
	return add
}
