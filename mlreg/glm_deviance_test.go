package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/report"
)

// glmTables are the deviances, profiles and sandwiches of testdata/glm.R.
type glmTables struct {
	Profile   map[string][][]float64
	Deviances map[string]struct {
		DF, Deviance, ResidDF, Resid, Chisq []float64
		F, PF                               []any
		DropDeviance, DropChisq             []float64
	}
	Sandwich       map[string]struct{ HC0, HC1, HC2, HC3, Cluster []float64 }
	Overdispersion struct{ CT1, CT2, DeanA float64 }
}

func readGLMTables(t *testing.T) glmTables {
	var want glmTables
	readJSON(t, "glm.json", &want)
	return want
}

func TestAnalysisOfDevianceAgainstR(t *testing.T) {
	for name, r := range readGLMTables(t).Deviances {
		c := glmCases[name]
		d := c.design(t)
		f := c.fit(t, d)
		rows := get(f.Anova(d))(t)
		if len(rows) != len(r.DF)+1 {
			t.Fatalf("%s: %d lines, R has %d", name, len(rows), len(r.DF)+1)
		}
		for i, row := range rows {
			near(t, name+": residual df", row.ResidualDF, r.ResidDF[i], 0)
			near(t, name+": residual deviance", row.ResidualDeviance, r.Resid[i], 1e-9)
			if i == 0 {
				continue
			}
			near(t, name+": df", row.DF, r.DF[i-1], 0)
			near(t, name+": deviance", row.Deviance, r.Deviance[i-1], 1e-8)
			near(t, name+": P", row.P, r.Chisq[i-1], 1e-9)
			if v, ok := r.F[i-1].(float64); ok {
				near(t, name+": F", row.F, v, 1e-9)
				near(t, name+": P of F", row.PF, r.PF[i-1].(float64), 1e-9)
			}
		}
		for i, row := range get(f.DropTerms(d))(t) {
			near(t, name+": deviance without", row.ResidualDeviance, r.DropDeviance[i], 1e-9)
			near(t, name+": P of the drop", row.P, r.DropChisq[i], 1e-9)
			near(t, name+": rise", row.Deviance, r.DropDeviance[i]-f.Deviance(), 1e-8)
		}
		small := c.fit(t, get(d.Select("x1"))(t))
		both := get(CompareDeviances(small, f))(t)
		near(t, name+": compared", both[1].Deviance, rows[2].Deviance+rows[3].Deviance, 1e-9)
		if both[1].DF != 2 || !math.IsNaN(both[0].P) {
			t.Errorf("%s: %+v", name, both)
		}
	}
}

func TestCompareDeviancesRefuses(t *testing.T) {
	c := glmCases["poisson"]
	d := c.design(t)
	f := c.fit(t, d)
	for says, fits := range map[string][]*GLM{
		"give two or more":            {f},
		"fit 2 is nil":                {f, nil},
		"no more coefficients":        {f, f},
		"family":                      {f, get(FitGLM(d, QuasiPoisson, nil))(t)},
		"60 and 9 observations":       {f, c.fit(t, d.Rows(0, 1, 2, 3, 4, 5, 6, 7, 8))},
		"fit 2 has a penalty":         {f, get(FitGLM(d, Poisson, &GLMSettings{L2: 1}))(t)},
		"put the smaller first":       {f, c.fit(t, get(d.Select("x1"))(t))},
		"link, and the first Poisson": {f, get(FitGLM(get(d.Select("b"))(t), Poisson, &GLMSettings{Link: IdentityLink}))(t)},
	} {
		if _, err := CompareDeviances(fits...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; wanted %q", err, says)
		}
	}
}

func TestProfileAgainstR(t *testing.T) {
	for name, want := range readGLMTables(t).Profile {
		c := glmCases[name]
		d := c.design(t)
		got := get(c.fit(t, d).Profile(d, 0.95))(t)
		for j, l := range got {
			near(t, name+": lower limit of "+l.Term, l.Lower, want[j][0], 1e-9)
			near(t, name+": upper limit of "+l.Term, l.Upper, want[j][1], 1e-9)
		}
	}
}

