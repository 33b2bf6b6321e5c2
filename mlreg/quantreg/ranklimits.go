package quantreg

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/quantiles"
	"github.com/regbook/regbook/mlreg/report"
)

// RankLimitsSettings are the options of Quantile.RankLimits.
type RankLimitsSettings struct {
	// Unequal takes the density of the noise to differ from row to row, by HendricksKoenker
	// (R's iid = FALSE); the default takes it to be the same.
	Unequal bool
	// Steps leaves limits at the values of the coefficient at which the test statistic, a
	// step function, passes its critical value. The default interpolates T linearly between
	// that step and the nearest vertex before it.
	Steps bool
	// Normal takes the critical value from the normal distribution, not Student's (R's
	// tcrit = FALSE).
	Normal bool
}

// RankLimits returns confidence limits for every coefficient by inverting the test by
// regression rank scores: the values c for which b_j = c is not rejected. With the dual
// d(c) of the fit in which b_j is held at c, the statistic is
//
//	T(c) = x_j'd(c) / sqrt(tau (1 - tau) |x~_j|^2),
//
// x~_j the residual of x_j on the other terms, weighted by densities if the settings say
// so. T(c) is the derivative of the least loss with b_j = c, so that each limit is the
// fit with a linear term besides, some steps from the fit itself. No density at the
// quantile need be estimated, and the limits are not symmetric. A limit is infinite if the
// test rejects no value on that side.
//
// The limits are those of R's summary(rq, se = "rank"), whose default level is 0.9, if the
// step before the limit is one vertex. Where n tau is a whole number and there is one term, or
// terms have few values, there are several with the same T: here the nearest to the limit
// counts, so that the limit depends on the data alone, and R has the one that its algorithm
// has passed, from which the limit is nearer to the fit. With ties R can interpolate from a
// value at which there is no vertex, and its limit changes if another term is shifted.
//
// Nil settings are the defaults. Errors are those of Inference.
//
// Koenker, Journal of Statistical Planning and Inference 41 (1994), 249-260; Koenker and
// Machado (1999).
func (f *Quantile) RankLimits(d *mlreg.Design, level float64, settings *RankLimitsSettings) (report.Rows[mlreg.Interval], error) {
	s := args.OrDefaults(settings)
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	q, err := f.again(d)
	if err != nil {
		return nil, err
	}
	dof := f.DoFResidual()
	if err := args.ResidualDoF(dof); err != nil {
		return nil, err
	}
	if s.Normal {
		dof = math.Inf(1)
	}
	spreads, err := q.rankSpreads(f.s.Tau, s.Unequal)
	if err != nil {
		return nil, err
	}
	solution, err := quantiles.Solve(q.At(f.s.Tau, 0), nil, 0)
	if err != nil {
		return nil, q.singular(err)
	}
	t := q.ToRaw()
	limits := make([]mlreg.Interval, len(f.Coef()))
	for j, name := range f.Names() {
		// The coefficient of the design is l'b; T's unit is that of the response times 1/l'b.
		l := t.RawRowView(j)
		mu := dist.TQuantile(1-level, dof) * math.Sqrt(f.s.Tau*(1-f.s.Tau)) * spreads[j]
		upper, err := rankLimit(solution, l, mu, s.Steps)
		if err != nil {
			return nil, q.singular(err)
		}
		lower, err := rankLimit(solution, l, -mu, s.Steps)
		if err != nil {
			return nil, q.singular(err)
		}
		limits[j] = mlreg.Interval{Term: name, Lower: lower, Upper: upper, Level: level}
	}
	return limits, nil
}

// rankLimit is the limit at which the statistic passes mu.
func rankLimit(s *quantiles.Solution, l []float64, mu float64, steps bool) (float64, error) {
	side := 1.0
	if mu < 0 {
		side = -1
	}
	at, err := s.Tilt(l, mu, 100_000)
	if errors.Is(err, quantiles.ErrUnbounded) {
		return math.Inf(int(side)), nil
	}
	if err != nil {
		return 0, err
	}
	if steps {
		return at.At, nil
	}
	inner, innerT, outerT := at.Before, at.From, at.To
	if side < 0 {
		inner, innerT, outerT = at.Next, at.To, at.From
	}
	share := (mu - innerT) / (outerT - innerT)
	limit := inner + (at.At-inner)*share
	if limit-limit != 0 {
		return at.At, nil
	}
	return limit, nil
}

// rankSpreads are the lengths of the columns less what the others explain, for the
// coefficients of the design.
func (q *fitting) rankSpreads(tau float64, unequal bool) ([]float64, error) {
	density := slices.Repeat([]float64{1}, len(q.Rows))
	if unequal {
		var err error
		if density, _, err = q.hendricksKoenker(tau, bandwidth(tau, len(q.Rows), true)); err != nil {
			return nil, err
		}
	}
	inverse, err := q.inverse(density)
	if err != nil {
		return nil, err
	}
	// In the basis of columns A T^-1, the residual of the column of coefficient j on the
	// others is A g, g = H^-1 t_j / (t_j'H^-1 t_j).
	t, a := q.ToRaw(), q.weighted()
	out := make([]float64, q.A.Cols)
	for j := range out {
		tj := t.RowView(j)
		var g, residual mat.VecDense
		g.MulVec(inverse, tj)
		g.ScaleVec(1/mat.Dot(tj, &g), &g)
		residual.MulVec(a, &g)
		out[j] = mat.Norm(&residual, 2)
	}
	return out, nil
}
