package live

import (
	"math"
	"testing"
)

// By hand: the projection of (6, t, 0) is (5, 2, -1) + t (1, 1, 1)/3, and its residual
// (1, -2, 1) (1 - t/3), from whatever side it is seen.
func TestProjection(t *testing.T) {
	e := Projection()
	for _, azimuth := range e.Params[0].Frames {
		for _, y2 := range []float64{-3, 0, 0.5, 3, 5.5, 6} {
			third := y2 / 3
			wantNumbers(t, e, []float64{azimuth, y2}, math.Sqrt(6)*math.Abs(1-third), math.Sqrt(4+y2*y2+16),
				5+third, 2+third, -1+third)
		}
	}
}
