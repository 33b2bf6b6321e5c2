package mlreg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Relative lengths of the part of a column orthogonal to those before it below
// which the column is aliased. Householder QR keeps that length to about
// 1e-15 of the column's, Cholesky of sums to its root.
const (
	aliasRows = 1e-13
	aliasSums = 1e-7
)

// roundingOfSums is some times the relative error of the terms that cancel in the
// squared length of what is left of a column in sums.
const roundingOfSums = 16 * unit

// system is the weighted least-squares problem min |y - A b| with A = [1 X]
// and every column and y scaled by a power of two to a length of about 1, so
// that no sum of squares overflows or underflows. Scaling so costs no digit.
type system struct {
	a    *mat.Dense // n x k
	y    []float64  // n
	exp  []int      // A's column j is 2^-exp[j] times the design's
	yexp int
	w, l float64 // sums of weights and of log weights
}

// newSystem copies the rows of positive weight.
func newSystem(d *Design) (*system, error) {
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	p := d.NTerms()
	first := 1
	if d.NoIntercept {
		first = 0
	}
	k := p + first
	data := make([]float64, 0, d.NObs()*k)
	s := &system{exp: make([]int, k)}
	for i, y := range d.Y {
		root := 1.0
		if d.Weights != nil {
			if d.Weights[i] == 0 {
				continue
			}
			root = math.Sqrt(d.Weights[i])
		}
		s.w += root * root
		s.l += 2 * math.Log(root)
		s.y = append(s.y, root*y)
		if first == 1 {
			data = append(data, root)
		}
		for _, x := range d.X.RawRowView(i) {
			data = append(data, root*x)
		}
	}
	s.a = mat.NewDense(len(s.y), k, data)
	scale := make([]float64, k)
	for j := range k {
		e, ok := problem.Exponent(blas64.Nrm2(column(s.a, j)))
		if !ok {
			return nil, d.notFinite(j - first)
		}
		s.exp[j], scale[j] = e, math.Ldexp(1, -e)
	}
	for i := range s.y {
		row := s.a.RawRowView(i)
		for j, c := range scale {
			row[j] *= c
		}
	}
	e, ok := problem.Exponent(blas64.Nrm2(vector(s.y)))
	if !ok {
		return nil, d.notFinite(-1)
	}
	s.yexp = e
	for i := range s.y {
		s.y[i] = math.Ldexp(s.y[i], -e)
	}
	return s, nil
}

// notFinite names what makes the length of term j (of the response if j < 0)
// no number to work with.
func (d *Design) notFinite(j int) error { return d.named(&problem.RangeError{Column: j}) }

// checkSquares names the first term, or the response, whose squares are not.
func (d *Design) checkSquares() error {
	for j := range d.Names {
		if e, ok := problem.Exponent(blas64.Nrm2(column(d.X, j))); !ok || max(e, -e) > problem.MostSquared {
			return d.notFinite(j)
		}
	}
	if e, ok := problem.Exponent(blas64.Nrm2(vector(d.Y))); !ok || max(e, -e) > problem.MostSquared {
		return d.notFinite(-1)
	}
	return nil
}

// column is column j of a matrix as a vector.
func column(a *mat.Dense, j int) blas64.Vector {
	raw := a.RawMatrix()
	return blas64.Vector{N: raw.Rows, Inc: raw.Stride, Data: raw.Data[j:]}
}

// solution is what solving a system gives, in the units of the system: the
// kept columns, their coefficients, and the inverse of the triangular factor.
type solution struct {
	keep []int         // columns of A, in order
	b    []float64     // len(keep)
	qty  []float64     // len(keep): what each kept column adds to the length of the projection of y
	rinv *mat.TriDense // (A_keep'A_keep)^-1 = rinv rinv'
	// What rounding took from b and rinv; nil if that is not known.
	bLow    []float64
	rinvLow *mat.TriDense
	// rest are the columns not kept, in order: their coordinates in the orthonormal
	// basis A_keep rinv, without those after the last that they can have.
	rest [][]float64
	cond float64
	rss  float64

	lengths lengths
	bounds  certificate
}

// lengths returns the lengths that bounds are made of.
func (s *system) lengths(keep []int, rss float64) lengths {
	l := lengths{y: blas64.Nrm2(vector(s.y)), r: math.Sqrt(rss)}
	for _, j := range keep {
		l.a = append(l.a, blas64.Nrm2(column(s.a, j)))
	}
	return l
}

