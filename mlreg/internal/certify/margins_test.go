package certify

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// sampleOf is evidence of draws of one event and X, written out, with numbers that leaves and bounds may have.
func sampleOf(in []bool, x []float64, a float64) *evidence {
	f := &frozen{tree: &tree{p: &problem{units: make([][]int, 1)}, exact: newTotal(1)}, events: 1, inU: []float64{0.4}, variation: sampleVariation}
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

// sampleVariation is what the probabilities of all draws may be off in sampleOf; it counts once for each of what they bound.
const sampleVariation = 1e-3

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
	half := e.halfWidth(variance, 1) + 2*sampleVariation
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
		half := e.halfWidth(variance, high-low) + 2*(1+a)*sampleVariation + a*sampleVariation
		near("excess", e.excess(0, p), beyond(d, half))
	}
	near("the upper limit of three draws, by X <= 1,", sampleOf(in[:3], x[:3], a).normalizer().Upper, math.Log(1.2))
}

// beyond is what d is outside of [-half, half].
func beyond(d, half float64) float64 {
	if math.Abs(d) <= half {
		return 0
	}
	return d - math.Copysign(half, d)
}

// The test of a mean coefficient is that bound of A - cB, written out; its range is that of its corners.
func TestAverageExcessIsThatOfTheDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	const n, most = 4000, 2.0
	for _, c := range []struct{ a, h float64 }{{0.3, 0.8}, {0.7, -1.5}, {0.05, 0}} {
		x, m, in := make([]float64, n), make([]float64, n), make([]bool, n)
		for i := range x {
			x[i], in[i] = r.Float64(), r.Float64() < 0.4
			if in[i] {
				m[i] = most * (2*r.Float64() - 1)
			}
		}
		e := sampleOf(in, x, c.a)
		e.p.most, e.moments = []float64{most}, newMoments(1, &moments{a: c.a, h: []float64{c.h}})
		for i, v := range x {
			if in[i] {
				e.moments.note(0, m[i], v)
			}
		}
		const n0 = 0.06
		for _, at := range []float64{-2, -1.1, -0.2, 0.4, 1.3, 2} {
			values := make([]float64, n)
			for i, v := range x {
				values[i] = m[i]*v - at*(v-c.a)
				if in[i] {
					values[i] -= c.a * c.h
				}
			}
			mean, variance := meanVariance(values)
			low, high := 0.0, 0.0
			for _, v := range []float64{0, 1} {
				for _, corner := range []float64{-at * (v - c.a), (most-at)*v - c.a*(c.h-at), (-most-at)*v - c.a*(c.h-at)} {
					low, high = math.Min(low, corner), math.Max(high, corner)
				}
			}
			d := mean - (at*0.2 - n0 - c.a*(c.h*0.4-at))
			half := e.halfWidth(variance, high-low) + 2*(high-low)*sampleVariation + c.a*most*sampleVariation
			if got, want := e.averageExcess(0, 0, n0, at), beyond(d, half); math.Abs(got-want) > 1e-9 {
				t.Errorf("a %g, h %g: the excess at %g is %.12g, want %.12g", c.a, c.h, at, got, want)
			}
		}
	}
}

// The variance of draws that hardly differ is no less than that of two passes.
func TestVarianceCoversRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	for range 50 {
		x := make([]float64, 100)
		for i := range x {
			x[i] = 0.7 + 1e-9*r.Float64()
		}
		e := sampleOf(make([]bool, len(x)), x, 0)
		mean := e.x / e.draws
		if _, want := meanVariance(x); e.variance(mean, e.xx/e.draws, e.xx/e.draws+mean*mean) < want {
			t.Errorf("less than %g", want)
		}
	}
}

