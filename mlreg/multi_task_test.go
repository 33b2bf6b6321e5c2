package mlreg

import (
	"math"
	"slices"
	"strconv"
	"testing"
)

// lme4 holds testdata/multi_lme4.json, written by lme4 1.1-31 and nlme: Rscript
// multi_lme4.R > multi_lme4.json.
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
	readJSON(t, "multi_lme4.json", &out)
	exam := csvColumns(t, "../../datasets/data/exam.csv")
	out.Data["exam"] = map[string][]float64{}
	for _, name := range []string{"school", "normexam", "standLRT"} {
		for _, cell := range exam[name] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			out.Data["exam"][name] = append(out.Data["exam"][name], v)
		}
	}
	return &out
}

// lme4Case says how to call FitMultiTask for a case.
type lme4Case struct {
	response string
	terms    []string
	groups   []string
	weights  string
	settings MultiTaskSettings
}

var lme4Cases = map[string]lme4Case{
	"exam slope":         {"normexam", []string{"standLRT"}, []string{"school"}, "", MultiTaskSettings{}},
	"exam slope ML":      {"normexam", []string{"standLRT"}, []string{"school"}, "", MultiTaskSettings{ML: true}},
	"exam intercept":     {"normexam", []string{"standLRT"}, []string{"school"}, "", MultiTaskSettings{Varying: []Varying{{Terms: []string{InterceptName}}}}},
	"exam independent":   {"normexam", []string{"standLRT"}, []string{"school"}, "", MultiTaskSettings{Varying: []Varying{{Shape: DiagonalCovariance}}}},
	"sleep":              {"y", []string{"Days"}, []string{"g"}, "", MultiTaskSettings{}},
	"sleep ML":           {"y", []string{"Days"}, []string{"g"}, "", MultiTaskSettings{ML: true}},
	"sleep independent":  {"y", []string{"Days"}, []string{"g"}, "", MultiTaskSettings{ML: true, Varying: []Varying{{Shape: DiagonalCovariance}}}},
	"sleep intercept ML": {"y", []string{"Days"}, []string{"g"}, "", MultiTaskSettings{ML: true, Varying: []Varying{{Terms: []string{InterceptName}}}}},
	"nested":             {"y", []string{"x"}, []string{"a", "b"}, "", MultiTaskSettings{Varying: []Varying{{Level: "a", Terms: []string{InterceptName}}, {Level: "a/b", Terms: []string{InterceptName}}}}},
	"nested weights":     {"y", []string{"x"}, []string{"a", "b"}, "w", MultiTaskSettings{ML: true, Varying: []Varying{{Level: "a", Terms: []string{InterceptName}}, {Level: "a/b", Terms: []string{InterceptName}}}}},
	"nested slope":       {"y", []string{"x"}, []string{"a", "b"}, "", MultiTaskSettings{Varying: []Varying{{Level: "a"}, {Level: "a/b", Terms: []string{InterceptName}}}}},
	"flat":               {"y", []string{"x"}, []string{"g"}, "", MultiTaskSettings{Varying: []Varying{{Terms: []string{InterceptName}}}}},
	"flat slope":         {"y", []string{"x"}, []string{"g"}, "", MultiTaskSettings{ML: true}},
	"four":               {"y", []string{"x1", "x2", "x3"}, []string{"g"}, "", MultiTaskSettings{}},
	"about zero":         {"y", []string{"x1", "x2", "x3"}, []string{"g"}, "", MultiTaskSettings{ZeroMean: []string{"x3"}, Varying: []Varying{{Terms: []string{"x3"}}}}},
}

