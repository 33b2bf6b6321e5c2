package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

func mustBayes(t testing.TB, data Data, prior GaussianPrior, noise Noise, settings *BayesSettings) *Bayes {
	t.Helper()
	f := get(FitBayes(data, prior, noise, settings))(t)
	return f
}

var underPrior = &BayesSettings{PenalizeIntercept: true}

// Exact rational arithmetic, see testdata/bayes_exact.py: every digit but the
// last few, on the rows, on sums, with more terms than rows, and on a raw
// polynomial whose cross-products are hopeless.
func TestBayesExact(t *testing.T) {
	type number = string
	var cases []struct {
		Name                              string
		X                                 [][]float64
		Y, M0, V0, New                    []float64
		Sigma2                            float64
		Flat                              bool
		Mean                              []number
		Cov                               [][]number
		RSS, LogEvidence, NewMean, NewVar number
	}
	readJSON(t, "bayes_exact.json", &cases)
	parse := func(s number) float64 {
		v := get(strconv.ParseFloat(s, 64))(t)
		return v
	}
	methods := map[string]bool{}
	for _, c := range cases {
		n, p := len(c.X), len(c.X[0])
		x := mat.NewDense(n, p, nil)
		for i, row := range c.X {
			x.SetRow(i, row)
		}
		d := get(NewDesign(x, c.Y))(t)
		m := get(d.Moments())(t)
		rows := get(NewDesign(mat.NewDense(1, p, c.New), nil))(t)
		prior := GaussianPrior{Mean: c.M0, Cov: mat.NewDiagDense(p+1, c.V0)}
		settings := underPrior
		if c.Flat {
			prior = GaussianPrior{Mean: c.M0[1:], Cov: mat.NewDiagDense(p, c.V0[1:])}
			settings = nil
		}
		dense := prior
		sym := mat.NewSymDense(prior.Cov.SymmetricDim(), nil)
		sym.CopySym(prior.Cov)
		dense.Cov = sym
		for form, fit := range map[string]*Bayes{
			"rows":            mustBayes(t, d, prior, KnownVariance(c.Sigma2), settings),
			"rows, dense V0":  mustBayes(t, d, dense, KnownVariance(c.Sigma2), settings),
			"sums":            mustBayes(t, m, prior, KnownVariance(c.Sigma2), settings),
			"sums, dense V0 ": mustBayes(t, m, dense, KnownVariance(c.Sigma2), settings),
		} {
			what, tol := c.Name+", "+form, 1e-12
			if strings.Contains(c.Name, "polynomial") {
				if tol = 1e-7; strings.HasPrefix(form, "sums") {
					continue
				}
			}
			covTol := tol
			if strings.Contains(c.Name, "quartic") {
				// Cholesky of cross-products, and rows to refine the mean on:
				// without them the mean has fewer digits.
				if tol, covTol = 1e-9, 1e-9; strings.HasPrefix(form, "sums") {
					continue
				}
			}
			methods[fit.Method()] = true
			for j, v := range c.Mean {
				near(t, what+": mean", fit.PosteriorMean()[j], parse(v), tol)
				for k, v := range c.Cov[j] {
					near(t, what+": covariance", fit.PosteriorCov().At(j, k), parse(v), covTol)
				}
				near(t, what+": standard deviation", fit.StdDev()[j], math.Sqrt(parse(c.Cov[j][j])), covTol)
			}
			rssTol := tol
			if strings.HasPrefix(form, "sums") {
				// y'y less what is explained: a few roundings of y'y.
				rssTol = max(tol, 1e-15*floats.Dot(c.Y, c.Y)/parse(c.RSS))
			}
			near(t, what+": RSS", fit.RSS(), parse(c.RSS), rssTol)
			near(t, what+": log evidence", fit.LogEvidence(), parse(c.LogEvidence), covTol)
			pred := get(fit.Predictive(rows, 0.5))(t)
			near(t, what+": prediction", pred.Mean[0], parse(c.NewMean), tol)
			near(t, what+": variance of the prediction", pred.ParamVar[0], parse(c.NewVar), covTol)
		}
	}
	for _, m := range []string{"Cholesky", "Cholesky of the n x n form", "Householder QR"} {
		if !methods[m] {
			t.Errorf("no case was solved by %s, only by %v", m, methods)
		}
	}
}

