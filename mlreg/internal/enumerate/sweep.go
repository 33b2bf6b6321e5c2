package enumerate

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Sweeper holds a subset of the rows of a problem of any order, its Q and
// determinant, and changes it one row at a time by the symmetric sweep
// operator (Goodnight, The American Statistician 33 (1979), 149-158). With the
// rows S swept, the matrix has -M_SS^-1 in the block of S, the coefficients
// M_SS^-1 M_S0 in row 0, and the Schur complement in the rest.
//
// A row whose pivot is at or below Tol is a combination of those in the
// subset: it is in, but idle, until one of them leaves.
type Sweeper struct {
	p       *Problem
	a       []float64 // (D+1) x (D+1), symmetric
	in      []bool    // by row
	swept   []bool
	size    int
	idle    int     // rows in and not swept
	log2det float64 // of the rows swept
	flips   int     // since the matrix was computed from M
	block   []float64
}

// refresh is the number of flips after which the matrix is computed afresh, to
// be rid of their rounding errors.
const refresh = 200

// NewSweeper returns the empty subset.
func NewSweeper(p *Problem) *Sweeper {
	s := &Sweeper{p: p, a: make([]float64, (p.D+1)*(p.D+1)), in: make([]bool, p.D+1), swept: make([]bool, p.D+1)}
	s.restart()
	return s
}

// restart computes the matrix from M.
func (s *Sweeper) restart() {
	k := s.p.D + 1
	for i := range k {
		for j, v := range s.p.M[Tri(i):Tri(i+1)] {
			s.a[i*k+j], s.a[j*k+i] = v, v
		}
	}
	clear(s.swept)
	s.idle, s.log2det, s.flips = s.size, 0, 0
	var rows []int
	for j, in := range s.in {
		if in {
			rows = append(rows, j)
		}
	}
	if s.sweepBlock(rows) {
		s.idle = 0
		return
	}
	s.wake()
}

// wake sweeps the idle rows that are independent of those swept.
func (s *Sweeper) wake() {
	for j := 1; j <= s.p.D && s.idle > 0; j++ {
		if s.in[j] && !s.swept[j] && s.pivot(j) > s.p.Tol {
			s.sweep(j)
			s.idle--
		}
	}
}

func (s *Sweeper) pivot(j int) float64 { return s.a[j*(s.p.D+1)+j] }

// sweep takes row j in or out; the two differ in the sign of the pivot.
func (s *Sweeper) sweep(j int) {
	k := s.p.D + 1
	g := s.pivot(j)
	row := s.a[j*k : (j+1)*k]
	for i := range k {
		if i == j || row[i] == 0 {
			continue
		}
		c := row[i] / g
		ai := s.a[i*k : (i+1)*k]
		if k > blockOrder {
			gram.Axpy(-c, row, ai)
			continue
		}
		for h, r := range row {
			ai[h] -= c * r
		}
	}
	sign := 1.0
	if s.swept[j] {
		sign = -1
	}
	for i := range k {
		v := sign * row[i] / g
		if i == j {
			v = -1 / g
		}
		row[i], s.a[i*k+j] = v, v
	}
	s.log2det += math.Log2(math.Abs(g))
	s.swept[j] = !s.swept[j]
}

// In tells whether row j is in the subset.
func (s *Sweeper) In(j int) bool { return s.in[j] }

// Size returns the number of rows in the subset.
func (s *Sweeper) Size() int { return s.size }

// Log2 returns L of the subset.
func (s *Sweeper) Log2() float64 { return s.p.Log2Weight(s.size, s.a[0], s.log2det) }

// Flip takes row j in, or out if it is in.
func (s *Sweeper) Flip(j int) {
	s.in[j] = !s.in[j]
	switch {
	case s.in[j]:
		s.size++
		s.idle++
		s.wake()
	case s.swept[j]:
		s.size--
		s.sweep(j)
		s.wake()
	default:
		s.size--
		s.idle--
	}
	if s.flips++; s.flips >= refresh {
		s.restart()
	}
}

