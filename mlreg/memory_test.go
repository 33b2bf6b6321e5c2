package mlreg

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/internal/heap"
)

// signsOf is a design whose response is 1 where that of d is positive, and 0 where not.
func signsOf(t *testing.T, d *Design) *Design {
	y := make([]float64, len(d.Y))
	for i, v := range d.Y {
		y[i] = (1 + math.Copysign(1, v)) / 2
	}
	return get(NewDesign(d.X, y))(t)
}

// Fits take at most 1.3 times the memory of their rows, beside the rows and some
// matrices of order p.
func TestMemoryOfFits(t *testing.T) {
	if !heap.Alone(t) {
		return
	}
	const n, p, matrices = 20_000, 60, 20
	d := randomDesign(t, 5, n, p)
	folds := get(KFold(n, 5, rand.NewPCG(1, 2)))(t)
	ols := get(FitOLS(d, nil))(t)
	classes := signsOf(t, d)
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
		limit := 1.3*data + 8*matrices*p*p
		most := heap.Peak(func() { err = c.fit() })
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		t.Logf("%s: %.2f of the data", c.what, most/data)
		if most > limit {
			t.Errorf("%s: %.1f MB beside rows of %.1f MB", c.what, most/1e6, data/1e6)
		}
	}
}

// Fits of few terms, whose rows are factored some at a time, hold no copy of them.
func TestMemoryOfFewTerms(t *testing.T) {
	if !heap.Alone(t) {
		return
	}
	const n = 100_000
	for _, p := range []int{1, 3} {
		d := randomDesign(t, 5, n, p)
		classes := signsOf(t, d)
		data := 8.0 * n * float64(p+1)
		blocks := float64(1100 * (p + 2) * 16) // of a processor
		for _, c := range []struct {
			what    string
			vectors float64 // of the rows: residuals; second derivatives at two points
			fit     func() error
		}{
			{"least squares", 1, func() error { _, err := FitOLS(d, nil); return err }},
			{"logistic", 2, func() error { _, err := FitLogistic(classes, nil); return err }},
			{"logistic with a penalty", 2, func() error { _, err := FitLogistic(classes, &LogisticSettings{L2: 1}); return err }},
			{"Poisson", 2, func() error { _, err := FitGLM(classes, Poisson, nil); return err }},
		} {
			var err error
			limit := 8*n*c.vectors + 0.3*data + blocks
			most := heap.Peak(func() { err = c.fit() })
			if err != nil {
				t.Fatalf("%s of %d terms: %v", c.what, p, err)
			}
			t.Logf("%s of %d terms: %.2f of the data", c.what, p, most/data)
			if most > limit {
				t.Errorf("%s of %d terms: %.1f MB beside rows of %.1f MB", c.what, p, most/1e6, data/1e6)
			}
		}
	}
}

// Paths of few terms hold two vectors of the rows beside their
// columns; those of more terms than rows hold at most 1.3 times the rows, a quarter of p^2
// numbers for cross-products of columns, and their result.
func TestMemoryOfPaths(t *testing.T) {
	if !heap.Alone(t) {
		return
	}
	tall, wide := randomDesign(t, 5, 100_000, 5), randomDesign(t, 5, 200, 3000)
	classes, folds := signsOf(t, tall), get(KFold(200, 5, rand.NewPCG(1, 2)))(t)
	for _, c := range []struct {
		what  string
		d     *Design
		times float64
		fit   func() (any, error)
	}{
		{"logistic path of five terms", tall, 1.3, func() (any, error) { return FitLogisticPath(classes, 1, &PathSettings{Count: 10}) }},
		{"ridge path of five terms", tall, 1.4, func() (any, error) { return FitRidgePath(tall, nil) }},
		{"wide ridge path", wide, 1.3, func() (any, error) { return FitRidgePath(wide, nil) }},
		{"wide lasso, cross-validated", wide, 1.3, func() (any, error) { return FitLassoCV(wide, folds, nil, nil) }},
	} {
		var err error
		result := max(0, heap.Growth(func() (kept any) { kept, err = c.fit(); return kept }))
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		n, p := c.d.X.Dims()
		data := 8 * float64(n*(p+1))
		limit := c.times*data + 2*float64(p*p) + result
		most := heap.Peak(func() { _, err = c.fit() })
		t.Logf("%s: %.2f of the data, its result %.2f", c.what, most/data, result/data)
		if most > limit {
			t.Errorf("%s: %.1f MB beside rows of %.1f MB and a result of %.1f MB", c.what, most/1e6, data/1e6, result/1e6)
		}
	}
}
