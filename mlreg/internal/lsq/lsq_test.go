package lsq

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
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
func raw(sol *Solution, c int, units problem.Units) (b, bound float64) {
	j := sol.Keep[c]
	bound = sol.Bounds.Residual * RowLength(sol.T, c)
	if j == 0 {
		bound += sol.Bounds.First
	}
	return units.Slope(j, sol.B[c]), units.Slope(j, bound)
}

// All ways solve the same problem, to within the bounds they state of double-double
// arithmetic, and leave the same sum of squares.
func TestWaysAgree(t *testing.T) {
	r := sample(200, 4, 1)
	sys, err := NewSystem(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := sys.DoubleDouble()
	sums := problem.SumRows(r)
	e := NewEquations(&sums, false)
	for way, sol := range map[string]*Solution{"QR": sys.QR(), "sums": e.Solve(), "corrected": e.SolveRows(r)} {
		units := sys.Units
		if way != "QR" {
			units = e.A
		}
		if !slices.Equal(sol.Keep, []int{0, 1, 2, 3, 4}) {
			t.Fatalf("%s keeps %v", way, sol.Keep)
		}
		for c := range sol.Keep {
			exact, _ := raw(want, c, sys.Units)
			b, bound := raw(sol, c, units)
			if !(math.Abs(b-exact) <= bound+1e-15*math.Abs(exact)) || bound > 1e-9*math.Abs(exact) {
				t.Errorf("%s: coefficient %d is %g, want %g to within %g", way, c, b, exact, bound)
			}
		}
		if rss, exact := units.Squares(sol.RSS), sys.Squares(want.RSS); !(math.Abs(rss-exact) <= 1e-10*exact) {
			t.Errorf("%s: a residual sum of squares of %g, want %g", way, rss, exact)
		}
	}
}

// Rows of weight W taken away from sums whose mean of y is rounded leave rows of weight w with a mean that has that rounding
// some W/w times, which the bound of the intercept has to have in it. All of the rows have the mean 1e8 + 1/3.
func TestRemainderOfARoundedMean(t *testing.T) {
	mean := 1e8 + 1.0/3
	low := (1 - 3*(mean-1e8)) / 3 // what is rounded off
	sums := func(n int, w, squares, low float64) *problem.Sums {
		s := problem.NewSums(0)
		s.N, s.W, s.MeanY, s.MeanYLow, s.SYY = n, w, mean, low, squares
		s.GrossN, s.GrossW, s.Gross = n, w, []float64{squares}
		return &s
	}
	s := sums(6, 3*1024+3, 1024*18e4+3, 0)
	s.MeanErr = []float64{dd.Unit * mean}
	s.Subtract(sums(3, 3*1024, 1024*18e4, low))
	e := NewEquations(s, false)
	b, bound := raw(e.Solve(), 0, e.A)
	if off := math.Abs(b - mean - low); off < 1e-6 || off > bound || bound > 1.1*1025*dd.Unit*mean {
		t.Errorf("the intercept is off by %g, and at most by %g as stated", off, bound)
	}
}

// The fit y = x - 1e8 to rows whose mean of x is rounded is off by that rounding near the mean, where neither the slope nor what the
// mean of y is rounded by counts.
func TestPredictionAtARoundedMean(t *testing.T) {
	s := problem.NewSums(1) // of x = 1e8 + (0, 0, 1) and y = (1, -1, 1)
	s.N, s.W, s.MeanX[0], s.SXX[0], s.SXY[0] = 3, 3, 1e8+1.0/3, 2.0/3, 2.0/3
	s.MeanY, s.MeanYLow, s.SYY = 1.0/3, 0x1p-54/3, 8.0/3
	s.MeanErr = []float64{dd.Unit * s.MeanX[0], 0}
	e := NewEquations(&s, false)
	sol := e.Solve()
	x := e.XUnit[0].In(1e8)
	off := e.YUnit.Out(math.Abs(dd.Of(sol.B[0]).Add(dd.Of(sol.BLow[0])).Add(dd.Of(x).Mul(dd.Of(sol.B[1]))).Float()))
	bound := e.YUnit.Out(sol.Bounds.First + sol.Bounds.Residual*math.Hypot(sol.T.At(0, 0), sol.T.At(0, 1)+x*sol.T.At(1, 1)))
	if off < 1e-9 || off > bound || bound > 1.1*dd.Unit*s.MeanX[0] {
		t.Errorf("the fit at 1e8 is off by %g, and at most by %g as stated", off, bound)
	}
}

// Orthogonality is the largest cosine of the rows' weighted residual and a column times the
// residual's length over that of the response, whatever the units.
func TestOrthogonality(t *testing.T) {
	r := sample(50, 3, 1)
	sys, err := NewSystem(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	residual := make([]float64, len(r.Y))
	var want, yy float64
	for i, y := range r.Y {
		residual[i] = y / float64(i+2)
		yy += r.Weights[i] * y * y
	}
	for j := -1; j < 3; j++ {
		var xx, xr float64
		for i, w := range r.Weights {
			x := 1.
			if j >= 0 {
				x = r.X.Data[3*i+j]
			}
			xx, xr = xx+w*x*x, xr+w*x*residual[i]
		}
		want = max(want, math.Abs(xr)/math.Sqrt(xx*yy))
	}
	if got := sys.Orthogonality(residual); math.Abs(got-want) > 1e-14 {
		t.Errorf("%g, want %g", got, want)
	}
}

// Rows in parts, factored each a few at a time, have the solution of all of them at once:
// with weights of zero, a column of zeros, one that copies others, and a penalty, which is that of rows
// below the others.
func TestParts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 9))
	for _, c := range []struct{ n, p int }{{9000, 4}, {2100, 128}, {70, 90}} {
		r := problem.Rows{X: blas64.General{Rows: c.n, Cols: c.p, Stride: c.p}, NoIntercept: true}
		for i := range c.n {
			row := make([]float64, c.p)
			for j := range row {
				row[j] = math.Ldexp(rnd.NormFloat64(), j%7)
			}
			row[1] = 0
			row[c.p-2] = 3*row[0] + row[c.p-2]/1e5
			row[c.p-1] = row[0] - row[c.p-2] // on which QR leaves it out, or the column before
			r.X.Data = append(r.X.Data, row...)
			r.Y = append(r.Y, row[0]+10*rnd.NormFloat64())
			r.Weights = append(r.Weights, float64(i%3)*rnd.Float64())
		}
		penalty, below := make([]float64, c.p), r
		for j := range penalty {
			if j != 1 { // that of zeros
				penalty[j] = rnd.Float64()
			}
			below.X.Data = append(below.X.Data[:len(below.X.Data):len(below.X.Data)], make([]float64, c.p)...)
			below.X.Data[len(below.X.Data)-c.p+j] = penalty[j]
			below.Y, below.Weights = append(below.Y[:c.n+j:c.n+j], 0), append(below.Weights[:c.n+j:c.n+j], 1)
			below.X.Rows++
		}
		for _, with := range []struct {
			rows    problem.Rows
			penalty []float64
			same    *problem.Rows
		}{{rows: r}, {rows: r, penalty: penalty, same: &below}} {
			s, err := NewSystem(with.rows, with.penalty)
			if err != nil {
				t.Fatal(err)
			}
			all := twofoldColumns(s.N, c.p+1)
			if got, _ := s.ReadTwofold(all, 0, 0, s.Rows()); got != s.N {
				t.Fatalf("%d x %d: %d rows of %d", c.n, c.p, got, s.N)
			}
			want, got := s.solveTwofold(all), s.DoubleDouble()
			if !slices.Equal(want.Keep, got.Keep) || len(want.Rest) != len(got.Rest) {
				t.Fatalf("%d x %d: columns %v, want %v", c.n, c.p, got.Keep, want.Keep)
			}
			if len(got.Keep) == c.p && with.penalty == nil {
				t.Fatalf("%d x %d: no column is left out", c.n, c.p)
			}
			for i, b := range want.B {
				if off := math.Abs(got.B[i]-b) + math.Abs(got.BLow[i]-want.BLow[i]); off > 1e-22*math.Abs(b) {
					t.Errorf("%d x %d: coefficient %d is off by %.1e of %g", c.n, c.p, i, off, b)
				}
			}
			if math.Abs(got.RSS-want.RSS) > 1e-15*want.RSS {
				t.Errorf("%d x %d: a residual sum of squares of %g, want %g", c.n, c.p, got.RSS, want.RSS)
			}
			qr := s.QR()
			for _, procs := range []int{1, 3} {
				before := runtime.GOMAXPROCS(procs)
				again, againQR := s.DoubleDouble(), s.QR()
				runtime.GOMAXPROCS(before)
				if !slices.Equal(again.B, got.B) || again.RSS != got.RSS || !slices.Equal(againQR.B, qr.B) || againQR.RSS != qr.RSS {
					t.Errorf("%d x %d: other bits on %d processors", c.n, c.p, procs)
				}
			}
			if !slices.Equal(qr.Keep, want.Keep) {
				t.Fatalf("%d x %d: QR keeps %v, want %v", c.n, c.p, qr.Keep, want.Keep)
			}
			for i, b := range want.B {
				if bound := qr.Bounds.Residual * RowLength(qr.T, i); !(math.Abs(qr.B[i]-b) <= bound) || bound > 1e-3*math.Abs(b)+1e-4 {
					t.Errorf("%d x %d: QR's coefficient %d is %g, want %g to within %g", c.n, c.p, i, qr.B[i], b, bound)
				}
			}
			if with.same != nil {
				s, err := NewSystem(*with.same, nil)
				if err != nil {
					t.Fatal(err)
				}
				if same := s.DoubleDouble(); !slices.Equal(same.B, got.B) || same.RSS != got.RSS {
					t.Errorf("%d x %d: a penalty's coefficients are not those of rows", c.n, c.p)
				}
			}
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
	sys, err := NewSystem(r, nil)
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
		units := sys.Units
		if way == "sums" {
			units = e.A
		}
		for c, want := range map[int]float64{1: 2, 2: -3} { // T times the coordinates is the combination
			var got float64
			for k, v := range sol.Rest[0] {
				if k >= c {
					got += sol.T.At(c, k) * v
				}
			}
			if got = (units.XUnit[3] - units.XUnit[c]).Out(got); math.Abs(got-want) > 1e-6 {
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
	sys, err := NewSystem(alone, nil)
	if err != nil {
		t.Fatal(err)
	}
	sol := sys.QR()
	for c, got := range []float64{m.B0, m.B[0] + 2*m.B[1]} {
		if want, _ := raw(sol, c, sys.Units); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%g, want %g", got, want)
		}
	}
	var inverse mat.Dense // T T' of the one column is what Root leaves of b_1 + 2 b_2
	inverse.Mul(m.Root, m.Root.T())
	a, b, d := inverse.At(1, 1), inverse.At(1, 2), inverse.At(2, 2)
	want := sys.Root(1, RowLength(sol.T, 1))
	if got := math.Sqrt(a + 4*b + 4*d); math.Abs(got-want) > 1e-9*want {
		t.Errorf("a standard error of %g for sigma = 1, want %g", got, want)
	}
}

// The minimum-norm solution of many columns that end in zeros, the second of 32 before the others, leaves a residual that
// is orthogonal to them; see blocked.QR.
func TestMinimumNormOfZeros(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 8))
	const n, p = 320, 140
	r := problem.Rows{X: blas64.General{Rows: n, Cols: p, Stride: p, Data: make([]float64, n*p)}, NoIntercept: true}
	for i := range n {
		for j := range p - 1 {
			if even := i%2 == 0; i == j || even && j%32 != 1 || !even && j%32 == 1 && i >= p && i < n-15 {
				r.X.Data[i*p+j] = rnd.NormFloat64()
			}
		}
		r.X.Data[i*p+p-1] = r.X.Data[i*p] - r.X.Data[i*p+1]
		r.Y = append(r.Y, rnd.NormFloat64())
	}
	m, err := MinimumNorm(r)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rank != p-1 {
		t.Fatalf("rank %d, want %d", m.Rank, p-1)
	}
	residual := gram.Vector(slices.Clone(r.Y))
	blas64.Gemv(blas.NoTrans, -1, r.X, gram.Vector(m.B), 1, residual)
	products := gram.Vector(make([]float64, p))
	blas64.Gemv(blas.Trans, 1, r.X, residual, 0, products)
	if off := blas64.Nrm2(products); !(off < 1e-10) {
		t.Errorf("the residual is off by %.1e", off)
	}
	if off := m.B[0] - m.B[1] - m.B[p-1]; !(math.Abs(off) < 1e-10) { // orthogonal to what does not change it
		t.Errorf("the norm is not the smallest: %.1e", off)
	}
}

