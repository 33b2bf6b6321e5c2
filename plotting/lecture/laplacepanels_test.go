package lecture

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestGoldenLaplacePanels(t *testing.T) {
	logGamma := func(x float64) float64 { return 4*math.Log(x) - x }
	a := get(mlreg.Laplace1D(logGamma, 3, nil))(t)
	f := get(LaplacePanels(logGamma, a, 0.3, 13))(t)
	checkImage(t, "laplacepanels", f)
	two := get(mlreg.Laplace(func(x []float64) float64 { return -x[0]*x[0] - x[1]*x[1] }, []float64{1, 1}, nil))(t)
	if _, err := LaplacePanels(logGamma, two, 0, 1); !errors.Is(err, mlreg.ErrShape) {
		t.Error(err)
	}
	if _, err := LaplacePanels(logGamma, a, 2, 1); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := LaplacePanels(nil, a, 1, 2); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}
