package descent

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// CurvedData are the data of a Curved: columns, centered if there is an intercept, a
// loss of one linear predictor, and offsets of that, nil for zeros.
type CurvedData struct {
	*Columns
	Fit       Datafit
	Offset    []float64
	Intercept bool
}

// offsets returns those of every linear predictor.
func (d *CurvedData) offsets() [][]float64 {
	if d.Offset == nil {
		return nil
	}
	return [][]float64{d.Offset}
}

// Curved minimizes
//
//	P(b_0, w) = 2 sum_i loss_i(eta_i) + sum_j (L1_j |w_j| + L2_j w_j^2),
//
// eta_i = offset_i + b_0 + x_i'w: the deviance in place of a Solver's residual sum
// of squares. Each step is a Solver's on the quadratic model
//
//	|z - Xw|_C^2,  with the curvatures C of some earlier point,
//
// whose cross-products last until they serve no more. It knows the Datafit by its
// interface only; for penalties other than this one there is Proximal.
type Curved struct {
	*Solver
	data  CurvedData
	rows  *Rows  // unweighted columns, with minus the derivatives r_i of the losses for the residual
	model *model // columns weighted by curvatures

	at     *predictors
	length float64 // of the residual at the start
	before []float64
}

// NewCurved returns a solver that starts from the intercept alone. The weights
// of the columns for which positive is true are not negative; nil is none.
func NewCurved(data CurvedData, positive []bool) *Curved {
	at := newPredictors(data.Fit, data.n, data.offsets(), data.Intercept)
	l := &Curved{data: data, rows: newRows(data.Columns, at.r[0]), at: at}
	_, l.rows.null = data.Fit.Scale()
	l.rows.null *= l.rows.null
	l.at.center()
	l.length = math.Sqrt(gram.Dot(l.rows.r, l.rows.r))
	l.model = &model{l: l}
	l.model.reset()
	p := data.p
	l.Solver = &Solver{
		src: l.model, positive: positive, null: l.at.deviance(),
		square: make([]float64, p), w: make([]float64, p), g: make([]float64, p), limit: make([]float64, p),
	}
	l.work = newWorking(l.model)
	l.rows.each(p, func(j int) {
		l.Solver.square[j] = l.rows.Square(j)
		l.g[j] = gram.Dot(data.Column(j), l.rows.r)
	})
	return l
}

// Intercepts returns b_0, for centered columns.
func (l *Curved) Intercepts() []float64 { return slices.Clone(l.at.b0) }

// Gradient returns x_j'r for every column, half the derivatives of the deviance.
func (l *Curved) Gradient() []float64 {
	g := make([]float64, l.data.p)
	l.rows.each(l.data.p, func(j int) { g[j] = gram.Dot(l.data.Column(j), l.rows.r) })
	return g
}

