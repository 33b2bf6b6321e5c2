package quantreg

import (
	"encoding/gob"
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
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// What is nil and may not be is said, and rows are asked for.
func TestNilArguments(t *testing.T) {
	calls := map[string]func() error{
		"Bootstrap":    func() error { return expect.ErrorOf(Bootstrap(nil, 0.5, rand.NewPCG(1, 2), nil)) },
		"Fit":          func() error { return expect.ErrorOf(Fit(nil, 0.5, nil)) },
		"FitLAD":       func() error { return expect.ErrorOf(FitLAD(nil, nil)) },
		"FitPath":      func() error { return expect.ErrorOf(FitPath(nil, 0.5, nil)) },
		"FitProcess":   func() error { return expect.ErrorOf(FitProcess(nil, nil)) },
		"FitQuantiles": func() error { return expect.ErrorOf(FitQuantiles(nil, []float64{0.5}, nil)) },
	}
	for _, name := range exported.Plain(t, ".") {
		if call, ok := calls[name]; !ok {
			t.Errorf("%s is not tried", name)
		} else {
			expect.Error(t, name, call(), mlreg.ErrNoData, "nil")
		}
	}
	d := rows.Random(t, 5, 20, 3)
	fit, fits := fatal.On(FitLAD(d, nil))(t), fatal.On(FitQuantiles(d, []float64{0.3, 0.6}, nil))(t)
	for what, err := range map[string]error{
		"Certify":       expect.ErrorOf(fit.Certify(nil)),
		"Inference":     expect.ErrorOf(fit.Inference(nil, SameDensity)),
		"RankLimits":    expect.ErrorOf(fit.RankLimits(nil, 0.9, nil)),
		"RankTest":      expect.ErrorOf(fit.RankTest(nil)),
		"Predict":       expect.ErrorOf(fit.Predict(nil)),
		"Residuals":     expect.ErrorOf(fit.Residuals(nil)),
		"of several":    expect.ErrorOf(fits.Predict(nil)),
		"sorted":        expect.ErrorOf(fits.PredictSorted(nil)),
		"Crossings":     expect.ErrorOf(fits.Crossings(nil)),
		"ConfInt":       expect.ErrorOf(fits.ConfInt(nil, 0.9)),
		"EqualSlopes":   expect.ErrorOf(fits.EqualSlopes(nil)),
		"no source":     expect.ErrorOf(Bootstrap(d, 0.5, nil, nil)),
		"without terms": expect.ErrorOf(fit.Predict(fatal.On(mlreg.NewDesign(nil, d.Y))(t))),
	} {
		want, says := mlreg.ErrNoData, "nil"
		switch what {
		case "no source":
			want = mlreg.ErrSetting
		case "without terms":
			want, says = mlreg.ErrShape, "x1"
		}
		expect.Error(t, what, err, want, says)
	}
}

// What no fit may have is refused by all of them, and named.
func TestRefusals(t *testing.T) {
	fits := map[string]func(*mlreg.Design) (any, error){
		"Fit":          func(d *mlreg.Design) (any, error) { f, err := Fit(d, 0.3, nil); return f, err },
		"FitLAD":       func(d *mlreg.Design) (any, error) { f, err := FitLAD(d, nil); return f, err },
		"FitQuantiles": func(d *mlreg.Design) (any, error) { f, err := FitQuantiles(d, []float64{0.3, 0.6}, nil); return f, err },
		"FitProcess":   func(d *mlreg.Design) (any, error) { f, err := FitProcess(d, nil); return f, err },
		"FitPath":      func(d *mlreg.Design) (any, error) { f, err := FitPath(d, 0.5, nil); return f, err },
	}
	for _, c := range []struct {
		what   string
		change func(*mlreg.Design)
		want   error
		names  string
	}{
		{"NaN in X", func(d *mlreg.Design) { d.X.Set(3, 1, math.NaN()) }, mlreg.ErrNotFinite, `"x2" is NaN in row 4`},
		{"NaN in X without weight", func(d *mlreg.Design) { d.X.Set(3, 1, math.NaN()); d.Weights[3] = 0 }, mlreg.ErrNotFinite, `"x2" is NaN in row 4`},
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
	} {
		for name, fit := range fits {
			f, err := fit(rows.Changed(rows.Random(t, 5, 12, 3), c.change))
			expect.Error(t, name+" of "+c.what, err, c.want, c.names)
			if err != nil && !reflect.ValueOf(f).IsNil() {
				t.Errorf("%s of %s: a result beside the error", name, c.what)
			}
		}
	}
	d := rows.Random(t, 5, 12, 3)
	aliased := rows.Changed(d, func(c *mlreg.Design) { c.X.SetCol(2, mat.Col(nil, 0, c.X)) })
	expect.Error(t, "an aliased term", expect.ErrorOf(FitLAD(aliased, nil)), mlreg.ErrRankDeficient, `"x3"`, "Settings.L2")
	alone := fatal.On(d.Select())(t)
	expect.Error(t, "a path of no terms", expect.ErrorOf(FitPath(alone, 0.5, nil)), mlreg.ErrNoTerms)
	for what, c := range map[string]struct {
		set   mlreg.PathSettings
		names string
	}{
		"groups":        {mlreg.PathSettings{Groups: []mlreg.TermGroup{{Name: "g", Terms: []string{"x1"}}}}, "Groups"},
		"not negative":  {mlreg.PathSettings{NonNegative: []string{"x1"}}, "NonNegative"},
		"one lambda":    {mlreg.PathSettings{Count: 1}, "Count = 1"},
		"sweeps":        {mlreg.PathSettings{Sweeps: -1}, "Sweeps = -1"},
		"a grid":        {mlreg.PathSettings{Lambda: []float64{1, 3, 2}}, "Lambda[2]"},
		"a factor":      {mlreg.PathSettings{PenaltyFactor: []float64{1, -1, 1}}, `"x2"`},
		"always inside": {mlreg.PathSettings{AlwaysIn: []string{"x9"}}, `"x9"`},
	} {
		expect.Error(t, what, expect.ErrorOf(FitPath(d, 0.5, &c.set)), mlreg.ErrSetting, c.names)
	}
	path := fatal.On(FitPath(d, 0.5, nil))(t)
	expect.Error(t, "between lambdas", expect.ErrorOf(path.At(path.LambdaMax()*0.999)), mlreg.ErrSetting, "step functions")
	expect.Error(t, "a point of a path", expect.ErrorOf(path.Fit(3).Certify(d)), mlreg.ErrSetting, "does not know the rows")
	if f := fatal.On(path.At(path.Lambda()[7]))(t); !slices.Equal(f.Coef(), path.Fit(7).Coef()) || f.L1() != path.Lambda()[7] {
		t.Errorf("the fit at a lambda of the grid is %v", f)
	}
}

// Every result goes through gob and says what it said before, and refuses what is no stream of its own.
func TestResultsSurviveGob(t *testing.T) {
	d := fatal.On(rows.Random(t, 5, 20, 3).Standardize(nil))(t)
	lad, fits, path := fatal.On(FitLAD(d, nil))(t), fatal.On(FitQuantiles(d, []float64{0.3, 0.6}, nil))(t), fatal.On(FitPath(d, 0.5, nil))(t)
	for _, v := range []fmt.Stringer{
		lad, fatal.On(Fit(d, 0.3, &Settings{L1: 1}))(t), fatal.On(lad.Certify(d))(t), fatal.On(lad.Inference(d, SameDensity))(t),
		fits, fatal.On(FitProcess(d, nil))(t), path, fatal.On(path.Raw())(t),
	} {
		expect.SurvivesGob(t, v)
	}
	expect.Error(t, "another type", new(Quantile).GobDecode(fatal.On(fits.GobEncode())(t)), mlreg.ErrStream, "wanted a stream of type Quantile", "found type Quantiles")
	for _, v := range []gob.GobEncoder{lad, fits, path} {
		expect.RefusesDamage(t, v, mlreg.ErrStream)
	}
	short, uneven, piece := *fits, *path, *fits
	short.s.Coef = fits.s.Coef[:1]
	uneven.along.KKT = path.along.KKT[:1]
	piece.pieces.From = []float64{0.1}
	expect.Error(t, "too few coefficients", new(Quantiles).GobDecode(fatal.On(short.GobEncode())(t)), mlreg.ErrStream, "2 fits have 1")
	expect.Error(t, "too few certificates", new(Path).GobDecode(fatal.On(uneven.GobEncode())(t)), mlreg.ErrStream, "1 certificates")
	expect.Error(t, "pieces without ends", new(Quantiles).GobDecode(fatal.On(piece.GobEncode())(t)), mlreg.ErrStream, "1 pieces")
}

// Slopes have the units of the response over those of the terms, however large or small those are.
func TestUnits(t *testing.T) {
	d := rows.Random(t, 5, 30, 3)
	slopes := map[string]func(d *mlreg.Design) *Quantile{
		"Fit":          func(d *mlreg.Design) *Quantile { return fatal.On(Fit(d, 0.3, nil))(t) },
		"FitQuantiles": func(d *mlreg.Design) *Quantile { return fatal.On(FitQuantiles(d, []float64{0.3, 0.6}, nil))(t).Fit(1) },
		"FitProcess":   func(d *mlreg.Design) *Quantile { return fatal.On(fatal.On(FitProcess(d, nil))(t).At(0.437))(t) },
	}
	path := fatal.On(FitPath(d, 0.5, nil))(t)
	for _, exp := range []int{-300, -60, 60, 300, 900} {
		unit := math.Ldexp(1, exp)
		tall := rows.Changed(d, func(c *mlreg.Design) {
			for i := range c.Y {
				c.Y[i] *= unit
			}
		})
		wide := rows.Changed(d, func(c *mlreg.Design) { c.X.Scale(unit, c.X) })
		for name, fit := range slopes {
			want, high, low := fit(d).Slopes(), fit(tall).Slopes(), fit(wide).Slopes()
			for j, b := range want {
				expect.Near(t, name+": slope", high[j]/unit, b, 1e-9)
				expect.Near(t, name+": slope of terms in another unit", low[j]*unit, b, 1e-9)
			}
		}
		p := fatal.On(FitPath(wide, 0.5, nil))(t)
		for k, lambda := range p.Lambda() {
			expect.Near(t, "lambda", lambda/unit, path.Lambda()[k], 1e-9)
		}
	}
}

// Perfect fits have no likelihood ratio, and quantiles of other probabilities do not nest.
func TestLikelihoodRatioTests(t *testing.T) {
	d := rows.Random(t, 5, 30, 3)
	small := fatal.On(d.Select("x1"))(t)
	exact := d.WithResponse("y", mat.Col(nil, 0, d.X))
	f, large := fatal.On(FitLAD(fatal.On(exact.Select("x1"))(t), nil))(t), fatal.On(FitLAD(exact, nil))(t)
	expect.Error(t, "exact fits", expect.ErrorOf(mlreg.LikelihoodRatioTest(f, large)), mlreg.ErrNotEstimable)
	median, quarter := fatal.On(FitLAD(small, nil))(t), fatal.On(Fit(d, 0.25, nil))(t)
	expect.Error(t, "other probabilities", expect.ErrorOf(mlreg.LikelihoodRatioTest(median, quarter)), mlreg.ErrShape, "tau = 0.5", "tau = 0.25")
	for what, s := range map[string]*Settings{"L1 = 0.1": {L1: 0.1}, "L2 = 0.2": {L2: 0.2}} {
		expect.Error(t, what, expect.ErrorOf(mlreg.LikelihoodRatioTest(median, fatal.On(FitLAD(d, s))(t))), mlreg.ErrShape, "penalty", what)
	}
	if test := fatal.On(mlreg.LikelihoodRatioTest(median, fatal.On(FitLAD(d, nil))(t)))(t); test.DF != 2 || !(test.Stat > 0) {
		t.Errorf("the likelihood ratio is %v", test)
	}
}

// Limits of several fits are those of each.
func TestLimitsOfSeveral(t *testing.T) {
	d := rows.Random(t, 5, 60, 3)
	fits := fatal.On(FitQuantiles(d, []float64{0.3, 0.6}, nil))(t)
	for k, limits := range fatal.On(fits.ConfInt(d, 0.8))(t) {
		own := fatal.On(fatal.On(fits.Fit(k).Inference(d, HendricksKoenker))(t).ConfInt(0.8))(t)
		if !slices.Equal(limits, own) {
			t.Errorf("limits of fit %d are %v, and alone %v", k, limits, own)
		}
	}
	expect.Error(t, "level", expect.ErrorOf(fits.ConfInt(d, 1)), mlreg.ErrSetting, "at tau = 0.3", "level = 1")
}

// Rows of weight zero count nowhere, and have residuals: with them the fit, its standard
// errors, limits, tests and certificate are those without them, and so are the values of the
// other rows.
func TestRowsOfWeightZero(t *testing.T) {
	rnd := rand.New(rand.NewPCG(27, 1))
	const n = 48
	x, y, w, o := mat.NewDense(n, 2, nil), make([]float64, n), make([]float64, n), make([]float64, n)
	var positive []int
	for i := range n {
		x.SetRow(i, []float64{rnd.NormFloat64(), 10 + rnd.NormFloat64()})
		w[i], o[i] = float64(1+i%3), 0.1*rnd.Float64()
		y[i] = 0.5*x.At(i, 0) + 0.1*x.At(i, 1) + o[i] + rnd.NormFloat64()/(0.2+rnd.Float64())
		if i%4 == 2 {
			x.SetRow(i, []float64{1e4, -1e6})
			w[i], y[i], o[i] = 0, 1e7, 3
			continue
		}
		positive = append(positive, i)
	}
	all := fatal.On(mlreg.NewDesign(x, y, "a", "b"))(t)
	all.Weights, all.Offset = w, o
	fit, rows := weighedNumbers(t, all)
	someFit, someRows := weighedNumbers(t, all.Rows(positive...))
	for what, got := range fit {
		expect.NearAll(t, what, got, someFit[what], 1e-9)
	}
	for what, got := range rows {
		var of []float64
		for _, i := range positive {
			of = append(of, got[i])
		}
		expect.NearAll(t, what, of, someRows[what], 1e-9)
	}
}

// weighedNumbers are numbers of fits, and those of their rows.
func weighedNumbers(t *testing.T, d *mlreg.Design) (fit, rows map[string][]float64) {
	t.Helper()
	limits := func(l report.Rows[mlreg.Interval]) (v []float64) {
		for _, i := range l {
			v = append(v, i.Lower, i.Upper)
		}
		return v
	}
	f := fatal.On(Fit(d, 0.4, nil))(t)
	fit, rows = map[string][]float64{}, map[string][]float64{"residuals": fatal.On(f.Residuals(d))(t), "fitted": fatal.On(f.Predict(d))(t)}
	for _, kind := range []Sparsity{HendricksKoenker, SameDensity, PowellKernel} {
		i := fatal.On(f.Inference(d, kind))(t)
		fit[kind.String()] = append(i.StdErr(), i.Bandwidth(), i.Density(), i.DoFResidual())
	}
	for _, unequal := range []bool{false, true} {
		fit[fmt.Sprint("rank limits ", unequal)] = limits(fatal.On(f.RankLimits(d, 0.9, &RankLimitsSettings{Unequal: unequal}))(t))
	}
	c := fatal.On(f.Certify(d))(t)
	fit["certificate"] = []float64{c.Objective, float64(c.On), float64(c.Above), float64(c.Below), float64(c.Outside)}
	rows["subgradient"] = c.Subgradient
	rank := fatal.On(fatal.On(Fit(fatal.On(d.Select("a"))(t), 0.4, nil))(t).RankTest(d))(t)
	slopes := fatal.On(fatal.On(FitQuantiles(d, []float64{0.3, 0.6}, nil))(t).EqualSlopes(d))(t)
	fit["tests"] = []float64{rank.Stat, slopes.Stat, slopes.DF2}
	path := fatal.On(FitPath(d, 0.4, &mlreg.PathSettings{Count: 5}))(t)
	ridge := fatal.On(Fit(d, 0.4, &Settings{L2: 1, Gap: 1e-14}))(t)
	fit["penalized"] = append(append(path.Lambda(), path.Fit(2).Coef()...), ridge.Objective())
	fit["fit"] = append(f.Coef(), f.Loss(), f.NullLoss(), f.R1(), f.Scale(), f.LogLik(), mlreg.AIC(f), mlreg.BIC(f), f.DoFResidual(), float64(f.NObs()))
	return fit, rows
}
