package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

func mustSurface(t testing.TB, data Data, settings *BayesSettings) *EvidenceSurface {
	t.Helper()
	e := get(NewEvidenceSurface(data, settings))(t)
	return e
}

// Every value of the surface is what FitBayes says, for rows, sums, more terms
// than rows, and a design that only the singular value decomposition resolves.
func TestEvidenceSurfaceIsFitBayes(t *testing.T) {
	tall := randomDesign(t, 20, 25, 4)
	tall.Weights = make([]float64, 25)
	for i := range tall.Weights {
		tall.Weights[i] = 0.5 + float64(i%3)
	}
	sums := get(tall.Moments())(t)
	poly := mat.NewDense(12, 6, nil)
	for i := range 12 {
		for j := range 6 {
			poly.Set(i, j, math.Pow(float64(i), float64(j+1)))
		}
	}
	steep := get(NewDesign(poly, tall.Y[:12]))(t)
	for name, data := range map[string]Data{"rows": tall, "sums": sums, "wide": randomDesign(t, 21, 6, 30), "polynomial": steep} {
		for _, settings := range []*BayesSettings{nil, underPrior} {
			e := mustSurface(t, data, settings)
			for _, noise := range []Noise{KnownVariance(0.7), InverseGamma{}, InverseGamma{2, 1}} {
				for _, tau2 := range []float64{1e-4, 0.3, 50} {
					got := get(e.LogEvidence(tau2, noise))(t)
					fit := mustBayes(t, data, GaussianPrior{Tau2: tau2}, noise, settings)
					near(t, name+": log evidence", got, fit.LogEvidence(), 1e-9)
					path := get(e.Path([]float64{tau2}, noise))(t)
					near(t, name+": lambda", path.Lambda[0], fit.Lambda(), 1e-14)
					near(t, name+": effective parameters", path.EffectiveParameters[0], fit.EffectiveParameters(), 1e-7)
					near(t, name+": RSS", path.RSS[0], fit.RSS(), 1e-7)
				}
			}
		}
	}
}

func TestEvidenceGradient(t *testing.T) {
	e := mustSurface(t, randomDesign(t, 22, 30, 5), nil)
	log := func(a, b float64) float64 {
		v := get(e.LogEvidence(math.Exp(a), KnownVariance(math.Exp(b))))(t)
		return v
	}
	const h = 1e-4
	for _, p := range [][2]float64{{0, 0}, {-3, 1}, {2, -1}} {
		a, b := p[0], p[1]
		ga, gb := e.Gradient(math.Exp(a), math.Exp(b))
		near(t, "derivative along log tau^2", ga, (log(a+h, b)-log(a-h, b))/(2*h), 1e-6)
		near(t, "derivative along log sigma^2", gb, (log(a, b+h)-log(a, b-h))/(2*h), 1e-6)
	}
}

// The zero of the gradient and MacKay's fixed point are the same place, with a
// certificate, and no neighbor is better.
func TestEvidenceMaximize(t *testing.T) {
	for name, data := range map[string]Data{"tall": randomDesign(t, 23, 40, 5), "wide": randomDesign(t, 24, 15, 30)} {
		for _, settings := range []*BayesSettings{nil, underPrior} {
			for _, known := range []float64{0, 1.2} {
				e := mustSurface(t, data, settings)
				a, err := e.Maximize(&MaximizeSettings{Sigma2: known})
				if err != nil {
					t.Fatal(name, err)
				}
				b, err := e.Maximize(&MaximizeSettings{Sigma2: known, Method: FixedPoint})
				if err != nil {
					t.Fatal(name, err)
				}
				near(t, name+": tau^2", a.Tau2, b.Tau2, 1e-9)
				near(t, name+": sigma^2", a.Sigma2, b.Sigma2, 1e-9)
				near(t, name+": effective parameters", a.EffectiveParameters, b.EffectiveParameters, 1e-9)
				for _, m := range []*MaxEvidence{a, b} {
					for _, g := range m.Gradient {
						if math.Abs(g) > 1e-9 {
							t.Errorf("%s: gradient %v", name, m.Gradient)
						}
					}
				}
				fit := mustBayes(t, data, GaussianPrior{Tau2: a.Tau2}, KnownVariance(a.Sigma2), settings)
				near(t, name+": evidence of the fit", fit.LogEvidence(), a.LogEvidence, 1e-10)
				for _, c := range []float64{0.9, 1.1} {
					for _, d := range []float64{0.9, 1, 1.1} {
						if known > 0 {
							d = 1
						}
						v, err := e.LogEvidence(c*a.Tau2, KnownVariance(d*a.Sigma2))
						if err != nil || v >= a.LogEvidence {
							t.Errorf("%s: evidence %v beside the maximum %v (%v)", name, v, a.LogEvidence, err)
						}
					}
				}
				path, err := e.Path([]float64{a.Tau2 / 2, a.Tau2, a.Tau2 * 2}, KnownVariance(a.Sigma2))
				if err != nil || path.Best != 1 || path.AtEdge {
					t.Errorf("%s: path %+v, %v", name, path, err)
				}
			}
		}
	}
}

