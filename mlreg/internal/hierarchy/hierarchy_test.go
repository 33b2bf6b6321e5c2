package hierarchy

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// rowsOf are the rows of a problem beside its tree, for answers by matrices of all rows.
type rowsOf struct {
	x      [][]float64 // columns with coefficients
	y      []float64
	groups [][]int // of every row, by level
}

// problem draws rows in groups that nest and sums them.
func problem(seed uint64, levels [][]int, vary [][]int, fixed []int, columns, most int) (*Tree, *rowsOf) {
	src := rand.New(rand.NewPCG(seed, 1))
	rows := &rowsOf{}
	t := &Tree{Columns: columns, Fixed: fixed}
	n := len(levels[len(levels)-1])
	for l := range levels {
		level := Level{Vary: vary[l]}
		if l == 0 {
			if level.N = len(levels[0]); len(levels) == 1 {
				level.N = slices.Max(levels[0]) + 1
			}
		} else {
			level.N, level.Parent = len(levels[l]), levels[l]
		}
		t.Levels = append(t.Levels, level)
	}
	if len(levels) == 1 {
		n = t.Levels[0].N
	}
	q := columns + 1
	t.Start()
	effect := map[[2]int]float64{}
	for g := range n {
		for range 1 + src.IntN(most) {
			x := make([]float64, q)
			for j := range columns {
				x[j] = src.NormFloat64()
				if j == 0 {
					x[j] = 1
				}
			}
			of := make([]int, len(levels))
			of[len(of)-1] = g
			for l := len(of) - 1; l > 0; l-- {
				of[l-1] = levels[l][of[l]]
			}
			y := src.NormFloat64()
			for l, v := range vary {
				for _, j := range v {
					key := [2]int{l*100 + of[l], j}
					if _, ok := effect[key]; !ok {
						effect[key] = src.NormFloat64()
					}
					y += x[j] * effect[key]
				}
			}
			x[columns] = y
			rows.x, rows.y, rows.groups = append(rows.x, x[:columns]), append(rows.y, y), append(rows.groups, of)
			t.Add(g, x)
		}
	}
	t.Finish()
	return t, rows
}

// covariance is V of all rows relative to sigma^2.
func (r *rowsOf) covariance(t *Tree, delta [][]complex128) [][]complex128 {
	n := len(r.y)
	v := make([][]complex128, n)
	for a := range v {
		v[a] = make([]complex128, n)
		v[a][a] = 1
		for b := range v[a] {
			for l, level := range t.Levels {
				if r.groups[a][l] != r.groups[b][l] {
					continue
				}
				k := len(level.Vary)
				for i, ci := range level.Vary {
					for j, cj := range level.Vary {
						v[a][b] += complex(r.x[a][ci]*r.x[b][cj], 0) * delta[l][i*k+j]
					}
				}
			}
		}
	}
	return v
}

// inverseOf returns the inverse of a complex symmetric matrix and the logarithm of its
// determinant.
func inverseOf(a [][]complex128) ([][]complex128, complex128) {
	n := len(a)
	w := make([][]complex128, n)
	for i := range w {
		w[i] = append(slices.Clone(a[i]), make([]complex128, n)...)
		w[i][n+i] = 1
	}
	var logdet complex128
	for i := range n {
		d := w[i][i]
		logdet += cmplx.Log(d)
		for j := range w[i] {
			w[i][j] /= d
		}
		for o := range n {
			if o == i {
				continue
			}
			f := w[o][i]
			for j := range w[o] {
				w[o][j] -= f * w[i][j]
			}
		}
	}
	for i := range w {
		w[i] = w[i][n:]
	}
	return w, logdet
}

