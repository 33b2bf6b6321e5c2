package mlreg

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// everyBasis is one of each kind, of one input unless it says two.
func everyBasis(t *testing.T, x *mat.Dense) []Basis {
	t.Helper()
	one := mat.Col(nil, 0, x)
	must := func(b Basis, err error) Basis {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	powers := must(NewPowers(3))
	spline := must(NewNaturalSpline(one, &SplineSettings{DF: 3}))
	pairs := must(NewRBF(x.Slice(0, 4, 0, 2), 1.5))
	return []Basis{
		powers, spline, pairs, must(NewPoly(one, 4)), must(NewBSpline(one, &SplineSettings{DF: 5})), must(NewFourier(3, 2)),
	}
}

func basisInputs() *mat.Dense {
	x := mat.NewDense(12, 2, nil)
	for i := range 12 {
		x.Set(i, 0, math.Sin(float64(i)))
		x.Set(i, 1, math.Sqrt(float64(i)))
	}
	return x
}

// Names, columns and lengths agree; the training rows coded again, and any rows
// of them, are the same to the bit, scaled or not.
func TestExpand(t *testing.T) {
	x := basisInputs()
	y := mat.Col(nil, 1, x)
	for _, b := range everyBasis(t, x) {
		t.Run(fmt.Sprintf("%T", b), func(t *testing.T) {
			in := x.Slice(0, 12, 0, b.Inputs())
			d := get(Expand(b, in, y))(t)
			m := len(b.Eval(nil, make([]float64, b.Inputs())...))
			if d.NTerms() != m || len(d.Names) != m || d.NObs() != 12 {
				t.Fatalf("%d x %d, names %q", d.NObs(), d.NTerms(), d.Names)
			}
			scaled := get(d.Standardize(nil))(t)
			scaled.Response, scaled.NoIntercept = "height", true
			for _, train := range []*Design{d, scaled} {
				again := get(ExpandLike(train, x.Slice(3, 7, 0, b.Inputs()), nil))(t)
				want := train.Rows(3, 4, 5, 6)
				if !mat.Equal(again.X, want.X) || !slices.Equal(again.Names, want.Names) || again.Y != nil ||
					again.Response != train.Response || again.NoIntercept != train.NoIntercept || !reflect.DeepEqual(again.Scaling, train.Scaling) {
					t.Errorf("rows coded like training: %+v, want %+v", again, want)
				}
				if (again.XLow == nil) != (want.XLow == nil) || want.XLow != nil && !mat.Equal(again.XLow, want.XLow) {
					t.Error("low parts differ")
				}
			}
			dst := make([]float64, m)
			if got := b.Eval(dst, mat.Row(nil, 2, in)...); &got[0] != &dst[0] || !slices.Equal(dst, d.X.RawRowView(2)) {
				t.Error("Eval did not fill dst")
			}
			for _, bad := range []func(){func() { b.Eval(nil) }, func() { b.Eval(make([]float64, m+1), make([]float64, b.Inputs())...) }} {
				func() {
					defer func() {
						if recover() == nil {
							t.Error("wrong lengths do not panic")
						}
					}()
					bad()
				}()
			}
		})
	}
}

func TestExpandErrors(t *testing.T) {
	b := get(NewPowers(2))(t)
	_, err := Expand(nil, inputs(1), nil)
	wantErr(t, err, ErrSetting, "nil")
	_, err = Expand(b, &mat.Dense{}, nil)
	wantErr(t, err, ErrNoData, "0 x 0")
	_, err = Expand(b, mat.NewDense(2, 2, nil), nil)
	wantErr(t, err, ErrShape, "takes 1 inputs, and x has 2 columns")
	_, err = Expand(b, inputs(1, 2), nil, "a", "b")
	wantErr(t, err, ErrShape, "2 names for the 1 inputs")
	_, err = Expand(b, inputs(1, 2), []float64{1})
	wantErr(t, err, ErrShape, "1 values for the 2 rows")
	_, err = Expand(b, inputs(1, math.NaN()), nil, "age")
	wantErr(t, err, ErrNotFinite, `input "age" is NaN in row 2`)
	d := get(NewDesign(inputs(1, 2), nil))(t)
	_, err = ExpandLike(d, inputs(1), nil)
	wantErr(t, err, ErrSetting, "Expand did not make")
}

// Names that would take all memory are refused before one is made: Expand returns the
// error that Names panics with.
func TestNamesOfColumnsAreNotTooLong(t *testing.T) {
	sequential(t)
	many, err := NewPowers(1 << 17)
	if err != nil {
		t.Fatal(err)
	}
	fourier := &Fourier{Order: 1 << 16, Period: 7}
	long := strings.Repeat("n", 1<<18)
	for _, b := range []Basis{many, fourier} {
		names := slices.Repeat([]string{long}, b.Inputs())
		_, err := Expand(b, mat.NewDense(1, len(names), nil), nil, names...)
		wantErr(t, err, ErrTooLarge, "the names of the columns", "shorten the names")
	}
}
