package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
)

// Limits by hand from the same responses: slope and standard error of a line, and gonum's t.
func TestLimits(t *testing.T) {
	e := Limits()
	e.grid(func(values []float64) {
		n, level := int(values[0]), values[1]/100
		src := Point{Seed: e.Seed}.Source(uint64(n))
		q := distuv.StudentsT{Sigma: 1, Nu: float64(n - 2)}.Quantile((1 + level) / 2)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = 10 * (float64(i) + 0.5) / float64(n)
		}
		held, width := 0.0, 0.0
		for range 100 {
			for i := range y {
				y[i] = 1 + x[i]/2 + 2*datasets.NormalNoise(src)
			}
			a, b := stat.LinearRegression(x, y, nil, false)
			rss := 0.0
			for i := range y {
				rss += (y[i] - a - b*x[i]) * (y[i] - a - b*x[i])
			}
			sxx := float64(n-1) * stat.Variance(x, nil)
			half := q * math.Sqrt(rss/float64(n-2)/sxx)
			width += 2 * half / 100
			if math.Abs(b-0.5) <= half {
				held++
			}
		}
		wantNumbers(t, e, values, held, width)
	})
}
