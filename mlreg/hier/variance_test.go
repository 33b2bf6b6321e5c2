package hier

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// The limits of lme4's confint(profile), by ML; see testdata/lme4.R.
func TestVarianceLimits(t *testing.T) {
	ref := readLME4(t)
	names := map[string]string{"sd_(Intercept)|g": "sd_(Intercept)|Subject", "sd_Days|g": "sd_Days|Subject", "sigma": "sigma"}
	for _, c := range []struct {
		name string
		want struct {
			Names        []string
			Lower, Upper []float64
		}
	}{{"sleep ML", ref.Profile}, {"sleep intercept ML", ref.Profile0}} {
		which := lme4Cases[c.name]
		d, g := which.design(t, ref.Data["sleep"])
		limits, err := VarianceLimits(d, g, &which.settings, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if want := len(which.settings.Varying)*-1 + 3; len(limits) != want {
			t.Errorf("%s: %d limits, wanted %d", c.name, len(limits), want)
		}
		for _, l := range limits {
			for i, name := range c.want.Names {
				if name == names[l.Term] {
					// lme4 interpolates its profile by splines.
					expect.Near(t, c.name+" lower "+name, l.Lower, c.want.Lower[i], 2e-4)
					expect.Near(t, c.name+" upper "+name, l.Upper, c.want.Upper[i], 2e-4)
				}
			}
		}
		// The criterion at the limits, by a fit whose variance is given.
		if c.name == "sleep intercept ML" {
			fit, err := Fit(d, g, &which.settings)
			if err != nil {
				t.Fatal(err)
			}
			for _, sd := range []float64{limits[0].Lower, limits[0].Upper} {
				criterion := func(sigma2 float64) float64 {
					return fatal.On(Fit(d, g, &Settings{
						ML: true, Sigma2: sigma2,
						Varying: []mlreg.Varying{{Terms: []string{mlreg.InterceptName}, SD: []float64{sd}}},
					}))(t).Criterion()
				}
				low, high := 500.0, 1500.0 // thirds of the range, in which it falls and rises
				for high-low > 0.01 {
					third := (high - low) / 3
					if criterion(low+third) < criterion(high-third) {
						high -= third
					} else {
						low += third
					}
				}
				expect.Near(t, "criterion at the limit", criterion(low)-fit.Criterion(), 3.841458820694124, 1e-6)
			}
		}
	}
	// A variance that is zero has a lower limit of 0.
	which := lme4Cases["flat"]
	d, g := which.design(t, ref.Data["flat"])
	limits, err := VarianceLimits(d, g, &which.settings, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	if limits[0].Lower != 0 || !(limits[0].Upper > 0.1 && limits[0].Upper < 2) {
		t.Errorf("limits %v", limits[0])
	}
	if _, err := VarianceLimits(d, g, nil, 2); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}

// Limits of the balanced one-way layout, whose criterion is
//
//	(N - J) log sigma^2 + SSW/sigma^2 + J' log lambda + SSB/lambda,   lambda = sigma^2 + n s^2,
//
// J' = J - 1 for REML and J for ML, up to a constant.
func TestVarianceLimitsOfBalancedOneWay(t *testing.T) {
	zeros := 0
	for _, amplitude := range []float64{1, 0.5} {
		zeros += oneWayLimits(t, amplitude)
	}
	if zeros != 3 { // by arithmetic: the smaller amplitude at 0.95 by ML, and at 0.9999
		t.Errorf("%d lower limits are 0", zeros)
	}
}

// oneWayLimits checks the limits of one set of groups and returns how many are 0.
func oneWayLimits(t *testing.T, amplitude float64) (zeros int) {
	t.Helper()
	const groups, each, n = 9, 4, 36
	d := &mlreg.Design{X: algebra.NewDense(n, 0), Response: "y"}
	for i := range n {
		d.Y = append(d.Y, math.Sin(float64(i*i))+amplitude*math.Cos(float64(i/each*3)))
	}
	g := fatal.On(mlreg.NewGrouping("g", numbersBy(n, each)))(t)
	grand, within, between := 0.0, 0.0, 0.0
	for _, y := range d.Y {
		grand += y / n
	}
	for j := range groups {
		rows, mean := d.Y[j*each:(j+1)*each], 0.0
		for _, y := range rows {
			mean += y / each
		}
		for _, y := range rows {
			within += gram.Square(y - mean)
		}
		between += each * gram.Square(mean-grand)
	}
	for _, ml := range []bool{false, true} {
		df := float64(groups - 1)
		if ml {
			df = groups
		}
		criterion := func(sigma2, lambda float64) float64 {
			return (n-groups)*math.Log(sigma2) + within/sigma2 + df*math.Log(lambda) + between/lambda
		}
		ofSigma := func(sigma float64) float64 {
			return criterion(gram.Square(sigma), math.Max(gram.Square(sigma), between/df))
		}
		ofSD := func(sd float64) float64 {
			low, high := -5.0, 5.0 // of log sigma^2
			for range 200 {
				a, b := low+(high-low)/3, high-(high-low)/3
				if criterion(math.Exp(a), math.Exp(a)+each*sd*sd) < criterion(math.Exp(b), math.Exp(b)+each*sd*sd) {
					high = b
				} else {
					low = a
				}
			}
			return criterion(math.Exp(low), math.Exp(low)+each*sd*sd)
		}
		least := criterion(within/(n-groups), between/df)
		for _, level := range []struct{ confidence, rise float64 }{{0.8, 1.6423744151498173}, {0.95, 3.841458820694124}, {0.9999, 15.136705226623606}} {
			limits := fatal.On(VarianceLimits(d, g, &Settings{ML: ml}, level.confidence))(t)
			if len(limits) != 2 || limits[0].Term != "sd_(Intercept)|g" || limits[1].Term != "sigma" || (limits[0].Lower == 0) != (ofSD(0)-least <= level.rise) {
				t.Fatal(limits)
			}
			for k, of := range []func(float64) float64{ofSD, ofSigma} {
				if !(limits[k].Lower < limits[k].Upper) {
					t.Error(limits[k])
				}
				for _, at := range []float64{limits[k].Lower, limits[k].Upper} {
					if at > 0 {
						expect.Near(t, "rise at the limit of "+limits[k].Term, of(at)-least, level.rise, 1e-7)
					} else {
						zeros++
					}
				}
			}
		}
	}
	return zeros
}

// Likelihood ratios and P of testdata/lme4.R: variances alone, 0 + 1 degrees of freedom, and
// with one covariance and three.
func TestTestVariance(t *testing.T) {
	ref := readLME4(t)
	data := map[string]string{}
	for _, c := range ref.Cases {
		data[c.Name] = c.Data
	}
	for _, want := range ref.Tests {
		name := want.Case + ", " + want.Term + " of " + want.Level + ": "
		which := lme4Cases[want.Case]
		d, g := which.design(t, ref.Data[data[want.Case]])
		test, err := TestVariance(d, g, &which.settings, want.Level, want.Term)
		if err != nil {
			t.Error(name, err)
			continue
		}
		expect.Near(t, name+"statistic", test.Stat, want.Stat, 1e-6)
		expect.Near(t, name+"log P", math.Log(test.P), math.Log(want.P), 1e-5)
		expect.Near(t, name+"log P of chi2(r+1) alone", math.Log(test.Naive), math.Log(want.Naive), 1e-5)
		expect.Near(t, name+"difference of criteria", test.Reduced-test.Full, want.Stat, 1e-6)
		if test.DF1 != want.DF || test.DF2 != want.DF+1 || test.REML == which.settings.ML {
			t.Errorf("%s%+v", name, test)
		}
	}
	// A variance of zero.
	which := lme4Cases["flat"]
	d, g := which.design(t, ref.Data["flat"])
	test, err := TestVariance(d, g, &which.settings, "g", mlreg.InterceptName)
	if err != nil {
		t.Fatal(err)
	}
	if test.Stat != 0 || test.P != 1 {
		t.Errorf("%+v", test)
	}
	if _, err := TestVariance(d, g, &which.settings, "g", "x"); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}

// Without a variance between groups the test's P is uniform up to 1/2, and 1 else.
func TestVarianceTestIsCalibrated(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 1))
	const runs, groups, each = 600, 40, 4
	below, zero := 0, 0
	for range runs {
		d := &mlreg.Design{X: algebra.NewDense(groups*each, 0), Response: "y"}
		var labels []int
		for i := range groups * each {
			d.Y, labels = append(d.Y, src.NormFloat64()), append(labels, i/each)
		}
		g, err := mlreg.NewGrouping("g", labels)
		if err != nil {
			t.Fatal(err)
		}
		test, err := TestVariance(d, g, nil, "", mlreg.InterceptName)
		if err != nil {
			t.Fatal(err)
		}
		if test.P < 0.2 {
			below++
		}
		if test.Stat == 0 {
			zero++
		}
	}
	if share := float64(below) / runs; math.Abs(share-0.2) > 4*math.Sqrt(.2*.8/runs)+0.02 {
		t.Errorf("P < 0.2 in %v of the samples", share)
	}
	if share := float64(zero) / runs; math.Abs(share-0.5) > 4*math.Sqrt(.25/runs)+0.06 { // finite groups: a little more than half
		t.Errorf("zero in %v of the samples", share)
	}
}
