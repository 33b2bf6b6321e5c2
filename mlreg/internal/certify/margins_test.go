package certify

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// sampleOf is evidence of draws of one event and X, written out, with numbers that leaves and bounds may have.
func sampleOf(in []bool, x []float64, a float64) *evidence {
	f := &frozen{tree: &tree{p: &problem{units: make([][]int, 1)}, exact: newTotal(1)}, events: 1, inU: []float64{0.4}}
	f.exact.ref, f.exact.sum, f.exact.parts[0], f.logU = 0, 0.2, 0.05, 0
	tally := newTally(1)
	tally.draws = float64(len(x))
	for i, v := range x {
		tally.x, tally.xx = tally.x+v, tally.xx+v*v
		if in[i] {
			tally.count[0]++
			tally.ex[0], tally.exx[0] = tally.ex[0]+v, tally.exx[0]+v*v
		}
	}
	return f.evidence(tally, a, 0.05)
}

// meanVariance returns the mean and the variance, with divisor n-1, of n numbers.
func meanVariance(values []float64) (mean, variance float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		variance += (v - mean) * (v - mean) / (n - 1)
	}
	return mean, variance
}

// The interval of the sum, and the test of a probability, are the empirical Bernstein bound of numbers that are written out here draw by
// draw: X, and (gamma - p)(X - a), whose range is that of its corners.
func TestIntervalsAreThoseOfTheDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n, a = 300, 0.3
	x, in := make([]float64, n), make([]bool, n)
	for i := range x {
		x[i], in[i] = r.Float64(), r.Float64() < 0.4
	}
	e := sampleOf(in, x, a)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
			t.Errorf("%s is %.15g, want %.15g", what, got, want)
		}
	}
	mean, variance := meanVariance(x)
	half := e.halfWidth(variance, 1)
	got := e.normalizer()
	near("lower limit", got.Lower, math.Log(0.2+mean-half))
	near("estimate", got.Estimate, math.Log(0.2+mean))
	near("upper limit", got.Upper, math.Log(0.2+mean+half))
	for _, p := range []float64{0, 0.05, 0.35, 0.6, 0.95, 1} {
		values := make([]float64, n)
		for i, v := range x {
			g := -p
			if in[i] {
				g++
			}
			values[i] = g * (v - a)
		}
		mean, variance := meanVariance(values)
		corners := []float64{(1 - p) * (1 - a), -(1 - p) * a, -p * (1 - a), p * a}
		low, high := 0.0, 0.0
		for _, c := range corners {
			low, high = math.Min(low, c), math.Max(high, c)
		}
		d := mean - (p*0.2 - 0.05 - a*(0.4-p))
		half := e.halfWidth(variance, high-low)
		want := 0.0
		if math.Abs(d) > half {
			want = d - math.Copysign(half, d)
		}
		near("excess", e.excess(0, p), want)
	}
}

// What rounding may do to log weights counts the mixture, Q, and the determinant, of every score; and sums of logarithms.
func TestRoundingCountsItsParts(t *testing.T) {
	for _, score := range scores {
		c := design{n: 40, d: 8, neighbors: 0.99999, score: score, prior: "half", seed: 3}
		p := c.problem()
		q := get(prepare(p))(t)
		least := -p.Power * q.tau
		if p.Power != 0 {
			least += 2e-6
		} else {
			least += q.parts[0].phi * q.tau * q.cross[len(q.cross)-1]
		}
		if p.Det {
			least += float64(p.Columns) / 2 * q.tau
		}
		if q.tau < 1e-12 || q.wrong < least {
			t.Errorf("%s: rounding %g, of tau %g; the parts are %g", score, q.wrong, q.tau, least)
		}
		f := planted(t, q).freeze()
		if size := math.Abs(f.nodes[0].base) + math.Abs(f.logU); f.rounding < 4*dd.Unit*size {
			t.Errorf("%s: sums of logarithms of the size %g may be off by %g", score, size, f.rounding)
		}
	}
}

