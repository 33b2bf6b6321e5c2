package rlm

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
)

// The robust fits: breakdown, exact fits, and bad input.
func TestRobustOutliers(t *testing.T) {
	d := rows.Random(t, 3, 60, 2)
	clean := fatal.On(Fit(d, nil))(t)
	bad := *d
	bad.Y, bad.X = append([]float64(nil), d.Y...), mat.DenseCopyOf(d.X)
	for i := range 20 {
		bad.Y[i], bad.X.RawRowView(i)[0] = 1e6, 1e4
	}
	f := fatal.On(Fit(&bad, nil))(t)
	least := fatal.On(mlreg.FitOLS(&bad, nil))(t)
	if math.Abs(f.Slopes()[0]-clean.Slopes()[0]) > 1 || math.Abs(least.Slopes()[0]-clean.Slopes()[0]) < 10 {
		t.Errorf("slope %v, by least squares %v, without the outliers %v", f.Slopes()[0], least.Slopes()[0], clean.Slopes()[0])
	}
	for i, w := range fatal.On(f.Weights(&bad))(t)[:20] {
		if w != 0 {
			t.Errorf("outlier %d has the weight %v", i, w)
		}
	}
	again := fatal.On(Fit(&bad, nil))(t)
	if again.Slopes()[0] != f.Slopes()[0] {
		t.Error("the same data have two fits")
	}
	plane := *d
	plane.Y = make([]float64, 60)
	for i := range plane.Y {
		plane.Y[i] = 1 + d.X.At(i, 0)
		if i < 10 {
			plane.Y[i] = 50 + float64(i*i)
		}
	}
	g := fatal.On(Fit(&plane, nil))(t)
	if !g.Exact() || math.Abs(g.Slopes()[0]-1) > 1e-9 || g.Scale() != 0 {
		t.Errorf("of a plane with outliers the fit is %v, exact %v", g, g.Exact())
	}
	if _, err := Fit(&plane, &Settings{Method: HuberM}); !errors.Is(err, mlreg.ErrNotEstimable) {
		t.Errorf("Huber's scale of a plane: %v", err)
	}
	for _, s := range []Settings{{Method: 7}, {Scale: -1}, {C: -1}, {Subsamples: -1}, {Tol: math.NaN()}, {MaxIterations: -1}, {C: 1}} {
		if _, err := Fit(d, &s); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	if _, err := Fit(d.Rows(0, 1, 2), nil); !errors.Is(err, mlreg.ErrSaturated) {
		t.Errorf("three rows: %v", err)
	}
	if _, err := FitStudent(d, &StudentSettings{Nu: -1}); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("nu = -1: %v", err)
	}
	// Gaussian rows: nu may be infinite, and the fit is then least squares.
	normal := fatal.On(FitStudent(d, &StudentSettings{Nu: math.Inf(1)}))(t)
	expect.Near(t, "nu = +Inf", normal.Slopes()[0], fatal.On(mlreg.FitOLS(d, nil))(t).Slopes()[0], 1e-9)
	expect.Near(t, "evidence of the same noise", normal.EvidenceBits(), 0, 1e-9)
}

// One row far out in its terms carries Student's fit away, as its description says, and not
// the MM-estimate; one with an outlying response does not.
func TestStudentLeverage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 4))
	d := &mlreg.Design{X: mat.NewDense(60, 1, nil), Y: make([]float64, 60), Names: []string{"x"}}
	for i := range d.Y {
		d.X.Set(i, 0, rnd.NormFloat64())
		d.Y[i] = 2*d.X.At(i, 0) + 0.5*rnd.NormFloat64()
	}
	slope := func(f interface{ Slopes() []float64 }) float64 { return f.Slopes()[0] }
	d.Y[0] = 1e6
	f := fatal.On(FitStudent(d, nil))(t)
	if math.Abs(slope(f)-2) > 0.3 || fatal.On(f.Weights(d))(t)[0] > 1e-6 {
		t.Errorf("an outlying response: slope %v", slope(f))
	}
	d.Y[0] = 0
	d.X.Set(0, 0, 1e6) // past it, the likelihood is greater
	if f = fatal.On(FitStudent(d, nil))(t); math.Abs(slope(f)-2) > 0.3 || f.Maxima() < 2 {
		t.Errorf("a row of high leverage: slope %v, %d maxima", slope(f), f.Maxima())
	}
	d.X.Set(0, 0, 1e30)
	f = fatal.On(FitStudent(d, nil))(t)
	if math.Abs(slope(f)) > 0.1 || fatal.On(f.Weights(d))(t)[0] < 0.5 {
		t.Errorf("a row of high leverage: slope %v", slope(f))
	}
	if mm := fatal.On(Fit(d, nil))(t); math.Abs(slope(mm)-2) > 0.3 || !(mm.Breakdown() > 0.4) {
		t.Errorf("MM with a row of high leverage: slope %v", slope(mm))
	}
	if s := f.String(); f.Breakdown() != 0 || !strings.Contains(s, "breakdown at 0% of the rows: outlying responses lose their weight, rows far out in their terms do not") {
		t.Errorf("the description says\n%s", s)
	}
	for i := range d.Y {
		d.X.Set(i, 0, rnd.NormFloat64())
		d.Y[i] = 2 + 3*d.X.At(i, 0)
	}
	if _, err := FitStudent(d, nil); !errors.Is(err, mlreg.ErrNotEstimable) {
		t.Errorf("Student's t of an exact fit: %v", err)
	}
}
