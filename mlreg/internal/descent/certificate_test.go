package descent

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// problem is a random one, as rows and as sums.
func problem(seed uint64, n, p int) (*Rows, *Sums) {
	rnd := rand.New(rand.NewPCG(seed, 8))
	c := NewColumns(make([]float64, n*p), make([]float64, n))
	for j := range p {
		col := c.Column(j)
		for i := range col {
			col[i] = rnd.NormFloat64()
			if j > 0 {
				col[i] = 0.6*c.Column(j - 1)[i] + 0.8*col[i]
			}
		}
	}
	for i := range c.y {
		c.y[i] = c.Column(0)[i] - c.Column(p / 2)[i] + 0.5*rnd.NormFloat64()
	}
	rows := NewRows(c)
	all := make([]int, p)
	for j := range all {
		all[j] = j
	}
	xx, xy := make([]float64, p*p), make([]float64, p)
	rows.Cross(all, all, xx, p)
	rows.Gradients(nil, nil, xy)
	return rows, NewSums(xx, xy, rows.Null())
}

// minimum returns the minimum of P to 60 digits, given which weights are active
// and their signs, and fails if they are not those of the minimum.
func minimum(t *testing.T, c *Columns, p *Elastic, set []int, w []float64) float64 {
	t.Helper()
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	dot := func(a, b []float64) *big.Float {
		sum := num(0)
		for i, v := range a {
			sum.Add(sum, new(big.Float).Mul(num(v), num(b[i])))
		}
		return sum
	}
	k := len(set)
	a := make([][]*big.Float, k) // of the normal equations, with the right-hand side
	for i, j := range set {
		a[i] = make([]*big.Float, k+1)
		for c2, j2 := range set {
			a[i][c2] = dot(c.Column(j), c.Column(j2))
		}
		a[i][i].Add(a[i][i], num(p.l2(j)))
		a[i][k] = new(big.Float).Sub(dot(c.Column(j), c.y), num(math.Copysign(p.L1[j]/2, w[i])))
	}
	for i := range k {
		for r := range k {
			if r == i {
				continue
			}
			f := new(big.Float).Quo(a[r][i], a[i][i])
			for col := i; col <= k; col++ {
				a[r][col].Sub(a[r][col], new(big.Float).Mul(f, a[i][col]))
			}
		}
	}
	resid := make([]*big.Float, c.n)
	for i := range resid {
		resid[i] = num(c.y[i])
	}
	total := num(0)
	for i, j := range set {
		b := new(big.Float).Quo(a[i][k], a[i][i])
		if b.Sign() != int(math.Copysign(1, w[i])) {
			t.Fatalf("weight %d has the wrong sign", j)
		}
		for r, v := range c.Column(j) {
			resid[r].Sub(resid[r], new(big.Float).Mul(num(v), b))
		}
		total.Add(total, new(big.Float).Mul(num(p.L1[j]), new(big.Float).Abs(b)))
		total.Add(total, new(big.Float).Mul(num(p.l2(j)), new(big.Float).Mul(b, b)))
	}
	for _, r := range resid {
		total.Add(total, new(big.Float).Mul(r, r))
	}
	for j := range c.p {
		g := num(0)
		for r, v := range c.Column(j) {
			g.Add(g, new(big.Float).Mul(num(v), resid[r]))
		}
		active := false
		for _, s := range set {
			active = active || s == j
		}
		if v, _ := g.Float64(); !active && math.Abs(v) > p.L1[j]/2 {
			t.Fatalf("column %d should be active", j)
		}
	}
	v, _ := total.Float64()
	return v
}

