package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// wideDesign returns standard normal columns, ten of which tell the classes.
func wideDesign(t testing.TB, seed uint64, n, p int) *Design {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	x := mat.NewDense(n, p, nil)
	y := make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		var eta float64
		for j := range row {
			row[j] = rng.NormFloat64()
			if j < 10 {
				eta += row[j] * math.Pow(-1, float64(j))
			}
		}
		if rng.Float64() < sigmoid(eta) {
			y[i] = 1
		}
	}
	d := get(NewDesign(x, y))(t)
	return d
}

func BenchmarkFitLogisticPath(b *testing.B) {
	for _, size := range [][2]int{{200, 50}, {500, 10000}, {10000, 100}} {
		d := wideDesign(b, 1, size[0], size[1])
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				if _, err := FitLogisticPath(d, 1, &PathSettings{Ratio: 0.05}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
