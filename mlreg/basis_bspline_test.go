package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// rBases is testdata/bases.json, written by R 4.2.2: Rscript bases.R > bases.json
type rBases struct {
	X, New []float64
	Cases  []struct {
		Name                        string
		Columns                     int
		Knots, Boundary, Train, New []float64
	}
	Alpha, Norm2, PolyTrain, PolyNew []float64
}

func loadBases(t *testing.T) rBases {
	t.Helper()
	var ref rBases
	readJSON(t, "bases.json", &ref)
	return ref
}

// column vector of inputs.
func inputs(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

// evaluated returns the columns of a basis at the values of one input, row by
// row.
func evaluated(b Basis, x []float64) []float64 {
	var all []float64
	for _, v := range x {
		all = append(all, b.Eval(nil, v)...)
	}
	return all
}

// wantErr fails unless err matches the kind and its text has the parts.
func wantErr(t *testing.T, err, kind error, parts ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

// sameByGob fails unless a basis comes out of gob as it went in.
func sameByGob(t *testing.T, b Basis, x ...float64) {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(&b); err != nil {
		t.Fatal(err)
	}
	var again Basis
	if err := gob.NewDecoder(&buf).Decode(&again); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(again.Eval(nil, x...), again.Names("x", "z", "u", "v")), fmt.Sprint(b.Eval(nil, x...), b.Names("x", "z", "u", "v")); got != want {
		t.Errorf("after gob %s, want %s", got, want)
	}
}

// splineSettings are the arguments of the cases of bases.R.
var splineSettings = map[string]*SplineSettings{
	"ns default": nil, "ns df=2": {DF: 2}, "ns df=4": {DF: 4}, "ns df=7": {DF: 7}, "ns knots": {Knots: []float64{2, 1}},
	"ns intercept": {DF: 5, Intercept: true}, "ns boundary": {DF: 4, Boundary: []float64{0.2, 3.5}},
	"bs default": nil, "bs df=6": {DF: 6}, "bs knots": {Knots: []float64{1, 2}}, "bs degree 1": {DF: 4, Degree: 1},
	"bs degree 2": {DF: 5, Degree: 2}, "bs degree 5": {DF: 8, Degree: 5}, "bs intercept": {DF: 7, Intercept: true},
	"bs boundary": {DF: 5, Boundary: []float64{0.2, 3.5}},
}

// R's splines::ns and splines::bs, at training values and by predict at values
// within and beyond the boundary: both sides round, to some 1e-15 of the largest
// of a row.
func TestSplinesLikeR(t *testing.T) {
	sequential(t)
	ref := loadBases(t)
	if len(ref.Cases) != len(splineSettings) {
		t.Fatalf("%d cases for %d settings", len(ref.Cases), len(splineSettings))
	}
	for _, c := range ref.Cases {
		t.Run(c.Name, func(t *testing.T) {
			var b Basis
			var knots, boundary []float64
			if strings.HasPrefix(c.Name, "ns") {
				s := get(NewNaturalSpline(ref.X, splineSettings[c.Name]))(t)
				b, knots, boundary = s, s.Knots, s.Boundary
			} else {
				s := get(NewBSpline(ref.X, splineSettings[c.Name]))(t)
				b, knots, boundary = s, s.Knots, s.Boundary
			}
			if c.Name == "ns knots" { // R keeps their order
				knots = []float64{2, 1}
			}
			if fmt.Sprint(knots, boundary) != fmt.Sprint(c.Knots, c.Boundary) {
				t.Errorf("knots %v %v, R has %v %v", knots, boundary, c.Knots, c.Boundary)
			}
			if m := len(b.Names("x")); m != c.Columns {
				t.Fatalf("%d columns, R has %d", m, c.Columns)
			}
			for i, x := range append(ref.X, ref.New...) {
				want := append(append([]float64{}, c.Train...), c.New...)[i*c.Columns : (i+1)*c.Columns]
				got := b.Eval(nil, x)
				largest := 1.0
				for _, w := range want {
					largest = math.Max(largest, math.Abs(w))
				}
				for k, w := range want {
					if !(math.Abs(got[k]-w) <= 4e-14*largest) {
						t.Errorf("at %v: %v, R has %v", x, got, want)
						break
					}
				}
			}
			sameByGob(t, b, 1.5)
		})
	}
}

// B-splines of any degree are non-negative, sum to 1 up to the four roundings a
// degree of the recurrence, and have the derivatives that finite differences give.
func TestBSplinePartitionOfUnity(t *testing.T) {
	x := loadBases(t).X
	for degree := 1; degree <= 6; degree++ {
		b := get(NewBSpline(x, &SplineSettings{Knots: []float64{0.7, 1, 3}, Degree: degree, Intercept: true}))(t)
		for i := range 301 {
			at := b.Boundary[0] + (b.Boundary[1]-b.Boundary[0])*float64(i)/300
			var sum float64
			for _, v := range b.Eval(nil, at) {
				if v < 0 {
					t.Errorf("degree %d: %v at %v", degree, v, at)
				}
				sum += v
			}
			near(t, fmt.Sprintf("degree %d: sum at %v", degree, at), sum, 1, float64(4*degree)*0x1p-53)
		}
		const h = 1e-5
		for _, at := range []float64{0.2, 0.9, 2.5, 4.9} {
			slope, from := b.piece(at, 1)
			up, down := b.Eval(nil, at+h), b.Eval(nil, at-h)
			for k, v := range slope[:degree+1] {
				near(t, fmt.Sprintf("degree %d: slope at %v", degree, at), 1+v, 1+(up[from+k]-down[from+k])/(2*h), 1e-8)
			}
		}
	}
}

// A polynomial of the degree of the pieces is in the span, and stays itself
// beyond the boundary.
func TestBSplineReproducesPolynomials(t *testing.T) {
	x := loadBases(t).X
	b := get(NewBSpline(x, &SplineSettings{DF: 7}))(t)
	cubic := func(v float64) float64 { return 1 - 2*v + .5*v*v - .1*v*v*v }
	d, at := expandCurve(t, b, x, cubic), expandCurve(t, b, []float64{-3, 0.5, 2, 12}, cubic)
	fit := get(FitOLS(d, nil))(t)
	yhat := get(fit.Predict(at))(t)
	nearAll(t, "cubic", yhat, at.Y, 1e-11)
}

func expandCurve(t *testing.T, b Basis, x []float64, f func(float64) float64) *Design {
	t.Helper()
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = f(v)
	}
	d := get(Expand(b, inputs(x...), y))(t)
	return d
}

// Natural splines are linear beyond the boundary, with the slope they have at
// it, and their second derivative is 0 there; they have two continuous
// derivatives at the knots.
func TestNaturalSplineConditions(t *testing.T) {
	s := get(NewNaturalSpline(loadBases(t).X, &SplineSettings{DF: 5, Boundary: []float64{0.2, 4.5}}))(t)
	second := func(x, h float64) []float64 {
		a, b, c := s.Eval(nil, x-h), s.Eval(nil, x), s.Eval(nil, x+h)
		out := make([]float64, len(b))
		for k := range out {
			out[k] = (a[k] - 2*b[k] + c[k]) / (h * h)
		}
		return out
	}
	for _, x := range []float64{-8, 0.2 - .5, 4.5 + .5, 30} {
		for k, v := range second(x, 0.5) {
			if math.Abs(v) > 1e-13 {
				t.Errorf("column %d bends by %v at %v, beyond the boundary", k+1, v, x)
			}
		}
	}
	const h = 1e-4
	for _, x := range append([]float64{0.2, 4.5}, s.Knots...) {
		before, after := second(x-h, h), second(x+h, h)
		for k := range before {
			if math.Abs(before[k]-after[k]) > 0.02 {
				t.Errorf("column %d: second derivative %v before %v and %v after", k+1, before[k], x, after[k])
			}
			if (x == 0.2 || x == 4.5) && math.Abs(before[k]+after[k]) > 0.02 {
				t.Errorf("column %d: second derivative %v at the boundary %v", k+1, before[k], x)
			}
		}
	}
}

// Values of any size give the same columns, within the boundary and beyond.
func TestSplinesAtAnyScale(t *testing.T) {
	ref := loadBases(t)
	for _, scale := range []float64{0x1p+664, 0x1p-664} { // 1e200 and 1e-200
		x := make([]float64, len(ref.X))
		for i, v := range ref.X {
			x[i] = v * scale
		}
		for _, s := range []*SplineSettings{{DF: 4}, {DF: 5, Intercept: true}} {
			ns := get(NewNaturalSpline(ref.X, s))(t)
			nsScaled := get(NewNaturalSpline(x, s))(t)
			bs := get(NewBSpline(ref.X, s))(t)
			bsScaled := get(NewBSpline(x, s))(t)
			for _, v := range ref.New {
				if !slices.Equal(ns.Eval(nil, v), nsScaled.Eval(nil, v*scale)) || !slices.Equal(bs.Eval(nil, v), bsScaled.Eval(nil, v*scale)) {
					t.Errorf("scale %v: other columns at %v", scale, v)
				}
			}
		}
	}
	_, err := NewBSpline([]float64{-1e308, 0, 1, 2, 1e308}, nil)
	wantErr(t, err, ErrNotFinite, "overflows; rescale x")
}

func TestSplineErrors(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for _, test := range []struct {
		x    []float64
		s    SplineSettings
		kind error
		text string
	}{
		{[]float64{1, math.NaN()}, SplineSettings{}, ErrNotFinite, `input "x" is NaN in row 2`},
		{[]float64{3, 3, 3}, SplineSettings{}, ErrSetting, "needs a range; x has 1 distinct"},
		{nil, SplineSettings{}, ErrSetting, "0 distinct"},
		{[]float64{1, 2, 3}, SplineSettings{DF: 3}, ErrSetting, "a spline of 3 columns needs more than 3 distinct values; there are 3"},
		{x, SplineSettings{DF: 8}, ErrSetting, "needs more than 8 distinct values"},
		{x, SplineSettings{DF: -1}, ErrSetting, "DF = -1"},
		{x, SplineSettings{DF: 4, Knots: []float64{3}}, ErrSetting, "not both"},
		{x, SplineSettings{Knots: []float64{3, 9}}, ErrSetting, "the interior knot 9 is not between the boundary knots 1 and 8"},
		{x, SplineSettings{Knots: []float64{1}}, ErrSetting, "the interior knot 1 is not between"},
		{x, SplineSettings{Knots: []float64{math.NaN()}}, ErrSetting, "NaN"},
		{x, SplineSettings{Knots: []float64{3, 3}}, ErrSetting, "two interior knots are at 3"},
		{[]float64{1, 4, 4, 4, 4, 4, 4, 5, 6, 9}, SplineSettings{DF: 4}, ErrSetting, "two interior knots are at 4"},
		{x, SplineSettings{Boundary: []float64{2}}, ErrSetting, "two numbers"},
		{x, SplineSettings{Boundary: []float64{5, 2}}, ErrSetting, "the smaller first"},
		{x, SplineSettings{Boundary: []float64{50, 60}, DF: 5}, ErrSetting, "no training value lies within"},
	} {
		s := test.s
		_, err := NewNaturalSpline(test.x, &s)
		wantErr(t, err, test.kind, test.text)
		if test.text != "a spline of 3 columns needs more than 3 distinct values; there are 3" {
			continue
		}
		_, err = NewBSpline(test.x, &s)
		wantErr(t, err, test.kind, test.text)
	}
	_, err := NewNaturalSpline(x, &SplineSettings{Degree: 2})
	wantErr(t, err, ErrSetting, "cubic")
	_, err = NewBSpline(x, &SplineSettings{Degree: 16})
	wantErr(t, err, ErrSetting, "1 to 15")
	_, err = NewBSpline(x, &SplineSettings{DF: 2})
	wantErr(t, err, ErrSetting, "DF = 2; the spline has at least 3 columns")
	if _, err = NewBSpline(nil, &SplineSettings{Knots: []float64{1}, Boundary: []float64{0, 2}}); err != nil {
		t.Errorf("knots and boundary given, no values: %v", err)
	}
}
