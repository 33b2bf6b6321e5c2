package mlreg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// logisticDesign returns standard normal columns and a response drawn from a
// logistic regression on them.
func logisticDesign(t testing.TB, seed uint64, n, p int) *Design {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	x := mat.NewDense(n, p, nil)
	y := make([]float64, n)
	for i := range n {
		eta := 0.5
		for j := range p {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			eta += v * float64(j%5-2) / 5 / math.Sqrt(float64(p)/10)
		}
		if rng.Float64() < sigmoid(eta) {
			y[i] = 1
		}
	}
	d := get(NewDesign(x, y))(t)
	return d
}

func BenchmarkFitLogistic(b *testing.B) {
	for _, size := range [][2]int{{1000, 5}, {20000, 20}, {1000000, 50}} {
		if testing.Short() && size[0] > 100000 {
			continue
		}
		d := logisticDesign(b, 1, size[0], size[1])
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				if _, err := FitLogistic(d, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
