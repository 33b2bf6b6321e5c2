package newton

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Certificate tells how far a solution can be from the exact one.
type Certificate struct {
	Decrement float64 // sqrt(g'H^-1 g)
	Distance  float64 // of a parameter to the exact one, in standard errors: the decrement, and what rounding adds
	StdErr    float64 // relative error of the standard errors
}

// Certify certifies a solution. Its Hessian becomes that of the rows if the
// cross-products have lost too many digits.
func (q *Problem) Certify(s *Solution) (Certificate, error) {
	pt := s.Point
	if s.Hessian.rounding > 1e-10 && s.Hessian.Method != MethodRows {
		exact, err := q.hessianOfRows(pt.Curvature)
		if err != nil {
			return Certificate{}, err
		}
		if exact.Complete() {
			s.Hessian = exact
		}
	}
	h := s.Hessian
	c := q.certificate(pt, h)
	// H is off by the largest relative change of a curvature, at most that of eta.
	change := c.Distance / math.Sqrt(pt.Sums.Least)
	if change > 1e-9 {
		change = c.Distance * math.Sqrt(slices.Max(Quadratic(q.X, mat.DenseCopyOf(h.Root).RawMatrix().Data, q.Intercept)))
	}
	c.StdErr = change + h.rounding + 8*unit
	return c, nil
}

// certificate is Certify without the standard errors.
func (q *Problem) certificate(pt *Point, h *Hessian) Certificate {
	c := Certificate{Decrement: h.Decrement(pt.Score)}
	c.Distance = c.Decrement + q.roundingOf(pt, h)
	if pt.stated == nil {
		return c
	}
	for j, lost := range pt.stated.Lost { // of column j, which takes lost times a standard error from it
		row := h.Root.RawTriangular()
		k := j + q.First()
		off := lost * blas64.Nrm2(gram.Vector(row.Data[k*row.Stride+k:k*row.Stride+row.N]))
		c.Distance += off * math.Sqrt(pt.Sums.Pearson)
		c.StdErr += 2 * off
	}
	return c
}

// Quadratic returns |a'root|^2 for every row a of x, or a = (1, x) with an
// intercept; the square root is stored by rows.
func Quadratic(x blas64.General, root []float64, intercept bool) []float64 {
	var ones []float64
	k := x.Cols
	if intercept {
		k++
		ones, root = root[:k], root[k:]
	}
	return gram.SquaredLengths(x, ones, blas64.General{Rows: x.Cols, Cols: k, Stride: k, Data: root})
}

// sumRounding returns the relative error of a sum over the rows of terms of one
// sign, each right to 8 u, or what is stated of sums that were computed elsewhere.
func (q *Problem) sumRounding(pt *Point) float64 {
	if pt.stated != nil {
		return pt.stated.RelErr
	}
	n := float64(q.X.Rows)
	block := math.Min(n, 64)
	return unit * (8 + math.Min(block, 4*math.Sqrt(block)) + 4*math.Sqrt(n/64))
}

// roundingOf bounds the decrement that rounding makes: of eta_i, whose error is
// at most (k+3) u sum_j |a_ij b_j|, of the residuals, 8 u of each, and of their
// sums. The errors of sums that were computed elsewhere are different ones of every column, each up to the lengths of the
// column and of the residuals: a column takes them times its length and its standard error, of which h.rounding has the squares.
func (q *Problem) roundingOf(pt *Point, h *Hessian) float64 {
	if s := pt.stated; s != nil {
		return s.Eta + (s.RelErr+math.Sqrt(s.RelErr*h.rounding))*math.Sqrt(pt.Sums.Pearson)
	}
	return etaRounding(pt, h) + q.sumRounding(pt)*math.Sqrt(pt.Sums.Pearson)
}

// etaRounding bounds sqrt(sum_i c_i d_i^2) for the rounding errors d_i of eta_i.
func etaRounding(pt *Point, h *Hessian) float64 {
	if pt.stated != nil {
		return pt.stated.Eta
	}
	var eta float64
	for j, b := range pt.Beta {
		eta += math.Abs(b) * h.lengths[j]
	}
	return unit * float64(len(pt.Beta)+3) * eta
}

// lossRounding bounds the rounding error of f: of the sum, and of sum_i r_i d_i, which is at
// most sqrt(sum_i r_i^2/c_i) sqrt(sum_i c_i d_i^2). It is the larger part where coefficients
// of collinear terms cancel, or rows weigh much. It is at most 1e-8 of f, to hold far out.
func (q *Problem) lossRounding(pt *Point, h *Hessian) float64 {
	size := math.Abs(pt.F) + 1
	most := 1e-8 * size
	if d := math.Sqrt(pt.Sums.Pearson) * etaRounding(pt, h); d < most {
		most = d
	}
	return q.sumRounding(pt)*size + most
}
