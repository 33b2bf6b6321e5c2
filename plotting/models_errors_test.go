package plotting

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func TestGoldenExpectedErrors(t *testing.T) {
	df := wave(t)
	d := get(frames.Design(df, "y ~ poly(x, 10)"))(t)
	x := get(frames.Floats(df, "x"))(t)
	truth := make([]float64, len(x))
	for i := range x {
		truth[i] = fullWave(x[i])
	}
	path := get(mlreg.ExpectedErrorPath(d, truth, 0.09))(t)
	p := get(ExpectedErrors(Labels{Title: "Polynomials", X: "degree"}, path))(t)
	checkImage(t, "expectederrors", Sized(p, 5, 3.2))
}

// A ring marks the smallest value inside, and the zero has no place on a
// logarithmic axis.
func TestGoldenErrorCurves(t *testing.T) {
	p := get(ErrorCurves(Labels{Title: "Errors", X: "λ", Y: "squared error"}, []float64{0.01, 0.1, 1, 10, 100},
		[]ErrorCurve{
			{Name: "training", Values: []float64{0, 0.002, 0.001, 0.5, 1}, NoMinimum: true},
			{Name: "test", Values: []float64{20, math.Inf(1), 0.3, 0.7, 1.2}},
		}, LogX{}, LogY{}))(t)
	checkImage(t, "errorcurves", Sized(p, 5, 3.2))
}

func TestErrorCurvesErrors(t *testing.T) {
	x := []float64{1, 2}
	for name, c := range map[string]struct {
		curves []ErrorCurve
		layers []Layer
		want   error
	}{
		"none":     {nil, nil, mlreg.ErrNoData},
		"length":   {[]ErrorCurve{{Name: "a", Values: []float64{1}}}, nil, mlreg.ErrShape},
		"nothing":  {[]ErrorCurve{{Name: "a", Values: []float64{math.NaN(), math.Inf(1)}}}, nil, mlreg.ErrNoData},
		"negative": {[]ErrorCurve{{Name: "a", Values: []float64{0, -1}}}, []Layer{LogY{}}, mlreg.ErrNoData},
	} {
		if _, err := ErrorCurves(Labels{}, x, c.curves, c.layers...); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ExpectedErrors(Labels{}, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}
