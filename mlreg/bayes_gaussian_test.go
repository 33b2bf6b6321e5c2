package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// randomGaussian returns a Gaussian in k dimensions and its covariance.
func randomGaussian(t testing.TB, seed uint64, k int) (*Gaussian, *mat.SymDense) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 2))
	root := standardNormal(k+2, k, rnd)
	cov := mat.NewSymDense(k, nil)
	cov.SymOuterK(1, root.T())
	mean := make([]float64, k)
	for j := range mean {
		mean[j] = rnd.NormFloat64()
	}
	g := get(NewGaussian(mean, cov))(t)
	return g, cov
}

// denseLogProb is the density from its formula, with inverse and determinant.
func denseLogProb(t testing.TB, x, mean []float64, cov mat.Symmetric) float64 {
	t.Helper()
	k := len(x)
	diff := mat.NewVecDense(k, nil)
	for i := range k {
		diff.SetVec(i, x[i]-mean[i])
	}
	var inv mat.Dense
	if err := inv.Inverse(cov); err != nil {
		t.Fatal(err)
	}
	return -float64(k)/2*math.Log(2*math.Pi) - math.Log(mat.Det(cov))/2 - mat.Inner(diff, &inv, diff)/2
}

func TestGaussianDensityAndMoments(t *testing.T) {
	repeats(t)
	g, cov := randomGaussian(t, 1, 4)
	x := []float64{0.3, -1, 2, 0.5}
	near(t, "log density", g.LogProb(x), denseLogProb(t, x, g.Mean(), cov), 1e-12)
	nearSym(t, "covariance", g.Cov(), cov, 1e-13)
	for j, sd := range g.StdDev() {
		near(t, "standard deviation", sd, math.Sqrt(cov.At(j, j)), 1e-14)
	}
	if !math.IsNaN(g.LogProb(x[:3])) {
		t.Error("a point of another dimension has a density")
	}
	limits := get(g.CredibleInterval(0.95))(t)
	near(t, "half width", (limits[1].Upper-limits[1].Lower)/2, 1.959963984540054*g.StdDev()[1], 1e-13)

	const draws = 100000
	sample := get(g.Sample(draws, rand.NewPCG(7, 7)))(t)
	checkSampleMoments(t, sample, g.Mean(), cov)
	again, err := g.Sample(draws, rand.NewPCG(7, 7))
	if err != nil || !mat.Equal(sample, again) {
		t.Error("the same seed gives other draws", err)
	}
}

// checkSampleMoments compares mean and covariance of draws with what they
// should be, to five Monte Carlo standard errors.
func checkSampleMoments(t testing.TB, sample *mat.Dense, mean []float64, cov mat.Symmetric) {
	t.Helper()
	n, k := sample.Dims()
	got := make([]float64, k)
	for j := range k {
		got[j] = mat.Sum(sample.ColView(j)) / float64(n)
		if z := (got[j] - mean[j]) / math.Sqrt(cov.At(j, j)/float64(n)); math.Abs(z) > 5 {
			t.Errorf("mean of element %d is %v, want %v: %.1f standard errors off", j, got[j], mean[j], z)
		}
	}
	for i := range k {
		for j := range i + 1 {
			var c float64
			for r := range n {
				c += (sample.At(r, i) - mean[i]) * (sample.At(r, j) - mean[j]) / float64(n)
			}
			se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / float64(n))
			if z := (c - cov.At(i, j)) / se; math.Abs(z) > 5 {
				t.Errorf("covariance (%d, %d) is %v, want %v: %.1f standard errors off", i, j, c, cov.At(i, j), z)
			}
		}
	}
}

func TestGaussianMarginalAndCondition(t *testing.T) {
	g, cov := randomGaussian(t, 3, 5)
	m := get(g.Marginal(4, 1))(t)
	nearAll(t, "marginal mean", m.Mean(), []float64{g.Mean()[4], g.Mean()[1]}, 1e-15)
	nearSym(t, "marginal covariance", m.Cov(), mat.NewSymDense(2, []float64{cov.At(4, 4), cov.At(1, 4), cov.At(1, 4), cov.At(1, 1)}), 1e-13)

	// p(a | b) p(b) = p(a, b), whatever a and b.
	x := []float64{1, -1, 0.5, 2, 0}
	c := get(g.Condition([]int{3, 0}, []float64{x[3], x[0]}))(t)
	b := get(g.Marginal(3, 0))(t)
	near(t, "product rule", c.LogProb([]float64{x[1], x[2], x[4]})+b.LogProb([]float64{x[3], x[0]}), g.LogProb(x), 1e-12)
}

func TestGaussianEllipse(t *testing.T) {
	g, cov := randomGaussian(t, 5, 2)
	x, y, err := g.Ellipse(0.9, 41)
	if err != nil {
		t.Fatal(err)
	}
	var inv mat.Dense
	if err := inv.Inverse(cov); err != nil {
		t.Fatal(err)
	}
	for i := range x {
		d := mat.NewVecDense(2, []float64{x[i] - g.Mean()[0], y[i] - g.Mean()[1]})
		near(t, "squared distance", mat.Inner(d, &inv, d), 4.605170185988091, 1e-12) // qchisq(0.9, 2)
	}
	if x[0] != x[40] || y[0] != y[40] {
		t.Error("the ellipse is not closed")
	}
}

func TestGaussianRefuses(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		mean []float64
		cov  mat.Symmetric
		want error
		text string
	}{
		"singular":   {[]float64{0, 0, 0}, mat.NewSymDense(3, []float64{2, 1, 1, 1, 1, 0.5, 1, 0.5, 0.5}), ErrNotPositiveDefinite, "pivot 3 of 3"},
		"indefinite": {[]float64{0, 0}, mat.NewSymDense(2, []float64{1, 2, 2, 1}), ErrNotPositiveDefinite, "pivot 2 of 2"},
		"negative":   {[]float64{0, 0}, mat.NewSymDense(2, []float64{-1, 0, 0, 1}), ErrNotPositiveDefinite, "pivot 1 of 2"},
		"sizes":      {[]float64{0}, mat.NewSymDense(2, []float64{1, 0, 0, 1}), ErrShape, "order 2"},
		"nil":        {[]float64{0}, nil, ErrShape, "order 0"},
		"empty":      {nil, nil, ErrShape, "length 0"},
		"mean":       {[]float64{0, nan}, mat.NewSymDense(2, []float64{1, 0, 0, 1}), ErrNotFinite, "element 2"},
		"value":      {[]float64{0, 0}, mat.NewSymDense(2, []float64{1, nan, nan, 1}), ErrNotFinite, "(1, 2)"},
	} {
		_, err := NewGaussian(c.mean, c.cov)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	g, _ := randomGaussian(t, 1, 3)
	_, byIndex := g.Marginal(0, 3)
	_, twice := g.Marginal(1, 1)
	_, none := g.Marginal()
	_, all := g.Condition([]int{0, 1, 2}, []float64{0, 0, 0})
	_, count := g.Condition([]int{0}, []float64{0, 0})
	_, value := g.Condition([]int{0}, []float64{nan})
	_, draws := g.Sample(0, rand.NewPCG(1, 1))
	_, source := g.Sample(3, nil)
	_, level := g.CredibleInterval(1)
	_, _, plane := g.Ellipse(0.5, 10)
	for i, err := range []error{byIndex, twice, none, all, count, value, draws, source, level, plane} {
		if err == nil {
			t.Errorf("case %d is not refused", i)
		}
	}
}
