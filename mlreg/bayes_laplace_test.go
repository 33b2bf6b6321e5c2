package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Of a Gaussian, normalized or not, the approximation is exact.
func TestLaplaceOfGaussian(t *testing.T) {
	g, cov := randomGaussian(t, 30, 4)
	logDensity := func(x []float64) float64 { return g.LogProb(x) + 7 }
	a := get(Laplace(logDensity, []float64{5, -5, 5, 5}, nil))(t)
	nearAll(t, "mode", a.Mode(), g.Mean(), 1e-8)
	nearSym(t, "covariance", a.Gaussian().Cov(), cov, 1e-7)
	near(t, "log normaliser", a.LogNormalizer(), 7, 1e-8)
	if a.GradNorm() > 1e-8 {
		t.Errorf("gradient norm %g", a.GradNorm())
	}
	x := []float64{1, 0, -1, 2}
	near(t, "log Q*", a.LogQ(x), logDensity(x), 1e-8)
	near(t, "normalised", a.LogQ(x)-a.LogNormalizer(), a.Gaussian().LogProb(x), 1e-10)
	var product mat.Dense
	product.Mul(a.Precision(), cov)
	for i := range 4 {
		near(t, "H times covariance", product.At(i, i), 1, 1e-7)
	}
	draws := get(a.Sample(50000, rand.NewPCG(3, 3)))(t)
	checkSampleMoments(t, draws, g.Mean(), cov)
	if !math.IsNaN(a.LogQ(x[:2])) {
		t.Error("a point of another dimension has a density")
	}
}

// The gamma density, p*(x) = x^(s-1) exp(-x): mode s - 1, c = 1/(s-1), and Z ~
// Stirling's formula for Gamma(s).
func TestLaplaceGamma(t *testing.T) {
	for _, s := range []float64{1.5, 3, 20, 1000} {
		a, err := Laplace1D(func(x float64) float64 {
			if x <= 0 {
				return math.Inf(-1)
			}
			return (s-1)*math.Log(x) - x
		}, 1, nil)
		if err != nil {
			t.Fatal(s, err)
		}
		m := s - 1
		near(t, "mode", a.Mode()[0], m, 1e-8)
		near(t, "c", a.Precision().At(0, 0), 1/m, 1e-6)
		near(t, "log Z", a.LogNormalizer(), m*math.Log(m)-m+math.Log(2*math.Pi*m)/2, 1e-7)
	}
}

// Given derivatives are used, and give the same in more digits; scales do not
// change what is found.
func TestLaplaceDerivativesAndScale(t *testing.T) {
	// A logistic likelihood of five rows with a normal prior; the second
	// coefficient is of the order of 1e6.
	x := [][2]float64{{1, 1e-6}, {1, -2e-6}, {1, 0.5e-6}, {1, 3e-6}, {1, -1e-6}}
	y := []float64{1, -1, -1, 1, 1}
	scale := []float64{1, 1e6}
	f := func(w []float64) float64 {
		var log float64
		for i, row := range x {
			log -= math.Log1p(math.Exp(-y[i] * (w[0]*row[0] + w[1]*row[1])))
		}
		return log - w[0]*w[0]/8 - w[1]*w[1]/8e12
	}
	grad := func(g, w []float64) {
		g[0], g[1] = -w[0]/4, -w[1]/4e12
		for i, row := range x {
			p := 1 / (1 + math.Exp(y[i]*(w[0]*row[0]+w[1]*row[1])))
			g[0] += y[i] * p * row[0]
			g[1] += y[i] * p * row[1]
		}
	}
	hess := func(h *mat.SymDense, w []float64) {
		h.SetSym(0, 0, -1./4)
		h.SetSym(0, 1, 0)
		h.SetSym(1, 1, -1./4e12)
		for _, row := range x {
			p := 1 / (1 + math.Exp(w[0]*row[0]+w[1]*row[1]))
			for a := range 2 {
				for b := a; b < 2; b++ {
					h.SetSym(a, b, h.At(a, b)-p*(1-p)*row[a]*row[b])
				}
			}
		}
	}
	best := get(Laplace(f, []float64{0, 0}, &LaplaceSettings{Grad: grad, Hess: hess, Scale: scale}))(t)
	var g [2]float64
	grad(g[:], best.Mode())
	if math.Hypot(g[0], 1e6*g[1]) > 1e-12 {
		t.Errorf("gradient %v at the mode", g)
	}
	for name, settings := range map[string]*LaplaceSettings{
		"gradient": {Grad: grad, Scale: scale}, "differences": {Scale: scale}, "unscaled": {Grad: grad, Hess: hess},
	} {
		a, err := Laplace(f, []float64{1, -1e6}, settings)
		if err != nil {
			t.Fatal(name, err)
		}
		nearAll(t, name+": mode", a.Mode(), best.Mode(), 1e-7)
		for i := range 2 {
			for j := range 2 {
				near(t, name+": precision", a.Precision().At(i, j)*scale[i]*scale[j], best.Precision().At(i, j)*scale[i]*scale[j], 1e-7)
			}
		}
		near(t, name+": log normaliser", a.LogNormalizer(), best.LogNormalizer(), 1e-8)
	}
}

