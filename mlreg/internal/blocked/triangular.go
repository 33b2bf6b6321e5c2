package blocked

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// SolveTransposed replaces b by R'^-1 b for the upper triangle R of r, whose
// diagonal has no zero.
func SolveTransposed(r, b blas64.General) { forward(r, b, 0, r.Rows, false) }

// forward solves for rows from to end of b, from which those above are subtracted
// already. If lower, the right side is lower triangular, and so is the solution:
// what is above its diagonal is not looked at.
func forward(r, b blas64.General, from, end int, lower bool) {
	n, cols := end-from, b.Cols
	if n <= leaf {
		if lower {
			cols = end
		}
		forwardLeaf(part(r, from, end, from, end), part(b, from, end, 0, cols))
		return
	}
	mid := from + half(n)
	if lower {
		cols = mid
	}
	forward(r, b, from, mid, lower)
	gram.AddProduct(part(b, mid, end, 0, cols), -1, part(r, from, mid, mid, end), part(b, from, mid, 0, cols), false)
	forward(r, b, mid, end, lower)
}

// forwardLeaf subtracts from every row of b the rows above it, a strip of columns
// at a time that the first-level cache holds.
func forwardLeaf(r, b blas64.General) {
	const wide = 128
	gram.Each((b.Cols+wide-1)/wide, func(task int) {
		strip := part(b, 0, b.Rows, task*wide, min((task+1)*wide, b.Cols))
		for i := range strip.Rows {
			x := row(strip, i, 0)
			l := 0
			for ; l+4 <= i; l += 4 {
				a := [4]float64{-r.Data[l*r.Stride+i], -r.Data[(l+1)*r.Stride+i], -r.Data[(l+2)*r.Stride+i], -r.Data[(l+3)*r.Stride+i]}
				gram.Axpy4(&a, row(strip, l, 0), row(strip, l+1, 0), row(strip, l+2, 0), row(strip, l+3, 0), x)
			}
			for ; l < i; l++ {
				gram.Axpy(-r.Data[l*r.Stride+i], row(strip, l, 0), x)
			}
			d := r.Data[i*r.Stride+i]
			for j := range x {
				x[j] /= d
			}
		}
	})
}

// Inverse returns R^-1 for the upper triangle R of r, zeros below its diagonal; nil
// if a diagonal element is zero. Every row of the inverse is the solution of a
// triangular system, R'x = e_i.
func Inverse(r blas64.General) *blas64.General {
	x := zeros(r.Rows, r.Rows)
	if !InverseTo(x, r) {
		return nil
	}
	return &x
}

// InverseTo sets x, of zeros, to the inverse, and returns false if a diagonal element is
// zero.
func InverseTo(x, r blas64.General) bool {
	n := r.Rows
	for i := range n {
		if r.Data[i*r.Stride+i] == 0 {
			return false
		}
		x.Data[i*x.Stride+i] = 1
	}
	forward(r, x, 0, n, true)
	flip(x)
	return true
}

// flip transposes a lower triangular matrix in place.
func flip(x blas64.General) {
	const side = 32
	n := x.Rows
	gram.Each((n+side-1)/side, func(task int) {
		i0, i1 := task*side, min((task+1)*side, n)
		for j0 := 0; j0 <= i0; j0 += side {
			for i := i0; i < i1; i++ {
				for j := j0; j < min(j0+side, i); j++ {
					x.Data[j*x.Stride+i], x.Data[i*x.Stride+j] = x.Data[i*x.Stride+j], 0
				}
			}
		}
	})
}