// FlipAll flips rows. Many that are all in, or all out, go by the algebra of blocks.
func (s *Sweeper) FlipAll(rows []int) {
	in := len(rows) > 0 && s.in[rows[0]]
	alike := s.idle == 0
	for _, j := range rows {
		alike = alike && s.in[j] == in
	}
	if !alike || !s.sweepBlock(rows) {
		for _, j := range rows {
			s.Flip(j)
		}
		return
	}
	for _, j := range rows {
		s.in[j] = !in
	}
	if in {
		s.size -= len(rows)
	} else {
		s.size += len(rows)
	}
	if s.flips += blockFlips; s.flips >= refresh {
		s.restart()
	}
}

const (
	blockRows  = 8   // from so many rows on
	blockOrder = 100 // of so many, blocks are faster
	blockFlips = 8   // as many flips round about as much as a block
)

// sweepBlock takes rows in that are out, or out that are swept, all at once: with their
// block P of the matrix A, -P for rows that are swept, P = R'R and Z = R'^-1 A_P,
//
//	A_ij - Z_i'Z_j for the other rows, + for rows that leave,   R^-1 Z,   -P^-1 or +P^-1.
//
// It returns false, and has done nothing, if the rows are few or a pivot is at or below
// Tol.
func (s *Sweeper) sweepBlock(rows []int) bool {
	m, k := len(rows), s.p.D+1
	if m < blockRows || s.p.D < blockOrder {
		return false
	}
	sign := 1.0
	if s.swept[rows[0]] {
		sign = -1
	}
	r := blas64.General{Rows: m, Cols: m, Stride: m, Data: make([]float64, m*m)}
	z := blas64.General{Rows: m, Cols: k, Stride: k, Data: make([]float64, m*k)}
	for b, j := range rows {
		copy(z.Data[b*k:], s.a[j*k:(j+1)*k])
		for c, h := range rows {
			r.Data[b*m+c] = sign * s.a[j*k+h]
		}
	}
	if !blocked.Cholesky(r) {
		return false
	}
	var log2det float64
	for b := range rows {
		g := r.Data[b*m+b] * r.Data[b*m+b]
		if sign > 0 && g <= s.p.Tol {
			return false
		}
		log2det += math.Log2(g)
	}
	blocked.SolveTransposed(r, z)
	t := blocked.Inverse(r)
	if t == nil {
		return false
	}
	gram.AddProduct(blas64.General{Rows: k, Cols: k, Stride: k, Data: s.a}, -sign, z, z, true)
	const side = 32
	for i0 := 0; i0 < k; i0 += side { // below the diagonal, as above it
		for j0 := 0; j0 <= i0; j0 += side {
			for i := i0; i < min(i0+side, k); i++ {
				for j := j0; j < min(j0+side, i); j++ {
					s.a[i*k+j] = s.a[j*k+i]
				}
			}
		}
	}
	solved, inverse := blocked.Multiply(*t, z, false, false), blocked.TimesTransposed(*t)
	for b, j := range rows {
		for i, v := range solved.Data[b*k : (b+1)*k] {
			s.a[j*k+i], s.a[i*k+j] = v, v
		}
	}
	for b, j := range rows {
		for c := b; c < m; c++ {
			v := -sign * inverse.Data[b*inverse.Stride+c]
			s.a[j*k+rows[c]], s.a[rows[c]*k+j] = v, v
		}
		s.swept[j] = sign > 0
	}
	s.log2det += log2det
	return true
}

// Log2Flipped returns L of the subset with row j flipped.
func (s *Sweeper) Log2Flipped(j int) float64 {
	size := s.size + 1
	if s.in[j] {
		size = s.size - 1
		if s.swept[j] && s.idle > 0 { // an idle row may take its place
			s.Flip(j)
			l := s.Log2()
			s.Flip(j)
			return l
		}
	}
	q, log2det := s.a[0], s.log2det
	if g := s.pivot(j); s.swept[j] || !s.in[j] && g > s.p.Tol {
		r := s.a[j]
		q -= r * r / g
		log2det += math.Log2(math.Abs(g))
	}
	return s.p.Log2Weight(size, q, log2det)
}

