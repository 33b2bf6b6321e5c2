package quantiles

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Coef returns the coefficients, and what rounding took from them: they solve the rows
// of the basis in double-double. One that a row of its own has at zero, such as a row of a
// penalty, is exactly zero.
func (s *Solution) Coef() (b, low []float64) {
	v := s.v
	k := v.k
	x := dd.NewVector(k)
	for range 4 {
		residual := make([]float64, k)
		for c, i := range v.basis {
			r := dd.Of(v.p.Y[i])
			for j, a := range v.row(i) {
				r = r.Sub(dd.Of(a).Mul(x.At(j)))
			}
			residual[c] = r.Float()
		}
		for j := range k {
			x.Set(j, x.At(j).Add(dd.Of(gram.Dot(v.inverse[j*k:(j+1)*k], residual))))
		}
	}
	for i, r := range v.r {
		if r != 0 || v.p.Y[i] != 0 {
			continue
		}
		if j := onlyColumn(v.row(i)); j >= 0 {
			x.Set(j, dd.Number{})
		}
	}
	return x.Hi, x.Lo
}

// onlyColumn returns the column of a row that is not zero, -1 if there are others or none.
func onlyColumn(row []float64) int {
	only := -1
	for j, a := range row {
		switch {
		case a == 0:
		case only >= 0:
			return -1
		default:
			only = j
		}
	}
	return only
}

// Basis returns the k rows that the fit passes through.
func (s *Solution) Basis() []int { return slices.Clone(s.v.basis) }

// Steps returns the number of vertices left behind on all rows, or on the last problem of
// a large one.
func (s *Solution) Steps() int { return s.v.steps }

// Residuals returns y - A b, exactly zero in the basis and where rounding decides.
func (s *Solution) Residuals() []float64 { return slices.Clone(s.v.r) }

// Dual returns d, a subgradient of every row's check function with A'd = q.
func (s *Solution) Dual() []float64 {
	v := s.v
	d := make([]float64, v.n)
	for i := range d {
		if v.at[i] < 0 {
			d[i] = v.bound(i)
		}
	}
	for j, i := range v.basis {
		d[i] = math.Min(math.Max(v.dual[j], v.p.Low[i]), v.p.High[i])
	}
	return d
}

// Objective returns F and the duality gap, the sum of the terms c_i(r_i) - d_i r_i and
// of b'(q - A'd), which rounding leaves. None of them cancel.
func (s *Solution) Objective() (value, gap float64) {
	v := s.v
	d := s.Dual()
	for i, r := range v.r {
		c := v.p.High[i] * r
		if r < 0 {
			c = v.p.Low[i] * r
		}
		if r != 0 {
			value += c
			gap += c - d[i]*r
		}
	}
	rest := make([]float64, v.k)
	if v.k > 0 {
		blas64.Gemv(blas.Trans, -1, v.p.A, gram.Vector(d), 0, gram.Vector(rest))
	}
	for j, b := range v.b {
		var q float64
		if v.p.Linear != nil {
			q = v.p.Linear[j]
		}
		value += q * b
		gap += math.Abs((rest[j] + q) * b)
	}
	return value, gap
}

