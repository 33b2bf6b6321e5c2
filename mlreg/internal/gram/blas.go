package gram

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// useBLAS says that the implementation registered with blas64 is more than
// gonum's own.
var useBLAS bool

// UseBLAS says whether the implementation registered with blas64 is a tuned
// one, which shares out its work itself. Products are left to it where it is
// the faster: always on a processor that has only the portable kernel, and for
// many columns on one that has AVX2. (OpenBLAS 0.3.21 reaches 0.4 of the speed
// of the AVX-512 kernel here, and 1.2 times that of the AVX2 kernel.)
func UseBLAS(tuned bool) { useBLAS = tuned }

func (p *packing) blasIsFaster() bool {
	return useBLAS && (p.kernel == portable || p.kernel.width == 4 && p.stride() > narrow)
}

// byBLAS packs a slab of rows at a time, row by row, and has blas64 multiply.
func (p *packing) byBLAS() blas64.Symmetric {
	const (
		numbers = 1 << 21 // packed at a time
		group   = 64      // rows packed by a task
	)
	n, k, stride := p.r.X.Rows, len(p.center), p.stride()
	p.lead, p.strip, p.step = 0, p.kernel.width, stride
	c := blas64.Symmetric{N: k, Stride: k, Uplo: blas.Upper, Data: make([]float64, k*k)}
	rows := group * ceil(numbers, group*stride)
	z := blas64.General{Cols: k, Stride: stride, Data: make([]float64, min(rows, n)*stride)}
	for start := 0; start < n; start += rows {
		z.Rows = min(rows, n-start)
		parallel(ceil(z.Rows, group), func() func(int) {
			return func(t int) {
				p.pack(z.Data, t*group, start+t*group, min(group, z.Rows-t*group))
			}
		})
		blas64.Syrk(blas.Trans, 1, z, 1, c)
	}
	return c
}
