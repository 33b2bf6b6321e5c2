// Package gram computes cross-products of tall row-major matrices at the
// speed of a tuned BLAS, in Go and Go assembly.
//
// Centred gives means and centred cross-products of weighted rows. Rows are
// centred, weighted and packed into panels that fit the second-level cache,
// and a kernel with all of its accumulators in registers multiplies the strips
// of a panel: 8 x 24 with AVX-512, 4 x 12 with AVX2, and a portable one.
// It follows Goto and van de Geijn (2008, Anatomy of high-performance matrix
// multiplication, ACM Transactions on Mathematical Software 34, article 12),
// for the upper triangle only.
//
// Results are the same to the bit whatever GOMAXPROCS is. Kernels differ from
// each other by rounding.
package gram
