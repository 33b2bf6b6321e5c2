package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// lower returns a log bound below the sum over a node by mean field (statement 7): units are independent
// with probabilities p, and z is the coefficient of a column if its unit is in. With the means mu_j = p z_j and r = b - G mu,
//
//	E Q <= q - mu'(b + r) + sum_units (1/p - 1) mu_k' G_kk mu_k,
//
// over which coordinate ascent goes, starting at the law of the bound.
func (w *workspace) lower(nd *node) float64 {
	m, units := w.m, len(w.free)
	p, mu, r := w.sizes[:units], w.means[:m], w.rest[:m]
	for k := range units {
		p[k] = w.law.inclusion[k]
		if w.unmet != nil && w.unmet[k] != nil {
			p[k] = 0 // out, so that all subsets of the others are allowed
		}
		for j := w.start[k]; j < w.start[k+1]; j++ {
			mu[j] = p[k] * w.u[j] / nd.d[j]
		}
	}
	for i := range m {
		r[i] = w.b[i] - gram.Dot(w.g[i*m:i*m+m], mu)
	}
	for range 3 {
		w.meanFieldSweep(nd, p, mu, r)
	}
	for i := range m { // once more, without the errors of updates
		r[i] = w.b[i] - gram.Dot(w.g[i*m:i*m+m], mu)
	}
	return w.meanField(nd, p, mu, r)
}

// meanFieldSweep sets p and mu of each unit to their best given the others; of a unit of several columns, to better ones.
func (w *workspace) meanFieldSweep(nd *node, p, mu, r []float64) {
	m := w.m
	slope := 0.0
	if w.p.size != nil && len(p) > 0 {
		var mean float64
		for _, v := range p {
			mean += v
		}
		k := w.k0 + min(int(mean), len(p)-1)
		slope = w.p.size[k+1] - w.p.size[k]
	}
	for k, unit := range w.free {
		if w.unmet != nil && w.unmet[k] != nil {
			continue
		}
		first, end := w.start[k], w.start[k+1]
		odds := w.p.own[unit] + slope + nd.component.phi*w.conditional(first, end, p[k], mu, r)
		for j := first; j < end && w.p.det; j++ {
			odds -= math.Log(w.g[j*m+j]) / 2
		}
		p[k] = 1 / (1 + math.Exp(-odds))
		for j := first; j < end; j++ {
			to := p[k] * w.shift[j]
			if change := to - mu[j]; change != 0 {
				gram.Axpy(-change, w.g[j*m:j*m+m], r)
				mu[j] = to
			}
		}
	}
}

// conditional sets shift to z of the columns of a unit, by a round of coordinate ascent from mu/p, and returns what Q falls by if the unit is in,
//
//	2 u'z - z'G_kk z,   u = r + G_kk mu,
//
// u being b less what the others explain. Of one column z is the best, u/G_jj.
func (w *workspace) conditional(first, end int, p float64, mu, r []float64) (gain float64) {
	m, z, u := w.m, w.shift, w.direction
	for j := first; j < end; j++ {
		row := w.g[j*m : j*m+m]
		u[j] = r[j] + gram.Dot(row[first:end], mu[first:end])
		if z[j] = 0; p > 0 {
			z[j] = mu[j] / p
		}
	}
	for j := first; j < end; j++ {
		row, rest := w.g[j*m:j*m+m], u[j]
		for i := first; i < end; i++ {
			if i != j {
				rest -= row[i] * z[i]
			}
		}
		z[j] = rest / row[j]
	}
	for j := first; j < end; j++ {
		gain += z[j] * (2*u[j] - gram.Dot(w.g[j*m+first:j*m+end], z[first:end]))
	}
	return gain
}

// meanField returns the bound at p and mu, less what rounding may add.
func (w *workspace) meanField(nd *node, p, mu, r []float64) float64 {
	m, phi := w.m, nd.component.phi
	q, size := w.q, w.q // size: of the numbers whose sum q is
	var entropy, length float64
	for k := range w.free {
		first, end := w.start[k], w.start[k+1]
		var own float64
		for i := first; i < end; i++ {
			q -= mu[i] * (w.b[i] + r[i])
			length += math.Abs(mu[i]) * w.root[i]
			size += math.Abs(mu[i]) * (math.Abs(w.b[i]) + math.Abs(r[i]))
			for j := first; j < end; j++ {
				own += mu[i] * mu[j] * w.g[i*m+j]
			}
		}
		if own != 0 && !(p[k] > 0) {
			return math.Inf(-1)
		}
		if own != 0 {
			q += own * (1/p[k] - 1)
			size += 2 * math.Abs(own) / p[k]
		}
		entropy += plogp(p[k]) + plogp(1-p[k])
	}
	size += 2 * length * length
	margin := phi * gamma(4*m+16) * size
	log := w.logConstant(nd) - phi*q - entropy
	for k, unit := range w.free {
		log += p[k] * w.p.own[unit]
		if w.p.det {
			for j := w.start[k]; j < w.start[k+1]; j++ {
				log -= p[k] * math.Log(w.root[j])
			}
		}
	}
	if w.p.size != nil {
		log += w.meanSize(p)
	}
	return log - margin
}

// meanSize returns the mean of the size's log weight for independent units.
func (w *workspace) meanSize(p []float64) float64 {
	law := w.direction[:0]
	law = append(law, 1)
	for _, v := range p {
		law = append(law, 0)
		for k := len(law) - 1; k > 0; k-- {
			law[k] = (1-v)*law[k] + v*law[k-1]
		}
		law[0] *= 1 - v
	}
	var mean float64
	for k, v := range law {
		mean += v * w.p.size[w.k0+k]
	}
	return mean
}

// plogp is p log p.
func plogp(p float64) float64 {
	if p <= 0 {
		return 0
	}
	return p * math.Log(p)
}
