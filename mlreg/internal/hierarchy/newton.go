package hierarchy

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Optimum is a minimum of the criterion.
type Optimum struct {
	*Value
	Delta      [][]float64
	Iterations int
	// Certificate. Decrement is half of g'H^-1 g: how much lower Newton's step would
	// expect the criterion to be. Curvature is the least eigenvalue of the second
	// derivative along Deltas of the same rank, and Outward the least derivative of the
	// criterion as a variance that is zero leaves zero, NaN if none is.
	Gradient, Decrement, Curvature, Outward float64
	Rank                                    []int // of each block
	Converged                               bool
}

// Search finds a minimum of the criterion by Newton's method in a trust region, from
// some parameters (nil: Start). progress may be nil.
func (m *Model) Search(from []float64, logVar float64, most int, progress func(done, total float64) error) (*Optimum, error) {
	start, err := m.begin(from, logVar)
	if err != nil {
		return nil, err
	}
	out := &Optimum{Value: start, Converged: len(start.Grad) == 0}
	radius, polished := 2.0, 0
	for out.Iterations < most && !out.Converged && radius >= 1e-12 {
		if progress != nil {
			if err := progress(float64(out.Iterations), float64(most)); err != nil {
				out.Delta = m.Delta(out.Theta)
				return out, err
			}
		}
		step, ok := m.step(out.Value, radius)
		if !ok {
			break
		}
		noise := 1e-13 * (math.Abs(out.Minus2) + m.N)
		if step.expected <= noise && step.curvature > -1e-6 {
			if polished++; polished > 2 {
				out.Converged = true
				break
			}
		}
		out.Iterations++
		theta, phi := m.moved(out.Value, step.by)
		next, err := m.Evaluate(theta, phi, 2)
		if errors.Is(err, ErrPerfect) {
			if radius /= 4; radius < 1e-10 {
				return out, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		won, flatter := out.Minus2-next.Minus2, norm(next.Grad) < norm(out.Grad)
		if polished > 0 {
			if out.Converged = !flatter || !(won > -2*noise); !out.Converged {
				out.Value = next
			}
			continue
		}
		radius = resized(radius, step, won)
		if won > 1e-4*step.expected || won >= -noise && step.expected < 1e-8 && flatter {
			out.Value = next
		}
	}
	m.settle(out)
	return out, nil
}

// begin evaluates the criterion where a search begins: without parameters, at the residual
// variance that is best there if there is no prior.
func (m *Model) begin(from []float64, logVar float64) (*Value, error) {
	x := append([]float64(nil), from...)
	if from == nil {
		x = m.Start()
	}
	if from == nil && m.searched() {
		free := *m
		free.Prior, free.Avoid, free.hold = nil, false, held{}
		if v, err := free.Evaluate(x, 0, 0); err == nil {
			logVar = v.LogVar
		}
	}
	return m.Evaluate(x, logVar, 2)
}

// newtonStep is a step within a radius.
type newtonStep struct {
	by        []float64 // of the parameters
	length    float64   // in units
	expected  float64   // decrease of the criterion
	curvature float64   // the least, in units
}

// step returns Newton's step within a radius, in units in which a factor that is large changes by
// its relative change; false if there is none.
func (m *Model) step(v *Value, radius float64) (newtonStep, bool) {
	n, unit := len(v.Grad), m.units(v)
	g, h := make([]float64, n), make([]float64, n*n)
	for i := range n {
		g[i] = unit[i] * v.Grad[i]
		for j := range n {
			h[i*n+j] = unit[i] * v.Hess[i*n+j] * unit[j]
		}
	}
	values, vectors := eigen(h, n)
	if values == nil {
		return newtonStep{}, false
	}
	s := newtonStep{curvature: values[0]}
	s.by, s.expected = trust(g, values, vectors, radius)
	s.length = math.Sqrt(dot(s.by, s.by))
	for i, u := range unit {
		s.by[i] *= u
	}
	return s, true
}

// resized returns the radius after a step that won so much.
func resized(radius float64, step newtonStep, won float64) float64 {
	switch {
	case !(won > 0.1*step.expected):
		return step.length / 4
	case won > 0.7*step.expected && step.length > 0.9*radius:
		return math.Min(2*radius, 1e6)
	}
	return radius
}

// units returns that of every parameter searched: for one of a factor of a covariance the
// length of its row, at least 1.
func (m *Model) units(v *Value) []float64 {
	places := m.places()
	rows := make(map[[2]int]float64)
	for i, p := range places {
		rows[[2]int{p.block, p.row}] += v.Theta[i] * v.Theta[i]
	}
	out := make([]float64, 0, len(v.Grad))
	for i, p := range places {
		if !(m.hold.on && m.hold.block >= 0 && i == m.heldParameter()) {
			out = append(out, math.Max(1, math.Sqrt(rows[[2]int{p.block, p.row}])))
		}
	}
	for len(out) < len(v.Grad) {
		out = append(out, 1)
	}
	return out
}

func (m *Model) moved(v *Value, step []float64) ([]float64, float64) {
	theta, phi := append([]float64(nil), v.Theta...), v.LogVar
	skip := -1
	if m.hold.on && m.hold.block >= 0 {
		skip = m.heldParameter()
	}
	at := 0
	for i := range theta {
		if i != skip {
			theta[i] += step[at]
			at++
		}
	}
	if at < len(step) {
		phi += step[at]
	}
	return theta, phi
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func norm(g []float64) float64 {
	s := 0.0
	for _, v := range g {
		s = math.Max(s, math.Abs(v))
	}
	return s
}

// trust minimizes the quadratic model within a radius and returns the step with the
// decrease that it expects.
func trust(g, values []float64, vectors *mat.Dense, radius float64) (step []float64, expected float64) {
	n := len(g)
	c := make([]float64, n)
	for i := range n {
		for a := range n {
			c[i] += vectors.At(a, i) * g[a]
		}
	}
	// A saddle has no gradient along its descent: go there by a small step.
	if values[0] < -1e-8 && math.Abs(c[0]) < 1e-8*(1+math.Sqrt(dot(g, g))) {
		c[0] = math.Copysign(1e-3*math.Abs(values[0]), c[0]+1e-300)
	}
	length := func(mu float64) float64 {
		s := 0.0
		for i := range n {
			d := values[i] + mu
			s += c[i] * c[i] / (d * d)
		}
		return math.Sqrt(s)
	}
	floor := 1e-9 * math.Max(1, math.Abs(values[n-1]))
	lo := math.Max(0, -values[0]+floor)
	if values[0] > floor {
		lo = 0
	}
	mu := lo
	if length(lo) > radius {
		hi := lo + math.Sqrt(dot(c, c))/radius + floor
		for range 100 {
			mu = (lo + hi) / 2
			if length(mu) > radius {
				lo = mu
			} else {
				hi = mu
			}
		}
	}
	step = make([]float64, n)
	for i := range n {
		s := -c[i] / (values[i] + mu)
		expected -= c[i]*s + values[i]*s*s/2
		for a := range n {
			step[a] += vectors.At(a, i) * s
		}
	}
	return step, expected
}

// spectrum is the covariance of a block as C = R R', R of full column rank, and its null vectors N.
type spectrum struct {
	rank       int
	root, null []float64 // n x rank, n x (n-rank)
	cov        []float64 // C
}

// negligible is the variance, relative to sigma^2 and to the block's largest, that settle tries to put to zero.
const negligible = 1e-5

// settle puts variances that are zero but for rounding to zero, if the criterion agrees,
// and certifies the optimum.
func (m *Model) settle(o *Optimum) {
	blocks := make([]spectrum, len(m.Blocks))
	o.Delta = m.Delta(o.Theta)
	snapped := m.decompose(blocks, o.Delta, true)
	if snapped {
		v, err := m.Evaluate(m.parameters(o.Delta), o.LogVar, 2)
		if err == nil && v.Minus2 <= o.Minus2+1e-7 {
			o.Value = v
		} else {
			o.Delta = m.Delta(o.Theta)
			m.decompose(blocks, o.Delta, false)
		}
	}
	o.Rank = nil
	for i, b := range blocks {
		if m.Blocks[i].Equal {
			b.rank = min(b.rank, 1)
		}
		o.Rank = append(o.Rank, b.rank)
	}
	m.certify(o, blocks)
}

// decompose sets the spectra of the blocks of delta. With snap, negligible variances become zero, in
// delta as well; it tells whether there were any.
func (m *Model) decompose(blocks []spectrum, delta [][]float64, snap bool) (snapped bool) {
	for b := range m.Blocks {
		n, part := len(m.Blocks[b].At), m.part(delta, b)
		if m.Blocks[b].Equal {
			blocks[b] = m.equalSpectrum(part, n, snap)
		} else {
			blocks[b] = m.spectrum(part, n, snap)
		}
		if blocks[b].rank < n {
			m.put(delta, b, blocks[b].cov)
			snapped = true
		}
	}
	return snapped
}

// equalSpectrum is that of a block of one variance.
func (m *Model) equalSpectrum(part []float64, n int, snap bool) spectrum {
	if snap && part[0] < negligible && !m.Avoid {
		return spectrum{cov: make([]float64, n*n)}
	}
	s := spectrum{rank: n, cov: part, root: make([]float64, n*n)}
	for i := range n {
		s.root[i*n+i] = math.Sqrt(part[0])
	}
	return s
}

// spectrum is that of a covariance matrix; of NaN where it has none.
func (m *Model) spectrum(part []float64, n int, snap bool) spectrum {
	values, vectors := eigen(part, n)
	if values == nil {
		s := spectrum{rank: n, root: make([]float64, n*n)}
		for i := range s.root {
			s.root[i] = math.NaN()
		}
		return s
	}
	s := spectrum{cov: make([]float64, n*n)}
	var roots, nulls []float64 // columns, one after the other
	for i, w := range values {
		if snap && w < negligible*math.Min(1, math.Max(values[n-1], negligible)) && !m.Avoid && !m.hold.on {
			for a := range n {
				nulls = append(nulls, vectors.At(a, i))
			}
			continue
		}
		if s.rank++; !snap {
			w = math.Max(w, 0)
		}
		for a := range n {
			roots = append(roots, math.Sqrt(w)*vectors.At(a, i))
			for c := range n {
				s.cov[a*n+c] += w * vectors.At(a, i) * vectors.At(c, i)
			}
		}
	}
	s.root, s.null = columnsFirst(roots, n), columnsFirst(nulls, n)
	return s
}

// columnsFirst turns columns one after the other into a matrix of n rows.
func columnsFirst(c []float64, n int) []float64 {
	k := len(c) / n
	out := make([]float64, len(c))
	for j := range k {
		for i := range n {
			out[i*k+j] = c[j*n+i]
		}
	}
	return out
}

// parameters is the inverse of Delta; a column of a factor that vanishes is zero.
func (m *Model) parameters(delta [][]float64) []float64 {
	var out []float64
	for b := range m.Blocks {
		n, part := len(m.Blocks[b].At), m.part(delta, b)
		if m.Blocks[b].Equal {
			out = append(out, math.Sqrt(math.Max(part[0], 0)))
			continue
		}
		l := make([]float64, n*n)
		for j := range n {
			d := part[j*n+j]
			for c := range j {
				d -= l[j*n+c] * l[j*n+c]
			}
			if d > 1e-12*part[j*n+j] {
				l[j*n+j] = math.Sqrt(d)
			}
			for i := j + 1; i < n && l[j*n+j] > 0; i++ {
				s := part[i*n+j]
				for c := range j {
					s -= l[i*n+c] * l[j*n+c]
				}
				l[i*n+j] = s / l[j*n+j]
			}
		}
		for i := range n {
			out = append(out, l[i*n:i*n+i+1]...)
		}
	}
	return out
}

// direction is a way in which a factor R of a block may move: R + t D.
type direction struct {
	block int
	d     []float64 // n x rank
	first []float64 // by the elements: d Delta
}

// certify states how good an optimum is. Every block is R R' with R of full column
// rank; R may move along R M, M symmetric, and along N W with the null vectors N, which
// leave the rank as it is. As a variance leaves zero along a null vector x, the
// criterion changes by x'G x.
func (m *Model) certify(o *Optimum, blocks []spectrum) {
	o.Outward, o.Curvature, o.Decrement = math.NaN(), math.NaN(), math.NaN()
	var along []direction
	for b := range blocks {
		g := m.part(o.Element, b)
		switch s, n := &blocks[b], len(m.Blocks[b].At); {
		case m.Blocks[b].Equal && s.rank == 0:
			o.Outward = least(o.Outward, floats.Sum(diagonal(g, n)))
		case m.Blocks[b].Equal:
			along = append(along, direction{block: b, d: s.root})
		default:
			if s.rank < n {
				if values, _ := eigen(s.outward(g, n), n-s.rank); values != nil {
					o.Outward = least(o.Outward, values[0])
				}
			}
			for _, d := range append(s.intoNull(n), s.within(n)...) {
				along = append(along, direction{block: b, d: d})
			}
		}
	}
	for i := range along {
		d := &along[i]
		d.first = m.directional(d.block, blocks[d.block].root, d.d, o.size)
	}
	g, h := m.derivativesAlong(o.Value, along)
	if m.Avoid {
		m.penalize(o, g, h, len(g))
	}
	o.judge(g, h)
}

// diagonal returns that of a matrix.
func diagonal(a []float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = a[i*n+i]
	}
	return out
}

// outward is N'G N: how the criterion changes as variances leave zero.
func (s *spectrum) outward(g []float64, n int) []float64 {
	free := n - s.rank
	x := make([]float64, free*free)
	for i := range free {
		for j := range free {
			for a := range n {
				for c := range n {
					x[i*free+j] += s.null[a*free+i] * g[a*n+c] * s.null[c*free+j]
				}
			}
		}
	}
	return x
}

// intoNull are the directions N W, W of a single one.
func (s *spectrum) intoNull(n int) [][]float64 {
	var out [][]float64
	free := n - s.rank
	for i := range free {
		for c := range s.rank {
			d := make([]float64, n*s.rank)
			for a := range n {
				d[a*s.rank+c] = s.null[a*free+i]
			}
			out = append(out, d)
		}
	}
	return out
}

// within are the directions R M, M symmetric with one pair, or a half on the diagonal.
func (s *spectrum) within(n int) [][]float64 {
	var out [][]float64
	for i := range s.rank {
		for j := range i + 1 {
			d := make([]float64, n*s.rank)
			for a := range n {
				if i == j {
					d[a*s.rank+j] = s.root[a*s.rank+i] / 2
					continue
				}
				d[a*s.rank+j] = s.root[a*s.rank+i]
				d[a*s.rank+i] = s.root[a*s.rank+j]
			}
			out = append(out, d)
		}
	}
	return out
}

// derivativesAlong returns gradient and Hessian along directions and, last, by log sigma^2 if that is searched.
func (m *Model) derivativesAlong(v *Value, along []direction) (g, h []float64) {
	vectors := make([][]float64, 0, len(along)+1)
	for _, d := range along {
		vectors = append(vectors, d.first)
	}
	if m.searched() {
		last := make([]float64, v.size)
		last[v.size-1] = 1
		vectors = append(vectors, last)
	}
	n, elements := len(vectors), m.flat(v)
	g, h = make([]float64, n), make([]float64, n*n)
	for i, vi := range vectors {
		g[i] = dot(vi, elements)
		hv := times(v.second, vi, v.size)
		for j := range i + 1 {
			s := dot(hv, vectors[j])
			if i < len(along) && along[i].block == along[j].block {
				for a, d := range m.directional(along[i].block, along[i].d, along[j].d, v.size) {
					s += d * elements[a]
				}
			}
			h[i*n+j], h[j*n+i] = s, s
		}
	}
	return g, h
}

// judge sets the certificate by the derivatives along the directions in which an optimum may move.
func (o *Optimum) judge(g, h []float64) {
	n := len(g)
	o.Gradient = norm(g)
	if n == 0 {
		o.Decrement, o.Curvature = 0, math.Inf(1)
		return
	}
	values, vectors := eigen(h, n)
	if values == nil {
		return
	}
	o.Curvature, o.Decrement = values[0], 0
	for i, w := range values {
		c := 0.0
		for a := range n {
			c += vectors.At(a, i) * g[a]
		}
		o.Decrement += c * c / (2 * math.Max(w, 1e-300))
	}
}

// penalize adds the prior |Psi|^(1/2) to the derivatives of certify, which are along R
// (I + M) for it: -2 log |I + M| has gradient -2 tr M and Hessian 2 tr M1 M2.
func (m *Model) penalize(o *Optimum, g, h []float64, all int) {
	at := 0
	for b := range m.Blocks {
		r := len(m.Blocks[b].At)
		if m.Blocks[b].Equal {
			g[at] -= 2 * float64(r)
			h[at*all+at] += 2 * float64(r)
			at++
			continue
		}
		for i := range r {
			for j := range i + 1 {
				c := 1.0
				if i != j {
					c = 2
				} else {
					g[at] -= 2 * .5
					c = .25
				}
				h[at*all+at] += 2 * c
				at++
			}
		}
	}
}

// flat is the derivative by the elements, then by log sigma^2.
func (m *Model) flat(v *Value) []float64 {
	out := make([]float64, v.size)
	at := 0
	for l, g := range v.Element {
		k := len(m.Tree.Levels[l].Vary)
		for a := range k {
			for b := range a + 1 {
				out[at] = g[a*k+b]
				if a != b {
					out[at] *= 2
				}
				at++
			}
		}
	}
	if m.searched() {
		out[at] = v.Grad[len(v.Grad)-1]
	}
	return out
}

// directional is R D' + D R' by the elements of all levels.
func (m *Model) directional(b int, r, d []float64, size int) []float64 {
	block, starts := &m.Blocks[b], m.starts()
	n := len(block.At)
	k := len(d) / n
	out := make([]float64, size)
	for i := range n {
		for j := range i + 1 {
			s := 0.0
			for c := range k {
				s += r[i*k+c]*d[j*k+c] + d[i*k+c]*r[j*k+c]
			}
			out[starts[block.Level]+pair(block.At[i], block.At[j])] = s
		}
	}
	return out
}

func least(a, b float64) float64 {
	if math.IsNaN(a) || b < a {
		return b
	}
	return a
}

// Hold returns the model with the standard deviation of the first coefficient of a block
// fixed, or that of the residuals (block -1): its Search gives a point of the profile.
func (m *Model) Hold(block int, sd float64) *Model {
	h := *m
	h.hold = held{true, block, sd}
	return &h
}