// Log likelihood plus log prior of a linear model: Laplace is exact, and Z is
// the evidence of FitBayes.
func TestLaplaceIsEvidence(t *testing.T) {
	d := randomDesign(t, 31, 20, 2)
	const tau2, sigma2 = 0.5, 1.5
	fit := mustBayes(t, d, GaussianPrior{Tau2: tau2}, KnownVariance(sigma2), underPrior)
	prior := get(NewGaussian(make([]float64, 3), mat.NewDiagDense(3, []float64{tau2, tau2, tau2})))(t)
	a := get(Laplace(func(w []float64) float64 {
		log, err := LogLikelihood(d, w, sigma2)
		if err != nil {
			return math.NaN()
		}
		return log + prior.LogProb(w)
	}, make([]float64, 3), nil))(t)
	near(t, "evidence", a.LogEvidence(), fit.LogEvidence(), 1e-9)
	nearAll(t, "mean", a.Mode(), fit.Coef(), 1e-8)
	nearSym(t, "covariance", a.Gaussian().Cov(), fit.PosteriorCov(), 1e-7)
}

// It gets better as the density gets narrower: Z against an integral.
func TestLaplaceAgainstIntegration(t *testing.T) {
	for n, tol := range map[float64]float64{10: 0.1, 100: 0.01, 1000: 0.001} {
		f := func(x float64) float64 { return n * (math.Cos(x) - 0.2*x) }
		a := get(Laplace1D(f, 0.5, nil))(t)
		z := quad.Fixed(func(x float64) float64 { return math.Exp(f(x) - a.LogAtMode()) }, -2, 1.5, 1000, nil, 0)
		if got := math.Exp(a.LogNormalizer() - a.LogAtMode()); math.Abs(got/z-1) > 3*tol {
			t.Errorf("n = %v: Z = %v, integral %v", n, got, z)
		}
	}
}

