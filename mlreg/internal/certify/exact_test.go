package certify

import (
	"math"
	"math/big"
	"math/bits"
	"testing"
)

// precision of the arithmetic that bounds are checked in, in bits.
const precision = 300

func exact(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }

// bigMatrix is a symmetric matrix of a problem, the response last.
type bigMatrix struct {
	n int
	a []*big.Float
}

func (p *problem) big(order []int) bigMatrix {
	m := bigMatrix{n: len(order)}
	for _, i := range order {
		for _, j := range order {
			m.a = append(m.a, exact(p.cross[i*(p.columns+1)+j]))
		}
	}
	return m
}

// eliminate does s steps of elimination, and returns false if a pivot is not positive.
func (m bigMatrix) eliminate(s int) bool {
	f, t := new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision)
	for k := range s {
		if m.a[k*m.n+k].Sign() <= 0 {
			return false
		}
		for i := k + 1; i < m.n; i++ {
			f.Quo(m.a[i*m.n+k], m.a[k*m.n+k])
			for j := k + 1; j < m.n; j++ {
				m.a[i*m.n+j].Sub(m.a[i*m.n+j], t.Mul(f, m.a[k*m.n+j]))
			}
		}
	}
	return true
}

func (m bigMatrix) float(i, j int) float64 {
	v, _ := m.a[i*m.n+j].Float64()
	return v
}

// columnsOf are the columns of units.
func (p *problem) columnsOf(units []int16) (columns []int) {
	for _, k := range units {
		columns = append(columns, p.units[k]...)
	}
	return columns
}

// bigQ returns Q and log det of some columns.
func (p *problem) bigQ(columns []int) (q *big.Float, logDet float64) {
	m := p.big(append(append([]int{}, columns...), p.columns))
	m.eliminate(len(columns))
	for k := range columns {
		logDet += math.Log(m.float(k, k))
	}
	return m.a[m.n*m.n-1], logDet
}

// checkNode fails unless the bounds of a node hold: D <= G and v given its units, each subset's weight in exact arithmetic
// is at most that of the bound, and the sum lies between L and U. It returns how far below u the closest subset is.
func checkNode(t *testing.T, p *problem, nd *node) (closest float64) {
	t.Helper()
	in, free := p.columnsOf(nd.in), p.columnsOf(nd.free)
	below := p.big(append(append(append([]int{}, in...), free...), p.columns))
	below.eliminate(len(in))
	for j := range free {
		at := below.a[(len(in)+j)*below.n+len(in)+j]
		at.Sub(at, exact(nd.d[j]))
	}
	rest := bigMatrix{n: len(free)}
	for i := range free {
		for j := range free {
			rest.a = append(rest.a, below.a[(len(in)+i)*below.n+len(in)+j])
		}
	}
	if !rest.eliminate(len(free)) {
		t.Errorf("D is not below G at in %v free %v", nd.in, nd.free)
	}
	if p.det {
		checkPivots(t, p, nd, in, free)
	}
	return checkWeights(t, p, nd)
}

// checkPivots fails unless v is at most the last pivot of each column.
func checkPivots(t *testing.T, p *problem, nd *node, in, free []int) {
	t.Helper()
	for j := range free {
		order := append(append(append([]int{}, in...), free[:j]...), append(append([]int{}, free[j+1:]...), free[j])...)
		m := p.big(order)
		m.eliminate(len(order) - 1)
		if last := m.a[m.n*m.n-1]; exact(nd.v[j]).Cmp(last) > 0 {
			t.Errorf("v_%d = %g is above the pivot by %g of it", j, nd.v[j], nd.v[j]/m.float(m.n-1, m.n-1)-1)
		}
	}
}

func checkWeights(t *testing.T, p *problem, nd *node) (closest float64) {
	t.Helper()
	w := newWorkspace(p)
	start := w.prepareDraws(nd)
	closest, sum := math.Inf(1), 0.0
	for subset := range uint32(1) << len(nd.free) {
		units := append([]int16{}, nd.in...)
		u := nd.base
		own, free := 0.0, []int{}
		for b := subset; b != 0; b &= b - 1 {
			k := bits.TrailingZeros32(b)
			free = append(free, k)
			units = append(units, nd.free[k])
			u += w.odds[k]
		}
		for _, k := range units {
			own += p.own[k]
		}
		q, logDet := p.bigQ(p.columnsOf(units))
		// logKappa + own - logDet/2 - phi q - u: the large numbers in exact arithmetic.
		d := new(big.Float).SetPrec(precision).Mul(q, exact(-nd.component.phi))
		for _, v := range []float64{nd.component.logKappa, own, -u} {
			d.Add(d, exact(v))
		}
		if p.det {
			d.Add(d, exact(-logDet/2))
		}
		excess, _ := d.Float64()
		size := math.Abs(u) + math.Abs(own) + math.Abs(nd.component.logKappa)
		excess += w.law.excess(p.size, w.k0, bits.OnesCount32(subset)) * -1
		if x, _ := w.ratio(nd, start, free); math.Abs(math.Log(x)-excess) > 1e-9 && excess > -600 {
			t.Errorf("log X of %v, in %v, is %g, want %g", units, nd.in, math.Log(x), excess)
		}
		if excess > 1e-15*size*float64(len(units)+2) {
			t.Errorf("the weight of %v, in %v, is above its bound by e^%g", units, nd.in, excess)
		}
		closest = math.Min(closest, -excess)
		if p.size != nil {
			u += p.size[len(units)] + w.law.excess(p.size, w.k0, bits.OnesCount32(subset))
		}
		sum += math.Exp(u + excess - nd.logU)
	}
	log := nd.logU + math.Log(sum)
	if log > nd.logU+1e-12*math.Abs(nd.logU) || log < nd.logL-1e-12*math.Abs(nd.logL) {
		t.Errorf("log sum %.15g is not in [%.15g, %.15g], in %v", log, nd.logL, nd.logU, nd.in)
	}
	return closest
}