// grid integrates over a box of one or two dimensions by Gauss-Legendre.
func integrate2(f func(a, b float64) float64, a0, a1, b0, b1 float64) float64 {
	return quad.Fixed(func(a float64) float64 {
		return quad.Fixed(func(b float64) float64 { return f(a, b) }, b0, b1, 160, nil, 0)
	}, a0, a1, 160, nil, 0)
}

// Known variance: evidence, mean and covariance of two coefficients are
// integrals of likelihood times prior.
func TestBayesAgainstIntegration(t *testing.T) {
	repeats(t)
	d := randomDesign(t, 3, 6, 1)
	for _, settings := range []*BayesSettings{nil, underPrior} {
		const tau2, sigma2 = 0.7, 1.3
		fit := mustBayes(t, d, GaussianPrior{Tau2: tau2}, KnownVariance(sigma2), settings)
		joint := func(a, b float64) float64 {
			log := get(LogLikelihood(d, []float64{a, b}, sigma2))(t)
			log += -b*b/(2*tau2) - math.Log(2*math.Pi*tau2)/2
			if settings != nil {
				log += -a*a/(2*tau2) - math.Log(2*math.Pi*tau2)/2
			}
			return math.Exp(log)
		}
		m, sd := fit.Coef(), fit.StdDev()
		integral := func(f func(a, b float64) float64) float64 {
			return integrate2(func(a, b float64) float64 { return f(a, b) * joint(a, b) },
				m[0]-10*sd[0], m[0]+10*sd[0], m[1]-10*sd[1], m[1]+10*sd[1])
		}
		z := integral(func(a, b float64) float64 { return 1 })
		near(t, "log evidence", fit.LogEvidence(), math.Log(z), 1e-10)
		near(t, "mean of the intercept", m[0], integral(func(a, b float64) float64 { return a })/z, 1e-10)
		near(t, "mean of the slope", m[1], integral(func(a, b float64) float64 { return b })/z, 1e-10)
		near(t, "covariance", fit.PosteriorCov().At(0, 1), integral(func(a, b float64) float64 { return (a - m[0]) * (b - m[1]) })/z, 1e-9)
		near(t, "variance", fit.PosteriorCov().At(0, 0), integral(func(a, b float64) float64 { return (a - m[0]) * (a - m[0]) })/z, 1e-9)
	}
}

// Unknown variance: a slope and log sigma^2 integrated out.
func TestBayesInverseGammaAgainstIntegration(t *testing.T) {
	repeats(t)
	d := randomDesign(t, 4, 9, 1)
	d.NoIntercept = true
	for _, noise := range []InverseGamma{{Shape: 2, Scale: 3}, {}} {
		const tau2 = 0.4 // relative to sigma^2
		fit := mustBayes(t, d, GaussianPrior{Tau2: tau2, Mean: []float64{0.5}}, noise, nil)
		joint := func(logs2, b float64) float64 {
			s2 := math.Exp(logs2)
			log := -9 * math.Log(2*math.Pi*s2) / 2
			for i, y := range d.Y {
				log -= gram.Square(y-b*d.X.At(i, 0)) / (2 * s2)
			}
			log += -(b-0.5)*(b-0.5)/(2*tau2*s2) - math.Log(2*math.Pi*tau2*s2)/2
			log += dist.LogInverseGamma(noise.Shape, noise.Scale) - (noise.Shape+1)*logs2 - noise.Scale/s2
			return math.Exp(log + logs2)
		}
		mid, m, wide := math.Log(fit.Sigma2()), fit.Coef()[0], 25*fit.StdDev()[0]
		integral := func(f func(s2, b float64) float64) float64 {
			return integrate2(func(l, b float64) float64 { return f(math.Exp(l), b) * joint(l, b) }, mid-4, mid+6, m-wide, m+wide)
		}
		z := integral(func(s2, b float64) float64 { return 1 })
		near(t, "log evidence", fit.LogEvidence(), math.Log(z), 1e-7)
		near(t, "mean of sigma^2", fit.Sigma2(), integral(func(s2, b float64) float64 { return s2 })/z, 1e-6)
		near(t, "variance of the slope", fit.PosteriorCov().At(0, 0), integral(func(s2, b float64) float64 { return (b - m) * (b - m) })/z, 1e-6)
		above := integral(func(s2, b float64) float64 { return b })
		near(t, "mean of the slope", m, above/z, 1e-8)
		rows := get(fit.Table(0.9))(t)
		positive := quad.Fixed(func(b float64) float64 {
			return quad.Fixed(func(l float64) float64 { return joint(l, b) }, mid-4, mid+6, 160, nil, 0)
		}, 0, m+wide, 400, nil, 0) / z
		near(t, "probability of a positive slope", rows[0].ProbPositive, positive, 1e-6)
		inside := quad.Fixed(func(b float64) float64 {
			return quad.Fixed(func(l float64) float64 { return joint(l, b) }, mid-4, mid+6, 160, nil, 0)
		}, rows[0].Lower, rows[0].Upper, 200, nil, 0) / z
		near(t, "probability of the credible interval", inside, 0.9, 1e-6)
	}
}

