package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// pairEvent is the event that units i and k, which differ, are both in; before the pairs are the units themselves.
func pairEvent(units, i, k int) int {
	if i > k {
		i, k = k, i
	}
	return units + k*(k-1)/2 + i
}

// events is the number of events whose probabilities are bracketed.
func (p *problem) events() int {
	n := len(p.units)
	if p.average {
		n += n * (n - 1) / 2
	}
	return n
}

// averages is the number of coefficients whose means are bracketed.
func (p *problem) averages() int {
	if p.average {
		return p.columns
	}
	return 0
}

// setMost sets the limits of statement 10, and what rounding may do to coefficients. For a symmetric error E of M with |x'Ex| <= tau x'Mx
// for all x, the coefficients m~ of M + E differ from those of M in column j by v'Ew, v being row j of the inverse of G~_TT, and w = (1, -m), so that
//
//	|m~_j - m_j| <= tau sqrt(v'Mv w'Mw) <= tau (1+tau) sqrt(Q/v_j).
//
// Computing m takes one more solution with the factor, which statement 5 allows for. That of the given rounding is the same for the tau that moves log
// weights by that.
func (q *problem) setMost(p *Problem, pivots []float64, lowest float64) {
	y := q.cross[len(q.cross)-1]
	tau := 2 * q.tau
	switch {
	case p.Power != 0:
		tau += p.Rounding / -p.Power
	case p.M[0] > 0:
		tau += p.Rounding / (-p.Rate * p.M[0])
	}
	q.most, q.off = make([]float64, q.columns), make([]float64, q.columns)
	for j, v := range pivots {
		q.most[j] = math.Sqrt(math.Max(0, y*(1+4*q.tau)-lowest)/v) * (1 + 16*dd.Unit)
		q.off[j] = tau * (1 + 4*tau) * math.Sqrt(y/v)
	}
}

// backward holds the coefficients of the columns in as functions of those of the free ones: m = rest - slopes m_F.
type backward struct {
	columns []int     // of the problem
	rest    []float64 // by column
	slopes  []float64 // by column, of each free one
}

// setBackward computes it from what elimination of the columns in left in full.
func (w *workspace) setBackward() *backward {
	back := &w.back
	back.columns = back.columns[:0]
	for _, k := range w.in {
		back.columns = append(back.columns, w.p.units[k]...)
	}
	s, m := len(back.columns), w.m
	n := s + m + 1
	back.rest, back.slopes = back.rest[:s], back.slopes[:s*m]
	for i := s - 1; i >= 0; i-- {
		row := w.full[i*n : i*n+n]
		to, rest := back.slopes[i*m:i*m+m], row[n-1]
		copy(to, row[s:s+m])
		for k := i + 1; k < s; k++ {
			gram.Axpy(-row[k], back.slopes[k*m:k*m+m], to)
			rest -= row[k] * back.rest[k]
		}
		for j := range to {
			to[j] /= row[i]
		}
		back.rest[i] = rest / row[i]
	}
	return back
}

// coefficient returns the i-th of the columns in.
func (b *backward) coefficient(i, m int, free []int, z []float64) float64 {
	v := b.rest[i]
	row := b.slopes[i*m : i*m+m]
	for k, j := range free {
		v -= row[j] * z[k]
	}
	return v
}

// coefficients turns what measure left into the coefficients of its columns, chosen.
func (w *workspace) coefficients(columns int) (chosen []int, z []float64) {
	l := w.inverse
	z = w.means[:columns]
	for i := columns - 1; i >= 0; i-- {
		row := l[i*(i+1)/2:][:i+1]
		z[i] *= row[i]
		for h, e := range row[:i] { // row has what L' has above its diagonal
			z[h] -= e * z[i]
		}
	}
	return w.chosen[:columns], z
}