// Intervals of bounds alone allow for the rounding of shares, twice of U and of leaves.
func TestCertainIntervals(t *testing.T) {
	const v = sampleVariation
	e := sampleOf([]bool{true}, []float64{1}, 0)
	f := e.frozen
	f.logL, f.p.most = math.Log(0.3), []float64{3}
	f.inL, f.inU, f.outL, f.outU = []float64{0.1}, []float64{0.4}, []float64{0.2}, []float64{0.5}
	f.nodes = make([]*node, 1)
	f.exact.parts = append(f.exact.parts, 0.06) // of the coefficient
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %.15g, want %.15g", what, got, want)
		}
	}
	_, events := f.certain()
	near("lower limit", events[0].Lower, (0.15-2*v)/(0.15+0.65))
	near("upper limit", events[0].Upper, (0.45+2*v)/(0.45+0.35))
	in := f.certainAverage(0, 0, 0.2, 1)
	near("lower limit of the coefficient", in.Lower, -(3*(0.4+2*v)-0.06)/(0.2+0.4+2*v+0.2-2*v))
	near("upper limit of the coefficient", in.Upper, (0.06+3*(0.4+2*v))/(0.2+0.4+2*v+0.2-2*v))
	f.exact.parts[1] = 2 // so that the coefficient is positive
	near("lower limit of a positive coefficient", f.certainAverage(0, 0, 0.2, 1).Lower, (2-3*(0.4+2*v))/(0.2+0.4+2*v+0.5+2*v))
}

// Of pairs whose law has no closed form, limits are those of Frechet.
func TestPairsOfAnUnknownLaw(t *testing.T) {
	for _, c := range []struct {
		flat    bool
		in, out float64
	}{{true, 0.42, 0.58}, {false, 0.6, 0.7}} {
		f := &frozen{}
		for _, v := range []*[]float64{&f.inU, &f.outU, &f.inL, &f.outL} {
			*v = make([]float64, 3)
		}
		f.addPairs(1, []float64{0.6, 0.7}, c.flat, 2, 0)
		if math.Abs(f.inU[2]-2*c.in) > 1e-15 || math.Abs(f.outU[2]-2*c.out) > 1e-15 {
			t.Errorf("flat %v: %g and %g of 2", c.flat, f.inU[2], f.outU[2])
		}
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
		checkFrozen(t, q, score)
	}
}

// checkFrozen fails unless a tree's rounding counts the sizes of logarithms, and numbers of nodes and leaves.
func checkFrozen(t *testing.T, q *problem, name string) {
	t.Helper()
	size := 0.0
	for _, c := range q.parts {
		size = math.Max(size, math.Abs(c.logKappa)+c.phi*q.cross[len(q.cross)-1])
	}
	for _, v := range q.own {
		size += math.Abs(v)
	}
	if q.size != nil {
		size += math.Abs(q.size[len(q.size)/2])
	}
	if q.det {
		size += 60 * float64(q.columns) * math.Ln10
	}
	if got := q.magnitude(); got < size*(1-1e-12) {
		t.Errorf("%s: log weights are of the size %g, at least %g", name, got, size)
	}
	tree := planted(t, q)
	w := newWorkspace(q)
	w.open(tree.open[0])
	if got, least := w.magnitude(tree.open[0]), math.Abs(tree.open[0].base)+math.Abs(tree.open[0].logU); got < least {
		t.Errorf("%s: the size of a node's logarithms is %g, at least %g", name, got, least)
	}
	f := tree.freeze()
	if f.rounding < 8*dd.Unit*float64(2*q.columns)*size {
		t.Errorf("%s: sums of logarithms of the size %g may be off by %g", name, size, f.rounding)
	}
	least := float64(4*len(f.nodes)+16*len(q.units)) * dd.Unit
	if q.size != nil {
		least += 8 * dd.Unit * float64(len(q.units)*len(q.units))
	}
	if f.variation < least {
		t.Errorf("%s: probabilities are off by %g, at least %g", name, f.variation, least)
	}
	tree.leaves = 1 << 40
	if f := tree.freeze(); f.rounding < math.Ldexp(2*dd.Unit, 40) {
		t.Errorf("%s: a sum over 2^40 leaves is off by %g", name, f.rounding)
	}
}

