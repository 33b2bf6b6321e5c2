package lsq

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// dummies returns rows of the dummies of levels x 3 cells of very unequal sizes, none empty, in random order: their
// sum is the column of ones.
func dummies(rnd *rand.Rand, n, levels int) problem.Rows {
	p := 3 * levels
	r := problem.Rows{X: blas64.General{Rows: n, Cols: p, Stride: p, Data: make([]float64, n*p)}, Y: make([]float64, n)}
	order := rnd.Perm(p)
	for i := range n {
		cell := 3*int(float64(levels)*math.Pow(rnd.Float64(), 3)) + rnd.IntN(3)
		if i < p {
			cell = i
		}
		r.X.Data[i*p+order[cell]] = 1
		r.Y[i] = float64(cell%7) + rnd.NormFloat64()
	}
	return r
}

// TestHiddenDependence lets QR decide on the last of many columns of unequal lengths whose sum is the column of
// ones. Rounding from the longer ones leaves 1e-12 of the last, and more; it is left out all the same, and
// kept if the sum is off by 1e-9, 1e-11 or 1e-12 of its length.
func TestHiddenDependence(t *testing.T) {
	const n, levels = 1200, 45
	for seed := range uint64(3) {
		rnd := rand.New(rand.NewPCG(seed, 17))
		r := dummies(rnd, n, levels)
		p := r.X.Cols
		scaled := r
		scaled.Y = slices.Clone(r.Y)
		for i := range scaled.Y {
			scaled.Y[i] *= math.Pow(10, 100*float64(2*(seed%2))-100)
		}
		weighted := r
		weighted.Weights = make([]float64, n)
		for i := range n {
			weighted.Weights[i] = float64((i+int(seed))%8) * rnd.Float64()
		}
		for i := range p {
			weighted.Weights[i] = rnd.Float64() // no cell is without weight
		}
		ones := problem.Rows{X: blas64.General{Rows: n, Cols: p + 1, Stride: p + 1}, Y: r.Y, NoIntercept: true}
		for i := range n {
			ones.X.Data = append(append(ones.X.Data, r.X.Data[i*p:i*p+p]...), 3)
		}
		for what, rows := range map[string]problem.Rows{"dummies": r, "response scaled": scaled, "weighted": weighted, "no intercept": ones} {
			checkColumns(t, what, rows, false)
		}
		near := r
		near.X.Data = slices.Clone(r.X.Data)
		off := []float64{1e-9, 1e-11, 1e-12}[seed]
		for i := range n {
			near.X.Data[i*p+p-1] += off * rnd.NormFloat64()
		}
		checkColumns(t, "nearly dependent", near, true)
	}
}