// The lower bound that objective and gap make never exceeds the minimum, whatever
// the weights; and near the minimum the gap is near zero.
func TestGapBoundsTheMinimum(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 9))
	for seed := range uint64(12) {
		n, p := 15+rnd.IntN(20), 5+rnd.IntN(40)
		rows, sums := problem(seed, n, p)
		for _, share := range []float64{0.5, 0.1, 0.01} {
			pen := &Elastic{L1: make([]float64, p), Of: alone(p)}
			l1 := 0.0
			for _, g := range New(sums).g {
				l1 = math.Max(l1, 2*math.Abs(g))
			}
			for j := range p {
				pen.L1[j] = share * l1 * (0.5 + rnd.Float64())
			}
			if seed%3 > 0 {
				pen.L2 = make([]float64, p)
				for j := range p {
					pen.L2[j] = math.Pow(10, float64(-rnd.IntN(8)))
				}
			}
			for _, src := range []Source{rows, sums} {
				s := New(src)
				c := s.Solve(pen, Tolerance{1e-13, 1000})
				set, w := s.Active()
				want := minimum(t, rows.Columns, pen, set, w)
				if !c.Done || math.Abs(c.Objective-want) > 1e-12*s.null || c.Objective-c.Gap > want*(1+1e-14) {
					t.Errorf("seed %d: objective %.17g, gap %g, minimum %.17g", seed, c.Objective, c.Gap, want)
				}
				for size := 1.0; size > 1e-12; size /= 10 {
					s.set, s.values = s.set[:0], s.values[:0]
					for j := range s.w {
						s.w[j] = 0
						if i := indexOf(set, j); i >= 0 {
							s.w[j] = w[i] + size*rnd.NormFloat64()*math.Abs(w[i])
						} else if rnd.IntN(5) == 0 {
							s.w[j] = size * rnd.NormFloat64() * 0.1
						}
						if s.w[j] != 0 {
							s.set, s.values = append(s.set, j), append(s.values, s.w[j])
						}
					}
					s.measure()
					c := s.certify(pen)
					if slack := 1e-13 * (want + s.null); c.Objective-c.Gap > want+slack || c.Objective < want-slack {
						t.Errorf("seed %d, off by %g: bound %.17g, objective %.17g, minimum %.17g",
							seed, size, c.Objective-c.Gap, c.Objective, want)
					}
					if size < 1e-9 && c.Gap > 1e-5*s.null {
						t.Errorf("seed %d, off by %g: gap %g", seed, size, c.Gap/s.null)
					}
				}
			}
		}
	}
}

// One column, beside others that stay out: w = soft(x'y, L1/2)/(x'x + L2), after one sweep.
func TestOneColumn(t *testing.T) {
	rows, sums := problem(3, 20, 1)
	c := rows.Columns
	var xx, xy float64
	for i, x := range c.Column(0) {
		xx, xy = xx+x*x, xy+x*c.y[i]
	}
	pen := &Elastic{L1: []float64{math.Abs(xy)}, L2: []float64{0.5}, Of: alone(1)}
	for _, src := range []Source{rows, sums} {
		s := New(src)
		cert := s.Solve(pen, Tolerance{1e-13, 1000})
		_, w := s.Active()
		if want := xy / 2 / (xx + 0.5); len(w) != 1 || math.Abs(w[0]-want) > 1e-12*math.Abs(want) || cert.Sweeps > 2 {
			t.Errorf("weights %v after %d sweeps, want %g", w, cert.Sweeps, want)
		}
	}
}

// The direction of a homotopy has X_A'X_A v = f s/2 to rounding, also of columns that are nearly dependent.
func TestDirectionOfAHomotopy(t *testing.T) {
	rows, _ := problem(6, 30, 8)
	for i, x := range rows.Column(2) {
		rows.Column(5)[i] = x + 0.03*rows.Column(5)[i]
	}
	rows = NewRows(rows.Columns)
	h := newHomotopy(rows, []float64{1, 2, 1, 1, 1, 3, 1, 1})
	for _, j := range []int{4, 2, 1, 5, 7} {
		h.enter(j, 1-2*float64(j%2))
	}
	h.direction()
	rows.Gradients(h.l.id, h.v, h.b)
	for _, j := range h.l.id {
		if want := h.f[j] * h.sign[j] / 2; math.Abs(h.b[j]-want) > 1e-12 {
			t.Errorf("column %d: %g, want %g", j, h.b[j], want)
		}
	}
}

