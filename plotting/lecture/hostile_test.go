package lecture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/hostile"
)

// Lines of a grid and levels are counted in integers, whatever the numbers.
func TestFiguresHostile(t *testing.T) {
	for _, c := range hostile.Ranges {
		a, b := c[0], c[1]
		what := fmt.Sprintf("projection of %v and %v", a, b)
		hostile.Within(t, what, func() {
			f, err := Projection([]float64{a, b, 1}, []float64{b, a, a}, []float64{1, a, b}, nil)
			if err == nil {
				f.Width, f.Height = 3, 3
				_, err = f.PNG()
			}
			if err != nil && strings.Contains(err.Error(), "runtime error") {
				t.Errorf("%s: %v", what, err)
			}
		})
		for _, radius := range []float64{0, 3} {
			what := fmt.Sprintf("levels from %v to %v", a, b)
			hostile.Within(t, what, func() {
				levels, err := dropLevels(func(x, y float64) float64 { return a + (b-a)*x }, plotting.Rect{XMax: 1, YMax: 1}, radius)
				if len(levels) > mostDrops {
					t.Errorf("%s: %d levels, %v", what, len(levels), err)
				}
			})
		}
	}
}
