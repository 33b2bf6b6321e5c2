package mlreg

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

func TestDurbinWatson(t *testing.T) {
	near(t, "alternating", DurbinWatson([]float64{1, -1, 1, -1}), 3, 1e-15)
	near(t, "constant", DurbinWatson([]float64{2, 2, 2}), 0, 1e-15)
	for _, r := range [][]float64{nil, {1}, {0, 0}} {
		if v := DurbinWatson(r); !math.IsNaN(v) {
			t.Errorf("DurbinWatson(%v) = %v", r, v)
		}
	}
}

func TestJarqueBera(t *testing.T) {
	// m2 = 1, m4 = 1: symmetric and flat.
	jb, err := JarqueBera([]float64{1, -1, 1, -1, 1, -1})
	must(t, jb, err)
	near(t, "skewness", jb.Skewness, 0, 1e-15)
	near(t, "kurtosis", jb.Kurtosis, 1, 1e-15)
	near(t, "statistic", jb.Stat, 1, 1e-15)
	near(t, "P", jb.P, math.Exp(-0.5), 1e-14)
	// Neither units nor location matter.
	rnd := rand.New(rand.NewPCG(1, 1))
	a, b := make([]float64, 50), make([]float64, 50)
	for i := range a {
		a[i] = rnd.ExpFloat64()
		b[i] = 1e200 * (3 + a[i])
	}
	one, err := JarqueBera(a)
	must(t, one, err)
	two, err := JarqueBera(b)
	near(t, "scaled", must(t, two, err).Stat, one.Stat, 1e-12)
	_, err = JarqueBera([]float64{1, 2})
	wantError(t, "two", err, ErrNoData)
	_, err = JarqueBera([]float64{1, 1, 1})
	wantError(t, "constant", err, ErrConstant)
	_, err = JarqueBera([]float64{1, 2, math.NaN(), 1})
	wantError(t, "NaN", err, ErrNotFinite, "residual 3")
}

// The test rejects as often as it says without, and nearly always with
// heteroscedasticity.
func TestBreuschPagan(t *testing.T) {
	sequential(t)
	const replicates = 1000
	var wrong, right float64
	for seed := range uint64(replicates) {
		d := randomDesign(t, seed, 100, 2)
		bp, err := fitted(t, d, nil).BreuschPagan(d)
		if must(t, bp, err).P < 0.1 {
			wrong++
		}
		if seed < 100 {
			for i := range 100 {
				d.Y[i] *= math.Exp(d.X.At(i, 0))
			}
			bp, err := fitted(t, d, nil).BreuschPagan(d)
			if must(t, bp, err).P < 0.1 {
				right++
			}
		}
	}
	if rate := wrong / replicates; math.Abs(rate-0.1) > 0.04 {
		t.Errorf("rejects %v at 0.1", rate)
	}
	if right < 85 {
		t.Errorf("rejects %v of 100", right)
	}
	d := randomDesign(t, 1, 10, 2)
	f := fitted(t, d, nil)
	weighted := *d
	weighted.Weights = make([]float64, 10)
	_, err := f.BreuschPagan(&weighted)
	wantError(t, "other weights", err, ErrShape, "positive weight")
	_, err = f.DurbinWatson(&weighted)
	wantError(t, "weighted", err, ErrSetting, "weights")
	none := get(d.Select())(t)
	_, err = fitted(t, none, nil).BreuschPagan(none)
	wantError(t, "no terms", err, ErrNoData, "without terms")
	for i := range d.Y {
		d.Y[i] = 0
	}
	_, err = fitted(t, d, nil).DurbinWatson(d)
	wantError(t, "perfect", err, ErrConstant)
	few := d.Rows(0, 1, 2, 3)
	_, err = fitted(t, few, nil).DurbinWatson(few)
	wantError(t, "few", err, ErrNoData, "two more")
	_, err = fitted(t, d, nil).BreuschPagan(d)
	wantError(t, "perfect", err, ErrConstant)
}

