package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func BenchmarkFitBayes(b *testing.B) {
	for _, size := range [][2]int{{200, 10}, {5000, 100}, {8000, 400}} {
		d := randomDesign(b, 1, size[0], size[1])
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				mustBayes(b, d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil)
			}
		})
		b.Run(fmt.Sprintf("FitOLS%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				if _, err := FitOLS(d, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFitBayesWide(b *testing.B) {
	for _, p := range []int{200, 2000, 20000} {
		d := randomDesign(b, 1, 100, p)
		b.Run(fmt.Sprintf("100x%d", p), func(b *testing.B) {
			for b.Loop() {
				fit := mustBayes(b, d, GaussianPrior{Tau2: 1. / float64(p)}, KnownVariance(1), nil)
				fit.StdDev()
				if _, err := fit.Predictive(d, 0.95); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBayesSample(b *testing.B) {
	for _, p := range []int{5, 50, 200} {
		fit := mustBayes(b, randomDesign(b, 1, 300, p), GaussianPrior{Tau2: 1}, KnownVariance(1), nil)
		b.Run(fmt.Sprintf("10000draws,p=%d", p), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := fit.Sample(10000, rand.NewPCG(1, 1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEvidencePath(b *testing.B) {
	tau2 := make([]float64, 100)
	for i := range tau2 {
		tau2[i] = math.Pow(10, float64(i-50)/10)
	}
	for _, p := range []int{10, 50, 250} {
		d := randomDesign(b, 1, 1000, p)
		b.Run(fmt.Sprintf("decompose,p=%d", p), func(b *testing.B) {
			for b.Loop() {
				mustSurface(b, d, nil)
			}
		})
		e := mustSurface(b, d, nil)
		b.Run(fmt.Sprintf("100tau2,p=%d", p), func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Path(tau2, KnownVariance(1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLaplace(b *testing.B) {
	for _, d := range []int{2, 8, 32} {
		g, _ := randomGaussian(b, 1, d)
		b.Run(fmt.Sprintf("d=%d", d), func(b *testing.B) {
			for b.Loop() {
				if _, err := Laplace(g.LogProb, make([]float64, d), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
