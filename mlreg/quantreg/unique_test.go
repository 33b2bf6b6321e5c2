package quantreg

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// A path and a process say of every fit whether it is the only one of its loss.
func TestPathsAndProcessesKnowTheirRange(t *testing.T) {
	// The intercept alone: any number from the third to the fourth is the quantile of 0.3 of ten.
	x, y := mat.NewDense(10, 1, nil), []float64{3, 1, 4, 10, 5, 9, 2, 6, 8, 7}
	for i, v := range y {
		x.Set(i, 0, v*v-10*v)
	}
	d := fatal.On(mlreg.NewDesign(x, y, "x"))(t)
	path := fatal.On(FitPath(d, 0.3, &mlreg.PathSettings{Lambda: []float64{1e3, 0.01}}))(t)
	f := path.Fit(0)
	if r := f.Range(); f.Unique() || r[0].Lower != 3 || r[0].Upper != 4 {
		t.Errorf("unique %v, ranges %v; want an intercept of 3 to 4", f.Unique(), r)
	}
	for k, lambda := range path.Lambda() {
		alone := fatal.On(Fit(d, 0.3, &Settings{L1: lambda}))(t)
		if path.Fit(k).Unique() != alone.Unique() {
			t.Errorf("lambda %v: unique %v on the path, %v alone", lambda, path.Fit(k).Unique(), alone.Unique())
		}
		if a, b := path.Fit(k).Range(), alone.Range(); !nearRange(a, b) {
			t.Errorf("lambda %v: ranges %v on the path, %v alone", lambda, a, b)
		}
	}
	scaled := fatal.On(FitPath(fatal.On(d.Standardize(nil))(t), 0.3, &mlreg.PathSettings{Lambda: []float64{1e3}}))(t)
	if raw := fatal.On(scaled.Raw())(t).Fit(0); raw.Unique() {
		t.Error("the raw fit is the only one, and the scaled is not")
	}

	// One row has a alone, and one b alone, both far above the fit: what one gains the other loses,
	// at any quantile.
	var rows [][]float64
	y = nil
	for i := range 12 {
		v := float64(i % 2)
		rows, y = append(rows, []float64{v, v}), append(y, 3*v+float64(i*i%7))
	}
	rows, y = append(rows, []float64{1, 0}, []float64{0, 1}), append(y, 50, 60)
	x = mat.NewDense(len(rows), 2, nil)
	for i, row := range rows {
		x.SetRow(i, row)
	}
	d = fatal.On(mlreg.NewDesign(x, y, "a", "b"))(t)
	process := fatal.On(FitProcess(d, nil))(t)
	several := 0
	for k, tau := range process.Tau() {
		got, want := process.Fit(k), fatal.On(Fit(d, tau, nil))(t)
		if got.Unique() != want.Unique() || !nearRange(got.Range(), want.Range()) {
			t.Errorf("tau = %v: unique %v, ranges %v in the process; %v, %v alone", tau, got.Unique(), got.Range(), want.Unique(), want.Range())
		}
		if !got.Unique() {
			several++
		}
	}
	if several == 0 {
		t.Error("every fit of the process is the only one")
	}
}

// Of a fit with L2 the slopes are the only ones, and the intercept is in the middle of those that have the
// same loss.
func TestRangeOfTheInterceptWithL2(t *testing.T) {
	x, y := mat.NewDense(10, 1, nil), []float64{3, 1, 4, 10, 5, 9, 2, 6, 8, 7}
	for i, v := range y {
		x.Set(i, 0, v*v-10*v)
	}
	d := fatal.On(mlreg.NewDesign(x, y, "x"))(t)
	for _, tau := range []float64{0.3, 0.35, 0.7} {
		s := &Settings{L2: 1e9} // no slope to speak of
		f := fatal.On(Fit(d, tau, s))(t)
		low, high := math.Ceil(10*tau), math.Floor(10*tau)+1
		r := f.Range()
		if f.Unique() != (low == high) || !scalar.EqualWithinAbs(r[0].Lower, low, 1e-6) || !scalar.EqualWithinAbs(r[0].Upper, high, 1e-6) {
			t.Errorf("tau = %v: unique %v, an intercept of %v to %v; want %v to %v", tau, f.Unique(), r[0].Lower, r[0].Upper, low, high)
		}
		if b := f.Slopes()[0]; r[1].Lower != b || r[1].Upper != b || math.Abs(f.Intercept()-(r[0].Lower+r[0].Upper)/2) > 1e-9 {
			t.Errorf("tau = %v: slope %v of %v, intercept %v of %v", tau, b, r[1], f.Intercept(), r[0])
		}
		// The same rows in another order, and each twice.
		twice := fatal.On(mlreg.NewDesign(mat.NewDense(20, 1, slices.Repeat(d.X.RawMatrix().Data, 2)), slices.Repeat(y, 2), "x"))(t)
		slices.Reverse(twice.Y)
		slices.Reverse(twice.X.RawMatrix().Data)
		s.L2 *= 2
		if g := fatal.On(Fit(twice, tau, s))(t); math.Abs(g.Intercept()-f.Intercept()) > 1e-9 || math.Abs(g.Loss()-2*f.Loss()) > 1e-9*f.Loss() {
			t.Errorf("tau = %v: intercept %v, and of every row twice %v", tau, f.Intercept(), g.Intercept())
		}
	}
}

func nearRange(a, b []mlreg.Interval) bool {
	for j := range a {
		if !scalar.EqualWithinAbsOrRel(a[j].Lower, b[j].Lower, 1e-10, 1e-10) || !scalar.EqualWithinAbsOrRel(a[j].Upper, b[j].Upper, 1e-10, 1e-10) {
			return false
		}
	}
	return len(a) == len(b)
}

// The table of several quantiles says at which of them the fit is one of several.
func TestQuantilesSayWhereTheyAreNotUnique(t *testing.T) {
	x, y := mat.NewDense(10, 1, nil), []float64{3, 1, 4, 10, 5, 9, 2, 6, 8, 7}
	for i, v := range y {
		x.Set(i, 0, v*v-10*v)
	}
	d := fatal.On(fatal.On(mlreg.NewDesign(x, y, "x"))(t).Select())(t) // the intercept alone
	fits := fatal.On(FitQuantiles(d, []float64{0.25, 0.3, 0.5}, nil))(t)
	if text := fits.String(); !strings.Contains(text, "the same loss at τ = 0.3, 0.5;") {
		t.Errorf("the table does not say where fits are not unique:\n%s", text)
	}
	alone := fatal.On(FitQuantiles(d, []float64{0.25}, nil))(t)
	if text := alone.String(); strings.Contains(text, "the same loss") {
		t.Errorf("a unique fit:\n%s", text)
	}
}