// Log2FlippedAll returns L of the subset with all of the given rows flipped. The block
// of the swept matrix that they have, and its column of the response, give the change of
// Q and of the determinant; no other row is touched.
func (s *Sweeper) Log2FlippedAll(rows []int) float64 {
	var leave, enter []int
	for _, j := range rows {
		if s.in[j] {
			leave = append(leave, j)
		} else {
			enter = append(enter, j)
		}
	}
	size, log2det := s.size+len(enter)-len(leave), s.log2det
	order := append([]int{0}, enter...) // the last is eliminated first
	order = append(order, leave...)
	a := s.block[:0]
	for i, j := range order {
		for _, h := range order[:i+1] {
			a = append(a, s.a[j*(s.p.D+1)+h])
		}
	}
	s.block = a
	for r := len(order) - 1; r > 0; r-- {
		row := a[Tri(r):Tri(r+1)]
		inv, det := 0.0, 1.0
		if r > len(enter) {
			inv, det = 1/row[r], -row[r]
		} else {
			inv, det = pivot(row[r], s.p.Tol)
		}
		if len(leave) > 0 && s.idle > 0 || !(det > 0) { // an idle row may take the place of one that leaves
			return s.log2After(rows)
		}
		eliminate(a, a, row, inv)
		log2det += math.Log2(det)
	}
	return s.p.Log2Weight(size, a[0], log2det)
}

// log2After is Log2FlippedAll by flipping the rows.
func (s *Sweeper) log2After(rows []int) float64 {
	for _, j := range rows {
		s.Flip(j)
	}
	l := s.Log2()
	for _, j := range rows {
		s.Flip(j)
	}
	return l
}

// AddTo adds the coefficients of the subset to sums with Moments, as one subset of
// weight 1. Idle rows have the coefficient 0.
func (s *Sweeper) AddTo(sums *Sums) {
	v := s.p.VarSlope[s.size]*s.a[0] + s.p.VarConst
	sums.W++
	sums.V += v
	k := s.p.D + 1
	for i := 1; i < k; i++ {
		if !s.swept[i] {
			continue
		}
		b := s.a[i*k]
		sums.Mean[i-1] += b
		second := sums.Second[Tri(i-1):]
		for j := 1; j <= i; j++ {
			if s.swept[j] {
				second[j-1] += b*s.a[j*k] - v*s.a[i*k+j]
			}
		}
	}
}

// Climb flips the row that raises L most until none does, at most limit times,
// and tells of every subset it looked at: visit gets the row it would flip, 0
// for the subset itself, and its L.
func (s *Sweeper) Climb(limit int, visit func(row int, l float64)) {
	for range limit {
		at, top := 0, s.Log2()
		visit(0, top)
		for j := 1; j <= s.p.D; j++ {
			l := s.Log2Flipped(j)
			visit(j, l)
			if l > top+1e-9 {
				at, top = j, l
			}
		}
		if at == 0 {
			return
		}
		s.Flip(at)
	}
}

// search returns k good models, or fewer: those seen on the way to a model
// that no flip of one term betters, and those two flips away from it.
func (p *Problem) search(k int) *ranking {
	r := newRanking(k, math.Inf(-1))
	seen := make(map[uint32]bool)
	s := NewSweeper(p)
	visit := func(row int, l float64) {
		subset := s.subset()
		if row > 0 {
			subset ^= 1 << (row - 1)
		}
		if !seen[subset] {
			seen[subset] = true
			r.offer(Model{subset, l})
		}
	}
	s.Climb(4*p.D, visit)
	for j := 1; j <= p.D; j++ {
		s.Flip(j)
		s.Climb(1, visit)
		s.to(r.models[0].Subset)
	}
	return &r
}

// subset returns the rows in, row j as bit j-1.
func (s *Sweeper) subset() uint32 {
	var b uint32
	for j, in := range s.in[1:] {
		if in {
			b |= 1 << j
		}
	}
	return b
}

// to changes to another subset.
func (s *Sweeper) to(subset uint32) {
	for j := 1; j <= s.p.D; j++ {
		if s.in[j] != (subset>>(j-1)&1 == 1) {
			s.Flip(j)
		}
	}
}

// At returns an element of the swept matrix.
func (s *Sweeper) At(i, j int) float64 { return s.a[i*(s.p.D+1)+j] }

// Log2Det returns log2 det M_SS, idle rows left out.
func (s *Sweeper) Log2Det() float64 { return s.log2det }

// Idle returns the rows that are in and idle.
func (s *Sweeper) Idle() []int {
	var idle []int
	for j, in := range s.in {
		if in && !s.swept[j] {
			idle = append(idle, j)
		}
	}
	return idle
}
