// Package cpu tells what the processor and the operating system allow kernels
// in assembly to use.
package cpu

// AVX2 tells whether 256-bit vectors with AVX2 and fused multiply-add can be
// used.
func AVX2() bool { return avx2() }

// AVX512 tells whether 512-bit vectors with the foundation instructions of
// AVX-512 can be used, and AVX2.
func AVX512() bool { return avx512() }
