package gram

// Kernels in assembly. Strips are strip numbers apart, rows of c stride.

//go:noescape
func tileAVX2(rows int, a, b *float64, strip int, c *float64, stride int)

//go:noescape
func tileAVX512(rows int, a, b *float64, strip int, c *float64, stride int)

//go:noescape
func pack4AVX2(dst *float64, strip int, v, center, scale *float64, strips int, root float64)

//go:noescape
func pack8AVX512(dst *float64, strip int, v, center, scale *float64, strips int, root float64)

//go:noescape
func dotAVX2(n int, x, b, low *float64, sums *[8]float64)

//go:noescape
func axpyAVX2(n int, factor float64, x, hi, low *float64)

func cpuid(eax, ecx uint32) (a, b, c, d uint32)

func xgetbv() (a uint32)

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
	const (
		fma, osxsave   = 1 << 12, 1 << 27 // leaf 1, ECX
		avx2, avx512f  = 1 << 5, 1 << 16  // leaf 7, EBX
		ymm, zmmAndYMM = 0x6, 0xe6        // XCR0: state the system saves
	)
	if leaves, _, _, _ := cpuid(0, 0); leaves < 7 {
		return all
	}
	_, _, ecx, _ := cpuid(1, 0)
	if ecx&osxsave == 0 || ecx&fma == 0 {
		return all
	}
	_, ebx, _, _ := cpuid(7, 0)
	saved := xgetbv()
	if ebx&avx2 != 0 && saved&ymm == ymm {
		all = append([]*kernel{{
			name: "AVX2", width: 4,
			tile: func(rows int, a, b []float64, strip int, c []float64, stride int) {
				tileAVX2(rows, &a[0], &b[0], strip, &c[0], stride)
			},
			pack: func(dst []float64, strip int, v, center, scale []float64, root float64) {
				if strips := len(v) / 4; strips > 0 {
					pack4AVX2(&dst[0], strip, &v[0], &center[0], &scale[0], strips, root)
				}
			},
			dot: dot, axpy: axpy,
		}}, all...)
	}
	if ebx&avx2 != 0 && ebx&avx512f != 0 && saved&zmmAndYMM == zmmAndYMM {
		all = append([]*kernel{{
			name: "AVX-512", width: 8,
			tile: func(rows int, a, b []float64, strip int, c []float64, stride int) {
				tileAVX512(rows, &a[0], &b[0], strip, &c[0], stride)
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
