// Package problem prepares a Gaussian linear model for a solver, once for all of
// them: rows or sums become a Problem, whose columns are centered if there is an
// intercept, weighted, divided by powers of two to a length of about 1, and
// checked; its methods lead a solution back to the units of the data. Scaled is
// the same of rows that are not centered, and not copied. Prepared are rows for other
// models, that are centered if they are far from zero only, and Scaling is centers and
// scales alone. Powers of two that numbers are divided by are a Unit everywhere. A Penalty has
// factors, signs and groups of the columns, and Blocks are it in the units of a problem.
//
// It knows columns by their numbers. An error tells the number, and what is wrong.
package problem

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Problem is min |y - X w|^2 + a penalty, for centered and scaled rows, of which
// it has X and Y, or their cross-products G, C, YY.
type Problem struct {
	Units // that columns and y are divided by

	N int     // rows of positive weight
	W float64 // the sum of their weights

	MeanX []float64 // p: what the columns were centered by, zeros without an intercept
	MeanY float64

	XT blas64.General // p x n, X' by rows, times the roots of the weights; empty if only sums are known
	Y  []float64      // n

	G  blas64.Symmetric // X'X; empty if rows are known
	C  []float64        // X'y
	YY float64          // y'y
	// GErr is the error of G that sums computed elsewhere state, of |x_j||x_k|; 0 for rows, and for
	// sums of rows.
	GErr float64
}

// Terms returns p.
func (d *Problem) Terms() int { return len(d.XUnit) }

// HasRows tells whether rows are known.
func (d *Problem) HasRows() bool { return d.XT.Data != nil }

// Column returns column j of X.
func (d *Problem) Column(j int) []float64 {
	return d.XT.Data[j*d.XT.Stride : j*d.XT.Stride+d.XT.Cols]
}

// Cross returns x_j'x_k for j <= k.
func (d *Problem) Cross(j, k int) float64 { return d.G.Data[j*d.G.Stride+k] }

// Lengths returns |x_j|.
func (d *Problem) Lengths() []float64 {
	lengths := make([]float64, d.Terms())
	for j := range lengths {
		if d.HasRows() {
			lengths[j] = math.Sqrt(squares(d.Column(j)))
		} else {
			lengths[j] = math.Sqrt(d.Cross(j, j))
		}
	}
	return lengths
}

// Divide divides column j by the positive number by[j], which may be of any size.
func (d *Problem) Divide(by []float64) {
	rest := make([]float64, d.Terms())
	for j, v := range by {
		unit := UnitOf(v)
		rest[j] = 1 / unit.In(v)
		d.XUnit[j] -= unit
		d.MeanX[j] /= v
		if d.HasRows() {
			blas64.Scal(rest[j], gram.Vector(d.Column(j)))
		} else {
			d.C[j] *= rest[j]
		}
	}
	if d.HasRows() {
		return
	}
	for j := range rest {
		for k := j; k < len(rest); k++ {
			d.G.Data[j*d.G.Stride+k] *= rest[j] * rest[k]
		}
	}
}

// Common divides all columns by the same power of two, that of the longest, so
// that one penalty is that of the data's units for every column.
func (d *Problem) Common() error {
	top := 0
	for j, u := range d.XUnit {
		if u > d.XUnit[top] {
			top = j
		}
	}
	most := d.XUnit[top]
	if !most.Squarable() {
		return &RangeError{Column: top, Squares: true}
	}
	shift := make([]Unit, d.Terms())
	for j, u := range d.XUnit {
		if shift[j] = most - u; shift[j] > mostSquared {
			return &BesideError{Column: j, Largest: top, Unit: u, LargestUnit: most}
		}
	}
	for j, u := range shift {
		d.XUnit[j] = most
		if d.HasRows() {
			scale(d.Column(j), u)
			continue
		}
		d.C[j] = u.In(d.C[j])
		for k := j; k < len(shift); k++ {
			d.G.Data[j*d.G.Stride+k] = (u + shift[k]).In(d.Cross(j, k))
		}
	}
	return nil
}

// Intercept returns that of the slopes of all columns, in the units of the data.
func (d *Problem) Intercept(slopes []float64) float64 {
	return d.MeanY - gram.Dot(d.MeanX, slopes)
}

// InterceptOf returns that of the slopes of the columns in set.
func (d *Problem) InterceptOf(set []int, slopes []float64) float64 {
	b0 := d.MeanY
	for i, j := range set {
		b0 -= slopes[i] * d.MeanX[j]
	}
	return b0
}