// At every knot of a path with several factors the fit is the minimum, and they end where every column is in.
func TestKnotsOfFactors(t *testing.T) {
	rows, _ := problem(6, 30, 8)
	rows = NewRows(rows.Columns)
	knots, done := Knots(rows, []float64{1, 2, 1, 0.5, 1, 3, 1, 1}, 0, 100)
	if !done || len(knots) < 9 {
		t.Errorf("%d knots, done %v", len(knots), done)
	}
	for _, k := range knots {
		if !(k.Gap <= 1e-12*rows.Null()) {
			t.Errorf("lambda = %g: gap %g", k.Lambda, k.Gap)
		}
	}
}

// Sweeps end at their number.
func TestSweepLimit(t *testing.T) {
	for seed := range uint64(10) {
		rows, _ := problem(seed, 60, 50)
		for limit := 1; limit < 6; limit++ {
			pen := &Elastic{L1: slices.Repeat([]float64{3}, 50), Of: alone(50)}
			if c := New(rows).Solve(pen, Tolerance{1e-13, limit}); c.Sweeps > limit {
				t.Errorf("%d sweeps of %d", c.Sweeps, limit)
			}
		}
	}
}

func indexOf(set []int, j int) int {
	for i, v := range set {
		if v == j {
			return i
		}
	}
	return -1
}

// What Rows says of gradients it did not compute is within their limits, and what
// it computed is exact.
func TestRowsGradients(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 9))
	rows, sums := problem(3, 30, 400)
	limit, g, exact := make([]float64, 400), make([]float64, 400), make([]float64, 400)
	skipped := 0
	set := []int{3, 70, 222}
	w := []float64{0.5, -0.3, 0.2}
	for range 200 {
		for i := range w {
			w[i] += 0.02 * rnd.NormFloat64()
		}
		for j := range limit {
			limit[j] = 25
		}
		a, b := rows.Residual(set, w, limit, g), sums.Residual(set, w, limit, exact)
		if math.Abs(a-b) > 1e-12*b {
			t.Fatalf("residual sum of squares %g and %g", a, b)
		}
		for j := range g {
			switch off := math.Abs(g[j] - exact[j]); {
			case off < 1e-10:
			case math.Abs(exact[j]) > limit[j] || math.Abs(g[j]) > limit[j] || indexOf(set, j) >= 0:
				t.Fatalf("gradient %d is %g, want %g", j, g[j], exact[j])
			default:
				skipped++
			}
		}
	}
	if skipped < 1000 {
		t.Errorf("only %d of 80,000 gradients were not computed", skipped)
	}
}

// KKT is the largest violation of the optimality conditions, relative to |x_j||y|, of
// weights that are not those of the minimum.
func TestKKTIsTheLargestViolation(t *testing.T) {
	const p = 6
	rows, _ := problem(3, 30, p)
	pen := &Elastic{L1: []float64{1, 2, 3, 4, 5, 6}, L2: []float64{0.5, 0.1, 2, 0, 1, 3}, Of: alone(p), Positive: []bool{5: true}}
	for _, w := range [][]float64{{0.9, 0, 0, 0, 0, 0}, {0, -0.4, 0, 0.3, 0, 0}, {1, 0, 0, -1, 0, 0.5}, {0, 0, 0, 0, 0, 0}} {
		s := New(rows)
		s.enter(pen)
		for j, v := range w {
			if s.w[j] = v; v != 0 {
				s.set, s.values = append(s.set, j), append(s.values, v)
			}
		}
		s.measure()
		want := 0.0
		for j, v := range w {
			var g, square float64
			for i, x := range rows.Column(j) {
				r := rows.y[i]
				for k, wk := range w {
					r -= wk * rows.Column(k)[i]
				}
				g, square = g+x*r, square+x*x
			}
			off := math.Abs(g - pen.L2[j]*v - math.Copysign(pen.L1[j]/2, v))
			if v == 0 && j == 5 {
				off = math.Max(g-pen.L1[j]/2, 0) // only up
			} else if v == 0 {
				off = math.Max(math.Abs(g)-pen.L1[j]/2, 0)
			}
			want = math.Max(want, off/math.Sqrt(square*rows.Null()))
		}
		if got := s.certify(pen).KKT; math.Abs(got-want) > 1e-12 || want < 0.01 {
			t.Errorf("weights %v: KKT %v, want %v", w, got, want)
		}
	}
}
