package newton

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Hessian is H = A'WA + 2 L2 I, A = [1 X], as a root of its inverse.
type Hessian struct {
	Keep     []int         // columns of A that are not aliased
	Root     *mat.TriDense // H^-1 = Root Root', of the columns kept
	lengths  []float64     // the roots of the diagonal of H
	rounding float64       // relative error of H^-1
	Method   string
}

// Complete tells whether no column is aliased.
func (h *Hessian) Complete() bool { return h.Root != nil && len(h.Keep) == len(h.lengths) }

// Decrement returns sqrt(g'H^-1 g), the Newton decrement at the score g.
func (h *Hessian) Decrement(score []float64) float64 {
	return blas64.Nrm2(gram.Vector(h.whiten(score)))
}

func (h *Hessian) whiten(score []float64) []float64 {
	u := slices.Clone(score)
	blas64.Trmv(blas.Trans, h.Root.RawTriangular(), gram.Vector(u))
	return u
}

// step returns H^-1 g.
func (h *Hessian) step(score []float64) []float64 {
	u := h.whiten(score)
	blas64.Trmv(blas.NoTrans, h.Root.RawTriangular(), gram.Vector(u))
	return u
}

// Methods of factoring H.
const (
	MethodRows = "QR of weighted rows"
	MethodSums = "Cholesky of weighted cross-products"
)

// Up to so many multiplications a Hessian is factored by QR of its rows.
const smallWork = 2e6

// hessian factors H for the given curvatures: by QR of the rows sqrt(w_i) a_i if
// they are few, or if the cross-products lose too much; otherwise by Cholesky of
// the cross-products.
func (q *Problem) hessian(curvature []float64) (*Hessian, error) {
	if q.X.Cols == 0 {
		return constantHessian(floats.Sum(curvature)), nil
	}
	if q.work() > smallWork && (q.X.Rows > q.X.Cols || q.L2 > 0) {
		h, err := q.hessianOfSums(curvature)
		if err != nil || h.Complete() {
			return h, err
		}
	}
	if q.L2 == 0 && floats.Max(curvature) == 0 {
		return nil, fmt.Errorf("%w: all second derivatives underflow", ErrNotFinite)
	}
	return q.hessianOfRows(curvature)
}

// constantHessian is that of the intercept alone.
func constantHessian(curvature float64) *Hessian {
	h := &Hessian{Keep: []int{0}, Root: mat.NewTriDense(1, mat.Upper, nil), lengths: []float64{math.Sqrt(curvature)}}
	h.Root.SetTri(0, 0, 1/h.lengths[0])
	return h
}

func (q *Problem) hessianOfRows(curvature []float64) (*Hessian, error) {
	n, k := q.X.Rows, q.Parameters()
	h := &Hessian{lengths: make([]float64, k), Method: MethodRows}
	sys, err := q.weighted(curvature, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNotFinite, err)
	}
	sol := sys.QR()
	h.Keep = sol.Keep
	for j := range k {
		h.lengths[j] = sys.XUnit[j].Out(sys.Lengths[j])
	}
	if !sol.T.IsEmpty() {
		_, frobenius := lsq.RootLengths(sol.T, sol.Lengths.A)
		h.rounding = 8 * float64(k) * math.Sqrt(float64(n)) * unit * frobenius
		h.Root = sol.T
		for c, j := range sol.Keep {
			for i := c; i < len(sol.Keep); i++ {
				h.Root.SetTri(c, i, sys.Root(j, h.Root.At(c, i)))
			}
		}
	}
	return h, nil
}

// weighted returns the least-squares problem of the rows (1, x_i) and responses, zeros if
// nil, of weight c_i, with the penalty, so that H is the matrix of its normal equations.
func (q *Problem) weighted(curvature, y []float64) (*lsq.System, error) {
	var penalty []float64
	if q.L2 > 0 {
		penalty = make([]float64, q.X.Cols)
		for j := range penalty {
			penalty[j] = math.Sqrt(2 * q.ridge(j))
		}
	}
	return lsq.NewSystem(problem.Rows{X: q.X, Y: y, Weights: curvature, NoIntercept: !q.Intercept}, penalty)
}

// hessianOfSums factors H from the centered cross-products S and means m,
//
//	H^-1 = T T',  T = [1/sqrt(W) -m'R; 0 R],  R R' = (S + 2 L2 I)^-1.
func (q *Problem) hessianOfSums(curvature []float64) (*Hessian, error) {
	return q.hessianOf(gram.Centered(gram.Rows{X: q.X, Weights: curvature}), 0)
}

// hessianOf is hessianOfSums of the sums, which it changes. The relative error of their products is cross, or 0 if
// they are those of gram.Centered.
func (q *Problem) hessianOf(sums *gram.Sums, cross float64) (*Hessian, error) {
	p, k := q.X.Cols, q.Parameters()
	n := float64(q.X.Rows)
	s := mat.NewSymDense(p, sums.S.Data)
	h := &Hessian{lengths: make([]float64, k), Method: MethodSums}
	if q.Intercept {
		h.lengths[0] = math.Sqrt(sums.W)
	}
	centered := make([]float64, p)
	for j := range p {
		raw := s.At(j, j) + sums.W*square(sums.Mean[j])
		if math.IsNaN(raw) || math.IsInf(raw, 0) {
			return nil, ErrNotFinite
		}
		h.lengths[j+q.First()] = math.Sqrt(raw + 2*q.ridge(j))
		if !q.Intercept {
			for i := range j + 1 {
				s.SetSym(i, j, s.At(i, j)+sums.W*sums.Mean[i]*sums.Mean[j])
			}
		}
		s.SetSym(j, j, s.At(j, j)+2*q.ridge(j))
		centered[j] = math.Sqrt(s.At(j, j))
	}
	keep, r := lsq.Cholesky(s, lsq.AliasSums, 0)
	if len(keep) < p || !(sums.W > 0) {
		h.Keep = keep
		return h, nil
	}
	_, rinv := lsq.BackSolve(r, make([]float64, p))
	_, frobenius := lsq.RootLengths(rinv, centered)
	if block := math.Min(n, 256); cross == 0 {
		cross = unit * (math.Min(block, 4*math.Sqrt(block)) + 4*math.Sqrt(n/256+float64(p)))
	}
	h.rounding = cross * square(frobenius)
	h.Root = rinv
	if q.Intercept {
		h.Root = mat.NewTriDense(k, mat.Upper, nil)
		h.Root.SetTri(0, 0, 1/math.Sqrt(sums.W))
		for j := range p {
			var v float64
			for i := range j + 1 {
				v -= sums.Mean[i] * rinv.At(i, j)
				h.Root.SetTri(i+1, j+1, rinv.At(i, j))
			}
			h.Root.SetTri(0, j+1, v)
		}
	}
	h.Keep = gram.NumbersTo(k)
	return h, nil
}
