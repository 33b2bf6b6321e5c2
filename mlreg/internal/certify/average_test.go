package certify

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// averagesOf are pairs and mean coefficients by sums over all subsets, each solved by itself.
func averagesOf(p *Problem, want *truth) (pairs, means []float64) {
	units := p.unitCount()
	pairs, means = make([]float64, units*(units-1)/2), make([]float64, p.Columns)
	for subset, log := range want.logs {
		share := math.Exp(log - want.logZ)
		var columns []int
		for b := uint32(subset); b != 0; b &= b - 1 {
			k := bits.TrailingZeros32(b)
			columns = append(columns, p.unitColumns(k)...)
			for o := range k {
				if subset>>o&1 == 1 {
					pairs[pairEvent(units, o, k)-units] += share
				}
			}
		}
		if share == 0 {
			continue
		}
		for i, m := range p.solveFor(columns) {
			means[columns[i]] += share * m
		}
	}
	return pairs, means
}

// solveFor returns the coefficients of some columns by Gauss and Jordan.
func (p *Problem) solveFor(columns []int) []float64 {
	n := len(columns)
	a := make([][]float64, n)
	for i, c := range columns {
		for _, o := range columns {
			a[i] = append(a[i], p.M[packed(max(c, o)+1, min(c, o)+1)])
		}
		a[i] = append(a[i], p.M[packed(c+1, 0)])
	}
	for k := range a {
		for i := range a {
			if i == k {
				continue
			}
			f := a[i][k] / a[k][k]
			for j := range a[i] {
				a[i][j] -= f * a[k][j]
			}
		}
	}
	m := make([]float64, n)
	for k := range m {
		m[k] = a[k][n] / a[k][k]
	}
	return m
}

// scaled multiplies columns and response by powers of two and others, which coefficients have to follow.
func (p *Problem) scaled(response float64, column func(j int) float64) {
	f := func(i int) float64 {
		if i == 0 {
			return response
		}
		return column(i - 1)
	}
	for i := range p.Columns + 1 {
		for j := range i + 1 {
			p.M[packed(i, j)] *= f(i) * f(j)
		}
	}
}

// Pairs and coefficients lie in their intervals, whatever the score, and these are narrow: by draws, by sums over all leaves, and by bounds alone.
func TestAverages(t *testing.T) {
	for i, c := range coverageDesigns {
		c.seed = uint64(100 + i)
		p := c.problem()
		if !p.Det && p.Rate == 0 {
			p.scaled(3, func(j int) float64 { return math.Ldexp(1.3, 5*(j%3)-4) })
		}
		want := sumAll(p)
		pairs, means := averagesOf(p, want)
		for _, how := range []struct {
			set    Settings
			status Status
			width  float64 // of pairs, and of coefficients relative to their limit
		}{
			{Settings{Nodes: 60, Draws: 200000, leaf: 2, Average: true}, Sampled, 0.06},
			{Settings{Average: true}, Summed, 1e-4},
			{Settings{Average: true, Nodes: 60, leaf: 2, Progress: stopAt(60)}, Cancelled, 2},
		} {
			r, err := Run(p, rand.NewPCG(1, 2), how.set)
			if r == nil || r.Status != how.status || (err != nil) != (how.status == Cancelled) {
				t.Fatalf("%+v: %v, %v", c, r, err)
			}
			q := get(prepare(p))(t)
			for k, in := range r.Pairs {
				if !(in.Lower <= pairs[k] && pairs[k] <= in.Upper) || in.Width() > how.width {
					t.Errorf("%+v, status %d: pair %d is %.12g, not in %.12g, or that is wide", c, r.Status, k, pairs[k], in)
				}
			}
			for j, in := range r.Coefficients {
				if !(in.Lower <= means[j] && means[j] <= in.Upper) || in.Width() > how.width*q.most[j]*q.coefUnit[j] {
					t.Errorf("%+v, status %d: coefficient %d is %.12g, not in %.12g, or that is wide, of %g", c, r.Status, j, means[j], in, q.most[j]*q.coefUnit[j])
				}
			}
			if len(r.Pairs) != len(pairs) || len(r.Coefficients) != len(means) {
				t.Errorf("%d pairs, %d coefficients", len(r.Pairs), len(r.Coefficients))
			}
		}
	}
}

