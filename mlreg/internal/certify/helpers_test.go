package certify

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// design is a problem made of data.
type design struct {
	n, d      int
	neighbors float64 // correlation of neighboring columns
	score     string  // "g", "bic", "known", "slab", "slab known"
	prior     string  // "half", "sizes", "own"
	units     [][]int
	seed      uint64
}

// data draws standardized columns, the correlation of neighbors being given, and a response that three of them make.
func (c design) data() (x [][]float64, y []float64) {
	r := rand.New(rand.NewPCG(c.seed, 7))
	x, y = make([][]float64, c.d), make([]float64, c.n)
	for j := range x {
		x[j] = make([]float64, c.n)
	}
	for i := range c.n {
		for j := range c.d {
			e := r.NormFloat64()
			if j > 0 {
				e = c.neighbors*x[j-1][i] + math.Sqrt(1-c.neighbors*c.neighbors)*e
			}
			x[j][i] = e
		}
		y[i] = r.NormFloat64() + 0.5*x[0][i] - 0.4*x[c.d/2][i] + 0.3*x[c.d-1][i]
	}
	for j := range x {
		standardize(x[j])
	}
	standardize(y)
	return x, y
}

// standardize centers a column and brings it to the length 1.
func standardize(v []float64) {
	var mean, square float64
	for _, a := range v {
		mean += a / float64(len(v))
	}
	for i := range v {
		v[i] -= mean
		square += v[i] * v[i]
	}
	for i := range v {
		v[i] /= math.Sqrt(square)
	}
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func (c design) problem() *Problem {
	x, y := c.data()
	return c.of(x, y)
}

// of makes the problem of the columns x.
func (c design) of(x [][]float64, y []float64) *Problem {
	n, d := float64(c.n), len(x)
	p := &Problem{Columns: d, M: []float64{dot(y, y)}, Units: c.units}
	per := -math.Log(n) / 2
	shrink, ridge := 1.0, 0.0
	switch c.score {
	case "bic":
		p.Power = -n / 2
	case "g":
		p.Power, shrink = -(n-1)/2, math.Sqrt(n/(1+n))
	case "known":
		p.Rate = -n / 2 / 0.6
	case "slab", "slab known":
		p.Det, ridge = true, 1/n
		if p.Power = -(n - 1) / 2; c.score == "slab known" {
			p.Power, p.Rate = 0, -n/2/0.6
		}
	}
	for i := range x {
		p.M = append(p.M, shrink*dot(x[i], y))
		for j := range i {
			p.M = append(p.M, dot(x[i], x[j]))
		}
		p.M = append(p.M, dot(x[i], x[i])+ridge)
	}
	units := p.unitCount()
	for k := range units + 1 {
		size := -float64(units) * math.Ln2
		if c.prior == "sizes" {
			a, _ := math.Lgamma(1 + float64(k))
			b, _ := math.Lgamma(1 + float64(units-k))
			all, _ := math.Lgamma(2 + float64(units))
			size = a + b - all
		}
		if c.units == nil {
			size += per * float64(k)
		}
		p.Size = append(p.Size, size)
	}
	if c.units != nil || c.prior == "own" {
		p.Own = make([]float64, units)
		for k := range p.Own {
			if c.units != nil {
				p.Own[k] = per * float64(len(c.units[k]))
			}
			if c.prior == "own" {
				p.Own[k] += float64(k%5)/2 - 1.5
			}
		}
	}
	return p
}

// truth sums over all subsets, each by Gaussian elimination of its own, in plain loops.
type truth struct {
	logZ      float64
	inclusion []float64
	logs      []float64 // by subset
}

func (p *Problem) unitColumns(k int) []int {
	if p.Units == nil {
		return []int{k}
	}
	return p.Units[k]
}

func sumAll(p *Problem) *truth {
	units := p.unitCount()
	t := &truth{inclusion: make([]float64, units), logs: make([]float64, 1<<units)}
	top := math.Inf(-1)
	for subset := range t.logs {
		t.logs[subset] = p.logOf(uint32(subset))
		if !p.allowsPlainly(subset) {
			t.logs[subset] = math.Inf(-1)
		}
		top = math.Max(top, t.logs[subset])
	}
	var z float64
	for subset, l := range t.logs {
		v := math.Exp(l - top)
		z += v
		for b := uint32(subset); b != 0; b &= b - 1 {
			t.inclusion[bits.TrailingZeros32(b)] += v
		}
	}
	for k := range t.inclusion {
		t.inclusion[k] /= z
	}
	t.logZ = top + math.Log(z)
	return t
}

// allowsPlainly tells whether every unit of a subset has what it needs.
func (p *Problem) allowsPlainly(subset int) bool {
	for k, needs := range p.Needs {
		if subset>>k&1 == 0 || len(needs) == 0 {
			continue
		}
		has := 0
		for _, n := range needs {
			has += subset >> n & 1
		}
		if has == 0 || !p.One && has < len(needs) {
			return false
		}
	}
	return true
}

// logOf is the log weight of a subset of units.
func (p *Problem) logOf(subset uint32) float64 {
	log := p.Size[bits.OnesCount32(subset)]
	var columns []int
	for b := subset; b != 0; b &= b - 1 {
		k := bits.TrailingZeros32(b)
		columns = append(columns, p.unitColumns(k)...)
		if p.Own != nil {
			log += p.Own[k]
		}
	}
	n := len(columns) + 1
	a := make([]float64, n*n)
	at := func(i int) int {
		if i == n-1 {
			return 0
		}
		return columns[i] + 1
	}
	for i := range n {
		for j := range n {
			a[i*n+j] = p.M[packed(max(at(i), at(j)), min(at(i), at(j)))]
		}
	}
	for k := range n - 1 {
		if p.Det {
			log -= math.Log(a[k*n+k]) / 2
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				a[i*n+j] -= a[i*n+k] / a[k*n+k] * a[k*n+j]
			}
		}
	}
	q := a[n*n-1]
	if p.Power != 0 {
		return log + p.Power*math.Log(q)
	}
	return log + p.Rate*q
}

func get[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// planted are the roots of a problem.
func planted(t *testing.T, p *problem) *tree {
	t.Helper()
	tree := newTree(p, &collection{p: p, w: newWorkspace(p)}, false)
	if err := tree.plant(func(int) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return tree
}
