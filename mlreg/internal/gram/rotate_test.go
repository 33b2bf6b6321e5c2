package gram

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Rotations are those of the formula, one after the other, and touch nothing else.
func TestRotate(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	defer func(v bool) { hasVectors = v }(hasVectors)
	for _, vectors := range []bool{hasVectors, false} {
		hasVectors = vectors
		for n := range 9 {
			var cs []float64
			for range n {
				sin, cos := math.Sincos(6 * rng.Float64())
				cs = append(cs, cos, sin)
			}
			z := make([]float64, (n+2)*RotateWidth)
			for i := range z {
				z[i] = rng.NormFloat64()
			}
			want := append([]float64(nil), z...)
			for i := n; i > 0; i-- {
				c, s := cs[2*(n-i)], cs[2*(n-i)+1]
				for j := range RotateWidth {
					p, q := want[i*RotateWidth+j], want[(i-1)*RotateWidth+j]
					want[i*RotateWidth+j], want[(i-1)*RotateWidth+j] = c*p+s*q, c*q-s*p
				}
			}
			Rotate(cs, z)
			for i, v := range z {
				if math.Abs(v-want[i]) > 1e-14 {
					t.Fatalf("%d rotations: %g at %d, want %g", n, v, i, want[i])
				}
			}
		}
	}
}
