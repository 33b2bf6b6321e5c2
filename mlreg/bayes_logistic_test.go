package mlreg

import (
	"bytes"
	"encoding/gob"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

func fitBayesLogistic(t testing.TB, d *Design, prior GaussianPrior, s *BayesLogisticSettings) *BayesLogistic {
	t.Helper()
	f := get(FitBayesLogistic(d, prior, s))(t)
	return f
}

// correlatedPrior is a prior with a mean and a full covariance.
func correlatedPrior(k int) GaussianPrior {
	cov := mat.NewSymDense(k, nil)
	mean := make([]float64, k)
	for i := range k {
		mean[i] = 0.3 * float64(i)
		for j := i; j < k; j++ {
			cov.SetSym(i, j, math.Pow(0.5, float64(j-i)))
		}
	}
	return GaussianPrior{Mean: mean, Cov: cov}
}

// The mode, the covariance and the evidence are those of Laplace's method for the
// density p(y|w) p(w), done without any formula for logistic regression.
func TestBayesLogisticIsLaplace(t *testing.T) {
	for seed := range uint64(4) {
		d := logisticDesign(t, seed, 30, 2)
		d.NoIntercept = seed == 1
		if seed == 2 {
			for i := range d.Y {
				d.Weights = append(d.Weights, float64(i%3))
			}
		}
		s := &BayesLogisticSettings{PenalizeIntercept: seed == 3}
		k := 2
		if s.PenalizeIntercept {
			k = 3
		}
		for _, prior := range []GaussianPrior{{Tau2: 2}, correlatedPrior(k)} {
			f := fitBayesLogistic(t, d, prior, s)
			density := func(w []float64) float64 {
				l := get(f.LogLikAt(d, w))(t)
				return l + f.LogPriorAt(w)
			}
			want := get(Laplace(density, make([]float64, len(f.Names())), nil))(t)
			nearAll(t, "mode", f.Coef(), want.Mode(), 1e-6)
			nearSym(t, "covariance", f.VCov(), want.Gaussian().Cov(), 1e-5)
			near(t, "evidence", f.LogEvidence(), want.LogEvidence(), 1e-7)
			got := f.Laplace()
			near(t, "evidence of the approximation", got.LogEvidence(), f.LogEvidence(), 1e-12)
			nearSym(t, "its precision", got.Precision(), want.Precision(), 1e-5)
			nearSym(t, "its covariance", got.Gaussian().Cov(), f.VCov(), 1e-10)
			if f.GradNorm() > 1e-9 || f.Decrement() > 1e-10 {
				t.Errorf("gradient %g, decrement %g", f.GradNorm(), f.Decrement())
			}
			if prior.Cov != nil {
				g := get(NewGaussian(prior.Mean, prior.Cov))(t)
				w := f.Coef()
				near(t, "log prior", f.LogPriorAt(w), g.LogProb(w[len(w)-k:]), 1e-12)
			}
		}
	}
}

// In one and two dimensions the approximations are near the integrals.
func TestBayesLogisticAgainstQuadrature(t *testing.T) {
	repeats(t)
	one := logisticDesign(t, 5, 400, 1)
	one.NoIntercept = true
	f := fitBayesLogistic(t, one, GaussianPrior{Tau2: 4}, nil)
	at := func(w ...float64) float64 {
		l := get(f.LogLikAt(one, w))(t)
		return math.Exp(l + f.LogPriorAt(w) - f.LogLik())
	}
	m, s := f.Coef()[0], f.Posterior().StdDev()[0]
	z := quad.Fixed(func(w float64) float64 { return at(w) }, m-9*s, m+9*s, 200, nil, 0)
	mean := quad.Fixed(func(w float64) float64 { return w * at(w) }, m-9*s, m+9*s, 200, nil, 0) / z
	if d := f.LogEvidence() - f.LogLik() - math.Log(z); math.Abs(d) > 0.01 {
		t.Errorf("the log evidence is off by %g", d)
	}
	if math.Abs(mean-m) > 0.1*s {
		t.Errorf("the posterior mean is %v, the mode %v", mean, m)
	}

	two := logisticDesign(t, 6, 150, 1)
	f = fitBayesLogistic(t, two, GaussianPrior{Tau2: 4}, nil)
	m, sd := f.Coef()[0], f.Posterior().StdDev()
	b, row := f.Coef()[1], two.Rows(0)
	var predictive float64
	z = quad.Fixed(func(w0 float64) float64 {
		return quad.Fixed(func(w1 float64) float64 {
			l := get(f.LogLikAt(two, []float64{w0, w1}))(t)
			return math.Exp(l + f.LogPriorAt([]float64{w0, w1}) - f.LogLik())
		}, b-9*sd[1], b+9*sd[1], 60, nil, 0)
	}, m-9*sd[0], m+9*sd[0], 60, nil, 0)
	predictive = quad.Fixed(func(w0 float64) float64 {
		return quad.Fixed(func(w1 float64) float64 {
			l := get(f.LogLikAt(two, []float64{w0, w1}))(t)
			return sigmoid(w0+w1*row.X.At(0, 0)) * math.Exp(l+f.LogPriorAt([]float64{w0, w1})-f.LogLik())
		}, b-9*sd[1], b+9*sd[1], 60, nil, 0)
	}, m-9*sd[0], m+9*sd[0], 60, nil, 0) / z
	if d := f.LogEvidence() - f.LogLik() - math.Log(z); math.Abs(d) > 0.02 {
		t.Errorf("the log evidence is off by %g", d)
	}
	p := get(f.Predict(row))(t)
	if math.Abs(p[0]-predictive) > 0.005 {
		t.Errorf("predictive probability %v, by quadrature %v", p[0], predictive)
	}
}

func TestAverageSigmoid(t *testing.T) {
	sequential(t)
	for _, mean := range []float64{-30, -5, -0.3, 0, 2, 12} {
		for _, sd := range []float64{1e-8, 0.1, 1, 3, 10} {
			want := quad.Fixed(func(u float64) float64 {
				return sigmoid(mean+sd*u) * math.Exp(-u*u/2) / math.Sqrt(2*math.Pi)
			}, -40, 40, 20000, nil, 0)
			near(t, "average", averageSigmoid(mean, sd), want, 1e-10)
		}
	}
	near(t, "wide", averageSigmoid(-1, 1e6), 0.5*math.Erfc(1e-6/math.Sqrt2), 1e-9)
	near(t, "certain", averageSigmoid(3, 0), sigmoid(3), 1e-15)
	for _, far := range []float64{1e4, -1e4} {
		if p := averageSigmoid(far, 5); math.IsNaN(p) || p < 0 || p > 1 {
			t.Errorf("average at %v is %v", far, p)
		}
	}
}

// The plug-in is further from one half than the average over the posterior, which
// Monte Carlo and the probit approximation agree with.
func TestBayesLogisticPredictive(t *testing.T) {
	d := withOffset(t, births(t, "off"), "off")
	z := get(d.Standardize(nil))(t)
	f := fitBayesLogistic(t, z, GaussianPrior{Tau2: 1}, nil)
	plug := get(f.PlugIn(d))(t)
	average := get(f.Predict(d))(t)
	probit := get(f.ProbitPredictive(d))(t)
	mc, se, err := f.MonteCarloPredictive(d, 4000, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	outside := 0
	for i := range plug {
		if math.Abs(plug[i]-0.5) < math.Abs(average[i]-0.5) {
			t.Errorf("row %d: plug-in %v, average %v", i, plug[i], average[i])
		}
		if math.Abs(probit[i]-average[i]) > 0.005 {
			t.Errorf("row %d: probit %v, average %v", i, probit[i], average[i])
		}
		if math.Abs(mc[i]-average[i]) > 5*se[i] {
			outside++
		}
	}
	if outside > 0 {
		t.Errorf("%d rows are 5 standard errors off", outside)
	}
	p := get(f.ClassProb(d))(t)
	ll := get(f.LogLikRows(d))(t)
	near(t, "log probability", ll[0], math.Log(p.At(0, int(d.Y[0]))), 1e-14)
	if _, err := ROC(f, d); err != nil {
		t.Error(err)
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		t.Fatal(err)
	}
	var g BayesLogistic
	if err := gob.NewDecoder(&buf).Decode(&g); err != nil {
		t.Fatal(err)
	}
	again, err := g.Predict(d)
	if err != nil || !slices.Equal(again, average) {
		t.Errorf("a fit changes by encoding: %v", err)
	}
}

// A vague prior gives maximum likelihood, the prior of L2 the penalized fit; and
// separated classes have a posterior.
func TestBayesLogisticLimits(t *testing.T) {
	d := births(t)
	ml := fitLogistic(t, d, nil)
	vague := fitBayesLogistic(t, d, GaussianPrior{Tau2: 1e12}, nil)
	nearAll(t, "vague mode", vague.Coef(), ml.Coef(), 1e-9)
	nearSym(t, "vague covariance", vague.VCov(), ml.VCov(), 1e-8)
	l2 := fitLogistic(t, d, &LogisticSettings{L2: 0.25})
	prior := fitBayesLogistic(t, d, GaussianPrior{Tau2: 2}, nil)
	nearAll(t, "mode", prior.Coef(), l2.Coef(), 1e-10)
	nearSym(t, "covariance", prior.VCov(), l2.VCov(), 1e-9)

	s := logisticDesign(t, 8, 50, 3)
	for i := range 50 {
		s.Y[i] = 0
		if s.X.At(i, 0) > 0.3 {
			s.Y[i] = 1
		}
	}
	f := fitBayesLogistic(t, s, GaussianPrior{Tau2: 100}, nil)
	if f.Decrement() > 1e-9 || !(f.LogEvidence() < 0) {
		t.Errorf("separated classes: decrement %g, evidence %v", f.Decrement(), f.LogEvidence())
	}
}

func TestBayesLogisticBadInput(t *testing.T) {
	d := births(t)
	_, err := FitBayesLogistic(d, GaussianPrior{}, nil)
	wantErr(t, err, ErrSetting, "tau^2")
	_, err = FitBayesLogistic(d, GaussianPrior{Tau2: 1, Mean: []float64{1}}, nil)
	wantErr(t, err, ErrShape, "the 6 coefficients")
	_, err = FitBayesLogistic(d, GaussianPrior{Tau2: 1, Mean: make([]float64, 6)}, &BayesLogisticSettings{PenalizeIntercept: true})
	wantErr(t, err, ErrShape, "the 7 coefficients")
	one := births(t)
	clear(one.Y)
	_, err = FitBayesLogistic(one, GaussianPrior{Tau2: 1}, nil)
	wantErr(t, err, ErrLabels, "one class only")
	bad := births(t)
	bad.X.Set(3, 1, math.NaN())
	_, err = FitBayesLogistic(bad, GaussianPrior{Tau2: 1}, nil)
	wantErr(t, err, ErrNotFinite, `"lwt"`, "row 4")
	f := fitBayesLogistic(t, d, GaussianPrior{Tau2: 1}, nil)
	_, _, err = f.MonteCarloPredictive(d, 1, rand.NewPCG(1, 1))
	wantErr(t, err, ErrSetting)
	_, err = f.LogLikAt(d, []float64{1})
	wantErr(t, err, ErrShape, "1 coefficients")
	if !math.IsNaN(f.LogPriorAt(nil)) {
		t.Error("a prior density of nothing")
	}
}
