package hierarchy

import (
	"errors"
	"math"

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
	v, err := m.Evaluate(x, logVar, 2)
	if err != nil {
		return nil, err
	}
	out := &Optimum{Value: v}
	radius := 2.0
	polished := 0
	for out.Iterations < most {
		if progress != nil {
			if err := progress(float64(out.Iterations), float64(most)); err != nil {
				out.Delta = m.Delta(v.Theta)
				return out, err
			}
		}
		n := len(v.Grad)
		if n == 0 {
			out.Converged = true
			break
		}
		// In units in which a factor that is large changes by its relative change.
		unit := m.units(v)
		g, h := make([]float64, n), make([]float64, n*n)
		for i := range n {
			g[i] = unit[i] * v.Grad[i]
			for j := range n {
				h[i*n+j] = unit[i] * v.Hess[i*n+j] * unit[j]
			}
		}
		values, vectors := eigen(h, n)
		if values == nil {
			break
		}
		step, expected := trust(g, values, vectors, radius)
		length := math.Sqrt(dot(step, step))
		for i, u := range unit {
			step[i] *= u
		}
		noise := 1e-13 * (math.Abs(v.Minus2) + m.N)
		if expected <= noise && values[0] > -1e-6 {
			if polished++; polished > 2 {
				out.Converged = true
				break
			}
		}
		out.Iterations++
		theta, phi := m.moved(v, step)
		next, err := m.Evaluate(theta, phi, 2)
		if err != nil {
			if !errors.Is(err, ErrPerfect) {
				return nil, err
			}
			if radius /= 4; radius < 1e-10 {
				return out, err
			}
			continue
		}
		won := v.Minus2 - next.Minus2
		if polished > 0 {
			if norm(next.Grad) < norm(v.Grad) && won > -2*noise {
				v = next
			} else {
				out.Converged = true
				break
			}
			continue
		}
		switch {
		case !(won > 0.1*expected):
			radius = length / 4
		case won > 0.7*expected && length > 0.9*radius:
			radius = math.Min(2*radius, 1e6)
		}
		if won > 1e-4*expected || won >= -noise && expected < 1e-8 && norm(next.Grad) < norm(v.Grad) {
			v = next
		}
		if radius < 1e-12 {
			break
		}
	}
	out.Value = v
	m.settle(out)
	return out, nil
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

// settle puts variances that are zero but for rounding to zero, if the criterion agrees,
// and certifies the optimum.
func (m *Model) settle(o *Optimum) {
	delta := m.Delta(o.Theta)
	o.Rank = make([]int, len(m.Blocks))
	roots := make([][]float64, len(m.Blocks)) // n x rank, Delta = R R'
	nulls := make([][]float64, len(m.Blocks)) // n x (n-rank)
	snapped := false
	const small = 1e-5
	for b := range m.Blocks {
		n := len(m.Blocks[b].At)
		part := m.part(delta, b)
		if m.Blocks[b].Equal {
			o.Rank[b] = 1
			if part[0] < small && !m.Avoid {
				o.Rank[b] = 0
				clear(part)
				m.put(delta, b, part)
				snapped = true
			}
			continue
		}
		values, vectors := eigen(part, n)
		if values == nil {
			continue
		}
		fixed := make([]float64, n*n)
		for i, w := range values {
			if w < small*math.Min(1, math.Max(values[n-1], small)) && !m.Avoid && !m.hold.on {
				snapped = true
				for a := range n {
					nulls[b] = append(nulls[b], vectors.At(a, i))
				}
				continue
			}
			o.Rank[b]++
			for a := range n {
				roots[b] = append(roots[b], math.Sqrt(w)*vectors.At(a, i))
				for c := range n {
					fixed[a*n+c] += w * vectors.At(a, i) * vectors.At(c, i)
				}
			}
		}
		roots[b], nulls[b] = columnsFirst(roots[b], n), columnsFirst(nulls[b], n)
		if o.Rank[b] < n {
			m.put(delta, b, fixed)
		}
	}
	if snapped {
		theta := m.parameters(delta)
		v, err := m.Evaluate(theta, o.LogVar, 2)
		if err == nil && v.Minus2 <= o.Minus2+1e-7 {
			o.Value = v
		} else {
			snapped = false
			for b := range m.Blocks { // all ranks are full then
				if n := len(m.Blocks[b].At); !m.Blocks[b].Equal {
					o.Rank[b], nulls[b] = n, nil
				} else {
					o.Rank[b] = 1
				}
			}
			delta = m.Delta(o.Theta)
			for b := range m.Blocks {
				if !m.Blocks[b].Equal {
					n := len(m.Blocks[b].At)
					values, vectors := eigen(m.part(delta, b), n)
					roots[b] = nil
					for i, w := range values {
						for a := range n {
							roots[b] = append(roots[b], math.Sqrt(math.Max(w, 0))*vectors.At(a, i))
						}
					}
					roots[b] = columnsFirst(roots[b], n)
				}
			}
		}
	}
	o.Delta = delta
	m.certify(o, roots, nulls)
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

// certify states how good an optimum is. Every block is R R' with R of full column
// rank; R may move along R M, M symmetric, and along N W with the null vectors N, which
// leave the rank as it is. As a variance leaves zero along a null vector x, the
// criterion changes by x'G x.
func (m *Model) certify(o *Optimum, roots, nulls [][]float64) {
	v := o.Value
	o.Outward, o.Curvature, o.Decrement = math.NaN(), math.NaN(), math.NaN()
	starts := m.starts()
	e := v.size - 1
	type direction struct {
		first []float64 // by the elements: d Delta
		block int
		d     []float64 // n x r
	}
	var dirs []direction
	for b := range m.Blocks {
		block := &m.Blocks[b]
		n, r := len(block.At), o.Rank[b]
		g := make([]float64, n*n)
		k := len(m.Tree.Levels[block.Level].Vary)
		for i, ai := range block.At {
			for j, aj := range block.At {
				g[i*n+j] = v.Element[block.Level][ai*k+aj]
			}
		}
		if block.Equal {
			s := 0.0
			for i := range n {
				s += g[i*n+i]
			}
			if r == 0 {
				o.Outward = least(o.Outward, s)
				continue
			}
			root := math.Sqrt(m.part(o.Delta, b)[0])
			d := make([]float64, n*n)
			for i := range n {
				d[i*n+i] = root
			}
			roots[b] = d
			dirs = append(dirs, direction{block: b, d: d})
			continue
		}
		if free := n - r; free > 0 {
			x := make([]float64, free*free)
			for i := range free {
				for j := range free {
					for a := range n {
						for c := range n {
							x[i*free+j] += nulls[b][a*free+i] * g[a*n+c] * nulls[b][c*free+j]
						}
					}
				}
			}
			if values, _ := eigen(x, free); values != nil {
				o.Outward = least(o.Outward, values[0])
			}
			for i := range free {
				for c := range r {
					d := make([]float64, n*r)
					for a := range n {
						d[a*r+c] = nulls[b][a*free+i]
					}
					dirs = append(dirs, direction{block: b, d: d})
				}
			}
		}
		for i := range r {
			for j := range i + 1 {
				d := make([]float64, n*r)
				for a := range n {
					d[a*r+j] += roots[b][a*r+i]
					if i != j {
						d[a*r+i] += roots[b][a*r+j]
					}
				}
				if i == j {
					for a := range d {
						d[a] /= 2
					}
				}
				dirs = append(dirs, direction{block: b, d: d})
			}
		}
	}
	for i := range dirs {
		dirs[i].first = m.directional(dirs[i].block, roots[dirs[i].block], dirs[i].d, starts, v.size)
	}
	n := len(dirs)
	all := n
	if m.searched() {
		all++
	}
	g, h := make([]float64, all), make([]float64, all*all)
	vector := func(i int) []float64 {
		if i < n {
			return dirs[i].first
		}
		one := make([]float64, v.size)
		one[e] = 1
		return one
	}
	elements := m.flat(v)
	for i := range all {
		vi := vector(i)
		for a, d := range vi {
			g[i] += d * elements[a]
		}
		hv := times(v.second, vi, v.size)
		for j := range i + 1 {
			s := dot(hv, vector(j))
			if i < n && j < n && dirs[i].block == dirs[j].block {
				twice := m.directional(dirs[i].block, dirs[i].d, dirs[j].d, starts, v.size)
				for a, d := range twice {
					s += d * elements[a]
				}
			}
			h[i*all+j], h[j*all+i] = s, s
		}
	}
	if m.Avoid {
		m.penalize(o, g, h, all)
	}
	o.Gradient = norm(g)
	if all == 0 {
		o.Decrement, o.Curvature = 0, math.Inf(1)
		return
	}
	values, vectors := eigen(h, all)
	if values == nil {
		return
	}
	o.Curvature = values[0]
	o.Decrement = 0
	for i, w := range values {
		c := 0.0
		for a := range all {
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
func (m *Model) directional(b int, r, d []float64, starts []int, size int) []float64 {
	block := &m.Blocks[b]
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
