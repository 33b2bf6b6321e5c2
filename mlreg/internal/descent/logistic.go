package descent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// LogisticData are the data of a logistic regression: columns, centred if there
// is an intercept, and their Y of 0 and 1; weights of rows and offsets of the
// linear predictor, nil for ones and zeros.
type LogisticData struct {
	*Columns
	Weights, Offset []float64
	Intercept       bool
}

// Logistic minimises
//
//	P(b_0, w) = 2 sum_i v_i log(1 + exp(-s_i eta_i)) + sum_j (L1_j |w_j| + L2_j w_j^2),
//
// eta_i = offset_i + b_0 + x_i'w, s_i = 2 y_i - 1, v_i the weights: the deviance
// in place of a Solver's residual sum of squares. Each step is a Solver's on the
// quadratic model
//
//	|z - Xw|_C^2,  with curvatures C = diag(v_i p_i (1-p_i)) of some earlier point,
//
// whose cross-products last until they serve no more.
type Logistic struct {
	*Solver
	data  LogisticData
	rows  *Rows  // unweighted columns, with r_i = v_i (y_i - p_i) for the residual
	model *model // columns weighted by curvatures

	b0, deviance   float64
	eta, curvature []float64
	total          float64 // of the weights
	length         float64 // of the residual at the start
	eta0, before   []float64
}

// NewLogistic returns a solver that starts from the intercept alone. The weights
// of the columns for which positive is true are not negative; nil is none.
func NewLogistic(data LogisticData, positive []bool) *Logistic {
	l := &Logistic{
		data: data, rows: NewRows(data.Columns),
		eta: make([]float64, data.n), eta0: make([]float64, data.n), curvature: make([]float64, data.n),
	}
	copy(l.eta, data.Offset)
	l.rows.null = 0 // bounds the squared length of a residual
	for i := range data.n {
		l.total += l.weight(i)
		l.rows.null += square(l.weight(i))
	}
	l.center()
	l.length = math.Sqrt(gram.Dot(l.rows.r, l.rows.r))
	l.model = &model{l: l}
	l.model.reset()
	p := data.p
	l.Solver = &Solver{
		src: l.model, positive: positive, null: l.deviance,
		square: make([]float64, p), w: make([]float64, p), g: make([]float64, p), limit: make([]float64, p),
	}
	l.work = newWorking(l.model)
	l.rows.each(p, func(j int) {
		l.Solver.square[j] = l.rows.Square(j)
		l.g[j] = gram.Dot(data.Column(j), l.rows.r)
	})
	return l
}

// Intercept returns b_0, for centred columns.
func (l *Logistic) Intercept() float64 { return l.b0 }

// Gradient returns x_j'r for every column, half the derivatives of the deviance.
func (l *Logistic) Gradient() []float64 {
	g := make([]float64, l.data.p)
	l.rows.each(l.data.p, func(j int) { g[j] = gram.Dot(l.data.Column(j), l.rows.r) })
	return g
}

func (l *Logistic) weight(i int) float64 {
	if l.data.Weights == nil {
		return 1
	}
	return l.data.Weights[i]
}

// center finds the intercept for which residuals sum to zero, by Newton's method,
// and with it residuals, curvatures and the deviance at eta.
func (l *Logistic) center() {
	for range 100 {
		sum, h := l.residuals()
		if !l.data.Intercept || math.Abs(sum) <= 1e-14*l.total || !(h > 0) {
			return
		}
		step := max(-4, min(sum/h, 4))
		l.b0 += step
		for i := range l.eta {
			l.eta[i] += step
		}
	}
}

// residuals computes residuals, curvatures and the deviance, and returns the sums
// of residuals and of curvatures.
func (l *Logistic) residuals() (sum, h float64) {
	rows := gram.Rows{X: blas64.General{Rows: l.data.n}, Y: l.data.y, Weights: l.data.Weights}
	s := rows.LogisticAt(l.rows.r, l.curvature, l.eta)
	l.deviance = 2 * s.Loss
	return s.Ones, s.Curvature
}

