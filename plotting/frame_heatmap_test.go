package plotting

import (
	"errors"
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

func TestColorScale(t *testing.T) {
	white := color.NRGBA{255, 255, 255, 255}
	for _, c := range []struct {
		low, high, v float64
		want         color.NRGBA
	}{
		{-2, 1, 0, white}, {-2, 1, -2, Blue}, {-2, 1, 2, Vermillion}, // symmetric about 0
		{1, 3, 1, white}, {1, 3, 3, Blue}, {1, 3, 99, Blue}, {1, 3, -5, white},
		{-3, -1, -3, Blue}, {-3, 0, 0, white},
		{0, 0, 0, white}, {5, 5, 5, Blue}, {5, 5, 0, white},
	} {
		if got := newColorScale(c.low, c.high).at(c.v); got != c.want {
			t.Errorf("%v on [%v, %v] is %v, want %v", c.v, c.low, c.high, got, c.want)
		}
	}
	if got := newColorScale(0, 1).at(math.NaN()); got == white {
		t.Error("a missing value looks like zero")
	}
}

func TestHeatMapErrors(t *testing.T) {
	m := mat.NewDense(2, 3, nil)
	bad := mat.NewDense(1, 1, []float64{math.NaN()})
	inf := mat.NewDense(1, 2, []float64{0, math.Inf(1)})
	for name, c := range map[string]struct {
		m  mat.Matrix
		s  *HeatMapSettings
		is error
	}{
		"empty": {&mat.Dense{}, nil, mlreg.ErrNoData},
		"names": {m, &HeatMapSettings{Rows: []string{"a"}}, mlreg.ErrShape},
		"range": {m, &HeatMapSettings{Min: 2, Max: 1}, mlreg.ErrSetting},
		"nan":   {bad, nil, mlreg.ErrNotFinite},
		"inf":   {inf, nil, mlreg.ErrNotFinite},
	} {
		if _, err := HeatMap(c.m, c.s); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
}

func TestHeatMapOdd(t *testing.T) {
	one := mat.NewDense(1, 1, []float64{0})
	some := mat.NewDense(2, 2, []float64{1, math.NaN(), -3, 2})
	wide := mat.NewDense(3, 80, nil)
	wide.Set(1, 5, -1)
	for _, m := range []mat.Matrix{one, some, wide} {
		f := get(HeatMap(m, nil))(t)
		if _, err := f.PNG(); err != nil {
			t.Error(err)
		}
	}
}
