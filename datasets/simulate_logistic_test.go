package datasets

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Means and standard deviations of each class, within five Monte Carlo standard
// errors.
func TestGaussianClasses(t *testing.T) {
	const n = 4000
	c := Girolami()
	df := get(c.Draw(n, rand.NewPCG(8, 5)))(t)
	for j, name := range []string{"x1", "x2"} {
		x := get(frames.Floats(df, name))(t)
		for k := range 2 {
			var mean, square float64
			for _, v := range x[k*n : (k+1)*n] {
				mean += v / n
				square += (v - c.Mean[k][j]) * (v - c.Mean[k][j]) / n
			}
			if math.Abs(mean-c.Mean[k][j]) > 5*c.SD[k]/math.Sqrt(n) {
				t.Errorf("class %d: mean of %s is %v", k, name, mean)
			}
			if v := c.SD[k] * c.SD[k]; math.Abs(square/v-1) > 5*math.Sqrt(2./n) {
				t.Errorf("class %d: variance of %s is %v, want %v", k, name, square, v)
			}
		}
	}
}

// Bayes' rule by the densities themselves; of equal clouds it is linear, and
// logistic regression finds it.
func TestLogOdds(t *testing.T) {
	density := func(x1, x2 float64, m [2]float64, sd float64) float64 {
		return math.Exp(-((x1-m[0])*(x1-m[0])+(x2-m[1])*(x2-m[1]))/(2*sd*sd)) / (2 * math.Pi * sd * sd)
	}
	c := Girolami()
	want := math.Log(density(-1, 2, c.Mean[1], c.SD[1]) / density(-1, 2, c.Mean[0], c.SD[0]))
	if got := c.LogOdds(-1, 2); math.Abs(got-want) > 1e-12 {
		t.Errorf("log odds %v, want %v", got, want)
	}
	c = GaussianClasses{Mean: [2][2]float64{{0, 0}, {1, 2}}, SD: [2]float64{1.5, 1.5}}
	df := get(c.Draw(4000, rand.NewPCG(1, 1)))(t)
	// b_0 = -(|m1|^2 - |m0|^2)/(2 sd^2), b = (m1 - m0)/sd^2.
	checkLogistic(t, df, -5/4.5, 1/2.25, 2/2.25)
}

// checkLogistic fits y to x1 and x2, and compares with the truth within five
// standard errors.
func checkLogistic(t *testing.T, df dataframe.DataFrame, truth ...float64) *mlreg.Design {
	t.Helper()
	d := get(frames.Design(df, "y ~ x1 + x2"))(t)
	fit := get(mlreg.FitLogistic(d, nil))(t)
	for j, w := range truth {
		if math.Abs(fit.Coef()[j]-w) > 5*fit.StdErr()[j] {
			t.Errorf("%s: %v, want %v", fit.Names()[j], fit.Coef()[j], w)
		}
	}
	return d
}

func TestLogisticSurface(t *testing.T) {
	s := LogisticSurface{LogOdds: func(x1, x2 float64) float64 { return 1 - 2*x1 + x2 }, Reach: 2}
	df := get(s.Draw(4000, rand.NewPCG(2, 1)))(t)
	d := checkLogistic(t, df, 1, -2, 1)
	for i := range d.NObs() {
		if r := d.X.RawRowView(i); math.Abs(r[0]) > 2 || math.Abs(r[1]) > 2 {
			t.Fatalf("row %d is %v", i+1, r)
		}
	}
}

func TestClassErrors(t *testing.T) {
	src := rand.NewPCG(1, 1)
	linear := func(x1, x2 float64) float64 { return x1 }
	for name, draw := range map[string]func() error{
		"no points":       func() error { _, err := Girolami().Draw(0, src); return err },
		"no deviation":    func() error { _, err := GaussianClasses{}.Draw(3, src); return err },
		"surface of none": func() error { _, err := LogisticSurface{linear, 1}.Draw(0, src); return err },
		"no reach":        func() error { _, err := LogisticSurface{linear, 0}.Draw(3, src); return err },
		"no log odds":     func() error { _, err := LogisticSurface{nil, 1}.Draw(3, src); return err },
	} {
		if err := draw(); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("%s: %v", name, err)
		}
	}
	nan := LogisticSurface{func(x1, x2 float64) float64 { return math.NaN() }, 1}
	if _, err := nan.Draw(3, src); !errors.Is(err, mlreg.ErrNotFinite) {
		t.Error(err)
	}
}
