package mlreg

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// subsetBenchmark returns 1,000 rows of d standard normal terms, the first half
// of which have a coefficient of 1: the data that Hofmann, Gatu, Kontoghiorghes,
// Colubi and Zeileis (Journal of Statistical Software 93(3), 2020) measure by.
func subsetBenchmark(b *testing.B, d int, noise float64) *Design {
	b.Helper()
	const n = 1000
	rnd := rand.New(rand.NewPCG(1, uint64(d)))
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		y[i] = noise * rnd.NormFloat64()
		for j := range d {
			v := rnd.NormFloat64()
			x.Set(i, j, v)
			if j < d/2 {
				y[i] += v
			}
		}
	}
	design := get(NewDesign(x, y))(b)
	return design
}

func BenchmarkBestSubsets(b *testing.B) {
	for _, d := range []int{20, 30, 40} {
		for _, noise := range []float64{0.1, 1, 5} {
			data := subsetBenchmark(b, d, noise)
			for _, c := range []Criterion{ByRSS, ByBIC} {
				b.Run(fmt.Sprintf("d=%d/noise=%g/%v", d, noise, c), func(b *testing.B) {
					var f *Subsets
					for b.Loop() {
						var err error
						if f, err = FitBestSubsets(data, &SubsetSettings{Criterion: c}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(f.Nodes(), "nodes")
					b.ReportMetric(f.Visited(), "models")
				})
			}
		}
	}
}