// The deviance at a profile limit is as much above the least as it should be, whatever
// the scaling; the limits of labels are those of the logistic regression, and a coefficient
// that may be infinite has an infinite limit.
func TestProfile(t *testing.T) {
	sequential(t)
	d := birthwt(t)
	g, l := get(FitGLM(d, Binomial, nil))(t), get(FitLogistic(d, nil))(t)
	a, b := get(g.Profile(d, 0.9))(t), get(l.Profile(d, 0.9))(t)
	for j := range a {
		near(t, "lower", a[j].Lower, b[j].Lower, 1e-8)
		near(t, "upper", a[j].Upper, b[j].Upper, 1e-8)
	}
	fixed := get(d.Select("lwt", "smoke", "ptl", "ht", "ui"))(t)
	fixed.Offset = make([]float64, d.NObs())
	for i := range fixed.Offset {
		fixed.Offset[i] = a[1].Upper * d.X.At(i, 0)
	}
	near(t, "rise", get(FitLogistic(fixed, nil))(t).Deviance()-l.Deviance(), dist.Chi2Quantile(0.1, 1), 1e-8)
	z := get(d.Standardize(nil))(t)
	scaled := get(get(FitLogistic(z, nil))(t).Profile(z, 0.9))(t)
	_, scale := z.Scaling.at(0)
	near(t, "scaled", scaled[1].Upper/scale, a[1].Upper, 1e-7)

	c := glmCases["poisson"]
	rows := c.design(t)
	for i := range rows.Y {
		if rows.X.At(i, 2) == 1 {
			rows.Y[i] = 0
		}
	}
	for i := range rows.Y { // one count where b is 1
		if rows.X.At(i, 2) == 1 {
			rows.Y[i] = 1
			break
		}
	}
	f := get(FitGLM(rows, Poisson, nil))(t)
	if limits := get(f.Profile(rows, 0.9999))(t); !(limits[3].Lower < f.Coef()[3]-4) {
		t.Errorf("limits of a rare level: %v", limits[3])
	}
	if _, err := f.Profile(rows, 1); !errors.Is(err, ErrSetting) {
		t.Errorf("level 1: %v", err)
	}
	if _, err := f.Profile(rows.Rows(1, 2, 3), 0.9); !errors.Is(err, ErrShape) {
		t.Errorf("other rows: %v", err)
	}
	if _, err := get(FitLogistic(d, &LogisticSettings{L2: 1}))(t).Profile(d, 0.9); !errors.Is(err, ErrNotEstimable) {
		t.Errorf("a penalty: %v", err)
	}
}

// The limits of an intercept far outside of the data: with v = a - c b, eta = v + b (x+c) is
// a (1 + x/c) - v x/c, in which nothing is far.
func TestProfileFarFromTheData(t *testing.T) {
	const n, c = 60, 1e6
	r := rand.New(rand.NewPCG(811, 17))
	far := &Design{X: algebra.NewDense(n, 1), Y: make([]float64, n), Names: []string{"day"}, Response: "y"}
	inner := &Design{X: algebra.NewDense(n, 2), Y: far.Y, Names: []string{"a", "v"}, Response: "y", NoIntercept: true}
	classes := make([]float64, n)
	for i := range n {
		x := math.Round(1024*r.NormFloat64()) / 1024
		far.X.Set(i, 0, c+x)
		inner.X.SetRow(i, []float64{1 + x/c, -x / c})
		far.Y[i] = math.Floor(math.Exp(1+0.5*x) + r.Float64())
		if r.Float64() < 1/(1+math.Exp(-x)) {
			classes[i] = 1
		}
	}
	compare := func(what string, got, want report.Rows[Interval]) {
		near(t, what+": lower", got[0].Lower, want[1].Lower, 1e-6)
		near(t, what+": upper", got[0].Upper, want[1].Upper, 1e-6)
	}
	a, b := get(FitGLM(far, Poisson, nil))(t), get(FitGLM(inner, Poisson, nil))(t)
	compare("counts", get(a.Profile(far, 0.95))(t), get(b.Profile(inner, 0.95))(t))
	for _, d := range []*Design{far, inner} {
		d.Y, d.Classes = classes, []string{"no", "yes"}
	}
	p, q := get(FitLogistic(far, nil))(t), get(FitLogistic(inner, nil))(t)
	compare("classes", get(p.Profile(far, 0.95))(t), get(q.Profile(inner, 0.95))(t))
}

