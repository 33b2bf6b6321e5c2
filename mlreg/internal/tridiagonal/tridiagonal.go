// Package tridiagonal reduces symmetric matrices to tridiagonal form.
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

// panel is the number of reflections that are applied to the rest of the matrix
// at a time.
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
	// v and w have the vectors of a panel: A - sum v w' + w v' is the matrix.
	v, w := make([][]float64, panel), make([][]float64, panel)
	for k := range panel {
		v[k], w[k] = make([]float64, n), make([]float64, n)
	}
	m := newMultiplier(a)
	for start := 0; start < n; start += panel {
		k := 0
		for i := start; i < min(start+panel, n); i++ {
			row := f.row(i)
			subtract(row, v[:k], w[:k], i)
			f.D[i] = row[0]
			if i == n-1 {
				break
			}
			x := row[1:]
			f.E[i], f.tau[i] = householder(x)
			vi, wi := v[k], w[k]
			clear(vi)
			copy(vi[i+1:], x)
			m.times(vi, wi, i+1)
			for p := range k {
				a, b := gram.Dot(w[p][i+1:], x), gram.Dot(v[p][i+1:], x)
				gram.Axpy(-a, v[p][i+1:], wi[i+1:])
				gram.Axpy(-b, w[p][i+1:], wi[i+1:])
			}
			tau := f.tau[i]
			for j := range wi[i+1:] {
				wi[i+1+j] *= tau
			}
			gram.Axpy(-tau/2*gram.Dot(wi[i+1:], x), x, wi[i+1:])
			k++
		}
		const rows = 16 // updated by a task
		next := start + panel
		if next < n {
			gram.Each((n-next+rows-1)/rows, func(task int) {
				for r := next + task*rows; r < min(next+(task+1)*rows, n); r++ {
					subtract(f.row(r), v, w, r)
				}
			})
		}
	}
	return f
}

// row is row i of the upper triangle.
func (f *Form) row(i int) []float64 { return f.a.Data[i*f.a.Stride+i : i*f.a.Stride+f.a.N] }

// subtract takes sum_k v_k w_k' + w_k v_k' from row i, right of the diagonal.
func subtract(row []float64, v, w [][]float64, i int) {
	k := 0
	for ; k+2 <= len(v); k += 2 {
		gram.Axpy4(&[4]float64{-v[k][i], -w[k][i], -v[k+1][i], -w[k+1][i]}, w[k][i:], v[k][i:], w[k+1][i:], v[k+1][i:], row)
	}
	if k < len(v) {
		gram.Axpy(-v[k][i], w[k][i:], row)
		gram.Axpy(-w[k][i], v[k][i:], row)
	}
}

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
		for r := bound(t); r < end; r++ {
			row := m.a.Data[r*m.a.Stride+r : r*m.a.Stride+n]
			part[r] += row[0]*x[r] + gram.DotAxpy(x[r], row[1:], x[r+1:], part[r+1:])
		}
	})
	copy(y, m.parts[0])
	for _, part := range m.parts[1:tasks] {
		gram.Axpy(1, part[from:], y[from:])
	}
}

// Multiply replaces the columns of z (n x m) by Q z.
func (f *Form) Multiply(z blas64.General) {
	f.columns(z, func(part blas64.General, w []float64) {
		for i := len(f.tau) - 1; i >= 0; i-- {
			f.reflect(i, part, w)
		}
	})
}

// MultiplyTransposed replaces the columns of z (n x m) by Q'z.
func (f *Form) MultiplyTransposed(z blas64.General) {
	f.columns(z, func(part blas64.General, w []float64) {
		for i := range f.tau {
			f.reflect(i, part, w)
		}
	})
}

// columns calls do for blocks of columns of z.
func (f *Form) columns(z blas64.General, do func(part blas64.General, w []float64)) {
	const width = 64
	gram.Each((z.Cols+width-1)/width, func(task int) {
		part := z
		part.Cols = min(width, z.Cols-task*width)
		part.Data = z.Data[task*width:]
		do(part, make([]float64, part.Cols))
	})
}

// reflect applies H_i to z; w is room for a row.
func (f *Form) reflect(i int, z blas64.General, w []float64) {
	if f.tau[i] == 0 {
		return
	}
	row := func(r int) []float64 { return z.Data[r*z.Stride : r*z.Stride+z.Cols] }
	v := f.row(i)[1:]
	clear(w)
	k := 0
	for ; k+4 <= len(v); k += 4 {
		r := i + 1 + k
		gram.Axpy4((*[4]float64)(v[k:]), row(r), row(r+1), row(r+2), row(r+3), w)
	}
	for ; k < len(v); k++ {
		gram.Axpy(v[k], row(i+1+k), w)
	}
	for k, x := range v {
		gram.Axpy(-f.tau[i]*x, w, row(i+1+k))
	}
}
