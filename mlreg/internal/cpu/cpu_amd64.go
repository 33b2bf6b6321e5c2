package cpu

func cpuid(eax, ecx uint32) (a, b, c, d uint32)

func xgetbv() (a uint32)

const (
	fma, osxsave   = 1 << 12, 1 << 27 // leaf 1, ECX
	avx2f, avx512f = 1 << 5, 1 << 16  // leaf 7, EBX
	ymm, zmm       = 0x06, 0xe6       // XCR0: state the system saves
)

// features returns ECX of leaf 1, EBX of leaf 7 and XCR0, zeros where there are
// none.
func features() (ecx, ebx, saved uint32) {
	if leaves, _, _, _ := cpuid(0, 0); leaves < 7 {
		return 0, 0, 0
	}
	_, _, ecx, _ = cpuid(1, 0)
	if ecx&osxsave == 0 {
		return 0, 0, 0
	}
	_, ebx, _, _ = cpuid(7, 0)
	return ecx, ebx, xgetbv()
}

func avx2() bool {
	ecx, ebx, saved := features()
	return ecx&fma != 0 && ebx&avx2f != 0 && saved&ymm == ymm
}

func avx512() bool {
	_, ebx, saved := features()
	return avx2() && ebx&avx512f != 0 && saved&zmm == zmm
}