// The minimum-norm solution of a square triangle whose reflections have zeros, see blocked.SVD, solves it.
func TestMinimumNormOfTriangle(t *testing.T) {
	const p = 200
	r := problem.Rows{X: blas64.General{Rows: p, Cols: p, Stride: p, Data: make([]float64, p*p)}, NoIntercept: true, Y: make([]float64, p)}
	want := make([]float64, p)
	for i := range p {
		r.X.Data[i*p+i], want[i] = 1, float64(i%7)-2
	}
	r.X.Data[p-1], r.X.Data[p/2*p+p-1], r.X.Data[p+3] = 1, 2, 1
	blas64.Gemv(blas.NoTrans, 1, r.X, gram.Vector(want), 0, gram.Vector(r.Y))
	m, err := MinimumNorm(r)
	if err != nil {
		t.Fatal(err)
	}
	for j, b := range m.B {
		if !(math.Abs(b-want[j]) < 1e-12) {
			t.Errorf("slope %d is %v, want %v", j, b, want[j])
		}
	}
}

// Columns out of range are told by their numbers, of X.
func TestOutOfRange(t *testing.T) {
	r := sample(9, 3, 1)
	r.X.Data[3*4+1] = math.Inf(1)
	var limit *problem.RangeError
	if _, err := NewSystem(r, nil); !errors.As(err, &limit) || limit.Column != 1 {
		t.Errorf("error %v", err)
	}
}

