package descent

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/glm"
)

// Binomial is half the deviance of shares y of successes whose log odds are eta.
type Binomial struct{ one }

// Gamma is half the deviance of positive responses y of mean exp(eta),
//
//	w (y exp(-eta) - 1 - log y + eta).
type Gamma struct{ one }

// NewGLM returns the loss of responses y: Poisson, Binomial or Gamma, with the links that
// make it convex.
func NewGLM(kind glm.Kind, y, weights []float64) Datafit {
	switch kind {
	case glm.Binomial:
		return &Binomial{one{y, weights}}
	case glm.Gamma:
		return &Gamma{one{y, weights}}
	}
	return NewPoisson(y, weights)
}

// At implements Datafit.
func (f *Binomial) At(eta, r [][]float64, s *Totals) {
	f.rows(eta, r, s, glm.Family{Kind: glm.Binomial, Link: glm.Logit}.Row)
}

// Curvatures implements Datafit.
func (f *Binomial) Curvatures(first int, r, c [][]float64) {
	f.curvatures(first, r, c, func(y, r float64) float64 { return (y - r) * (1 - y + r) })
}

// Bound implements Datafit.
func (f *Binomial) Bound(i int) float64 { return f.Weight(i) / 4 }

// Conjugate implements Datafit: minus the entropy of the share m = y - theta/w, and what
// makes the loss zero for a perfect fit.
func (f *Binomial) Conjugate(i int, theta []float64) float64 {
	w, y := f.Weight(i), f.y[i]
	m := y - theta[0]/w
	return w * (entropic(m) + entropic(1-m) - entropic(y) - entropic(1-y))
}

// Scale implements Datafit.
func (f *Binomial) Scale() (sum, length float64) { return scaleOfWeights(&f.one) }

// At implements Datafit.
func (f *Gamma) At(eta, r [][]float64, s *Totals) {
	of := glm.Family{Kind: glm.Gamma, Link: glm.Log}
	f.rows(eta, r, s, func(y, eta float64) (loss, residual, curvature float64) {
		loss, residual, _ = of.Row(y, eta)
		return loss, residual, 1 + residual // y/mu, not its expectation
	})
}

// Curvatures implements Datafit.
func (f *Gamma) Curvatures(first int, r, c [][]float64) {
	f.curvatures(first, r, c, func(_, r float64) float64 { return 1 + r })
}

// Bound implements Datafit.
func (f *Gamma) Bound(int) float64 { return math.Inf(1) }

// Conjugate implements Datafit: with v = 1 + theta/w, that is y/mu,
//
//	theta (log v - log y) - w (v - 1 - log v).
func (f *Gamma) Conjugate(i int, theta []float64) float64 {
	w := f.Weight(i)
	v := 1 + theta[0]/w
	if v <= 0 {
		return math.Inf(1)
	}
	return theta[0]*(math.Log(v)-math.Log(f.y[i])) - w*(v-1-math.Log(v))
}

// Scale implements Datafit.
func (f *Gamma) Scale() (sum, length float64) { return scaleOfWeights(&f.one) }
