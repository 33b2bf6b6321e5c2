package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/internal/expect"
)

// What reports its progress reports all of it, in order, and ends with the
// first error.
func TestProgress(t *testing.T) {
	d, wide := randomDesign(t, 7, 60, 6), randomDesign(t, 6, 70, 28)
	classes := get(NewDesign(d.X, make([]float64, 60)))(t)
	for i := range classes.Y {
		if d.Y[i] > 2 {
			classes.Y[i] = 1
		}
	}
	rnd := rand.New(rand.NewPCG(6, 6))
	for i := range wide.Y {
		wide.Y[i] = rnd.NormFloat64() // nothing to find: the search takes its time
	}
	folds := get(KFold(60, 5, rand.NewPCG(1, 1)))(t)
	fit := func(train *Design) ([]*OLS, error) {
		f, err := FitOLS(train, nil)
		return []*OLS{f}, err
	}
	for name, run := range map[string]func(expect.Told) (any, error){
		"EnumerateModels": func(p expect.Told) (any, error) {
			return orNil(EnumerateModels(d, BICScore{}, &EnumerateSettings{Progress: p}))
		},
		"SampleModels": func(p expect.Told) (any, error) {
			return orNil(SampleModels(d, BICScore{}, rand.NewPCG(1, 2), &SampleModelsSettings{Sweeps: 200, Progress: p}))
		},
		"CertifyModels": func(p expect.Told) (any, error) {
			return orNil(CertifyModels(wide, ZellnerG{}, rand.NewPCG(1, 2), &CertifySettings{Nodes: 40, Proposals: 1 << 15, Progress: p}))
		},
		"FitBestSubsets": func(p expect.Told) (any, error) {
			return orNil(FitBestSubsets(wide, &SubsetSettings{Progress: p}))
		},
		"CrossValidate": func(p expect.Told) (any, error) { return orNil(CrossValidate(d, folds, fit, &CVSettings{Progress: p})) },
		"FitLassoCV":    func(p expect.Told) (any, error) { return orNil(FitLassoCV(d, folds, nil, &CVSettings{Progress: p})) },
		"FitRidgeCV":    func(p expect.Told) (any, error) { return orNil(FitRidgeCV(d, folds, nil, &CVSettings{Progress: p})) },
		"FitLassoPath":  func(p expect.Told) (any, error) { return orNil(FitLassoPath(d, &PathSettings{Progress: p})) },
		"path of a CV":  func(p expect.Told) (any, error) { return orNil(FitLassoCV(d, folds, &PathSettings{Progress: p}, nil)) },
		"FitLogisticPath": func(p expect.Told) (any, error) {
			return orNil(FitLogisticPath(classes, 1, &PathSettings{Count: 20, Progress: p}))
		},
		"FitMultinomialPath": func(p expect.Told) (any, error) {
			return orNil(FitMultinomialPath(classes, 1, &PathSettings{Count: 20, Progress: p}))
		},
		"CrossValidateNested": func(p expect.Told) (any, error) {
			return orNil(CrossValidateNested(d, folds, rand.NewPCG(1, 2), func(d *Design, f *Folds) (Chosen, error) { return FitRidgeCV(d, f, nil, nil) }, SquaredLoss, &NestedSettings{Progress: p}))
		},
		"FitGreedyCV": func(p expect.Told) (any, error) {
			return orNil(FitGreedyCV(d, folds, nil, &CVSettings{Progress: p}))
		},
		"Laplace": func(p expect.Told) (any, error) {
			return orNil(Laplace1D(func(x float64) float64 { return -math.Cosh(x) }, 3, &LaplaceSettings{Progress: p}))
		},
	} {
		if racy(func() { expect.TellsProgress(t, name, run) }) {
			expect.EndsByProgress(t, name, run)
		}
	}
}

// orNil makes a nil pointer a nil value.
func orNil[T any](result *T, err error) (any, error) {
	if result == nil {
		return nil, err
	}
	return result, err
}

// A cross-validation that is stopped is over the folds done by then.
func TestProgressStopsCrossValidation(t *testing.T) {
	d := randomDesign(t, 7, 60, 3)
	folds := get(KFold(60, 6, rand.NewPCG(1, 1)))(t)
	whole := get(FitLassoCV(d, folds, nil, nil))(t)
	stop := errors.New("stop")
	for at := 1.0; at <= 6; at++ {
		settings := &CVSettings{Progress: func(done, _ float64) error {
			if done == at {
				return stop
			}
			return nil
		}}
		part, err := FitLassoCV(d, folds, nil, settings)
		if !errors.Is(err, stop) || part == nil {
			t.Fatalf("stop at %v: %v, error %v", at, part, err)
		}
		if part.Folds() != int(at) || part.Planned() != 6 || part.Len() != whole.Len() {
			t.Errorf("stop at %v: %d folds of %d, %d candidates", at, part.Folds(), part.Planned(), part.Len())
		}
		// Every row of losses is one of the whole.
		for k := range part.Folds() {
			found := false
			for j := range whole.Folds() {
				found = found || part.FoldLoss().At(k, 5) == whole.FoldLoss().At(j, 5)
			}
			if !found {
				t.Errorf("stop at %v: losses of fold %d are of no fold", at, k)
			}
		}
		for j, se := range part.StdErr() {
			if !(se > 0) || !(part.Mean()[j] > 0) {
				t.Errorf("stop at %v: mean %v and standard error %v", at, part.Mean()[j], se)
			}
		}
		ridge, err := FitRidgeCV(d, folds, nil, settings)
		if !errors.Is(err, stop) || ridge == nil || ridge.Folds() != int(at) {
			t.Errorf("ridge, stop at %v: %v, error %v", at, ridge, err)
		}
	}
	// A path that is stopped is not cross-validated.
	part, err := FitLassoCV(d, folds, &PathSettings{Progress: func(_, _ float64) error { return stop }},
		&CVSettings{Progress: func(_, _ float64) error { t.Error("a fold is fitted"); return nil }})
	if !errors.Is(err, stop) || part != nil {
		t.Errorf("a path that is stopped: %v, error %v", part, err)
	}
}
