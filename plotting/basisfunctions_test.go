package plotting

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func TestGoldenBasisFunctions(t *testing.T) {
	df := wave(t)
	f := curve(t, df, "y ~ bs(x, df = 6)")
	p := get(BasisFunctions(f.Design, df, &CurveSettings{Title: "B-splines"}))(t)
	checkImage(t, "basisfunctions", Sized(p, 5, 3.2))
}

func TestGoldenWeightedBasis(t *testing.T) {
	df := wave(t)
	f := curve(t, df, "y ~ rbf(x, centers = 5, width = 0.2)")
	p := get(WeightedBasis(f.Fit.(*mlreg.OLS), f.Design, df, &CurveSettings{Truth: fullWave}))(t)
	checkImage(t, "weightedbasis", Sized(p, 5, 3.2))
}

// The intercept and the curves add up to the prediction; aliased terms have
// none.
func TestWeightedColumns(t *testing.T) {
	df := wave(t)
	f := curve(t, df, "y ~ fourier(x, period = 1, order = 2)")
	v, line, err := f.line(df, CurveSettings{})
	if err != nil {
		t.Fatal(err)
	}
	fit := f.Fit.(*mlreg.OLS)
	parts := v.columns(f.Design.Names, fit.Slopes())
	for i, want := range line.(Line).Y {
		sum := fit.Intercept()
		for _, l := range parts {
			sum += l.(Line).Y[i]
		}
		if math.Abs(sum-want) > 1e-12 {
			t.Fatalf("at %v the parts add up to %v, the fit is %v", v.at[i], sum, want)
		}
	}
	if got := len(v.columns(f.Design.Names, []float64{1, math.NaN(), 2, 3})); got != 3 {
		t.Errorf("%d curves for three weights", got)
	}
}

func TestBasisErrors(t *testing.T) {
	df := wave(t)
	f := curve(t, df, "y ~ poly(x, 3)")
	fit := f.Fit.(*mlreg.OLS)
	if _, err := BasisFunctions(nil, df, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := WeightedBasis(nil, f.Design, df, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	zero := *f.Design
	zero.RowNumbers = make([]int, zero.NObs())
	if _, err := BasisFunctions(&zero, df, nil); !errors.Is(err, mlreg.ErrShape) || !strings.Contains(err.Error(), "number 0") {
		t.Error(err)
	}
	for _, formula := range []string{"y ~ x", "y ~ poly(x, 4)", "y ~ bs(x, df = 3)"} {
		d := get(frames.Design(df, formula))(t)
		if _, err := WeightedBasis(fit, d, df, nil); err == nil {
			t.Errorf("a fit of poly(x, 3) drawn on %s", formula)
		}
	}
}
