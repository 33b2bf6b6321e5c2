package lecture

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func TestGoldenLassoSteps(t *testing.T) {
	d := standardized(t)
	one := get(d.Select(d.Names[0]))(t)
	for name, draw := range map[string]func() (*plotting.Figure, error){
		"onecoordinate": func() (*plotting.Figure, error) { return OneCoordinate(one, 0, 20, 500) },
		"shootingsteps": func() (*plotting.Figure, error) { return ShootingSteps(d, 10, nil) },
	} {
		f := get(draw())(t)
		checkImage(t, name, f)
	}
}

// The residual sum of squares of moments is that of the rows.
func TestRSSOf(t *testing.T) {
	d := standardized(t)
	fit := get(mlreg.FitRidge(d, 10, nil))(t)
	m := get(d.Moments())(t)
	if got := rssOf(m, fit.Slopes()...); math.Abs(got-fit.RSS()) > 1e-10*fit.RSS() {
		t.Errorf("%v, want %v", got, fit.RSS())
	}
}

func TestLassoStepErrors(t *testing.T) {
	d := standardized(t)
	for name, c := range map[string]struct {
		draw func() (*plotting.Figure, error)
		want error
	}{
		"no design":          {func() (*plotting.Figure, error) { return OneCoordinate(nil, 1) }, mlreg.ErrNoData},
		"many terms":         {func() (*plotting.Figure, error) { return OneCoordinate(d, 1) }, mlreg.ErrShape},
		"no penalty":         {func() (*plotting.Figure, error) { return OneCoordinate(must(d.Select(d.Names[0]))) }, mlreg.ErrNoData},
		"negative":           {func() (*plotting.Figure, error) { return OneCoordinate(must(d.Select(d.Names[0])), -1) }, mlreg.ErrSetting},
		"shooting, nil":      {func() (*plotting.Figure, error) { return ShootingSteps(nil, 1, nil) }, mlreg.ErrNoData},
		"shooting, negative": {func() (*plotting.Figure, error) { return ShootingSteps(d, -1, nil) }, mlreg.ErrSetting},
	} {
		if _, err := c.draw(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func must(d *mlreg.Design, err error) *mlreg.Design {
	if err != nil {
		panic(err)
	}
	return d
}
