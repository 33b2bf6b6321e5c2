package datasets

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/stat"
)

// The mean over many draws is the truth, the variance is Sigma2, and the same
// seed gives the same sample.
func TestCurveDraw(t *testing.T) {
	for name, c := range map[string]CurveModel{"PolyVsDegree": PolyVsDegree(), "PostPred": PostPred(), "Sine": Sine()} {
		src := rand.NewPCG(1, 2)
		exact := get(c.Exact(nil))(t)
		truth := floats(t, exact, "y")
		var standardized []float64
		for range 2000 {
			df := get(c.Draw(src))(t)
			for i, y := range floats(t, df, "y") {
				standardized = append(standardized, (y-truth[i])/math.Sqrt(c.Sigma2))
			}
			if !slices.Equal(floats(t, df, "x"), c.X) {
				t.Fatalf("%s: x %v", name, df.Col("x"))
			}
		}
		n := math.Sqrt(float64(len(standardized)))
		if mean, v := stat.MeanVariance(standardized, nil); math.Abs(mean) > 4/n || math.Abs(v-1) > 4*math.Sqrt2/n {
			t.Errorf("%s: standardized noise has mean %v and variance %v", name, mean, v)
		}
		one := get(c.Draw(rand.NewPCG(5, 5)))(t)
		two, err := c.Draw(rand.NewPCG(5, 5))
		if err != nil || !slices.Equal(floats(t, one, "y"), floats(t, two, "y")) {
			t.Errorf("%s: the same seed gives another sample, %v", name, err)
		}
	}
}

// The parameters that pmtk3's scripts have.
func TestCurveTruth(t *testing.T) {
	at := func(c CurveModel, x, sigma2 float64, n int) float64 {
		t.Helper()
		if c.Sigma2 != sigma2 || len(c.X) != n {
			t.Errorf("variance %v, %d inputs", c.Sigma2, len(c.X))
		}
		return c.F(x)
	}
	if v := at(PolyVsDegree(), 18, 4, 21); math.Abs(v-9) > 1e-14 {
		t.Errorf("parabola of figure 1.7 at 18: %v", v)
	}
	if v := at(PostPred(), 2, 25, 5); v != 16 {
		t.Errorf("parabola of figure 7.12 at 2: %v", v)
	}
	if v := at(Sine(), .25, .09, 12); v != 1 {
		t.Errorf("wave at 1/4: %v", v)
	}
}

func TestCurveErrors(t *testing.T) {
	c := Sine()
	c.Sigma2 = -1
	_, err := c.Draw(rand.NewPCG(1, 1))
	if !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "is -1") {
		t.Error(err)
	}
	c = CurveModel{F: math.Log, X: []float64{1, 0}}
	if _, err = c.Draw(rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrNotFinite) || !strings.Contains(err.Error(), "input 2 of the curve is 0, where F is -Inf") {
		t.Error(err)
	}
	if _, err = c.Exact([]float64{math.NaN()}); !errors.Is(err, mlreg.ErrNotFinite) {
		t.Error(err)
	}
	if _, err = (CurveModel{F: math.Sin}).Exact(nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err = (CurveModel{X: []float64{1}}).Draw(rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}

// Words in four reviews or more can be fitted; those in three are too many for
// so few, and their minimum-norm fit interpolates.
func TestReviews(t *testing.T) {
	d := get(frames.Design(Reviews(), "stars ~ words(text, min = 4)"))(t)
	if _, err := mlreg.FitOLS(d, nil); err != nil {
		t.Error(d.Names, err)
	}
	d = get(frames.Design(Reviews(), "stars ~ words(text, min = 3)"))(t)
	if _, err := mlreg.FitOLS(d, nil); !errors.Is(err, mlreg.ErrRankDeficient) {
		t.Errorf("%d words: %v", d.NTerms(), err)
	}
	fit, err := mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.MinimumNorm})
	if err != nil || fit.RSS() > 1e-24 {
		t.Errorf("minimum norm: %v, %v", fit.RSS(), err)
	}
}

// Inputs fill the interval evenly, the curve's own are not touched, and Draw refuses none.
func TestCurveUniform(t *testing.T) {
	sine := Sine()
	x := sine.Uniform(4000, -2, 6, rand.NewPCG(1, 1)).X
	mean, sd := stat.MeanStdDev(x, nil)
	if slices.Min(x) < -2 || slices.Max(x) > 6 || math.Abs(mean-2) > 5*sd/math.Sqrt(4000) || math.Abs(sd/(8/math.Sqrt(12))-1) > 0.05 {
		t.Errorf("from %v to %v, mean %v, standard deviation %v", slices.Min(x), slices.Max(x), mean, sd)
	}
	if len(sine.X) != 12 {
		t.Errorf("the curve has %d inputs now", len(sine.X))
	}
	if _, err := sine.Uniform(-1, 0, 1, rand.NewPCG(1, 1)).Draw(rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}
