package lsq

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
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
type System struct{ *problem.Scaled }

// NewSystem measures the rows of positive weight, and those of a penalty below them, nil
// for none; see problem.Scale. The error is a *problem.RangeError.
func NewSystem(r problem.Rows, penalty []float64) (*System, error) {
	s, err := problem.Scale(r, penalty)
	if err != nil {
		return nil, err
	}
	return &System{s}, nil
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
	n, k := float64(s.N), float64(s.Columns())
	if n*k*min(n, k) <= doubleDoubleRescue {
		return s.DoubleDouble(), "Householder QR in double-double"
	}
	return s.QR(), "Householder QR"
}

// lengths returns the lengths that bounds are made of.
func (s *System) lengths(keep []int, rss float64) Lengths {
	l := Lengths{Y: s.YLength, R: math.Sqrt(rss)}
	for _, j := range keep {
		l.A = append(l.A, s.Lengths[j])
	}
	return l
}

// QR solves the system by Householder QR with limited column pivoting: a
// column whose part orthogonal to the columns kept before it is shorter than
// AliasRows times its length is left out. Where rounding may hide that, the rows decide;
// see independent.
func (s *System) QR() *Solution {
	k := s.Columns()
	raw := reduce(s, NewStack)
	triangle := mat.NewDense(raw.Rows, k+1, raw.Data)
	a, y := triangle.Slice(0, raw.Rows, 0, k).(*mat.Dense), mat.Col(nil, k, triangle)
	m := min(raw.Rows, k)
	r, qty := a.Slice(0, m, 0, k).(*mat.Dense), y[:m]
	sol := &Solution{Keep: gram.NumbersTo(k)}
	full := m == k && pivotsAbove(r, AliasRows)
	if full {
		sol.B, sol.T = BackSolve(r, qty)
	}
	if !full || !s.clear(sol.T) {
		if keep := s.independent(r); len(keep) < k {
			r, qty, sol.Rest = qrOfKept(a, y, keep)
			sol.Keep = keep
			sol.B, sol.T = BackSolve(r, qty)
		}
	}
	sol.QtY = qty[:len(sol.Keep)]
	sol.Cond = ConditionNumber(r, sol.T)
	sol.RSS = residualSquares(a, y, sol)
	sol.Lengths = s.lengths(sol.Keep, sol.RSS)
	sol.Bounds = BackwardBound(s.rounding(len(sol.Keep)), sol.T, sol.B, sol.Lengths)
	return sol
}

// rounding returns what Householder QR of so many columns changes each of them by at most,
// relative to its length. (Higham, 2nd ed., theorem 19.4.)
func (s *System) rounding(columns int) float64 {
	return 8 * float64(columns) * math.Sqrt(float64(s.N)) * dd.Unit
}

// qrOfKept factors the kept columns of A, and returns the others in the basis that
// they make.
func qrOfKept(a *mat.Dense, y []float64, keep []int) (r *mat.Dense, qty []float64, rest [][]float64) {
	_, columns := a.Dims()
	cols := slices.Clone(keep)
	for j := range columns {
		if !slices.Contains(keep, j) {
			cols = append(cols, j)
		}
	}
	all, qty := Triangularize(take(a, cols), y)
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
func residualSquares(a *mat.Dense, y []float64, sol *Solution) float64 {
	_, k := a.Dims()
	b := make([]float64, k)
	for c, j := range sol.Keep {
		b[j] = sol.B[c]
	}
	r := gram.Vector(slices.Clone(y))
	blas64.Gemv(blas.NoTrans, -1, a.RawMatrix(), gram.Vector(b), 1, r)
	return blas64.Dot(r, r)
}

// Basis returns an orthonormal basis of the space that the given columns of A,
// independent of each other, span: n x len(cols).
func (s *System) Basis(cols []int) *mat.Dense {
	if len(cols) == 0 {
		return &mat.Dense{}
	}
	all := mat.NewDense(s.N, s.Columns()+1, nil)
	s.Read(all.RawMatrix(), 0, s.Rows())
	return Basis(take(all, cols))
}

// take returns a copy of the given columns.
func take(a *mat.Dense, cols []int) *mat.Dense {
	n, _ := a.Dims()
	b := mat.NewDense(n, len(cols), nil)
	for i := range n {
		from, to := a.RawRowView(i), b.RawRowView(i)
		for c, j := range cols {
			to[c] = from[j]
		}
	}
	return b
}

// Orthogonality returns max_j |a_j'r| / (|a_j| |y|) for the residual r of the
// rows.
func (s *System) Orthogonality(residual []float64) float64 {
	return slices.Max(append(s.Cosines(residual), 0))
}
