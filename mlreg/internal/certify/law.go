package certify

import (
	"math"
	"math/rand/v2"
)

// law is the law of the subsets of some units that a separable bound gives,
//
//	P(T) = exp(size[k0+|T|] + sum_{k in T} odds[k] - log sum):
//
// independent units if sizes are linear, which a nil size says. If not, units are tilted by the
// slope of the sizes near the mean size, q being their probabilities then, and what is left of the sizes is worked in
// from the last unit back: table[i][k] is its mean, given that k of the units before i are in.
type law struct {
	q         []float64 // by unit: inclusion in the tilted product
	inclusion []float64 // inclusion in the law; q if linear
	slope     float64
	top       float64   // the largest of what is left of the sizes
	table     []float64 // (units+1)^2, relative to top
	forward   []float64 // the law of the number of units before one
	flat      bool      // what is left of the sizes is replaced by top, which is no less
	limits    []uint64  // q as multiples of 2^-64, for draws
}

// leastTable is what table[0][0] has to be above: then what underflows is nothing beside it.
const leastTable = 1e-200

func newLaw(units int, sizes bool) *law {
	l := &law{q: make([]float64, units), inclusion: make([]float64, units), limits: make([]uint64, units)}
	if sizes {
		l.table, l.forward = make([]float64, (units+1)*(units+1)), make([]float64, units+2)
	}
	return l
}

// set makes the law, and returns the log of its sum. Products and sums are of positive numbers, so
// that the relative error of the sum is of the order of the number of units.
func (l *law) set(size []float64, k0 int, odds []float64) (logSum float64) {
	n := len(odds)
	l.slope, l.top, l.flat = 0, 0, true
	if size != nil && n > 0 {
		l.flat = false
		l.slope = tilt(size[k0:], odds)
	} else if size != nil {
		l.top = size[k0]
	}
	for k, x := range odds {
		x += l.slope
		e := math.Exp(-math.Abs(x))
		logSum += math.Max(x, 0) + math.Log1p(e)
		l.q[k] = 1 / (1 + e)
		if x < 0 {
			l.q[k] = e / (1 + e)
		}
	}
	if !l.flat {
		logSum += l.work(size[k0:], n)
	}
	if l.flat {
		copy(l.inclusion[:n], l.q)
		logSum += l.top
	}
	return logSum
}

// tilt returns the slope of sizes at about the mean size.
func tilt(size, odds []float64) float64 {
	n := len(odds)
	var mean float64
	at := func() float64 {
		k := min(int(mean), n-1)
		return size[k+1] - size[k]
	}
	for range 4 {
		slope, sum := at(), 0.0
		for _, x := range odds {
			sum += 1 / (1 + math.Exp(-x-slope))
		}
		mean = (mean + sum) / 2
	}
	return at()
}

// work sets the table and the inclusions, and returns what they add to the log of the sum.
// It leaves the law flat, and returns 0, if the table underflows.
func (l *law) work(size []float64, n int) float64 {
	l.top = math.Inf(-1)
	for k := range n + 1 {
		l.top = math.Max(l.top, size[k]-l.slope*float64(k))
	}
	stride := n + 1
	next := l.table[n*stride : n*stride+n+1]
	for k := range next {
		next[k] = math.Exp(size[k] - l.slope*float64(k) - l.top)
	}
	for i := n - 1; i >= 0; i-- {
		row := l.table[i*stride : i*stride+i+1]
		q := l.q[i]
		for k := range row {
			row[k] = (1-q)*next[k] + q*next[k+1]
		}
		next = row
	}
	if !(l.table[0] > leastTable) {
		l.flat = true
		return 0
	}
	forward := l.forward[:n+1]
	clear(forward)
	forward[0] = 1
	for i := range n {
		q, above := l.q[i], l.table[(i+1)*stride:]
		var sum float64
		for k := i; k >= 0; k-- {
			sum += forward[k] * above[k+1]
			forward[k+1] += q * forward[k]
			forward[k] *= 1 - q
		}
		l.inclusion[i] = math.Min(1, q*sum/l.table[0])
	}
	return l.top + math.Log(l.table[0])
}

// excess is what the law's log weight of a size is above that of the problem.
func (l *law) excess(size []float64, k0, k int) float64 {
	if size == nil || !l.flat {
		return 0
	}
	return l.top + l.slope*float64(k) - size[k0+k]
}

// prepareDraws readies draw for n units.
func (l *law) prepareDraws(n int) {
	for k, q := range l.q[:n] {
		l.limits[k] = math.MaxUint64
		if q < 1 {
			l.limits[k] = uint64(math.Ldexp(q, 64))
		}
	}
}

// draw appends the units of a draw to t.
func (l *law) draw(r *rand.PCG, n int, t []int) []int {
	if l.flat {
		for k, limit := range l.limits[:n] {
			if r.Uint64() < limit {
				t = append(t, k)
			}
		}
		return t
	}
	stride, in := n+1, 0
	for i := range n {
		p := l.q[i] * l.table[(i+1)*stride+in+1] / l.table[i*stride+in]
		if float64(r.Uint64()>>11) < math.Ldexp(p, 53) {
			t = append(t, i)
			in++
		}
	}
	return t
}
