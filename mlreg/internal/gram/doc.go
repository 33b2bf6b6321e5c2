// Package gram computes what least squares needs from the rows of a tall
// row-major matrix, at the speed of a tuned BLAS or above, in Go and Go
// assembly: Centered gives means and centered cross-products, Rows.Residuals
// residuals and gradients to twice the working precision, SquaredLengths
// leverages, Rows.Logistic what a step of logistic regression is made of, and
// Finite looks for values that are not finite. Each reads the rows once, in
// parallel. AddProduct lends the kernel to products of any two matrices,
// and Rotate applies plane rotations.
//
// For cross-products rows are centered, weighted and packed into panels that
// fit the second-level cache, and a kernel with all of its accumulators in
// registers multiplies the strips of a panel: 8 x 24 with AVX-512, 4 x 12 with
// AVX2, and a portable one. It follows Goto and van de Geijn (2008, Anatomy of
// high-performance matrix multiplication, ACM Transactions on Mathematical
// Software 34, article 12), for the upper triangle only.
//
// Results are the same to the bit whatever GOMAXPROCS is. Kernels differ from
// each other by rounding.
//
// How far from the limits that is, on two cores at 4.4 GHz with AVX-512, peak
// 143 GFLOP/s a core, and 41 GB/s from memory:
//
//   - 16,000 x 1,500 (36 GFLOP): 0.18 s, 0.7 of the peak of two cores; with
//     AVX2, 0.35 s, 0.7 of its peak; OpenBLAS 0.3.21, which uses AVX2, the same.
//   - 1,000,000 x 50 (400 MB): 0.05 s. Reading takes 0.01 s, the products 0.02 s
//     at peak, and packing the rest.
//   - Residuals and gradient of 1,000,000 x 50: 0.026 s; reading takes 0.01 s.
package gram
