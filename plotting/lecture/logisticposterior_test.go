package lecture

import (
	"errors"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func TestGoldenLogisticPosterior(t *testing.T) {
	f := get(LogisticPosterior(girolami(t), mlreg.GaussianPrior{Tau2: 100}, &LogisticPosteriorSettings{
		Weights: [][]float64{{3, 1}, {4, 2}, {5, 3}, {7, 3}},
		Over:    plotting.Rect{XMin: -8, XMax: 16, YMin: -4, YMax: 8},
	}))(t)
	checkImage(t, "logisticposterior", f)
}

func TestLogisticPosteriorErrors(t *testing.T) {
	d := girolami(t)
	with := *d
	with.NoIntercept = false
	prior := mlreg.GaussianPrior{Tau2: 1}
	for name, c := range map[string]struct {
		d     *mlreg.Design
		prior mlreg.GaussianPrior
		s     *LogisticPosteriorSettings
		is    error
	}{
		"intercept":    {&with, prior, nil, mlreg.ErrShape},
		"weights":      {d, prior, &LogisticPosteriorSettings{Weights: [][]float64{{1}}}, mlreg.ErrShape},
		"zero weights": {d, prior, &LogisticPosteriorSettings{Weights: [][]float64{{0, 0}}}, mlreg.ErrSetting},
		"no design":    {nil, prior, nil, mlreg.ErrNoData},
		"no prior":     {d, mlreg.GaussianPrior{}, nil, mlreg.ErrSetting},
	} {
		if _, err := LogisticPosterior(c.d, c.prior, c.s); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
}
