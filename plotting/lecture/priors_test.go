package lecture

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestGoldenPriorDensities(t *testing.T) {
	f, err := PriorDensities(1, 0.25, 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "priordensities", f)
}

func TestGoldenNormalLaplace(t *testing.T) {
	f, err := NormalLaplace(1)
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "normallaplace", f)
}

func TestPriorErrors(t *testing.T) {
	if _, err := PriorDensities(1); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := PriorDensities(1, 1, -2); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := PriorDensities(math.NaN(), 1); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := NormalLaplace(0); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}
