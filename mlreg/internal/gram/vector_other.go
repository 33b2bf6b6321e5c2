//go:build !amd64

package gram

var hasVectors = false

func dotPlainAVX2(n int, x, y *float64) float64 { panic("gram: no vector kernels") }

func axpyPlainAVX2(n int, a float64, x, y *float64) { panic("gram: no vector kernels") }

func dots4x2AVX2(n int, a0, a1, a2, a3, b0, b1 *float64, sums *[8]float64) {
	panic("gram: no vector kernels")
}

func dotAxpyAVX2(n int, a float64, x, v, y *float64) float64 { panic("gram: no vector kernels") }

func axpy4AVX2(n int, a *[4]float64, x0, x1, x2, x3, y *float64) { panic("gram: no vector kernels") }

func dotAxpy4AVX2(n int, a *[4]float64, x0, x1, x2, x3, v, y *float64, sums *[4]float64) {
	panic("gram: no vector kernels")
}

func rotateAVX2(n int, cs, z *float64) { panic("gram: no vector kernels") }