// design makes the data of a case.
func (c *lme4Case) design(t testing.TB, data map[string][]float64) (*Design, *Grouping) {
	t.Helper()
	d := &Design{Names: c.terms, Response: c.response, Y: data[c.response], X: newDense(len(data[c.response]), len(c.terms))}
	for j, name := range c.terms {
		d.X.SetCol(j, data[name])
	}
	if c.weights != "" {
		d.Weights = data[c.weights]
	}
	g, err := NewGrouping(c.groups[0], data[c.groups[0]])
	for _, name := range c.groups[1:] {
		if err == nil {
			g, err = NestGroups(g, name, data[name])
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return d, g
}

func fitLME4(t testing.TB, ref *lme4, name string) (*MultiTask, *Design, *Grouping) {
	t.Helper()
	c := lme4Cases[name]
	for _, want := range ref.Cases {
		if want.Name == name {
			d, g := c.design(t, ref.Data[want.Data])
			fit, err := FitMultiTask(d, g, &c.settings)
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
func TestMultiTaskAgainstLME4(t *testing.T) {
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
			nearAll(t, "b*", fit.Coef()[:k], want.Beta, 1e-5)
			nearAll(t, "standard errors", fit.StdErr()[:k], want.StdErr, 1e-4)
			near(t, "sigma", math.Sqrt(fit.Sigma2()), want.Sigma, 1e-5)
			// Variances by their names.
			level := map[string]string{"school": "school", "school.1": "school", "Subject": "g", "Subject.1": "g", "a": "a", "b:a": "a/b", "a:b": "a/b", "g": "g"}
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
	near(t, "nlme's REML", fit.LogLik(), ref.Nlme.LogLik, 1e-9)
	nearAll(t, "nlme's b*", fit.Coef(), ref.Nlme.Beta, 1e-7)
	near(t, "nlme's sigma", math.Sqrt(fit.Sigma2()), ref.Nlme.Sigma, 1e-6)
}

// Sums of groups, in parts, give the fit of the rows.
func TestMultiTaskOfMoments(t *testing.T) {
	ref := readLME4(t)
	for name, c := range lme4Cases {
		t.Run(name, func(t *testing.T) {
			fit, d, g := fitLME4(t, ref, name)
			// Two parts of every group.
			labels := make([]map[string][]int, 2)
			for part := range labels {
				labels[part] = map[string][]int{}
			}
			level := len(g.levels) - 1
			for i := range d.NObs() {
				labels[i%2][g.label(level, i)] = append(labels[i%2][g.label(level, i)], i)
			}
			var rows []int
			var sums []*Moments
			for _, part := range labels {
				var keys []string
				for key := range part {
					keys = append(keys, key)
				}
				slices.Sort(keys)
				for _, key := range keys {
					m, err := d.Rows(part[key]...).Moments()
					if err != nil {
						t.Fatal(err)
					}
					rows, sums = append(rows, part[key][0]), append(sums, m)
				}
			}
			parts, err := g.Rows(rows...).WithMoments(sums...)
			if err != nil {
				t.Fatal(err)
			}
			other, err := FitMultiTask(nil, parts, &c.settings)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "criterion", other.Criterion(), fit.Criterion(), 1e-11)
			nearAll(t, "b*", other.Coef(), fit.Coef(), 1e-8)
			near(t, "dof", other.EffectiveDoF(), fit.EffectiveDoF(), 1e-7)
			near(t, "R2", other.MarginalR2(), fit.MarginalR2(), 1e-8)
		})
	}
}

// The balanced one-way layout in closed form: REML is the analysis of variance.
func TestMultiTaskBalancedOneWay(t *testing.T) {
	const groups, each = 7, 5
	var y []float64
	var label []int
	for i := range groups * each {
		y = append(y, math.Sin(float64(i*i))+2*math.Cos(float64(i/each*3)))
		label = append(label, i/each)
	}
	d := &Design{X: newDense(len(y), 0), Y: y, Response: "y"}
	g, err := NewGrouping("g", label)
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
		within += square(v - means[label[i]])
	}
	for _, v := range means {
		between += each * square(v-grand)
	}
	msw, msb := within/(groups*(each-1)), between/(groups-1)
	fit, err := FitMultiTask(d, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, psi, err := fit.GroupCov("g")
	if err != nil {
		t.Fatal(err)
	}
	s2 := (msb - msw) / each
	near(t, "sigma^2", fit.Sigma2(), msw, 1e-12)
	near(t, "s^2", psi.At(0, 0), s2, 1e-10)
	near(t, "b*", fit.Intercept(), grand, 1e-12)
	near(t, "its variance", fit.VCov().At(0, 0), msb/(groups*each), 1e-10)
	near(t, "ICC", fit.ICC()[0], s2/(s2+msw), 1e-10)
	coefs, err := fit.GroupCoefs("")
	if err != nil {
		t.Fatal(err)
	}
	own := each * s2 / (each*s2 + msw)
	for j, row := range coefs.Rows {
		near(t, "own weight", row.Own[0], own, 1e-10)
		near(t, "b_j", row.Coef[0], grand+own*(means[j]-grand), 1e-10)
		near(t, "its variance", square(row.StdErr[0]), s2*(1-own)+square(1-own)*msb/(groups*each), 1e-10)
	}
	near(t, "dof", fit.EffectiveDoF(), 1+own*(groups-1), 1e-10)
	ml, err := FitMultiTask(d, g, &MultiTaskSettings{ML: true})
	if err != nil {
		t.Fatal(err)
	}
	_, psi, err = ml.GroupCov("g")
	if err != nil {
		t.Fatal(err)
	}
	near(t, "s^2 by ML", psi.At(0, 0), (msb*(groups-1)/groups-msw)/each, 1e-10)
	n := float64(groups * each)
	near(t, "likelihood", ml.Criterion(), n*math.Log(2*math.Pi)+n+groups*(each-1)*math.Log(msw)+groups*math.Log(msb*(groups-1)/groups), 1e-12)
}
