package hier

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/exported"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// oneIntercept lets the intercept vary.
var oneIntercept = []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}

// sixGroups are 30 rows of three columns in groups of five, with a response that depends on both.
func sixGroups(t *testing.T) (*mlreg.Design, *mlreg.Grouping) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(3, 1))
	x, y, of := mat.NewDense(30, 3, nil), make([]float64, 30), numbersBy(30, 5)
	for i := range y {
		y[i] = 2*math.Sin(float64(1+of[i])) + rnd.NormFloat64()/2
		for j := range 3 {
			x.Set(i, j, rnd.NormFloat64())
			y[i] += x.At(i, j) * float64(j-1)
		}
	}
	return fatal.On(mlreg.NewDesign(x, y))(t), fatal.On(mlreg.NewGrouping("g", of))(t)
}

// What is nil and may not be is said.
func TestNilArguments(t *testing.T) {
	calls := map[string]func() error{
		"CrossValidate":        func() error { return expect.ErrorOf(CrossValidate(nil, nil, nil, 1, nil)) },
		"Fit":                  func() error { return expect.ErrorOf(Fit(nil, nil, nil)) },
		"FitMAP":               func() error { return expect.ErrorOf(FitMAP(nil, nil, 1, []float64{1}, nil)) },
		"FitVariancePosterior": func() error { return expect.ErrorOf(FitVariancePosterior(nil, nil, &Settings{Sigma2: 1}, nil)) },
		"TestVariance":         func() error { return expect.ErrorOf(TestVariance(nil, nil, nil, "", "")) },
		"VarianceLimits":       func() error { return expect.ErrorOf(VarianceLimits(nil, nil, nil, 0.9)) },
		"For":                  nil, // of nothing it is the settings
	}
	for _, name := range exported.Plain(t, ".") {
		call, ok := calls[name]
		if !ok {
			t.Errorf("%s is not tried", name)
		} else if call != nil {
			expect.Error(t, name, call(), mlreg.ErrNoData, "nil")
		}
	}
	d, g := sixGroups(t)
	fit := fatal.On(Fit(d, g, nil))(t)
	for what, err := range map[string]error{
		"no design":              expect.ErrorOf(CrossValidate(nil, g, nil, 1, nil)),
		"no grouping to predict": expect.ErrorOf(fit.PredictGroups(d, nil, 0.9)),
		"no rows to predict":     expect.ErrorOf(fit.PredictGroups(nil, g, 0.9)),
	} {
		expect.Error(t, what, err, mlreg.ErrNoData, "nil")
	}
	expect.Error(t, "nil rows", expect.ErrorOf(Fit((*mlreg.Design)(nil), g, nil)), mlreg.ErrNoData, "nil")
	expect.Error(t, "no rows", expect.ErrorOf(Fit(nil, g, nil)), mlreg.ErrNeedsRows, "rows to divide")
}

