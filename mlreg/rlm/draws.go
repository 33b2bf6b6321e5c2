package rlm

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// planeDraws draws planes through rows, for the starts of S-estimates and of Student's t. The
// draws depend neither on the order of rows nor on which columns span the space of the terms, such
// as the level that a factor starts from: rows are put in an order of their own first.
type planeDraws struct {
	r     *robustRows // the rows of a search
	order []int
	rnd   *rand.Rand
}

const planeAttempts = 20 // draws for rows that determine the coefficients

// draws are those of these rows, or of a sample of many, whose least squares are given.
func (r *robustRows) draws(least []float64, rnd *rand.Rand) *planeDraws {
	d := &planeDraws{r: r, order: r.canonical(least), rnd: rnd}
	if len(d.order) <= sLargest {
		return d
	}
	places := rnd.Perm(len(d.order))[:sLargest]
	slices.Sort(places)
	rows := make([]int, sLargest)
	for k, place := range places {
		rows[k], d.order[k] = d.order[place], k
	}
	d.r, d.order = r.take(rows), d.order[:sLargest]
	return d
}

// canonical returns the rows in an order that is theirs wherever they stand: by the response, then
// by the fit and the leverage of least squares, without the digits that rounding may change. Rows
// that agree in all are as good as equal.
func (r *robustRows) canonical(least []float64) []int {
	const digits = 0x1p30
	fit, leverage := make([]float64, len(r.y)), r.leverages()
	var largest float64
	for i, e := range r.residuals(least) {
		fit[i] = r.y[i] - e
		largest = math.Max(largest, math.Abs(fit[i]))
	}
	unit := problem.UnitOf(largest)
	rows := make([]int, len(r.y))
	for i := range rows {
		rows[i] = i
		fit[i], leverage[i] = math.Round(digits*unit.In(fit[i])), math.Round(digits*leverage[i])
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.y[a], r.y[b]), cmp.Compare(fit[a], fit[b]), cmp.Compare(leverage[a], leverage[b]))
	})
	return rows
}

// leverages are those of least squares.
func (r *robustRows) leverages() []float64 {
	n, k := len(r.y), r.a.Cols
	out := make([]float64, n)
	if k == 0 {
		return out
	}
	a := r.matrix()
	upper, _ := lsq.Triangularize(a, make([]float64, n))
	blas64.Trsm(blas.Right, blas.NoTrans, 1, lsq.Upper(upper), a.RawMatrix())
	for i := range out {
		out[i] = gram.Dot(a.RawRowView(i), a.RawRowView(i))
	}
	return out
}

// plane returns the coefficients of a plane through k rows drawn at random, nil if some draws were
// of rows that do not determine them.
func (d *planeDraws) plane() []float64 {
	k := d.r.a.Cols
	for range planeAttempts {
		h, y := mat.NewDense(k, k, nil), mat.NewVecDense(k, nil)
		seen := make([]int, 0, k)
		for len(seen) < k {
			if i := d.order[d.rnd.IntN(len(d.order))]; !slices.Contains(seen, i) {
				h.SetRow(len(seen), d.r.row(i))
				y.SetVec(len(seen), d.r.y[i])
				seen = append(seen, i)
			}
		}
		if b := solved(h, y); b != nil {
			return b
		}
	}
	return nil
}

// solved solves equations, in units of their columns, so that a row far out which is not among
// them costs no digits. It is nil if they are singular, clearly so for every choice of columns: not
// as rounding decides.
func solved(h *mat.Dense, y *mat.VecDense) []float64 {
	const worst = 1e12
	k, _ := h.Dims()
	unit := make([]float64, k)
	for j := range unit {
		for i := range k {
			unit[j] = math.Max(unit[j], math.Abs(h.At(i, j)))
		}
		if unit[j] == 0 {
			return nil
		}
		for i := range k {
			h.Set(i, j, h.At(i, j)/unit[j])
		}
	}
	var lu mat.LU
	lu.Factorize(h)
	var v mat.VecDense
	if !(lu.Cond() < worst) || lu.SolveVecTo(&v, false, y) != nil {
		return nil
	}
	b := v.RawVector().Data
	for j := range b {
		b[j] /= unit[j]
	}
	return b
}