// The only coefficient has limits, too: for n counts of sum s, (b - log(s/n)) s less
// n e^b - s is down by q^2/2.
func TestProfileOfOneCoefficient(t *testing.T) {
	d := get(NewDesign(nil, []float64{3, 0, 4, 2, 6}))(t)
	f := get(FitGLM(d, Poisson, nil))(t)
	l := get(f.Profile(d, 0.95))(t)[0]
	for _, b := range []float64{l.Lower, l.Upper} {
		near(t, "rise", 2*(5*math.Exp(b)-15-15*(b-math.Log(3))), dist.Chi2Quantile(0.05, 1), 1e-8)
	}
	if !(l.Lower < math.Log(3) && math.Log(3) < l.Upper) {
		t.Errorf("limits %v", l)
	}
}

func TestGLMSandwichAgainstR(t *testing.T) {
	for name, want := range readGLMTables(t).Sandwich {
		c := glmCases[name]
		d := c.design(t)
		f := c.fit(t, d)
		for hc, se := range map[HC][]float64{HC0: want.HC0, HC1: want.HC1, HC2: want.HC2, HC3: want.HC3} {
			r := get(f.Robust(d, hc))(t)
			nearAll(t, name+" "+hc.String(), r.StdErr(), se, 1e-9)
			nearAll(t, "coefficients", r.Coef(), f.Coef(), 0)
			if !math.IsInf(r.InferenceDoF(), 1) || !strings.Contains(r.String(), hc.String()) {
				t.Error(r)
			}
			link := get(r.LinkBand(d, 0.95))(t)
			v := r.VCov()
			x := get(d.ModelMatrix())(t).RowView(2)
			var s float64
			for i := range x.Len() {
				for j := range x.Len() {
					s += x.AtVec(i) * x.AtVec(j) * v.At(i, j)
				}
			}
			near(t, "band", link.StdErr[2], math.Sqrt(s), 1e-8)
		}
		var clusters []string
		for i := range d.NObs() {
			clusters = append(clusters, strconv.Itoa(i/5))
		}
		nearAll(t, name+" clustered", get(f.Clustered(d, clusters))(t).StdErr(), want.Cluster, 1e-9)
		if _, err := f.Clustered(d, clusters[1:]); !errors.Is(err, ErrShape) {
			t.Errorf("59 clusters: %v", err)
		}
		if _, err := f.Clustered(d, make([]string, d.NObs())); !errors.Is(err, ErrSetting) {
			t.Errorf("one cluster: %v", err)
		}
		if _, err := f.Robust(d, 9); !errors.Is(err, ErrSetting) {
			t.Errorf("HC9: %v", err)
		}
		if _, err := f.Robust(d.Rows(1, 2, 3, 4, 5), HC0); !errors.Is(err, ErrShape) {
			t.Errorf("other rows: %v", err)
		}
		if _, err := get(f.Robust(d, HC0))(t).Raw(); !errors.Is(err, ErrSetting) {
			t.Errorf("Raw of robust errors: %v", err)
		}
	}
}

