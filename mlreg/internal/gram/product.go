package gram

import "gonum.org/v1/gonum/blas/blas64"

// AddProduct adds A'B to C, for A of m x r, B of m x c and C of r x c, all
// row-major, at the speed of the kernel. If upper, C is square and only what is
// on or above its diagonal is added to; what is below it is then undefined.
// The result is the same to the bit whatever GOMAXPROCS is.
func AddProduct(c, a, b blas64.General, upper bool) {
	k := active
	const group = 12 // strips of A of a task
	for first := 0; first < a.Rows; first += depth {
		rows := min(depth, a.Rows-first)
		left, right := k.strips(a, first, rows, 1), k.strips(b, first, rows, 3)
		size := rows * k.width
		strips := ceil(a.Cols, k.width)
		Each(ceil(strips, group), func(task int) {
			edge := make([]float64, 3*k.width*k.width)
			from, to := task*group, min((task+1)*group, strips)
			for j := 0; j < b.Cols; j += 3 * k.width {
				for s := from; s < to; s++ {
					i := s * k.width
					if upper && i >= j+3*k.width {
						break
					}
					x, y := left[s*size:], right[j*rows:]
					if i+k.width <= c.Rows && j+3*k.width <= c.Cols {
						k.tile(rows, x, y, size, c.Data[i*c.Stride+j:], c.Stride)
						continue
					}
					clear(edge)
					k.tile(rows, x, y, size, edge, 3*k.width)
					for r := range min(k.width, c.Rows-i) {
						row := c.Data[(i+r)*c.Stride+j : (i+r)*c.Stride+min(j+3*k.width, c.Cols)]
						for t := range row {
							row[t] += edge[r*3*k.width+t]
						}
					}
				}
			}
		})
	}
}

// strips packs rows of m into strips of width columns, a multiple of times of
// them; what m lacks of the last is zero.
func (k *kernel) strips(m blas64.General, first, rows, times int) []float64 {
	size := rows * k.width
	packed := make([]float64, ceil(m.Cols, times*k.width)*times*size)
	whole := m.Cols / k.width * k.width
	center, scale := make([]float64, whole), make([]float64, whole)
	for j := range scale {
		scale[j] = 1
	}
	for i := range rows {
		row := m.Data[(first+i)*m.Stride : (first+i)*m.Stride+m.Cols]
		to := packed[i*k.width:]
		k.pack(to, size, row[:whole], center, scale, 1)
		if rest := row[whole:]; len(rest) > 0 {
			copy(to[whole*rows:], rest)
		}
	}
	return packed
}
