package problem

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// sample returns n weighted rows of p columns of sizes between 1e-40 and 1e40.
func sample(n, p int, noIntercept bool) Rows {
	rnd := rand.New(rand.NewPCG(3, 8))
	r := Rows{X: blas64.General{Rows: n, Cols: p, Stride: p, Data: make([]float64, n*p)}, Y: make([]float64, n), Weights: make([]float64, n), NoIntercept: noIntercept}
	for i := range n {
		for j := range p {
			r.X.Data[i*p+j] = math.Pow(10, float64(80*j/(p-1)-40)) * (2 + rnd.NormFloat64())
		}
		r.Y[i] = 1e-20 * (5 + rnd.NormFloat64())
		r.Weights[i] = float64(rnd.IntN(4))
	}
	return r
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

// Rows and their sums are the same problem, and slopes lead back to the
// predictions of the data: (y - X w) of the problem is that of the rows.
func TestRowsAndSumsAreOneProblem(t *testing.T) {
	for _, noIntercept := range []bool{false, true} {
		r := sample(40, 5, noIntercept)
		rows, err := FromRows(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		sums := SumRows(r)
		s := FromSums(&sums, noIntercept)
		if s.HasRows() || !rows.HasRows() || s.N != rows.N || s.W != rows.W {
			t.Fatalf("N = %d and %d, W = %g and %g", s.N, rows.N, s.W, rows.W)
		}
		near(t, "mean of y", s.MeanY, rows.MeanY)
		near(t, "y'y", s.Squares(s.YY), rows.Squares(rows.YY))
		for j, length := range rows.Lengths() {
			if length < 0.25 || length > 2 {
				t.Errorf("column %d has the length %g", j, length)
			}
			near(t, "mean", s.MeanX[j], rows.MeanX[j])
			near(t, "length", s.XUnit[j].Out(s.Lengths()[j]), rows.XUnit[j].Out(length))
		}
		w := []float64{1, -2, 3, -4, 5}
		slopes := make([]float64, len(w))
		for j := range w {
			slopes[j] = rows.Slope(j, w[j])
		}
		near(t, "intercept", rows.Intercept(slopes), rows.InterceptOf([]int{0, 1, 2, 3, 4}, slopes))
		for i := range r.Y {
			if r.Weights[i] == 0 {
				continue
			}
			inner, outer, size := rows.Y[i], r.Y[i]-rows.Intercept(slopes), 0.0
			for j := range w {
				inner -= w[j] * rows.Column(j)[i]
				outer -= slopes[j] * r.X.Data[i*5+j]
				size = math.Max(size, math.Abs(slopes[j]*r.X.Data[i*5+j]))
			}
			if got := rows.YUnit.Out(inner) / math.Sqrt(r.Weights[i]); math.Abs(got-outer) > 1e-13*size {
				t.Errorf("residual of row %d is %g, and leads back to %g", i, outer, got)
			}
		}
	}
}

// Common leaves one scale, in rows as in sums, and names what is nothing beside it.
func TestCommon(t *testing.T) {
	r := sample(30, 3, false)
	rows, err := FromRows(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	total := SumRows(r)
	sums := FromSums(&total, false)
	if err := errors.Join(rows.Common(), sums.Common()); err != nil {
		t.Fatal(err)
	}
	for j := range 3 {
		if rows.XUnit[j] != rows.XUnit[0] {
			t.Errorf("units %v", rows.XUnit)
		}
		near(t, "length", sums.XUnit[j].Out(sums.Lengths()[j]), rows.XUnit[j].Out(rows.Lengths()[j]))
	}
	var beside *BesideError
	far := &Problem{Units: Units{XUnit: []Unit{0, -2 * mostSquared, 3}}}
	if err := far.Common(); !errors.As(err, &beside) || beside.Column != 1 || beside.Largest != 2 {
		t.Errorf("error %v", err)
	}
	var limit *RangeError
	large := &Problem{Units: Units{XUnit: []Unit{0, mostSquared + 1}}}
	if err := large.Common(); !errors.As(err, &limit) || limit.Column != 1 || !limit.Squares {
		t.Errorf("error %v", err)
	}
}

// What leaves the range of float64 is told by its column.
func TestOutOfRange(t *testing.T) {
	for _, c := range []struct {
		column int
		value  float64
	}{{1, 1e300}, {1, math.NaN()}, {2, math.Inf(1)}, {Response, 1e200}, {Response, math.NaN()}} {
		r := sample(10, 3, false)
		r.Weights[4] = 1
		if c.column == Response {
			r.Y[4] = c.value
		} else {
			r.X.Data[4*3+c.column] = c.value
		}
		var limit *RangeError
		if _, err := FromRows(r, nil); !errors.As(err, &limit) || limit.Column != c.column {
			t.Errorf("%g in column %d by rows: %v", c.value, c.column, err)
		}
		var sum *SumError
		sums := SumRows(r)
		if err := sums.Check(false, func(int) bool { return true }); !errors.As(err, &sum) || sum.Column != c.column {
			t.Errorf("%g in column %d by sums: %v", c.value, c.column, err)
		}
	}
}

// Sums of parts merge to those of all rows, and a part can be taken away.
func TestMergeAndSubtract(t *testing.T) {
	r := sample(60, 4, false)
	part := func(from, to int) Sums {
		p := r
		p.X.Rows, p.X.Data, p.Y, p.Weights = to-from, r.X.Data[from*4:to*4], r.Y[from:to], r.Weights[from:to]
		return SumRows(p)
	}
	all, first, second := SumRows(r), part(0, 25), part(25, 60)
	sum := first.Clone()
	sum.Merge(&second)
	rest := all.Clone()
	rest.Subtract(&second)
	for _, errs := range [][2]float64{{1e-10, 1e-13}, {1e-13, 1e-10}} {
		one, other := first.Clone(), second.Clone()
		one.RelErr, other.RelErr = errs[0], errs[1]
		if one.Merge(&other); one.RelErr != 1e-10 {
			t.Errorf("sums wrong by %g and by %g are merged to sums wrong by %g", errs[0], errs[1], one.RelErr)
		}
	}
	for what, pair := range map[string][2]Sums{"merged": {sum, all}, "what is left": {rest, first}} {
		got, want := pair[0], pair[1]
		if got.N != want.N || got.W != want.W {
			t.Errorf("%s: %d rows of weight %g, want %d of %g", what, got.N, got.W, want.N, want.W)
		}
		near(t, what, got.SYY, want.SYY)
		near(t, what, got.LogW, want.LogW)
		for j := range 4 {
			near(t, what, got.MeanX[j], want.MeanX[j])
			near(t, what, got.SXX[j*4+j], want.SXX[j*4+j])
		}
	}
}

// A column divided by a number is another unit: slopes are that number times
// larger, and the length of the column in the units of the data that much smaller.
func TestDivide(t *testing.T) {
	r := sample(40, 3, false)
	rows, err := FromRows(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	sums := *rows
	sums.G = blas64.Symmetric{N: 3, Stride: 3, Uplo: 'U', Data: make([]float64, 9)}
	sums.C, sums.XT, sums.XUnit, sums.MeanX = make([]float64, 3), blas64.General{}, slices.Clone(rows.XUnit), slices.Clone(rows.MeanX)
	for j := range 3 {
		sums.C[j] = blas64.Dot(gram.Vector(rows.Column(j)), gram.Vector(rows.Y))
		for k := j; k < 3; k++ {
			sums.G.Data[j*3+k] = blas64.Dot(gram.Vector(rows.Column(j)), gram.Vector(rows.Column(k)))
		}
	}
	by := []float64{1e-30, 3, 1e200}
	before := rows.Lengths()
	unit := slices.Clone(rows.XUnit)
	means := slices.Clone(rows.MeanX)
	for _, d := range []*Problem{rows, &sums} {
		d.Divide(by)
		for j, length := range d.Lengths() {
			near(t, "length", d.XUnit[j].Out(length)*by[j], unit[j].Out(before[j]))
			near(t, "mean", d.MeanX[j]*by[j], means[j])
		}
	}
	for j := range 3 {
		near(t, "X'y", sums.C[j], blas64.Dot(gram.Vector(rows.Column(j)), gram.Vector(rows.Y)))
		near(t, "X'X", sums.Cross(0, j), blas64.Dot(gram.Vector(rows.Column(0)), gram.Vector(rows.Column(j))))
	}
}

// What sums state is relative to what they were made of, which of a difference is longer than its columns.
func TestStatedOfLengths(t *testing.T) {
	r := sample(40, 3, false)
	all, some := SumRows(r), r
	some.X.Rows, some.Y, some.Weights = 30, r.Y[:30], r.Weights[:30]
	part := SumRows(some)
	if got := all.statedOfLengths(false); got != 0 {
		t.Errorf("sums of rows state %g", got)
	}
	all.RelErr = 1e-9
	all.Subtract(&part)
	all.SetProduct(1, 1, 0) // a constant column has no length
	var most float64
	for _, j := range []int{0, 2, 3} {
		most = math.Max(most, all.Gross[j]/all.Product(j, j))
	}
	if want := all.Stated(false) * most; most < 2 || all.statedOfLengths(false) != want {
		t.Errorf("the difference states %g of its lengths, want %g", all.statedOfLengths(false), want)
	}
}

// Sums that state no error of their means add none to that of others.
func TestMergedMeanErr(t *testing.T) {
	for _, first := range []bool{true, false} {
		s, o := NewSums(0), NewSums(0)
		s.N, s.W, o.N, o.W = 1, 1, 3, 3
		want := 0.25e-3
		if first {
			s.MeanErr = []float64{1e-3}
		} else {
			o.MeanErr, want = []float64{1e-3}, 0.75e-3
		}
		s.Merge(&o)
		near(t, "error of the mean", s.MeanErrOf(0), want)
	}
}