// R's lmtest and its criteria, see testdata/residualtests.R.
func TestResidualTestsAgainstR(t *testing.T) {
	var want struct {
		DW, BP, Criteria map[string][]float64
	}
	readJSON(t, "residualtests.json", &want)
	longley := csvDesign(t, "longley.csv", "Employed", "GNP.deflator", "GNP", "Unemployed", "Armed.Forces", "Population", "Year")
	prostate := csvDesign(t, "prostate.csv", "lpsa", "lcavol", "lweight", "age")
	origin := *prostate
	origin.NoIntercept = true
	weighted := *prostate
	for i := range prostate.NObs() {
		weighted.Weights = append(weighted.Weights, prostate.X.At(i, 2)/60)
	}
	for name, d := range map[string]*Design{
		"longley": longley, "prostate": prostate, "origin": &origin, "mean": get(longley.Select())(t),
	} {
		dw := get(fitted(t, d, nil).DurbinWatson(d))(t)
		got := []float64{dw.Stat, dw.Positive, dw.Negative, dw.TwoSided}
		for k, w := range want.DW[name] { // pan is right to some 1e-13
			if math.Abs(got[k]-w) > 1e-11 {
				t.Errorf("DW of %s: %.17g, R has %.17g", name, got, want.DW[name])
			}
		}
		if dw.Err > 1e-12 {
			t.Errorf("DW of %s: error %g", name, dw.Err)
		}
	}
	for name, d := range map[string]*Design{"prostate": prostate, "origin": &origin, "weighted": &weighted} {
		f := fitted(t, d, nil)
		bp := get(f.BreuschPagan(d))(t)
		nearAll(t, "BP of "+name, []float64{bp.Stat, bp.DF, bp.P}, want.BP[name], 1e-11)
		if name == "prostate" {
			name = ""
		}
		bp = get(f.BreuschPaganOriginal(d))(t)
		nearAll(t, "original BP of "+name, []float64{bp.Stat, bp.DF, bp.P}, want.BP[name+"plain"], 1e-11)
	}

	births := func(response string, weights ...float64) *Design {
		d := csvDesign(t, "birthwt.csv", response, "age", "smoke")
		for i := range d.NObs() {
			d.Weights = append(d.Weights, weights[i%len(weights)])
		}
		return d
	}
	f := get(FitOLS(births("lwt", 1, 2, 0.5, 3, 0), nil))(t)
	nearAll(t, "lm", []float64{AIC(f), BIC(f)}, want.Criteria["lm"], 1e-13)
	// glm counts rows of weight zero, multinom the sum of weights.
	d := births("low", 1, 2, 3, 0)
	g := fitLogistic(t, d, nil)
	other := func(f Likelihood, n float64) float64 {
		return BIC(f) + float64(f.Parameters())*math.Log(n/float64(f.NObs()))
	}
	nearAll(t, "glm", []float64{AIC(g), other(g, 189)}, want.Criteria["glm"], 1e-13)
	m := get(FitMultinomial(births("race", 1, 2, 3, 0), nil))(t)
	var sum float64
	for _, w := range d.Weights {
		sum += w
	}
	nearAll(t, "multinom", []float64{AIC(m), other(m, sum)}, want.Criteria["multinom"], 1e-11)
	// Fractional weights: the deviance is the same, and AIC is of it.
	g = fitLogistic(t, births("low", 1, 2, 0.5, 3, 0), nil)
	near(t, "deviance", g.Deviance(), want.Criteria["fractional"][1], 1e-13)
	near(t, "AIC", AIC(g), want.Criteria["fractional"][1]+6, 1e-13)
}

// With two residual degrees of freedom, and eigenvalues a < b of MAM,
//
//	P(DW <= d) = 2/pi atan sqrt((d - a)/(b - d)),
//
// which is held to far into both tails: one design, and any residuals it can have.
func TestDurbinWatsonTwoDegreesOfFreedom(t *testing.T) {
	// For n = 3 and the mean, vectors (1, 0, -1) and (1, -2, 1) have DW of 1 and 3.
	x := get(NewDesign(nil, []float64{1, 2, 4}))(t)
	for _, angle := range []float64{1e-4, 0.01, 0.3, 0.7, 1, 1.5, math.Pi/2 - 1e-4} {
		c, s := math.Cos(angle)/math.Sqrt2, math.Sin(angle)/math.Sqrt(6)
		copy(x.Y, []float64{c + s, -2 * s, s - c})
		dw := get(fitted(t, x, nil).DurbinWatson(x))(t)
		near(t, "statistic", dw.Stat, 1+2*gram.Square(math.Sin(angle)), 1e-12)
		if math.Abs(dw.Positive-2*angle/math.Pi) > 1e-9*angle+1e-12 {
			t.Errorf("P(DW <= %v) = %.15g, want %.15g", dw.Stat, dw.Positive, 2*angle/math.Pi)
		}
		if dw.Err > 1e-10 {
			t.Errorf("angle %v: error %g", angle, dw.Err)
		}
	}
}

// The probability is uniform if the noise is independent, for a design of any size;
// it is the same if time runs backwards, and of the rows' order.
func TestDurbinWatsonUniform(t *testing.T) {
	repeats(t)
	const replicates = 200
	var below [9]float64
	for seed := range uint64(replicates) {
		d := randomDesign(t, seed, 150, 3)
		dw := get(fitted(t, d, nil).DurbinWatson(d))(t)
		for k := range below {
			if dw.Positive < float64(k+1)/10 {
				below[k]++
			}
		}
		if seed > 2 {
			continue
		}
		var rows []int
		for i := range 150 {
			rows = append(rows, 149-i)
		}
		back := d.Rows(rows...)
		near(t, "backwards", get(fitted(t, back, nil).DurbinWatson(back))(t).Positive, dw.Positive, 1e-11)
	}
	for k, v := range below {
		p := float64(k+1) / 10
		if math.Abs(v/replicates-p) > 3.5*math.Sqrt(p*(1-p)/replicates) {
			t.Errorf("P is below %v in %v of the samples", p, v/replicates)
		}
	}
}