// moments are sums over draws of A = m_j X - a h_j gamma_j, of A^2 and of A (X - a), by column; h_j is fixed beforehand, near the mean of m_j where j is in.
type moments struct {
	a         float64
	h         []float64
	v, vv, vx []float64
}

func newMoments(columns int, like *moments) *moments {
	t := &moments{v: make([]float64, columns), vv: make([]float64, columns), vx: make([]float64, columns)}
	if t.h = make([]float64, columns); like != nil {
		t.a, t.h = like.a, like.h
	}
	return t
}

func (t *moments) add(o *moments) {
	for j := range t.v {
		t.v[j] += o.v[j]
		t.vv[j] += o.vv[j]
		t.vx[j] += o.vx[j]
	}
}

// note takes in the coefficient of a column in a draw with that X.
func (t *moments) note(j int, coefficient, x float64) {
	v := coefficient*x - t.a*t.h[j]
	t.v[j] += v
	t.vv[j] += v * v
	t.vx[j] += v * (x - t.a)
}

// noteDraw takes in the coefficients of the subset that was measured last.
func (t *moments) noteDraw(w *workspace, columns int, x float64) {
	chosen, z := w.coefficients(columns)
	for i, j := range chosen {
		t.note(w.columns[j], z[i], x)
	}
	for i, j := range w.back.columns {
		t.note(j, w.back.coefficient(i, w.m, chosen, z), x)
	}
}

// leafAverages returns mean coefficients by column of the problem from those of the free columns of a leaf that was loaded.
func (w *workspace) leafAverages(mean []float64) []float64 {
	out := make([]float64, w.p.columns)
	for i, j := range w.columns {
		out[j] = mean[i]
	}
	all := gram.NumbersTo(w.m)
	back := w.setBackward()
	for i, j := range back.columns {
		out[j] = back.coefficient(i, w.m, all, mean)
	}
	return out
}

// control is a of the control variate of an event. Those of pairs have none where sizes have weights, as the bounds' laws give no
// probability of pairs in closed form.
func (e *evidence) control(k int) float64 {
	if k >= len(e.p.units) && e.p.size != nil {
		return 0
	}
	return e.a
}

// unitOf returns the unit of every column.
func (p *problem) unitOf() []int {
	of := make([]int, p.columns)
	for k, unit := range p.units {
		for _, j := range unit {
			of[j] = k
		}
	}
	return of
}

// average brackets the mean of the coefficient of column j, of unit k, by the test of every c, as probability does: with
// B = X - a and A of moments, E (A - cB) = (c Z0 - N0)/sum U - a (h E gamma - c).
func (e *evidence) average(j, k int) Interval {
	most := e.p.most[j]
	n, t := e.draws, e.moments
	n0 := e.z0 * e.exact.share(e.events+j)
	estimate := (n0 + t.v[j]/n + t.a*t.h[j]*e.inU[k]) / (e.z0 + e.x/n)
	estimate = math.Max(-most, math.Min(most, estimate))
	in := Interval{-most, estimate, most}
	if most == 0 {
		return in
	}
	for _, end := range []*float64{&in.Lower, &in.Upper} {
		below := math.Signbit(*end)
		rejects := func(c float64) bool {
			excess := e.averageExcess(j, k, n0, c)
			return below && excess > 0 || !below && excess < 0
		}
		if !rejects(*end) {
			continue
		}
		kept := estimate
		for range 60 {
			if mid := (*end + kept) / 2; rejects(mid) {
				*end = mid
			} else {
				kept = mid
			}
		}
	}
	return in
}

