package quantiles

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// check returns the problem of quantile regression of weights w, nil for ones.
func check(x [][]float64, y, w []float64, tau float64) *Problem {
	n, k := len(y), len(x[0])
	p := &Problem{A: blas64.General{Rows: n, Cols: k, Stride: max(k, 1), Data: make([]float64, n*k)}, Y: y, Low: make([]float64, n), High: make([]float64, n)}
	for i := range n {
		copy(p.A.Data[i*k:], x[i])
		wi := 1.0
		if w != nil {
			wi = w[i]
		}
		p.Low[i], p.High[i] = (tau-1)*wi, tau*wi
	}
	return p
}

func random(n, k int, tau float64, seed uint64) *Problem {
	rnd := rand.New(rand.NewPCG(seed, uint64(n)))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range n {
		x[i] = make([]float64, k)
		x[i][0] = 1
		y[i] = rnd.NormFloat64()
		for j := 1; j < k; j++ {
			x[i][j] = rnd.NormFloat64()
			y[i] += x[i][j]
		}
	}
	return check(x, y, nil, tau)
}

// value is F in exact arithmetic, for coefficients that are rational.
func (p *Problem) value(b []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i, y := range p.Y {
		r := new(big.Rat).SetFloat64(y)
		for j, a := range p.row(i) {
			r.Sub(r, new(big.Rat).Mul(new(big.Rat).SetFloat64(a), b[j]))
		}
		slope := p.High[i]
		if r.Sign() < 0 {
			slope = p.Low[i]
		}
		sum.Add(sum, r.Mul(r, new(big.Rat).SetFloat64(slope)))
	}
	return sum
}

// through solves for the coefficients of a fit through the rows, nil if there is none.
func (p *Problem) through(rows []int) []*big.Rat {
	k := len(rows)
	m := make([][]*big.Rat, k)
	for c, i := range rows {
		for _, a := range append(append([]float64(nil), p.row(i)...), p.Y[i]) {
			m[c] = append(m[c], new(big.Rat).SetFloat64(a))
		}
	}
	for c := range k {
		pivot := c
		for pivot < k && m[pivot][c].Sign() == 0 {
			pivot++
		}
		if pivot == k {
			return nil
		}
		m[c], m[pivot] = m[pivot], m[c]
		for i := range k {
			if i == c {
				continue
			}
			f := new(big.Rat).Quo(m[i][c], m[c][c])
			for j := range m[i] {
				m[i][j] = new(big.Rat).Sub(m[i][j], new(big.Rat).Mul(f, m[c][j]))
			}
		}
	}
	b := make([]*big.Rat, k)
	for c := range k {
		b[c] = new(big.Rat).Quo(m[c][k], m[c][c])
	}
	return b
}

// enumerate returns the least value over all vertices, and the range of every
// coefficient over those that reach it, in exact arithmetic.
func (p *Problem) enumerate() (least *big.Rat, low, high []*big.Rat) {
	n, k := p.A.Rows, p.A.Cols
	rows := make([]int, k)
	var walk func(from, c int)
	walk = func(from, c int) {
		if c == k {
			b := p.through(rows)
			if b == nil {
				return
			}
			f := p.value(b)
			switch {
			case least == nil || f.Cmp(least) < 0:
				least, low, high = f, append([]*big.Rat(nil), b...), append([]*big.Rat(nil), b...)
			case f.Cmp(least) == 0:
				for j := range b {
					if b[j].Cmp(low[j]) < 0 {
						low[j] = b[j]
					}
					if b[j].Cmp(high[j]) > 0 {
						high[j] = b[j]
					}
				}
			}
			return
		}
		for i := from; i < n; i++ {
			rows[c] = i
			walk(i+1, c+1)
		}
	}
	walk(0, 0)
	return least, low, high
}

