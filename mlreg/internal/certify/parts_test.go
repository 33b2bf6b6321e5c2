package certify

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/combin"
)

// R of statement 1, in the range promised, and the error not overstated.
func TestMixture(t *testing.T) {
	for _, h := range []float64{0.5, 1, 3, 20, 250, 5000} {
		for _, lowest := range []float64{0.9, 0.3, 1e-3} {
			parts, eps := mixture(h, lowest, 1.7)
			var most float64
			for i := range 2001 {
				logQ := math.Log(lowest) + float64(i)/2000*math.Log(1.7/lowest)
				var ratio float64
				for _, c := range parts {
					ratio += math.Exp(c.logKappa - c.phi*math.Exp(logQ) + h*logQ)
				}
				most = math.Max(most, math.Abs(math.Log(ratio)))
			}
			if !(most <= eps) || eps > 5e-6 || most < eps/20 {
				t.Errorf("h %g, Q from %g: |log R| is up to %g, %g is promised", h, lowest, most, eps)
			}
		}
	}
}

// decay is less than what the product of the gamma function gives, and close.
func TestDecay(t *testing.T) {
	for _, h := range []float64{0.5, 2, 40} {
		for _, w := range []float64{0.3, 3, 20} {
			var sum float64
			for n := range 2000000 {
				sum += math.Log1p(w*w/((h+float64(n))*(h+float64(n)))) / 2
			}
			sum += w * w / 2 / (h + 2000000)
			if d := decay(w, h); d > sum || d < sum-math.Log1p(w*w/(h*h))/2 {
				t.Errorf("decay(%g, %g) = %g, the sum is %g", w, h, d, sum)
			}
		}
	}
}

// The law of a bound against the sum over all subsets: sum, inclusions, and draws.
func TestLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for trial := range 40 {
		n, k0 := trial%9, r.IntN(3)
		var size []float64
		if trial%2 == 0 {
			for range n + k0 + 1 {
				size = append(size, 3*r.NormFloat64())
			}
		}
		odds := make([]float64, n)
		for k := range odds {
			odds[k] = 3 * r.NormFloat64()
		}
		l := newLaw(n+3, size != nil)
		log := l.set(size, k0, odds)
		weights, inclusion := make([]float64, 1<<n), make([]float64, n)
		var sum float64
		for s := range weights {
			var v float64
			for b := uint32(s); b != 0; b &= b - 1 {
				v += odds[bits.TrailingZeros32(b)]
			}
			if size != nil {
				v += size[k0+bits.OnesCount32(uint32(s))]
			}
			weights[s] = math.Exp(v)
			sum += weights[s]
			for b := uint32(s); b != 0; b &= b - 1 {
				inclusion[bits.TrailingZeros32(b)] += weights[s]
			}
		}
		if math.Abs(log-math.Log(sum)) > 1e-12 {
			t.Errorf("log sum %g, want %g", log, math.Log(sum))
		}
		for k := range inclusion {
			if math.Abs(l.inclusion[k]-inclusion[k]/sum) > 1e-12 {
				t.Errorf("inclusion %g, want %g", l.inclusion[k], inclusion[k]/sum)
			}
		}
		checkDraws(t, l, n, weights, sum)
	}
}

// checkDraws fails if the frequencies of subsets deviate by 6 standard errors.
func checkDraws(t *testing.T, l *law, n int, weights []float64, sum float64) {
	t.Helper()
	const draws = 20000
	l.prepareDraws(n)
	stream := rand.NewPCG(5, 6)
	counts := make([]int, len(weights))
	for range draws {
		s := 0
		for _, k := range l.draw(stream, n, nil) {
			s |= 1 << k
		}
		counts[s]++
	}
	for s, c := range counts {
		p := weights[s] / sum
		if math.Abs(float64(c)-draws*p) > 6*math.Sqrt(draws*p*(1-p))+6 {
			t.Errorf("subset %b was drawn %d times, want %g", s, c, draws*p)
		}
	}
}

