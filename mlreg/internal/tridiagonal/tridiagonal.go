// Package tridiagonal reduces symmetric matrices to tridiagonal form, and finds
// their eigenvalues and eigenvectors by it.
//
// Half of the arithmetic of a reduction is products of a matrix and a vector, which
// read the matrix once for every column: of order 1,500 they read 4.5 GB, which at
// the 24 GB/s that one core of a Xeon of 2023 reads from the third-level cache is two
// thirds of the reduction's time. The other half is products of matrices. The
// rotations that make eigenvectors work on columns that the second-level cache holds.
//
// A reduction in two steps, to a band of 32 diagonals by products of matrices and from
// there by chasing bulges, was tried and takes no less: of order 1,500, in seconds of two
// processors that others used too, the least of eight, 0.61 for this reduction's 0.52, of
// which some 0.24 are the chase, and 0.16 for 0.04 the way back of 100 columns. Its
// products read and write the matrix, and its mirror and packed copies, for every 32
// columns. A banded system for every lambda of a ridge path would do without the chase,
// but the path tells singular values.
package tridiagonal

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Form is A = Q T Q' with a tridiagonal T and an orthogonal Q = H_0 H_1 ...,
// H_i = I - tau_i v_i v_i', where v_i is zero up to element i.
type Form struct {
	D, E []float64 // diagonal of T (n), and what is beside it (n-1)

	a   blas64.Symmetric // row i holds v_i right of the diagonal
	tau []float64
}

// panel is the number of reflections that are applied at a time, to the rest of
// the matrix and to columns.
const panel = 32

// Reduce reduces the symmetric matrix whose upper triangle is a; it uses its
// storage. Householder reflections, applied a panel at a time: half of the
// arithmetic is one product of matrix and vector for every column, the other
// half updates of rank 2 panel. (Golub and Van Loan, 4th ed., section 8.3.1;
// Dongarra, Sorensen and Hammarling, 1989, Journal of Computational and Applied
// Mathematics 27, 215-227.) The result is the same to the bit whatever GOMAXPROCS
// is.
func Reduce(a blas64.Symmetric) *Form {
	n := a.N
	f := &Form{D: make([]float64, n), E: make([]float64, max(0, n-1)), a: a, tau: make([]float64, max(0, n-1))}
	// A - left'right is the matrix: the rows of left are v_0, w_0, v_1 ..., those of
	// right w_0, v_0, w_1 ...
	left, right := zeros(2*min(panel, n), n), zeros(2*min(panel, n), n)
	v := func(k int) []float64 { return rowOf(left, 2*k) }
	w := func(k int) []float64 { return rowOf(left, 2*k+1) }
	m := newMultiplier(a)
	for start := 0; start < n; start += panel {
		k := 0
		for i := start; i < min(start+panel, n); i++ {
			row := f.row(i)
			subtract(left, k, i, row)
			f.D[i] = row[0]
			if i == n-1 {
				break
			}
			x := row[1:]
			f.E[i], f.tau[i] = householder(x)
			vi, wi := v(k), w(k)
			clear(vi)
			copy(vi[i+1:], x)
			m.times(vi, wi, i+1)
			subtractProduct(left, k, x, wi[i+1:])
			tau := f.tau[i]
			for j := range wi[i+1:] {
				wi[i+1+j] *= tau
			}
			gram.Axpy(-tau/2*gram.Dot(wi[i+1:], x), x, wi[i+1:])
			k++
		}
		if next := start + panel; next < n {
			for p := range k {
				negate(rowOf(right, 2*p), w(p))
				negate(rowOf(right, 2*p+1), v(p))
			}
			rest := blas64.General{Rows: n - next, Cols: n - next, Stride: a.Stride, Data: a.Data[next*a.Stride+next:]}
			gram.AddProduct(rest, 1, from(left, 2*k, next), from(right, 2*k, next), true)
		}
	}
	return f
}

