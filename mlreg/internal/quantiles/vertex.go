package quantiles

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Problem is a sum of check functions to minimize. Rows are not changed.
type Problem struct {
	A         blas64.General // n x k, of full column rank for a minimum to exist at a vertex
	Y         []float64      // n
	Low, High []float64      // n, slopes of the check functions
	Linear    []float64      // k, q; nil is zero
}

// Errors of a solution.
var (
	// ErrUnbounded says that F decreases without end in a direction.
	ErrUnbounded = errors.New("quantiles: the objective has no minimum")
	// ErrSteps says that the number of steps allowed was not enough.
	ErrSteps = errors.New("quantiles: too many steps")
)

// SingularError says that the rows determine fewer than k directions.
type SingularError struct {
	Rank int
	Keep []int // columns that are no combination of those before them
}

func (*SingularError) Error() string { return "quantiles: columns are linearly dependent" }

const (
	dualTol  = 1e-10 // what rounding may take a dual beyond its bounds, relative to their sizes
	pivotTol = 1e-11 // the smallest pivot, relative to the largest term in it
	refactor = 40    // steps until the inverse of the basis is computed anew
)

// vertex is a basis, with all that follows from it.
type vertex struct {
	p       *Problem
	n, k    int
	basis   []int     // k rows
	at      []int     // n: the place of a row in the basis, or -1
	side    []int8    // n: 1 for a row whose residual counts as positive, -1 for negative; 0 in the basis
	inverse []float64 // k x k, of the rows of the basis
	b       []float64 // k
	r       []float64 // n residuals, exactly zero in the basis and where rounding decides
	tie     []float64 // n, the part of the residual that an infinitesimal part of y has; breaks ties
	eta     []float64 // n, that part of y
	norm    []float64 // n, sums of absolute values of the rows
	size    []float64 // k, what the terms of the sums z can add up to
	linear  bool      // the objective is q'b alone, and size is that of this basis
	idle    []int     // places of this basis from which q'b gains no more than rounding
	z       []float64 // k, q less the sum of a_i d_i outside the basis
	dual    []float64 // k, of the basis
	steps   int
	age     int // steps since the inverse was computed
	g       []float64
	heap    crossings
}

// crossing is where a row's residual changes its sign along an edge.
type crossing struct {
	t, tie, rise float64
	row          int
}

func (a *crossing) before(b *crossing) bool {
	return a.t < b.t || a.t == b.t && (a.tie < b.tie || a.tie == b.tie && a.row < b.row)
}

// scatter returns a number in [1/2, 1) of either sign that looks random, the same for the
// same row.
func scatter(i int) float64 {
	x := uint64(i)*0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	f := 0.5 + float64(x>>12)/(1<<53)
	if x&1 == 1 {
		return -f
	}
	return f
}

// newVertex returns the vertex of a basis.
func newVertex(p *Problem, basis []int) (*vertex, error) {
	n, k := p.A.Rows, p.A.Cols
	v := &vertex{
		p: p, n: n, k: k, basis: append([]int(nil), basis...),
		at: make([]int, n), side: make([]int8, n), b: make([]float64, k),
		r: make([]float64, n), tie: make([]float64, n), eta: make([]float64, n), norm: make([]float64, n),
		inverse: make([]float64, k*k), z: make([]float64, k), size: make([]float64, k), dual: make([]float64, k), g: make([]float64, n),
	}
	sizes := make([][]float64, gram.Chunks(n))
	gram.EachChunk(n, func() func(chunk, start, end int) {
		return func(chunk, start, end int) {
			size := make([]float64, k)
			for i := start; i < end; i++ {
				v.at[i] = -1
				v.eta[i] = scatter(i)
				var sum float64
				most := max(finite(p.High[i]), finite(-p.Low[i]))
				for j, x := range v.row(i) {
					x = math.Abs(x)
					sum += x
					size[j] += most * x
				}
				v.norm[i] = sum
			}
			sizes[chunk] = size
		}
	})
	for _, size := range sizes {
		gram.Axpy(1, size, v.size)
	}
	for j, i := range basis {
		v.at[i] = j
	}
	if err := v.refresh(true); err != nil {
		return nil, err
	}
	return v, nil
}

// finite returns x, or 0 for an infinity.
func finite(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return x
}

func (v *vertex) row(i int) []float64 {
	s := v.p.A.Stride
	return v.p.A.Data[i*s : i*s+v.k]
}

