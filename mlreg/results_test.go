package mlreg

import (
	"bytes"
	"encoding/gob"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// result is a fit, or sums.
type result interface {
	Response() string
	NObs() int
}

// resultData are 30 rows, six of weight zero, for everyResult: d with a number for
// response, labels with one of two classes, and features, which are 0 or 1.
func resultData(t *testing.T) (d, labels, features *Design) {
	raw := randomDesign(t, 4, 30, 3)
	raw.Response = "height"
	raw.Weights = make([]float64, 30)
	for i := range raw.Weights {
		raw.Weights[i] = float64(i % 5)
	}
	d = get(raw.Standardize(nil))(t)
	labels, features = get(raw.Standardize(nil))(t), get(raw.Rescale(nil))(t)
	labels.Y = make([]float64, 30)
	features.X = mat.NewDense(30, 3, nil)
	for i := range labels.Y {
		labels.Y[i] = float64(i % 2)
		features.X.Set(i, i%3, 1)
	}
	features.Y = labels.Y
	return d, labels, features
}

// everyResult returns one result of every type.
func everyResult(t *testing.T, d, labels, features *Design) []result {
	src := func() rand.Source { return rand.NewPCG(1, 2) }
	ols := get(FitOLS(d, nil))(t)
	enumeration := get(EnumerateModels(d, BICScore{}, &EnumerateSettings{Average: true}))(t)
	return []result{
		ols,
		get(ols.Robust(d, HC3))(t),
		get(d.Moments())(t),
		get(FitBayes(d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil))(t),
		get(NewEvidenceSurface(d, nil))(t),
		enumeration,
		get(enumeration.ModelAverage())(t),
		get(SampleModels(d, BICScore{}, src(), &SampleModelsSettings{Sweeps: 100, Average: true}))(t),
		get(CertifyModels(d, BICScore{}, src(), &CertifySettings{Nodes: 3, Proposals: 1000, Draws: 3}))(t),
		get(FitBestSubsets(d, nil))(t),
		get(FitStepwise(d, nil))(t),
		get(FitGreedy(d, nil))(t),
		get(FitRidge(d, 1, nil))(t),
		get(FitRidgePath(d, nil))(t),
		get(FitPCR(d, 2, nil))(t),
		get(FitLasso(d, 1, nil))(t),
		get(FitElasticNetPath(d, 0.5, nil))(t),
		get(FitRelaxedLasso(d, 1, 0.5, nil))(t),
		get(FitRelaxedLassoPath(d, 0.5, nil))(t),
		get(FitLARS(d, nil))(t),
		get(ShootingAlgorithm(d, 1, nil))(t),
		get(FitLogistic(labels, nil))(t),
		get(FitLogisticPath(labels, 1, nil))(t),
		get(FitLogisticElasticNet(labels, 1, 1, nil))(t),
		get(FitBayesLogistic(labels, GaussianPrior{Tau2: 1}, nil))(t),
		get(FitGLM(labels, Binomial, nil))(t),
		get(FitBayesGLM(labels, Binomial, GaussianPrior{Tau2: 1}, nil))(t),
		get(FitGLMPath(labels, Binomial, 1, nil))(t),
		get(FitGLMPath(labels, Binomial, 1, nil))(t).Fit(30),
		get(FitMultinomial(labels, nil))(t),
		get(FitMultinomialPath(labels, 1, nil))(t),
		get(FitMultinomialPath(labels, 1, nil))(t).Fit(30),
		get(FitNaiveBayes(features, 1, nil))(t),
	}
}

// Every result names its response and its terms, counts its observations, and
// has its scaling if it has coefficients; all of it survives gob.
func TestResultsSayWhatTheyAreOf(t *testing.T) {
	d, labels, features := resultData(t)
	for _, f := range everyResult(t, d, labels, features) {
		name := reflect.TypeOf(f).Elem().Name()
		var buf bytes.Buffer
		back := reflect.New(reflect.TypeOf(f).Elem()).Interface().(result)
		if err := gob.NewEncoder(&buf).Encode(f); err != nil {
			t.Fatal(name, err)
		}
		if err := gob.NewDecoder(&buf).Decode(back); err != nil {
			t.Fatal(name, err)
		}
		for _, f := range []result{f, back} {
			if f.Response() != "height" || f.NObs() != 24 {
				t.Errorf("%s is of %d values of %q", name, f.NObs(), f.Response())
			}
			var terms []string
			switch f := f.(type) {
			case *MultinomialPath: // "class:term"
				for _, name := range f.Terms() {
					_, term, _ := strings.Cut(name, ":")
					terms = append(terms, term)
				}
			case interface{ Terms() []string }:
				terms = f.Terms()
			case interface{ Names() []string }:
				terms = f.Names()
			default:
				continue // the evidence of a prior of them all
			}
			if _, greedy := f.(*Greedy); greedy {
				slices.Sort(terms) // from the order chosen
			}
			if !slices.Equal(terms[len(terms)-3:], d.Names) {
				t.Errorf("%s is of the terms %v", name, terms)
			}
			switch f := f.(type) {
			case interface{ Scaling() *Scaling }:
				if !f.Scaling().equal(d.Scaling, 3) && name != "Greedy" {
					t.Errorf("%s has lost the scaling", name)
				}
			case *NaiveBayes, *Subsets, *Stepwise, *Enumeration, *ModelSample, *CertifiedModels: // probabilities, and models to refit
			default:
				t.Errorf("%s has no scaling", name)
			}
		}
	}
}

// A slope of zero has no sign.
func TestNoNegativeZero(t *testing.T) {
	for seed := range uint64(20) {
		d := randomDesign(t, seed, 8, 3)
		for i := range 8 {
			d.X.Set(i, int(seed)%3, 4)
			d.Y[i] = math.Round(d.Y[i])
		}
		shooting := get(ShootingAlgorithm(d, 0.5, nil))(t)
		for name, slopes := range map[string][]float64{
			"ridge":             get(FitRidge(d, 0.5, nil))(t).Slopes(),
			"shooting":          shooting.Slopes(),
			"shooting's start":  shooting.Trace().RawRowView(0),
			"lasso":             get(FitLasso(d, 0.5, nil))(t).Slopes(),
			"relaxed lasso":     get(FitRelaxedLasso(d, 0.5, 0.5, nil))(t).Slopes(),
			"principal columns": get(FitPCR(d, 1, nil))(t).Slopes(),
		} {
			for _, b := range slopes {
				if b == 0 && math.Signbit(b) {
					t.Errorf("seed %d: %s has the slopes %v", seed, name, slopes)
				}
			}
		}
	}
}