// The relative error of (X'X)^-1 is that of the sums times sum_j 1/(1-R2_j), the sum of the variance inflation factors; of two
// columns of correlation r that is 2/(1-r^2).
func TestPassRoundingIsInflated(t *testing.T) {
	s := problem.NewSums(2)
	s.N, s.W, s.SYY, s.RelErr = 100, 100, 1, 1e-9
	copy(s.SXX, []float64{1, 0.96, 0, 1})
	e := NewEquations(&s, false)
	got, want := e.passRounding(e.centeredRoot(e.Solve())), e.Rounding()*2/(1-0.96*0.96)
	if math.Abs(got-want) > 1e-12*want {
		t.Errorf("%g, want %g", got, want)
	}
}

// LeastSquares is exact where B = A X, and refuses an A whose columns are dependent.
func TestLeastSquares(t *testing.T) {
	a := mat.NewDense(4, 2, []float64{1, 2, 3, -1, 0, 5, 2, 2})
	want := mat.NewDense(2, 3, []float64{1, -2, 0.5, 3, 0, -1})
	var b mat.Dense
	b.Mul(a, want)
	if x, err := LeastSquares(a, &b); err != nil || !mat.EqualApprox(x, want, 1e-14) {
		t.Errorf("%v: %v, want %v", err, x, want)
	}
	a.SetCol(1, []float64{2, 6, 0, 4})
	var condition mat.Condition
	if _, err := LeastSquares(a, &b); !errors.As(err, &condition) {
		t.Errorf("dependent columns: %v", err)
	}
}
