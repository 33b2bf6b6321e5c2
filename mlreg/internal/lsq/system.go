package lsq

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Relative lengths of the part of a column orthogonal to those before it below
// which the column is aliased. Householder QR keeps that length to about
// 1e-15 of the column's, Cholesky of sums to its root.
const (
	AliasRows = 1e-13
	AliasSums = 1e-7
)

// roundingOfSums is some times the relative error of the terms that cancel in the
// squared length of what is left of a column in sums.
const roundingOfSums = 16 * dd.Unit

// System is the scaled problem of rows.
type System struct {
	*problem.Scaled
	rows problem.Rows
}

// NewSystem copies the rows of positive weight. The error is a
// *problem.RangeError.
func NewSystem(r problem.Rows) (*System, error) {
	s, err := problem.Scale(r)
	if err != nil {
		return nil, err
	}
	return &System{s, r}, nil
}

// Dense is the system min |y - A b| as it is.
func Dense(a *mat.Dense, y []float64) *System {
	return &System{Scaled: &problem.Scaled{A: a, Y: y}}
}

// Solution is what solving a system gives, in the units of the system: the
// kept columns, their coefficients, and the inverse of the triangular factor.
type Solution struct {
	Keep []int         // columns of A, in order
	B    []float64     // len(Keep)
	QtY  []float64     // len(Keep): what each kept column adds to the length of the projection of y
	T    *mat.TriDense // (A_keep'A_keep)^-1 = T T'
	// What rounding took from B and T; nil if that is not known. Of T it may have been
	// taken from the first row only.
	BLow     []float64
	TLow     *mat.TriDense
	FirstLow []float64
	// Rest are the columns not kept, in order: their coordinates in the orthonormal
	// basis A_keep T, without those after the last that they can have.
	Rest [][]float64
	Cond float64
	RSS  float64

	Lengths Lengths
	Bounds  Certificate

	// Of corrections by passes: whether they ended, what the last but one left, relative to
	// the residual, and the largest cosine of residual and column before the last.
	Converged          bool
	Correction, Cosine float64
}

// Solve solves the system by QR, in double-double arithmetic unless that takes too
// long, and tells the method.
func (s *System) Solve() (sol *Solution, method string) {
	n, k := float64(len(s.Y)), float64(s.Columns())
	if n*k*min(n, k) <= doubleDoubleRescue {
		return s.DoubleDouble(), "Householder QR in double-double"
	}
	return s.QR(), "Householder QR"
}

// lengths returns the lengths that bounds are made of.
func (s *System) lengths(keep []int, rss float64) Lengths {
	l := Lengths{Y: blas64.Nrm2(gram.Vector(s.Y)), R: math.Sqrt(rss)}
	for _, j := range keep {
		l.A = append(l.A, blas64.Nrm2(gram.Column(s.A, j)))
	}
	return l
}

// QR solves the system by Householder QR with limited column pivoting: a
// column whose part orthogonal to the columns kept before it is shorter than
// AliasRows times its length is left out.
func (s *System) QR() *Solution {
	all := make([]int, s.Columns())
	for j := range all {
		all[j] = j
	}
	r, qty := s.Triangularize(all)
	keep := independentColumns(r, AliasRows)
	sol := &Solution{Keep: keep}
	if len(keep) < len(all) {
		r, qty, sol.Rest = s.qrOfKept(keep)
	}
	sol.QtY = qty[:len(keep)]
	sol.B, sol.T = BackSolve(r, qty)
	sol.Cond = ConditionNumber(r, sol.T)
	sol.RSS = s.residualSquares(sol)
	k := float64(len(keep))
	eta := 8 * k * math.Sqrt(float64(len(s.Y))) * dd.Unit
	sol.Lengths = s.lengths(keep, sol.RSS)
	sol.Bounds = BackwardBound(eta, sol.T, sol.B, sol.Lengths)
	return sol
}

// qrOfKept factors the kept columns of A, and returns the others in the basis that
// they make.
func (s *System) qrOfKept(keep []int) (r *mat.Dense, qty []float64, rest [][]float64) {
	cols := slices.Clone(keep)
	for j := range s.Columns() {
		if !slices.Contains(keep, j) {
			cols = append(cols, j)
		}
	}
	all, qty := s.Triangularize(cols)
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
func (s *System) residualSquares(sol *Solution) float64 {
	b := make([]float64, s.Columns())
	for c, j := range sol.Keep {
		b[j] = sol.B[c]
	}
	r := slices.Clone(s.Y)
	rv := gram.Vector(r)
	blas64.Gemv(blas.NoTrans, -1, s.A.RawMatrix(), gram.Vector(b), 1, rv)
	return blas64.Dot(rv, rv)
}

func (s *System) Columns() int {
	_, k := s.A.Dims()
	return k
}

// Triangularize factors the given columns of A and returns the upper trapezoidal factor R
// (min(n,k) x k) and the head of Q'y.
func (s *System) Triangularize(cols []int) (r *mat.Dense, qty []float64) {
	if len(cols) == 0 {
		return &mat.Dense{}, nil
	}
	a, tau := s.householder(cols)
	y := blas64.General{Rows: len(s.Y), Cols: 1, Stride: 1, Data: slices.Clone(s.Y)}
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

// Basis returns an orthonormal basis of the space that the given columns of A,
// independent of each other, span: n x len(cols).
func (s *System) Basis(cols []int) *mat.Dense {
	if len(cols) == 0 {
		return &mat.Dense{}
	}
	a, tau := s.householder(cols)
	withWork(func(work []float64, lwork int) { lapack64.Orgqr(a, tau, work, lwork) })
	return mat.NewDense(a.Rows, a.Cols, a.Data)
}

// householder returns the QR factorization of the given columns of A as LAPACK
// stores it.
func (s *System) householder(cols []int) (a blas64.General, tau []float64) {
	n, k := len(s.Y), len(cols)
	a = blas64.General{Rows: n, Cols: k, Stride: k, Data: make([]float64, n*k)}
	for i := range n {
		from := s.A.RawRowView(i)
		for c, j := range cols {
			a.Data[i*k+c] = from[j]
		}
	}
	tau = make([]float64, min(n, k))
	withWork(func(work []float64, lwork int) { lapack64.Geqrf(a, tau, work, lwork) })
	return a, tau
}

// Orthogonality returns max_j |a_j'r| / (|a_j| |y|) for the residual r of the
// rows.
func (s *System) Orthogonality(residual []float64) float64 {
	scaled := make([]float64, 0, len(s.Y))
	for i, r := range residual {
		if w := s.rows.Weight(i); w > 0 {
			scaled = append(scaled, math.Ldexp(math.Sqrt(w)*r, -s.YExp))
		}
	}
	rv := gram.Vector(scaled)
	ylen := blas64.Nrm2(gram.Vector(s.Y))
	var worst float64
	for j := range s.Columns() {
		aj := gram.Column(s.A, j)
		if length := blas64.Nrm2(aj); length > 0 && ylen > 0 {
			worst = math.Max(worst, math.Abs(blas64.Dot(aj, rv))/length/ylen)
		}
	}
	return worst
}
