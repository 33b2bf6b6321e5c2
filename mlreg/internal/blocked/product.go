package blocked

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Multiply returns A B, with A or B transposed if its flag says so.
func Multiply(a, b blas64.General, transposeA, transposeB bool) blas64.General {
	if !transposeA {
		a = transposed(a, 0, a.Cols, a.Rows)
	}
	if transposeB {
		b = transposed(b, 0, b.Cols, b.Rows)
	}
	c := zeros(a.Cols, b.Cols)
	gram.AddProduct(c, 1, a, b, false)
	return c
}

// Outer returns A A'.
func Outer(a blas64.General) blas64.Symmetric { return outer(a, false) }

// TimesTransposed returns T T' for an upper triangular T with zeros below its
// diagonal.
func TimesTransposed(t blas64.General) blas64.Symmetric { return outer(t, true) }

// outer takes columns of A deep at a time, transposed; if triangular, rows from the
// last of these columns on are zero.
func outer(a blas64.General, triangular bool) blas64.Symmetric {
	const deep = 96
	c := zeros(a.Rows, a.Rows)
	for from := 0; from < a.Cols; from += deep {
		end, rows := min(from+deep, a.Cols), a.Rows
		if triangular {
			rows = min(end, rows)
		}
		t := transposed(a, from, end, rows)
		gram.AddProduct(part(c, 0, rows, 0, rows), 1, t, t, true)
	}
	return symmetric(c)
}

// Inner returns A'A.
func Inner(a blas64.General) blas64.Symmetric {
	c := zeros(a.Cols, a.Cols)
	gram.AddProduct(c, 1, a, a, true)
	return symmetric(c)
}

// symmetric is the upper triangle of c; what is below becomes zero.
func symmetric(c blas64.General) blas64.Symmetric {
	for i := range c.Rows {
		clear(c.Data[i*c.Stride : i*c.Stride+i])
	}
	return blas64.Symmetric{N: c.Rows, Stride: c.Stride, Data: c.Data, Uplo: blas.Upper}
}

func zeros(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: make([]float64, rows*cols)}
}

// transposed returns columns from to end of the first rows of a, as rows.
func transposed(a blas64.General, from, end, rows int) blas64.General {
	const side = 32
	t := zeros(end-from, rows)
	gram.Each((rows+side-1)/side, func(task int) {
		for j0 := from; j0 < end; j0 += side {
			for i := task * side; i < min((task+1)*side, rows); i++ {
				for j, v := range a.Data[i*a.Stride+j0 : i*a.Stride+min(j0+side, end)] {
					t.Data[(j0-from+j)*t.Stride+i] = v
				}
			}
		}
	})
	return t
}
