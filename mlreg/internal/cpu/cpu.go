// Package cpu tells what the processor and the operating system allow kernels
// in assembly to use.
package cpu

// AVX2 tells whether 256-bit vectors with AVX2 and fused multiply-add can be
// used.
func AVX2() bool { return avx2() }