// checkColumns compares QR with double-double arithmetic, of which the last column is known to be kept or not.
func checkColumns(t *testing.T, what string, r problem.Rows, kept bool) {
	t.Helper()
	s, err := NewSystem(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, got := s.DoubleDouble(), s.QR()
	if last := slices.Contains(want.Keep, s.Columns()-1); last != kept {
		t.Fatalf("%s: double-double arithmetic keeps the last column: %v", what, last)
	}
	if !slices.Equal(got.Keep, want.Keep) {
		t.Fatalf("%s: QR keeps %d columns of %d, want %d", what, len(got.Keep), s.Columns(), len(want.Keep))
	}
	for c, b := range want.B {
		if bound := got.Bounds.Residual * RowLength(got.T, c); !(math.Abs(got.B[c]-b) <= bound) || !kept && bound > 1e-7*(1+math.Abs(b)) {
			t.Errorf("%s: coefficient %d is %g, want %g to within %g", what, c, got.B[c], b, bound)
		}
	}
}

// TestDoubtIsNoDependence lets QR keep columns that no combination proves dependent, however little rounding leaves
// to tell: high powers, and a column beside one that differs from it by 4e-13.
func TestDoubtIsNoDependence(t *testing.T) {
	const n, p = 3000, 15
	rnd := rand.New(rand.NewPCG(5, 5))
	powers := problem.Rows{X: blas64.General{Rows: n, Cols: p, Stride: p}}
	for i := range n {
		x := float64(i) / n
		for j := range p - 1 {
			powers.X.Data = append(powers.X.Data, math.Pow(x, float64(j+1)))
		}
		powers.X.Data = append(powers.X.Data, x+4e-13*rnd.NormFloat64())
		powers.Y = append(powers.Y, rnd.NormFloat64())
	}
	s, err := NewSystem(powers, nil)
	if err != nil {
		t.Fatal(err)
	}
	sol := s.QR()
	if len(sol.Keep) != s.Columns() {
		t.Errorf("QR keeps %v", sol.Keep)
	}
	if s.clear(sol.T) {
		t.Error("no column is in doubt")
	}
}

// A penalty makes columns independent that would not be, and those of rows below are the same.
func TestPenaltyOfDependent(t *testing.T) {
	r := dummies(rand.New(rand.NewPCG(2, 3)), 1500, 40)
	penalty := make([]float64, r.X.Cols)
	for j := range penalty {
		penalty[j] = 1e-11
	}
	s, err := NewSystem(r, penalty)
	if err != nil {
		t.Fatal(err)
	}
	if sol := s.QR(); len(sol.Keep) != s.Columns() || s.clear(sol.T) {
		t.Errorf("QR keeps %d of %d columns; none in doubt: %v", len(sol.Keep), s.Columns(), s.clear(sol.T))
	}
}

// TestLostOfSums moves one column at a time by what its sums are said to lack, with coefficients of very unequal size: the
// bounds have to cover what that does to the coefficients, and not by much more.
func TestLostOfSums(t *testing.T) {
	for _, noIntercept := range []bool{false, true} {
		for q := range 3 {
			rnd := rand.New(rand.NewPCG(8, uint64(q)))
			r := problem.Rows{X: blas64.General{Rows: 300, Cols: 3, Stride: 3}, NoIntercept: noIntercept}
			moved := r
			var lost float64
			for range r.X.Rows {
				var y float64
				for j := range 3 {
					x := rnd.NormFloat64()
					y += x * math.Pow(1000, float64((j+q)%3))
					r.X.Data = append(r.X.Data, x)
				}
				r.Y = append(r.Y, y+rnd.NormFloat64())
				e := 1e-7 * rnd.NormFloat64()
				lost = math.Hypot(lost, e)
				moved.X.Data = append(moved.X.Data, r.X.Data[len(r.X.Data)-3:]...)
				moved.X.Data[len(moved.X.Data)-3+q] += e
			}
			moved.Y = r.Y
			sums := problem.SumRows(r)
			sums.Lost = make([]float64, 3)
			sums.Lost[q] = lost
			e := NewEquations(&sums, noIntercept)
			s, err := NewSystem(moved, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, want := e.Solve(), s.DoubleDouble()
			var widest float64
			for c := range got.Keep {
				b, bound := raw(got, c, e.A)
				exact, _ := raw(want, c, s.Units)
				off := math.Abs(b - exact)
				widest = max(widest, off/bound)
				if !(off <= bound) {
					t.Errorf("column %d lacks %.1e, no intercept: %v: coefficient %d is off by %.1e, bound %.1e", q, lost, noIntercept, c, off, bound)
				}
			}
			if widest < 1e-3 {
				t.Errorf("column %d, no intercept: %v: the bounds are %.0f times the errors", q, noIntercept, 1/widest)
			}
		}
	}
}

// TestErrorsOfSums changes the square of one column by the rounding of sums whose gross length is 1000 times that of the
// column: the bounds have to cover what that does to the coefficients, and not by much more.
func TestErrorsOfSums(t *testing.T) {
	for q := range 3 {
		r := sample(300, 3, 1)
		for i := range r.Y {
			for j := range 3 {
				r.Y[i] += math.Pow(1000, float64((j+q)%3)) * r.X.Data[3*i+j] / math.Pow(1000, float64(j))
			}
		}
		sums := problem.SumRows(r)
		sums.Gross = sums.Squares()
		sums.Gross[q] *= 1e6
		e := NewEquations(&sums, false)
		moved := problem.SumRows(r)
		moved.SXX[q*3+q] += e.Rounding() * sums.Gross[q]
		other := NewEquations(&moved, false)
		got, want := e.Solve(), other.Solve()
		var widest float64
		for c := range got.Keep {
			b, bound := raw(got, c, e.A)
			exact, _ := raw(want, c, other.A)
			off := math.Abs(b - exact)
			widest = max(widest, off/bound)
			if !(off <= bound) {
				t.Errorf("column %d: coefficient %d is off by %.1e, bound %.1e", q, c, off, bound)
			}
		}
		if widest < 1e-4 {
			t.Errorf("column %d: the bounds are %.0f times the errors", q, 1/widest)
		}
	}
}

// TestNoiseOfCancellation gives Cholesky the products of x_1, x_2 and x_3 = (x_2 - x_1) |c| + rest: with noise in them, x_3 is
// a combination if the rest is shorter than what the noise of x_1 and x_2 leaves.
func TestNoiseOfCancellation(t *testing.T) {
	for _, c := range []struct {
		times, rest, noise float64
		keep               int
	}{
		{1e3, math.Sqrt(5e-11), roundingOfSums, 2},
		{1e3, math.Sqrt(1e-7), 1e-10, 2},
		{1, math.Sqrt(5e-11), roundingOfSums, 3},
		{1, math.Sqrt(1e-7), 1e-10, 3},
	} {
		x := mat.NewDense(3, 3, []float64{1, 1, 0, 0, 1 / c.times, 1, 0, 0, c.rest})
		g := mat.NewSymDense(3, nil)
		g.SymOuterK(1, x.T())
		if keep, _ := Cholesky(g, AliasSums, c.noise); len(keep) != c.keep {
			t.Errorf("%+v: keeps %v", c, keep)
		}
	}
}

// In double-double a column is aliased if AliasRows of its length is left, whatever the length is.
func TestAliasedByLength(t *testing.T) {
	for _, length := range []float64{0.5, 0.75, 0.99} {
		for _, part := range []float64{0.9, 1.1} {
			r := problem.Rows{X: blas64.General{Rows: 2, Cols: 2, Stride: 2, Data: []float64{1, length, 0, part * AliasRows * length}}, Y: []float64{1, 2}, NoIntercept: true}
			s, err := NewSystem(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			if kept := len(s.DoubleDouble().Keep) == 2; kept != (part > 1) {
				t.Errorf("length %g, of which %g AliasRows is left: kept %v", length, part, kept)
			}
		}
	}
	zero := problem.Rows{X: blas64.General{Rows: 2, Cols: 1, Stride: 1, Data: make([]float64, 2)}, Y: []float64{1, 2}, NoIntercept: true}
	s, err := NewSystem(zero, nil)
	if err != nil {
		t.Fatal(err)
	}
	if none := s.DoubleDouble(); len(none.Keep) != 0 || none.Cond != 1 {
		t.Errorf("zeros: kept %v, condition number %g", none.Keep, none.Cond)
	}
}
