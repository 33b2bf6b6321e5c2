package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// The limits of lme4's confint(profile), by ML; see testdata/multi_lme4.R.
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
					near(t, c.name+" lower "+name, l.Lower, c.want.Lower[i], 2e-4)
					near(t, c.name+" upper "+name, l.Upper, c.want.Upper[i], 2e-4)
				}
			}
		}
		// The criterion at the limits, by a fit whose variance is given.
		if c.name == "sleep intercept ML" {
			fit, err := FitMultiTask(d, g, &which.settings)
			if err != nil {
				t.Fatal(err)
			}
			for _, sd := range []float64{limits[0].Lower, limits[0].Upper} {
				least := math.Inf(1)
				for k := range 4000 {
					at, err := FitMultiTask(d, g, &MultiTaskSettings{
						ML: true, Sigma2: 500 + float64(k)/4,
						Varying: []Varying{{Terms: []string{InterceptName}, SD: []float64{sd}}},
					})
					if err != nil {
						t.Fatal(err)
					}
					least = math.Min(least, at.Criterion())
				}
				near(t, "criterion at the limit", least-fit.Criterion(), 3.841458820694124, 1e-4)
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
	if _, err := VarianceLimits(d, g, nil, 2); !errors.Is(err, ErrSetting) {
		t.Error(err)
	}
}

func TestTestVariance(t *testing.T) {
	ref := readLME4(t)
	crit := map[string]float64{}
	for _, c := range ref.Cases {
		crit[c.Name] = c.Criterion
	}
	which := lme4Cases["sleep ML"]
	d, g := which.design(t, ref.Data["sleep"])
	test, err := TestVariance(d, g, &which.settings, "g", "Days")
	if err != nil {
		t.Fatal(err)
	}
	stat := crit["sleep intercept ML"] - crit["sleep ML"]
	near(t, "statistic", test.Stat, stat, 1e-6)
	near(t, "P", test.P, (math.Exp(-stat/2)+math.Erfc(math.Sqrt(stat/2)))/2, 1e-5)
	if test.DF1 != 1 || test.DF2 != 2 || test.REML {
		t.Errorf("%+v", test)
	}
	which = lme4Cases["exam independent"]
	d, g = which.design(t, ref.Data["exam"])
	if test, err = TestVariance(d, g, &which.settings, "", "standLRT"); err != nil {
		t.Fatal(err)
	}
	stat = crit["exam intercept"] - crit["exam independent"]
	near(t, "REML statistic", test.Stat, stat, 1e-6)
	near(t, "its P", test.P, math.Erfc(math.Sqrt(stat/2))/2, 1e-5)
	near(t, "the naive P", test.Naive, 2*test.P, 1e-10)
	// A variance of zero.
	which = lme4Cases["flat"]
	d, g = which.design(t, ref.Data["flat"])
	if test, err = TestVariance(d, g, &which.settings, "g", InterceptName); err != nil {
		t.Fatal(err)
	}
	if test.Stat != 0 || test.P != 1 {
		t.Errorf("%+v", test)
	}
	if _, err := TestVariance(d, g, &which.settings, "g", "x"); !errors.Is(err, ErrSetting) {
		t.Error(err)
	}
}

// Without a variance between groups the test's P is uniform up to 1/2, and 1 else.
func TestVarianceTestIsCalibrated(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 1))
	const runs, groups, each = 600, 40, 4
	below, zero := 0, 0
	for range runs {
		d := &Design{X: newDense(groups*each, 0), Response: "y"}
		var labels []int
		for i := range groups * each {
			d.Y, labels = append(d.Y, src.NormFloat64()), append(labels, i/each)
		}
		g, err := NewGrouping("g", labels)
		if err != nil {
			t.Fatal(err)
		}
		test, err := TestVariance(d, g, nil, "", InterceptName)
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
