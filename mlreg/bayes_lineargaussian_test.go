package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func randomSystem(t testing.TB, k, q int) (*LinearGaussian, *mat.Dense, []float64) {
	t.Helper()
	prior, _ := randomGaussian(t, 11, k)
	_, noise := randomGaussian(t, 12, q)
	rnd := rand.New(rand.NewPCG(13, 1))
	a := standardNormal(q, k, rnd)
	b, y := make([]float64, q), make([]float64, q)
	for i := range b {
		b[i], y[i] = rnd.NormFloat64(), rnd.NormFloat64()
	}
	s := get(NewLinearGaussian(prior, a, b, noise))(t)
	return s, a, y
}

// The posterior is the joint distribution conditioned on y, and Bayes' theorem
// holds as an identity of densities.
func TestLinearGaussianPosterior(t *testing.T) {
	for _, size := range [][2]int{{3, 2}, {2, 5}} {
		k, q := size[0], size[1]
		s, _, y := randomSystem(t, k, q)
		post := get(s.Posterior(y))(t)
		idx := make([]int, q)
		for i := range idx {
			idx[i] = k + i
		}
		cond := get(s.Joint().Condition(idx, y))(t)
		nearAll(t, "posterior mean", post.Mean(), cond.Mean(), 1e-11)
		nearSym(t, "posterior covariance", post.Cov(), cond.Cov(), 1e-11)
		x := []float64{0.5, -1, 2}[:k]
		likelihood := get(s.Likelihood(x))(t)
		evidence := get(s.LogEvidence(y))(t)
		near(t, "Bayes' theorem", likelihood.LogProb(y)+s.Prior().LogProb(x)-evidence, post.LogProb(x), 1e-11)
	}
}

// The information form of the lecture, with its inverses.
func TestLinearGaussianInformationForm(t *testing.T) {
	s, a, y := randomSystem(t, 3, 4)
	post := get(s.Posterior(y))(t)
	var sx, sy, at, ata, want mat.Dense
	if err := errors.Join(sx.Inverse(s.prior.Cov()), sy.Inverse(s.noise.Cov())); err != nil {
		t.Fatal(err)
	}
	at.Mul(a.T(), &sy)
	ata.Mul(&at, a)
	ata.Add(&ata, &sx)
	if err := want.Inverse(&ata); err != nil {
		t.Fatal(err)
	}
	var e, r, rx, mean mat.VecDense
	e.SubVec(mat.NewVecDense(4, y), mat.NewVecDense(4, s.b))
	r.MulVec(&at, &e)
	rx.MulVec(&sx, mat.NewVecDense(3, s.prior.Mean()))
	r.AddVec(&r, &rx)
	mean.MulVec(&want, &r)
	nearAll(t, "mean", post.Mean(), mean.RawVector().Data, 1e-11)
	for i := range 3 {
		for j := range 3 {
			near(t, "covariance", post.Cov().At(i, j), want.At(i, j), 1e-11)
		}
	}
}

// Observations one at a time give the posterior of all together, and their
// one-step predictive densities multiply to the evidence.
func TestLinearGaussianSequential(t *testing.T) {
	s, a, y := randomSystem(t, 3, 4)
	noise := mat.NewDiagDense(4, []float64{0.5, 1, 2, 0.1})
	batch := get(NewLinearGaussian(s.prior, a, s.b, noise))(t)
	want := get(batch.Posterior(y))(t)
	now, log := s.prior, 0.0
	for i := range y {
		step := get(NewLinearGaussian(now, a.Slice(i, i+1, 0, 3), s.b[i:i+1], mat.NewDiagDense(1, []float64{noise.At(i, i)})))(t)
		log += step.Marginal().LogProb(y[i : i+1])
		now = get(step.Posterior(y[i : i+1]))(t)
	}
	nearAll(t, "mean", now.Mean(), want.Mean(), 1e-11)
	nearSym(t, "covariance", now.Cov(), want.Cov(), 1e-11)
	evidence := get(batch.LogEvidence(y))(t)
	near(t, "product of one-step predictives", log, evidence, 1e-12)

	head := get(NewLinearGaussian(s.prior, a.Slice(0, 3, 0, 3), s.b[:3], mat.NewDiagDense(3, []float64{0.5, 1, 2})))(t)
	next := get(head.Predictive(y[:3], a.Slice(3, 4, 0, 3), s.b[3:], mat.NewDiagDense(1, []float64{0.1})))(t)
	first := get(head.LogEvidence(y[:3]))(t)
	near(t, "last factor", first+next.LogProb(y[3:]), evidence, 1e-12)
}

// A nearly exact observation of a vague quantity: the subtraction S - S A'(...)
// A S of the textbook has no digit left, the triangular form has all.
func TestLinearGaussianStable(t *testing.T) {
	prior := get(NewGaussian([]float64{0, 0}, mat.NewDiagDense(2, []float64{1e10, 1e10})))(t)
	s := get(NewLinearGaussian(prior, mat.NewDense(1, 2, []float64{1, 1}), nil, mat.NewDiagDense(1, []float64{1e-10})))(t)
	post := get(s.Posterior([]float64{2}))(t)
	sum := get(NewLinearGaussian(post, mat.NewDense(1, 2, []float64{1, 1}), nil, mat.NewDiagDense(1, []float64{1e-30})))(t)
	// Var(x1 + x2 | y) = (1/(2e10) + 1e10)^-1
	if v := sum.Marginal().Cov().At(0, 0); math.Abs(v-1e-10) > 1e-12 {
		t.Errorf("variance of the sum observed is %g, want 1e-10", v)
	}
}

func TestLinearGaussianRefuses(t *testing.T) {
	s, a, y := randomSystem(t, 3, 4)
	eye := mat.NewDiagDense(4, []float64{1, 1, 1, 1})
	_, noPrior := NewLinearGaussian(nil, a, nil, eye)
	_, noA := NewLinearGaussian(s.prior, nil, nil, eye)
	_, wide := NewLinearGaussian(s.prior, mat.NewDense(4, 2, nil), nil, eye)
	_, shift := NewLinearGaussian(s.prior, a, []float64{1}, eye)
	_, noise := NewLinearGaussian(s.prior, a, nil, mat.NewDiagDense(3, []float64{1, 1, 1}))
	_, short := s.Posterior(y[:2])
	_, x := s.Likelihood(y)
	_, evidence := s.LogEvidence(y[:1])
	_, next := s.Predictive(y, mat.NewDense(1, 5, nil), nil, mat.NewDiagDense(1, []float64{1}))
	for i, err := range []error{noPrior, noA, wide, shift, noise, short, x, evidence, next} {
		if !errors.Is(err, ErrShape) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	if _, err := NewLinearGaussian(s.prior, a, nil, mat.NewDiagDense(4, []float64{1, 1, 0, 1})); !errors.Is(err, ErrNotPositiveDefinite) {
		t.Error(err)
	}
	if _, err := s.Posterior([]float64{1, 2, math.NaN(), 4}); !errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
}