// log N(y; 1b0 + X m0, sigma2 I + X V0 X'), formed densely, for rows with
// weights.
func TestBayesEvidenceDense(t *testing.T) {
	d := randomDesign(t, 5, 7, 3)
	d.Weights = []float64{1, 2, 0.5, 1, 1.5, 1, 3}
	_, v0 := randomGaussian(t, 6, 4)
	prior := GaussianPrior{Mean: []float64{1, 0.5, -1, 0}, Cov: v0}
	const sigma2 = 0.8
	fit := mustBayes(t, d, prior, KnownVariance(sigma2), underPrior)
	a := mat.NewDense(7, 4, nil)
	for i := range 7 {
		a.Set(i, 0, 1)
		for j := range 3 {
			a.Set(i, j+1, d.X.At(i, j))
		}
	}
	var av, outer mat.Dense
	av.Mul(a, v0)
	outer.Mul(&av, a.T())
	cov := mat.NewSymDense(7, nil)
	for i := range 7 {
		for j := i; j < 7; j++ {
			cov.SetSym(i, j, outer.At(i, j))
		}
		cov.SetSym(i, i, outer.At(i, i)+sigma2/d.Weights[i])
	}
	var mean mat.VecDense
	mean.MulVec(a, mat.NewVecDense(4, prior.Mean))
	near(t, "log evidence", fit.LogEvidence(), denseLogProb(t, d.Y, mean.RawVector().Data, cov), 1e-11)
	prior0 := get(NewGaussian(prior.Mean, v0))(t)
	noise := mat.NewDiagDense(7, nil)
	for i, w := range d.Weights {
		noise.SetDiag(i, sigma2/w)
	}
	system := get(NewLinearGaussian(prior0, a, nil, noise))(t)
	want := get(system.Posterior(d.Y))(t)
	post := get(fit.Posterior())(t)
	nearAll(t, "mean", post.Mean(), want.Mean(), 1e-11)
	nearSym(t, "covariance", post.Cov(), want.Cov(), 1e-11)
	log := get(LogLikelihood(d, fit.Coef(), sigma2))(t)
	near(t, "log-likelihood", fit.LogLik(), log, 1e-12)
	if fit.LogEvidence() > fit.LogLik() {
		t.Error("an Occam factor above one")
	}
}

// The posterior of some rows as the prior of the others is the posterior of
// all; one-step predictive densities add up to the evidence.
func TestBayesSequential(t *testing.T) {
	d := randomDesign(t, 7, 12, 3)
	d.Weights = []float64{1, 1, 2, 1, 1, 0.5, 1, 1, 1, 3, 1, 1}
	for _, noise := range []Noise{KnownVariance(1.1), InverseGamma{Shape: 1.5, Scale: 2}} {
		for _, settings := range []*BayesSettings{nil, underPrior} {
			batch := mustBayes(t, d, GaussianPrior{Tau2: 2}, noise, settings)
			step := mustBayes(t, d.Rows(0, 1), GaussianPrior{Tau2: 2}, noise, settings)
			log := step.LogEvidence()
			for i := 2; i < d.NObs(); i++ {
				row := d.Rows(i)
				one := get(step.LogPredictive(row))(t)
				prior, next, under := step.AsPrior()
				step = mustBayes(t, row, prior, next, under)
				near(t, "evidence of a row", step.LogEvidence(), one[0], 1e-10)
				log += one[0]
			}
			near(t, "product of one-step predictives", log, batch.LogEvidence(), 1e-11)
			nearAll(t, "mean", step.Coef(), batch.Coef(), 1e-10)
			nearSym(t, "covariance", step.PosteriorCov(), batch.PosteriorCov(), 1e-10)
			near(t, "sigma^2", step.Sigma2(), batch.Sigma2(), 1e-11)
		}
	}
}