// refresh computes all that follows from the basis, and the sides of rows if all is set:
// otherwise a row keeps its side while its residual is zero.
func (v *vertex) refresh(all bool) error {
	v.age = 0
	if err := v.invert(); err != nil {
		return err
	}
	if err := v.solve(); err != nil {
		return err
	}
	v.p.times(v.b, v.r)
	ties := make([]float64, v.k)
	for j := range v.k {
		for c, i := range v.basis {
			ties[j] += v.inverse[j*v.k+c] * v.eta[i]
		}
	}
	v.p.times(ties, v.tie)
	var size float64
	for _, x := range v.b {
		size = math.Max(size, math.Abs(x))
	}
	for i := range v.n {
		y := v.p.Y[i]
		r := y - v.r[i]
		if math.Abs(r) <= snap*(math.Abs(y)+size*v.norm[i]) {
			r = 0
		}
		v.r[i], v.tie[i] = r, v.eta[i]-v.tie[i]
		switch {
		case v.at[i] >= 0:
			v.r[i], v.tie[i], v.side[i] = 0, 0, 0
		case r > 0:
			v.side[i] = 1
		case r < 0:
			v.side[i] = -1
		case all && v.tie[i] < 0:
			v.side[i] = -1
		case all:
			v.side[i] = 1
		}
	}
	v.price()
	return nil
}

// snap is the rounding error of a residual, relative to its terms.
const snap = 32 * 0x1p-53

// invert computes the inverse of the basis.
func (v *vertex) invert() error {
	k := v.k
	if k == 0 {
		return nil
	}
	h := mat.NewDense(k, k, nil)
	for c, i := range v.basis {
		h.SetRow(c, v.row(i))
	}
	var inverse mat.Dense
	if err := inverse.Inverse(h); err != nil {
		var cond mat.Condition
		if !errors.As(err, &cond) || math.IsInf(float64(cond), 1) {
			return &SingularError{}
		}
	}
	copy(v.inverse, inverse.RawMatrix().Data)
	return nil
}

// solve computes the coefficients from the basis, with a step of refinement.
func (v *vertex) solve() error {
	k := v.k
	residual := make([]float64, k)
	for j := range v.b {
		v.b[j] = 0
	}
	for range 2 {
		for c, i := range v.basis {
			residual[c] = v.p.Y[i] - gram.Dot(v.row(i), v.b)
		}
		for j := range k {
			v.b[j] += gram.Dot(v.inverse[j*k:(j+1)*k], residual)
		}
	}
	for _, b := range v.b {
		if b-b != 0 {
			return &SingularError{}
		}
	}
	return nil
}

// bound returns the dual of a row outside the basis.
func (v *vertex) bound(i int) float64 {
	if v.side[i] > 0 {
		return v.p.High[i]
	}
	return v.p.Low[i]
}

// price computes the duals of the basis from those outside.
func (v *vertex) price() {
	for j := range v.z {
		v.z[j] = 0
		if v.p.Linear != nil {
			v.z[j] = v.p.Linear[j]
		}
	}
	d := v.g
	for i := range v.n {
		d[i] = 0
		if v.at[i] < 0 {
			d[i] = -v.bound(i)
		}
	}
	if v.k > 0 {
		blas64.Gemv(blas.Trans, 1, v.p.A, gram.Vector(d), 1, gram.Vector(v.z))
	}
	v.duals()
}

// duals solves for those of the basis.
func (v *vertex) duals() {
	if v.k > 0 {
		blas64.Gemv(blas.Trans, 1, blas64.General{Rows: v.k, Cols: v.k, Stride: v.k, Data: v.inverse}, gram.Vector(v.z), 0, gram.Vector(v.dual))
	}
}

// slack is what rounding may take the dual at a place of the basis beyond its bounds.
func (v *vertex) slack(j int) float64 {
	var sum float64
	for c := range v.k {
		sum += math.Abs(v.inverse[c*v.k+j]) * v.size[c]
	}
	return dualTol*v.width(v.basis[j]) + 8*0x1p-53*sum
}

// width is the change of a row's dual when its residual changes its sign.
func (v *vertex) width(i int) float64 {
	if w := v.p.High[i] - v.p.Low[i]; !math.IsInf(w, 1) {
		return w
	}
	return 0
}

// leaving returns the place in the basis whose dual is farthest beyond its bounds, the
// sign of the residual that it is to have, and the slope of the objective in it; -1 if
// the vertex is a minimum.
func (v *vertex) leaving() (place int, sign, slope float64) {
	place = -1
	if v.linear {
		v.linearSize()
	}
	var most float64
	for j, i := range v.basis {
		above, below := v.dual[j]-v.p.High[i], v.p.Low[i]-v.dual[j]
		beyond := math.Max(above, below)
		if !(beyond > 0) || beyond <= v.slack(j) || slices.Contains(v.idle, j) {
			continue
		}
		if w := v.width(i); w > 0 {
			beyond /= w
		}
		if beyond > most {
			most, place, sign, slope = beyond, j, 1, -above
			if below > above {
				sign, slope = -1, -below
			}
		}
	}
	return place, sign, slope
}

// linearSize sets size for q'b alone: the terms of q and of the sums of a_i d_i over the
// basis that give it. A dual that is zero but for rounding in the inverse is small beside
// these, and not beside what its own column of the inverse makes of q. Taken as a reason
// for a step, it has two vertices lead to each other for ever.
func (v *vertex) linearSize() {
	for c, x := range v.p.Linear {
		v.size[c] = linearTol * math.Abs(x)
	}
	for j, i := range v.basis {
		d := linearTol * math.Abs(v.dual[j])
		for c, x := range v.row(i) {
			v.size[c] += d * math.Abs(x)
		}
	}
}

