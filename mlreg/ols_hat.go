package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/lsq"
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
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	n := float64(d.NObs())
	if err := args.Size(fmt.Sprintf("the hat matrix of %d rows", d.NObs()), n*n, "Leverage gives its diagonal, and Project its product with a column"); err != nil {
		return nil, err
	}
	q, err := orthonormal(d)
	if err != nil {
		return nil, err
	}
	if q.IsEmpty() {
		return mat.NewSymDense(d.NObs(), nil), nil
	}
	return algebra.Outer(q), nil
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
// the rank of A = [1 X], without forming the matrix. Of many rows it is computed from
// their cross-products, as OLS.Leverage is, if that is certified to 8 digits of the mean
// leverage, and from an orthonormal basis if not. Errors are those of HatMatrix but
// ErrTooLarge.
func Leverage(d *Design) ([]float64, error) {
	if h := leverageOfSums(d); h != nil {
		return h, nil
	}
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

// leverageOfSums returns the leverages of many rows from their cross-products, nil if that
// is not worth it or does not keep the digits.
func leverageOfSums(d *Design) []float64 {
	const certified = 1e-8 // of the mean leverage
	if args.Given("the design", d) != nil || d.checkFit() != nil || d.XLow != nil || !lsq.PreferSums(d.NObs(), d.NTerms()+1) {
		return nil
	}
	m, err := d.WithResponse(d.Response, make([]float64, d.NObs())).Moments()
	if err != nil {
		return nil // the other way names what is wrong
	}
	e := newEquations(m)
	sol := e.Solve()
	k := len(sol.Keep)
	if k < e.Columns() {
		return nil
	}
	root := make([]float64, k*k)
	lengths := make([]float64, k)
	for i := range k {
		for j := i; j < k; j++ {
			v := e.A.Root(i, sol.T.At(i, j))
			root[i*k+j] = v
			lengths[i] = math.Hypot(lengths[i], v)
		}
	}
	// What rounding does to the lengths that are squared, sqrt(w_i)|(1, x_i) root|: its
	// terms are no longer than the means, and what is left of a column without its mean.
	heaviest := 1.0
	if d.Weights != nil {
		heaviest = math.Sqrt(slices.Max(d.Weights))
	}
	offset := e.Offset()
	var sum float64
	if offset == 1 {
		sum = heaviest * lengths[0]
	}
	p := d.NTerms()
	for j := range p {
		sum += (heaviest*math.Abs(m.s.MeanX[j]) + math.Sqrt(m.s.SXX[j*p+j])) * lengths[j+offset]
	}
	mean := float64(k) / float64(m.s.N)
	rounding := float64(k+2) * dd.Unit * sum
	if !(2*sol.Bounds.Root*mean+2*math.Sqrt(mean)*rounding+rounding*rounding <= certified*mean) {
		return nil
	}
	f := &linear{linearState{header: d.header(), coefficients: coefficients{B: make([]float64, p)}}}
	h := f.squaredLengths(d.X.RawMatrix(), root)
	for i, w := range d.Weights {
		if h[i] *= w; w == 0 {
			h[i] = 0
		}
	}
	return h
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
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	sys, err := newSystem(d.WithResponse(d.Response, make([]float64, d.NObs())))
	if err != nil {
		return nil, err
	}
	q := sys.Basis(sys.QR().Keep)
	if sys.N == d.NObs() || q.IsEmpty() {
		return q, nil
	}
	_, k := q.Dims()
	full := mat.NewDense(d.NObs(), k, nil)
	row := 0
	for i := range d.NObs() {
		if d.Weight(i) > 0 {
			full.SetRow(i, q.RawRowView(row))
			row++
		}
	}
	return full, nil
}