// The maximum a posteriori estimate is ridge with lambda = sigma^2/tau^2.
func TestBayesIsRidge(t *testing.T) {
	d := randomDesign(t, 8, 30, 4)
	fit := mustBayes(t, d, GaussianPrior{Tau2: 0.2}, KnownVariance(3), nil)
	near(t, "lambda", fit.Lambda(), 15, 1e-15)
	m := get(d.Moments())(t)
	g := m.SXX()
	for j := range 4 {
		g.SetSym(j, j, g.At(j, j)+15)
	}
	var want mat.VecDense
	if err := want.SolveVec(g, mat.NewVecDense(4, m.SXY())); err != nil {
		t.Fatal(err)
	}
	nearAll(t, "slopes", fit.Slopes(), want.RawVector().Data, 1e-12)
	// It minimizes the penalized sum of squares: no small step does better.
	objective := func(f *Bayes, j int, step float64) float64 {
		b := f.Coef()
		b[j] += step
		var sum float64
		for i, y := range d.Y {
			r := y - b[0]
			for c := range 4 {
				r -= b[c+1] * d.X.At(i, c)
			}
			sum += r * r
		}
		for _, w := range b[1:] {
			sum += 15 * w * w
		}
		return sum
	}
	for j := range 5 {
		if here := objective(fit, j, 0); objective(fit, j, 1e-4) <= here || objective(fit, j, -1e-4) <= here {
			t.Errorf("coefficient %d does not minimize the ridge objective", j)
		}
	}
	// Relative to sigma^2, the same ridge.
	unknown := mustBayes(t, d, GaussianPrior{Tau2: 1. / 15}, InverseGamma{}, nil)
	nearAll(t, "slopes, unknown variance", unknown.Slopes(), fit.Slopes(), 1e-13)
}

// tau^2 to infinity is least squares, with Jeffreys' prior of sigma^2 up to
// its limits; tau^2 to 0 is the prior.
func TestBayesLimits(t *testing.T) {
	d := randomDesign(t, 9, 25, 3)
	ols := get(FitOLS(d, nil))(t)
	known := get(FitOLS(d, &OLSSettings{Sigma2: 2}))(t)
	vague := mustBayes(t, d, GaussianPrior{Tau2: 1e9}, KnownVariance(2), nil)
	nearAll(t, "coefficients", vague.Coef(), ols.Coef(), 1e-8)
	nearAll(t, "standard deviations", vague.StdDev(), known.StdErr(), 1e-8)
	near(t, "degrees of freedom", vague.DoF(), 4, 1e-8)

	// p(sigma^2) = (sigma^2)^-(a+1) with a = -p/2 would give n - p - 1 degrees
	// of freedom; with a = 0 the conjugate prior of the slopes counts as data.
	jeffreys := mustBayes(t, d, GaussianPrior{Tau2: 1e9}, InverseGamma{}, nil)
	near(t, "t degrees of freedom", jeffreys.TDoF(), 24, 1e-15)
	near(t, "b_N/a_N", jeffreys.NoisePosterior().Scale/jeffreys.NoisePosterior().Shape, ols.RSS()/24, 1e-6)

	tight := mustBayes(t, d, GaussianPrior{Tau2: 1e-12, Mean: []float64{1, 2, 3}}, KnownVariance(2), nil)
	nearAll(t, "slopes", tight.Slopes(), []float64{1, 2, 3}, 1e-9)
	nearAll(t, "their standard deviations", tight.StdDev()[1:], []float64{1e-6, 1e-6, 1e-6}, 1e-9)
	near(t, "effective parameters", tight.EffectiveParameters(), 0, 1e-7)
}

