package gram

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
)

// AddProduct adds alpha A'B to C, for A of m x r, B of m x c and C of r x c, all
// row-major, at the speed of the kernel. If upper, C is square and only what is
// on or above its diagonal is added to; what is below it is then undefined.
// The result is the same to the bit whatever GOMAXPROCS is.
func AddProduct(c blas64.General, alpha float64, a, b blas64.General, upper bool) {
	type task struct{ i, j int } // of rows and columns of C
	k := active
	high, wide := side, 6*3*k.width
	var tasks []task
	for i := 0; i < a.Cols; i += high {
		for j := 0; j < b.Cols; j += wide {
			if !upper || i < j+wide {
				tasks = append(tasks, task{i, j})
			}
		}
	}
	for first := 0; first < a.Rows; first += depth {
		rows := min(depth, a.Rows-first)
		left, right := k.strips(a, first, rows, 1, alpha), k.strips(b, first, rows, 3, 1)
		Each(len(tasks), func(t int) {
			i, j := tasks[t].i, tasks[t].j
			k.block(c, rows, *left, *right, i, min(i+high, a.Cols), j, min(j+wide, b.Cols), upper)
		})
		packs.Put(left)
		packs.Put(right)
	}
}

// block adds the products of the columns i0 to i1 of A with j0 to j1 of B, both
// packed, to C.
func (k *kernel) block(c blas64.General, rows int, left, right []float64, i0, i1, j0, j1 int, upper bool) {
	var whole [8 * 24]float64
	edge := whole[:3*k.width*k.width]
	size := rows * k.width
	for j := j0; j < j1; j += 3 * k.width {
		for i := i0; i < i1; i += k.width {
			if upper && i >= j+3*k.width {
				break
			}
			x, y := left[i*rows:], right[j*rows:]
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
}

// packs are packed matrices to be used again.
var packs sync.Pool

// strips packs alpha times rows of m into strips of width columns, a multiple of
// times of them; what m lacks of the last is zero.
func (k *kernel) strips(m blas64.General, first, rows, times int, alpha float64) *[]float64 {
	const group = 1 << 15 // numbers packed by a task
	size := rows * k.width
	need := ceil(m.Cols, times*k.width) * times * size
	packed, ok := packs.Get().(*[]float64)
	if !ok || cap(*packed) < need {
		packed = new([]float64)
		*packed = make([]float64, need)
	}
	*packed = (*packed)[:need]
	whole := m.Cols / k.width * k.width
	center, scale := make([]float64, whole), make([]float64, whole)
	for j := range scale {
		scale[j] = alpha
	}
	some := ceil(group, max(1, m.Cols))
	Each(ceil(rows, some), func(task int) {
		for i := task * some; i < min((task+1)*some, rows); i++ {
			row := m.Data[(first+i)*m.Stride : (first+i)*m.Stride+m.Cols]
			to := (*packed)[i*k.width:]
			k.pack(to, size, row[:whole], center, scale, 1)
			for s, rest := whole*rows, row[whole:]; s < need; s += size {
				n := min(len(rest), k.width)
				for t, v := range rest[:n] {
					to[s+t] = alpha * v
				}
				clear(to[s+n : s+k.width])
				rest = rest[n:]
			}
		}
	})
	return packed
}
