package blocked

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// sizes are around those of leaves, halves, strips and panels.
var sizes = []int{1, 2, 5, 32, 33, 48, 100, 203}

const unit = 0x1p-53

// matrix returns a random matrix with room to spare in every row.
func matrix(rng *rand.Rand, rows, cols int) blas64.General {
	m := blas64.General{Rows: rows, Cols: cols, Stride: cols + 3, Data: make([]float64, rows*(cols+3))}
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	return m
}

func clone(a blas64.General) blas64.General {
	a.Data = slices.Clone(a.Data)
	return a
}

// graded returns B'B + 1e-13 I for a B of order n whose rows shrink from 1 to 1e-7,
// and whose columns go from 1 to 1e5: positive definite and ill-conditioned.
func graded(rng *rand.Rand, n int) blas64.General {
	b, a := matrix(rng, n, n), matrix(rng, n, n)
	at := func(i int) float64 { return float64(i) / float64(n) }
	for i := range n {
		for j := range n {
			b.Data[i*b.Stride+j] *= math.Pow(10, -7*at(i)) * math.Pow(10, 5*at(j)*at(j))
		}
	}
	for i := range n {
		for j := range n {
			var sum float64
			for k := range n {
				sum += b.Data[k*b.Stride+i] * b.Data[k*b.Stride+j]
			}
			a.Data[i*a.Stride+j] = sum
		}
		a.Data[i*a.Stride+i] *= 1 + 1e-13
		a.Data[i*a.Stride+i] += 1e-13
	}
	return a
}

// worst returns the largest of |sum_k a_k b_k - c| / sum_k |a_k||b_k| over the elements
// of C = A'B, for i <= j only if upper, in double-double arithmetic; a function
// gives row k of A, of B and of C.
func worst(m, r, c int, a, b, to func(k int) []float64, upper bool) float64 {
	var largest float64
	for i := range r {
		from := 0
		if upper {
			from = i
		}
		for j := from; j < c; j++ {
			var sum dd.Number
			var size float64
			for k := range m {
				x, y := a(k)[i], b(k)[j]
				if x != 0 && y != 0 {
					sum = sum.Add(dd.Of(x).Mul(dd.Of(y)))
					size += math.Abs(x * y)
				}
			}
			off := math.Abs(sum.Sub(dd.Of(to(i)[j])).Float())
			if off > 0 {
				largest = math.Max(largest, off/size)
			}
		}
	}
	return largest
}

func rows(a blas64.General) func(int) []float64 {
	return func(i int) []float64 { return row(a, i, 0) }
}

// hold checks a backward error, relative to the sizes of what is summed: at most
// the bound n u that LAPACK's algorithms have, and no more than some times theirs.
func hold(t *testing.T, what string, n int, ours, theirs float64) {
	t.Helper()
	if bound := float64(n+1) * unit; !(ours <= bound) || ours > 4*theirs+8*unit {
		t.Errorf("%s of order %d: backward error %.2g u, LAPACK in Go %.2g u, bound %d u", what, n, ours/unit, theirs/unit, n+1)
	}
}

// R'R is the matrix, ill-conditioned as it is.
func TestCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range sizes {
		a := graded(rng, n)
		r, gonum := clone(a), clone(a)
		if !Cholesky(r) {
			t.Fatalf("n = %d: not positive definite", n)
		}
		if _, ok := lapack64.Potrf(blas64.Symmetric{N: n, Stride: a.Stride, Data: gonum.Data, Uplo: blas.Upper}); !ok {
			t.Fatalf("n = %d: not positive definite to LAPACK", n)
		}
		for i := range n {
			clear(gonum.Data[i*gonum.Stride : i*gonum.Stride+i])
			for j, v := range row(r, i, 0)[:i] {
				if v != 0 {
					t.Fatalf("n = %d: %g below the diagonal, at (%d, %d)", n, v, i, j)
				}
			}
		}
		hold(t, "Cholesky", n, worst(n, n, n, rows(r), rows(r), rows(a), true), worst(n, n, n, rows(gonum), rows(gonum), rows(a), true))
	}
}

// A matrix that is not positive definite, or not finite, has no factor.
func TestCholeskyRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	good := graded(rng, 200)
	for _, v := range []float64{-1, 0, math.NaN(), math.Inf(1)} {
		for _, at := range []int{0, 30, 70, 199} {
			a := good
			a.Data = slices.Clone(good.Data)
			a.Data[at*a.Stride+at] = v
			if Cholesky(a) {
				t.Errorf("%g on the diagonal at %d has a factor", v, at)
			}
		}
	}
}

