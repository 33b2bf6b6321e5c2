package datasets

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

// A draw that there is no room for is refused before memory or a file is taken.
func TestDrawsTooLarge(t *testing.T) {
	src := rand.NewPCG(1, 2)
	path := filepath.Join(t.TempDir(), "flights.csv")
	const huge = 1 << 40
	for name, err := range map[string]error{
		"NormalDesign":      second(NormalDesign(huge, 3, 0, src)),
		"SpikeSlabModel":    second(SpikeSlabModel(huge, 0.5, 1, 1, src)),
		"GroupedPredictors": second(GroupedPredictors(math.MaxInt, src)),
		"SimulateECoG":      second(SimulateECoG(huge, huge, math.MaxInt, src)),
		"DrivenPair":        second(DrivenPair(math.MaxInt, 1, src)),
		"GaussianClasses":   second(GaussianClasses{SD: [2]float64{1, 1}}.Draw(huge, src)),
		"WriteFlights":      WriteFlights(path, huge, src),
	} {
		if !errors.Is(err, mlreg.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a file was begun: %v", err)
	}
	if c := (CurveModel{}).Uniform(huge, 0, 1, src); c.X != nil {
		t.Error("a curve of 2^40 inputs")
	}
}

func second[T any](_ T, err error) error { return err }
