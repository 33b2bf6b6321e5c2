package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// coordinatesOf returns coordinates z of the rows x, all of the weight w, that were
// fitted, with w a'(A'WA + lambda F)^-1 a_i = z'z_i: 1/sqrt(n) for the intercept, and
// sqrt(w) L^-1 (x - mean) for LL' = w X'X + lambda F, X centered.
func (f *Ridge) coordinatesOf(x *mat.Dense, w float64) (*lsq.Coordinates, error) {
	n, p := x.Dims()
	c := &lsq.Coordinates{Center: make([]float64, p)}
	first := 0
	if !f.l.NoIntercept {
		c.Center, first = lsq.ColumnMeans(x, nil), 1
	}
	g := mat.NewSymDense(p, nil)
	xc := mat.DenseCopyOf(x)
	for i := range n {
		row := xc.RawRowView(i)
		for j := range row {
			row[j] -= c.Center[j]
		}
	}
	product := blas64.General{Rows: p, Cols: p, Stride: p, Data: g.RawSymmetric().Data}
	gram.AddProduct(product, w, xc.RawMatrix(), xc.RawMatrix(), true)
	for j := range p {
		factor := 1.0
		if f.s.By != nil {
			factor = gram.Square(f.s.By[j])
		}
		g.SetSym(j, j, g.At(j, j)+f.s.Lambda*factor)
	}
	var chol mat.Cholesky
	if !chol.Factorize(g) {
		return nil, fmt.Errorf("%w: X'X + lambda F, of the rows; take a larger lambda", ErrNotPositiveDefinite)
	}
	var l, inverse mat.TriDense
	chol.LTo(&l)
	if err := inverse.InverseTri(&l); err != nil {
		return nil, fmt.Errorf("%w: X'X + lambda F, of the rows: %v", ErrNotPositiveDefinite, err)
	}
	r := p + first
	c.Slopes = blas64.General{Rows: p, Cols: r, Stride: r, Data: make([]float64, p*r)}
	for i := range p {
		for j := range i + 1 {
			c.Slopes.Data[j*r+i+first] = math.Sqrt(w) * inverse.At(i, j)
		}
	}
	c.Offset = make([]float64, r)
	if first == 1 {
		c.Offset[0] = 1 / math.Sqrt(float64(n))
	}
	return c, nil
}

func init() {
	door.ColumnsOf = func(fit, design any) (any, error) {
		return fit.(interface {
			columnsOf(d *Design) (*Design, error)
		}).columnsOf(design.(*Design))
	}
	door.RootOf = func(fit any) []float64 { return fit.(*OLS).s.Root }
	door.CoordinatesOf = func(fit any, x *mat.Dense, weights []float64) (*lsq.Coordinates, error) {
		switch f := fit.(type) {
		case *OLS:
			return f.coordinatesOf(x, weights), nil
		case *Ridge:
			w := 1.0
			if weights != nil {
				w = weights[0]
			}
			return f.coordinatesOf(x, w)
		}
		panic(fmt.Sprintf("mlreg: coordinates of a %T", fit))
	}
}