// scikit-learn's BayesianRidge, see testdata/evidence_sklearn.py.
func TestEvidenceScikitLearn(t *testing.T) {
	var want struct {
		Sigma2, Tau2, LogEvidence float64
		Coef                      []float64
	}
	readJSON(t, "evidence_sklearn.json", &want)
	train, _ := prostate(t)
	d := get(train.Standardize(nil))(t)
	var mean float64
	for _, y := range d.Y {
		mean += y / 67
	}
	centered := *d
	centered.NoIntercept = true
	centered.Y = make([]float64, 67)
	for i, y := range d.Y {
		centered.Y[i] = y - mean
	}
	got := get(mustSurface(t, &centered, nil).Maximize(nil))(t)
	near(t, "sigma^2", got.Sigma2, want.Sigma2, 1e-9)
	near(t, "tau^2", got.Tau2, want.Tau2, 1e-9)
	near(t, "log evidence", got.LogEvidence, want.LogEvidence, 1e-10)
	fit := mustBayes(t, &centered, GaussianPrior{Tau2: got.Tau2}, KnownVariance(got.Sigma2), nil)
	nearAll(t, "coefficients", fit.Coef(), want.Coef, 1e-9)
}

func TestEvidenceBoundary(t *testing.T) {
	rnd := rand.New(rand.NewPCG(25, 1))
	x := standardNormal(20, 2, rnd)
	exact, noSlope := make([]float64, 20), make([]float64, 20)
	for i := range exact {
		exact[i] = 1 + 2*x.At(i, 0) - x.At(i, 1)
		noSlope[i] = 5 + 0.01*math.Pow(-1, float64(i))
	}
	flat := make([]float64, 20)
	for i := range flat {
		flat[i] = 3
	}
	design := func(y []float64) *Design {
		d := get(NewDesign(x, y))(t)
		return d
	}
	// Residuals of the least-squares fit of noise have no slope in x at all.
	ols := get(FitOLS(design(noSlope), nil))(t)
	residual := get(ols.Residuals(design(noSlope)))(t)
	for _, method := range []EvidenceMethod{ProfileGradient, FixedPoint} {
		set := &MaximizeSettings{Method: method}
		got, err := mustSurface(t, design(residual), nil).Maximize(set)
		var boundary *BoundaryError
		if !errors.As(err, &boundary) || !errors.Is(err, ErrBoundary) || boundary.Parameter != "tau^2" {
			t.Fatalf("no slopes: %+v, %v", got, err)
		}
		if got.Tau2 != 0 || got.EffectiveParameters != 0 || !math.IsInf(got.Lambda, 1) {
			t.Errorf("no slopes: %+v", got)
		}
		near(t, "sigma^2 without slopes", got.Sigma2, gram.Squares(residual)/19, 1e-10)

		got, err = mustSurface(t, design(exact), nil).Maximize(set)
		if !errors.As(err, &boundary) || boundary.Parameter != "sigma^2" || !math.IsInf(boundary.LogEvidence, 1) {
			t.Fatalf("exact fit: %+v, %v", got, err)
		}
		near(t, "tau^2 of an exact fit", got.Tau2, (4.+1)/2, 1e-8)

		if _, err = mustSurface(t, design(flat), nil).Maximize(set); !errors.Is(err, ErrConstant) {
			t.Errorf("constant response: %v", err)
		}
		// A known variance has a maximum where the data are exact.
		set.Sigma2 = 1
		if _, err = mustSurface(t, design(exact), nil).Maximize(set); err != nil {
			t.Error(err)
		}
	}
	path, err := mustSurface(t, design(residual), nil).Path([]float64{1, 0.1, 0.01}, InverseGamma{})
	if err != nil || !path.AtEdge {
		t.Errorf("the largest evidence is at the edge: %+v, %v", path, err)
	}
	_, err = mustSurface(t, randomDesign(t, 1, 20, 3), nil).Maximize(&MaximizeSettings{Method: FixedPoint, MaxIterations: 2})
	var slow *ConvergenceError
	if !errors.As(err, &slow) || slow.Iterations != 2 {
		t.Errorf("two iterations: %v", err)
	}
	constant := get(NewDesign(mat.NewDense(3, 1, []float64{1, 1, 1}), []float64{1, 2, 3}))(t)
	if _, err := NewEvidenceSurface(constant, nil); !errors.Is(err, ErrConstant) {
		t.Error(err)
	}
}

