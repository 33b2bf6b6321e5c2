package lsq

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// FactorRounding is the relative error of (X'X)^-1 from sums above which rows that come in
// blocks are worth a factor of their own, if FactorAffordable: standard errors from the sums
// have fewer than six digits then.
const FactorRounding = 1e-6

// FactorAffordable tells whether n rows of k columns are so few that double-double arithmetic
// takes about half a minute, at 3 ns for each n k^2 on two processors.
func FactorAffordable(n, k int) bool { return float64(n)*float64(k)*float64(k) <= 1e10 }

// Blocks is the system of rows that come in blocks and are not kept: their factor R of
// [A y] = QR in double-double arithmetic, which has the same solution (see Stack).
type Blocks struct {
	s     *System
	whole *twofoldStack
}

// NewBlocks returns the system without rows, of columns scaled as those of e.
func (e *Equations) NewBlocks() *Blocks {
	none := problem.Rows{X: blas64.General{Cols: e.Terms()}, NoIntercept: e.noIntercept}
	k := e.Columns() + 1
	return &Blocks{&System{problem.ScaleBy(none, e.A)}, newTwofoldStack(2*k, k)}
}

// Add takes rows into the factor.
func (b *Blocks) Add(r problem.Rows) {
	n, _, _ := r.Totals()
	if n == 0 {
		return
	}
	b.s.N += n
	b.whole.join(reduce(&System{problem.ScaleBy(r, b.s.Units)}, newTwofoldStack))
}

// Solve solves the system of all rows added, as DoubleDouble does.
func (b *Blocks) Solve() *Solution {
	r := b.whole.R()
	lengths := make([]float64, len(r))
	for j, c := range r {
		lengths[j] = c.Norm().Hi
	}
	k := b.s.Columns()
	b.s.Lengths, b.s.YLength = lengths[:k], lengths[k]
	return b.s.solveTwofold(r)
}

// TotalSquares returns the sum of squares of y about its mean, or about zero without an
// intercept, of a solution that keeps the column of ones.
func (b *Blocks) TotalSquares(sol *Solution) float64 {
	total := sol.RSS
	for c, v := range sol.QtY {
		if sol.Keep[c] >= b.s.Columns()-b.s.Terms() {
			total += v * v
		}
	}
	return total
}

// Cosine returns max_j |x_j'r|/(|x_j||y|) for centered columns and the residuals r of a
// solution, from their sums; see SolvePasses.
func (e *Equations) Cosine(sol *Solution, residuals Residuals) (float64, error) {
	b := dd.NewVector(e.Columns())
	for c, j := range sol.Keep {
		b.Hi[j], b.Lo[j] = sol.B[c], sol.BLow[c]
	}
	g, err := e.gradientOf(b, residuals)
	if err != nil {
		return 0, err
	}
	return e.cosine(g), nil
}
