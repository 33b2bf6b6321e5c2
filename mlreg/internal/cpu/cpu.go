// Package cpu tells what the processor and the operating system allow kernels
// in assembly to use.
package cpu

import "os"

// Limit is the environment variable that has a program do without some of them:
// "avx2" without AVX-512, "portable" without any. It is for tests on a processor
// that has all, and read once.
const Limit = "REGBOOK_KERNELS"

var limit = os.Getenv(Limit)

// AVX2 tells whether 256-bit vectors with AVX2 and fused multiply-add can be
// used.
func AVX2() bool { return limit != "portable" && avx2() }

// AVX512 tells whether 512-bit vectors with the foundation instructions of
// AVX-512 can be used, and AVX2.
func AVX512() bool { return limit == "" && avx512() }
