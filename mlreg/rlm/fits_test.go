package rlm

import (
	"encoding/gob"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
)

// fitted is what the fits of the package have in common.
type fitted interface {
	mlreg.Wald
	NObs() int
	Slopes() []float64
	StdErr() []float64
	Predict(d *mlreg.Design) ([]float64, error)
	Residuals(d *mlreg.Design) ([]float64, error)
	Weights(d *mlreg.Design) ([]float64, error)
	String() string
}

// fitters are the fits of the package.
var fitters = map[string]func(d *mlreg.Design) (fitted, error){
	"MM": func(d *mlreg.Design) (fitted, error) { return orNil(Fit(d, nil)) },
	"Huber": func(d *mlreg.Design) (fitted, error) {
		return orNil(Fit(d, &Settings{Method: HuberM, Scale: Proposal2}))
	},
	"FitStudent": func(d *mlreg.Design) (fitted, error) { return orNil(FitStudent(d, nil)) },
}

// orNil is a fit, or no fitted if the fit is nil.
func orNil[F interface {
	comparable
	fitted
}](f F, err error) (fitted, error) {
	if f == *new(F) {
		return nil, err
	}
	return f, err
}

// Fits refuse what those of mlreg refuse, and have no fit beside the error.
func TestFitsRefuse(t *testing.T) {
	d := rows.Random(t, 5, 12, 3)
	nan := math.NaN()
	for _, c := range []struct {
		what   string
		change func(d *mlreg.Design)
		want   error
		names  string
	}{
		{"NaN in X", func(d *mlreg.Design) { d.X.Set(3, 1, nan) }, mlreg.ErrNotFinite, `"x2" is NaN in row 4`},
		{"NaN in X without weight", func(d *mlreg.Design) { d.X.Set(3, 1, nan); d.Weights[3] = 0 }, mlreg.ErrNotFinite, `"x2" is NaN in row 4`},
		{"infinity in Y", func(d *mlreg.Design) { d.Y[2] = math.Inf(-1) }, mlreg.ErrNotFinite, `"y" is -Inf in row 3`},
		{"negative weight", func(d *mlreg.Design) { d.Weights[1] = -1 }, mlreg.ErrSetting, "weight of row 2"},
		{"weights of zero", func(d *mlreg.Design) { clear(d.Weights) }, mlreg.ErrNoData, "weight"},
		{"weights too few", func(d *mlreg.Design) { d.Weights = d.Weights[1:] }, mlreg.ErrShape, "11 weights"},
		{"no response", func(d *mlreg.Design) { d.Y = nil }, mlreg.ErrNoData, "no response"},
		{"response too short", func(d *mlreg.Design) { d.Y = d.Y[1:] }, mlreg.ErrShape, `"y" has 11 values`},
		{"a name twice", func(d *mlreg.Design) { d.Names[1] = d.Names[0] }, mlreg.ErrShape, `both named "x1"`},
		{"no rows", func(d *mlreg.Design) { *d = mlreg.Design{} }, mlreg.ErrNoData, "X is 0 x 0"},
		{"no coefficient", func(d *mlreg.Design) { d.X, d.Names, d.NoIntercept = &mat.Dense{}, nil, true }, mlreg.ErrNoData, ""},
		{"four classes", func(d *mlreg.Design) { d.Classes = []string{"a", "b", "c", "d"} }, mlreg.ErrSetting, "fit a classifier"},
		{"four rows of weight", func(d *mlreg.Design) { clear(d.Weights[4:]) }, mlreg.ErrSaturated, "4 rows for 4 coefficients"},
		{"an aliased term", func(d *mlreg.Design) {
			for i := range d.Y {
				d.X.Set(i, 2, d.X.At(i, 0)+d.X.At(i, 1))
			}
		}, mlreg.ErrRankDeficient, `"x3"`},
	} {
		for name, fit := range fitters {
			f, err := fit(rows.Changed(d, c.change))
			expect.Error(t, name+" of "+c.what, err, c.want, c.names)
			if f != nil {
				t.Errorf("%s of %s: a fit beside the error", name, c.what)
			}
		}
	}
	for name, fit := range fitters {
		_, err := fit(nil)
		expect.Error(t, name, err, mlreg.ErrNoData, "design is nil")
	}
}

// The methods of a nil fit and of one without rows do not take rows.
func TestNilRows(t *testing.T) {
	d := rows.Random(t, 5, 20, 3)
	for name, fit := range fitters {
		f := fatal.On(fit(d))(t)
		for what, of := range map[string]func(*mlreg.Design) ([]float64, error){"Predict": f.Predict, "Residuals": f.Residuals, "Weights": f.Weights} {
			_, err := of(nil)
			expect.Error(t, name+": "+what, err, mlreg.ErrNoData, "nil")
		}
		other := fatal.On(d.Select("x1", "x2"))(t)
		_, err := f.Predict(other)
		expect.Error(t, name, err, mlreg.ErrShape, `"x3"`)
	}
}

