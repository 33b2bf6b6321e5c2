package plotting

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A staircase of many rows is thinned to points of its own, no farther than the step from any point left out, with
// its long runs whole; few points stay as they are.
func TestThinnedCurve(t *testing.T) {
	const n, step = 100_000, 1. / 1024
	r := rand.New(rand.NewPCG(1, 2))
	x, y := []float64{0}, []float64{0}
	for i := range n {
		last := len(x) - 1
		up := r.Float64() < 1-float64(i)/n
		if i > n/2 && i < n*6/10 {
			up = false // a level run, a twentieth of an axis and more
		}
		if up {
			x, y = append(x, x[last]), append(y, y[last]+2./n)
		} else {
			x, y = append(x, x[last]+2./n), append(y, y[last])
		}
	}
	xs, ys := thinnedCurve(x, y, step)
	if len(xs) > 2/step || len(xs) < 100 {
		t.Errorf("%d of %d points are left", len(xs), len(x))
	}
	of := map[[2]float64]bool{}
	for i := range x {
		of[[2]float64{x[i], y[i]}] = true
	}
	level := 0.0
	for i := range xs {
		if !of[[2]float64{xs[i], ys[i]}] {
			t.Fatalf("(%v, %v) is no point of the curve", xs[i], ys[i])
		}
		if i > 0 && ys[i] == ys[i-1] {
			level = max(level, xs[i]-xs[i-1])
		}
	}
	if level < 0.2*(1-1e-9) {
		t.Errorf("the level run of 0.2 has %v", level)
	}
	worst, k := 0.0, 1
	for i := range x {
		for k < len(xs)-1 && (x[i] > xs[k] || y[i] > ys[k]) {
			k++
		}
		worst = max(worst, fromLine(x[i], y[i], xs[k-1], ys[k-1], xs[k], ys[k]))
	}
	if worst > step || worst == 0 {
		t.Errorf("a point is %v from the line, and may be %v", worst, step)
	}
	if xs, _ := thinnedCurve([]float64{0, 0, 0.4, 1}, []float64{0, 0.5, 0.8, 1}, step); len(xs) != 4 {
		t.Errorf("%d of 4 corners are left", len(xs))
	}
}

// fromLine is that of (x, y) from the line between two points.
func fromLine(x, y, x0, y0, x1, y1 float64) float64 {
	along := ((x-x0)*(x1-x0) + (y-y0)*(y1-y0)) / (math.Pow(x1-x0, 2) + math.Pow(y1-y0, 2))
	along = math.Max(0, math.Min(1, along))
	return math.Hypot(x-x0-along*(x1-x0), y-y0-along*(y1-y0))
}