// What no fit may have is refused by all of them, and named.
func TestRefusals(t *testing.T) {
	fits := map[string]func(*mlreg.Design, *mlreg.Grouping) (any, error){
		"Fit": func(d *mlreg.Design, g *mlreg.Grouping) (any, error) {
			f, err := Fit(d, g, &Settings{Varying: oneIntercept})
			return f, err
		},
		"FitMAP": func(d *mlreg.Design, g *mlreg.Grouping) (any, error) {
			f, err := FitMAP(d, g, 1, []float64{1}, nil)
			return f, err
		},
		"FitVariancePosterior": func(d *mlreg.Design, g *mlreg.Grouping) (any, error) {
			f, err := FitVariancePosterior(d, g, &Settings{Sigma2: 1, Varying: oneIntercept}, nil)
			return f, err
		},
	}
	for what, c := range map[string]struct {
		change func(*mlreg.Design)
		want   error
		names  string
	}{
		"a NaN":            {func(d *mlreg.Design) { d.X.Set(3, 1, math.NaN()) }, mlreg.ErrNotFinite, `"x2"`},
		"an infinite y":    {func(d *mlreg.Design) { d.Y[3] = math.Inf(1) }, mlreg.ErrNotFinite, "row 4"},
		"a weight below 0": {func(d *mlreg.Design) { d.Weights[3] = -1 }, mlreg.ErrSetting, "row 4"},
		"no weight":        {func(d *mlreg.Design) { clear(d.Weights) }, mlreg.ErrNoData, "weight"},
		"no response":      {func(d *mlreg.Design) { d.Y = nil }, mlreg.ErrNoData, "response"},
		"too short":        {func(d *mlreg.Design) { d.Y = d.Y[1:] }, mlreg.ErrShape, "29"},
		"three classes":    {func(d *mlreg.Design) { d.Classes = []string{"a", "b", "c"} }, mlreg.ErrSetting, "classifier"},
		"no coefficient":   {func(d *mlreg.Design) { d.X, d.Names, d.NoIntercept = &mat.Dense{}, nil, true }, mlreg.ErrNoData, ""},
		"huge squares":     {func(d *mlreg.Design) { d.X.Set(3, 1, 1e200) }, mlreg.ErrNotFinite, `"x2"`},
		"fewer rows":       {func(d *mlreg.Design) { *d = *d.Rows(0, 1, 2, 3, 4, 5, 6) }, mlreg.ErrShape, "30"},
	} {
		for name, fit := range fits {
			d, g := sixGroups(t)
			d.Weights = slices.Repeat([]float64{1}, 30)
			c.change(d)
			f, err := fit(d, g)
			expect.Error(t, name+" of "+what, err, c.want, c.names)
			if err != nil && !reflect.ValueOf(f).IsNil() {
				t.Errorf("%s of %s: a result beside the error", name, what)
			}
		}
	}
}

// Every result goes through gob and says what it said before, and refuses what is no stream of its own.
func TestResultsSurviveGob(t *testing.T) {
	d, g := sixGroups(t)
	d = fatal.On(d.Standardize(nil))(t)
	intercepts := &Settings{Varying: oneIntercept}
	known := &Settings{Sigma2: 1, Varying: oneIntercept}
	folds := fatal.On(mlreg.KFold(30, 5, rand.NewPCG(1, 2)))(t)
	multi := fatal.On(Fit(d, g, intercepts))(t)
	for _, v := range []fmt.Stringer{
		multi, fatal.On(Fit(d, g, &Settings{Varying: oneIntercept, Hyperprior: &Hyperprior{Var: 2}}))(t),
		fatal.On(FitMAP(d, g, 1, []float64{1}, nil))(t), fatal.On(FitVariancePosterior(d, g, known, nil))(t),
		fatal.On(CrossValidate(d, g, folds, 1, nil))(t), fatal.On(TestVariance(d, g, intercepts, "", mlreg.InterceptName))(t),
		multi.Variances()[0], fatal.On(multi.GroupCoefs(""))(t), fatal.On(multi.PredictGroups(d, g, 0.9))(t),
	} {
		expect.SurvivesGob(t, v)
	}
	own := fatal.On(multi.GobEncode())(t)
	expect.Error(t, "another type", new(MAP).GobDecode(own), mlreg.ErrStream, "wanted a stream of type MAP", "found type MultiTask")
	expect.RefusesDamage(t, multi, mlreg.ErrStream)
	if _, err := (&CV{}).GobEncode(); err == nil {
		t.Error("a cross-validation of nothing is stored")
	}
}