// Ties returns the rows outside the basis whose residuals are zero.
func (s *Solution) Ties() []int {
	var rows []int
	for i, r := range s.v.r {
		if r == 0 && s.v.at[i] < 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// with returns the vertex as one of a problem with the same rows.
func (v *vertex) with(p *Problem) *vertex {
	w := *v
	w.p = p
	w.basis, w.at, w.side = slices.Clone(v.basis), slices.Clone(v.at), slices.Clone(v.side)
	w.inverse, w.b = slices.Clone(v.inverse), slices.Clone(v.b)
	w.r, w.tie = slices.Clone(v.r), slices.Clone(v.tie)
	w.z, w.dual, w.g = slices.Clone(v.z), slices.Clone(v.dual), make([]float64, v.n)
	w.heap, w.idle, w.steps, w.age = nil, nil, 0, 1
	return &w
}

// Under returns the vertex with other bounds of the duals, under which it is a minimum still.
func (s *Solution) Under(low, high []float64) *Solution {
	q := *s.v.p
	q.Low, q.High = low, high
	w := s.v.with(&q)
	w.size = w.sizes()
	w.price()
	return &Solution{v: w}
}

// sizes are what the terms of the sums z can add up to.
func (v *vertex) sizes() []float64 {
	size := make([]float64, v.k)
	for i := range v.n {
		bound := math.Max(finite(v.p.High[i]), finite(-v.p.Low[i]))
		for j, x := range v.row(i) {
			size[j] += bound * math.Abs(x)
		}
	}
	return size
}

// Range returns the least and the largest value of every combination l'b, of each
// coefficient if ls is nil, among all minima, and whether there is but one minimum. All
// minima share the signs that the dual asks for: a row whose dual is within its bounds has
// residual zero.
func (s *Solution) Range(ls [][]float64, most int) (low, high []float64, unique bool, err error) {
	v := s.v
	if ls == nil {
		ls = units(v.k)
	}
	for _, l := range ls {
		low = append(low, gram.Dot(l, v.b))
	}
	high = slices.Clone(low)
	q, unique := v.optimal()
	if unique {
		return low, high, true, nil
	}
	unique = true
	for j, l := range ls {
		for _, sign := range []float64{1, -1} {
			at, err := v.least(q, l, sign, most)
			if err != nil {
				return nil, nil, false, err
			}
			if sign > 0 {
				low[j] = math.Min(low[j], at)
			} else {
				high[j] = math.Max(high[j], at)
			}
		}
		var size float64
		for i, x := range l {
			for c, row := range v.basis {
				size += math.Abs(x * v.inverse[i*v.k+c] * v.p.Y[row])
			}
		}
		unique = unique && high[j]-low[j] <= 1e-12*size
	}
	return low, high, unique, nil
}

// units returns the combinations that are single coefficients.
func units(k int) [][]float64 {
	out := make([][]float64, k)
	for j := range out {
		out[j] = make([]float64, k)
		out[j][j] = 1
	}
	return out
}

// optimal returns the problem whose feasible points are all minima, each row having the sign
// that the dual asks for, and whether there is but one.
func (v *vertex) optimal() (q *Problem, unique bool) {
	q = &Problem{A: v.p.A, Y: v.p.Y, Low: make([]float64, v.n), High: make([]float64, v.n)}
	for i := range v.n {
		if v.p.Low[i] == v.p.High[i] {
			continue
		}
		switch {
		case v.side[i] > 0:
			q.Low[i] = math.Inf(-1)
		case v.side[i] < 0:
			q.High[i] = math.Inf(1)
		}
	}
	unique = true
	for j, i := range v.basis {
		q.Low[i], q.High[i] = math.Inf(-1), math.Inf(1)
		switch slack := v.slack(j); {
		case v.dual[j] >= v.p.High[i]-slack:
			q.High[i], unique = 0, false
		case v.dual[j] <= v.p.Low[i]+slack:
			q.Low[i], unique = 0, false
		}
	}
	return q, unique
}

// least returns l'b where sign times it is least among the points of q.
func (v *vertex) least(q *Problem, l []float64, sign float64, most int) (float64, error) {
	q.Linear = make([]float64, v.k)
	for i, x := range l {
		q.Linear[i] = sign * x
	}
	w := v.with(q)
	w.size, w.linear = make([]float64, v.k), true
	w.price()
	if err := w.minimize(most); err != nil {
		return 0, err
	}
	if err := w.solve(); err != nil {
		return 0, err
	}
	return gram.Dot(l, w.b), nil
}

// Tilted is the fit when the objective has the term -mu l'b besides. The combination l'b
// is at At for mu from From to To. At To there are other vertices with the same objective, of
// which Next is the nearest in l'b, and at From there is Before.
type Tilted struct {
	At, From, To float64
	Next, Before float64
}

// Tilt minimizes F - mu l'b. The derivative of the least F at a given l'b is mu, so that
// this inverts a test of l'b whose statistic is the derivative. Next and Before are NaN
// if there is no vertex on that side. The error is ErrUnbounded if the statistic is
// below mu everywhere.
func (s *Solution) Tilt(l []float64, mu float64, most int) (*Tilted, error) {
	v := s.v
	q := *v.p
	q.Linear = make([]float64, v.k)
	copy(q.Linear, v.p.Linear)
	gram.Axpy(-mu, l, q.Linear)
	w := v.with(&q)
	w.price()
	if err := w.minimize(most); err != nil {
		return nil, err
	}
	if err := w.solve(); err != nil {
		return nil, err
	}
	out := &Tilted{At: gram.Dot(l, w.b)}
	out.To, out.Next = w.onward(l, mu, 1)
	out.From, out.Before = w.onward(l, mu, -1)
	return out, nil
}

// onward returns up to which mu l'b stays where it is as mu grows (or falls, if sign is
// -1), and the nearest place where it is from there on: several rows may leave the basis at
// the same mu, to vertices at different places. Vertices at the same place are passed.
func (v *vertex) onward(l []float64, mu, sign float64) (until, next float64) {
	const ties = 100
	w := v.with(v.p)
	w.p = &Problem{A: v.p.A, Y: v.p.Y, Low: v.p.Low, High: v.p.High, Linear: append([]float64(nil), v.p.Linear...)}
	at := gram.Dot(l, w.b)
	var size float64
	for j, x := range l {
		size += math.Abs(x * w.b[j])
	}
	for range ties {
		t := w.tilts(l, sign)
		if t.first < 0 {
			return sign * math.Inf(1), math.NaN()
		}
		mu += sign * t.reach
		gram.Axpy(-sign*t.reach, l, w.p.Linear)
		w.price()
		next = math.NaN()
		var here *vertex
		for c := range w.basis {
			if !(t.reaches[c] <= t.reach) {
				continue
			}
			u := w.with(w.p)
			if u.step(c, t.sides[c], 0) != nil || u.solve() != nil {
				continue
			}
			switch to := gram.Dot(l, u.b); {
			case math.Abs(to-at) <= 1e-12*size:
				if here == nil || c == t.first {
					here = u
				}
			case !(math.Abs(next-at) <= math.Abs(to-at)):
				next = to
			}
		}
		if next == next || here == nil {
			return mu, next
		}
		w = here
	}
	return mu, math.NaN()
}

// tilts says how far a linear term may grow until the dual of a row of the basis is at a bound.
type tilts struct {
	reach          float64 // of the first
	first          int     // its place; -1: none ever is
	reaches, sides []float64
}

// tilts returns them for a term mu l'b, of a mu that grows, or falls if sign is -1:
//
//	dual(mu + sign h) = dual - sign h B'l.
func (v *vertex) tilts(l []float64, sign float64) tilts {
	t := tilts{reach: math.Inf(1), first: -1, reaches: make([]float64, v.k), sides: make([]float64, v.k)}
	for c, i := range v.basis {
		var rate float64
		for j, x := range l {
			rate -= sign * x * v.inverse[j*v.k+c]
		}
		t.reaches[c] = math.Inf(1)
		switch {
		case rate > 0:
			t.reaches[c], t.sides[c] = (v.p.High[i]-v.dual[c])/rate, 1
		case rate < 0:
			t.reaches[c], t.sides[c] = (v.p.Low[i]-v.dual[c])/rate, -1
		}
		if t.reaches[c] < t.reach {
			t.reach, t.first = t.reaches[c], c
		}
		t.reaches[c] -= v.slack(c) / math.Abs(rate)
	}
	t.reach = math.Max(t.reach, 0)
	return t
}

// Walk follows the minimum while the bounds of the duals change,
//
//	low_i(theta) = low_i + theta lowRate_i,  high_i(theta) = high_i + theta highRate_i,
//
// with the theta of the Solution at from, to the theta at to. Visit is called at every
// vertex, with the theta from which and to which it is the minimum; an error from it
// ends the walk. The Solution is not changed.
func (s *Solution) Walk(low, high, lowRate, highRate []float64, from, to float64, most int, visit func(at *Solution, from, to float64) error) error {
	v := s.v
	q := *v.p
	q.Low, q.High = make([]float64, v.n), make([]float64, v.n)
	w := v.with(&q)
	set := func(theta float64) {
		for i := range v.n {
			q.Low[i], q.High[i] = low[i]+theta*lowRate[i], high[i]+theta*highRate[i]
		}
		w.price()
	}
	theta, sign := from, 1.0
	if to < from {
		sign = -1
	}
	set(theta)
	if err := w.minimize(most); err != nil {
		return err
	}
	for {
		place, side, reach := w.meets(lowRate, highRate, sign, math.Abs(to-theta))
		next := theta + sign*reach
		if err := w.solve(); err != nil {
			return err
		}
		if place < 0 {
			set(to)
			return visit(&Solution{v: w}, theta, to)
		}
		if err := visit(&Solution{v: w}, theta, next); err != nil {
			return err
		}
		if w.steps >= most {
			return ErrSteps
		}
		theta = next
		set(theta)
		if err := w.step(place, side, 0); err != nil {
			return err
		}
	}
}

// meets returns the place of the basis whose dual is the first to meet a bound as the bounds of
// all change, on which side, and after how much; -1 if none does within the reach given.
func (v *vertex) meets(lowRate, highRate []float64, sign, within float64) (place int, side, reach float64) {
	rate := v.dualRates(lowRate, highRate)
	place, reach = -1, within
	for j, i := range v.basis {
		toHigh := sign * (rate[j] - highRate[i]) // how fast the dual gets nearer to its upper bound
		if toHigh > 1e-13*(math.Abs(rate[j])+math.Abs(highRate[i])) {
			if h := math.Max(0, (v.p.High[i]-v.dual[j])/toHigh); h < reach {
				place, side, reach = j, 1, h
			}
		}
		toLow := -sign * (rate[j] - lowRate[i])
		if toLow > 1e-13*(math.Abs(rate[j])+math.Abs(lowRate[i])) {
			if h := math.Max(0, (v.dual[j]-v.p.Low[i])/toLow); h < reach {
				place, side, reach = j, -1, h
			}
		}
	}
	return place, side, reach
}

// dualRates returns how fast the duals of the basis change with the bounds of the others.
func (v *vertex) dualRates(lowRate, highRate []float64) []float64 {
	d := v.g
	for i := range v.n {
		switch {
		case v.at[i] >= 0:
			d[i] = 0
		case v.side[i] > 0:
			d[i] = -highRate[i]
		default:
			d[i] = -lowRate[i]
		}
	}
	rate := make([]float64, v.k)
	if v.k > 0 {
		along := make([]float64, v.k)
		blas64.Gemv(blas.Trans, 1, v.p.A, gram.Vector(d), 0, gram.Vector(along))
		blas64.Gemv(blas.Trans, 1, blas64.General{Rows: v.k, Cols: v.k, Stride: v.k, Data: v.inverse}, gram.Vector(along), 0, gram.Vector(rate))
	}
	return rate
}

// Rebound minimizes anew, from this vertex, with other bounds of the duals.
func (s *Solution) Rebound(low, high []float64, most int) (*Solution, error) {
	q := *s.v.p
	q.Low, q.High = low, high
	most = q.limit(most)
	w := s.v.with(&q)
	w.size = w.sizes()
	if err := w.refresh(false); err != nil {
		return nil, err
	}
	err := w.minimize(most)
	return &Solution{v: w}, err
}