// brute is the criterion by the covariance of all rows.
func (r *rowsOf) brute(m *Model, theta []complex128, phi complex128) complex128 {
	// Delta of complex parameters.
	delta := make([][]complex128, len(m.Tree.Levels))
	for l := range delta {
		k := len(m.Tree.Levels[l].Vary)
		delta[l] = make([]complex128, k*k)
	}
	at := 0
	var avoid complex128
	for i := range m.Blocks {
		b := &m.Blocks[i]
		n, k := len(b.At), len(m.Tree.Levels[b.Level].Vary)
		for x := range n {
			for y := range n {
				var s complex128
				if b.Equal {
					if x == y {
						s = theta[at] * theta[at]
					}
				} else {
					for c := range min(x, y) + 1 {
						s += theta[at+pair(x, c)] * theta[at+pair(y, c)]
					}
				}
				delta[b.Level][b.At[x]*k+b.At[y]] = s
			}
			d := theta[at]
			if !b.Equal {
				d = theta[at+pair(x, x)]
			}
			avoid += phi + 2*cmplx.Log(d)
		}
		at += b.Parameters()
	}
	if !m.Avoid {
		avoid = 0
	}
	v := r.covariance(m.Tree, delta)
	sigma2 := cmplx.Exp(phi)
	n, p := len(r.y), len(m.Tree.Fixed)
	for i := range v {
		for j := range v[i] {
			v[i][j] *= sigma2
		}
	}
	res := make([]complex128, n)
	for i := range res {
		res[i] = complex(r.y[i], 0)
	}
	if m.Prior != nil {
		for i := range v {
			for j := range v[i] {
				for c, f := range m.Tree.Fixed {
					v[i][j] += complex(r.x[i][f]*r.x[j][f]*m.Prior.Var[c], 0)
				}
			}
			for c, f := range m.Tree.Fixed {
				res[i] -= complex(r.x[i][f]*m.Prior.Mean[c], 0)
			}
		}
	}
	inv, logdet := inverseOf(v)
	form := func(a, b func(i int) complex128) complex128 {
		var s complex128
		for i := range n {
			for j := range n {
				s += a(i) * inv[i][j] * b(j)
			}
		}
		return s
	}
	y := func(i int) complex128 { return res[i] }
	out := complex(float64(n)*math.Log(2*math.Pi), 0) + logdet + form(y, y) - avoid
	if m.Prior != nil {
		return out
	}
	h := make([][]complex128, p)
	xy := make([]complex128, p)
	for i, fi := range m.Tree.Fixed {
		xi := func(a int) complex128 { return complex(r.x[a][fi], 0) }
		for _, fj := range m.Tree.Fixed {
			h[i] = append(h[i], form(xi, func(a int) complex128 { return complex(r.x[a][fj], 0) }))
		}
		xy[i] = form(xi, y)
	}
	hinv, hdet := inverseOf(h)
	for i := range p {
		for j := range p {
			out -= xy[i] * hinv[i][j] * xy[j]
		}
	}
	if !m.ML {
		out += hdet - complex(float64(p)*math.Log(2*math.Pi), 0)
	}
	return out
}

type testCase struct {
	name string
	m    *Model
	rows *rowsOf
}

func cases() []testCase {
	var out []testCase
	add := func(name string, t *Tree, rows *rowsOf, set func(m *Model)) {
		m := &Model{Tree: t, N: float64(len(rows.y))}
		for l, level := range t.Levels {
			at := make([]int, len(level.Vary))
			for i := range at {
				at[i] = i
			}
			m.Blocks = append(m.Blocks, Block{Level: l, At: at})
		}
		if set != nil {
			set(m)
		}
		out = append(out, testCase{name, m, rows})
	}
	one := [][]int{{0, 1, 2, 3, 4, 5, 6}}
	t, rows := problem(1, one, [][]int{{0}}, []int{0, 1}, 2, 5)
	add("intercept", t, rows, nil)
	t, rows = problem(2, one, [][]int{{0, 2}}, []int{0, 1, 2}, 3, 6)
	add("intercept and slope", t, rows, nil)
	add("by ML", t, rows, func(m *Model) { m.ML = true })
	add("independent", t, rows, func(m *Model) { m.Blocks = []Block{{0, []int{0}, false}, {0, []int{1}, false}} })
	add("equal", t, rows, func(m *Model) { m.Blocks = []Block{{0, []int{0, 1}, true}} })
	add("with a prior", t, rows, func(m *Model) { m.Prior = &Prior{[]float64{.5, 0, -1}, []float64{2, 1, 3}} })
	add("off the boundary", t, rows, func(m *Model) { m.Avoid = true })
	add("sigma known", t, rows, func(m *Model) { m.Sigma2 = 1.5 })
	t, rows = problem(3, [][]int{{0, 0, 0}, {0, 0, 0, 1, 1, 2, 2, 2}}, [][]int{{0, 1}, {0, 2}}, []int{0, 1}, 3, 4)
	add("nested", t, rows, nil)
	add("nested with a prior", t, rows, func(m *Model) { m.Prior = &Prior{[]float64{.5, 0}, []float64{2, 1}} })
	t, rows = problem(4, [][]int{{0, 0}, {0, 0, 1}, {0, 0, 0, 1, 1, 2, 2, 2}}, [][]int{{0}, {1}, {0}}, []int{0, 1}, 2, 4)
	add("nested twice", t, rows, nil)
	return out
}