// Bands are narrowest at the data's center, not at the origin; the plug-in's
// have one width.
func TestBayesPredictiveBand(t *testing.T) {
	rnd := rand.New(rand.NewPCG(10, 10))
	x, y := mat.NewDense(40, 1, nil), make([]float64, 40)
	for i := range y {
		v := 50 + rnd.NormFloat64()
		x.Set(i, 0, v)
		y[i] = 3 + v + rnd.NormFloat64()
	}
	d := get(NewDesign(x, y))(t)
	m := get(d.Moments())(t)
	grid := mat.NewDense(141, 1, nil)
	for i := range 141 {
		grid.Set(i, 0, float64(i))
	}
	rows := get(NewDesign(grid, nil))(t)
	for _, noise := range []Noise{KnownVariance(1), InverseGamma{}} {
		fit := mustBayes(t, d, GaussianPrior{Tau2: 10}, noise, nil)
		pred := get(fit.Predictive(rows, 0.9))(t)
		narrowest := 0
		for i, v := range pred.ParamVar {
			if v < pred.ParamVar[narrowest] {
				narrowest = i
			}
		}
		if want := int(math.Round(m.MeanX()[0])); narrowest != want {
			t.Errorf("the band is narrowest at %d, the data's center is %d", narrowest, want)
		}
		q := dist.TUpper(0.05, fit.TDoF())
		shrink := math.Sqrt(fit.varianceFactor())
		near(t, "prediction limits", pred.UpperObs[7]-pred.LowerObs[7], 2*q*pred.StdDev()[7]/shrink, 1e-12)
		near(t, "credible limits", pred.UpperMean[7]-pred.LowerMean[7], 2*q*math.Sqrt(pred.ParamVar[7])/shrink, 1e-12)
		plug := get(fit.PlugIn(rows, 0.9))(t)
		for i := range plug.Mean {
			if plug.ParamVar[i] != 0 || plug.LowerMean[i] != plug.Mean[i] {
				t.Fatal("the plug-in is unsure of its coefficients")
			}
			near(t, "plug-in width", plug.UpperObs[i]-plug.LowerObs[i], 2*1.6448536269514722*math.Sqrt(fit.Sigma2()), 1e-12)
		}
		log := get(fit.LogPredictive(d))(t)
		at := get(fit.Predictive(d, 0.5))(t)
		if fit.SigmaKnown() {
			z := (d.Y[3] - at.Mean[3]) / at.StdDev()[3]
			near(t, "log density", log[3], -z*z/2-math.Log(2*math.Pi)/2-math.Log(at.StdDev()[3]), 1e-12)
		}
	}
}

// With more terms than rows, sums (p x p) and rows (n x n) agree.
func TestBayesWide(t *testing.T) {
	d := randomDesign(t, 11, 8, 20)
	d.Weights = []float64{1, 2, 1, 0, 1, 0.5, 1, 1}
	fresh := randomDesign(t, 12, 5, 20)
	m := get(d.Moments())(t)
	_, v0 := randomGaussian(t, 13, 20)
	_, v1 := randomGaussian(t, 13, 21)
	for _, settings := range []*BayesSettings{nil, underPrior} {
		cov := v0
		if settings != nil {
			cov = v1
		}
		for _, prior := range []GaussianPrior{{Tau2: 0.7}, {Cov: cov}} {
			for _, noise := range []Noise{KnownVariance(0.5), InverseGamma{Shape: 1, Scale: 1}} {
				wide := mustBayes(t, d, prior, noise, settings)
				tall := mustBayes(t, m, prior, noise, settings)
				if wide.s.Root != nil || tall.s.Root == nil {
					t.Fatal(wide.Method(), tall.Method())
				}
				nearAll(t, "mean", wide.Coef(), tall.Coef(), 1e-9)
				nearAll(t, "standard deviations", wide.StdDev(), tall.StdDev(), 1e-9)
				nearSym(t, "covariance", wide.PosteriorCov(), tall.PosteriorCov(), 1e-9)
				near(t, "log evidence", wide.LogEvidence(), tall.LogEvidence(), 1e-11)
				near(t, "effective parameters", wide.EffectiveParameters(), tall.EffectiveParameters(), 1e-10)
				near(t, "RSS", wide.RSS(), tall.RSS(), 1e-8)
				a := get(wide.Predictive(fresh, 0.8))(t)
				b := get(tall.Predictive(fresh, 0.8))(t)
				nearAll(t, "parameter variance", a.ParamVar, b.ParamVar, 1e-9)
				nearAll(t, "upper limit", a.UpperObs, b.UpperObs, 1e-9)
			}
		}
	}
}