// linearTol has slack forgive some 1e-10 of the terms of q'b.
const linearTol = 1e5

// linearGain is what q'b must gain by a step, relative to its terms. A dual that rounding made
// has a step along an edge on which q'b is constant, and the next vertex one back.
const linearGain = 1e-12

// linearTerms is the size of the terms that q'b adds up at residuals of such a size.
func (v *vertex) linearTerms(residual float64) (sum float64) {
	for c, x := range v.p.Linear {
		if x == 0 {
			continue
		}
		for j, i := range v.basis {
			sum += math.Abs(x*v.inverse[c*v.k+j]) * (math.Abs(v.p.Y[i]) + residual)
		}
	}
	return sum
}

// edge fills g with the change of every residual when that at a place of the basis
// moves by sign, and returns the crossings as a heap.
func (v *vertex) edge(place int, sign float64) {
	k := v.k
	direction := make([]float64, k)
	for c := range k {
		direction[c] = sign * v.inverse[c*k+place]
	}
	v.p.times(direction, v.g)
	var size float64
	for _, x := range direction {
		size = math.Max(size, math.Abs(x))
	}
	heap, least := v.heap[:0], pivotTol*size
	side, norm, r, tie, low, high := v.side[:v.n], v.norm[:v.n], v.r[:v.n], v.tie[:v.n], v.p.Low[:v.n], v.p.High[:v.n]
	for i, g := range v.g[:v.n] {
		if g*float64(side[i]) >= 0 || math.Abs(g) <= least*norm[i] {
			continue
		}
		heap = append(heap, crossing{t: max(0, -r[i]/g), tie: -tie[i] / g, rise: math.Abs(g) * (high[i] - low[i]), row: i})
	}
	v.heap = heap
	v.heap.order()
}

// crossings are a heap, the first on top.
type crossings []crossing

// order makes a heap of crossings in any order.
func (h crossings) order() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sift(i)
	}
}

// sift moves the element down to its place in the heap.
func (h crossings) sift(i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// pop removes the first crossing.
func (h *crossings) pop() crossing {
	first, last := (*h)[0], len(*h)-1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	h.sift(0)
	return first
}

// step moves along the edge on which the residual at a place gets the sign given, to
// the crossing from which on the objective does not decrease; slope is that of the
// objective at the start.
func (v *vertex) step(place int, sign, slope float64) error {
	v.edge(place, sign)
	start := slope
	var passed []int
	var enter crossing
	for {
		if len(v.heap) == 0 {
			return ErrUnbounded
		}
		enter = v.heap.pop()
		slope += enter.rise
		if slope >= 0 {
			break
		}
		passed = append(passed, enter.row)
	}
	if v.linear && enter.t > 0 && -start*enter.t <= linearGain*v.linearTerms(math.Abs(v.r[enter.row])) {
		v.idle = append(v.idle, place)
		return nil
	}
	return v.pivot(place, sign, enter, passed)
}

// pivot puts the row of a crossing into the basis at a place, after others were passed.
func (v *vertex) pivot(place int, sign float64, enter crossing, passed []int) error {
	k, out, in := v.k, v.basis[place], enter.row
	for _, i := range passed {
		d := -v.bound(i)
		v.side[i] = -v.side[i]
		gram.Axpy(-(d + v.bound(i)), v.row(i), v.z)
	}
	for i, g := range v.g {
		v.r[i] += enter.t * g
		v.tie[i] += enter.tie * g
	}
	gram.Axpy(v.bound(in), v.row(in), v.z)
	v.basis[place], v.at[in], v.at[out] = in, place, -1
	v.idle = v.idle[:0]
	v.side[in] = 0
	v.side[out], v.r[out], v.tie[out] = int8(sign), sign*enter.t, sign*enter.tie
	gram.Axpy(-v.bound(out), v.row(out), v.z)
	for _, i := range v.basis {
		v.r[i], v.tie[i] = 0, 0
	}
	u := make([]float64, k)
	for c, x := range v.row(in) {
		gram.Axpy(x, v.inverse[c*k:(c+1)*k], u)
	}
	pivot := u[place]
	u[place]--
	for c := range k {
		gram.Axpy(-v.inverse[c*k+place]/pivot, u, v.inverse[c*k:(c+1)*k])
	}
	v.steps++
	if v.age++; v.age >= refactor {
		return v.refresh(false)
	}
	v.duals()
	return nil
}

// minimize steps from vertex to vertex until none is lower.
func (v *vertex) minimize(most int) error {
	fresh := v.age == 0
	for {
		place, sign, slope := v.leaving()
		if place < 0 {
			if fresh || v.age == 0 {
				return nil
			}
			if err := v.refresh(false); err != nil {
				return err
			}
			fresh = true
			continue
		}
		fresh = false
		if v.steps >= most {
			return ErrSteps
		}
		if err := v.step(place, sign, slope); err != nil {
			return err
		}
	}
}
