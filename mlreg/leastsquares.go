package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Relative lengths of the part of a column orthogonal to those before it below
// which the column is aliased. Householder QR keeps that length to about
// 1e-15 of the column's, Cholesky of sums to its root.
const (
	aliasRows = 1e-13
	aliasSums = 1e-7
)

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
		e, err := exponent(blas64.Nrm2(column(s.a, j)))
		if err != nil {
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
	e, err := exponent(blas64.Nrm2(blas64.Vector{N: len(s.y), Inc: 1, Data: s.y}))
	if err != nil {
		return nil, d.notFinite(-1)
	}
	s.yexp = e
	for i := range s.y {
		s.y[i] = math.Ldexp(s.y[i], -e)
	}
	return s, nil
}

// notFinite names what makes the length of term j (of the response if j < 0)
// no finite number.
func (d *Design) notFinite(j int) error {
	if err := d.checkFinite(); err != nil {
		return err
	}
	if j < 0 {
		return fmt.Errorf("%w: the length of response %q overflows; rescale it", ErrNotFinite, d.Response)
	}
	return fmt.Errorf("%w: the length of term %q overflows; rescale it", ErrNotFinite, d.Names[j])
}

// exponent returns e such that length/2^e is about 1.
func exponent(length float64) (int, error) {
	switch {
	case math.IsNaN(length) || math.IsInf(length, 0):
		return 0, ErrNotFinite
	case length == 0:
		return 0, nil
	}
	_, e := math.Frexp(length)
	return min(e, 1023), nil // 2^-e is a normal number
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
	rinv *mat.TriDense // (A_keep'A_keep)^-1 = rinv rinv'
	cond float64
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
	if len(keep) < len(all) {
		r, qty = s.qr(keep)
	}
	b, rinv := backSolve(r, qty)
	return &solution{keep: keep, b: b, rinv: rinv, cond: conditionNumber(r, rinv)}
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
	return spectralNorm(forward) * spectralNorm(inverse)
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
		if math.Abs(next-norm) <= 1e-6*next {
			return next
		}
		norm = next
	}
	return norm
}

// fitRows fits the rows of a design.
func fitRows(d *Design, settings OLSSettings) (*OLS, error) {
	sys, err := newSystem(d)
	if err != nil {
		return nil, err
	}
	f := newOLS(d.Names, d.Response, d.NoIntercept, d.Scaling, settings)
	f.s.N, f.s.W, f.s.LogW = len(sys.y), sys.w, sys.l
	f.s.Method = "Householder QR"
	sol := sys.solveQR()
	switch {
	case len(sol.keep) == sys.columns() || settings.Aliased == DropAliased:
		f.set(sol, sys.exp, sys.yexp)
	case settings.Aliased == ErrorOnAliased:
		return nil, f.rankDeficient(sol.keep)
	default:
		if err := f.minimumNorm(d); err != nil {
			return nil, err
		}
	}
	residual := f.predict(d.X)
	for i, yhat := range residual {
		residual[i] = d.Y[i] - yhat
	}
	f.s.RSS = d.weightedSquares(residual, 0)
	f.s.TSS = d.weightedSquares(d.Y, d.meanY(sys.w))
	f.s.Orth = sys.orthogonality(d, residual)
	return f, nil
}

// meanY returns the weighted mean of the response, given the sum of weights,
// or 0 if the model has no intercept: what the model takes for the centre.
func (d *Design) meanY(w float64) float64 {
	if d.NoIntercept {
		return 0
	}
	var mean float64
	for i, y := range d.Y {
		mean += d.weight(i) / w * y
	}
	return mean
}

// weight returns w_i.
func (d *Design) weight(i int) float64 {
	if d.Weights == nil {
		return 1
	}
	return d.Weights[i]
}

// weightedSquares returns sum_i w_i (v_i - center)^2.
func (d *Design) weightedSquares(v []float64, center float64) float64 {
	var ss float64
	for i, x := range v {
		ss += d.weight(i) * (x - center) * (x - center)
	}
	return ss
}