// Where the table of sizes underflows, the law is one that is no less, and says by how much.
func TestLawFlat(t *testing.T) {
	const n, k0 = 1000, 3
	size, odds := make([]float64, k0+n+1), make([]float64, n)
	for k := range size {
		size[k] = -0.2 * float64(k)
	}
	size[k0+7] = 2000
	l := newLaw(n, true)
	log := l.set(size, k0, odds)
	if !l.flat {
		t.Fatal("the table did not underflow")
	}
	sum, closest := math.Inf(-1), math.Inf(1)
	for k, v := range size[k0:] {
		excess := l.excess(size, k0, k)
		if closest = math.Min(closest, excess); excess < 0 {
			t.Errorf("size %d is above its bound by %g", k, -excess)
		}
		sum = logAdd(sum, combin.LogGeneralizedBinomial(float64(n), float64(k))+v+excess)
	}
	if closest > 1e-9 {
		t.Errorf("all sizes are %g and more below their bound", closest)
	}
	if math.Abs(log-sum) > 1e-9*sum {
		t.Errorf("log sum %g, want %g", log, sum)
	}
}

// Elimination, solutions and inverses against matrices with a known product.
func TestAlgebra(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for n := 1; n < 40; n++ {
		for _, s := range []int{0, 1, n / 2, n} {
			a := make([]float64, n*n)
			x := make([]float64, n)
			for i := range n {
				for j := range i {
					a[i*n+j] = r.NormFloat64()
					a[j*n+i] = a[i*n+j]
				}
				a[i*n+i] = float64(3*n) + r.Float64()
				x[i] = r.NormFloat64()
			}
			f := slices.Clone(a)
			if !eliminate(f, n, s) {
				t.Fatal("not positive definite")
			}
			for i := range n {
				for j := i; j < n; j++ {
					var v float64
					for k := range min(s, i+1) {
						v += f[k*n+i] * f[k*n+j]
					}
					if i >= s {
						v += f[i*n+j]
					}
					if math.Abs(v-a[i*n+j]) > 1e-13*float64(n) {
						t.Errorf("n %d s %d: R'R + C is off by %g", n, s, v-a[i*n+j])
					}
				}
			}
			if s < n {
				continue
			}
			checkSolutions(t, a, f, x, n)
		}
	}
	if eliminate([]float64{1, 2, 2, 1}, 2, 2) {
		t.Error("an indefinite matrix was factored")
	}
}

func checkSolutions(t *testing.T, a, f, x []float64, n int) {
	t.Helper()
	b := make([]float64, n)
	for i := range n {
		b[i] = dot(a[i*n:i*n+n], x)
	}
	solve(f, n, b)
	v, inverse := make([]float64, n), make([]float64, n*n)
	conditionalPivots(v, f, n)
	invert(inverse, f, n)
	mirror(inverse, n)
	for i := range n {
		if math.Abs(b[i]-x[i]) > 1e-13 || math.Abs(v[i]*inverse[i*n+i]-1) > 1e-13 {
			t.Errorf("n %d: solution %g want %g, pivot %g want %g", n, b[i], x[i], v[i], 1/inverse[i*n+i])
		}
		for j := range n {
			e := dot(a[i*n:i*n+n], inverse[j*n:j*n+n])
			if i == j {
				e--
			}
			if math.Abs(e) > 1e-13*float64(n) {
				t.Errorf("n %d: inverse is off by %g", n, e)
			}
		}
	}
}

