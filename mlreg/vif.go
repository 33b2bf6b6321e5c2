package mlreg

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// VIF returns the variance inflation factor of every term of the data,
//
//	VIF_j = S_jj ((A'A)^-1)_jj = 1/(1 - R_j^2),
//
// by how much its correlation with the other terms multiplies the variance of its
// coefficient. R_j^2 is that of the regression of column j on the others, and
// S_jj its centred sum of squares (not centred if the model has no intercept).
// The intercept has none, and the response is not used. Aliased terms are a
// *RankDeficientError.
//
// Belsley, Kuh and Welsch, Regression Diagnostics (1980), section 3.2.
func VIF(data Data) ([]float64, error) {
	if d, ok := data.(*Design); ok {
		if err := d.Check(); err != nil {
			return nil, err
		}
		data = d.unitColumns()
	}
	f, err := FitOLS(data, nil)
	if err != nil {
		return nil, err
	}
	if err := checkTerms(f.l.TermNames); err != nil {
		return nil, err
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	s := &m.s
	p := len(s.Names)
	vif := make([]float64, p)
	for j := range vif {
		ss := s.SXX[j*p+j]
		if s.NoIntercept {
			ss += s.W * s.MeanX[j] * s.MeanX[j]
		}
		length := blas64.Nrm2(f.root(j + f.columns() - p))
		vif[j] = ss * length * length
	}
	return vif, nil
}

// unitColumns returns the design with columns divided by powers of two to a
// largest value of about 1, whose squares neither overflow nor underflow, and a
// response of zeros.
func (d *Design) unitColumns() *Design {
	n, p := d.X.Dims()
	unit := *d
	unit.X, unit.Y, unit.Scaling = newDense(n, p), make([]float64, n), nil
	for j := range p {
		var largest float64
		for i := range n {
			largest = math.Max(largest, math.Abs(d.X.At(i, j)))
		}
		_, e := math.Frexp(largest)
		for i := range n {
			unit.X.Set(i, j, math.Ldexp(d.X.At(i, j), -e))
		}
	}
	return &unit
}
