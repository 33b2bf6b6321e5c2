package quantiles

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Family are the problems of prepared rows at all quantiles and lasso penalties.
type Family struct {
	*problem.Prepared
	*problem.Penalty     // without groups or signs; its factors are ones unless it is set
	Lasso            int // rows of the penalty, behind the others
}

// NewFamily returns that of rows prepared with so many rows for a lasso penalty, as many as terms
// or none.
func NewFamily(rows *problem.Prepared, lasso int) *Family {
	for j := range lasso {
		rows.A.Data[(len(rows.Rows)+j)*rows.A.Stride+rows.First+j] = 1
	}
	return &Family{rows, &problem.Penalty{Factor: slices.Repeat([]float64{1}, len(rows.XUnit))}, lasso}
}

// Rates returns the bounds of the duals as low + theta lowRate and high + theta highRate,
// of theta = tau.
func (q *Family) Rates() (low, high, lowRate, highRate []float64) {
	n := len(q.Y)
	low, high, lowRate, highRate = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for r, w := range q.Weights {
		low[r], lowRate[r], highRate[r] = -w, w, w
	}
	return low, high, lowRate, highRate
}

// At returns the problem of a quantile and a penalty.
func (q *Family) At(tau, l1 float64) *Problem {
	p := &Problem{A: q.A, Y: q.Y, Low: make([]float64, len(q.Y)), High: make([]float64, len(q.Y))}
	for r, w := range q.Weights {
		p.Low[r], p.High[r] = (tau-1)*w, tau*w
	}
	for j := range q.Lasso {
		r, l := len(q.Rows)+j, q.XUnit[j].In(l1)*q.Factor[j]
		p.Low[r], p.High[r] = -l, l
	}
	return p
}

// LargestL1 returns the smallest penalty that holds every slope with a penalty at zero, given the sums
// of products of duals and columns: in the units of the data.
func (q *Family) LargestL1(sums []float64) (largest float64) {
	for j, v := range sums {
		if f := q.Factor[j]; f > 0 {
			largest = math.Max(largest, q.XUnit[j].Out(math.Abs(v))/f)
		}
	}
	return largest
}
