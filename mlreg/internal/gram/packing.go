package gram

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

const (
	depth  = 256 // rows of a packed panel, or all if they are fewer
	narrow = 256 // packed columns up to which each chunk of rows has products of its own
	chunks = 64  // chunks of rows, at most
	slab   = 4   // panels packed at a time if there are more columns
	side   = 96  // columns of the blocks of products that are then the tasks
)

// packing is how rows are laid out for the kernel: [Z 1] with
//
//	z_ij = sqrt(w_i) * scale_j * (a_ij - center_j)
//
// and sqrt(w_i) for the 1, in panels of depth rows. A panel is made of strips
// of width columns; lead strips of nothing come first, which make the number
// of strips a multiple of the three that the kernel takes at a time.
type packing struct {
	r             Rows
	kernel        *kernel
	lead, strips  int       // strips of nothing, and all
	strip         int       // distance of strips
	center, scale []float64 // k+1: of A before scaling, and of the ones
}

func newPacking(r Rows, center []float64) *packing {
	k := r.columns()
	p := &packing{
		r: r, kernel: active, center: append(center, 0),
		strip: min(depth, r.X.Rows) * active.width,
	}
	for j := range k + 1 {
		scale := 1.0
		if j < k && r.Scale != nil {
			scale = r.Scale[j]
		}
		p.scale = append(p.scale, scale)
	}
	used := (k + p.kernel.width) / p.kernel.width // ceil((k+1)/width)
	p.strips = (used + 2) / 3 * 3
	p.lead = p.strips - used
	return p
}

// stride returns the number of packed columns.
func (p *packing) stride() int { return p.strips * p.kernel.width }

// products returns the upper triangle of [Z 1]'[Z 1].
//
// What is added to what, and in which order, follows from the shape alone, so
// the result is the same to the bit however many processors share the work.
func (p *packing) products() blas64.Symmetric {
	var c []float64
	if p.stride() <= narrow {
		c = p.byRows()
	} else {
		c = p.byBlocks()
	}
	first := p.lead * p.kernel.width
	return blas64.Symmetric{N: len(p.center), Stride: p.stride(), Uplo: blas.Upper, Data: c[first*(p.stride()+1):]}
}

// byRows gives each chunk of rows its own products, and adds those in order.
func (p *packing) byRows() []float64 {
	n, size := p.r.X.Rows, p.stride()*p.stride()
	rows := depth * max(slab, ceil(n, chunks*depth))
	parts := make([]float64, ceil(n, rows)*size)
	Parallel(ceil(n, rows), func() func(int) {
		panel := make([]float64, p.strips*p.strip)
		return func(chunk int) {
			c := parts[chunk*size : (chunk+1)*size]
			end := min((chunk+1)*rows, n)
			for first := chunk * rows; first < end; first += depth {
				m := min(depth, end-first)
				p.pack(panel, 0, first, m)
				p.multiply(c, panel, m, p.lead, p.strips, 0, p.strips)
			}
		}
	})
	sum := parts[:size]
	for part := parts[size:]; len(part) > 0; part = part[size:] {
		for i, v := range part[:size] {
			sum[i] += v
		}
	}
	return sum
}

// byBlocks packs a slab of rows at a time and shares out blocks of the
// products.
func (p *packing) byBlocks() []float64 {
	type task struct{ i, j int } // strips
	var tasks []task
	step := side / p.kernel.width
	for j := 0; j < p.strips; j += step {
		for i := 0; i <= j; i += step {
			tasks = append(tasks, task{i, j})
		}
	}
	const group = 64 // rows packed by a task
	n, panelSize := p.r.X.Rows, p.strips*p.strip
	c := make([]float64, p.stride()*p.stride())
	panels := make([]float64, min(slab, ceil(n, depth))*panelSize)
	for start := 0; start < n; start += slab * depth {
		end := min(start+slab*depth, n)
		Parallel(ceil(end-start, group), func() func(int) {
			return func(t int) {
				first := start + t*group
				at := t * group / depth * panelSize
				p.pack(panels[at:at+panelSize], t*group%depth, first, min(group, end-first))
			}
		})
		Parallel(len(tasks), func() func(int) {
			return func(t int) {
				i, j := tasks[t].i, tasks[t].j
				for first := start; first < end; first += depth {
					panel := panels[(first-start)/depth*panelSize:]
					p.multiply(c, panel, min(depth, end-first), max(i, p.lead), min(i+step, p.strips), j, min(j+step, p.strips))
				}
			}
		})
	}
	return c
}

// multiply adds the products of strips i0 to i1 with strips j0 to j1 to c, as
// far as they are on or above the diagonal.
func (p *packing) multiply(c, panel []float64, rows, i0, i1, j0, j1 int) {
	width, strip := p.kernel.width, p.strip
	for j := j0; j < j1; j += 3 {
		for i := i0; i < min(i1, j+3); i++ {
			p.kernel.tile(rows, panel[i*strip:], panel[j*strip:], strip, c[i*width*p.stride()+j*width:], p.stride())
		}
	}
}

// pack writes rows first to first+rows of [Z 1] to a panel, from its row at
// on. A row of weight zero becomes zeros.
func (p *packing) pack(panel []float64, at, first, rows int) {
	width, strip := p.kernel.width, p.strip
	whole := p.r.X.Cols / width * width
	tail := make([]float64, (p.strips-p.lead)*width-whole)
	center, scale := p.center[:whole], p.scale[:whole]
	for i := range rows {
		dst := panel[p.lead*strip+(at+i)*width:]
		w := p.r.weight(first + i)
		if w == 0 {
			clear(tail)
			for s := range whole / width {
				clear(dst[s*strip : s*strip+width])
			}
		} else {
			row, root := p.r.row(first+i), math.Sqrt(w)
			p.kernel.pack(dst, strip, row[:whole], center, scale, root)
			k := len(p.center) - 1
			copy(tail, row[whole:])
			if p.r.Y != nil {
				tail[k-1-whole] = p.r.Y[first+i]
			}
			tail[k-whole] = 1
			for t := range k + 1 - whole {
				tail[t] = (tail[t] - p.center[whole+t]) * p.scale[whole+t] * root
			}
		}
		for t := 0; t < len(tail); t += width {
			copy(dst[(whole+t)/width*strip:], tail[t:t+width])
		}
	}
}

// ceil returns a/b rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }
