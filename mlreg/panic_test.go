package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var errOwn = errors.New("of the user")

func ownPanic() { panic(errOwn) }

// A panic of a function of the user's can be recovered by the caller. What ran in a
// goroutine says where, and keeps value and stack.
func TestUserPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	d, labels, _ := resultData(t)
	wide := randomDesign(t, 6, 70, 24)
	folds := get(KFold(30, 5, rand.NewPCG(1, 1)))(t)
	fit := func(train *Design) ([]*OLS, error) { return []*OLS{get(FitOLS(train, nil))(t)}, nil }
	tell := func(_, _ float64) error { ownPanic(); return nil }
	cosh := func(x float64) float64 { return -math.Cosh(x) }
	calls := 0
	for where, run := range map[string]func(){
		"fold 0": func() {
			CrossValidate(d, folds, func(*Design) ([]*OLS, error) { ownPanic(); return nil, nil }, nil)
		},
		"fold 0 ": func() {
			CrossValidate(d, folds, fit, &CVSettings{Loss: func(_, _ float64) float64 { ownPanic(); return 0 }})
		},
		"fold 0  ": func() {
			CrossValidateSizes(d, folds, func(Data) ([]SubsetModel, error) { ownPanic(); return nil, nil })
		},
		"fold 0   ": func() {
			FitLassoCV(d, folds, nil, &CVSettings{Loss: func(_, _ float64) float64 { ownPanic(); return 0 }})
		},
		"fold 0    ": func() {
			FitRidgeCV(d, folds, nil, &CVSettings{Loss: func(_, _ float64) float64 { ownPanic(); return 0 }})
		},
		"CVSettings.Progress":   func() { CrossValidate(d, folds, fit, &CVSettings{Progress: tell}) },
		"CVSettings.Progress ":  func() { FitLassoCV(d, folds, nil, &CVSettings{Progress: tell}) },
		"CVSettings.Progress  ": func() { FitRidgeCV(d, folds, nil, &CVSettings{Progress: tell}) },
		"EnumerateSettings.Progress": func() {
			EnumerateModels(wide, BICScore{}, &EnumerateSettings{Progress: tell})
		},
		"SampleModelsSettings.Progress": func() {
			SampleModels(d, BICScore{}, rand.NewPCG(1, 2), &SampleModelsSettings{Sweeps: 200, Progress: tell})
		},
		"SubsetSettings.Progress": func() { FitBestSubsets(wide, &SubsetSettings{Progress: tell}) },
		// in the goroutine of the caller, as they are
		"    ": func() {
			Laplace1D(func(float64) float64 {
				if calls++; calls > 5 {
					ownPanic()
				}
				return -float64(calls * calls)
			}, 3, nil)
		},
		"     ": func() {
			Laplace1D(cosh, 3, &LaplaceSettings{Grad: func(_, _ []float64) { ownPanic() }})
		},
		"      ": func() { Laplace1D(cosh, 3, &LaplaceSettings{Progress: tell}) },
		"": func() {
			Laplace1D(cosh, 3, &LaplaceSettings{Hess: func(*mat.SymDense, []float64) { ownPanic() }})
		},
		" ":   func() { FitLassoPath(d, &PathSettings{Progress: tell}) },
		"  ":  func() { FitLogisticPath(labels, 1, &PathSettings{Progress: tell}) },
		"   ": func() { FitLassoCV(d, folds, &PathSettings{Progress: tell}, nil) },
	} {
		where = strings.TrimSpace(where)
		var got any
		func() {
			defer func() { got = recover() }()
			run()
		}()
		err, _ := got.(error)
		if where == "" {
			if err != errOwn {
				t.Errorf("panic with %v", got)
			}
			continue
		}
		p, ok := got.(*PanicError)
		if !ok || p.Value != errOwn || !errors.Is(p, errOwn) || !strings.Contains(string(p.Stack()), "mlreg.ownPanic") {
			t.Errorf("%s: panic with %v", where, got)
			continue
		}
		if p.Where != where && !strings.HasPrefix(where, "fold") || !strings.HasPrefix(p.Where, where[:4]) {
			t.Errorf("%s: said to be in %s", where, p.Where)
		}
		if !strings.Contains(p.Error(), "mlreg: panic in "+p.Where+": of the user\n") {
			t.Error(p)
		}
	}
}
