package cpu

func cpuid(eax, ecx uint32) (a, b, c, d uint32)

func xgetbv() (a uint32)

func avx2() bool {
	const (
		fma, osxsave = 1 << 12, 1 << 27 // leaf 1, ECX
		avx2         = 1 << 5           // leaf 7, EBX
		ymm          = 0x6              // XCR0: state the system saves
	)
	if leaves, _, _, _ := cpuid(0, 0); leaves < 7 {
		return false
	}
	_, _, ecx, _ := cpuid(1, 0)
	_, ebx, _, _ := cpuid(7, 0)
	return ecx&fma != 0 && ecx&osxsave != 0 && ebx&avx2 != 0 && xgetbv()&ymm == ymm
}
