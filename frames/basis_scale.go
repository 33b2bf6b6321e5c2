package frames

import (
	"encoding/gob"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg"
)

func init() {
	gob.Register(&scaled{})
	registerBasis("scale", basisFunction{params: []string{"x", "center", "scale"}, fit: fitScale})
}

// fitScale learns scale(x, center, scale). As in R, a column that is not
// centered is divided by the root of sum x^2/(n-1).
func fitScale(x [][]float64, o *options) (mlreg.Basis, error) {
	center, scale, err := scaleOptions(o)
	if err != nil {
		return nil, err
	}
	s := &scaled{Scale: 1}
	if center {
		s.Center = stat.Mean(x[0], nil)
		s.Center += stat.MomentAbout(1, x[0], s.Center, nil) // what rounding left
	}
	if scale {
		n := float64(len(x[0]))
		s.Scale = math.Sqrt(stat.MomentAbout(2, x[0], s.Center, nil) * n / (n - 1))
		if !(s.Scale > 0) {
			return nil, errorf(ErrSetting, "the values do not vary")
		}
	}
	return s, nil
}

// scaleOptions returns the options of scale, which are TRUE as in R.
func scaleOptions(o *options) (center, scale bool, err error) {
	if center, err = o.booleanOr("center", true); err != nil {
		return false, false, err
	}
	scale, err = o.booleanOr("scale", true)
	return center, scale, err
}

// scaled is the basis of one function, (x - Center)/Scale.
type scaled struct{ Center, Scale float64 }

func (s *scaled) Inputs() int { return 1 }

// Constants returns the center and the scale.
func (s *scaled) Constants() (center, scale float64) { return s.Center, s.Scale }

func (s *scaled) Names(inputs ...string) []string { return []string{"scale(" + inputs[0] + ")"} }

func (s *scaled) Eval(dst []float64, x ...float64) []float64 {
	if dst == nil {
		dst = make([]float64, 1)
	}
	dst[0] = (x[0] - s.Center) / s.Scale
	return dst
}