// TestCriterionAndDerivatives compares the criterion with the covariance matrix of all
// rows, its gradient with complex steps there, and its Hessian with differences of
// those.
func TestCriterionAndDerivatives(t *testing.T) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			src := rand.New(rand.NewPCG(9, 9))
			n := c.m.Parameters()
			theta := c.m.Start()
			for i := range theta {
				theta[i] += 0.5 * src.Float64()
			}
			v, err := c.m.Evaluate(theta, 0.3, 2)
			if err != nil {
				t.Fatal(err)
			}
			all := n
			if c.m.searched() {
				all++
			}
			// The profiled criterion moves log sigma^2 with theta.
			at := func(x []complex128) complex128 {
				phi := complex(v.LogVar, 0)
				if c.m.searched() {
					phi = x[n]
				}
				return c.rows.brute(c.m, x[:n], phi)
			}
			x := make([]complex128, all)
			for i := range x {
				if i < n {
					x[i] = complex(theta[i], 0)
				} else {
					x[i] = complex(v.LogVar, 0)
				}
			}
			if want := real(at(x)); math.Abs(v.Minus2-want) > 1e-9*math.Abs(want) {
				t.Errorf("criterion %v, wanted %v", v.Minus2, want)
			}
			if len(v.Grad) != all {
				t.Fatalf("%d derivatives, wanted %d", len(v.Grad), all)
			}
			const step = 1e-30
			for i := range all {
				y := slices.Clone(x)
				y[i] += complex(0, step)
				if want := imag(at(y)) / step; math.Abs(v.Grad[i]-want) > 1e-8*(1+math.Abs(want)) {
					t.Errorf("derivative %d: %v, wanted %v", i, v.Grad[i], want)
				}
			}
			for j := range all {
				const h = 1e-5
				var g [2][]float64
				for s, d := range []float64{h, -h} {
					moved, phi := slices.Clone(theta), 0.3
					if j < n {
						moved[j] += d
					} else {
						phi += d
					}
					w, err := c.m.Evaluate(moved, phi, 1)
					if err != nil {
						t.Fatal(err)
					}
					g[s] = w.Grad
				}
				for i := range all {
					want := (g[0][i] - g[1][i]) / (2 * h)
					if math.Abs(v.Hess[i*all+j]-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("second derivative %d,%d: %v, wanted %v", i, j, v.Hess[i*all+j], want)
					}
				}
			}
		})
	}
}