// Solve solves a problem.
func (l *Logistic) Solve(p Problem, tol Tolerance) Certificate {
	l.enter(p)
	var cert Certificate
	sweeps := 0
	best := math.Inf(1) // gap on the working set
	stalled := 0
	for sweeps < tol.Sweeps {
		l.sync()
		l.before = append(l.before[:0], l.work.v...)
		sweeps += max(1, l.work.solve(l.null, tol.Gap/10, min(tol.Sweeps-sweeps, 100)))
		progress := l.advance(p)
		l.sync()
		gap := l.workingGap(p)
		if progress && gap > tol.Gap/2*l.null && gap < best {
			if gap > 0.2*best {
				l.renew()
			}
			best = gap
			continue
		}
		l.measure()
		cert = l.certify(p)
		cert.Done = cert.Gap <= tol.Gap*l.null
		if cert.Done {
			break
		}
		added := l.violators(p)
		if len(added) == 0 {
			if progress {
				stalled = 0
			} else if stalled++; stalled > 3 {
				break // nothing left to improve in float64
			}
			l.renew()
		}
		l.work.add(added, l.Solver, p)
		best = math.Inf(1)
	}
	if !cert.Done {
		l.measure()
		cert = l.certify(p)
		cert.Done = cert.Gap <= tol.Gap*l.null
	}
	cert.Sweeps = sweeps
	if p.L2 != nil {
		l.renew() // the trace is that of this point's curvatures
	}
	cert.DoF = l.dof(p)
	return cert
}

// sync takes the exact gradients of the working set.
func (l *Logistic) sync() {
	l.rows.each(len(l.work.cols), func(i int) { l.work.q[i] = gram.Dot(l.data.Column(l.work.cols[i]), l.rows.r) })
	l.work.rss = l.deviance
}

// advance goes from the weights before to those of the working set, or less far
// if the objective does not fall. It reports whether it fell by more than rounding.
func (l *Logistic) advance(p Problem) bool {
	copy(l.eta0, l.eta)
	b0, from := l.b0, l.objective(l.before)
	target := slices.Clone(l.work.v)
	noise := 1e-14 * (math.Abs(from) + l.null)
	for t := 1.0; t > 1e-6; t /= 2 {
		copy(l.eta, l.eta0)
		l.b0 = b0
		for i, j := range l.work.cols {
			d := t * (target[i] - l.before[i])
			l.work.v[i] = l.before[i] + d
			if t == 1 {
				l.work.v[i] = target[i]
			}
			if d != 0 {
				gram.Axpy(d, l.data.Column(j), l.eta)
			}
		}
		l.center()
		if to := l.objective(l.work.v); to <= from+noise {
			if t < 1 {
				l.renew() // the curvatures mislead
			}
			return to < from-noise
		}
	}
	copy(l.eta, l.eta0)
	l.b0 = b0
	copy(l.work.v, l.before)
	l.center()
	l.renew()
	return false
}

// objective returns P for weights of the working set.
func (l *Logistic) objective(v []float64) float64 {
	sum := l.deviance
	for i, w := range v {
		sum += 2*l.work.limit[i]*math.Abs(w) + l.work.l2[i]*w*w
	}
	return sum
}

// renew takes the curvatures of this point for the model.
func (l *Logistic) renew() {
	l.model.reset()
	k := l.work
	k.f.id, k.f.rows = k.f.id[:0], k.f.rows[:0]
	clear(k.inFactor)
	if len(k.cols) == 0 {
		return
	}
	l.model.Cross(k.cols, k.cols, k.gram, k.stride)
	for i := range k.cols {
		k.square[i] = k.gram[i*k.stride+i]
	}
}

// measure has gradients computed that may exceed their limits.
func (l *Logistic) measure() {
	l.collect()
	l.rows.gradients(l.set, gram.Dot(l.rows.r, l.rows.r), l.limit, l.g)
}

