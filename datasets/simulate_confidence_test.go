package datasets

import (
	"errors"
	"log"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg"
)

// spread is n rows with x from 0 to 9.
func spread(n int) *mlreg.Design {
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, 9*float64(i)/float64(n-1))
	}
	d, err := mlreg.NewDesign(x, nil, "x")
	if err != nil {
		log.Fatal(err)
	}
	return d
}

func fitOLS(d *mlreg.Design) (mlreg.Wald, error) { return mlreg.FitOLS(d, nil) }

// Mean 0, variance 1, and the skewness and kurtosis of each distribution, within
// five Monte Carlo standard errors.
func TestNoise(t *testing.T) {
	const n = 200_000
	for name, c := range map[string]struct {
		noise              UnitNoise
		skewness, kurtosis float64
		eighth             float64 // E e^8: the variance of e^4 is eighth - kurtosis^2
	}{
		"Gaussian":    {NormalNoise, 0, 3, 105},
		"Uniform":     {UniformNoise, 0, 1.8, 9},
		"Exponential": {ExponentialNoise, 2, 9, 14833},
		"Laplace":     {LaplaceNoise, 0, 6, 2520},
	} {
		src := rand.NewPCG(7, 1)
		var sum [5]float64
		for range n {
			e := c.noise(src)
			for k, power := 1, e; k <= 4; k++ {
				sum[k] += power / n
				power *= e
			}
		}
		for k, want := range []float64{1: 0, 2: 1, 3: c.skewness, 4: c.kurtosis} {
			if k == 0 {
				continue
			}
			tol := 5 * math.Sqrt(math.Max(c.eighth-c.kurtosis*c.kurtosis, 1)/n)
			if k < 3 {
				tol = 5 * math.Sqrt(c.kurtosis/n)
			}
			if math.Abs(sum[k]-want) > tol {
				t.Errorf("%s: moment %d is %v, want %v", name, k, sum[k], want)
			}
		}
	}
}

// Without noise the response is the mean; weights and rows stay.
func TestDrawMean(t *testing.T) {
	d := spread(4)
	d.Weights = []float64{1, 2, 3, 4}
	src := rand.NewPCG(1, 1)
	drawn, err := LinearModel{Coef: []float64{5, -2}}.Draw(d, src)
	if err != nil {
		t.Fatal(err)
	}
	for i, y := range drawn.Y {
		if want := 5 - 2*d.X.At(i, 0); y != want {
			t.Errorf("row %d: %v, want %v", i, y, want)
		}
	}
	if drawn.Weights[3] != 4 || d.Y != nil || drawn.Response != "y" {
		t.Errorf("drawn %+v from %+v", drawn, d)
	}
	d.NoIntercept = true
	if drawn, err = (LinearModel{Coef: []float64{3}}).Draw(d, src); err != nil || drawn.Y[3] != 27 {
		t.Errorf("without intercept: %v, %v", drawn, err)
	}
}

// The law of the estimate: mean w, covariance sigma^2 (X'X)^-1, whatever the
// noise; within five Monte Carlo standard errors.
func TestReplicateLaw(t *testing.T) {
	const replicates, sigma = 4000, 2.
	d := spread(15)
	for name, noise := range map[string]UnitNoise{"normal": nil, "exponential": ExponentialNoise} {
		m := LinearModel{Coef: []float64{1, 0.5}, Sigma: sigma, Noise: noise}
		r, err := m.Replicate(d, replicates, rand.NewPCG(3, 1), fitOLS)
		if err != nil {
			t.Fatal(err)
		}
		slopes, err := r.Coef("x")
		if err != nil {
			t.Fatal(err)
		}
		mean, variance := stat.MeanVariance(slopes, nil)
		sxx := 9. / 14 * 9. / 14 * 280 // 15 points 9/14 apart
		want := sigma * sigma / sxx
		if math.Abs(mean-0.5) > 5*math.Sqrt(want/replicates) {
			t.Errorf("%s: mean %v", name, mean)
		}
		if math.Abs(variance/want-1) > 5*math.Sqrt(2.5/replicates) {
			t.Errorf("%s: variance %v, want %v", name, variance, want)
		}
	}
}