// TestPosterior compares the distributions of all coefficients with those by the joint
// Gaussian distribution of coefficients and rows.
func TestPosterior(t *testing.T) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			m, tree := c.m, c.m.Tree
			theta := m.Start()
			for i := range theta {
				theta[i] += 0.1 * float64(i+1)
			}
			v, err := m.Evaluate(theta, 0.2, 0)
			if err != nil {
				t.Fatal(err)
			}
			delta := m.Delta(v.Theta)
			groups, dof := tree.Posterior(delta, v.Beta, v.Cov)
			sigma2 := math.Exp(v.LogVar)
			// Coefficients: fixed ones, then the effects of all groups, level by level.
			p := len(tree.Fixed)
			start := []int{p}
			for _, l := range tree.Levels {
				start = append(start, start[len(start)-1]+l.N*len(l.Vary))
			}
			k := start[len(start)-1]
			z := mat.NewDense(len(c.rows.y), k, nil)
			for i, x := range c.rows.x {
				for j, f := range tree.Fixed {
					z.Set(i, j, x[f])
				}
				for l, level := range tree.Levels {
					for j, col := range level.Vary {
						z.Set(i, start[l]+c.rows.groups[i][l]*len(level.Vary)+j, x[col])
					}
				}
			}
			precision := mat.NewDense(k, k, nil)
			for l, level := range tree.Levels {
				n := len(level.Vary)
				var inv mat.Dense
				if err := inv.Inverse(mat.NewDense(n, n, slices.Clone(delta[l]))); err != nil {
					t.Fatal(err)
				}
				for g := range level.N {
					for a := range n {
						for b := range n {
							precision.Set(start[l]+g*n+a, start[l]+g*n+b, inv.At(a, b))
						}
					}
				}
			}
			var gram, sum, cov, fit mat.Dense
			gram.Mul(z.T(), z)
			rhs := mat.NewVecDense(k, nil)
			rhs.MulVec(z.T(), mat.NewVecDense(len(c.rows.y), c.rows.y))
			if m.Prior != nil {
				for i, s2 := range m.Prior.Var {
					precision.Set(i, i, sigma2/s2)
					rhs.SetVec(i, rhs.AtVec(i)+sigma2/s2*m.Prior.Mean[i])
				}
			}
			sum.Add(&gram, precision)
			if err := cov.Inverse(&sum); err != nil {
				t.Fatal(err)
			}
			var mean mat.VecDense
			mean.MulVec(&cov, rhs)
			fit.Mul(&cov, &gram)
			want := mat.Trace(&fit)
			got := dof + float64(p)
			if m.Prior != nil {
				for i, s2 := range m.Prior.Var {
					got -= v.Cov[i*p+i] * sigma2 / s2
				}
			}
			if math.Abs(got-want) > 1e-8*want {
				t.Errorf("%v degrees of freedom, wanted %v", got, want)
			}
			last := len(tree.Levels) - 1 // whose effects, given those around, are of their own rows
			n := len(tree.Levels[last].Vary)
			for g := range tree.Levels[last].N {
				var own mat.Dense
				at := start[last] + g*n
				if err := own.Inverse(sum.Slice(at, at+n, at, at+n)); err != nil {
					t.Fatal(err)
				}
				for i := range n * n {
					if d := groups[last].K[g*n*n+i] - own.At(i/n, i%n); math.Abs(d) > 1e-8 {
						t.Errorf("group %d: covariance %d given the coefficients around is off by %g", g, i, d)
					}
				}
			}
			for l := range tree.Levels {
				for g := range tree.Levels[l].N {
					// The map from all coefficients to those of the group.
					pick := mat.NewDense(tree.Columns, k, nil)
					for j, f := range tree.Fixed {
						pick.Set(f, j, 1)
					}
					of := g
					for up := l; up >= 0; up-- {
						for j, col := range tree.Levels[up].Vary {
							pick.Set(col, start[up]+of*len(tree.Levels[up].Vary)+j, 1)
						}
						if up > 0 {
							of = tree.Levels[up].Parent[of]
						}
					}
					var b mat.VecDense
					var s, half mat.Dense
					b.MulVec(pick, &mean)
					half.Mul(pick, &cov)
					s.Mul(&half, pick.T())
					for i := range tree.Columns {
						if d := groups[l].Coef[g*tree.Columns+i] - b.AtVec(i); math.Abs(d) > 1e-8 {
							t.Errorf("level %d group %d coefficient %d is off by %g", l, g, i, d)
						}
						for j := range i + 1 {
							if d := groups[l].Cov[g*pairs(tree.Columns)+pair(i, j)] - s.At(i, j); math.Abs(d) > 1e-8 {
								t.Errorf("level %d group %d covariance %d,%d is off by %g", l, g, i, j, d)
							}
						}
					}
				}
			}
		})
	}
}

// TestSearch finds optima that no other start improves, certified.
func TestSearch(t *testing.T) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			o, err := c.m.Search(nil, 0, 200, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d iterations, %v, gradient %g, decrement %g, curvature %g, outward %g, ranks %v of %v",
				o.Iterations, o.Minus2, o.Gradient, o.Decrement, o.Curvature, o.Outward, o.Rank, o.Theta)
			if !o.Converged || !(o.Decrement < 1e-9) || !(o.Curvature > 0) || o.Outward < 0 {
				t.Errorf("not certified: %+v", o)
			}
			src := rand.New(rand.NewPCG(5, 5))
			for range 200 {
				theta := slices.Clone(o.Theta)
				for i := range theta {
					theta[i] += 0.2 * src.NormFloat64()
				}
				v, err := c.m.Evaluate(theta, o.LogVar+0.2*src.NormFloat64(), 0)
				if err != nil {
					t.Fatal(err)
				}
				if v.Minus2 < o.Minus2-1e-9 {
					t.Errorf("%v at %v is less", v.Minus2, theta)
				}
			}
		})
	}
}