// Solve solves a problem.
func (l *Curved) Solve(p Problem, tol Tolerance) Certificate {
	l.enter(p)
	var cert Certificate
	sweeps := 0
	best := math.Inf(1) // gap on the working set
	stalled := 0
	for sweeps < tol.Sweeps {
		l.sync()
		l.before = append(l.before[:0], l.work.v...)
		sweeps += max(1, l.work.solve(l.null, tol.Gap/10, min(tol.Sweeps-sweeps, 100)))
		progress := l.advance()
		l.sync()
		gap := l.workingGap()
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
		added := l.violators()
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
func (l *Curved) sync() {
	l.rows.each(len(l.work.cols), func(i int) { l.work.q[i] = gram.Dot(l.data.Column(l.work.cols[i]), l.rows.r) })
	l.work.rss = l.at.deviance()
}

// advance goes from the weights before to those of the working set, or less far
// if the objective does not fall. It reports whether it fell by more than rounding.
func (l *Curved) advance() bool {
	b0, from := l.at.b0[0], l.objective(l.before)
	target := slices.Clone(l.work.v)
	noise := 1e-14 * (math.Abs(from) + l.null)
	for t := 1.0; t > 1e-6; t /= 2 {
		if t < 1 {
			l.goBack(b0)
		}
		for i, j := range l.work.cols {
			d := t * (target[i] - l.before[i])
			l.work.v[i] = l.before[i] + d
			if t == 1 {
				l.work.v[i] = target[i]
			}
			if d != 0 {
				gram.Axpy(d, l.data.Column(j), l.at.eta[0])
			}
		}
		l.at.center()
		if to := l.objective(l.work.v); to <= from+noise {
			if t < 1 {
				l.renew() // the curvatures mislead
			}
			return to < from-noise
		}
	}
	l.goBack(b0)
	copy(l.work.v, l.before)
	l.at.center()
	l.renew()
	return false
}

// goBack sets the linear predictors to those of an intercept and the weights before. It is
// seldom called, so that they are computed again and not kept.
func (l *Curved) goBack(b0 float64) {
	l.at.b0[0] = b0
	eta := l.at.eta[0]
	for i := range eta {
		eta[i] = b0
	}
	if l.data.Offset != nil {
		gram.Axpy(1, l.data.Offset, eta)
	}
	for i, j := range l.work.cols {
		if w := l.before[i]; w != 0 {
			gram.Axpy(w, l.data.Column(j), eta)
		}
	}
}

// objective returns P for weights of the working set.
func (l *Curved) objective(v []float64) float64 {
	sum := l.at.deviance()
	for i, w := range v {
		sum += 2*l.work.limit[i]*math.Abs(w) + l.work.l2[i]*w*w
	}
	return sum
}

// renew takes the curvatures of this point for the model.
func (l *Curved) renew() {
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
func (l *Curved) measure() {
	l.collect()
	l.rows.gradients(l.set, gram.Dot(l.rows.r, l.rows.r), l.limit, l.g)
}

// certify returns the certificate of the weights, given the gradients.
//
// For theta = s r with 0 <= s <= 1 (and sum r = 0 if there is an intercept)
// Fenchel's duality gives
//
//	P/2 - D = -sum_j w_j x_j'r + sum_j (L1_j |w_j| + L2_j w_j^2)/2 + sum_j C_j(s x_j'r)
//	        + sum_i (F_i(-s r_i) - F_i(-r_i)) - (1-s) r'offset,
//
// with the conjugates F_i of the losses, and C_j(c) = (|c| - L1_j/2)_+^2/(2 L2_j), or
// if L2_j = 0, zero for |c| <= L1_j/2 and infinite if not. (Kim and others, 2007;
// Ndiaye and others, 2017, section 4.) As in Solver.certify, s = 1 is tried, and the
// largest s that is feasible for all.
func (l *Curved) certify(p Problem) Certificate {
	c := Certificate{RSS: l.at.deviance(), Objective: l.at.deviance()}
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
func (l *Curved) gap(p Problem, scale float64, infeasible []int) float64 {
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
	return math.Max(gap+2*l.at.shrink(scale, l.data.offsets()), 0)
}

// workingGap is the gap of the problem on the working set.
func (l *Curved) workingGap() float64 {
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
	return math.Max(gap+2*l.at.shrink(scale, l.data.offsets()), 0)
}

// model is the Source of the quadratic model: cross-products of columns weighted
// by curvatures, and centered by them if there is an intercept.
type model struct {
	l     *Curved
	root  []float64 // of the curvatures, of a part of the rows if there are few columns
	h     float64   // the sum of the curvatures
	least float64   // of them
	means map[int]float64
	all   []float64         // the cross-products if there are few columns, p x p
	cache map[int][]float64 // columns, if there are few rows
	free  [][]float64
}

const (
	// partRows is up to how many rows weighted columns are kept, and how many rows of them
	// there are at a time if there are more.
	partRows = 2048
	// fewColumns of more rows have all their cross-products computed at once, so that no
	// vector of the rows is kept for those to come.
	fewColumns = 8
)

// few tells whether all cross-products are computed at once.
func (m *model) few() bool { return m.l.data.n > partRows && m.l.data.p <= fewColumns }

// reset takes the curvatures of now.
func (m *model) reset() {
	n, p := m.l.data.n, m.l.data.p
	for _, col := range m.cache {
		m.free = append(m.free, col)
	}
	m.cache, m.means = make(map[int][]float64), make(map[int]float64)
	if size := n; m.root == nil {
		if m.few() {
			size = partRows
		}
		m.root = make([]float64, size)
	}
	size := len(m.root)
	m.h, m.least = 0, 0
	var largest float64
	for from := 0; from < n; from += size {
		largest = max(largest, slices.Max(m.curvatures(from, min(from+size, n))))
	}
	m.least = 1e-6 * largest // so that no row is beyond recall
	for from := 0; from < n; from += size {
		c := m.curvatures(from, min(from+size, n))
		for _, v := range c {
			m.h += v
		}
		if m.few() {
			for j := range p {
				m.means[j] += gram.Dot(c, m.l.data.Column(j)[from:from+len(c)])
			}
		} else {
			roots(c)
		}
	}
	if !m.few() {
		return
	}
	var every []int
	for j := range p {
		every = append(every, j)
		m.means[j] /= m.h
	}
	m.all = make([]float64, p*p)
	m.crossInParts(every, every, m.all, p)
}

// curvatures returns those of rows from from to to, in the room for roots.
func (m *model) curvatures(from, to int) []float64 {
	c := m.root[:to-from]
	m.l.data.Fit.Curvatures(from, m.l.at.r, [][]float64{c})
	for i, v := range c {
		if v < m.least && m.l.data.Fit.Weight(from+i) != 0 {
			c[i] = m.least
		}
	}
	return c
}

// roots replaces curvatures by their roots.
func roots(c []float64) {
	for i, v := range c {
		c[i] = math.Sqrt(v)
	}
}

// rootsOf returns the roots of the curvatures of rows from from to to.
func (m *model) rootsOf(from, to int) []float64 {
	if !m.few() {
		return m.root[from:to]
	}
	c := m.curvatures(from, to)
	roots(c)
	return c
}

// column returns column j weighted and centered.
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
	m.weigh(j, m.mean(j), 0, m.root, col)
	m.cache[j] = col
	return col
}

// mean returns the weighted mean of column j, or zero if there is no intercept.
func (m *model) mean(j int) float64 {
	if !m.l.data.Intercept {
		return 0
	}
	mean, ok := m.means[j]
	if !ok {
		for i, x := range m.l.data.Column(j) {
			mean += m.root[i] * (m.root[i] * x)
		}
		mean /= m.h
		m.means[j] = mean
	}
	return mean
}

// weigh fills col with rows of column j, from one on, weighted by roots and centered.
func (m *model) weigh(j int, mean float64, from int, root, col []float64) {
	x := m.l.data.Column(j)[from:]
	for i := range col {
		col[i] = root[i] * x[i]
	}
	gram.Axpy(-mean, root, col)
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
	switch {
	case m.few():
		for r, j := range rows {
			for c, k := range cols {
				dst[r*stride+c] = m.all[j*m.l.data.p+k]
			}
		}
		return
	case m.l.data.n > partRows:
		m.crossInParts(rows, cols, dst, stride)
		return
	}
	a, b := make([][]float64, len(rows)), make([][]float64, len(cols))
	for r, j := range rows {
		a[r] = m.column(j)
	}
	for c, j := range cols {
		b[c] = m.column(j)
	}
	cross(m.l.rows, a, b, dst, stride)
}

// crossInParts is Cross with the columns of some rows at a time.
func (m *model) crossInParts(rows, cols []int, dst []float64, stride int) {
	a, b := make([][]float64, len(rows)), make([][]float64, len(cols))
	need := slices.Compact(slices.Sorted(slices.Values(slices.Concat(rows, cols))))
	part, sums := perRow(len(need), partRows), make([]float64, len(rows)*len(cols))
	for _, j := range need {
		m.mean(j)
	}
	for r := range rows {
		clear(dst[r*stride : r*stride+len(cols)])
	}
	for from := 0; from < m.l.data.n; from += partRows {
		to := min(from+partRows, m.l.data.n)
		root := m.rootsOf(from, to)
		m.l.rows.each(len(need), func(i int) {
			part[i] = part[i][:to-from]
			m.weigh(need[i], m.mean(need[i]), from, root, part[i])
		})
		at := func(j int) []float64 {
			i, _ := slices.BinarySearch(need, j)
			return part[i]
		}
		for r, j := range rows {
			a[r] = at(j)
		}
		for c, j := range cols {
			b[c] = at(j)
		}
		cross(m.l.rows, a, b, sums, len(cols))
		for r := range rows {
			gram.Axpy(1, sums[r*len(cols):(r+1)*len(cols)], dst[r*stride:r*stride+len(cols)])
		}
	}
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
	panic("descent: a quadratic model has no residual")
}

// Exact implements Source, for the residuals of now.
func (m *model) Exact(set []int, g []float64) { m.l.rows.Exact(set, g) }

// Gradients implements Source, and is not called.
func (m *model) Gradients([]int, []float64, []float64) {
	panic("descent: a quadratic model has no gradients of its own")
}