// solveQR solves the system by Householder QR with limited column pivoting: a
// column whose part orthogonal to the columns kept before it is shorter than
// aliasRows times its length is left out.
func (s *system) solveQR() *solution {
	all := make([]int, s.columns())
	for j := range all {
		all[j] = j
	}
	r, qty := s.qr(all)
	keep := independentColumns(r, aliasRows)
	sol := &solution{keep: keep}
	if len(keep) < len(all) {
		r, qty, sol.rest = s.qrOfKept(keep)
	}
	sol.qty = qty[:len(keep)]
	sol.b, sol.rinv = backSolve(r, qty)
	sol.cond = conditionNumber(r, sol.rinv)
	sol.rss = s.residualSquares(sol)
	k := float64(len(keep))
	eta := 8 * k * math.Sqrt(float64(len(s.y))) * unit
	sol.lengths = s.lengths(keep, sol.rss)
	sol.bounds = backwardBound(eta, sol.rinv, sol.b, sol.lengths)
	return sol
}

// qrOfKept factors the kept columns of A, and returns the others in the basis that
// they make.
func (s *system) qrOfKept(keep []int) (r *mat.Dense, qty []float64, rest [][]float64) {
	cols := slices.Clone(keep)
	for j := range s.columns() {
		if !slices.Contains(keep, j) {
			cols = append(cols, j)
		}
	}
	all, qty := s.qr(cols)
	k := len(keep)
	for c, j := range cols[k:] {
		before, _ := slices.BinarySearch(keep, j)
		rest = append(rest, mat.Col(nil, k+c, all)[:before])
	}
	if k == 0 {
		return &mat.Dense{}, nil, rest
	}
	return mat.DenseCopyOf(all.Slice(0, k, 0, k)), qty[:k], rest
}

// residualSquares returns |y - A b|^2.
func (s *system) residualSquares(sol *solution) float64 {
	b := make([]float64, s.columns())
	for c, j := range sol.keep {
		b[j] = sol.b[c]
	}
	r := slices.Clone(s.y)
	rv := vector(r)
	blas64.Gemv(blas.NoTrans, -1, s.a.RawMatrix(), vector(b), 1, rv)
	return blas64.Dot(rv, rv)
}

func (s *system) columns() int {
	_, k := s.a.Dims()
	return k
}

// qr factors the given columns of A and returns the upper trapezoidal factor R
// (min(n,k) x k) and the head of Q'y.
func (s *system) qr(cols []int) (r *mat.Dense, qty []float64) {
	if len(cols) == 0 {
		return &mat.Dense{}, nil
	}
	a, tau := s.householder(cols)
	y := blas64.General{Rows: len(s.y), Cols: 1, Stride: 1, Data: slices.Clone(s.y)}
	withWork(func(work []float64, lwork int) {
		lapack64.Ormqr(blas.Left, blas.Trans, a, tau, y, work, lwork)
	})
	m := len(tau)
	r = mat.NewDense(m, a.Cols, nil)
	for i := range m {
		copy(r.RawRowView(i)[i:], a.Data[i*a.Stride+i:i*a.Stride+a.Cols])
	}
	return r, y.Data[:m]
}

// basis returns an orthonormal basis of the space that the given columns of A,
// independent of each other, span: n x len(cols).
func (s *system) basis(cols []int) *mat.Dense {
	if len(cols) == 0 {
		return &mat.Dense{}
	}
	a, tau := s.householder(cols)
	withWork(func(work []float64, lwork int) { lapack64.Orgqr(a, tau, work, lwork) })
	return mat.NewDense(a.Rows, a.Cols, a.Data)
}

// householder returns the QR factorisation of the given columns of A as LAPACK
// stores it.
func (s *system) householder(cols []int) (a blas64.General, tau []float64) {
	n, k := len(s.y), len(cols)
	a = blas64.General{Rows: n, Cols: k, Stride: k, Data: make([]float64, n*k)}
	for i := range n {
		from := s.a.RawRowView(i)
		for c, j := range cols {
			a.Data[i*k+c] = from[j]
		}
	}
	tau = make([]float64, min(n, k))
	withWork(func(work []float64, lwork int) { lapack64.Geqrf(a, tau, work, lwork) })
	return a, tau
}