// averageExcess is excess for the mean of a coefficient. With |m| <= most and 0 <= X <= limit, A - cB lies between
//
//	-c (X - a)  without j,  and  (m - c) X - a (h - c)  with it.
//
// The difference of the ends is convex in c.
func (e *evidence) averageExcess(j, k int, n0, c float64) float64 {
	n, t, a, most := e.draws, e.moments, e.moments.a, e.p.most[j]
	h := t.h[j]
	low := math.Min(-math.Max(c*(e.limit-a), -c*a), -(most+c)*e.limit-a*(h-c))
	high := math.Max(math.Max(-c*(e.limit-a), c*a), (most-c)*e.limit-a*(h-c))
	x, xx := e.x/n-a, (e.xx-2*a*e.x)/n+a*a
	mean := t.v[j]/n - c*x
	size := 2*t.vv[j]/n + 2*c*c*((e.xx+2*a*e.x)/n+a*a) + a*a*h*h
	variance := e.variance(mean, (t.vv[j]-2*c*t.vx[j])/n+c*c*xx, size)
	target := c*e.z0 - n0 - a*(h*e.inU[k]-c)
	rounding := (e.sumError()+32*dd.Unit)*most*(2*e.x/n+2*a+e.z0) + a*most*e.sharesError() + 2*(high-low)*e.variation
	d, half := mean-target, e.halfWidth(variance, high-low)+rounding
	switch {
	case d > half:
		return d - half
	case d < -half:
		return d + half
	}
	return 0
}

// certainAverage brackets the mean of a coefficient of unit k by bounds alone: with sums relative to a unit in which that over leaves is scale and
// the sum of U is one.
func (f *frozen) certainAverage(j, k int, scale, one float64) Interval {
	most := f.p.most[j]
	n0 := scale * f.exact.share(f.events+j)
	slack := f.sharesError()*(1+one) + 8*dd.Unit*scale
	in := one*f.inU[k] + slack
	lowOut, highOut := math.Max(0, one*f.outL[k]-slack), one*f.outU[k]+slack
	end := func(n float64) float64 { // the largest of n/(scale + in + out)
		if n < 0 {
			return n / (scale + in + highOut)
		}
		return n / (scale + in + lowOut)
	}
	margin := 32 * dd.Unit * most
	low, high := -end(most*in-n0)-margin, end(n0+most*in)+margin
	return Interval{math.Max(-most, low), math.NaN(), math.Min(most, high)}
}

// averaged is an interval of the mean of a coefficient in the units of the Problem, widened by what rounding may do to it and, for log weights that are wrong
// by up to nats, by (e^(2 nats) - 1) E |m - c|.
func (p *problem) averaged(in Interval, j int, nats float64) Interval {
	most := p.most[j]
	wide := p.off[j] + math.Expm1(2*nats)*(most+math.Max(math.Abs(in.Lower), math.Abs(in.Upper)))
	unit := p.coefUnit[j]
	return Interval{unit * (in.Lower - wide), unit * in.Estimate, unit * (in.Upper + wide)}
}

// averages brackets coefficients by draws, within what bounds allow.
func (r *run) averages(f *frozen, e *evidence, certain []Interval, nats float64) []Interval {
	var out []Interval
	of := r.p.unitOf()
	for j := range r.p.averages() {
		out = append(out, r.p.averaged(e.average(j, of[j]), j, nats).within(certain[j]))
	}
	return out
}

// certainAverages brackets coefficients by bounds alone.
func (r *run) certainAverages(f *frozen, nats float64) []Interval {
	var out []Interval
	of := r.p.unitOf()
	scale, one := f.scales()
	for j := range r.p.averages() {
		out = append(out, r.p.averaged(f.certainAverage(j, of[j], scale, one), j, nats))
	}
	return out
}

// momentsFor fixes a, and h by a pilot: the mean coefficient where the unit of a column is in.
func (p *problem) momentsFor(pilot *tally, a float64) *moments {
	if !p.average {
		return nil
	}
	t := newMoments(p.columns, nil)
	t.a = a
	for j, k := range p.unitOf() {
		if pilot.ex[k] > 0 {
			t.h[j] = math.Max(-p.most[j], math.Min(p.most[j], pilot.moments.v[j]/pilot.ex[k]))
		}
	}
	return t
}
