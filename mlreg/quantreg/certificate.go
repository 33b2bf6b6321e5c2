package quantreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/report"
)

// Certificate proves, row by row, that a quantile regression has the least loss.
type Certificate struct {
	// Objective is the loss with its penalty, and Dual the objective of the dual problem at
	// Subgradient, which no fit's objective is below.
	Objective, Dual float64
	// Gap is Objective - Dual, as a sum of terms that are not negative.
	Gap float64
	// Subgradient is d_i for every row: tau w_i above the fit, (tau - 1) w_i below it,
	// between the two on it.
	Subgradient []float64
	Residuals   []float64
	// Outside is the number of rows whose subgradient is not one of the loss at the
	// residual. It is 0.
	Outside int
	// Imbalance is the largest |sum_i x_ij d_i|/sum_i |x_ij d_i| of a column, the penalty's
	// subgradient among the terms. It is zero but for rounding.
	Imbalance        float64
	Above, On, Below int // rows of positive weight
}

// Certify checks the fit against the rows d that were fitted:
//
//	sum_i a_i d_i = 0,  d_i = tau w_i if r_i > 0,  d_i = (tau - 1) w_i if r_i < 0,
//	(tau - 1) w_i <= d_i <= tau w_i if r_i = 0.
//
// These conditions are those of a minimum. Rows whose residual is zero up to rounding are
// those that the fit knows to be on it; see Basis. With L1 > 0 the sum of a slope's column
// is a subgradient of the penalty.
//
// Errors: mlreg.ErrSetting for a fit with L2 > 0, which has Gap only, and for a point of a
// path, which does not know its rows; mlreg.ErrShape for other rows than those fitted.
func (f *Quantile) Certify(d *mlreg.Design) (*Certificate, error) {
	if f.s.L2 > 0 || f.s.Basis == 0 && f.s.Penalty == nil {
		return nil, fmt.Errorf("%w: a fit with L2 > 0, or one of a path, does not know the rows on it; fit this lambda by Fit", mlreg.ErrSetting)
	}
	q, err := f.problem(d)
	if err != nil {
		return nil, err
	}
	r, err := f.Residuals(q.d)
	if err != nil {
		return nil, err
	}
	c := &Certificate{Subgradient: make([]float64, len(r)), Residuals: r}
	on := make(map[int]float64, len(f.s.Zero))
	for k, i := range f.s.Zero {
		on[i] = f.s.ZeroDual[k]
	}
	tau := f.s.Tau
	size := floats.Norm(gram.Take(q.d.Y, q.Rows), math.Inf(1))
	for _, i := range q.Rows {
		own, zero := on[i]
		c.row(q.d, i, tau, own, zero, 1e-10*size)
	}
	if f.HasIntercept() {
		c.balance(nil, 0, 0, f.Intercept())
	}
	for j, b := range f.Slopes() {
		var penalty float64
		if f.s.Penalty != nil {
			penalty = f.s.Penalty[j]
			c.Objective += f.s.L1 * math.Abs(b)
			c.Gap += f.s.L1*math.Abs(b) + penalty*b
			if math.Abs(penalty) > f.s.L1*(1+1e-12) {
				c.Outside++
			}
		}
		c.balance(q.d.X, j, penalty, b)
	}
	return c, nil
}

// row counts row i of d; one that the fit knows to be on it has the subgradient own, and a residual of at most small.
func (c *Certificate) row(d *mlreg.Design, i int, tau, own float64, on bool, small float64) {
	w, r := d.Weight(i), c.Residuals[i]
	switch {
	case on:
		c.Subgradient[i] = own
		c.On++
		if own < (tau-1)*w || own > tau*w || math.Abs(r) > small {
			c.Outside++
		}
	case r > 0:
		c.Subgradient[i] = tau * w
		c.Above++
	case r < 0:
		c.Subgradient[i] = (tau - 1) * w
		c.Below++
	default:
		c.Outside++
	}
	loss := w * checkLoss(tau, r)
	c.Objective += loss
	c.Gap += loss - c.Subgradient[i]*r
	c.Dual += c.Subgradient[i] * d.Y[i]
}

// balance counts a column of terms x, of ones if x is nil, whose slope is b.
func (c *Certificate) balance(x *mat.Dense, j int, penalty, b float64) {
	sum, size := penalty, math.Abs(penalty)
	for i, v := range c.Subgradient {
		if x != nil {
			v *= x.At(i, j)
		}
		sum += v
		size += math.Abs(v)
	}
	if size > 0 {
		c.Imbalance = math.Max(c.Imbalance, math.Abs(sum)/size)
	}
	c.Gap += math.Abs(sum * b)
}

