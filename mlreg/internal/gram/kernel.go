package gram

// A kernel is what there is in several versions. A panel holds rows of a matrix
// in strips of width columns: element (i, j) of a strip is at i*width + j.
type kernel struct {
	name  string
	width int
	// tile adds a'b to the width x 3*width tile c, for one strip a and three
	// consecutive strips b, strip numbers apart, of rows rows each.
	tile func(rows int, a, b []float64, strip int, c []float64, stride int)
	// squares adds the column sums of the squares of a'b + start to the 3*width
	// numbers sums, start added to each column of a'b: a and b as for tile.
	squares func(rows int, a, b []float64, strip int, start, sums []float64)
	// pack writes root * scale_j * (v_j - center_j) to row 0 of consecutive
	// strips, strip numbers apart; len(v) is a multiple of width.
	pack func(dst []float64, strip int, v, center, scale []float64, root float64)
	// dot returns x'(b+low) as a value and a correction to it, and axpy adds
	// f x to g+low, of numbers as many as x has.
	dot  func(x, b, low []float64) (s, e float64)
	axpy func(f float64, x, g, low []float64)
}

// active is the kernel in use: a variable for tests only.
var active = kernels()[0]

// portable is the kernel for every processor.
var portable = &kernel{
	name: "portable", width: 4,
	tile: tilePortable, squares: squaresPortable, pack: packPortable, dot: dotPortable, axpy: axpyPortable,
}

func tilePortable(rows int, a, b []float64, strip int, c []float64, stride int) {
	for s := range 3 {
		for h := 0; h < 4; h += 2 {
			var c00, c01, c10, c11, c20, c21, c30, c31 float64
			as, bs := a[:4*rows], b[s*strip:s*strip+4*rows]
			for len(as) >= 4 && len(bs) >= 4 {
				b0, b1 := bs[h], bs[h+1]
				c00 += as[0] * b0
				c01 += as[0] * b1
				c10 += as[1] * b0
				c11 += as[1] * b1
				c20 += as[2] * b0
				c21 += as[2] * b1
				c30 += as[3] * b0
				c31 += as[3] * b1
				as, bs = as[4:], bs[4:]
			}
			j := 4*s + h
			c[j] += c00
			c[j+1] += c01
			c[stride+j] += c10
			c[stride+j+1] += c11
			c[2*stride+j] += c20
			c[2*stride+j+1] += c21
			c[3*stride+j] += c30
			c[3*stride+j+1] += c31
		}
	}
}

func squaresPortable(rows int, a, b []float64, strip int, start, sums []float64) {
	var c [4 * 12]float64
	for t, v := range start[:4] {
		row := c[12*t : 12*(t+1)]
		for r := range row {
			row[r] = v
		}
	}
	tilePortable(rows, a, b, strip, c[:], 12)
	for t := range 4 {
		for r, v := range c[12*t : 12*(t+1)] {
			sums[r] += v * v
		}
	}
}

func packPortable(dst []float64, strip int, v, center, scale []float64, root float64) {
	for s := 0; s < len(v)/4; s++ {
		to, from, m, f := dst[s*strip:s*strip+4], v[4*s:4*s+4], center[4*s:4*s+4], scale[4*s:4*s+4]
		for t := range to {
			to[t] = (from[t] - m[t]) * f[t] * root
		}
	}
}