// Exact limits hold the truth as often as they say; z with an estimated sigma
// does not.
func TestCoverage(t *testing.T) {
	const replicates = 3000
	m := LinearModel{Coef: []float64{1, 0.5}, Sigma: 2}
	r, err := m.Replicate(spread(6), replicates, rand.NewPCG(4, 1), fitOLS)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, got []Coverage, err error, level float64) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got {
			se := math.Sqrt(level * (1 - level) / replicates)
			if math.Abs(c.Rate-level) > 4*se || math.Abs(c.StdErr-se) > 0.3*se {
				t.Errorf("%s of %s: %v (%v)", what, c.Term, c.Rate, c.StdErr)
			}
		}
	}
	both, err := r.Coverage(0.9)
	check("two-sided", both, err, 0.9)
	joint, err := r.JointCoverage(0.9)
	check("joint", []Coverage{joint}, err, 0.9)
	// Known sigma: the quantile is that of chi-squared, also with 2 degrees of freedom left.
	known := func(d *mlreg.Design) (mlreg.Wald, error) {
		return mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 4})
	}
	if r, err = m.Replicate(spread(4), replicates, rand.NewPCG(5, 1), known); err != nil {
		t.Fatal(err)
	}
	joint, err = r.JointCoverage(0.9)
	check("joint, sigma known", []Coverage{joint}, err, 0.9)
}

func TestReplicateErrors(t *testing.T) {
	d := spread(5)
	fails := func(*mlreg.Design) (mlreg.Wald, error) { return nil, mlreg.ErrNoData }
	for name, c := range map[string]struct {
		m   LinearModel
		n   int
		fit func(*mlreg.Design) (mlreg.Wald, error)
		is  error
	}{
		"no replicates":  {LinearModel{Coef: []float64{1, 2}}, 0, fitOLS, mlreg.ErrSetting},
		"no intercept":   {LinearModel{Coef: []float64{1}}, 1, fitOLS, mlreg.ErrShape},
		"no coefficient": {LinearModel{}, 1, fitOLS, mlreg.ErrShape},
		"sigma":          {LinearModel{Coef: []float64{1, 2}, Sigma: -1}, 1, fitOLS, mlreg.ErrSetting},
		"fit":            {LinearModel{Coef: []float64{1, 2}}, 1, fails, mlreg.ErrNoData},
	} {
		if _, err := c.m.Replicate(d, c.n, rand.NewPCG(1, 1), c.fit); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
	r, err := LinearModel{Coef: []float64{1, 2}, Sigma: 1}.Replicate(d, 2, rand.NewPCG(1, 1), fitOLS)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Coef("z"); !errors.Is(err, mlreg.ErrShape) {
		t.Errorf("unknown term: %v", err)
	}
	if _, err := r.Coverage(95); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("level: %v", err)
	}
	if _, err := r.JointCoverage(95); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("joint level: %v", err)
	}
}

// A simulation reports every fit, and keeps those done when it is stopped.
func TestReplicateProgress(t *testing.T) {
	d, m, stop := spread(5), LinearModel{Coef: []float64{1, 2}, Sigma: 1}, errors.New("stop")
	whole, err := m.Replicate(d, 10, rand.NewPCG(1, 1), fitOLS)
	if err != nil {
		t.Fatal(err)
	}
	for at := 1; at <= 11; at++ {
		told := 0
		m.Progress = func(done, total float64) error {
			told++
			if int(done) != told || total != 10 {
				t.Errorf("call %d: %v of %v", told, done, total)
			}
			if told == at {
				return stop
			}
			return nil
		}
		r, err := m.Replicate(d, 10, rand.NewPCG(1, 1), fitOLS)
		if errors.Is(err, stop) != (at <= 10) || r == nil || len(r.Fits) != min(at, 10) || told != len(r.Fits) {
			t.Errorf("stop at %d: %+v, error %v", at, r, err)
			continue
		}
		for i, f := range r.Fits {
			if !slices.Equal(f.Coef(), whole.Fits[i].Coef()) {
				t.Errorf("stop at %d: fit %d is not that of the whole", at, i)
			}
		}
	}
}

func BenchmarkReplicate(b *testing.B) {
	d, m := spread(30), LinearModel{Coef: []float64{1, 0.5}, Sigma: 2}
	for b.Loop() {
		r, err := m.Replicate(d, 1000, rand.NewPCG(4, 1), fitOLS)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Coverage(0.95); err != nil {
			b.Fatal(err)
		}
	}
}