func TestOverdispersion(t *testing.T) {
	sequential(t)
	want := readGLMTables(t).Overdispersion
	c := glmCases["poissonOffset"]
	d := c.design(t)
	f := c.fit(t, d)
	o := get(f.Overdispersion(d))(t)
	near(t, "Cameron and Trivedi", o.CameronTrivedi.Stat, want.CT1, 1e-9)
	near(t, "Cameron and Trivedi, mu^2", o.CameronTrivediNB2.Stat, want.CT2, 1e-9)
	near(t, "Dean", o.Dean.Stat, want.DeanA, 1e-9)
	near(t, "P", ZTest{}.P+newZTest(1.6448536269514722).P, 0.05, 1e-9)
	if _, err := glmCases["gamma"].fit(t, glmCases["gamma"].design(t)).Overdispersion(glmCases["gamma"].design(t)); !errors.Is(err, ErrSetting) {
		t.Errorf("a gamma: %v", err)
	}
	w := glmCases["poissonWeights"]
	if _, err := w.fit(t, w.design(t)).Overdispersion(w.design(t)); !errors.Is(err, ErrSetting) {
		t.Errorf("weights: %v", err)
	}
	// Of Poisson counts the tests reject as often as they say.
	rng := rand.New(rand.NewPCG(4, 4))
	var rejected int
	x := randomDesign(t, 6, 200, 2)
	for range 200 {
		for i := range x.Y {
			x.Y[i] = poissonDraw(rng, math.Exp(1+0.2*x.X.At(i, 0)))
		}
		if get(get(FitGLM(x, Poisson, nil))(t).Overdispersion(x))(t).Dean.P < 0.1 {
			rejected++
		}
	}
	if rejected < 6 || rejected > 36 {
		t.Errorf("%d of 200 Poisson samples are overdispersed at 10%%", rejected)
	}
}

// What R's sandwich and lmtest take by default, and what gives ours there, as COMING_FROM.md
// says; see testdata/conventions_tests.R.
func TestDefaultsOfSandwichAndLmtest(t *testing.T) {
	var want struct {
		GLM, GLMHC1, LM, Origin, OriginTerms []float64
		Single                               string
	}
	readJSON(t, "conventions_tests.json", &want)
	counts := csvDesign(t, "glm.csv", "y", "x1", "x2", "b")
	var clusters []string
	for i := range counts.NObs() {
		clusters = append(clusters, strconv.Itoa(i/5))
	}
	ours := get(get(FitGLM(counts, Poisson, nil))(t).Clustered(counts, clusters))(t).StdErr()
	nearAll(t, "vcovCL of a glm, HC1", ours, want.GLMHC1, 1e-9)
	n, p := float64(counts.NObs()), float64(len(ours))
	for j := range ours {
		near(t, "vcovCL of a glm", ours[j]/math.Sqrt((n-1)/(n-p)), want.GLM[j], 1e-9)
	}
	d := csvDesign(t, "glm.csv", "g", "x1", "x2")
	names := func(*Design) ([]string, error) { return clusters, nil }
	nearAll(t, "vcovCL of an lm", get(fitted(t, d, nil).Clustered(d, names))(t).StdErr(), want.LM, 1e-9)

	d.NoIntercept = true
	f := fitted(t, d, nil)
	bp := get(f.BreuschPagan(d))(t)
	nearAll(t, "bptest(m, ~ x1 + x2)", []float64{bp.Stat, bp.DF, bp.P}, want.OriginTerms, 1e-11)
	squares := get(f.Residuals(d))(t)
	for i, r := range squares {
		squares[i] = r*r - f.RSS()/n
	}
	g := fitted(t, d.WithResponse("squares", squares), nil)
	stat := n * (1 - g.RSS()/floats.Dot(squares, squares))
	nearAll(t, "bptest(m)", []float64{stat, 1, dist.Chi2Upper(stat, 1)}, want.Origin, 1e-11)
	if !strings.Contains(want.Single, "at least an intercept and a regressor") {
		t.Errorf("bptest of a single column: %q", want.Single)
	}
}