func TestBayesSample(t *testing.T) {
	repeats(t)
	tall := randomDesign(t, 14, 30, 3)
	wide := tall.Rows(0, 1, 2)
	const draws = 60000
	for _, d := range []*Design{tall, wide} {
		for _, settings := range []*BayesSettings{nil, underPrior} {
			for _, noise := range []Noise{KnownVariance(0.6), InverseGamma{Shape: 8, Scale: 4}} {
				fit := mustBayes(t, d, GaussianPrior{Tau2: 1.5}, noise, settings)
				coef, sigma2, err := fit.Sample(draws, rand.NewPCG(1, 9))
				if err != nil {
					t.Fatal(err)
				}
				checkSampleMoments(t, coef, fit.PosteriorMean(), fit.PosteriorCov())
				var mean, variance float64
				for _, s := range sigma2 {
					mean += s / draws
				}
				for _, s := range sigma2 {
					variance += (s - mean) * (s - mean) / draws
				}
				if z := (mean - fit.Sigma2()) / math.Sqrt(variance/draws+1e-20); math.Abs(z) > 5 {
					t.Errorf("mean of sigma^2 is %v, want %v", mean, fit.Sigma2())
				}
				f := get(fit.SampleFunctions(wide, 4, rand.NewPCG(1, 9)))(t)
				few, _, err := fit.Sample(4, rand.NewPCG(1, 9))
				if err != nil {
					t.Fatal(err)
				}
				want, err := Functions(wide, few)
				if err != nil || !mat.EqualApprox(f, want, 1e-12) {
					t.Error("functions are not those of the coefficients drawn", err)
				}
				near(t, "a function", f.At(2, 3), few.At(3, 0)+few.At(3, 1)*wide.X.At(2, 0)+few.At(3, 2)*wide.X.At(2, 1)+few.At(3, 3)*wide.X.At(2, 2), 1e-12)
			}
		}
	}
}

// A posterior in raw units is that of the raw design under the prior that the
// scaling makes of it; predictions do not change.
func TestBayesRaw(t *testing.T) {
	raw := randomDesign(t, 15, 20, 3)
	scaled := get(raw.Standardize(nil))(t)
	v := make([]float64, 3)
	for j, s := range scaled.Scaling.Scale {
		v[j] = 0.5 / (s * s)
	}
	for rows, noise := range map[int]Noise{20: InverseGamma{Shape: 2, Scale: 1}, 3: KnownVariance(2)} {
		subset := make([]int, rows)
		for i := range subset {
			subset[i] = i
		}
		fit := mustBayes(t, scaled.Rows(subset...), GaussianPrior{Tau2: 0.5}, noise, nil)
		got := get(fit.Raw())(t)
		want := mustBayes(t, raw.Rows(subset...), GaussianPrior{Cov: mat.NewDiagDense(3, v)}, noise, nil)
		nearAll(t, "mean", got.Coef(), want.Coef(), 1e-11)
		nearSym(t, "covariance", got.PosteriorCov(), want.PosteriorCov(), 1e-11)
		nearAll(t, "standard deviations", got.StdDev(), want.StdDev(), 1e-11)
		near(t, "log evidence", fit.LogEvidence(), want.LogEvidence(), 1e-11)
		for _, f := range []*Bayes{fit, got} {
			pred := get(f.Predictive(raw, 0.9))(t)
			expect := get(want.Predictive(raw, 0.9))(t)
			nearAll(t, "upper limit", pred.UpperObs, expect.UpperObs, 1e-11)
		}
	}
	under := mustBayes(t, scaled, GaussianPrior{Tau2: 0.5}, KnownVariance(1), underPrior)
	inRaw := get(under.Raw())(t)
	a := get(under.Predictive(raw, 0.9))(t)
	b := get(inRaw.Predictive(raw, 0.9))(t)
	nearAll(t, "upper limit, intercept under the prior", b.UpperObs, a.UpperObs, 1e-11)
	scaled.NoIntercept = true
	if _, err := mustBayes(t, scaled, GaussianPrior{Tau2: 1}, KnownVariance(1), nil).Raw(); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}