// Statement 5: Q, log det and the pivots that elimination gives in any order are right to tau, for designs that are
// nearly singular; and tau is not beyond measure.
func TestEliminationIsRightToTau(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var worst float64
	for trial := range 40 {
		c := design{n: 40, d: 9, neighbors: 1 - math.Pow(10, -float64(trial%6)-1), score: scores[trial%len(scores)], prior: "half", seed: uint64(trial)}
		p, err := prepare(c.problem())
		if err != nil {
			t.Fatal(err)
		}
		w := newWorkspace(p)
		for range 20 {
			var in, free []int16
			for _, k := range r.Perm(9) {
				switch r.IntN(3) {
				case 0:
					in = append(in, int16(k))
				case 1:
					free = append(free, int16(k))
				}
			}
			w.load(in, free)
			all := make([]int, len(free))
			for i := range all {
				all[i] = i
			}
			w.setOdds()
			m := w.measure(all)
			for _, at := range []struct {
				q       float64
				columns []int
			}{{w.q, p.columnsOf(in)}, {m.q, p.columnsOf(append(slices.Clone(in), free...))}} {
				q, _ := p.bigQ(at.columns)
				e := new(big.Float).Sub(exact(at.q), q)
				off, _ := e.Quo(e, q).Float64()
				worst = math.Max(worst, math.Abs(off)/p.tau)
				if math.Abs(off) > p.tau {
					t.Errorf("Q of %v is off by %g, tau is %g", at.columns, off, p.tau)
				}
			}
		}
	}
	t.Logf("largest error/tau %g", worst)
}

// setOdds makes the odds zero, for tests without a law.
func (w *workspace) setOdds() { clear(w.odds) }

// What is proven to be below G is, where the factorization just succeeds.
func TestProvenBelow(t *testing.T) {
	proven := 0
	for trial := range 200 {
		c := design{n: 30, d: 6, neighbors: 0.99, score: "bic", prior: "half", seed: uint64(trial)}
		p := get(prepare(c.problem()))(t)
		w := newWorkspace(p)
		all := []int16{0, 1, 2, 3, 4, 5}
		w.load(nil, all)
		d := slices.Clone(p.diagonal)
		toEdge(w, d)
		if !provenBelow(w.t, w.g, 6, d) {
			continue
		}
		proven++
		m := bigMatrix{n: 6}
		for i := range 6 {
			for j := range 6 {
				v := exact(w.g[i*6+j])
				if i == j {
					v.Sub(v, exact(d[i]))
				}
				m.a = append(m.a, v)
			}
		}
		if !m.eliminate(6) {
			t.Errorf("trial %d: D is not below G", trial)
		}
	}
	if proven < 100 {
		t.Errorf("only %d proofs", proven)
	}
	if d := []float64{0.5, leastPivot}; provenBelow(make([]float64, 4), []float64{1, 0, 0, 1}, 2, d) {
		t.Errorf("nothing is left of D, %g, and it is proven", d)
	}
}

// Sums over leaves against all subsets, of single columns and of groups, and of no unit.
func TestLeaf(t *testing.T) {
	for i, score := range scores {
		for _, groups := range [][][]int{nil, {{0, 2}, {1}, {3, 4, 5}, {6}}} {
			c := design{n: 30, d: 7, neighbors: 0.7, score: score, prior: priors[i%3], units: groups, seed: 9}
			p := get(prepare(c.problem()))(t)
			var free []int16
			for k := 1; k < len(p.units); k++ {
				free = append(free, int16(k))
			}
			for part := range p.parts {
				checkLeaf(t, p, &node{component: &p.parts[part], in: []int16{0}, free: free}, fmt.Sprintf("%+v, part %d", c, part))
				checkLeaf(t, p, &node{component: &p.parts[part], in: []int16{0}}, fmt.Sprintf("%+v, part %d, nothing free", c, part))
			}
		}
	}
}

