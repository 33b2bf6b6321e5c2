package gram

import "github.com/regbook/regbook/mlreg/internal/cpu"

// Kernels in assembly. Strips are strip numbers apart, rows of c stride.

//go:noescape
func tileAVX2(rows int, a, b *float64, strip int, c *float64, stride int)

//go:noescape
func tileAVX512(rows int, a, b *float64, strip int, c *float64, stride int)

//go:noescape
func squaresAVX2(rows int, a, b *float64, strip int, start, sums *float64)

//go:noescape
func squaresAVX512(rows int, a, b *float64, strip int, start, sums *float64)

//go:noescape
func pack4AVX2(dst *float64, strip int, v, center, scale *float64, strips int, root float64)

//go:noescape
func pack8AVX512(dst *float64, strip int, v, center, scale *float64, strips int, root float64)

//go:noescape
func dotAVX2(n int, x, b, low *float64, sums *[8]float64)

//go:noescape
func axpyAVX2(n int, factor float64, x, hi, low *float64)

func dot(x, b, low []float64) (s, e float64) {
	if len(x) == 0 {
		return 0, 0
	}
	var sums [8]float64
	dotAVX2(len(x), &x[0], &b[0], &low[0], &sums)
	return sumLanes(&sums)
}

func axpy(f float64, x, g, low []float64) {
	if len(x) > 0 {
		axpyAVX2(len(x), f, &x[0], &g[0], &low[0])
	}
}

// kernels returns what this processor can run, the fastest first.
func kernels() []*kernel {
	all := []*kernel{portable}
	if cpu.AVX2() {
		all = append([]*kernel{{
			name: "AVX2", width: 4,
			tile: func(rows int, a, b []float64, strip int, c []float64, stride int) {
				tileAVX2(rows, &a[0], &b[0], strip, &c[0], stride)
			},
			squares: func(rows int, a, b []float64, strip int, start, sums []float64) {
				squaresAVX2(rows, &a[0], &b[0], strip, &start[0], &sums[0])
			},
			pack: func(dst []float64, strip int, v, center, scale []float64, root float64) {
				if strips := len(v) / 4; strips > 0 {
					pack4AVX2(&dst[0], strip, &v[0], &center[0], &scale[0], strips, root)
				}
			},
			dot: dot, axpy: axpy,
		}}, all...)
	}
	if cpu.AVX512() {
		all = append([]*kernel{{
			name: "AVX-512", width: 8,
			tile: func(rows int, a, b []float64, strip int, c []float64, stride int) {
				tileAVX512(rows, &a[0], &b[0], strip, &c[0], stride)
			},
			squares: func(rows int, a, b []float64, strip int, start, sums []float64) {
				squaresAVX512(rows, &a[0], &b[0], strip, &start[0], &sums[0])
			},
			pack: func(dst []float64, strip int, v, center, scale []float64, root float64) {
				if strips := len(v) / 8; strips > 0 {
					pack8AVX512(&dst[0], strip, &v[0], &center[0], &scale[0], strips, root)
				}
			},
			dot: dot, axpy: axpy,
		}}, all...)
	}
	return all
}
