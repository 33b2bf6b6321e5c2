package mlreg

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// R's poly and its predict.
func TestPolyLikeR(t *testing.T) {
	ref := loadBases(t)
	p := get(NewPoly(ref.X, 5))(t)
	nearAll(t, "alpha", p.Alpha, ref.Alpha, 1e-13)
	nearAll(t, "norm2", p.Norm2(), ref.Norm2, 1e-12)
	nearAll(t, "training rows", evaluated(p, ref.X), ref.PolyTrain, 1e-11)
	nearAll(t, "new rows", evaluated(p, ref.New), ref.PolyNew, 1e-11)
	sameByGob(t, p, 1.5)
	if names := p.Names("age"); names[4] != "poly(age, 5)5" || p.Degree() != 5 {
		t.Errorf("names %q", names)
	}
}

// At high degree, far from the origin and at any scale the columns stay
// orthonormal, and orthogonal to the constant.
func TestPolyIsOrthonormal(t *testing.T) {
	const n, degree = 50, 20
	x := make([]float64, n)
	for i := range x {
		x[i] = 1e3 + math.Sin(float64(i)*1.7)*float64(i)
	}
	for _, scale := range []float64{1, 1e-100, 1e100} {
		y := slices.Clone(x)
		blas64.Scal(scale, gram.Vector(y))
		p := get(NewPoly(y, degree))(t)
		cols, low, err := EvalRows(p, inputs(y...))
		if err != nil || low != nil {
			t.Fatal(low, err)
		}
		for j := range degree {
			if sum := mat.Sum(cols.ColView(j)); math.Abs(sum) > 1e-9 {
				t.Errorf("scale %v: column %d sums to %v", scale, j+1, sum)
			}
			for k := range j + 1 {
				want := 0.0
				if j == k {
					want = 1
				}
				if got := mat.Dot(cols.ColView(j), cols.ColView(k)); math.Abs(got-want) > 1e-9 {
					t.Errorf("scale %v: columns %d and %d have product %v", scale, j+1, k+1, got)
				}
			}
		}
	}
}

func TestPolyErrors(t *testing.T) {
	for _, bad := range [][]float64{{1, 2, math.NaN()}, {1e300, -1e300, 0}, {1e-300, -1e-300, 0}} {
		_, err := NewPoly(bad, 1)
		wantErr(t, err, ErrNotFinite)
	}
	_, err := NewPoly([]float64{1, 2, 3}, 0)
	wantErr(t, err, ErrSetting, "at least 1, not 0")
	_, err = NewPoly([]float64{1, 2, 2, 3}, 3)
	wantErr(t, err, ErrSetting, "degree 3 needs more than 3 distinct values; there are 3")
	_, err = NewPoly([]float64{5, 5, 5}, 1)
	wantErr(t, err, ErrSetting, "there are 1")
}
