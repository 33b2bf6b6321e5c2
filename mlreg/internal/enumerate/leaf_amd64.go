package enumerate

import "github.com/regbook/regbook/mlreg/internal/cpu"

// useAVX2 is a variable for tests only.
var useAVX2 = cpu.AVX2()

// weigh is weighPortable, by the fastest kernel.
func weigh(b *block, m *[21]float64, how *weighing) (top float64) {
	if useAVX2 {
		return weighAVX2(b, m, how)
	}
	return weighPortable(b, m, how)
}

//go:noescape
func weighAVX2(b *block, m *[21]float64, how *weighing) (top float64)
