package plotting

import (
	"errors"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestGoldenCoefDensities(t *testing.T) {
	fit := get(mlreg.FitBayes(weak(t), mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))(t)
	f := get(CoefDensities(fit, 0.95))(t)
	checkImage(t, "coefdensities", f)
	if _, err := CoefDensities(fit, 0.95, "x9"); !errors.Is(err, mlreg.ErrShape) {
		t.Error(err)
	}
	if _, err := CoefDensities(fit, 95); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := CoefDensities(nil, 0.95); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}
