package mlreg

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Paths of 100 lambdas, with a gap of 1e-6 or less at every one.
func BenchmarkFitLassoPath(b *testing.B) {
	for _, size := range [][2]int{{100, 2000}, {300, 1000}, {5000, 200}} {
		d := correlatedDesign(b, 1, size[0], size[1], 0.5, 5)
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				get(FitLassoPath(d, &PathSettings{Ratio: 0.01}))(b)
			}
		})
	}
}

func BenchmarkFitLassoCV(b *testing.B) {
	for _, size := range [][2]int{{100, 2000}, {300, 1000}, {5000, 200}} {
		d := correlatedDesign(b, 1, size[0], size[1], 0.5, 5)
		folds := get(KFold(size[0], 10, rand.NewPCG(1, 2)))(b)
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				get(FitLassoCV(d, folds, &PathSettings{Ratio: 0.01}, nil))(b)
			}
		})
	}
}

func BenchmarkFitRidgePath(b *testing.B) {
	for _, size := range [][2]int{{100, 2000}, {300, 100}, {5000, 400}} {
		d := correlatedDesign(b, 1, size[0], size[1], 0.5, 5)
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				get(FitRidgePath(d, nil))(b)
			}
		})
	}
}
