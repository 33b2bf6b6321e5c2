package mlreg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// minimumNorm completes f with the least-squares solution of the rows of d
// whose slopes have the smallest sum of squares: b = Xc^+ yc for the centred
// (weighted) columns Xc, or for X itself if there is no intercept, by the
// singular value decomposition Xc = U S V'. Singular values below 1e-13 of the
// largest, or the rounding of the columns, are taken for zero, as is what centring
// leaves of a column below 1e-13 of its length. (Golub and Van Loan, 4th ed., section 5.5.)
func (f *OLS) minimumNorm(d *Design) error {
	n, p := d.X.Dims()
	mean := make([]float64, p)
	if !d.NoIntercept {
		for i := range n {
			if d.weight(i) == 0 {
				continue
			}
			for j, x := range d.X.RawRowView(i) {
				mean[j] += d.weight(i) / f.s.W * x
			}
		}
	}
	ymean := d.meanY(f.s.W)
	length := make([]float64, p)
	x, y := mat.NewDense(n, p, nil), mat.NewVecDense(n, nil)
	for i := range n {
		root := math.Sqrt(d.weight(i))
		if root == 0 {
			continue
		}
		y.SetVec(i, root*(d.Y[i]-ymean))
		row := x.RawRowView(i)
		for j, v := range d.X.RawRowView(i) {
			row[j] = root * (v - mean[j])
			length[j] = math.Hypot(length[j], root*v)
		}
	}
	var largest float64
	for j, v := range length { // what rounding of its mean leaves of a constant is nothing
		if c := column(x, j); blas64.Nrm2(c) <= aliasRows*v {
			blas64.Scal(0, c)
		} else {
			largest = math.Max(largest, v)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return errors.New("mlreg: the singular value decomposition of the design did not converge")
	}
	s := svd.Values(nil)
	rank := 0
	for rank < len(s) && s[rank] > math.Max(aliasRows*s[0], 4*unit*largest) {
		rank++
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	offset := f.columns() - p
	f.s.Rank, f.s.Method = rank+offset, "singular value decomposition, minimum norm"
	f.s.Bound, f.s.RawBound = noBound(), noBound()
	f.s.Cond = 1
	if rank > 0 {
		f.s.Cond = s[0] / s[rank-1]
	}
	f.s.Root = make([]float64, f.columns()*f.s.Rank)
	f.l.B0 = ymean
	if offset == 1 {
		f.root(0).Data[0] = 1 / math.Sqrt(f.s.W)
	}
	for c := range rank {
		uy := mat.Dot(u.ColView(c), y)
		for j := range p {
			r := v.At(j, c) / s[c]
			f.l.B[j] += r * uy
			f.root(j + offset).Data[c+offset] = r
			if offset == 1 {
				f.root(0).Data[c+1] -= mean[j] * r
			}
		}
	}
	if offset == 1 {
		for j, b := range f.l.B {
			f.l.B0 -= mean[j] * b
		}
	}
	return nil
}
