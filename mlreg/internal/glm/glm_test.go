package glm

import (
	"math"
	"testing"
)

var families = []Family{
	{Poisson, Log}, {Poisson, Identity}, {Poisson, Sqrt},
	{Binomial, Logit}, {Binomial, Log}, {Binomial, Probit}, {Binomial, CLogLog}, {Binomial, Identity},
	{Gamma, Inverse}, {Gamma, Log}, {Gamma, Identity},
	{InverseGaussian, InverseSquare}, {InverseGaussian, Log}, {InverseGaussian, Inverse},
}

// means returns means that the family can have, with responses.
func means(f Family) (mu, y []float64) {
	if f.Kind == Binomial {
		return []float64{1e-6, 0.05, 0.3, 0.5, 0.9, 0.999}, []float64{0, 0.1, 0.5, 0.999, 1}
	}
	mu, y = []float64{1e-4, 0.3, 1, 2.5, 40}, []float64{0.2, 1, 3, 17}
	if f.Kind == Poisson {
		y = append(y, 0)
	}
	return mu, y
}

func TestLinksInvert(t *testing.T) {
	for _, f := range families {
		mus, _ := means(f)
		for _, mu := range mus {
			eta := f.Eta(mu)
			back, slope := f.Mean(eta)
			if math.Abs(back-mu) > 1e-10*mu {
				t.Errorf("%v: the mean at eta(%v) is %v", f, mu, back)
			}
			h := 1e-5 * math.Abs(eta)
			up, _ := f.Mean(eta + h)
			down, _ := f.Mean(eta - h)
			if d := (up - down) / (2 * h); math.Abs(d-slope) > 1e-5*math.Abs(slope) {
				t.Errorf("%v: slope at %v is %v, and by differences %v", f, mu, slope, d)
			}
		}
	}
}

// The residual is minus the derivative of the loss, the curvature its second
// derivative where y is the mean, and both the parts of Fisher's scoring everywhere.
func TestRowDerivatives(t *testing.T) {
	for _, f := range families {
		mus, ys := means(f)
		for _, mu := range mus {
			eta := f.Eta(mu)
			h := 1e-5 * math.Max(math.Abs(eta), 1e-3)
			for _, y := range ys {
				loss, residual, curvature := f.Row(y, eta)
				if want := f.HalfDeviance(y, mu); math.Abs(loss-want) > 1e-9*want+1e-14 {
					t.Errorf("%v: loss %v of %v at the mean %v, want %v", f, loss, y, mu, want)
				}
				up, _, _ := f.Row(y, eta+h)
				down, _, _ := f.Row(y, eta-h)
				if d := (down - up) / (2 * h); math.Abs(d-residual) > 1e-4*(math.Abs(residual)+1e-6)+curvature*h {
					t.Errorf("%v: residual %v of %v at the mean %v, and by differences %v", f, residual, y, mu, d)
				}
				_, slope := f.Mean(eta)
				if want := slope * slope / f.Variance(mu); math.Abs(curvature-want) > 1e-10*want {
					t.Errorf("%v: curvature %v at %v, want %v", f, curvature, mu, want)
				}
				if got, want := Pearson(residual, curvature), (y-mu)*(y-mu)/f.Variance(mu); math.Abs(got-want) > 1e-9*(want+1e-12) {
					t.Errorf("%v: Pearson %v, want %v", f, got, want)
				}
			}
			if f.Kind == Binomial && (mu < 1e-3 || mu > 0.99) || mu < 1e-3 {
				continue
			}
			h = 1e-4 * math.Abs(eta)
			_, up, _ := f.Row(mu, eta+h)
			_, down, _ := f.Row(mu, eta-h)
			if _, _, c := f.Row(mu, eta); math.Abs((down-up)/(2*h)-c) > 1e-4*c {
				t.Errorf("%v: curvature %v at a response of %v, and by differences %v", f, c, mu, (down-up)/(2*h))
			}
		}
	}
}

