package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/mlreg"
)

// The numbers of every frame are those of direct calls, and of the path in closed form.
func TestLassoPath(t *testing.T) {
	p, err := prostatePath()
	if err != nil {
		t.Fatal(err)
	}
	lars, err := mlreg.FitLARS(p.train, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range LassoPath().Params[0].Frames {
		exact, err := lars.At(lambda)
		if err != nil {
			t.Fatal(err)
		}
		norm, active := floats.Norm(exact.Slopes(), 1), 0
		for _, w := range exact.Slopes() {
			if math.Abs(w) > 1e-9 {
				active++
			}
		}
		r, err := exact.Residuals(p.train)
		if err != nil {
			t.Fatal(err)
		}
		rss := floats.Dot(r, r)
		wantNumbers(t, LassoPath(), []float64{lambda}, float64(active), norm, rss, rss+lambda*norm, rss+lambda*norm)
	}
}
