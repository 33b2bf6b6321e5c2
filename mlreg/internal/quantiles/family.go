package quantiles

import "github.com/regbook/regbook/mlreg/internal/problem"

// Family are the problems of prepared rows at all quantiles and lasso penalties.
type Family struct {
	*problem.Prepared
	Lasso  int       // rows of the penalty, behind the others
	Factor []float64 // of the penalty, by term; nil is ones
}

// NewFamily returns that of rows prepared with so many rows for a lasso penalty, as many as terms
// or none.
func NewFamily(rows *problem.Prepared, lasso int) *Family {
	for j := range lasso {
		rows.A.Data[(len(rows.Rows)+j)*rows.A.Stride+rows.First+j] = 1
	}
	return &Family{Prepared: rows, Lasso: lasso}
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
		l := q.XUnit[j].In(l1)
		if q.Factor != nil {
			l *= q.Factor[j]
		}
		r := len(q.Rows) + j
		p.Low[r], p.High[r] = -l, l
	}
	return p
}