func stopAt(done float64) func(float64, float64) error {
	return func(d, _ float64) error {
		if d >= done {
			return ErrProblem
		}
		return nil
	}
}

// No coefficient of any subset is beyond its limit, which the largest model comes near to where a column has the fit to itself.
func TestCoefficientLimits(t *testing.T) {
	for i, c := range coverageDesigns {
		c.seed = uint64(200 + i)
		p := c.problem()
		q := get(prepare(p))(t)
		closest := 0.0
		for subset := range uint32(1) << p.unitCount() {
			var columns []int
			for b := subset; b != 0; b &= b - 1 {
				columns = append(columns, p.unitColumns(bits.TrailingZeros32(b))...)
			}
			for i, m := range p.solveFor(columns) {
				share := math.Abs(m) / (q.most[columns[i]] * q.coefUnit[columns[i]])
				if closest = math.Max(closest, share); share > 1 {
					t.Errorf("%+v: %v of the limit of column %d", c, share, columns[i])
				}
			}
		}
		if closest < 0.3 {
			t.Errorf("%+v: limits are %v times too high", c, 1/closest)
		}
	}
	one := &Problem{Columns: 1, M: []float64{1, 0.5, 1}, Size: []float64{0, 0}, Power: -3}
	if q := get(prepare(one))(t); math.Abs(q.most[0]*q.coefUnit[0]-0.5) > 1e-12 {
		t.Errorf("one column: %v, want its only coefficient, 0.5", q.most[0])
	}
}

// Intervals of coefficients at alpha 0.05 miss no more often than they may, and are within reach of the bound: the estimate's error has
// the deviation that the interval is made of.
func TestAverageCoverage(t *testing.T) {
	const replications = 30
	missed, z1, z2, statements := 0, 0.0, 0.0, 0.0
	for i, c := range coverageDesigns[:4] {
		c.seed = uint64(300 + i)
		p := c.problem()
		want := sumAll(p)
		pairs, means := averagesOf(p, want)
		set := get(Settings{Nodes: 40, Draws: 5000, Alpha: 0.05, leaf: 2, Average: true}.withDefaults())(t)
		q := get(prepare(p))(t)
		q.leaf, q.average = 2, true
		r := &run{Settings: set, p: q}
		r.tree = planted(t, q)
		if err := r.tree.grow(set.Nodes, set.Memory, func(int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		f := r.tree.freeze()
		for seed := range uint64(replications) {
			r.src = rand.NewPCG(seed, 5)
			s := r.sampler(f)
			pilot := get(s.sample(1000, nil, noProgress()))(t)
			a := pilot.x / pilot.draws
			e := f.evidence(get(s.sample(set.Draws, q.momentsFor(pilot, a), noProgress()))(t), a, set.Alpha)
			any := false
			for j, m := range means {
				in := q.averaged(e.average(j, j), j, 0)
				any = any || !(in.Lower <= m && m <= in.Upper)
			}
			for k, v := range pairs {
				in := e.probability(len(q.units) + k)
				any = any || !(in.Lower <= v && v <= in.Upper)
			}
			if any {
				missed++
			}
			z := e.averageScore(int(seed)%len(means), means)
			z1, z2, statements = z1+z, z2+z*z, statements+1
		}
	}
	if missed > 4*replications/10 {
		t.Errorf("%d of %d miss", missed, 4*replications)
	}
	checkScores(t, "coefficients", z1/statements, z2/statements, int(statements))
}

// averageScore is the z-score of A - cB at the true c, from moments.
func (e *evidence) averageScore(j int, means []float64) float64 {
	c := means[j] / e.p.coefUnit[j]
	n, m := e.draws, e.moments
	mean := m.v[j]/n - c*(e.x/n-e.a)
	square := (m.vv[j]-2*c*m.vx[j]+c*c*(e.xx-2*e.a*e.x))/n + c*c*e.a*e.a
	target := c*e.z0 - e.z0*e.exact.share(e.events+j) - e.a*(m.h[j]*e.inU[j]-c)
	return (mean - target) / math.Sqrt((square-mean*mean)/n)
}