// A fit that was stored is the same, and refuses what is no stream of its own.
func TestFitsSurviveGob(t *testing.T) {
	d := fatal.On(rows.Random(t, 5, 20, 3).Standardize(nil))(t)
	for name, fit := range fitters {
		f := fatal.On(fit(d))(t)
		expect.SurvivesGob(t, f)
		back := reflect.New(reflect.TypeOf(f).Elem())
		stream := fatal.On(f.(gob.GobEncoder).GobEncode())(t)
		if err := back.Interface().(gob.GobDecoder).GobDecode(stream); err != nil || !reflect.DeepEqual(f, back.Interface()) {
			t.Errorf("%s: %v, and stored\n%v, %v", name, f, back, err)
		}
		expect.RefusesDamage(t, f.(gob.GobEncoder), mlreg.ErrStream)
	}
	own := fatal.On(fatal.On(Fit(d, nil))(t).GobEncode())(t)
	expect.Error(t, "another type", new(Student).GobDecode(own), mlreg.ErrStream, "wanted a stream of type Student", "found type MEstimate")
}

// Slopes and standard errors have the units of the response over those of the terms, and the
// offset is taken from the response.
func TestUnits(t *testing.T) {
	d := rows.Random(t, 7, 40, 3)
	for name, fit := range fitters {
		f := fatal.On(fit(d))(t)
		for _, exp := range []int{-60, 60, 500} {
			unit := math.Ldexp(1, exp)
			g := fatal.On(fit(rows.Changed(d, func(d *mlreg.Design) {
				for i := range d.Y {
					d.Y[i] *= unit
				}
			})))(t)
			for j, b := range g.Slopes() {
				expect.Near(t, name+": slope", b/unit, f.Slopes()[j], 1e-9)
				expect.Near(t, name+": standard error", g.StdErr()[1+j]/unit, f.StdErr()[1+j], 1e-9)
			}
		}
		shifted := fatal.On(fit(rows.Changed(d, func(d *mlreg.Design) {
			d.Offset = make([]float64, len(d.Y))
			for i := range d.Y {
				d.Offset[i] = float64(i)
				d.Y[i] += d.Offset[i]
			}
		})))(t)
		expect.NearAll(t, name+": slopes beside an offset", shifted.Slopes(), f.Slopes(), 1e-7)
	}
}

// Rows of weight zero count nowhere: with them a fit, its errors and what it says of the other
// rows are as without them.
func TestWeightZero(t *testing.T) {
	d := rows.Random(t, 27, 48, 2)
	d.Weights = make([]float64, 48)
	var rows []int
	for i := range d.Weights {
		if i%4 == 2 {
			d.X.SetRow(i, []float64{1e4, -1e6})
			d.Y[i] = 1e7
			continue
		}
		d.Weights[i] = float64(1 + i%3)
		rows = append(rows, i)
	}
	for name, fit := range fitters {
		f, some := fatal.On(fit(d))(t), fatal.On(fit(d.Rows(rows...)))(t)
		expect.NearAll(t, name+": coefficients", f.Coef(), some.Coef(), 1e-9)
		expect.NearAll(t, name+": standard errors", f.StdErr(), some.StdErr(), 1e-9)
		if f.NObs() != some.NObs() {
			t.Errorf("%s: %d rows, and %d without those of weight zero", name, f.NObs(), some.NObs())
		}
		weights, want := fatal.On(f.Weights(d))(t), fatal.On(some.Weights(d.Rows(rows...)))(t)
		for k, i := range rows {
			expect.Near(t, name+": weight", weights[i], want[k], 1e-9)
		}
		if weights[2] != 1 {
			t.Errorf("%s: weight %v of a row of weight zero", name, weights[2])
		}
	}
	s := fatal.On(FitStudent(d, nil))(t)
	var sum float64
	for i, v := range fatal.On(s.LogLikRows(d))(t) {
		if d.Weights[i] == 0 && v != 0 {
			t.Errorf("log density %v of row %d", v, i)
		}
		sum += v
	}
	expect.Near(t, "sum of log densities", sum, s.LogLik(), 1e-9)
	if pit := fatal.On(s.PIT(d))(t); !math.IsNaN(pit[2]) {
		t.Errorf("PIT %v of a row of weight zero", pit[2])
	}
}

// A constant so small that no row has weight is named.
func TestWithoutWeight(t *testing.T) {
	f, err := Fit(rows.Random(t, 35, 60, 2), &Settings{Method: TukeyM, C: 1e-6})
	expect.Error(t, "no row has weight", err, mlreg.ErrNotEstimable, "Settings.C = 1e-06", "4.685")
	if f != nil {
		t.Errorf("a fit with the error: %v", f.Coef())
	}
}

// Likelihoods are compared by what they are of.
func TestStudentComparesWithLeastSquares(t *testing.T) {
	d := rows.Random(t, 3, 60, 3)
	part := fatal.On(d.Select("x1"))(t)
	ols, student := fatal.On(mlreg.FitOLS(part, nil))(t), fatal.On(FitStudent(d, nil))(t)
	test := fatal.On(mlreg.LikelihoodRatioTest(ols, student))(t)
	if !strings.Contains(test.Note, "edge") {
		t.Errorf("the note %q", test.Note)
	}
	expect.Near(t, "statistic", test.Stat, 2*(student.LogLik()-ols.LogLik()), 1e-12)
	four := fatal.On(FitStudent(part, &StudentSettings{Nu: 4}))(t)
	_, err := mlreg.LikelihoodRatioTest(four, fatal.On(mlreg.FitOLS(d, nil))(t))
	expect.Error(t, "other noise", err, mlreg.ErrShape, "nu = 4", "+Inf")
	other := rows.Changed(part, func(d *mlreg.Design) { d.Y[0]++ })
	_, err = mlreg.LikelihoodRatioTest(fatal.On(FitStudent(other, nil))(t), student)
	expect.Error(t, "another response", err, mlreg.ErrShape, `values of "y" differ`)
}