// subtract takes column i of the products of k pairs of rows from what is right of
// it in row i. Pairs go two by two if rows are long enough to gain by it.
func subtract(left blas64.General, k, i int, row []float64) {
	l := func(p int) []float64 { return rowOf(left, p)[i:] }
	p := 0
	for ; left.Cols >= long && p+4 <= 2*k; p += 4 {
		a := [4]float64{-l(p)[0], -l(p + 1)[0], -l(p + 2)[0], -l(p + 3)[0]}
		gram.Axpy4(&a, l(p+1), l(p), l(p+3), l(p+2), row)
	}
	for ; p < 2*k; p += 2 {
		gram.Axpy(-l(p)[0], l(p+1), row)
		gram.Axpy(-l(p + 1)[0], l(p), row)
	}
}

// subtractProduct takes from y what k pairs of rows, of which the last len(x)
// columns count, make of x.
func subtractProduct(left blas64.General, k int, x, y []float64) {
	from := left.Cols - len(x)
	l := func(p int) []float64 { return rowOf(left, p)[from:] }
	p := 0
	for ; left.Cols >= long && p+4 <= 2*k; p += 4 {
		four := [4][]float64{l(p), l(p + 1), l(p + 2), l(p + 3)}
		var s [8]float64 // all products twice
		gram.Dots4x2(&four, x, x, &s)
		gram.Axpy4(&[4]float64{-s[2], -s[0], -s[6], -s[4]}, four[0], four[1], four[2], four[3], y)
	}
	for ; p < 2*k; p += 2 {
		a, b := gram.Dot(l(p+1), x), gram.Dot(l(p), x)
		gram.Axpy(-a, l(p), y)
		gram.Axpy(-b, l(p+1), y)
	}
}

// long is the order from which on several rows are worked on at a time.
const long = 128

