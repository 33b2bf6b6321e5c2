package gram

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The vector kernels agree with plain sums at every length, to a rounding or two.
func TestVectorKernels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rnd.NormFloat64()
		}
		return v
	}
	near := func(what string, n int, got, want, size float64) {
		if !(math.Abs(got-want) <= 1e-15*size) {
			t.Errorf("%s of %d: %g, want %g", what, n, got, want)
		}
	}
	defer func(v bool) { hasVectors = v }(hasVectors)
	for _, vectors := range []bool{hasVectors, false} {
		hasVectors = vectors
		for n := range 100 {
			var a [4][]float64
			for i := range a {
				a[i] = random(n)
			}
			b0, b1 := random(n), random(n)
			var sums [8]float64
			Dots4x2(&a, b0, b1, &sums)
			for i := range a {
				for j, b := range [][]float64{b0, b1} {
					var want, size float64
					for k, v := range a[i] {
						want += v * b[k]
						size += math.Abs(v * b[k])
					}
					near("Dot", n, Dot(a[i], b), want, size)
					near("Dots4x2", n, sums[2*i+j], want, size)
				}
			}
			y := append([]float64(nil), b0...)
			y = append(y, 7) // not to be touched
			Axpy(1.5, a[0], y[:n])
			for k := range n {
				near("Axpy", n, y[k], b0[k]+1.5*a[0][k], math.Abs(b0[k])+math.Abs(a[0][k]))
			}
			z := append([]float64(nil), b0...)
			near("DotAxpy", n, DotAxpy(1.5, a[0], b1, z), Dot(a[0], b1), float64(n))
			for k := range n {
				near("DotAxpy", n, z[k], y[k], math.Abs(b0[k])+math.Abs(a[0][k]))
			}
			Axpy4(&[4]float64{1, -2, 3, 0.5}, a[0], a[1], a[2], a[3], z)
			for k := range n {
				near("Axpy4", n, z[k], y[k]+a[0][k]-2*a[1][k]+3*a[2][k]+0.5*a[3][k], 100)
			}
			var four [4]float64
			before := append([]float64(nil), z...)
			before = append(before, 7)
			DotAxpy4(&[4]float64{1, -2, 3, 0.5}, a[0], a[1], a[2], a[3], b1, before[:n], &four)
			for i := range four {
				near("DotAxpy4", n, four[i], Dot(a[i], b1), float64(n))
			}
			for k := range n {
				near("DotAxpy4", n, before[k], z[k]+a[0][k]-2*a[1][k]+3*a[2][k]+0.5*a[3][k], 100)
			}
			if before[n] != 7 {
				t.Errorf("DotAxpy4 of %d wrote too far", n)
			}
			if y[n] != 7 {
				t.Errorf("Axpy of %d wrote too far", n)
			}
		}
	}
}
