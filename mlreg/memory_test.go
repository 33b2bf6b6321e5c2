package mlreg

import (
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/internal/heap"
)

// Fits take at most 1.3 times the memory of their rows, beside the rows and some
// matrices of order p.
func TestMemoryOfFits(t *testing.T) {
	repeats(t)
	const n, p, matrices = 20_000, 60, 20
	d := randomDesign(t, 5, n, p)
	folds := get(KFold(n, 5, rand.NewPCG(1, 2)))(t)
	ols := get(FitOLS(d, nil))(t)
	above := make([]float64, n)
	for i, y := range d.Y {
		if y > 0 {
			above[i] = 1
		}
	}
	classes := get(NewDesign(d.X, above))(t)
	data := 8.0 * n * (p + 1)
	for _, c := range []struct {
		what string
		fit  func() error
	}{
		{"least squares", func() error { _, err := FitOLS(d, nil); return err }},
		{"influence", func() error { _, err := ols.Influence(d); return err }},
		{"ridge path", func() error { _, err := FitRidgePath(d, nil); return err }},
		{"logistic", func() error { _, err := FitLogistic(classes, nil); return err }},
		{"logistic path", func() error { _, err := FitLogisticPath(classes, 1, &PathSettings{Count: 10}); return err }},
		{"Poisson", func() error { _, err := FitGLM(classes, Poisson, nil); return err }},
		{"lasso path", func() error { _, err := FitLassoPath(d, nil); return err }},
		{"lasso, cross-validated", func() error { _, err := FitLassoCV(d, folds, nil, nil); return err }},
		{"Bayes", func() error { _, err := FitBayes(d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil); return err }},
	} {
		var err error
		most := heap.Peak(func() { err = c.fit() })
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		t.Logf("%s: %.2f of the data", c.what, most/data)
		if most > 1.3*data+8*matrices*p*p {
			t.Errorf("%s: %.1f MB beside rows of %.1f MB", c.what, most/1e6, data/1e6)
		}
	}
}

// Fits to lags hold, beside the series, no more than two series and four matrices of
// order p at a time.
func TestMemoryOfLags(t *testing.T) {
	const n, channels, q = 20_000, 12, 50
	d := randomDesign(t, 6, n, channels)
	s := get(NewSeries(d.X))(t)
	const p = channels * q
	for what, fit := range map[string]func(l *Lags) error{
		"least squares": func(l *Lags) error { _, err := FitOLS(l, nil); return err },
		"orders":        func(l *Lags) error { _, err := FitLagOrders(l, nil); return err },
	} {
		l := get(NewLags(s, q, nil))(t)
		var err error
		most := heap.Peak(func() { err = fit(l) })
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		t.Logf("%s: %.2f series beside it and 4 p^2 numbers", what, (most-8*4*p*p)/(8*n*channels))
		if most > 8*(2*n*channels+4*p*p) {
			t.Errorf("%s: %.1f MB beside a series of %.1f MB, with %.1f MB for 4 p^2", what, most/1e6, 8e-6*n*channels, 32e-6*p*p)
		}
	}
}