func TestLaplaceRefuses(t *testing.T) {
	inf := math.Inf(-1)
	var hess *HessianError
	for name, c := range map[string]struct {
		f    func(x []float64) float64
		x0   []float64
		set  *LaplaceSettings
		want error
		text string
	}{
		"flat direction": {func(x []float64) float64 { return -x[0] * x[0] }, []float64{1, 1}, nil, ErrNotPositiveDefinite, "flat"},
		"flat sum":       {func(x []float64) float64 { return -math.Pow(x[0]+x[1]-1, 2) }, []float64{1, 1}, nil, ErrNotPositiveDefinite, "0.707"},
		"saddle":         {func(x []float64) float64 { return -x[0]*x[0] + x[1]*x[1] - math.Pow(x[1], 4) }, []float64{1, 0}, nil, ErrNotPositiveDefinite, "saddle"},
		"constant":       {func([]float64) float64 { return 1 }, []float64{0}, nil, ErrNotPositiveDefinite, "flat"},
		"quartic":        {func(x []float64) float64 { return -math.Pow(x[0], 4) }, []float64{0}, nil, ErrNotPositiveDefinite, "curvature"},
		"exponential": {func(x []float64) float64 {
			if x[1] < 0 {
				return inf
			}
			return -x[1] - x[0]*x[0]
		}, []float64{1, 1}, nil, ErrBoundary, "coordinate 2"},
		"half normal": {func(x []float64) float64 {
			if x[0] < 1 {
				return inf
			}
			return -x[0] * x[0]
		}, []float64{3}, nil, ErrBoundary, "coordinate 1, at 1"},
		"beta(1, 3) from the right": {func(x []float64) float64 {
			if x[0] <= 0 || x[0] >= 1 {
				return math.NaN()
			}
			return 2 * math.Log(x[0])
		}, []float64{0.5}, nil, ErrBoundary, "coordinate 1, at 1"},
		"no mode":     {func(x []float64) float64 { return x[0] }, []float64{0}, nil, ErrBoundary, "without end"},
		"x0 outside":  {func(x []float64) float64 { return inf }, []float64{2}, nil, ErrNotFinite, "x0 = [2]"},
		"x0 NaN":      {func(x []float64) float64 { return 0 }, []float64{math.NaN()}, nil, ErrNotFinite, "x0"},
		"no x0":       {func(x []float64) float64 { return 0 }, nil, nil, ErrShape, "x0"},
		"no density":  {nil, []float64{1}, nil, ErrSetting, "nil"},
		"scales":      {func(x []float64) float64 { return 0 }, []float64{1}, &LaplaceSettings{Scale: []float64{1, 2}}, ErrShape, "2 scales"},
		"scale":       {func(x []float64) float64 { return 0 }, []float64{1}, &LaplaceSettings{Scale: []float64{0}}, ErrSetting, "scale 1"},
		"iterations":  {func(x []float64) float64 { return 0 }, []float64{1}, &LaplaceSettings{MaxIterations: -1}, ErrSetting, "-1"},
		"NaN hessian": {func(x []float64) float64 { return -x[0] * x[0] }, []float64{1}, &LaplaceSettings{Hess: func(h *mat.SymDense, _ []float64) { h.SetSym(0, 0, math.NaN()) }}, ErrNotFinite, "(1, 1)"},
		"too few": {func(x []float64) float64 { return -math.Pow(x[0]*x[0]+x[1]-11, 2) - math.Pow(x[0]+x[1]*x[1]-7, 2) }, []float64{-100, 40},
			&LaplaceSettings{MaxIterations: 1}, ErrNotConverged, "1 iterations"},
	} {
		a, err := Laplace(c.f, c.x0, c.set)
		if err == nil {
			t.Errorf("%s: not refused: %+v", name, a)
			continue
		}
		if (c.want != nil && !errors.Is(err, c.want)) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
		if errors.As(err, &hess) && math.Abs(math.Hypot(1, 0)-norm(hess.Direction)) > 1e-12 {
			t.Errorf("%s: direction %v is not of unit length", name, hess.Direction)
		}
	}
	if _, err := Laplace1D(nil, 0, nil); !errors.Is(err, ErrSetting) {
		t.Error(err)
	}
	stop := errors.New("stop")
	_, err := Laplace1D(func(x float64) float64 { return -math.Cosh(x) }, 3, &LaplaceSettings{Progress: func(done, total float64) error {
		if done != 1 || total != 1000 {
			t.Errorf("progress %v of %v", done, total)
		}
		return stop
	}})
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}

func norm(v []float64) float64 { return math.Sqrt(gram.Squares(v)) }
