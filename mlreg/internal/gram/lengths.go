package gram

import "gonum.org/v1/gonum/blas/blas64"

// SquaredLengths returns, for the rows x_i of X (n x p),
//
//	|first + root'x_i|^2 = sum_t (first_t + sum_j x_ij root_jt)^2
//
// for a p x m root and m numbers first, nil for zeros: leverages, when
// root root' is the inverse of cross-products. The zeros below the last other
// number of a column of the root cost nothing, so a triangular one takes half
// the time. A result depends on its row only.
func SquaredLengths(x blas64.General, first []float64, root blas64.General) []float64 {
	n, p, m := x.Rows, x.Cols, root.Cols
	h := make([]float64, n)
	if m == 0 {
		return h
	}
	width := active.width
	blocks := ceil(m, width)
	// The root in strips of width columns, and how many of its rows count.
	strip := p * width
	packed, rows := make([]float64, blocks*strip+width), make([]int, blocks)
	start := make([]float64, blocks*width)
	copy(start, first)
	for j := range p {
		for t, v := range root.Data[j*root.Stride : j*root.Stride+m] {
			packed[t/width*strip+j*width+t%width] = v
			if v != 0 {
				rows[t/width] = j + 1
			}
		}
	}
	group := 3 * width // rows of X in a tile
	const tiles = 16   // in a task
	Parallel(ceil(n, group*tiles), func() func(int) {
		panel, sums := make([]float64, 3*strip+width), make([]float64, group)
		read := 0.0
		return func(task int) {
			for i := task * group * tiles; i < min((task+1)*group*tiles, n); i += group {
				count := min(group, n-i)
				if x.Stride == p {
					read += fetch(x.Data[i*p : (i+count)*p])
				}
				for r := 0; r < count; r += width {
					turn(panel[r*p:], width, x, i+r, min(width, count-r))
				}
				clear(sums)
				for b := range blocks {
					active.squares(rows[b], packed[b*strip:], panel, strip, start[b*width:], sums)
				}
				copy(h[i:i+count], sums)
			}
		}
	})
	return h
}

// fetch brings v from memory by reading a number of every cache line, in their order: turn,
// which goes through several rows at once, waits for longer.
func fetch(v []float64) (sum float64) {
	for i := 0; i < len(v); i += 8 {
		sum += v[i]
	}
	return sum
}

// turn writes the rows of X from first on to the columns of a strip.
func turn(strip []float64, width int, x blas64.General, first, rows int) {
	row := func(r int) []float64 {
		at := (first + r) * x.Stride
		return x.Data[at : at+x.Cols : at+x.Cols]
	}
	r := 0
	for ; r+4 <= rows; r += 4 { // four at a time: they are next to each other in the strip
		a := row(r)
		b, c, d := row(r + 1)[:len(a)], row(r + 2)[:len(a)], row(r + 3)[:len(a)]
		to := strip[r:]
		for j, v := range a {
			t := (*[4]float64)(to[j*width:])
			t[0], t[1], t[2], t[3] = v, b[j], c[j], d[j]
		}
	}
	for ; r < rows; r++ {
		for j, v := range row(r) {
			strip[j*width+r] = v
		}
	}
}

// Finite tells whether no number of X is a NaN or an infinity.
func Finite(x blas64.General) bool {
	const group = 1 << 16 // numbers looked at by a task, about
	rows := max(1, group/max(1, x.Cols))
	bad := make([]bool, ceil(x.Rows, rows))
	Parallel(len(bad), func() func(int) {
		return func(task int) {
			for i := task * rows; i < min((task+1)*rows, x.Rows); i++ {
				v := x.Data[i*x.Stride : i*x.Stride+x.Cols]
				var a, b, c, d float64 // sums of v - v, which is 0 or NaN
				for ; len(v) >= 4; v = v[4:] {
					a += v[0] - v[0]
					b += v[1] - v[1]
					c += v[2] - v[2]
					d += v[3] - v[3]
				}
				for _, u := range v {
					a += u - u
				}
				if a+b+c+d != 0 {
					bad[task] = true
					return
				}
			}
		}
	})
	for _, b := range bad {
		if b {
			return false
		}
	}
	return true
}
