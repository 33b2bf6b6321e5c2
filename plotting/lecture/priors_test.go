package lecture

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func TestGoldenNormalLaplace(t *testing.T) {
	f := get(NormalLaplace(1))(t)
	checkImage(t, "normallaplace", f)
}

func TestGoldenOccamsRazor(t *testing.T) {
	f := get(OccamsRazor(0.25, 1, 6))(t)
	checkImage(t, "occamsrazor", f)
}

// The strip changes its color where the densities cross: at z^2 = s (s + r) log(1 + r/s)/r
// for s = sigma^2, r = tau^2.
func TestOccamStrip(t *testing.T) {
	const s, r = 0.25, 1.0
	pieces := strip([]distuv.Normal{{Sigma: math.Sqrt(s)}, {Sigma: math.Sqrt(s + r)}}, 3)
	if len(pieces) != 3 {
		t.Fatalf("%d pieces", len(pieces))
	}
	want := math.Sqrt(s * (s + r) * math.Log1p(r/s) / r)
	if got := pieces[1].(plotting.Line).X[1]; math.Abs(got-want) > 6./800 {
		t.Errorf("the strip changes at %v, the densities cross at %v", got, want)
	}
}

func TestPriorErrors(t *testing.T) {
	if _, err := OccamsRazor(1); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := OccamsRazor(1, 0); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := NormalLaplace(0); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}