// orthogonality returns max_j |a_j'r| / (|a_j| |y|) for the residual r of the
// rows of d.
func (s *system) orthogonality(d *Design, residual []float64) float64 {
	scaled := make([]float64, 0, len(s.y))
	for i, r := range residual {
		if w := d.weight(i); w > 0 {
			scaled = append(scaled, math.Ldexp(math.Sqrt(w)*r, -s.yexp))
		}
	}
	rv := blas64.Vector{N: len(scaled), Inc: 1, Data: scaled}
	ylen := blas64.Nrm2(blas64.Vector{N: len(s.y), Inc: 1, Data: s.y})
	var worst float64
	for j := range s.columns() {
		aj := column(s.a, j)
		if length := blas64.Nrm2(aj); length > 0 && ylen > 0 {
			worst = math.Max(worst, math.Abs(blas64.Dot(aj, rv))/length/ylen)
		}
	}
	return worst
}

// newOLS returns a fit whose coefficients are not yet known.
func newOLS(names []string, response string, noIntercept bool, scaling *Scaling, settings OLSSettings) *OLS {
	return &OLS{
		linear: linear{linearState{
			TermNames: slices.Clone(names), Response: response, NoIntercept: noIntercept, Scaling: scaling,
			B: make([]float64, len(names)),
		}},
		s: olsState{Sigma2Known: settings.Sigma2},
	}
}

// set takes the coefficients and the root of their covariance from a solution
// of a system whose columns were scaled by powers of two.
func (f *OLS) set(sol *solution, exp []int, yexp int) {
	f.s.Rank, f.s.Cond = len(sol.keep), sol.cond
	k := f.columns()
	f.s.Root = make([]float64, k*f.s.Rank)
	for i := range f.s.Root {
		f.s.Root[i] = math.NaN()
	}
	for j := range f.l.B {
		f.l.B[j] = math.NaN()
	}
	for c, j := range sol.keep {
		b := math.Ldexp(sol.b[c], yexp-exp[j])
		switch {
		case f.l.NoIntercept:
			f.l.B[j] = b
		case j == 0:
			f.l.B0 = b
		default:
			f.l.B[j-1] = b
		}
		row := f.root(j).Data
		for i := range row {
			row[i] = 0
			if i >= c {
				row[i] = math.Ldexp(sol.rinv.At(c, i), -exp[j])
			}
		}
	}
}

// rankDeficient names the columns that are not kept.
func (f *OLS) rankDeficient(keep []int) error {
	names := f.Names()
	e := &RankDeficientError{Rank: len(keep), Columns: len(names), NObs: f.s.N}
	for j, name := range names {
		if !slices.Contains(keep, j) {
			e.Aliased = append(e.Aliased, name)
		}
	}
	return e
}

// fitSums fits moments by Cholesky of the centred cross-products.
func fitSums(m *Moments, settings OLSSettings) (*OLS, error) {
	if m.s.N == 0 {
		return nil, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	}
	f := newOLS(m.s.Names, m.s.Response, m.s.NoIntercept, m.s.Scaling, settings)
	f.s.N, f.s.W, f.s.LogW = m.s.N, m.s.W, m.s.LogW
	f.s.Method = "Cholesky"
	g := newNormalEquations(m)
	sol := g.solve()
	if len(sol.keep) < f.columns() {
		switch settings.Aliased {
		case ErrorOnAliased:
			return nil, f.rankDeficient(sol.keep)
		case MinimumNorm:
			return nil, fmt.Errorf("%w: the minimum-norm solution; sums resolve directions to 1e-7 only", ErrNeedsRows)
		}
	}
	f.set(sol, g.exp, g.yexp)
	f.s.RSS, f.s.TSS, f.s.Orth = g.fit(sol)
	f.s.RSS = math.Ldexp(f.s.RSS, 2*g.yexp)
	f.s.TSS = math.Ldexp(f.s.TSS, 2*g.yexp)
	return f, nil
}