// The bound below of a node is no higher than that in exact arithmetic, at means so large that rounding shows.
func TestMeanFieldCoversRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for trial := range 60 {
		c := design{n: 30, d: 8, neighbors: 0.9, score: "known", prior: "half", seed: uint64(trial)}
		q := get(prepare(c.problem()))(t)
		w := newWorkspace(q)
		w.load(nil, []int16{0, 1, 2, 3, 4, 5, 6, 7})
		p, mu, rest := make([]float64, 8), make([]float64, 8), make([]float64, 8)
		for i := range mu {
			p[i], mu[i] = 0.1+0.8*r.Float64(), 100*r.NormFloat64()
		}
		quadratic := exact(w.q)
		for i := range mu {
			rest[i] = w.b[i] - dot(w.g[i*8:i*8+8], mu)
			quadratic.Sub(quadratic, exact(0).Mul(exact(2*mu[i]), exact(w.b[i])))
			for j := range mu {
				term := exact(0).Mul(exact(w.g[i*8+j]), exact(mu[i]))
				quadratic.Add(quadratic, term.Mul(term, exact(mu[j])))
			}
			own := exact(0).Sub(exact(0).Quo(exact(1), exact(p[i])), exact(1))
			own.Mul(own, exact(w.g[i*8+i])).Mul(own, exact(mu[i])).Mul(own, exact(mu[i]))
			quadratic.Add(quadratic, own)
		}
		without := w.meanField(&node{component: &component{}}, p, mu, rest)
		const phi = 1e6
		got := exact(w.meanField(&node{component: &component{phi: phi}}, p, mu, rest))
		want := exact(0).Sub(exact(without), quadratic.Mul(quadratic, exact(phi)))
		if got.Cmp(want) > 0 {
			t.Errorf("trial %d: the bound is above that in exact arithmetic", trial)
		}
	}
}

// Odds of a unit are no lower than in exact arithmetic.
func TestOddsCoverRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	c := design{n: 30, d: 6, score: "known", prior: "half", seed: 1, units: [][]int{{0, 1, 2, 3}, {4}, {5}}}
	q := get(prepare(c.problem()))(t)
	clear(q.own)
	w := newWorkspace(q)
	w.load(nil, []int16{0, 1, 2})
	for trial := range 200 {
		nd := &node{component: &component{phi: math.Exp(r.NormFloat64())}, free: []int16{0, 1, 2}}
		for range 6 {
			nd.d, nd.u = append(nd.d, r.Float64()), append(nd.u, r.NormFloat64())
		}
		w.setLaw(nd, nd.u)
		for k := range w.free {
			sum := exact(0)
			for j := w.start[k]; j < w.start[k+1]; j++ {
				square := exact(0).Mul(exact(nd.u[j]), exact(nd.u[j]))
				sum.Add(sum, square.Quo(square, exact(nd.d[j])))
			}
			if exact(w.odds[k]).Cmp(sum.Mul(sum, exact(nd.component.phi))) < 0 {
				t.Errorf("trial %d: the odds of unit %d are below the exact ones", trial, k)
			}
		}
	}
}

// Intervals of coefficients allow for the rounding of the coefficients and of the weights.
func TestAveragedAllowsForRounding(t *testing.T) {
	q := get(prepare(design{n: 30, d: 5, neighbors: 0.9, score: "g", prior: "half", seed: 2}.problem()))(t)
	const nats = 0.01
	for j := range q.columns {
		if least := 2 * q.tau * q.most[j]; !(least > 0) || q.off[j] < least {
			t.Errorf("column %d: rounding moves its coefficient by %g", j, q.off[j])
		}
		in := q.averaged(Interval{0, 0, 0}, j, nats)
		if least := q.off[j] + (math.Exp(2*nats)-1)*q.most[j]; in.Upper < least*q.coefUnit[j]*(1-1e-12) || in.Lower != -in.Upper {
			t.Errorf("column %d: %v, rounding is %g", j, in, least)
		}
	}
}