// RankTest tests a fit against one with more terms by regression rank scores: with d the
// subgradients of the small fit, which is that of the null hypothesis, and Z the
// columns of the other terms less what those of the fit explain, all times the weights,
//
//	T = (Z'd)'(Z'Z)^-1 (Z'd)/(tau (1 - tau)),
//
// chi-squared with as many degrees of freedom as terms are added. Noise is the same in all
// rows under the hypothesis. Rows d, those fitted, have the terms of the fit and the
// others. It is R's anova(small, large, test = "rank"), whose statistic is T over its
// degrees of freedom, with the probability of F with n - k for the denominator. A Wald test
// of the large fit is mlreg.WaldTest of its Inference.
//
// Errors: mlreg.ErrShape if no term is added; mlreg.ErrNotEstimable if one is a combination of the
// others; those of Certify.
//
// Gutenbrunner, Jureckova, Koenker and Portnoy, Journal of Nonparametric Statistics 2
// (1993), 307-331.
func (f *Quantile) RankTest(d *mlreg.Design) (mlreg.Chi2Test, error) {
	if _, err := f.again(d); err != nil {
		return mlreg.Chi2Test{}, err
	}
	c, err := f.Certify(d)
	if err != nil {
		return mlreg.Chi2Test{}, err
	}
	terms := termsOf(&f.Linear)
	others := slices.DeleteFunc(slices.Clone(d.Names), func(name string) bool { return slices.Contains(terms, name) })
	if len(others) == 0 {
		return mlreg.Chi2Test{}, fmt.Errorf("%w: the rows have no term besides those of the fit, %s", mlreg.ErrShape, format.Quoted(terms))
	}
	columns, err := d.Select(append(slices.Clone(terms), others...)...)
	if err != nil {
		return mlreg.Chi2Test{}, err
	}
	var basis orthonormal
	if f.HasIntercept() {
		basis.add(weighted(d, slices.Repeat([]float64{1}, d.NObs())))
	}
	test := mlreg.Chi2Test{DF: float64(len(others))}
	// The subgradients have the weights in them: the scores are those over the weights.
	for k, name := range columns.Names {
		u, ok := basis.add(weighted(d, mat.Col(nil, k, columns.X)))
		if !ok {
			return mlreg.Chi2Test{}, fmt.Errorf("%w: term %q is a combination of the others", mlreg.ErrNotEstimable, name)
		}
		if k >= len(terms) {
			var score float64
			for i, x := range u {
				if w := d.Weight(i); w > 0 {
					score += x * c.Subgradient[i] / w
				}
			}
			test.Stat += score * score
		}
	}
	test.Stat /= f.s.Tau * (1 - f.s.Tau)
	test.P = dist.Chi2Upper(test.Stat, test.DF)
	return test, nil
}

// weighted multiplies a value of every row by its weight, in place.
func weighted(d *mlreg.Design, v []float64) []float64 {
	for i := range v {
		v[i] *= d.Weight(i)
	}
	return v
}

// orthonormal is a basis of the columns added to it.
type orthonormal [][]float64

// add makes a column, in place, orthogonal to those before and of length one, unless it is a combination of them.
func (b *orthonormal) add(v []float64) ([]float64, bool) {
	length := math.Sqrt(gram.Squares(v))
	for range 2 {
		for _, u := range *b {
			gram.Axpy(-gram.Dot(u, v), u, v)
		}
	}
	left := math.Sqrt(gram.Squares(v))
	if !(left > 1e-10*length) {
		return nil, false
	}
	for i := range v {
		v[i] /= left
	}
	*b = append(*b, v)
	return v, true
}

// Describe returns the certificate in lines.
func (c *Certificate) Describe() *report.Table {
	return &report.Table{
		Title: "Certificate of a quantile regression",
		Columns: []report.Column{
			report.TextColumn("", "objective", "dual objective", "gap", "rows above, on and below the fit", "rows whose subgradient is wrong", "imbalance of a column"),
			report.TextColumn("value", format.Number(c.Objective, 10), format.Number(c.Dual, 10), "≤ "+format.PowerAbove(math.Max(c.Gap, 1e-15)),
				fmt.Sprintf("%d, %d, %d", c.Above, c.On, c.Below), fmt.Sprint(c.Outside), "≤ "+format.PowerAbove(math.Max(c.Imbalance, 1e-15))),
		},
	}
}

// String writes the certificate as text.
func (c *Certificate) String() string { return c.Describe().String() }