// certify returns the certificate of the weights, given the gradients.
//
// For theta = s r with 0 <= s <= 1 (and sum r = 0 if there is an intercept) and
// u_i = |r_i|/v_i, the probability of the class that row i is not of, Fenchel's
// duality gives
//
//	P/2 - D = -sum_j w_j x_j'r + sum_j (L1_j |w_j| + L2_j w_j^2)/2 + sum_j C_j(s x_j'r)
//	        + sum_i v_i (H(u_i) - H(s u_i)) - (1-s) r'offset,
//
// with the entropy H(u) = -u log u - (1-u) log(1-u), and C_j(c) =
// (|c| - L1_j/2)_+^2/(2 L2_j), or if L2_j = 0, zero for |c| <= L1_j/2 and infinite
// if not. (Kim and others, 2007; Ndiaye and others, 2017, section 4.) As in
// Solver.certify, s = 1 is tried, and the largest s that is feasible for all.
func (l *Logistic) certify(p Problem) Certificate {
	c := Certificate{RSS: l.deviance, Objective: l.deviance}
	for i, j := range l.set {
		w := l.values[i]
		c.Objective += p.L1[j]*math.Abs(w) + p.l2(j)*w*w
	}
	scale, one := 1.0, 1.0
	var infeasible []int
	for j := range l.g {
		size := l.size(j)
		if !(size > l.limit[j]) && l.w[j] == 0 {
			continue
		}
		slack := rounding * l.rows.length[j] * l.length
		if size > l.limit[j]+slack {
			ratio := (l.limit[j] + slack) / size
			scale = math.Min(scale, ratio)
			if p.l2(j) == 0 {
				one = math.Min(one, ratio)
			}
			infeasible = append(infeasible, j)
		}
		if l.rows.length[j] > 0 {
			c.KKT = math.Max(c.KKT, l.violation(p, j)/(l.rows.length[j]*l.length))
		}
	}
	c.Gap = l.gap(p, scale, nil)
	if one > scale {
		c.Gap = math.Min(c.Gap, l.gap(p, one, infeasible))
	}
	return c
}

// gap returns P - 2 D(scale r); the C_j of the given columns may not be zero.
func (l *Logistic) gap(p Problem, scale float64, infeasible []int) float64 {
	var gap float64
	for i, j := range l.set {
		w := l.values[i]
		gap += p.L1[j]*math.Abs(w) + w*(p.l2(j)*w-2*l.g[j])
	}
	for _, j := range infeasible {
		if excess := 2*scale*l.size(j) - p.L1[j]; excess > 0 && p.l2(j) > 0 {
			gap += excess * excess / (4 * p.l2(j))
		}
	}
	return math.Max(gap+2*l.shrink(scale), 0)
}

// shrink returns sum_i v_i (H(u_i) - H(s u_i)) - (1-s) r'offset.
func (l *Logistic) shrink(s float64) float64 {
	if s == 1 {
		return 0
	}
	var sum float64
	for i, r := range l.rows.r {
		w := l.weight(i)
		if w == 0 {
			continue
		}
		u := math.Abs(r) / w
		sum += w * (entropy(u) - entropy(s*u))
		if l.data.Offset != nil {
			sum -= (1 - s) * r * l.data.Offset[i]
		}
	}
	return sum
}

func entropy(u float64) float64 {
	if u <= 0 || u >= 1 {
		return 0
	}
	return -u*math.Log(u) - (1-u)*math.Log1p(-u)
}

// workingGap is the gap of the problem on the working set.
func (l *Logistic) workingGap(p Problem) float64 {
	scale := 1.0
	var gap float64
	for i, v := range l.work.v {
		q := l.work.q[i]
		if l.work.positive[i] {
			q = math.Max(q, 0)
		}
		q = math.Abs(q)
		limit, l2 := l.work.limit[i], l.work.l2[i]
		if q > limit {
			if l2 > 0 {
				gap += (q - limit) * (q - limit) / l2
			} else if limit > 0 {
				scale = math.Min(scale, limit/q)
			}
		}
		gap += 2*limit*math.Abs(v) + v*(l2*v-2*l.work.q[i])
		if limit == 0 && l2 == 0 && l.work.square[i] > 0 {
			gap += q * q / l.work.square[i] // a column without a penalty: what a step would gain
		}
	}
	return math.Max(gap+2*l.shrink(scale), 0)
}

