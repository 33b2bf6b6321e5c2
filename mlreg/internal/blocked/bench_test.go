package blocked

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// positive returns X'X for random X, n x n.
func positive(n int) blas64.General {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := blas64.General{Rows: 2 * n, Cols: n, Stride: n, Data: make([]float64, 2*n*n)}
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	a := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	gram.AddProduct(a, 1, x, x, true)
	return a
}

// The factor and the inverse, in GFLOP/s, beside LAPACK in Go and the kernel alone.
func BenchmarkAlgebra(b *testing.B) {
	for _, n := range []int{64, 128, 256, 500, 1500} {
		a := positive(n)
		work, r := a, a
		work.Data, r.Data = slices.Clone(a.Data), slices.Clone(a.Data)
		Cholesky(r)
		run := func(name string, flops float64, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					copy(work.Data, a.Data)
					f()
				}
				b.ReportMetric(flops*float64(b.N)/1e9/b.Elapsed().Seconds(), "GFLOP/s")
			})
		}
		cube := float64(n) * float64(n) * float64(n)
		run("Cholesky", cube/3, func() { Cholesky(work) })
		run("Inverse", cube/3, func() { Inverse(r) })
		run("TimesTransposed", cube/3, func() { TimesTransposed(r) })
		run("SolveTransposed", cube, func() { SolveTransposed(r, work) })
		run("AddProduct", cube, func() { gram.AddProduct(work, 1, r, r, true) })
		run("Potrf", cube/3, func() {
			lapack64.Potrf(blas64.Symmetric{N: n, Stride: n, Data: work.Data, Uplo: blas.Upper})
		})
		run("Trtri", cube/3, func() {
			copy(work.Data, r.Data)
			lapack64.Trtri(blas64.Triangular{N: n, Stride: n, Data: work.Data, Uplo: blas.Upper, Diag: blas.NonUnit})
		})
	}
}