// withWork calls a LAPACK routine twice: to ask how much work space it wants,
// and with that space.
func withWork(routine func(work []float64, lwork int)) {
	query := make([]float64, 1)
	routine(query, -1)
	routine(make([]float64, int(query[0])), int(query[0]))
}

// independentColumns returns, in order, the columns of an upper trapezoidal R
// whose part orthogonal to the columns kept before them is longer than tol
// times their length. No column is independent of m others in m dimensions.
func independentColumns(r *mat.Dense, tol float64) []int {
	if r.IsEmpty() {
		return nil
	}
	m, k := r.Dims()
	length := make([]float64, k)
	full := m == k
	for j := range k {
		length[j] = blas64.Nrm2(column(r, j))
		full = full && math.Abs(r.At(min(j, m-1), j)) > tol*length[j]
	}
	keep := make([]int, 0, k)
	if full {
		for j := range k {
			keep = append(keep, j)
		}
		return keep
	}
	// Orthogonalise column by column, twice, against what is kept.
	basis := mat.NewDense(k, m, nil)
	v := make([]float64, m)
	for j := range k {
		mat.Col(v, j, r)
		for range 2 {
			for q := range keep {
				u := basis.RawRowView(q)
				c := blas64.Implementation().Ddot(m, u, 1, v, 1)
				blas64.Implementation().Daxpy(m, -c, u, 1, v, 1)
			}
		}
		rest := blas64.Implementation().Dnrm2(m, v, 1)
		if len(keep) < m && rest > tol*length[j] {
			u := basis.RawRowView(len(keep))
			for i, x := range v {
				u[i] = x / rest
			}
			keep = append(keep, j)
		}
	}
	return keep
}

// backSolve returns R^-1 z and R^-1 for a k x k upper triangular R.
func backSolve(r *mat.Dense, z []float64) ([]float64, *mat.TriDense) {
	if r.IsEmpty() {
		return nil, &mat.TriDense{}
	}
	k, _ := r.Dims()
	b := slices.Clone(z)
	rinv := mat.NewTriDense(k, mat.Upper, nil)
	for i := range k {
		for j := i; j < k; j++ {
			rinv.SetTri(i, j, r.At(i, j))
		}
	}
	t := rinv.RawTriangular()
	blas64.Trsv(blas.NoTrans, t, blas64.Vector{N: k, Inc: 1, Data: b})
	if !lapack64.Trtri(t) {
		panic("mlreg: zero on the diagonal of R after aliased columns were removed")
	}
	return b, rinv
}

// conditionNumber returns the 2-norm condition number of R with its columns
// scaled to unit length, by power iterations on R'R and on its inverse.
func conditionNumber(r *mat.Dense, rinv *mat.TriDense) float64 {
	if r.IsEmpty() {
		return 1
	}
	k, _ := r.Dims()
	length := make([]float64, k)
	for j := range length {
		length[j] = blas64.Nrm2(column(r, j))
	}
	forward := mat.NewTriDense(k, mat.Upper, nil)
	inverse := mat.NewTriDense(k, mat.Upper, nil)
	for i := range k {
		for j := i; j < k; j++ {
			forward.SetTri(i, j, r.At(i, j)/length[j])
			inverse.SetTri(i, j, rinv.At(i, j)*length[i])
		}
	}
	return math.Max(1, spectralNorm(forward)*spectralNorm(inverse)) // but for rounding
}

// spectralNorm returns the largest singular value of a triangular matrix to
// about three digits, by the power method.
func spectralNorm(t *mat.TriDense) float64 {
	k, _ := t.Dims()
	v := blas64.Vector{N: k, Inc: 1, Data: make([]float64, k)}
	for i := range v.Data {
		v.Data[i] = 1 + float64(i%7)/8 // deterministic, and orthogonal to nothing likely
	}
	var norm float64
	for range 1000 {
		blas64.Scal(1/blas64.Nrm2(v), v)
		blas64.Trmv(blas.NoTrans, t.RawTriangular(), v)
		next := blas64.Nrm2(v)
		blas64.Trmv(blas.Trans, t.RawTriangular(), v)
		if math.Abs(next-norm) <= 1e-5*next {
			return next
		}
		norm = next
	}
	return norm
}
