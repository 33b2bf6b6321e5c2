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

// What would take more memory than the bound is refused before it is taken, with its size
// and what to do.
func TestSizesAreChecked(t *testing.T) {
	src := rand.NewPCG(1, 2)
	d := randomDesign(t, 1, 20, 2)
	tall := &Design{X: mat.NewDense(16385, 1, nil), Y: make([]float64, 16385), Names: []string{"x"}}
	bayes := get(FitBayes(d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil))(t)
	const huge = 1 << 40
	for name, f := range map[string]func() error{
		"KFold":               func() error { return errorOf(KFold(huge, 2, src)) },
		"LeaveOneOut":         func() error { return errorOf(LeaveOneOut(huge)) },
		"RandomValidationSet": func() error { return errorOf(RandomValidationSet(huge, 3, src)) },
		"RandomParts":         func() error { return errorOf(RandomParts(huge, src, 0.5, 0.5)) },
		"HatMatrix":           func() error { return errorOf(HatMatrix(tall)) },
		"ResidualMaker":       func() error { return errorOf(ResidualMaker(tall)) },
		"SampleModels":        func() error { return errorOf(SampleModels(d, BICScore{}, src, &SampleModelsSettings{Sweeps: huge})) },
		"Sample":              func() error { _, _, err := bayes.Sample(huge, src); return err },
		"SampleFunctions": func() error {
			return errorOf(bayes.SampleFunctions(d, 1<<26, src))
		},
		"RepeatCV":         func() error { return errorOf(RepeatCV(huge, src, nil)) },
		"FitLassoPath":     func() error { return errorOf(FitLassoPath(d, &PathSettings{Count: huge})) },
		"FitRidgePath":     func() error { return errorOf(FitRidgePath(d, &RidgePathSettings{Count: huge})) },
		"NewPowers":        func() error { return errorOf(NewPowers(huge)) },
		"NewFourier":       func() error { return errorOf(NewFourier(1, math.MaxInt)) },
		"NewRandomCosines": func() error { return errorOf(NewRandomCosines(huge, huge, 1, src)) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := f(); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "most") {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes", name, took)
		}
	}
	wantError(t, "a fold of a row that is not there", errorOf(NewFolds([]int{0, huge})), ErrNoData, "row 2")
	if h := get(HatMatrix(&Design{X: tall.X.Slice(0, 100, 0, 1).(*mat.Dense), Y: tall.Y[:100], Names: tall.Names}))(t); h.SymmetricDim() != 100 {
		t.Error("a hat matrix of 100 rows is not too large")
	}
}

// Powers of any exponent end, and those by squares agree with those by products.
func TestPowerOfAnyExponent(t *testing.T) {
	for _, k := range []int{math.MinInt, -3, 0, 1, mostMultiplied + 1, math.MaxInt} {
		for _, x := range []float64{0, 1, -1, 2, 0.5, math.Nextafter(1, 2), math.Inf(1), math.NaN(), 5e-324} {
			hi, lo := Power(x, k)
			if want := math.Pow(x, float64(k)); math.Abs(hi-want) > 1e-9*math.Abs(want) && !(math.IsNaN(hi) && math.IsNaN(want)) && k != math.MaxInt || lo-lo != 0 {
				t.Errorf("%v^%d: %v, %v", x, k, hi, lo)
			}
		}
	}
	for _, x := range []float64{1.0001, -0.9997} {
		above, low := Power(x, mostMultiplied+1)
		below, belowLow := Power(x, mostMultiplied)
		near(t, "one product more", above+low, (below+belowLow)*x, 1e-12)
		if low == 0 || math.Abs(low) > 1.2e-16*math.Abs(above) {
			t.Errorf("%v: low part %v of %v", x, low, above)
		}
	}
}
