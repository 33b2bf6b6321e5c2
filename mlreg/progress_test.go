package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
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
	whole := get(FitOLS(d, nil))(t)
	type told = func(done, total float64) error
	for name, run := range map[string]func(told) (any, error){
		"EnumerateModels": func(p told) (any, error) {
			return orNil(EnumerateModels(d, BICScore{}, &EnumerateSettings{Progress: p}))
		},
		"SampleModels": func(p told) (any, error) {
			return orNil(SampleModels(d, BICScore{}, rand.NewPCG(1, 2), &SampleModelsSettings{Sweeps: 200, Progress: p}))
		},
		"CertifyModels": func(p told) (any, error) {
			return orNil(CertifyModels(wide, ZellnerG{}, rand.NewPCG(1, 2), &CertifySettings{Nodes: 40, Proposals: 1 << 15, Progress: p}))
		},
		"FitBestSubsets": func(p told) (any, error) {
			return orNil(FitBestSubsets(wide, &SubsetSettings{Progress: p}))
		},
		"CrossValidate": func(p told) (any, error) { return orNil(CrossValidate(d, folds, fit, &CVSettings{Progress: p})) },
		"FitLassoCV":    func(p told) (any, error) { return orNil(FitLassoCV(d, folds, nil, &CVSettings{Progress: p})) },
		"FitRidgeCV":    func(p told) (any, error) { return orNil(FitRidgeCV(d, folds, nil, &CVSettings{Progress: p})) },
		"FitLassoPath":  func(p told) (any, error) { return orNil(FitLassoPath(d, &PathSettings{Progress: p})) },
		"path of a CV":  func(p told) (any, error) { return orNil(FitLassoCV(d, folds, &PathSettings{Progress: p}, nil)) },
		"FitLogisticPath": func(p told) (any, error) {
			return orNil(FitLogisticPath(classes, 1, &PathSettings{Count: 20, Progress: p}))
		},
		"FitMultinomialPath": func(p told) (any, error) {
			return orNil(FitMultinomialPath(classes, 1, &PathSettings{Count: 20, Progress: p}))
		},
		"Bootstrap": func(p told) (any, error) {
			return orNil(Bootstrap(d, MeanStatistic, rand.NewPCG(1, 2), &BootstrapSettings{Progress: p}))
		},
		"Bootstrap that chooses B": func(p told) (any, error) {
			return orNil(Bootstrap(d, MeanStatistic, rand.NewPCG(1, 2), &BootstrapSettings{LimitError: 0.02, MaxB: 4000, Progress: p}))
		},
		"BootstrapOLS": func(p told) (any, error) {
			return orNil(BootstrapOLS(d, rand.NewPCG(1, 2), &BootstrapSettings{B: 600, Progress: p}))
		},
		"BootstrapOLS, studentized": func(p told) (any, error) {
			return orNil(BootstrapOLS(d, rand.NewPCG(1, 2), &BootstrapSettings{B: 600, Studentize: true, Progress: p}))
		},
		"BootstrapFit": func(p told) (any, error) {
			return orNil(BootstrapFit(d, func(data Data) (*Ridge, error) { return FitRidge(data, 1, nil) }, rand.NewPCG(1, 2), &BootstrapSettings{B: 100, Progress: p}))
		},
		"BootstrapError": func(p told) (any, error) {
			return orNil(BootstrapError(d, func(d *Design) (any, error) { return FitOLS(d, nil) }, SquaredLoss, rand.NewPCG(1, 2), &BootstrapSettings{B: 100, Progress: p}))
		},
		"BootstrapTestError": func(p told) (any, error) {
			return orNil(BootstrapTestError(whole, d, SquaredLoss, rand.NewPCG(1, 2), &BootstrapSettings{B: 100, Progress: p}))
		},
		"SelectionStability": func(p told) (any, error) {
			return orNil(SelectionStability(d, func(*Design, rand.Source) ([]string, error) { return nil, nil }, rand.NewPCG(1, 2), &StabilitySettings{Progress: p}))
		},
		"CrossValidateNested": func(p told) (any, error) {
			return orNil(CrossValidateNested(d, folds, rand.NewPCG(1, 2), func(d *Design, f *Folds) (Chosen, error) { return FitRidgeCV(d, f, nil, nil) }, SquaredLoss, &NestedSettings{Progress: p}))
		},
		"FitGreedyCV": func(p told) (any, error) {
			return orNil(FitGreedyCV(d, folds, nil, &CVSettings{Progress: p}))
		},
		"Laplace": func(p told) (any, error) {
			return orNil(Laplace1D(func(x float64) float64 { return -math.Cosh(x) }, 3, &LaplaceSettings{Progress: p}))
		},
	} {
		last, total := 0.0, 0.0
		var result any
		var err error
		again := racy(func() {
			result, err = run(func(done, of float64) error {
				if !(done >= last && of >= done) {
					t.Errorf("%s: told %v of %v after %v", name, done, of, last)
				}
				last, total = done, of
				return nil
			})
		})
		if err != nil || result == nil {
			t.Errorf("%s: %v", name, err)
		}
		if last != total || last == 0 {
			t.Errorf("%s: ends with %v of %v", name, last, total)
		}
		if !again {
			continue
		}
		// At the end, at once, and between.
		for _, share := range []float64{1, 0, 0.3, 0.9} {
			stop, stopped := errors.New("stop"), false
			_, err := run(func(done, of float64) error {
				if stopped {
					t.Errorf("%s: told %v of %v after the error", name, done, of)
				}
				if done < share*of {
					return nil
				}
				stopped = true
				return stop
			})
			if !errors.Is(err, stop) {
				t.Errorf("%s: stopped from %v on: %v", name, share, err)
			}
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