// Small problems of whole numbers, with ties, identical rows, exact fits and zero
// weights, against every vertex in exact arithmetic.
func TestAgainstEveryVertex(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	several, tied := 0, 0
	trials := 600
	if testing.Short() {
		trials = 150
	}
	for trial := range trials {
		n, k := 3+rnd.IntN(7), 1+rnd.IntN(3)
		n = max(n, k)
		x, y, w := make([][]float64, n), make([]float64, n), make([]float64, n)
		exact := trial%10 == 0
		for i := range n {
			x[i] = make([]float64, k)
			x[i][0] = 1
			sum := 1.0
			for j := 1; j < k; j++ {
				x[i][j] = float64(rnd.IntN(5) - 2)
				sum += x[i][j] * float64(j)
			}
			y[i], w[i] = float64(rnd.IntN(7)), float64(1+rnd.IntN(3))
			if exact {
				y[i] = sum
			}
			if i > 0 && rnd.IntN(4) == 0 {
				copy(x[i], x[i-1])
				y[i] = y[i-1]
			}
		}
		tau := []float64{0.125, 0.25, 0.5, 0.75}[rnd.IntN(4)]
		p := check(x, y, w, tau)
		least, low, high := p.enumerate()
		s, err := Solve(p, 0)
		if least == nil {
			if e := new(SingularError); !errors.As(err, &e) {
				t.Errorf("trial %d: no vertex exists, and the error is %v", trial, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		want, _ := least.Float64()
		value, gap := s.Objective()
		if math.Abs(value-want) > 1e-12*(1+want) || gap > 1e-12*(1+want) {
			t.Errorf("trial %d: the objective is %v with gap %g, and the least of all vertices %v", trial, value, gap, want)
		}
		from, to, unique, err := s.Range(nil, 1000)
		if err != nil {
			t.Fatal(err)
		}
		one := true
		for j := range low {
			l, _ := low[j].Float64()
			h, _ := high[j].Float64()
			one = one && l == h
			if math.Abs(from[j]-l) > 1e-12 || math.Abs(to[j]-h) > 1e-12 {
				t.Errorf("trial %d: coefficient %d ranges from %v to %v, and over all best vertices from %v to %v", trial, j, from[j], to[j], l, h)
			}
		}
		if one != unique {
			t.Errorf("trial %d: unique %v, wanted %v", trial, unique, one)
		}
		if !unique {
			several++
		}
		if len(s.Ties()) > 0 {
			tied++
		}
		holdsKKT(t, p, s)
	}
	if several < trials/20 || tied < trials/20 {
		t.Errorf("only %d problems had several minima, and %d ties", several, tied)
	}
}

// holdsKKT checks the dual against the sign of every residual and A'd = q.
func holdsKKT(t *testing.T, p *Problem, s *Solution) {
	t.Helper()
	b, _ := s.Coef()
	d, r := s.Dual(), s.Residuals()
	for i := range r {
		exact, size := p.Y[i], math.Abs(p.Y[i])
		for j, a := range p.row(i) {
			exact -= a * b[j]
			size += math.Abs(a * b[j])
		}
		if math.Abs(exact-r[i]) > 1e-12*(1+size) {
			t.Errorf("residual %d is %v, and y - a'b is %v", i, r[i], exact)
		}
		if d[i] < p.Low[i] || d[i] > p.High[i] || r[i] > 0 && d[i] != p.High[i] || r[i] < 0 && d[i] != p.Low[i] {
			t.Errorf("row %d of residual %g has the dual %v outside of %v to %v", i, r[i], d[i], p.Low[i], p.High[i])
		}
	}
	for j := range b {
		var sum, size float64
		for i := range d {
			sum += d[i] * p.row(i)[j]
			size += math.Abs(d[i] * p.row(i)[j])
		}
		if p.Linear != nil {
			sum -= p.Linear[j]
		}
		if math.Abs(sum) > 1e-10*size {
			t.Errorf("column %d: A'd - q = %g beside terms that sum to %g", j, sum, size)
		}
	}
}

// Samples and globs end in the vertex that the whole problem has, also from a guess that is far
// off: in the last problem the guess of least squares follows a response of 1e6.
func TestLargeIsExact(t *testing.T) {
	for seed := range uint64(7) {
		p := random([]int{30_000, 1000}[seed/4], 5, []float64{0.5, 0.9, 0.02, 0.5, 0.5, 0.95, 0.5}[seed], seed)
		if seed == 6 {
			p.Y[17] = 1e6
		}
		if seed == 3 { // a column that is zero in nearly all rows
			for i := range p.A.Rows {
				p.A.Data[i*5+4] = 0
				if i%7919 == 5 {
					p.A.Data[i*5+4] = 1
				}
			}
		}
		s, err := Solve(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		value, gap := s.Objective()
		if gap > 1e-12*value {
			t.Errorf("seed %d: gap %g of %g", seed, gap, value)
		}
		if s.Passes == 0 || s.Sampled != (seed < 4) {
			t.Errorf("seed %d: %d passes, samples %v", seed, s.Passes, s.Sampled)
		}
		holdsKKT(t, p, s)
		basis, err := p.startBasis(slices.Clone(p.Y))
		if err != nil {
			t.Fatal(err)
		}
		v, err := newVertex(p, basis)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.minimize(100_000); err != nil {
			t.Fatal(err)
		}
		for j := range v.b {
			if math.Abs(v.b[j]-s.v.b[j]) > 1e-12 {
				t.Errorf("seed %d: coefficient %d is %v, and of the whole problem %v", seed, j, s.v.b[j], v.b[j])
			}
		}
	}
}

// Of centered residuals a share of tau is below zero.
func TestCenter(t *testing.T) {
	const n, tau = 1000, 0.2
	x, y, w := make([][]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i], w[i] = []float64{1}, float64(i*i), 1
	}
	r := slices.Clone(y)
	check(x, y, w, tau).center(r)
	below := 0
	for _, x := range r {
		if x < 0 {
			below++
		}
	}
	if below < tau*n-1 || below > tau*n {
		t.Errorf("%d residuals of %d are below zero, want a share of %g", below, n, tau)
	}
}

// Ties, rows that are equal, weights of many sizes, heavy tails and quantiles near 0 and 1: rows
// that count by their signs do not change the least loss.
func TestSignsOfAwkwardRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 9))
	moved := 0
	for trial := range 120 {
		n, k := signRows+rnd.IntN(500), 1+rnd.IntN(4)
		x, y, w := make([][]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], w[i] = make([]float64, k), 1
			x[i][0] = 1
			for j := 1; j < k; j++ {
				x[i][j] = rnd.NormFloat64()
				if trial%3 == 0 {
					x[i][j] = float64(rnd.IntN(5) - 2)
				}
				y[i] += x[i][j]
			}
			switch trial % 4 {
			case 0:
				y[i] += float64(rnd.IntN(4))
			case 1:
				y[i] += math.Tan(math.Pi * (rnd.Float64() - 0.5))
			case 2:
				w[i] = math.Exp(10 * rnd.NormFloat64())
				y[i] += rnd.NormFloat64()
			default:
				y[i] += rnd.ExpFloat64() * (1 + 5*math.Abs(x[i][k-1]))
			}
			if i > 0 && rnd.IntN(4) == 0 {
				copy(x[i], x[i-1])
				y[i] = y[i-1]
			}
		}
		tau := []float64{0.5, 0.5, 0.1, 0.99, 0.001}[rnd.IntN(5)]
		p := check(x, y, w, tau)
		s, err := Solve(p, 0)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		basis, err := p.startBasis(p.residuals(make([]float64, k)))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := p.finish(&guess{basis: basis, most: p.limit(0)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		value, gap := s.Objective()
		want, _ := whole.Objective()
		if s.Passes == 0 || math.Abs(value-want) > 1e-12*want || gap > 1e-12*value {
			t.Errorf("trial %d: %v with gap %g after %d passes, and %v without them", trial, value, gap, s.Passes, want)
		}
		if s.v.steps > 0 {
			moved++
		}
		holdsKKT(t, p, s)
	}
	if moved < 100 {
		t.Errorf("only %d problems took a step", moved)
	}
}

// A limit of steps leaves a vertex, of problems of every size.
func TestStepLimit(t *testing.T) {
	for _, n := range []int{50, 1000, 30_000} {
		s, err := Solve(random(n, 5, 0.5, 1), 1)
		if err != ErrSteps || s == nil || s.Steps() != 1 {
			t.Errorf("%d rows: %v", n, err)
			continue
		}
		if value, gap := s.Objective(); !(gap > 0 && gap < value) {
			t.Errorf("%d rows: gap %g of %g", n, gap, value)
		}
	}
}

// The walk over tau passes the minimum of every tau.
func TestWalkOverTau(t *testing.T) {
	p := random(60, 3, 0.5, 7)
	zero, one, minus := make([]float64, 60), make([]float64, 60), make([]float64, 60)
	for i := range one {
		one[i], minus[i] = 1, -1
	}
	start := check(rowsOf(p), p.Y, nil, 0.01)
	s, err := Solve(start, 0)
	if err != nil {
		t.Fatal(err)
	}
	last, vertices := 0.01, 0
	err = s.Walk(minus, zero, one, one, 0.01, 0.99, 10_000, func(at *Solution, from, to float64) error {
		if from != last || to < from {
			t.Errorf("a vertex from %v to %v after %v", from, to, last)
		}
		last = to
		if to-from < 1e-9 {
			return nil
		}
		vertices++
		mid := (from + to) / 2
		own, err := Solve(check(rowsOf(p), p.Y, nil, mid), 0)
		if err != nil {
			return err
		}
		for j, b := range at.v.b {
			if math.Abs(b-own.v.b[j]) > 1e-10 {
				t.Errorf("tau %v: coefficient %d is %v, and by itself %v", mid, j, b, own.v.b[j])
			}
		}
		return nil
	})
	if err != nil || last != 0.99 || vertices < 60 {
		t.Errorf("%v; the walk ended at %v after %d vertices", err, last, vertices)
	}
}

func rowsOf(p *Problem) [][]float64 {
	x := make([][]float64, p.A.Rows)
	for i := range x {
		x[i] = p.row(i)
	}
	return x
}

// The interior-point method closes its gap where duals come so near to their bounds that its
// equations are lost to rounding, and where it stops early, also if rows are there several times.
func TestRidgeClosesItsGap(t *testing.T) {
	for seed := range uint64(200) {
		p := random(60, 6, 0.3, seed)
		copies := 1 + int(seed%3)
		q := &Problem{A: blas64.General{Rows: 60 * copies, Cols: 6, Stride: 6}}
		for range copies {
			q.A.Data, q.Y = append(q.A.Data, p.A.Data...), append(q.Y, p.Y...)
			q.Low, q.High = append(q.Low, p.Low...), append(q.High, p.High...)
		}
		for _, l2 := range []float64{0.01, 1, 30} {
			for _, tol := range []float64{1e-13, 1e-10} {
				in, err := SolveRidge(q, []float64{0, l2, l2, l2, l2, l2}, tol, 200)
				if err != nil || in.Gap > 1e-13*in.Value {
					t.Errorf("seed %d, %d copies, l2 = %v, to %g: %v, gap %g of %g", seed, copies, l2, tol, err, in.Gap, in.Value)
				}
			}
		}
	}
}

// So it does where the columns have units so different that the last equations are ill-conditioned.
func TestRidgeClosesItsGapInUnits(t *testing.T) {
	for seed := range uint64(20) {
		p := random(60, 3, 0.3, seed)
		for i := range 60 {
			p.A.Data[i*p.A.Stride+1] *= 0x1p40
		}
		in, err := SolveRidge(p, []float64{0, 0x1p80, 1}, 1e-10, 200)
		if err != nil || in.Gap > 1e-13*in.Value {
			t.Errorf("seed %d: %v, gap %g of %g", seed, err, in.Gap, in.Value)
		}
	}
}

// The interior-point method finds the vertex if there is no penalty, and with one the
// minimum that small steps of a coefficient do not improve.
func TestRidge(t *testing.T) {
	p := random(200, 4, 0.3, 3)
	s, err := Solve(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	in, err := SolveRidge(p, make([]float64, 4), 1e-11, 100)
	if err != nil {
		t.Fatal(err)
	}
	for j, b := range in.Coef {
		if math.Abs(b-s.v.b[j]) > 1e-6 {
			t.Errorf("coefficient %d is %v, and at the vertex %v", j, b, s.v.b[j])
		}
	}
	l2 := []float64{0, 1, 10, 100}
	in, err = SolveRidge(p, l2, 1e-11, 100)
	if err != nil {
		t.Fatal(err)
	}
	value := func(b []float64) (f float64) {
		for i, r := range p.residuals(b) {
			_ = i
			f += math.Max(0.3*r, -0.7*r)
		}
		for j := range b {
			f += l2[j] * b[j] * b[j]
		}
		return f
	}
	least := value(in.Coef)
	if math.Abs(least-in.Value) > 1e-9*least || in.Gap > 1e-11*least {
		t.Errorf("objective %v, gap %g; computed anew %v", in.Value, in.Gap, least)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		b := append([]float64(nil), in.Coef...)
		for j := range b {
			b[j] += 1e-3 * rnd.NormFloat64()
		}
		if value(b) < least-1e-10*least {
			t.Fatalf("a step from the minimum decreases the objective from %v to %v", least, value(b))
		}
	}
}

// Columns that are combinations of others are found.
func TestSingular(t *testing.T) {
	p := random(50, 4, 0.5, 9)
	for i := range 50 {
		r := p.row(i)
		r[2] = r[0] - 2*r[1]
	}
	_, err := Solve(p, 0)
	e := new(SingularError)
	if !errors.As(err, &e) || e.Rank != 3 || len(e.Keep) != 3 || e.Keep[0] != 0 || e.Keep[1] != 1 || e.Keep[2] != 3 {
		t.Errorf("%v: %+v", err, e)
	}
}

// A weighted quantile is the one that sorting finds.
func TestWeighted(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		n := 1 + rng.IntN(40)
		x, w, order := make([]float64, n), make([]float64, n), make([]int, n)
		var total float64
		for i := range n {
			x[i], w[i], order[i] = float64(rng.IntN(12)), float64(1+rng.IntN(5)), i
			total += w[i]
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
		share := float64(rng.IntN(9)) / 8
		want, sum := x[order[n-1]], 0.0
		for _, i := range order {
			if sum += w[i]; sum >= share*total {
				want = x[i]
				break
			}
		}
		before := slices.Clone(w)
		if got := Weighted(slices.Clone(x), w, share); got != want || !slices.Equal(before, w) {
			t.Fatalf("quantile %g of %v with weights %v is %g, want %g", share, x, before, got, want)
		}
	}
}

// The gap is what the dual leaves of the objective, for a dual that is not that of the
// minimum and an objective with a linear term.
func TestGapIsOfAnyDual(t *testing.T) {
	p := random(40, 3, 0.3, 11)
	p.Linear = []float64{0.2, -0.5, 0.1}
	s, err := Solve(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	value, gap := s.Objective()
	if gap > 1e-12*value {
		t.Errorf("gap %g at the minimum of %g", gap, value)
	}
	for k, move := range []float64{0.1, -0.07, 0.03} {
		s.v.dual[k] += move // within its bounds
	}
	var want, wantGap float64
	rest, d := slices.Clone(p.Linear), s.Dual()
	for i, r := range s.Residuals() {
		c := math.Max(p.Low[i]*r, p.High[i]*r)
		want, wantGap = want+c, wantGap+c-d[i]*r
		for j, a := range p.row(i) {
			rest[j] -= a * d[i]
		}
	}
	for j, b := range s.v.b {
		want += p.Linear[j] * b
		wantGap += math.Abs(rest[j] * b)
	}
	value, gap = s.Objective()
	if math.Abs(value-want) > 1e-12*want || math.Abs(gap-wantGap) > 1e-12*want || gap < 0.01 {
		t.Errorf("objective %v, want %v; gap %v, want %v", value, want, gap, wantGap)
	}
}

// The median of y, tilted: the statistic at the k-th smallest of n values is from k-1-n/2 to k-n/2.
func TestTilt(t *testing.T) {
	s, err := Solve(check([][]float64{{1}, {1}, {1}, {1}}, []float64{3, 0, 2, 1}, nil, 0.5), 0)
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for mu, want := range map[float64]Tilted{0.7: {2, 0, 1, 3, 1}, -1.6: {0, -2, -1, 1, nan}, 1.2: {3, 1, 2, nan, 2}} {
		got, err := s.Tilt([]float64{1}, mu, 100)
		if err != nil {
			t.Fatalf("mu = %g: %v", mu, err)
		}
		a, b := []float64{got.At, got.From, got.To, got.Next, got.Before}, []float64{want.At, want.From, want.To, want.Next, want.Before}
		if !slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 || x != x && y != y }) {
			t.Errorf("mu = %g: %v, want %v", mu, a, b)
		}
	}
	if _, err := s.Tilt([]float64{1}, 2.1, 100); !errors.Is(err, ErrUnbounded) {
		t.Errorf("beyond all values: %v", err)
	}
}

// No dual within its bounds makes a sum z larger than its size.
func TestSizesOfSums(t *testing.T) {
	s, err := Solve(random(20, 3, 0.9, 1), 0)
	if err != nil {
		t.Fatal(err)
	}
	p := s.v.p
	for j, size := range s.v.sizes() {
		var most, least float64
		for i := range p.Y {
			x := p.row(i)[j]
			most, least = most+max(p.High[i]*x, p.Low[i]*x), least+min(p.High[i]*x, p.Low[i]*x)
		}
		if size < max(most, -least)*(1-1e-14) {
			t.Errorf("sum %d is of the size %g, and may be from %g to %g", j, size, least, most)
		}
	}
}