// model is the Source of the quadratic model: cross-products of columns weighted
// by curvatures, and centred by them if there is an intercept.
type model struct {
	l     *Logistic
	root  []float64 // of the curvatures
	h     float64   // their sum
	cache map[int][]float64
	free  [][]float64
}

// reset takes the curvatures of now.
func (m *model) reset() {
	if m.root == nil {
		m.root = make([]float64, m.l.data.n)
	}
	m.h = 0
	var largest float64
	for _, c := range m.l.curvature {
		largest = math.Max(largest, c)
	}
	for i, c := range m.l.curvature {
		c = math.Max(c, 1e-6*largest) // so that no row is beyond recall
		if m.l.weight(i) == 0 {
			c = 0
		}
		m.root[i] = math.Sqrt(c)
		m.h += c
	}
	for _, col := range m.cache {
		m.free = append(m.free, col)
	}
	m.cache = make(map[int][]float64)
}

// column returns column j weighted and centred.
func (m *model) column(j int) []float64 {
	if col, ok := m.cache[j]; ok {
		return col
	}
	var col []float64
	if k := len(m.free); k > 0 {
		col, m.free = m.free[k-1], m.free[:k-1]
	} else {
		col = make([]float64, m.l.data.n)
	}
	x := m.l.data.Column(j)
	var mean float64
	for i, root := range m.root {
		col[i] = root * x[i]
		mean += root * col[i]
	}
	if m.l.data.Intercept {
		gram.Axpy(-mean/m.h, m.root, col)
	}
	m.cache[j] = col
	return col
}

// Terms implements Source.
func (m *model) Terms() int { return m.l.data.p }

// Null implements Source.
func (m *model) Null() float64 { return m.l.null }

// Square implements Source: it is zero if the column does not vary.
func (m *model) Square(j int) float64 { return square(m.l.rows.length[j]) }

func square(x float64) float64 { return x * x }

// Cross implements Source.
func (m *model) Cross(rows, cols []int, dst []float64, stride int) {
	a, b := make([][]float64, len(rows)), make([][]float64, len(cols))
	for r, j := range rows {
		a[r] = m.column(j)
	}
	for c, j := range cols {
		b[c] = m.column(j)
	}
	cross(m.l.rows, a, b, dst, stride)
}

// cross writes a_r'b_c to dst[r*stride+c].
func cross(s *Rows, a, b [][]float64, dst []float64, stride int) {
	four, two := len(a)&^3, len(b)&^1
	s.each(four/4*(two/2), func(t int) {
		r, c := t%(four/4)*4, t/(four/4)*2
		var sums [8]float64
		gram.Dots4x2((*[4][]float64)(a[r:r+4]), b[c], b[c+1], &sums)
		for i := range 4 {
			dst[(r+i)*stride+c], dst[(r+i)*stride+c+1] = sums[2*i], sums[2*i+1]
		}
	})
	for r := range a {
		from := two
		if r >= four {
			from = 0
		}
		for c := from; c < len(b); c++ {
			dst[r*stride+c] = gram.Dot(a[r], b[c])
		}
	}
}

// Residual implements Source, and is not called: residuals are not linear.
func (m *model) Residual([]int, []float64, []float64, []float64) float64 {
	panic("descent: a logistic model has no residual")
}

// Exact implements Source, for the residuals of now.
func (m *model) Exact(set []int, g []float64) { m.l.rows.Exact(set, g) }

// Gradients implements Source, and is not called.
func (m *model) Gradients([]int, []float64, []float64) {
	panic("descent: a logistic model has no gradients of its own")
}