func TestCanonicalResiduals(t *testing.T) {
	for _, k := range []Kind{Poisson, Binomial, Gamma, InverseGaussian} {
		f := Family{k, k.Canonical()}
		if !f.Canonical() || (Family{k, Identity}).Canonical() {
			t.Error(k, "is canonical")
		}
		_, r, _ := f.Row(0.7, f.Eta(0.4))
		if k == Gamma {
			r = -r
		}
		if k == InverseGaussian {
			r *= -2
		}
		if math.Abs(r-0.3) > 1e-12 {
			t.Errorf("%v: residual %v, want y - mu", f, r)
		}
	}
}

// Losses near a perfect fit keep their digits, and those far out are finite.
func TestRowFarOutAndNear(t *testing.T) {
	f := Family{Poisson, Log}
	y := 1e9
	loss, _, _ := f.Row(y, math.Log(y)-1e-8)
	if want := y * 1e-16 / 2; math.Abs(loss-want) > 1e-6*want {
		t.Errorf("loss %v, want %v", loss, want)
	}
	for _, eta := range []float64{-800, -40, 40, 800} {
		for _, y := range []float64{0, 1} {
			loss, r, _ := Family{Binomial, Logit}.Row(y, eta)
			if want := math.Max((1-2*y)*eta, 0); math.Abs(loss-want) > 1e-15*want+1e-17 || math.IsNaN(r) {
				t.Errorf("loss %v of %v at %v, want %v", loss, y, eta, want)
			}
		}
		if loss, _, _ := (Family{Binomial, Logit}).Row(0.5, eta); !(loss > 1) || math.IsInf(loss, 0) {
			t.Errorf("loss %v of 1/2 at %v", loss, eta)
		}
	}
	for _, f := range []Family{{Poisson, Identity}, {Gamma, Inverse}, {Gamma, Identity}, {InverseGaussian, InverseSquare}, {Poisson, Sqrt}} {
		if loss, r, c := f.Row(1, -1); !math.IsInf(loss, 1) || r != 0 || c != 0 {
			t.Errorf("%v at -1: %v, %v, %v", f, loss, r, c)
		}
	}
}

// The losses of probits and complementary log-logs are finite where their means round to 0
// or 1. By R 4.2.2: -pnorm(eta, log.p = TRUE), exp(dnorm(eta, log = TRUE) - pnorm(eta,
// log.p = TRUE)).
func TestShareLossesFarOut(t *testing.T) {
	probit, cloglog := Family{Binomial, Probit}, Family{Binomial, CLogLog}
	for _, c := range []struct{ eta, loss, slope float64 }{
		{-40, 804.6084420137538, 40.024968847206338}, {-20.1, 205.92711840194823, 20.14950795007725},
		{-19.9, 201.9171677073326, 19.950000614301899}, {10, 7.6198530241605269e-24, math.Exp(-50) / math.Sqrt(2*math.Pi)},
	} {
		loss, r, _ := probit.Row(1, c.eta)
		other, s, _ := probit.Row(0, -c.eta)
		if math.Abs(loss-c.loss) > 1e-13*c.loss || math.Abs(r-c.slope) > 1e-13*c.slope || other != loss || s != -r {
			t.Errorf("probit of 1 at %v: %v, %v, of 0 at the opposite %v, %v; want %v, %v", c.eta, loss, r, other, s, c.loss, c.slope)
		}
	}
	for _, c := range []struct{ y, eta, loss, slope float64 }{
		{1, 4, math.Exp(-math.Exp(4)), math.Exp(4) / math.Expm1(math.Exp(4))}, {0, 4, math.Exp(4), -math.Exp(4)}, {0, 700, math.Exp(700), -math.Exp(700)},
		{1, 800, 0, 0}, {1, -800, 800, 1}, {0, -800, 0, 0}, {1, -38, 38, 1}, {0.5, 5, math.Exp(5)/2 - math.Ln2, -math.Exp(5) / 2},
	} {
		loss, r, curvature := cloglog.Row(c.y, c.eta)
		if math.Abs(loss-c.loss) > 1e-14*c.loss || math.Abs(r-c.slope) > 1e-14*math.Abs(c.slope) || math.IsNaN(curvature) {
			t.Errorf("complementary log-log of %v at %v: %v, %v, %v; want %v, %v", c.y, c.eta, loss, r, curvature, c.loss, c.slope)
		}
	}
	if loss, r, c := cloglog.Row(0.5, 710); !math.IsInf(loss, 1) || r != 0 || c != 0 {
		t.Error(loss, r, c)
	}
}