// R'X is the right side.
func TestSolveTransposed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range sizes {
		r := graded(rng, n)
		if !Cholesky(r) {
			t.Fatal("not positive definite")
		}
		for _, m := range []int{1, 130} {
			b := matrix(rng, n, m)
			x, gonum := clone(b), clone(b)
			SolveTransposed(r, x)
			blas64.Trsm(blas.Left, blas.Trans, 1, upperOf(r), gonum)
			hold(t, "SolveTransposed", n, worst(n, n, m, rows(r), rows(x), rows(b), false), worst(n, n, m, rows(r), rows(gonum), rows(b), false))
			for i := range n {
				if spare := i*b.Stride + b.Cols; !slices.Equal(x.Data[spare:spare+3], b.Data[spare:spare+3]) {
					t.Fatalf("%d x %d: row %d is written beyond its end", n, m, i)
				}
			}
		}
	}
}

func upperOf(r blas64.General) blas64.Triangular {
	return blas64.Triangular{N: r.Rows, Stride: r.Stride, Data: r.Data, Uplo: blas.Upper, Diag: blas.NonUnit}
}

// T R is the identity, as it is if every row of T solves a triangular system.
func TestInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range sizes {
		r := graded(rng, n)
		if !Cholesky(r) {
			t.Fatal("not positive definite")
		}
		inverse, one := *Inverse(r), matrix(rng, n, n)
		clear(one.Data)
		columns := clone(one) // T'
		for i := range n {
			one.Data[i*one.Stride+i] = 1
			for j, v := range row(inverse, i, 0) {
				columns.Data[j*columns.Stride+i] = v
				if j < i && v != 0 {
					t.Fatalf("n = %d: %g below the diagonal", n, v)
				}
			}
		}
		hold(t, "Inverse", n, worst(n, n, n, rows(columns), rows(r), rows(one), false), math.Inf(1))
	}
	r := graded(rng, 100)
	r.Data[70*r.Stride+70] = 0
	if Inverse(r) != nil {
		t.Error("a triangle with a zero on its diagonal has an inverse")
	}
}

// Products have the errors of their sums.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, n := range sizes {
		u := matrix(rng, n, n)
		for i := range n {
			clear(row(u, i, 0)[:i])
		}
		c, ut := TimesTransposed(u), transposed(u, 0, n, n)
		hold(t, "TimesTransposed", n, worst(n, n, n, rows(ut), rows(ut), upperRows(c), true), math.Inf(1))

		const m = 37
		a, b := matrix(rng, n, m), matrix(rng, n, m)
		at, bt := transposed(a, 0, m, n), transposed(b, 0, m, n)
		hold(t, "Outer", m, worst(m, n, n, rows(at), rows(at), upperRows(Outer(a)), true), math.Inf(1))
		hold(t, "Inner", n, worst(n, m, m, rows(a), rows(a), upperRows(Inner(a)), true), math.Inf(1))
		hold(t, "A'B", n, worst(n, m, m, rows(a), rows(b), rows(Multiply(a, b, true, false)), false), math.Inf(1))
		hold(t, "A B'", m, worst(m, n, n, rows(at), rows(bt), rows(Multiply(a, b, false, true)), false), math.Inf(1))
		hold(t, "A B", m, worst(m, n, n, rows(at), rows(bt), rows(Multiply(a, bt, false, false)), false), math.Inf(1))
		hold(t, "A'B'", n, worst(n, m, m, rows(a), rows(b), rows(Multiply(a, bt, true, true)), false), math.Inf(1))
	}
}

func upperRows(c blas64.Symmetric) func(int) []float64 {
	return func(i int) []float64 { return c.Data[i*c.Stride : i*c.Stride+c.N] }
}

// GOMAXPROCS changes no bit.
func TestSameBits(t *testing.T) {
	work := func(procs int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		rng := rand.New(rand.NewPCG(11, 12))
		a := graded(rng, 333)
		Cholesky(a)
		b := matrix(rng, 333, 200)
		SolveTransposed(a, b)
		x := Inverse(a)
		return slices.Concat(a.Data, b.Data, x.Data, TimesTransposed(*x).Data)
	}
	want := work(1)
	for _, procs := range []int{2, 3, 8} {
		if !slices.Equal(work(procs), want) {
			t.Errorf("GOMAXPROCS = %d changes the results", procs)
		}
	}
}