// Where nothing may move there is nothing to gain.
func TestJudgeOfNoDirections(t *testing.T) {
	o := Optimum{Decrement: math.NaN(), Curvature: math.NaN()}
	if o.judge(nil, nil); o.Gradient != 0 || o.Decrement != 0 || !math.IsInf(o.Curvature, 1) {
		t.Errorf("gradient %v, decrement %v, curvature %v", o.Gradient, o.Decrement, o.Curvature)
	}
}

// Gap is what ascent gains, with a prior of the mean of the groups' coefficients and without.
func TestGapIsTheGain(t *testing.T) {
	tree, _ := problem(4, [][]int{{0, 1, 2}}, [][]int{{0, 1}}, []int{0, 1}, 2, 9)
	src := rand.New(rand.NewPCG(6, 6))
	for _, star := range []float64{0.5, math.Inf(1)} {
		j := &Joint{Tree: tree, Sigma2: 0.7, S2: []float64{0.3, 1, 2}, Star2: star, Mu: []float64{1, -1}}
		b, gradient := make([]float64, 8), make([]float64, 8)
		for i := range b {
			b[i] = src.NormFloat64()
		}
		start, bound := j.Value(b, gradient), j.Bound()
		gap := j.Gap(gradient)
		for range 3000 {
			j.Ascend(b, gradient, bound)
			j.Value(b, gradient)
		}
		if gain := j.Value(b, gradient) - start; !(math.Abs(gain-gap) <= 1e-9*gap) || gap < 1 {
			t.Errorf("variance %g of the mean: ascent gains %g, of %g", star, gain, gap)
		}
	}
}

// A group has no factor where its first coefficient has no curvature that is a number.
func TestNoFactorOfNaN(t *testing.T) {
	tree, _ := problem(4, [][]int{{0, 1, 2}}, [][]int{{0, 1}}, []int{0, 1}, 2, 9)
	j := &Joint{Tree: tree, Sigma2: 0.7, S2: []float64{math.NaN(), 1, 2}, Star2: 1, Mu: []float64{1, -1}}
	for g, want := range []bool{false, true, true} {
		if _, ok := j.factor(g); ok != want {
			t.Errorf("group %d has a factor: %v, want %v", g, ok, want)
		}
	}
}

// A factor whose square is singular but for rounding has a column of zeros, in any unit.
func TestParametersOfSingularFactors(t *testing.T) {
	m := &Model{Tree: &Tree{Levels: []Level{{Vary: []int{0, 1}}}}, Blocks: []Block{{At: []int{0, 1}}}}
	for _, unit := range []float64{1e-6, 1, 1e6} {
		for k := range 20 {
			a, b := unit*math.Sqrt(float64(k+2)), unit*math.Cbrt(float64(k+3))
			got := m.parameters([][]float64{{a * a, a * b, a * b, b * b}})
			if len(got) != 3 || math.Abs(got[0]-a) > 1e-12*a || math.Abs(got[1]-b) > 1e-12*b || got[2] != 0 {
				t.Errorf("%g and %g: %v", a, b, got)
			}
		}
	}
}

// A step leaves the parameter that is held where it is, of any block.
func TestStepsBesideAHeldParameter(t *testing.T) {
	blocks := []Block{{At: []int{0}, Equal: true}, {At: []int{0}, Equal: true}}
	for block, want := range map[int][]float64{-1: {11, 22, 33}, 0: {1, 12, 23}, 1: {11, 2, 23}} {
		m := &Model{Blocks: blocks, hold: held{on: true, block: block}}
		theta, phi := m.moved(&Value{Theta: []float64{1, 2}, LogVar: 3}, []float64{10, 20, 30}[:3-min(1, block+1)])
		if got := append(theta, phi); !slices.Equal(got, want) {
			t.Errorf("block %d is held: %v, want %v", block, got, want)
		}
	}
}
