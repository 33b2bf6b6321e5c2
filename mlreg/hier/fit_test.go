package hier

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/nesting"
)

// lme4 holds testdata/lme4.json, written by lme4 1.1-31 and nlme: Rscript
// lme4.R > lme4.json.
type lme4 struct {
	Data  map[string]map[string][]float64
	Cases []struct {
		Name, Data        string
		Reml              bool
		Criterion, Sigma  float64
		Beta, StdErr      []float64
		Group, Var1, Var2 []string
		Vcov              []float64
		Coef              [][]float64
		Parameters        int
		Fitted            []float64

		ICCGroup              []string
		ICC                   []float64
		Marginal, Conditional float64
	}
	Tests []struct {
		Case, Level, Term string
		DF                int
		Stat, P, Naive    float64
	}
	Nlme struct {
		LogLik, Sigma float64
		Beta          []float64
	}
	Profile, Profile0 struct {
		Names        []string
		Lower, Upper []float64
	}
}

func readLME4(t testing.TB) *lme4 {
	t.Helper()
	var out lme4
	expect.JSON(t, "testdata/lme4.json", &out)
	file := fatal.On(os.Open("../../datasets/data/exam.csv"))(t)
	defer file.Close()
	rows := fatal.On(csv.NewReader(file).ReadAll())(t)
	out.Data["exam"] = map[string][]float64{}
	for j, name := range rows[0] {
		if !slices.Contains([]string{"school", "normexam", "standLRT"}, name) {
			continue
		}
		for _, row := range rows[1:] {
			out.Data["exam"][name] = append(out.Data["exam"][name], fatal.On(strconv.ParseFloat(row[j], 64))(t))
		}
	}
	return &out
}

// lme4Case says how to call Fit for a case.
type lme4Case struct {
	response string
	terms    []string
	groups   []string
	weights  string
	settings Settings
	origin   bool // without an intercept
}

var lme4Cases = map[string]lme4Case{
	"exam slope":         {"normexam", []string{"standLRT"}, []string{"school"}, "", Settings{}, false},
	"exam slope ML":      {"normexam", []string{"standLRT"}, []string{"school"}, "", Settings{ML: true}, false},
	"exam intercept":     {"normexam", []string{"standLRT"}, []string{"school"}, "", Settings{Varying: []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}}, false},
	"exam independent":   {"normexam", []string{"standLRT"}, []string{"school"}, "", Settings{Varying: []mlreg.Varying{{Shape: mlreg.DiagonalCovariance}}}, false},
	"sleep":              {"y", []string{"Days"}, []string{"g"}, "", Settings{}, false},
	"sleep ML":           {"y", []string{"Days"}, []string{"g"}, "", Settings{ML: true}, false},
	"sleep independent":  {"y", []string{"Days"}, []string{"g"}, "", Settings{ML: true, Varying: []mlreg.Varying{{Shape: mlreg.DiagonalCovariance}}}, false},
	"sleep intercept ML": {"y", []string{"Days"}, []string{"g"}, "", Settings{ML: true, Varying: []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}}, false},
	"nested":             {"y", []string{"x"}, []string{"a", "b"}, "", Settings{Varying: []mlreg.Varying{{Level: "a", Terms: []string{mlreg.InterceptName}}, {Level: "a/b", Terms: []string{mlreg.InterceptName}}}}, false},
	"nested weights":     {"y", []string{"x"}, []string{"a", "b"}, "w", Settings{ML: true, Varying: []mlreg.Varying{{Level: "a", Terms: []string{mlreg.InterceptName}}, {Level: "a/b", Terms: []string{mlreg.InterceptName}}}}, false},
	"nested slope":       {"y", []string{"x"}, []string{"a", "b"}, "", Settings{Varying: []mlreg.Varying{{Level: "a"}, {Level: "a/b", Terms: []string{mlreg.InterceptName}}}}, false},
	"flat":               {"y", []string{"x"}, []string{"g"}, "", Settings{Varying: []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}}, false},
	"flat slope":         {"y", []string{"x"}, []string{"g"}, "", Settings{ML: true}, false},
	"four":               {"y", []string{"x1", "x2", "x3"}, []string{"g"}, "", Settings{}, false},
	"about zero":         {"y", []string{"x1", "x2", "x3"}, []string{"g"}, "", Settings{ZeroMean: []string{"x3"}, Varying: []mlreg.Varying{{Terms: []string{"x3"}}}}, false},
	"no intercept":       {"y", []string{"x1", "x2", "x3"}, []string{"g"}, "", Settings{Varying: []mlreg.Varying{{Terms: []string{"x1"}}}}, true},
}

