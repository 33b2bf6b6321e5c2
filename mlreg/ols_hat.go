package mlreg

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// HatMatrix returns the n x n matrix that projects orthogonally onto the column
// space of A = [1 X],
//
//	H = A (A'A)^-1 A',   yhat = H y,
//
// computed as QQ' with an orthonormal basis Q of that space, so that aliased
// columns do no harm. H is symmetric and idempotent, HA = A, and its trace is
// the rank of A. Of weighted rows it is the projection for sqrt(w_i) times row
// i. The response is not used. H takes n^2 numbers; Leverage gives its diagonal
// alone.
//
// Errors: ErrNoData, ErrShape, ErrNotFinite, and ErrTooLarge for more than 16,384 rows.
//
// Hoaglin and Welsch, The American Statistician 32 (1978), 17-22.
func HatMatrix(d *Design) (*mat.SymDense, error) {
	if err := given("the design", d); err != nil {
		return nil, err
	}
	n := float64(d.NObs())
	if err := checkSize(fmt.Sprintf("the hat matrix of %d rows", d.NObs()), n*n, "Leverage gives its diagonal, and Project its product with a column"); err != nil {
		return nil, err
	}
	q, err := orthonormal(d)
	if err != nil {
		return nil, err
	}
	if q.IsEmpty() {
		return mat.NewSymDense(d.NObs(), nil), nil
	}
	return outer(q), nil
}

// ResidualMaker returns the n x n matrix M = I - H, the projection onto the
// orthogonal complement of the columns of A = [1 X]: residuals are r = M y, and
// MA = 0. Errors are those of HatMatrix.
func ResidualMaker(d *Design) (*mat.SymDense, error) {
	h, err := HatMatrix(d)
	if err != nil {
		return nil, err
	}
	n := h.SymmetricDim()
	m := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			m.SetSym(i, j, -h.At(i, j))
		}
		m.SetSym(i, i, 1-h.At(i, i))
	}
	return m, nil
}

// Leverage returns the diagonal of the hat matrix, h_ii in [0, 1], whose sum is
// the rank of A = [1 X], without forming the matrix. Errors are those of
// HatMatrix.
func Leverage(d *Design) ([]float64, error) {
	q, err := orthonormal(d)
	if err != nil {
		return nil, err
	}
	h := make([]float64, d.NObs())
	if q.IsEmpty() {
		return h, nil
	}
	for i := range h {
		row := blas64.Vector{N: q.RawMatrix().Cols, Inc: 1, Data: q.RawRowView(i)}
		h[i] = blas64.Dot(row, row)
	}
	return h, nil
}

// Project returns the orthogonal projection of y (n) onto the column space of
// x (n x p, taken as it is: no column of ones is added) and the residual y
// minus projection, which is orthogonal to every column. Aliased columns do no
// harm. The error is ErrShape, ErrNoData or ErrNotFinite.
func Project(x mat.Matrix, y []float64) (projection, residual []float64, err error) {
	if y == nil {
		return nil, nil, fmt.Errorf("%w: y is nil", ErrNoData)
	}
	d, err := NewDesign(x, y)
	if err != nil {
		return nil, nil, err
	}
	d.NoIntercept = true
	fit, err := FitOLS(d, &OLSSettings{Aliased: DropAliased})
	if err != nil {
		return nil, nil, err
	}
	projection = fit.predict(d.X, d.XLow)
	residual = make([]float64, len(y))
	for i := range y {
		residual[i] = y[i] - projection[i]
	}
	return projection, residual, nil
}

// orthonormal returns an orthonormal basis of the column space of A = [1 X]; a
// row of weight zero is a row of zeros.
func orthonormal(d *Design) (*mat.Dense, error) {
	if err := given("the design", d); err != nil {
		return nil, err
	}
	sys, err := newSystem(d.WithResponse(d.Response, make([]float64, d.NObs())))
	if err != nil {
		return nil, err
	}
	q := sys.Basis(sys.QR().Keep)
	if len(sys.Y) == d.NObs() || q.IsEmpty() {
		return q, nil
	}
	_, k := q.Dims()
	full := mat.NewDense(d.NObs(), k, nil)
	row := 0
	for i := range d.NObs() {
		if d.weight(i) > 0 {
			full.SetRow(i, q.RawRowView(row))
			row++
		}
	}
	return full, nil
}