// Slopes have the units of the response over those of the terms, and tau that of the response; the offset is taken
// from the response.
func TestUnits(t *testing.T) {
	d, g := sixGroups(t)
	f := fatal.On(Fit(d, g, &Settings{Varying: oneIntercept}))(t)
	p := fatal.On(FitVariancePosterior(d, g, &Settings{Sigma2: 1, Varying: oneIntercept}, nil))(t)
	for _, exp := range []int{-60, 60, 200} {
		unit := math.Ldexp(1, exp)
		scaled := withChange(d, func(c *mlreg.Design) {
			c.Y = slices.Clone(c.Y)
			for i := range c.Y {
				c.Y[i] *= unit
			}
		})
		h := fatal.On(Fit(scaled, g, &Settings{Varying: oneIntercept}))(t)
		for j, b := range h.Slopes() {
			expect.Near(t, "slope", b/unit, f.Slopes()[j], 1e-9)
			expect.Near(t, "standard error", h.StdErr()[1+j]/unit, f.StdErr()[1+j], 1e-9)
		}
		expect.Near(t, "sigma^2", h.Sigma2()/unit/unit, f.Sigma2(), 1e-9)
		q := fatal.On(FitVariancePosterior(scaled, g, &Settings{Sigma2: unit * unit, Varying: oneIntercept}, nil))(t)
		expect.Near(t, "tau", q.Mean()/unit, p.Mean(), 1e-9)
		wide := withChange(d, func(c *mlreg.Design) {
			c.X = mat.DenseCopyOf(c.X)
			c.X.Scale(unit, c.X)
		})
		for j, b := range fatal.On(Fit(wide, g, &Settings{Varying: oneIntercept}))(t).Slopes() {
			expect.Near(t, "slope of terms in another unit", b*unit, f.Slopes()[j], 1e-9)
		}
	}
	shifted := withChange(d, func(c *mlreg.Design) {
		c.Offset, c.Y = make([]float64, 30), slices.Clone(c.Y)
		for i := range c.Y {
			c.Offset[i] = float64(i)
			c.Y[i] += c.Offset[i]
		}
	})
	h := fatal.On(Fit(shifted, g, &Settings{Varying: oneIntercept}))(t)
	expect.NearAll(t, "slopes beside an offset", h.Slopes(), f.Slopes(), 1e-7)
	at, want := fatal.On(h.PredictGroups(shifted, g, 0.9))(t), fatal.On(f.PredictGroups(d, g, 0.9))(t)
	for i := range want.Mean {
		expect.Near(t, "prediction beside an offset", at.Mean[i], want.Mean[i]+shifted.Offset[i], 1e-7)
	}
}

// Rows of weight zero cost nothing in a cross-validation, whatever they hold.
func TestCrossValidationOfWeightZero(t *testing.T) {
	d, g := sixGroups(t)
	d.Weights = make([]float64, 30)
	of := make([]int, 30)
	var rows, ofRows []int
	for i := range d.Weights {
		of[i] = i % 3
		if i%4 == 2 {
			d.X.SetRow(i, []float64{1e4, -1e6, 1})
			d.Y[i] = 1e7
			continue
		}
		d.Weights[i] = float64(1 + i%3)
		rows, ofRows = append(rows, i), append(ofRows, i%3)
	}
	all := fatal.On(CrossValidate(d, g, fatal.On(mlreg.NewFolds(of))(t), 1, nil))(t)
	some := fatal.On(CrossValidate(d.Rows(rows...), g.Rows(rows...), fatal.On(mlreg.NewFolds(ofRows))(t), 1, nil))(t)
	expect.NearAll(t, "mean loss", all.Mean(), some.Mean(), 1e-9)
	expect.NearAll(t, "standard error", all.StdErr(), some.StdErr(), 1e-9)
}

// A formula's structure takes the place of what settings say of it, and leaves the rest.
func TestFor(t *testing.T) {
	given := &Settings{ML: true, Varying: []mlreg.Varying{{Level: "other"}}}
	s := For(structure{}, given)
	if !s.ML || len(s.Varying) != 1 || s.Varying[0].Level != "g" || !slices.Equal(s.ZeroMean, []string{"x1"}) {
		t.Errorf("%+v", s)
	}
	if given.Varying[0].Level != "other" || For(structure{}, nil).ML || !For(nil, given).ML {
		t.Error("the settings given are changed, or lost")
	}
}

type structure struct{}

func (structure) Structure() ([]mlreg.Varying, []string) {
	return []mlreg.Varying{{Level: "g"}}, []string{"x1"}
}