func checkLeaf(t *testing.T, p *problem, nd *node, name string) {
	t.Helper()
	w := newWorkspace(p)
	w.load(nd.in, nd.free)
	got := w.sum(nd)
	want, inclusion := math.Inf(-1), make([]float64, len(nd.free))
	for subset := range uint32(1) << len(nd.free) {
		in := slices.Clone(nd.in)
		var own float64
		for b := subset; b != 0; b &= b - 1 {
			in = append(in, nd.free[bits.TrailingZeros32(b)])
		}
		for _, k := range in {
			own += p.own[k]
		}
		q, logDet := p.bigQ(p.columnsOf(in))
		f, _ := q.Float64()
		log := nd.component.logKappa + own - nd.component.phi*f
		if p.size != nil {
			log += p.size[len(in)]
		}
		if p.det {
			log -= logDet / 2
		}
		want = logAdd(want, log)
		for b := subset; b != 0; b &= b - 1 {
			inclusion[bits.TrailingZeros32(b)] += math.Exp(log - got.log)
		}
	}
	if math.Abs(got.log-want) > 1e-11*(1+math.Abs(want)) {
		t.Errorf("%s: log sum %.15g, want %.15g", name, got.log, want)
	}
	for k, v := range got.inclusion {
		if math.Abs(v-inclusion[k]) > 1e-9 {
			t.Errorf("%s: inclusion %g, want %g", name, v, inclusion[k])
		}
	}
}

// Errors of log weights move the odds of a share by at most their factor.
func TestWiden(t *testing.T) {
	odds := func(p float64) float64 { return p / (1 - p) }
	const moved = 0.1
	for _, p := range []float64{0, 1e-9, 0.3, 0.5, 1 - 1e-6, 1} {
		low, high := widen(p, p, moved)
		if !(0 <= low && low <= p && p <= high && high <= 1) {
			t.Errorf("%v is not in [%v, %v], or these are no probabilities", p, low, high)
		}
		for _, side := range []struct{ got, want float64 }{{low, odds(p) * math.Exp(-2*moved)}, {high, odds(p) * math.Exp(2*moved)}} {
			if p > 0 && p < 1 && math.Abs(odds(side.got)/side.want-1) > 1e-6 {
				t.Errorf("odds of %v: %v beside %v", p, odds(side.got), side.want)
			}
		}
		if low, high = widen(p, p, math.Inf(1)); low != 0 || high != 1 {
			t.Errorf("[%v, %v] without a bound of rounding", low, high)
		}
	}
	r := rand.New(rand.NewPCG(9, 9)) // near 1, where an error of odds is hardly one of the probability, and rounding is what is left
	for range 1000 {
		p, nats := 1-0.03*r.Float64(), r.Float64()/10
		low, high := widen(p, p, nats)
		with := func(odds float64) *big.Float { // exact but for odds
			in := exact(0).Mul(exact(p), exact(odds))
			return in.Quo(in, exact(0).Add(in, exact(0).Sub(exact(1), exact(p))))
		}
		f := math.Exp(-2 * nats)
		out := exact(0).Mul(exact(0).Sub(exact(1), exact(p)), exact(f))
		above := exact(0).Quo(exact(p), out.Add(out, exact(p)))
		if exact(low).Cmp(with(f)) > 0 || exact(high).Cmp(above) < 0 {
			t.Errorf("%v within %v nats is beyond [%v, %v]", p, nats, low, high)
		}
	}
}

// mirror copies the upper triangle to the lower one.
func mirror(a []float64, n int) {
	for i := 1; i < n; i++ {
		for j := range i {
			a[i*n+j] = a[j*n+i]
		}
	}
}

// Below a diagonal G, where P_jj = 1/(G_jj - D_jj), the best change of every D_j is known: D_j = G_jj - mu/gain_j. It falls by
// half at most.
func TestRaiseBelowDiagonal(t *testing.T) {
	const n, mu = 4, 0.2
	g, d, gain := make([]float64, n*n), []float64{0.2, 1.2, 1.8, 2.4}, []float64{1e-9, 1e-9, 0.7, 1}
	for j := range n {
		g[j*n+j] = float64(j + 1)
	}
	if !raise(make([]float64, n*n), make([]float64, n*n), g, n, d, gain, mu) {
		t.Fatal("G - D has no factor")
	}
	for j, want := range []float64{0.1, 0.6, 3 - mu/gain[2], 4 - mu/gain[3]} {
		if math.Abs(d[j]-want) > 1e-14 {
			t.Errorf("D_%d is %g, want %g", j, d[j], want)
		}
	}
}