func TestEvidenceRefuses(t *testing.T) {
	e := mustSurface(t, randomDesign(t, 26, 10, 2), nil)
	for _, tau2 := range []float64{0, -1, math.Inf(1), math.NaN()} {
		if _, err := e.LogEvidence(tau2, KnownVariance(1)); !errors.Is(err, ErrSetting) {
			t.Errorf("tau^2 = %v: %v", tau2, err)
		}
	}
	_, noise := e.LogEvidence(1, nil)
	_, sigma2 := e.LogEvidence(1, KnownVariance(0))
	_, grid := e.Path(nil, KnownVariance(1))
	_, known := e.Maximize(&MaximizeSettings{Sigma2: -1})
	_, method := e.Maximize(&MaximizeSettings{Method: 7})
	_, most := e.Maximize(&MaximizeSettings{MaxIterations: -1})
	for i, err := range []error{noise, sigma2, grid, known, method, most} {
		if !errors.Is(err, ErrSetting) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	if a, b := e.Gradient(0, 1); !math.IsNaN(a) || !math.IsNaN(b) {
		t.Error("gradient at tau^2 = 0")
	}
	if _, err := NewEvidenceSurface(nil, nil); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
}

func TestCompareFamilies(t *testing.T) {
	rows := get(CompareFamilies([]Family{{"a", -1000, 1}, {"b", -1000 - math.Log(3), 1}, {"c", math.Inf(-1), 2}, {"d", -10, 0}}))(t)
	for i, want := range []float64{0.75, 0.25, 0, 0} {
		near(t, "posterior probability", rows[i].PostProb, want, 1e-13)
	}
	near(t, "prior", rows[2].Prior, 0.5, 1e-15)
	near(t, "log Bayes factor", rows[1].LogBayesFactor, -990-math.Log(3), 1e-13)
	equal, err := CompareFamilies([]Family{{Name: "a", LogEvidence: 2}, {Name: "b", LogEvidence: 2}})
	if err != nil || equal[0].PostProb != 0.5 || equal[1].Prior != 0.5 {
		t.Error(equal, err)
	}
	for name, families := range map[string][]Family{
		"no family": nil, "NaN": {{"x", math.NaN(), 1}}, "infinite": {{"x", math.Inf(1), 1}},
		"prior": {{"x", 1, -1}}, "none possible": {{"x", math.Inf(-1), 1}, {"y", 0, 0}},
	} {
		if _, err := CompareFamilies(families); err == nil || (name == "NaN" && !strings.Contains(err.Error(), `"x"`)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// likelihood is a Likelihood with given numbers.
type likelihood struct {
	log  float64
	d, n int
}

func (l likelihood) LogLik() float64 { return l.log }
func (l likelihood) Parameters() int { return l.d }
func (l likelihood) NObs() int       { return l.n }

// The model parts of the lecture's tables of description lengths, and their
// sums.
func TestDescriptionLength(t *testing.T) {
	for _, c := range []struct {
		data         float64
		d            int
		model, score float64
	}{{16.36, 3, 9.97, -26.33}, {15.77, 4, 13.29, -29.06}, {58.56, 3, 9.97, -68.53}, {38.05, 4, 13.29, -51.34}} {
		length := DescriptionLength(likelihood{-c.data * math.Ln2, c.d, 100})
		if round := math.Round(length.Model*100) / 100; round != c.model {
			t.Errorf("%d parameters take %v bits, want %v", c.d, length.Model, c.model)
		}
		near(t, "data", length.Data, c.data, 1e-14)
		if math.Abs(-length.Total()-c.score) > 0.0101 { // the table adds rounded numbers
			t.Errorf("score %v, want %v", -length.Total(), c.score)
		}
	}
	near(t, "1.5 log2 100", DescriptionLength(likelihood{0, 3, 100}).Model, 9.965784284662087, 1e-15)
	near(t, "2 log2 100", DescriptionLength(likelihood{0, 4, 100}).Model, 13.287712379549449, 1e-15)

	train, test := prostate(t)
	for _, settings := range []*OLSSettings{nil, {Sigma2: 0.5}} {
		ols := get(FitOLS(train, settings))(t)
		bits := get(Surprise(ols, train))(t)
		var sum float64
		for _, b := range bits {
			sum += b
		}
		near(t, "sum of surprises", sum, DescriptionLength(ols).Data, 1e-12)
		near(t, "total is BIC in bits", DescriptionLength(ols).Total(), BIC(ols)/(2*math.Ln2), 1e-13)
		near(t, "evidence by BIC", LogEvidenceBIC(ols), -BIC(ols)/2, 1e-15)
	}
	fit := mustBayes(t, train, GaussianPrior{Tau2: 1}, InverseGamma{}, nil)
	bits, err := Surprise(fit, test)
	if err != nil || len(bits) != test.NObs() {
		t.Fatal(err)
	}
	test.Y = nil
	if _, err := Surprise(fit, test); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
}

// BIC is the evidence up to a constant: what lies between them does not grow
// with n, as each half log n of a parameter miscounted would (by 1.15).
func TestBICApproximatesEvidence(t *testing.T) {
	all := randomDesign(t, 27, 5000, 3)
	gap := func(n int) float64 {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		d := all.Rows(rows...)
		f := get(FitOLS(d, &OLSSettings{Sigma2: 1}))(t)
		return mustBayes(t, d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil).LogEvidence() - LogEvidenceBIC(f)
	}
	if a, b := gap(500), gap(5000); math.Abs(a-b) > 0.2 {
		t.Errorf("evidence less its approximation is %v at n = 500 and %v at n = 5000", a, b)
	}
}

// The average over the grid is that of the evidences of FitBayes.
func TestEvidenceLogAverage(t *testing.T) {
	d := randomDesign(t, 51, 10, 3)
	surface := get(NewEvidenceSurface(d, nil))(t)
	grid := []float64{0.1, 0.5, 3, 20}
	path := get(surface.Path(grid, InverseGamma{}))(t)
	mean := 0.
	for _, tau2 := range grid {
		fit := get(FitBayes(d, GaussianPrior{Tau2: tau2}, InverseGamma{}, nil))(t)
		mean += math.Exp(fit.LogEvidence()) / 4
	}
	near(t, "log of the mean", path.LogAverage(), math.Log(mean), 1e-10)
	if none := (&EvidencePath{}).LogAverage(); !math.IsNaN(none) {
		t.Errorf("of an empty path: %v", none)
	}
	far := EvidencePath{LogEvidence: []float64{-2000, -2000 + math.Log(3)}}
	near(t, "far from 1", far.LogAverage(), -2000+math.Log(2), 1e-12)
}