// A vague prior of two equal columns: rows keep what cross-products lose. Their
// sum is determined by the data, their difference by the prior alone.
func TestBayesVagueAliased(t *testing.T) {
	d := randomDesign(t, 18, 12, 2)
	for i := range 12 {
		d.X.Set(i, 1, d.X.At(i, 0))
	}
	const tau2 = 1e12
	fit := mustBayes(t, d, GaussianPrior{Tau2: tau2}, KnownVariance(1), nil)
	single := get(d.Select("x1"))(t)
	ols := get(FitOLS(single, &OLSSettings{Sigma2: 1}))(t)
	near(t, "sum of the slopes", fit.Slopes()[0]+fit.Slopes()[1], ols.Slopes()[0], 1e-9)
	near(t, "standard deviation of a slope", fit.StdDev()[1], math.Sqrt(tau2/2), 1e-9)
	one := get(ols.Leverage(single))(t)
	pred := get(fit.Predictive(d, 0.9))(t)
	nearAll(t, "parameter variance at the data", pred.ParamVar, one, 1e-3)
}

func TestBayesGob(t *testing.T) {
	d := randomDesign(t, 16, 9, 3)
	g, _ := randomGaussian(t, 1, 3)
	surface := get(NewEvidenceSurface(d, nil))(t)
	laplace := get(Laplace(g.LogProb, g.Mean(), nil))(t)
	for _, c := range []struct{ in, out any }{
		{mustBayes(t, d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil), new(Bayes)},
		{mustBayes(t, d.Rows(0, 1), GaussianPrior{Tau2: 1}, InverseGamma{1, 1}, underPrior), new(Bayes)},
		{g, new(Gaussian)},
		{surface, new(EvidenceSurface)},
		{laplace, new(LaplaceApproximation)},
	} {
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).Encode(c.in); err != nil {
			t.Fatal(err)
		}
		if err := gob.NewDecoder(&buf).Decode(c.out); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(c.in, c.out) {
			t.Errorf("%T changed on its way through gob:\n%+v\n%+v", c.in, c.in, c.out)
		}
	}
}

