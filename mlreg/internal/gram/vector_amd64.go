package gram

//go:noescape
func dotPlainAVX2(n int, x, y *float64) float64

//go:noescape
func axpyPlainAVX2(n int, a float64, x, y *float64)

//go:noescape
func dots4x2AVX2(n int, a0, a1, a2, a3, b0, b1 *float64, sums *[8]float64)

//go:noescape
func dotAxpyAVX2(n int, a float64, x, v, y *float64) float64

//go:noescape
func axpy4AVX2(n int, a *[4]float64, x0, x1, x2, x3, y *float64)

//go:noescape
func dotAxpy4AVX2(n int, a *[4]float64, x0, x1, x2, x3, v, y *float64, sums *[4]float64)

//go:noescape
func rotateAVX2(n int, cs, z *float64)

// hasVectors tells whether the processor can run them.
var hasVectors = kernels()[0] != portable
