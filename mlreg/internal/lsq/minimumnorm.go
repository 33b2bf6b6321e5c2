package lsq

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Minimum is a least-squares solution whose slopes have the smallest sum of squares.
type Minimum struct {
	Rank int // of [1 X] or X
	Cond float64
	B0   float64
	B    []float64  // p
	Root *mat.Dense // k x Rank: its outer product is the pseudo-inverse of A'A
}

// MinimumNorm returns that of the rows: b = Xc^+ yc for the centered (weighted)
// columns Xc, or for X itself if there is no intercept, by the singular value
// decomposition Xc = U S V'. Singular values below 1e-13 of the largest, or the
// rounding of the columns, are taken for zero, as is what centering leaves of a
// column below 1e-13 of its length. (Golub and Van Loan, 4th ed., section 5.5.)
func MinimumNorm(r problem.Rows) (*Minimum, error) {
	_, w, _ := r.Totals()
	mean, ymean := r.Means(w)
	x, y, largest := weightedAbout(r, mean, ymean)
	if r.X.Rows > r.X.Cols && r.X.Cols > blocked.Unblocked {
		// The decomposition would begin so; U'y needs no Q, which it would multiply out.
		triangle, qty := Triangularize(x, y.RawVector().Data)
		x, y = triangle, mat.NewVecDense(len(qty), qty)
	}
	u, s, v, err := blocked.SVD(x, mat.SVDThin)
	if err != nil {
		return nil, err
	}
	rank := 0
	for rank < len(s) && s[rank] > math.Max(AliasRows*s[0], 4*dd.Unit*largest) {
		rank++
	}
	p, offset := r.X.Cols, 1
	if r.NoIntercept {
		offset = 0
	}
	m := &Minimum{Rank: rank + offset, Cond: 1, B0: ymean, B: make([]float64, p)}
	if rank > 0 {
		m.Cond = s[0] / s[rank-1]
	}
	if m.Rank == 0 {
		m.Root = &mat.Dense{}
		return m, nil
	}
	m.Root = mat.NewDense(p+offset, m.Rank, nil)
	if offset == 1 {
		m.Root.Set(0, 0, 1/math.Sqrt(w))
	}
	for c := range rank {
		uy := mat.Dot(u.ColView(c), y)
		for j := range p {
			t := v.At(j, c) / s[c]
			m.B[j] += t * uy
			m.Root.Set(j+offset, c+offset, t)
			if offset == 1 {
				m.Root.Set(0, c+1, m.Root.At(0, c+1)-mean[j]*t)
			}
		}
	}
	for j, b := range m.B {
		m.B0 -= mean[j] * b
	}
	return m, nil
}

// weightedAbout returns the rows about the means, times the roots of their weights, and the largest
// length of a column about zero; what rounding of its mean leaves of a constant is nothing.
func weightedAbout(r problem.Rows, mean []float64, ymean float64) (x *mat.Dense, y *mat.VecDense, largest float64) {
	n, p := r.X.Rows, r.X.Cols
	length := make([]float64, p)
	x, y = mat.NewDense(n, p, nil), mat.NewVecDense(n, nil)
	for i := range n {
		root := math.Sqrt(r.Weight(i))
		if root == 0 {
			continue
		}
		y.SetVec(i, root*(r.Y[i]-ymean))
		row := x.RawRowView(i)
		for j := range p {
			v := r.X.Data[i*r.X.Stride+j]
			row[j] = root * (v - mean[j])
			length[j] = math.Hypot(length[j], root*v)
		}
	}
	for j, v := range length {
		if c := gram.Column(x, j); blas64.Nrm2(c) <= AliasRows*v {
			blas64.Scal(0, c)
		} else {
			largest = math.Max(largest, v)
		}
	}
	return x, y, largest
}
