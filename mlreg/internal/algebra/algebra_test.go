package algebra

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func randomDense(rng *rand.Rand, r, c int) *mat.Dense {
	m := mat.NewDense(r, c, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	return m
}

// Products are gonum's on both sides of the size from which on they are not.
func TestProductsOfAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][3]int{{3, 4, 5}, {130, 129, 140}, {60, 400, 130}} {
		r, m, c := s[0], s[1], s[2]
		a, b := randomDense(rng, r, m), randomDense(rng, m, c)
		at, bt := mat.DenseCopyOf(a.T()), mat.DenseCopyOf(b.T())
		var want, square mat.Dense
		want.Mul(a, b)
		square.Mul(a, at)
		same := func(what string, got, want mat.Matrix) {
			t.Helper()
			if !mat.EqualApprox(got, want, 1e-12) {
				t.Errorf("%v: %s differs", s, what)
			}
		}
		same("A B", Multiply(a, b, false, false), &want)
		same("A'B", Multiply(at, b, true, false), &want)
		same("A B'", Multiply(a, bt, false, true), &want)
		same("A'B'", Multiply(at, bt, true, true), &want)
		same("outer", Outer(a), &square)
		same("inner", AsSymmetric(Inner(at.RawMatrix())), &square)
		twice := mat.NewSymDense(r, nil)
		AddInner(twice.RawSymmetric(), at.RawMatrix())
		AddInner(twice.RawSymmetric(), at.RawMatrix())
		square.Scale(2, &square)
		same("addInner", twice, &square)
	}
}

func TestRowLengths(t *testing.T) {
	if got := RowLengths([]float64{3, 4, 5, 12}, 2); got[0] != 5 || got[1] != 13 {
		t.Errorf("lengths %v of rows of lengths 5 and 13", got)
	}
}
