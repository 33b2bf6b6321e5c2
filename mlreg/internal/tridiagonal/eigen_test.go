package tridiagonal

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// cases are symmetric matrices with eigenvalues of many kinds.
func cases(n int) map[string]*mat.SymDense {
	graded, repeated, diagonal := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	r := random(n)
	for i := range n {
		diagonal.SetSym(i, i, float64(i%7))
		for j := range i + 1 {
			graded.SetSym(i, j, r.At(i, j)*math.Pow(10, -12*float64(i+j)/float64(2*n)))
			repeated.SetSym(i, j, 1)
		}
		repeated.SetSym(i, i, 3)
	}
	huge := mat.NewSymDense(n, nil)
	huge.ScaleSym(1e250, r)
	return map[string]*mat.SymDense{"random": r, "graded": graded, "repeated": repeated, "diagonal": diagonal, "zero": mat.NewSymDense(n, nil), "huge": huge}
}

// A V is V diag(Values), V is orthogonal, and the eigenvalues are LAPACK's, to some
// roundings of the largest.
func TestDecompose(t *testing.T) {
	for _, n := range []int{1, 2, 3, 16, 17, 40, 130, 200} {
		for name, a := range cases(n) {
			e, ok := Decompose(a.RawSymmetric())
			if !ok {
				t.Fatalf("%s, n = %d: no eigenvalues", name, n)
			}
			var eig mat.EigenSym
			if !eig.Factorize(a, false) {
				t.Fatal("LAPACK found no eigenvalues")
			}
			size := mat.Norm(a, math.Inf(1))
			tol := 4e-16 * float64(n+10)
			for k, want := range eig.Values(nil) {
				if !(math.Abs(e.Values[k]-want) <= tol*size) {
					t.Errorf("%s, n = %d: eigenvalue %d is %g, LAPACK's %g", name, n, k, e.Values[k], want)
				}
			}
			raw := e.Vectors(0, n)
			v := mat.NewDense(n, n, raw.Data)
			var one, av mat.Dense
			one.Mul(v.T(), v)
			av.Mul(a, v)
			for i := range n {
				for j := range n {
					want := 0.0
					if i == j {
						want = 1
					}
					if !(math.Abs(one.At(i, j)-want) <= tol) {
						t.Fatalf("%s, n = %d: V'V has %g at (%d, %d)", name, n, one.At(i, j), i, j)
					}
					if !(math.Abs(av.At(i, j)-e.Values[j]*v.At(i, j)) <= tol*size) {
						t.Fatalf("%s, n = %d: (A V)(%d, %d) is off by %g", name, n, i, j, av.At(i, j)-e.Values[j]*v.At(i, j))
					}
				}
			}
			part := e.Vectors(n/2, n)
			for i := range n {
				if got, want := rowOf(part, i), rowOf(raw, i)[n/2:]; !near(got, want, 1e-14) {
					t.Fatalf("%s, n = %d: some vectors are not those of all", name, n)
				}
			}
		}
	}
}

func near(a, b []float64, tol float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= tol })
}

// Projections are those on the eigenvectors, which are known up to their signs.
func TestProject(t *testing.T) {
	for _, n := range []int{1, 2, 17, 150} {
		a, b := random(n), make([]float64, n)
		for i := range b {
			b[i] = float64(i%5) - 1.5
		}
		e, _ := Decompose(a.RawSymmetric())
		values, projections, ok := Project(a.RawSymmetric(), b)
		if !ok || !near(values, e.Values, 1e-13*float64(n)) {
			t.Fatalf("n = %d: other eigenvalues", n)
		}
		want := make([]float64, n)
		blas64.Gemv(blas.Trans, 1, e.Vectors(0, n), blas64.Vector{N: n, Inc: 1, Data: b}, 0, blas64.Vector{N: n, Inc: 1, Data: want})
		for k, v := range projections {
			if math.Abs(math.Abs(v)-math.Abs(want[k])) > 1e-10*float64(n) {
				t.Errorf("n = %d: projection %d is %g, want %g", n, k, v, want[k])
			}
		}
	}
}

// Powers of two as units change no bit, even where squares under- or overflow.
func TestDecomposeInUnits(t *testing.T) {
	a := random(20)
	want, _ := Decompose(a.RawSymmetric())
	for _, exp := range []int{-900, 900} {
		var scaled mat.SymDense
		scaled.ScaleSym(math.Ldexp(1, exp), a)
		got, ok := Decompose(scaled.RawSymmetric())
		for k, v := range want.Values {
			if !ok || got.Values[k] != math.Ldexp(v, exp) {
				t.Fatalf("2^%d: eigenvalue %d is %g, want %g", exp, k, got.Values[k], math.Ldexp(v, exp))
			}
		}
	}
}

// What is not finite has no eigenvalues.
func TestDecomposeRefuses(t *testing.T) {
	a := random(50)
	a.SetSym(20, 30, math.NaN())
	if _, ok := Decompose(a.RawSymmetric()); ok {
		t.Error("a matrix with NaN has eigenvalues")
	}
}

// GOMAXPROCS changes no bit.
func TestDecomposeSameBits(t *testing.T) {
	work := func(procs int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		e, _ := Decompose(random(301).RawSymmetric())
		return append(e.Vectors(0, 301).Data, e.Values...)
	}
	want := work(1)
	for _, procs := range []int{2, 5} {
		if !slices.Equal(work(procs), want) {
			t.Errorf("GOMAXPROCS = %d changes the results", procs)
		}
	}
}

func BenchmarkDecompose(b *testing.B) {
	for _, n := range []int{30, 64, 100, 500, 1500} {
		a := random(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				e, _ := Decompose(a.RawSymmetric())
				e.Vectors(0, n)
			}
		})
		b.Run(fmt.Sprintf("LAPACK/%d", n), func(b *testing.B) {
			for b.Loop() {
				var eig mat.EigenSym
				eig.Factorize(a, true)
			}
		})
	}
}
