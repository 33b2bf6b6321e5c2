package lsq

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// sample returns rows with a response, columns of different sizes, and weights of 0 to 2.
func sample(n, p int, noise float64) problem.Rows {
	rnd := rand.New(rand.NewPCG(11, 4))
	r := problem.Rows{X: blas64.General{Rows: n, Cols: p, Stride: p, Data: make([]float64, n*p)}, Y: make([]float64, n), Weights: make([]float64, n)}
	for i := range n {
		r.Y[i] = 3 + noise*rnd.NormFloat64()
		for j := range p {
			x := 5 + rnd.NormFloat64()
			r.X.Data[i*p+j] = math.Pow(10, float64(3*j)) * x
			r.Y[i] += float64(j+1) * x
		}
		r.Weights[i] = float64(i % 3)
	}
	return r
}

// raw returns coefficient c of a solution, and the bound of its error, in the units
// of the data.
func raw(sol *Solution, c int, exp []int, yexp int) (b, bound float64) {
	j := sol.Keep[c]
	bound = sol.Bounds.Residual * RowLength(sol.T, c)
	if j == 0 {
		bound += sol.Bounds.First
	}
	return math.Ldexp(sol.B[c], yexp-exp[j]), math.Ldexp(bound, yexp-exp[j])
}

// All ways solve the same problem, to within the bounds they state of double-double
// arithmetic, and leave the same sum of squares.
func TestWaysAgree(t *testing.T) {
	r := sample(200, 4, 1)
	sys, err := NewSystem(r)
	if err != nil {
		t.Fatal(err)
	}
	want := sys.DoubleDouble()
	sums := problem.SumRows(r)
	e := NewEquations(&sums, false)
	for way, sol := range map[string]*Solution{"QR": sys.QR(), "sums": e.Solve(), "corrected": e.SolveRows(r)} {
		exp, yexp := sys.Exp, sys.YExp
		if way != "QR" {
			exp, yexp = e.ExpA, e.YExp
		}
		if !slices.Equal(sol.Keep, []int{0, 1, 2, 3, 4}) {
			t.Fatalf("%s keeps %v", way, sol.Keep)
		}
		for c := range sol.Keep {
			exact, _ := raw(want, c, sys.Exp, sys.YExp)
			b, bound := raw(sol, c, exp, yexp)
			if !(math.Abs(b-exact) <= bound+1e-15*math.Abs(exact)) || bound > 1e-9*math.Abs(exact) {
				t.Errorf("%s: coefficient %d is %g, want %g to within %g", way, c, b, exact, bound)
			}
		}
		if rss, exact := math.Ldexp(sol.RSS, 2*yexp), math.Ldexp(want.RSS, 2*sys.YExp); !(math.Abs(rss-exact) <= 1e-10*exact) {
			t.Errorf("%s: a residual sum of squares of %g, want %g", way, rss, exact)
		}
	}
}

// A column that is a combination of those before it is left out by every way that
// can tell, and its coordinates in the basis of the kept ones are those of the
// combination.
func TestAliased(t *testing.T) {
	r := sample(60, 4, 1)
	for i := range 60 {
		row := r.X.Data[i*4 : i*4+4]
		row[2] = 2*row[0] - 3*row[1] + 7
	}
	sys, err := NewSystem(r)
	if err != nil {
		t.Fatal(err)
	}
	sums := problem.SumRows(r)
	e := NewEquations(&sums, false)
	if e.SolveRows(r) != nil {
		t.Error("aliased rows were solved by their sums")
	}
	for way, sol := range map[string]*Solution{"QR": sys.QR(), "double-double": sys.DoubleDouble(), "sums": e.Solve()} {
		if !slices.Equal(sol.Keep, []int{0, 1, 2, 4}) || len(sol.Rest) != 1 {
			t.Fatalf("%s keeps %v", way, sol.Keep)
		}
		exp := sys.Exp
		if way == "sums" {
			exp = e.ExpA
		}
		for c, want := range map[int]float64{1: 2, 2: -3} { // T times the coordinates is the combination
			var got float64
			for k, v := range sol.Rest[0] {
				if k >= c {
					got += sol.T.At(c, k) * v
				}
			}
			if got = math.Ldexp(got, exp[3]-exp[c]); math.Abs(got-want) > 1e-6 {
				t.Errorf("%s: weight %g of column %d, want %g", way, got, c, want)
			}
		}
	}
}

// The minimum-norm solution has the least-squares residual, and its slopes are
// orthogonal to what does not change it.
func TestMinimumNorm(t *testing.T) {
	r := sample(30, 2, 0.1)
	r.X = blas64.General{Rows: 30, Cols: 2, Stride: 2, Data: r.X.Data}
	for i := range 30 {
		r.X.Data[2*i+1] = 2 * r.X.Data[2*i] // b_1 + 2 b_2 is determined, 2 b_1 - b_2 is not
	}
	m, err := MinimumNorm(r)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rank != 2 || math.Abs(2*m.B[0]-m.B[1]) > 1e-12*math.Abs(m.B[1]) {
		t.Errorf("rank %d, slopes %v", m.Rank, m.B)
	}
	alone := r
	alone.X = blas64.General{Rows: 30, Cols: 1, Stride: 2, Data: r.X.Data}
	sys, err := NewSystem(alone)
	if err != nil {
		t.Fatal(err)
	}
	sol := sys.QR()
	for c, got := range []float64{m.B0, m.B[0] + 2*m.B[1]} {
		if want, _ := raw(sol, c, sys.Exp, sys.YExp); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%g, want %g", got, want)
		}
	}
	var inverse mat.Dense // T T' of the one column is what Root leaves of b_1 + 2 b_2
	inverse.Mul(m.Root, m.Root.T())
	a, b, d := inverse.At(1, 1), inverse.At(1, 2), inverse.At(2, 2)
	want := math.Ldexp(RowLength(sol.T, 1), -sys.Exp[1])
	if got := math.Sqrt(a + 4*b + 4*d); math.Abs(got-want) > 1e-9*want {
		t.Errorf("a standard error of %g for sigma = 1, want %g", got, want)
	}
}

// Columns out of range are told by their numbers, of X.
func TestOutOfRange(t *testing.T) {
	r := sample(9, 3, 1)
	r.X.Data[3*4+1] = math.Inf(1)
	var limit *problem.RangeError
	if _, err := NewSystem(r); !errors.As(err, &limit) || limit.Column != 1 {
		t.Errorf("error %v", err)
	}
}
