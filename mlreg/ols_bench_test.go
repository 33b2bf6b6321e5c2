package mlreg

import (
	"fmt"
	"testing"
)

// A fit with standard errors by each of the routes.
func BenchmarkFitOLS(b *testing.B) {
	for _, size := range [][2]int{{100, 8}, {1000, 50}, {100000, 20}, {4000, 400}} {
		d := randomDesign(b, 1, size[0], size[1])
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				f := get(FitOLS(d, nil))(b)
				f.StdErr()
			}
		})
	}
}
