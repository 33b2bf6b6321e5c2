package lsq

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// pivotsAbove tells whether every diagonal element of a triangle is larger than tol times the
// length of its column.
func pivotsAbove(r *mat.Dense, tol float64) bool {
	k, _ := r.Dims()
	for j := range k {
		if !(math.Abs(r.At(j, j)) > tol*blas64.Nrm2(gram.Column(r, j))) {
			return false
		}
	}
	return true
}

// clear tells whether no column of a factor R with inverse T can be a combination of those before it
// that rounding hides. QR is exact for columns a_i changed by eta |a_i| at most, eta = rounding(k), so that of a
// combination a_j = sum_i c_i a_i it leaves no more than
//
//	|r_jj| <= eta (|a_j| + sum_i |c_i| |a_i|).
//
// With c_i = -T_ij/T_jj and r_jj = 1/T_jj that is 1 <= eta sum_{i<=j} |a_i| |T_ij|.
func (s *System) clear(t *mat.TriDense) bool {
	raw, sums := t.RawTriangular(), make([]float64, s.Columns())
	for i := range raw.N {
		for j := i; j < raw.N; j++ {
			sums[j] += s.Lengths[i] * math.Abs(raw.Data[i*raw.Stride+j])
		}
	}
	eta := s.rounding(s.Columns())
	for _, sum := range sums {
		if !(eta*sum < 1) {
			return false
		}
	}
	return true
}

// independent returns, in order, the columns of A whose part orthogonal to the columns
// kept before them is longer than AliasRows times their length, given the upper trapezoidal R
// of A. A column of which more is left, but not more than rounding can leave (see clear), is left
// out if dependent proves it a combination. No column is independent of m others in m dimensions.
func (s *System) independent(r *mat.Dense) []int {
	if r.IsEmpty() {
		return nil
	}
	m, k := r.Dims()
	eta := s.rounding(k)
	keep := make([]int, 0, k)
	basis := mat.NewDense(k, m, nil) // orthonormal rows, by Gram and Schmidt, twice
	factor := mat.NewDense(m, m, nil)
	v := make([]float64, m)
	for j := range k {
		mat.Col(v, j, r)
		length := blas64.Nrm2(gram.Vector(v))
		c := make([]float64, len(keep))
		for range 2 {
			for q := range keep {
				u := basis.RawRowView(q)
				part := blas64.Implementation().Ddot(m, u, 1, v, 1)
				blas64.Implementation().Daxpy(m, -part, u, 1, v, 1)
				c[q] += part
			}
		}
		left := blas64.Nrm2(gram.Vector(v))
		if len(keep) == m || !(left > AliasRows*length) {
			continue
		}
		triangle := Upper(factor)
		if triangle.N = len(keep); triangle.N > 0 && s.dependent(j, keep, triangle, c, left, eta) {
			continue
		}
		u := basis.RawRowView(len(keep))
		for i, x := range v {
			u[i] = x / left
		}
		for i, x := range append(c, left) {
			factor.Set(i, len(keep), x)
		}
		keep = append(keep, j)
	}
	return keep
}

// dependent tells whether column j, of which so much is left, is a combination of the columns kept, to
// AliasRows of its length. R is their factor, and c the projection of column j in its coordinates. If no more is
// left than rounding can leave, the combination b = R^-1 c is formed, and corrected by
// R^-1 R^-T A'r, until what it leaves of the rows, r = a_j - A b, is short enough, which is a proof,
// or no correction shortens it much. (Björck, Numerical Methods for Least Squares Problems,
// section 6.6.5.)
func (s *System) dependent(j int, keep []int, r blas64.Triangular, c []float64, left, eta float64) bool {
	z := gram.Vector(slices.Clone(c))
	blas64.Trsv(blas.NoTrans, r, z)
	size := s.Lengths[j]
	for i, q := range keep {
		size += math.Abs(z.Data[i]) * s.Lengths[q]
	}
	if left > eta*size {
		return false
	}
	b := dd.NewVector(s.Columns())
	const most = 6
	for range most {
		for i, q := range keep {
			b.Set(q, b.At(q).Add(dd.Of(z.Data[i])))
		}
		squares, products := s.Remainder(j, b.Hi, b.Lo)
		if math.Sqrt(squares) <= AliasRows*s.Lengths[j] {
			return true
		}
		for i, q := range keep {
			z.Data[i] = products[q]
		}
		blas64.Trsv(blas.Trans, r, z)
		if saved := blas64.Nrm2(z); !(saved*saved > squares/2) {
			return false
		}
		blas64.Trsv(blas.NoTrans, r, z)
	}
	return false
}