func zeros(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

func rowOf(m blas64.General, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

// from is the first rows of m without the first columns.
func from(m blas64.General, rows, column int) blas64.General {
	return blas64.General{Rows: rows, Cols: m.Cols - column, Stride: m.Stride, Data: m.Data[column:]}
}

func negate(dst, src []float64) {
	for i, v := range src {
		dst[i] = -v
	}
}

// row is row i of the upper triangle.
func (f *Form) row(i int) []float64 { return f.a.Data[i*f.a.Stride+i : i*f.a.Stride+f.a.N] }

// householder replaces x by the v, with v_0 = 1, of the reflection that takes x to
// (beta, 0, ...).
func householder(x []float64) (beta, tau float64) {
	norm := blas64.Nrm2(blas64.Vector{N: len(x), Inc: 1, Data: x})
	rest := blas64.Nrm2(blas64.Vector{N: len(x) - 1, Inc: 1, Data: x[1:]})
	alpha := x[0]
	x[0] = 1
	if rest == 0 {
		return alpha, 0
	}
	beta = -math.Copysign(norm, alpha)
	for i := range x[1:] {
		x[1+i] /= alpha - beta
	}
	return beta, (beta - alpha) / beta
}

// multiplier multiplies the lower right corner of a symmetric matrix by vectors.
type multiplier struct {
	a     blas64.Symmetric
	parts [][]float64
}

func newMultiplier(a blas64.Symmetric) *multiplier {
	m := &multiplier{a: a}
	for range 4 {
		m.parts = append(m.parts, make([]float64, a.N))
	}
	return m
}

// times writes A x to y, for rows and columns from on; the rest of y becomes zero.
func (m *multiplier) times(x, y []float64, from int) {
	n := m.a.N
	tasks := len(m.parts)
	if n-from < 256 {
		tasks = 1
	}
	// Row r has n-r elements: tasks take rows of the same number of them.
	bound := func(t int) int {
		return n - int(math.Sqrt(1-float64(t)/float64(tasks))*float64(n-from))
	}
	gram.Each(tasks, func(t int) {
		part := m.parts[t]
		clear(part)
		end := bound(t + 1)
		if t == tasks-1 {
			end = n
		}
		r := bound(t)
		for ; n >= long && r+4 <= end; r += 4 {
			m.fourRows(x, part, r)
		}
		for ; r < end; r++ {
			row := m.a.Data[r*m.a.Stride+r : r*m.a.Stride+n]
			part[r] += row[0]*x[r] + gram.DotAxpy(x[r], row[1:], x[r+1:], part[r+1:])
		}
	})
	copy(y, m.parts[0])
	for _, part := range m.parts[1:tasks] {
		gram.Axpy(1, part[from:], y[from:])
	}
}

// fourRows adds to y what rows r to r+3 of the triangle make of x.
func (m *multiplier) fourRows(x, y []float64, r int) {
	n := m.a.N
	var rows [4][]float64 // right of column r+3
	for i := range rows {
		row := m.a.Data[(r+i)*m.a.Stride : (r+i)*m.a.Stride+n]
		rows[i] = row[r+4:]
		y[r+i] += row[r+i] * x[r+i]
		for j := r + i + 1; j < r+4; j++ {
			y[r+i] += row[j] * x[j]
			y[j] += row[j] * x[r+i]
		}
	}
	var sums [4]float64
	gram.DotAxpy4((*[4]float64)(x[r:]), rows[0], rows[1], rows[2], rows[3], x[r+4:], y[r+4:], &sums)
	for i, s := range sums {
		y[r+i] += s
	}
}

// Multiply replaces the columns of z (n x m) by Q z.
func (f *Form) Multiply(z blas64.General) {
	b := f.newBlock(z.Cols)
	for start := (len(f.tau) - 1) / panel * panel; start >= 0; start -= panel {
		b.set(f, start)
		b.apply(z)
	}
}

// MultiplyTransposed replaces the vector z by Q'z.
func (f *Form) MultiplyTransposed(z []float64) {
	for i, tau := range f.tau {
		v := f.row(i)[1:]
		gram.Axpy(-tau*gram.Dot(v, z[i+1:]), v, z[i+1:])
	}
}

// A block is a product of reflections, H_i H_i+1 ... = I - V T V' with an upper
// triangular T; it concerns rows from first on. (Schreiber and Van Loan, 1989,
// SIAM Journal on Scientific and Statistical Computing 10, 53-57.)
type block struct {
	first       int
	v, rows     blas64.General // V and V', without the rows that are zero
	t           blas64.General
	products, w blas64.General // workspace
}

// newBlock returns room for any block that is to be applied to so many columns.
func (f *Form) newBlock(columns int) *block {
	n, k := f.a.N, min(panel, f.a.N)
	return &block{v: zeros(n, k), rows: zeros(k, n), t: zeros(k, k), products: zeros(k, max(k, columns)), w: zeros(k, columns)}
}

// set makes b the product of the reflections of a panel.
func (b *block) set(f *Form, start int) {
	b.first = start + 1
	n, k := f.a.N-b.first, min(panel, len(f.tau)-start)
	b.v, b.rows, b.t = shaped(b.v, n, k), shaped(b.rows, k, n), shaped(b.t, k, k)
	for c := range k {
		copy(rowOf(b.rows, c)[c:], f.row(start + c)[1:])
	}
	for r := range n {
		row := rowOf(b.v, r)
		for c := range row {
			row[c] = b.rows.Data[c*n+r]
		}
	}
	products := shaped(b.products, k, k)
	gram.AddProduct(products, 1, b.v, b.v, true)
	for c := range k {
		tau := f.tau[start+c]
		b.t.Data[c*k+c] = tau
		for r := range c {
			var sum float64
			for l := r; l < c; l++ {
				sum += b.t.Data[r*k+l] * products.Data[l*k+c]
			}
			b.t.Data[r*k+c] = -tau * sum
		}
	}
}

// apply replaces z by (I - V T V')z.
func (b *block) apply(z blas64.General) {
	z.Rows -= b.first
	z.Data = z.Data[b.first*z.Stride:]
	k := b.t.Rows
	products, w := shaped(b.products, k, z.Cols), shaped(b.w, k, z.Cols)
	gram.AddProduct(products, 1, b.v, z, false)
	for r := range k {
		for c := r; c < k; c++ {
			gram.Axpy(-b.t.Data[r*k+c], rowOf(products, c), rowOf(w, r))
		}
	}
	gram.AddProduct(z, 1, b.rows, w, false)
}

// shaped returns a matrix of zeros in the storage of another.
func shaped(m blas64.General, rows, cols int) blas64.General {
	m = blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: m.Data[:rows*cols]}
	clear(m.Data)
	return m
}
