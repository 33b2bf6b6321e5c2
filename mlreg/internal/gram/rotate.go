package gram

// RotateWidth is the number of columns that Rotate takes.
const RotateWidth = 16

// Rotate applies plane rotations to pairs of neighboring rows of z, of RotateWidth
// numbers each, from the last pair to the first: for the pairs c, s in turn and
// i = last, last-1, ...
//
//	z_i, z_i-1 = c z_i + s z_i-1, c z_i-1 - s z_i.
func Rotate(cs, z []float64) {
	n := len(cs) / 2
	z = z[:(n+1)*RotateWidth]
	switch {
	case n == 0:
	case hasVectors:
		rotateAVX2(n, &cs[0], &z[n*RotateWidth])
	default:
		rotatePortable(cs, z)
	}
}

func rotatePortable(cs, z []float64) {
	high := (*[RotateWidth]float64)(z[len(z)-RotateWidth:])
	for at := len(z) - 2*RotateWidth; at >= 0; at -= RotateWidth {
		c, s := cs[0], cs[1]
		cs = cs[2:]
		low := (*[RotateWidth]float64)(z[at:])
		for j, q := range low {
			p := high[j]
			high[j] = s*q + c*p
			low[j] = c*q - s*p
		}
		high = low
	}
}