func TestBayesRefuses(t *testing.T) {
	d := randomDesign(t, 17, 10, 2)
	ok, known := GaussianPrior{Tau2: 1}, KnownVariance(1)
	none := *d
	none.NoIntercept = true
	bad := d.Rows(0, 1, 2)
	bad.X.Set(1, 1, math.NaN())
	narrow := d.Rows(0, 1)
	narrow.X.Set(1, 1, math.Inf(1))
	empty := *d
	empty.Y = nil
	twins := d.Rows(0, 1, 2, 3, 4)
	for i := range 5 {
		twins.X.Set(i, 1, twins.X.At(i, 0))
	}
	alias := get(twins.Moments())(t)
	for name, c := range map[string]struct {
		data     Data
		prior    GaussianPrior
		noise    Noise
		settings *BayesSettings
		want     error
		text     string
	}{
		"tau2 0":           {d, GaussianPrior{}, known, nil, ErrSetting, "tau^2 = 0"},
		"tau2 negative":    {d, GaussianPrior{Tau2: -1}, known, nil, ErrSetting, "tau^2 = -1"},
		"tau2 infinite":    {d, GaussianPrior{Tau2: math.Inf(1)}, known, nil, ErrSetting, "tau^2 = +Inf"},
		"both":             {d, GaussianPrior{Tau2: 1, Cov: mat.NewDiagDense(2, []float64{1, 1})}, known, nil, ErrSetting, "both"},
		"sigma2 0":         {d, ok, KnownVariance(0), nil, ErrSetting, "sigma^2 = 0"},
		"sigma2 negative":  {d, ok, KnownVariance(-2), nil, ErrSetting, "sigma^2 = -2"},
		"shape":            {d, ok, InverseGamma{Shape: -1}, nil, ErrSetting, "Shape: -1"},
		"no noise":         {d, ok, nil, nil, ErrSetting, "KnownVariance"},
		"pivot":            {d, GaussianPrior{Cov: mat.NewSymDense(2, []float64{1, 1, 1, 1})}, known, nil, ErrNotPositiveDefinite, "pivot 2 of 2"},
		"diagonal":         {d, GaussianPrior{Cov: mat.NewDiagDense(2, []float64{1, 0})}, known, nil, ErrNotPositiveDefinite, `"x2" is 0 (pivot 2)`},
		"size of V0":       {d, GaussianPrior{Cov: mat.NewDiagDense(3, []float64{1, 1, 1})}, known, nil, ErrShape, `2 coefficients "x1", "x2"`},
		"size of m0":       {d, GaussianPrior{Tau2: 1, Mean: []float64{1}}, known, nil, ErrShape, "1 values for the 2"},
		"m0":               {d, GaussianPrior{Tau2: 1, Mean: []float64{1, math.NaN()}}, known, nil, ErrNotFinite, "element 2"},
		"no intercept":     {&none, ok, known, underPrior, ErrSetting, "no intercept"},
		"nil data":         {nil, ok, known, nil, ErrNoData, "nil"},
		"value":            {bad, ok, known, nil, ErrNotFinite, `"x2" is NaN in row 2`},
		"value, wide":      {narrow, ok, known, nil, ErrNotFinite, `"x2" is +Inf in row 2`},
		"no response":      {&empty, ok, known, nil, ErrNoData, "no response"},
		"one observation":  {d.Rows(0), ok, InverseGamma{}, nil, ErrNoData, "1 observations"},
		"vague, aliased":   {alias, GaussianPrior{Tau2: 1e20}, known, nil, ErrSetting, "aliased"},
		"moments, no rows": {NewMoments(d), ok, known, nil, ErrNoData, "no rows"},
	} {
		_, err := FitBayes(c.data, c.prior, c.noise, c.settings)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	fit := mustBayes(t, d, ok, InverseGamma{}, nil)
	_, notGaussian := fit.Posterior()
	_, level := fit.CredibleInterval(0)
	_, table := fit.Table(1)
	_, band := fit.Predictive(d, 2)
	_, _, draws := fit.Sample(0, rand.NewPCG(1, 1))
	_, functions := Functions(d, mat.NewDense(2, 2, nil))
	_, likelihood := LogLikelihood(d, []float64{1, 2, 3}, 0)
	_, coefficients := LogLikelihood(d, nil, 1)
	for i, err := range []error{notGaussian, level, table, band, draws, functions, likelihood, coefficients} {
		if err == nil {
			t.Errorf("case %d is not refused", i)
		}
	}
}

// The evidence of the first rows by steps is that of one fit to them, under either prior
// of the intercept, with noise known or not.
func TestSequentialLogEvidence(t *testing.T) {
	d := randomDesign(t, 41, 12, 2)
	for _, noise := range []Noise{KnownVariance(0.4), InverseGamma{Shape: 2, Scale: 1}} {
		for _, settings := range []*BayesSettings{nil, {PenalizeIntercept: true}} {
			got := get(SequentialLogEvidence(d, GaussianPrior{Tau2: 2}, noise, settings))(t)
			if len(got) != 12 {
				t.Fatalf("%d values for 12 rows", len(got))
			}
			for _, n := range []int{1, 2, 7, 12} {
				rows := make([]int, n)
				for i := range rows {
					rows[i] = i
				}
				fit := get(FitBayes(d.Rows(rows...), GaussianPrior{Tau2: 2}, noise, settings))(t)
				near(t, fmt.Sprint(n, " rows"), got[n-1], fit.LogEvidence(), 1e-10)
			}
		}
	}
	_, err := SequentialLogEvidence(d, GaussianPrior{}, KnownVariance(1), nil)
	wantErr(t, err, ErrSetting)
	_, err = SequentialLogEvidence(&Design{}, GaussianPrior{Tau2: 1}, KnownVariance(1), nil)
	wantErr(t, err, ErrNoData)
}

func TestPredictiveCoverage(t *testing.T) {
	p := &Predictive{LowerObs: []float64{0, 0, 1, -3}, UpperObs: []float64{1, 2, 2, -1}}
	got, err := p.Coverage([]float64{0, 2.5, 1.5, 0})
	if err != nil || got != 0.5 {
		t.Errorf("%v, %v", got, err)
	}
	_, err = p.Coverage([]float64{1})
	wantErr(t, err, ErrShape, "1 responses for the 4 rows")
	_, err = p.Coverage([]float64{1, 1, math.NaN(), 0})
	wantErr(t, err, ErrNotFinite, "response 3")
	_, err = (*Predictive)(nil).Coverage(nil)
	wantErr(t, err, ErrNoData)
}