// What is given to every node is less than exact by more than the error that elimination may have, tau: Q of all columns, pivots,
// and D.
func TestPrepareLeavesTau(t *testing.T) {
	for _, score := range scores {
		p := design{n: 40, d: 8, neighbors: 0.99999, score: score, prior: "half", seed: 3}.problem()
		q := get(prepare(p))(t)
		all := []int{0, 1, 2, 3, 4, 5, 6, 7}
		least, _ := q.bigQ(all)
		lowest := get(q.setRounding(p))(t)
		if exact(lowest).Cmp(least.Mul(least, exact(1-2*q.tau))) > 0 {
			t.Errorf("%s: the limit of Q is %g", score, lowest)
		}
		below := diagonalBelow(q.cross, 9)
		for j, d := range q.diagonal {
			if d > below[j]*(1-3*q.tau) {
				t.Errorf("%s: D_%d is %g of what is proven", score, j, d/below[j])
			}
		}
		for j, v := range q.pivots {
			order := append(append([]int{}, all[:j]...), all[j+1:]...)
			m := q.big(append(order, j))
			m.eliminate(7)
			if last := m.a[63]; exact(v).Cmp(last.Mul(last, exact(1-2*q.tau))) > 0 {
				t.Errorf("%s: v_%d is not below the pivot by tau", score, j)
			}
		}
	}
}

// A result is in the units of the problem, and wider by the rounding on both sides.
func TestShift(t *testing.T) {
	r := &run{p: &problem{offset: 3}}
	if got := r.shift(Interval{1, 2, 4}, 0.5); got != (Interval{3.5, 5, 7.5}) {
		t.Errorf("%v", got)
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
			if trial%2 == 1 { // units that are hardly in: their own term is large beside the others
				p[i] *= 1e-9
			}
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

// Intervals of coefficients allow for the rounding of the coefficients, of M as it is given, and of the weights.
func TestAveragedAllowsForRounding(t *testing.T) {
	const nats, given = 0.01, 1e-7
	for _, score := range scores {
		p := design{n: 30, d: 5, neighbors: 0.9, score: score, prior: "half", seed: 2}.problem()
		p.Rounding = given
		q := get(prepare(p))(t)
		tau := 2*q.tau + given/math.Max(-p.Power, -p.Rate*p.M[0])
		for j := range q.columns {
			order := []int{0, 1, 2, 3, 4}
			order[j], order[4] = 4, j
			m := q.big(order)
			m.eliminate(4)
			if least := tau * math.Sqrt(q.cross[len(q.cross)-1]/m.float(4, 4)); q.off[j] < least*(1-1e-12) {
				t.Errorf("%s, column %d: rounding moves its coefficient by %g, want %g", score, j, q.off[j], least)
			}
			for _, in := range []Interval{{0, 0, 0}, {-q.most[j], 0, 0}, {0, 0, q.most[j]}} {
				wide := q.off[j] + math.Expm1(2*nats)*(q.most[j]+math.Max(-in.Lower, in.Upper))
				got := q.averaged(in, j, nats)
				if got.Upper < (in.Upper+wide)*q.coefUnit[j]*(1-1e-12) || got.Lower > (in.Lower-wide)*q.coefUnit[j]*(1-1e-12) {
					t.Errorf("%s, column %d: %v of %v, rounding is %g", score, j, got, in, wide)
				}
			}
		}
	}
}

// The sums over leaves and open nodes are in the unit of the open nodes, or of the leaves where those are nearly all.
func TestScalesOfSumsFarApart(t *testing.T) {
	for _, c := range []struct{ logU, scale, one float64 }{{-2, math.Exp(2), 1}, {-800, 1, math.Exp(-800)}, {800, math.Exp(-800), 1}} {
		f := &frozen{tree: &tree{exact: &total{sum: 1}}, nodes: make([]*node, 1), logU: c.logU}
		if scale, one := f.scales(); scale != c.scale || one != c.one {
			t.Errorf("log U = %g: %g and %g, want %g and %g", c.logU, scale, one, c.scale, c.one)
		}
	}
}

// gamma(n) is at least n u/(1 - n u), for so many roundings, too, that the square counts.
func TestGammaIsAbove(t *testing.T) {
	for _, n := range []int{1, 1000, 1 << 40, 1 << 50} {
		e := exact(0).Mul(exact(float64(n)), exact(dd.Unit))
		if e.Quo(e, exact(0).Sub(exact(1), e)); exact(gamma(n)).Cmp(e) < 0 {
			t.Errorf("gamma(%d) is %g, below %g", n, gamma(n), e)
		}
	}
}
