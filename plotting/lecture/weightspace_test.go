package lecture

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// bishopLine is y = -0.3 + 0.5 x with a disturbance of about 0.2 that is the
// same on every machine.
func bishopLine(t *testing.T) *mlreg.Design {
	t.Helper()
	var x, y []float64
	for i := range 20 {
		x = append(x, math.Remainder(0.618034*float64(i)+0.3, 1)*2)
		y = append(y, -0.3+0.5*x[i]+0.28*math.Sin(float64(7*i+1)))
	}
	d := get(mlreg.NewDesign(columns(x), y, "x"))(t)
	return d
}

func TestGoldenWeightSpace(t *testing.T) {
	f := get(WeightSpace(bishopLine(t), mlreg.GaussianPrior{Tau2: 0.5}, 0.04, []int{0, 1, 20},
		&WeightSpaceSettings{Truth: []float64{-0.3, 0.5}}))(t)
	checkImage(t, "weightspace", f)
}

func TestWeightSpaceErrors(t *testing.T) {
	d := bishopLine(t)
	noIntercept := *d
	noIntercept.NoIntercept = true
	noResponse := *d
	noResponse.Y = nil
	prior := mlreg.GaussianPrior{Tau2: 1}
	for name, c := range map[string]struct {
		d     *mlreg.Design
		prior mlreg.GaussianPrior
		noise mlreg.KnownVariance
		ns    []int
		s     *WeightSpaceSettings
		is    error
	}{
		"nil":          {nil, prior, 1, []int{0}, nil, mlreg.ErrNoData},
		"no response":  {&noResponse, prior, 1, []int{0}, nil, mlreg.ErrNoData},
		"no intercept": {&noIntercept, prior, 1, []int{0}, nil, mlreg.ErrShape},
		"no counts":    {d, prior, 1, nil, nil, mlreg.ErrSetting},
		"count":        {d, prior, 1, []int{21}, nil, mlreg.ErrSetting},
		"tau2":         {d, mlreg.GaussianPrior{}, 1, []int{0}, nil, mlreg.ErrSetting},
		"noise":        {d, prior, 0, []int{1}, nil, mlreg.ErrSetting},
		"mean":         {d, mlreg.GaussianPrior{Tau2: 1, Mean: []float64{1}}, 1, []int{0}, nil, mlreg.ErrShape},
		"covariance":   {d, mlreg.GaussianPrior{Cov: mat.NewSymDense(2, []float64{1, 2, 2, 1})}, 1, []int{0}, nil, mlreg.ErrNotPositiveDefinite},
		"truth":        {d, prior, 1, []int{0}, &WeightSpaceSettings{Truth: []float64{1}}, mlreg.ErrShape},
		"rectangle":    {d, prior, 1, []int{0}, &WeightSpaceSettings{Over: plotting.Rect{XMin: 1, YMax: 1}}, mlreg.ErrSetting},
		"lines":        {d, prior, 1, []int{0}, &WeightSpaceSettings{Lines: -1}, mlreg.ErrSetting},
	} {
		if _, err := WeightSpace(c.d, c.prior, c.noise, c.ns, c.s); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
}
