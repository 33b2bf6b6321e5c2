package lecture

import (
	"errors"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// A fit of the intercept alone is drawn as a network, and refused with a reason by
// figures of two weights.
func TestInterceptAlone(t *testing.T) {
	df := get(frames.Frame(frames.Col("y", []float64{1, 3, 2, 5}), frames.Col("class", []string{"a", "b", "a", "b"})))(t)
	ols, d := fitted(t, df, "y ~ 1")
	labels := coded(t, df, "class ~ 1")
	if _, err := Network(ols, d); err != nil {
		t.Error(err)
	}
	prior := mlreg.GaussianPrior{Tau2: 1}
	for name, draw := range map[string]func() error{
		"WeightSpace":       func() error { _, err := WeightSpace(d, prior, 1, []int{0, 3}, nil); return err },
		"PenaltyGeometry":   func() error { _, err := PenaltyGeometry(d, 1, 1); return err },
		"RidgeGeometry":     func() error { _, err := RidgeGeometry(d, 1, 1); return err },
		"LogisticPosterior": func() error { _, err := LogisticPosterior(labels, prior, nil); return err },
	} {
		if err := draw(); !errors.Is(err, mlreg.ErrShape) && !errors.Is(err, mlreg.ErrNoData) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