// design makes the data of a case.
func (c *lme4Case) design(t testing.TB, data map[string][]float64) (*mlreg.Design, *mlreg.Grouping) {
	t.Helper()
	d := &mlreg.Design{Names: c.terms, Response: c.response, Y: data[c.response], X: algebra.NewDense(len(data[c.response]), len(c.terms)), NoIntercept: c.origin}
	for j, name := range c.terms {
		d.X.SetCol(j, data[name])
	}
	if c.weights != "" {
		d.Weights = data[c.weights]
	}
	g, err := mlreg.NewGrouping(c.groups[0], data[c.groups[0]])
	for _, name := range c.groups[1:] {
		if err == nil {
			g, err = mlreg.NestGroups(g, name, data[name])
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return d, g
}

func fitLME4(t testing.TB, ref *lme4, name string) (*MultiTask, *mlreg.Design, *mlreg.Grouping) {
	t.Helper()
	c := lme4Cases[name]
	for _, want := range ref.Cases {
		if want.Name == name {
			d, g := c.design(t, ref.Data[want.Data])
			fit, err := Fit(d, g, &c.settings)
			if err != nil {
				t.Fatal(name, err)
			}
			return fit, d, g
		}
	}
	t.Fatalf("no case %q", name)
	return nil, nil, nil
}

// The optimum of lme4 is ours or worse: its criterion agrees to 1e-8, what its optimizer
// leaves of variances and coefficients to 1e-4.
func TestAgainstLME4(t *testing.T) {
	ref := readLME4(t)
	for _, want := range ref.Cases {
		t.Run(want.Name, func(t *testing.T) {
			fit, d, g := fitLME4(t, ref, want.Name)
			if d := fit.Criterion() - want.Criterion; d > 1e-8*math.Abs(want.Criterion) || d < -1e-6*math.Abs(want.Criterion) {
				t.Errorf("criterion %.10f, lme4's %.10f: %g", fit.Criterion(), want.Criterion, d)
			}
			if !(fit.Decrement() < 1e-9) || !(fit.Curvature() > 0) || fit.Outward() < 0 {
				t.Errorf("gradient %g, decrement %g, curvature %g, outward %g", fit.Gradient(), fit.Decrement(), fit.Curvature(), fit.Outward())
			}
			if fit.Parameters() != want.Parameters {
				t.Errorf("%d parameters, lme4 counts %d", fit.Parameters(), want.Parameters)
			}
			k := len(want.Beta)
			expect.NearAll(t, "b*", fit.Coef()[:k], want.Beta, 1e-5)
			expect.NearAll(t, "standard errors", fit.StdErr()[:k], want.StdErr, 1e-4)
			expect.Near(t, "sigma", math.Sqrt(fit.Sigma2()), want.Sigma, 1e-5)
			// Variances by their names.
			level := map[string]string{"school": "school", "school.1": "school", "Subject": "g", "Subject.1": "g", "a": "a", "b:a": "a/b", "a:b": "a/b", "g": "g"}
			for i, name := range want.ICCGroup {
				l := slices.Index(fit.Levels(), level[name])
				if math.Abs(fit.ICC()[l]-want.ICC[i]) > 1e-4 {
					t.Errorf("intraclass correlation of %s %v, by lme4's fit %v", name, fit.ICC()[l], want.ICC[i])
				}
			}
			expect.Near(t, "marginal R2", fit.MarginalR2(), want.Marginal, 1e-4)
			expect.Near(t, "conditional R2", fit.ConditionalR2(), want.Conditional, 1e-4)
			for i, group := range want.Group {
				if group == "Residual" {
					continue
				}
				terms, psi, err := fit.GroupCov(level[group])
				if err != nil {
					t.Fatal(err)
				}
				a := slices.Index(terms, want.Var1[i])
				b := a
				if want.Var2[i] != "" {
					b = slices.Index(terms, want.Var2[i])
				}
				if got := psi.At(a, b); math.Abs(got-want.Vcov[i]) > 2e-4*(1e-3+math.Abs(want.Vcov[i])) {
					t.Errorf("covariance of %s %s in %s: %v, lme4's %v", want.Var1[i], want.Var2[i], group, got, want.Vcov[i])
				}
			}
			groups, err := fit.GroupCoefs(g.Levels()[0])
			if err != nil {
				t.Fatal(err)
			}
			if want.Name != "about zero" && len(groups.Rows) == len(want.Coef) {
				for i, row := range groups.Rows {
					for j, v := range want.Coef[i] {
						if math.Abs(row.Coef[j]-v) > 2e-4*(1+math.Abs(v)) {
							t.Errorf("group %s: coefficient %d is %v, lme4's %v", row.Group, j, row.Coef[j], v)
						}
					}
				}
			}
			p, err := fit.PredictGroups(d, g, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range want.Fitted {
				if math.Abs(p.Mean[i]-v) > 2e-4*(1+math.Abs(v)) {
					t.Errorf("row %d: fitted %v, lme4's %v", i, p.Mean[i], v)
				}
			}
		})
	}
	fit, _, _ := fitLME4(t, ref, "sleep")
	expect.Near(t, "nlme's REML", fit.LogLik(), ref.Nlme.LogLik, 1e-9)
	expect.NearAll(t, "nlme's b*", fit.Coef(), ref.Nlme.Beta, 1e-7)
	expect.Near(t, "nlme's sigma", math.Sqrt(fit.Sigma2()), ref.Nlme.Sigma, 1e-6)
}

// The parts of the variance, row by row: Nakagawa and Schielzeth's sum over the variances of
// intercepts, Johnson's mean of z'Psi z for slopes. A row of weight 2 counts as two.
func TestR2(t *testing.T) {
	ref := readLME4(t)
	for name, c := range lme4Cases {
		fit, d, g := fitLME4(t, ref, name)
		n := d.NObs()
		explained, between, total := 0.0, make([]float64, len(g.Levels())), 0.0
		mean, fixed := 0.0, make([]float64, n)
		for i := range n {
			if !c.origin {
				fixed[i] = fit.Intercept()
			}
			for j, b := range fit.Slopes() {
				fixed[i] += b * d.X.At(i, j)
			}
			total += d.Weight(i)
			mean += d.Weight(i) * fixed[i]
		}
		for i := range n {
			explained += d.Weight(i) * gram.Square(fixed[i]-mean/total) / total
			for l, level := range g.Levels() {
				terms, psi, err := fit.GroupCov(level)
				if err != nil {
					t.Fatal(err)
				}
				z := make([]float64, len(terms))
				for a, term := range terms {
					if z[a] = 1; term != mlreg.InterceptName {
						z[a] = d.X.At(i, slices.Index(d.Names, term))
					}
				}
				for a := range z {
					for b := range z {
						between[l] += d.Weight(i) * z[a] * z[b] * psi.At(a, b) / total
					}
				}
			}
		}
		all := explained + fit.Sigma2()
		for _, v := range between {
			all += v
		}
		expect.Near(t, name+": marginal R2", fit.MarginalR2(), explained/all, 1e-10)
		expect.Near(t, name+": conditional R2", fit.ConditionalR2(), (all-fit.Sigma2())/all, 1e-10)
		for l, v := range between {
			if math.Abs(fit.ICC()[l]-v/(all-explained)) > 1e-10 {
				t.Errorf("%s: intraclass correlation %v of level %d, by rows %v", name, fit.ICC()[l], l, v/(all-explained))
			}
		}
	}
}

// The balanced one-way layout in closed form: REML is the analysis of variance.
func TestBalancedOneWay(t *testing.T) {
	const groups, each = 7, 5
	var y []float64
	var label []int
	for i := range groups * each {
		y = append(y, math.Sin(float64(i*i))+2*math.Cos(float64(i/each*3)))
		label = append(label, i/each)
	}
	d := &mlreg.Design{X: algebra.NewDense(len(y), 0), Y: y, Response: "y"}
	g, err := mlreg.NewGrouping("g", label)
	if err != nil {
		t.Fatal(err)
	}
	grand, within, between := 0.0, 0.0, 0.0
	means := make([]float64, groups)
	for i, v := range y {
		means[label[i]] += v / each
		grand += v / (groups * each)
	}
	for i, v := range y {
		within += gram.Square(v - means[label[i]])
	}
	for _, v := range means {
		between += each * gram.Square(v-grand)
	}
	msw, msb := within/(groups*(each-1)), between/(groups-1)
	fit, err := Fit(d, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, psi, err := fit.GroupCov("g")
	if err != nil {
		t.Fatal(err)
	}
	s2 := (msb - msw) / each
	expect.Near(t, "sigma^2", fit.Sigma2(), msw, 1e-12)
	expect.Near(t, "s^2", psi.At(0, 0), s2, 1e-10)
	expect.Near(t, "b*", fit.Intercept(), grand, 1e-12)
	expect.Near(t, "its variance", fit.VCov().At(0, 0), msb/(groups*each), 1e-10)
	expect.Near(t, "ICC", fit.ICC()[0], s2/(s2+msw), 1e-10)
	coefs, err := fit.GroupCoefs("")
	if err != nil {
		t.Fatal(err)
	}
	own := each * s2 / (each*s2 + msw)
	for j, row := range coefs.Rows {
		expect.Near(t, "own weight", row.Own[0], own, 1e-10)
		expect.Near(t, "b_j", row.Coef[0], grand+own*(means[j]-grand), 1e-10)
		expect.Near(t, "its variance", gram.Square(row.StdErr[0]), s2*(1-own)+gram.Square(1-own)*msb/(groups*each), 1e-10)
	}
	expect.Near(t, "dof", fit.EffectiveDoF(), 1+own*(groups-1), 1e-10)
	ml, err := Fit(d, g, &Settings{ML: true})
	if err != nil {
		t.Fatal(err)
	}
	_, psi, err = ml.GroupCov("g")
	if err != nil {
		t.Fatal(err)
	}
	expect.Near(t, "s^2 by ML", psi.At(0, 0), (msb*(groups-1)/groups-msw)/each, 1e-10)
	n := float64(groups * each)
	expect.Near(t, "likelihood", ml.Criterion(), n*math.Log(2*math.Pi)+n+groups*(each-1)*math.Log(msw)+groups*math.Log(msb*(groups-1)/groups), 1e-12)
}

// levelsOf are the levels of a grouping, the outermost first.
func levelsOf(g *mlreg.Grouping) []nesting.Level {
	return door.GroupsOf(g)
}

// numbersBy returns 0, 0, ..., 1, 1, ...: n numbers, each that many times.
func numbersBy(n, each int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i / each
	}
	return out
}

// What cannot be fitted says why.
func TestRefuses(t *testing.T) {
	d, g := schools(t, 3, 8, 6)
	n := d.NObs()
	ids := fatal.On(mlreg.NewGrouping("id", numbersBy(n, 1)))(t)
	one := fatal.On(mlreg.NewGrouping("all", make([]int, n)))(t)
	few := fatal.On(mlreg.NewGrouping("pair", numbersBy(n, 2)))(t)
	nan := d.WithResponse("y", append([]float64{math.NaN()}, d.Y[1:]...))
	double := &mlreg.Design{X: algebra.NewDense(n, 2), Y: d.Y, Names: []string{"x", "copy"}, Response: "y"}
	for i := range n {
		double.X.SetRow(i, []float64{d.X.At(i, 0), 2 * d.X.At(i, 0)})
	}
	perfect := &mlreg.Design{X: d.X, Y: make([]float64, n), Names: d.Names, Response: "y"}
	for i := range n {
		perfect.Y[i] = float64(levelsOf(g)[0].Of[i])
	}
	factor := &mlreg.Design{X: algebra.NewDense(n, 8), Y: d.Y, Names: []string{"x", "b", "c", "d", "e", "f", "g", "h"}, Response: "y"}
	for i := range n {
		factor.X.Set(i, 0, d.X.At(i, 0))
		if k := levelsOf(g)[0].Of[i]; k > 0 {
			factor.X.Set(i, k, 1)
		}
	}
	cov := algebra.NewSym(2)
	cov.SetSym(0, 1, 5)
	intercept := []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}
	for _, c := range []struct {
		what     string
		d        *mlreg.Design
		g        *mlreg.Grouping
		settings *Settings
		want     error
		names    string
	}{
		{"nil design", nil, g, nil, mlreg.ErrNoData, "nil"},
		{"nil groups", d, nil, nil, mlreg.ErrNoData, "grouping"},
		{"identifiers", d, ids, nil, mlreg.ErrNotEstimable, "identifier"},
		{"one group", d, one, nil, mlreg.ErrNotEstimable, `"all"`},
		{"more coefficients than rows", d, few, nil, mlreg.ErrNotEstimable, "coefficients that vary"},
		{"groups as a term", factor, g, &Settings{Varying: intercept}, mlreg.ErrNotEstimable, "does not change"},
		{"other rows", d.Rows(0, 1, 2), g, nil, mlreg.ErrShape, "3 rows"},
		{"missing value", nan, g, nil, mlreg.ErrNotFinite, `"y" is NaN in row 1`},
		{"collinear", double, g, &Settings{Varying: intercept}, mlreg.ErrRankDeficient, `"copy"`},
		{"no residual", perfect, g, &Settings{Varying: intercept}, mlreg.ErrSaturated, "residuals"},
		{"unknown term", d, g, &Settings{Varying: []mlreg.Varying{{Terms: []string{"z"}}}}, mlreg.ErrSetting, `"z"`},
		{"unknown level", d, g, &Settings{Varying: []mlreg.Varying{{Level: "town"}}}, mlreg.ErrSetting, `"town"`},
		{"twice", d, g, &Settings{Varying: append(intercept, intercept...)}, mlreg.ErrSetting, "already"},
		{"no level", d, g, &Settings{Varying: []mlreg.Varying{}}, mlreg.ErrSetting, "no coefficient varies"},
		{"negative variance", d, g, &Settings{Sigma2: -1}, mlreg.ErrSetting, "Sigma2"},
		{"NaN variance", d, g, &Settings{Sigma2: math.NaN()}, mlreg.ErrSetting, "Sigma2"},
		{"negative sd", d, g, &Settings{Sigma2: 1, Varying: []mlreg.Varying{{SD: []float64{1, -1}}}}, mlreg.ErrSetting, `"x" is -1`},
		{"sd without sigma", d, g, &Settings{Varying: []mlreg.Varying{{SD: []float64{1, 1}}}}, mlreg.ErrSetting, "Sigma2"},
		{"no covariance", d, g, &Settings{Sigma2: 1, Varying: []mlreg.Varying{{Cov: cov}}}, mlreg.ErrNotPositiveDefinite, "Cov"},
		{"hyperprior", d, g, &Settings{Hyperprior: &Hyperprior{}}, mlreg.ErrSetting, "Hyperprior.Var"},
		{"hyperprior's mean", d, g, &Settings{Hyperprior: &Hyperprior{Mean: []float64{1}, Var: 1}}, mlreg.ErrShape, "Hyperprior.Mean"},
		{"always zero", d, g, &Settings{Varying: intercept, ZeroMean: []string{"x"}}, mlreg.ErrSetting, `"x"`},
	} {
		fit, err := Fit(c.d, c.g, c.settings)
		if !errors.Is(err, c.want) || fit != nil || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	// A predictor that is constant within groups, or between their means, and groups of one
	// row among others are fitted.
	for name, value := range map[string]func(i int) float64{
		"within":  func(i int) float64 { return float64(levelsOf(g)[0].Of[i]) },
		"between": func(i int) float64 { return float64(i%2) - 0.5 },
	} {
		x := &mlreg.Design{X: algebra.NewDense(n, 1), Y: d.Y, Names: []string{"x"}, Response: "y"}
		for i := range n {
			x.X.Set(i, 0, value(i))
		}
		fit, err := Fit(x, g, &Settings{Varying: intercept})
		if err != nil || !(fit.Decrement() < 1e-9) {
			t.Errorf("constant %s groups: %v", name, err)
		}
	}
	// The best fit comes with an error of convergence.
	fit, err := Fit(d, g, &Settings{Iterations: 1})
	if !errors.Is(err, mlreg.ErrNotConverged) || fit == nil {
		t.Error(err)
	}
}

// Limits of b_j given the variances hold what they say.
func TestIsCalibrated(t *testing.T) {
	src := rand.New(rand.NewPCG(8, 8))
	const runs, groups, each, s, sigma = 150, 12, 4, 0.7, 1.0
	held, of := 0, 0
	for range runs {
		d := &mlreg.Design{X: algebra.NewDense(groups*each, 0), Response: "y"}
		truth := make([]float64, groups)
		for j := range truth {
			truth[j] = 2 + s*src.NormFloat64()
			for range each {
				d.Y = append(d.Y, truth[j]+sigma*src.NormFloat64())
			}
		}
		g := fatal.On(mlreg.NewGrouping("g", numbersBy(groups*each, each)))(t)
		fit := fatal.On(Fit(d, g, &Settings{Sigma2: sigma * sigma, Varying: []mlreg.Varying{{SD: []float64{s}}}}))(t)
		limits := fatal.On(fatal.On(fit.GroupCoefs(""))(t).Limits(mlreg.InterceptName, 0.9))(t)
		for j, l := range limits {
			of++
			if l.Lower <= truth[j] && truth[j] <= l.Upper {
				held++
			}
		}
	}
	if share := float64(held) / float64(of); math.Abs(share-0.9) > 4*math.Sqrt(.09/float64(of))*1.5 {
		t.Errorf("limits of 90%% hold %v of the groups", share)
	}
}

// Slopes and correlated intercepts that vary: limits of both coefficients hold what they say if
// the variances are known. Estimated variances are taken for known, and the limits hold less, but
// more than those of lme4's ranef (0.81 and 0.85 of such groups), which take b* for known, too.
func TestSlopesAreCalibrated(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats a computation")
	}
	psi := mat.NewSymDense(2, []float64{0.64, -0.24, -0.24, 0.34})
	for _, c := range []struct {
		name          string
		settings      Settings
		groups, least int
		low, high     float64
	}{
		{"known variances", Settings{Sigma2: 1, Varying: []mlreg.Varying{{Cov: psi}}}, 25, 2, 0.89, 0.91},
		{"estimated variances", Settings{}, 100, 6, 0.855, 0.895},
	} {
		src := rand.New(rand.NewPCG(8, 9))
		const runs, level = 150, 0.9
		var held [2]int
		for range runs {
			d := &mlreg.Design{Names: []string{"x"}, Response: "y"}
			var x []float64
			var labels []string
			truth := make([][2]float64, c.groups)
			for j := range truth {
				u, v := src.NormFloat64(), src.NormFloat64()
				truth[j] = [2]float64{1 + 0.8*u, 2 - 0.3*u + 0.5*v}
				for range c.least + j%8 {
					x, labels = append(x, 3+src.NormFloat64()), append(labels, fmt.Sprintf("%03d", j))
					d.Y = append(d.Y, truth[j][0]+truth[j][1]*x[len(x)-1]+src.NormFloat64())
				}
			}
			d.X = mat.NewDense(len(x), 1, x)
			fit := fatal.On(Fit(d, fatal.On(mlreg.NewGrouping("g", labels))(t), &c.settings))(t)
			coefs := fatal.On(fit.GroupCoefs(""))(t)
			for k, term := range []string{mlreg.InterceptName, "x"} {
				for j, l := range fatal.On(coefs.Limits(term, level))(t) {
					if l.Lower <= truth[j][k] && truth[j][k] <= l.Upper {
						held[k]++
					}
				}
			}
		}
		for k, n := range held {
			share := float64(n) / float64(runs*c.groups)
			if share < c.low || share > c.high {
				t.Errorf("%s: limits of 90%% hold %v of coefficient %d of the groups", c.name, share, k)
			}
		}
	}
}
