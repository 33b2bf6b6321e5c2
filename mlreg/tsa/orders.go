package tsa

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// LagOrdersSettings are the options of FitLagOrders.
type LagOrdersSettings struct {
	// Tau2 is the prior variance of a slope relative to that of the noise, for the
	// evidence: w | sigma^2 ~ N(0, sigma^2 Tau2 I), with Jeffreys' prior of sigma^2. The
	// default 0 is 1, which suits channels in units of their standard deviation.
	Tau2 float64
	// OwnSample fits every order to all rows that have its own lags, so that a larger
	// order has fewer. The default takes the rows of the largest order for all: only
	// then do criteria compare. Each order then has sums of its own.
	OwnSample bool
}

// LagOrder is the least-squares fit of one order. It is a Likelihood: AIC, BIC and
// DescriptionLength take it.
type LagOrder struct {
	Order       int // lags up to this are in
	Terms       int // columns, without the intercept
	N           int // rows
	RSS         float64
	LogEvidence float64 // see LagOrdersSettings.Tau2
	NoIntercept bool

	terms *mlreg.Linear // nil if it was not fitted
}

// GobEncode implements gob.GobEncoder.
func (o LagOrder) GobEncode() ([]byte, error) {
	type plain LagOrder // without methods
	p, terms := plain(o), []mlreg.Linear(nil)
	if o.terms != nil {
		terms = append(terms, *o.terms)
	}
	return stream.Encode(&o, &p, &terms)
}

// GobDecode implements gob.GobDecoder.
func (o *LagOrder) GobDecode(b []byte) error {
	type plain LagOrder
	var terms []mlreg.Linear
	if err := stream.Decode(b, o, nil, (*plain)(o), &terms); err != nil {
		return err
	}
	if len(terms) > 0 {
		o.terms = &terms[0]
	}
	return nil
}

// LikelihoodModel says what the likelihood is of; see the type.
func (o LagOrder) LikelihoodModel() *mlreg.LikelihoodModel {
	return &mlreg.LikelihoodModel{Terms: o.terms, Model: mlreg.LinearModel, Given: map[string]string{"nu": "+Inf"}}
}

// LagOrders are the fits of all orders, from 0 to the largest.
type LagOrders []LagOrder

// FitLagOrders fits l at every order k from 0 to its largest q by least squares: order
// k has the lags up to k of all channels, beside the trend, the seasons and lags 0. (With a
// Horizon h, order k has the first k lags, from h on.)
//
// All orders are on the same rows, those that have all q lags, and come from one
// Cholesky factorization R'R of the cross-products with the columns lag by lag: with
// R'z = X'y, an order of m columns has
//
//	RSS = y'y - z_1^2 - ... - z_m^2,
//
// and a second factorization, of X'X + I/Tau2, has the evidences of all (see
// Bayes.LogEvidence, whose value it is). R's ar.ols takes as many rows as an order can,
// statsmodels' ar_select_order the same for all: see OwnSample.
//
// Nil settings are the defaults. Errors: those of Lags.Moments; ErrSetting for Tau2 < 0;
// ErrSaturated for as many columns as rows; *RankDeficientError for channels that are
// linear combinations of others.
func FitLagOrders(l *Lags, settings *LagOrdersSettings) (LagOrders, error) {
	s := args.OrDefaults(settings)
	if err := args.Given("the lags", l); err != nil {
		return nil, err
	}
	if s.Tau2 < 0 || math.IsNaN(s.Tau2) || math.IsInf(s.Tau2, 0) {
		return nil, fmt.Errorf("%w: LagOrdersSettings.Tau2 = %v; a variance is positive and finite", mlreg.ErrSetting, s.Tau2)
	}
	s.Tau2 = cmp.Or(s.Tau2, 1)
	if !s.OwnSample {
		o, err := newOrders(l)
		if err != nil {
			return nil, err
		}
		return o.fits(s.Tau2)
	}
	var fits LagOrders
	for k := range l.orders() {
		fit, err := l.ownOrder(k, s.Tau2)
		if err != nil {
			return nil, fmt.Errorf("order %d: %w", k, err)
		}
		fits = append(fits, fit)
	}
	return fits, nil
}

// ownOrder is the fit of order k to all rows that have its lags.
func (l *Lags) ownOrder(k int, tau2 float64) (LagOrder, error) {
	part, err := l.upTo(k)
	if err != nil {
		return LagOrder{}, err
	}
	o, err := newOrders(part)
	if err != nil {
		return LagOrder{}, err
	}
	all, err := o.fits(tau2)
	if err != nil {
		return LagOrder{}, err
	}
	last := all[len(all)-1]
	last.Order = k
	return last, nil
}

// orders returns the number of orders: the largest lag, and 0, less what the horizon adds.
func (l *Lags) orders() int { return max(0, l.longest()-l.settings.Horizon+1) + 1 }

// upTo returns the lags of order k at most.
func (l *Lags) upTo(k int) (*Lags, error) {
	s := l.settings
	s.Channels = []ChannelLags{}
	for _, c := range l.settings.Channels {
		if c.To = min(c.To, k); c.From <= c.To {
			s.Channels = append(s.Channels, c)
		}
	}
	return NewLags(l.series, k, &s)
}

// lagOrders are the cross-products of lags, ordered lag by lag.
type lagOrders struct {
	l       *Lags
	columns []int // of the design, lag by lag
	count   []int // of each order
	g       blas64.Symmetric
	c       []float64
	yy      float64
	sums    *problem.Sums
	all     mlreg.Linear // the terms of all orders
}

func newOrders(l *Lags) (*lagOrders, error) {
	coef := make([]float64, l.NTerms()+1)
	if l.settings.NoIntercept {
		coef = coef[1:]
	}
	all, err := mlreg.NewLinear(l, coef, nil)
	if err != nil {
		return nil, err
	}
	o := &lagOrders{l: l, sums: &l.sums, all: all}
	o.order()
	return o, nil
}

// order puts the columns of the sums in the order of their lags.
func (o *lagOrders) order() {
	l := o.l
	lagged := 0
	for _, c := range l.lagged {
		lagged += c.to - c.from + 1
	}
	for j := lagged; j < len(l.names); j++ {
		o.columns = append(o.columns, j)
	}
	for k := range l.orders() {
		lag, first := k+l.settings.Horizon-1, 0
		for _, c := range l.lagged {
			for at := c.from; at <= c.to; at++ {
				if at == lag || k == 0 && at < lag {
					o.columns = append(o.columns, first+at-c.from)
				}
			}
			first += c.to - c.from + 1
		}
		o.count = append(o.count, len(o.columns))
	}
	xx, xy, yy := o.sums.About(l.settings.NoIntercept)
	p := len(o.columns)
	o.g = blas64.Symmetric{N: p, Stride: max(1, p), Uplo: blas.Upper, Data: make([]float64, p*p)}
	o.c, o.yy = make([]float64, p), yy
	for i, a := range o.columns {
		o.c[i] = xy[a]
		for j := i; j < p; j++ {
			b := o.columns[j]
			o.g.Data[i*p+j] = xx.Data[min(a, b)*xx.Stride+max(a, b)]
		}
	}
}

// factor returns R and z, with R'R = G + ridge I and R'z = c.
func (o *lagOrders) factor(ridge float64) (r *mat.Dense, z []float64, err error) {
	z = slices.Clone(o.c)
	if o.g.N == 0 {
		return nil, z, nil
	}
	g := mat.NewSymDense(o.g.N, slices.Clone(o.g.Data))
	if ridge == 0 {
		var keep []int
		if keep, r = lsq.Cholesky(g, lsq.AliasSums, 0); len(keep) < o.g.N {
			return nil, nil, o.deficient(keep)
		}
	} else {
		for i := range o.g.N {
			g.SetSym(i, i, g.At(i, i)+ridge)
		}
		var ok bool
		if r, ok = lsq.Factor(g); !ok {
			return nil, nil, fmt.Errorf("%w: X'X + I/Tau2 has no Cholesky factor; take a smaller Tau2", mlreg.ErrNotPositiveDefinite)
		}
	}
	blas64.Trsv(blas.Trans, lsq.Upper(r), gram.Vector(z))
	return r, z, nil
}

// deficient names the columns that are not kept.
func (o *lagOrders) deficient(keep []int) error {
	one := 1
	if o.l.settings.NoIntercept {
		one = 0
	}
	e := &mlreg.RankDeficientError{Rank: len(keep) + one, Columns: o.g.N + one, NObs: o.sums.N, Advice: "leave channels out, or take fewer lags"}
	for i, j := range o.columns {
		if !slices.Contains(keep, i) {
			e.Aliased = append(e.Aliased, o.l.names[j])
		}
	}
	return e
}

func (o *lagOrders) fits(tau2 float64) (LagOrders, error) {
	if n, k := o.sums.N, o.g.N+1; n <= k {
		return nil, fmt.Errorf("%w: order %d has %d coefficients for %d rows; take fewer lags", mlreg.ErrSaturated, len(o.count)-1, k, n)
	}
	_, z, err := o.factor(0)
	if err != nil {
		return nil, err
	}
	r, shrunk, err := o.factor(1 / tau2)
	if err != nil {
		return nil, err
	}
	fits := make(LagOrders, len(o.count))
	own := dist.Evidence{Flat: !o.l.settings.NoIntercept, N: float64(o.sums.N), W: o.sums.W, LogW: o.sums.LogW}
	if own.Flat {
		own.N--
	}
	rss, fit, logDet, from := o.yy, o.yy, 0.0, 0
	names := make([]string, 0, len(o.columns)+1)
	if own.Flat {
		names = append(names, mlreg.InterceptName)
	}
	for _, j := range o.columns {
		names = append(names, o.l.names[j])
	}
	for k, count := range o.count {
		for i := from; i < count; i++ {
			rss -= z[i] * z[i]
			fit -= shrunk[i] * shrunk[i]
			logDet += 2*math.Log(r.At(i, i)) + math.Log(tau2)
		}
		from = count
		rss = math.Max(rss, 0)
		evidence, _, _ := own.UnknownNoise(0, 0, math.Max(fit, 0), logDet)
		terms, err := o.all.Part(names[:len(names)-len(o.columns)+count]...)
		if err != nil {
			return nil, err
		}
		fits[k] = LagOrder{Order: k, Terms: count, N: o.sums.N, RSS: rss, LogEvidence: evidence, NoIntercept: !own.Flat, terms: terms}
	}
	return fits, nil
}

// NObs returns the number of rows.
func (o LagOrder) NObs() int { return o.N }

// Parameters returns the number of coefficients, and one for the variance.
func (o LagOrder) Parameters() int {
	if !o.NoIntercept {
		return o.Terms + 2
	}
	return o.Terms + 1
}

// Sigma2 returns the estimate of the noise variance, RSS/(N - coefficients).
func (o LagOrder) Sigma2() float64 { return o.RSS / float64(o.N-o.Parameters()+1) }

// LogLik returns the log-likelihood, -N/2 (log(2 pi RSS/N) + 1).
func (o LagOrder) LogLik() float64 {
	n := float64(o.N)
	return -n / 2 * (math.Log(2*math.Pi*o.RSS/n) + 1)
}

// Best returns the order of least criterion, AIC or BIC for example; the first if there
// are several, and the zero LagOrder if there is none.
func (r LagOrders) Best(criterion func(mlreg.Likelihood) float64) LagOrder {
	var best LagOrder
	for k, o := range r {
		if k == 0 || criterion(o) < criterion(best) {
			best = o
		}
	}
	return best
}

// PostProb returns the posterior probability of every order, equally probable before.
func (r LagOrders) PostProb() []float64 {
	prob := make([]float64, len(r))
	for k, o := range r {
		prob[k] = o.LogEvidence
	}
	if len(prob) == 0 {
		return prob
	}
	sum := floats.LogSumExp(prob)
	for k, v := range prob {
		prob[k] = math.Exp(v - sum)
	}
	return prob
}

// LagsCVSettings are the options of CrossValidateLagOrders.
type LagsCVSettings struct {
	// Blocks is the number of stretches of time that the rows are divided into. The
	// default 0 is 10.
	Blocks int
	// Gap is the number of times on either side of a block that are not fitted. The
	// default 0 is the largest lag, so that no row fitted shares a value with one that
	// is predicted; -1 is none.
	Gap int
	// Folds are folds of the T times of the series instead of blocks, for example at
	// random, to see what they hide. The Gap is kept around every row of a fold.
	Folds *mlreg.Folds
	// Progress, if not nil, is told after every fold how many are done. An error from it
	// stops the work and is returned.
	Progress func(done, total float64) error
}

// CrossValidateLagOrders estimates the prediction error of every order, candidate k of
// the result, by blocks of time: the rows of a block are predicted from those outside of it
// and of a gap on both sides. Neighboring rows of a series share lags and noise, so that
// folds at random, whose rows have neighbors among those fitted, promise too much.
//
// Sums of a block come from the displacement recurrence, too, and the errors of all orders
// from one factorization: no row is built. Nil settings are the defaults. Errors:
// ErrSetting for fewer than 2 blocks or a gap below -1; ErrNoData for a block that leaves
// no row; others are those of FitLagOrders, with the number of the block.
//
// Bergmeir, Hyndman and Koo, Computational Statistics and Data Analysis 120 (2018), 70-83;
// Roberts and others, Ecography 40 (2017), 913-929.
func CrossValidateLagOrders(l *Lags, settings *LagsCVSettings) (*mlreg.CV, error) {
	s := args.OrDefaults(settings)
	if err := args.Given("the lags", l); err != nil {
		return nil, err
	}
	folds, err := s.assign(l)
	if err != nil {
		return nil, err
	}
	s.Gap = cmp.Or(s.Gap, l.longest())
	var losses, weight []float64
	var halted error
	count := slices.Max(folds) + 1
	for k := 0; k < count && halted == nil; k++ {
		loss, n, err := l.foldErrors(folds, k, max(0, s.Gap))
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", k, err)
		}
		losses, weight = append(losses, loss...), append(weight, float64(n))
		if s.Progress != nil {
			halted = s.Progress(float64(k+1), float64(count))
		}
	}
	cv, err := mlreg.NewCV("mean squared error", count, mat.NewDense(len(weight), l.orders(), losses), weight)
	if err != nil {
		return nil, err
	}
	return cv, halted
}

// assign returns the fold of every time of the series, -1 for none.
func (s *LagsCVSettings) assign(l *Lags) ([]int, error) {
	if s.Gap < -1 {
		return nil, fmt.Errorf("%w: LagsCVSettings.Gap = %d; it is -1 for none, or more", mlreg.ErrSetting, s.Gap)
	}
	n := l.series.NObs()
	if s.Folds != nil {
		of := s.Folds.Assignment()
		if len(of) != n {
			return nil, fmt.Errorf("%w: the folds are of %d rows, and the series has %d times", mlreg.ErrShape, s.Folds.NObs(), n)
		}
		if s.Folds.Len() < 2 {
			return nil, fmt.Errorf("%w: %d folds; take two or more", mlreg.ErrSetting, s.Folds.Len())
		}
		return of, nil
	}
	blocks := cmp.Or(s.Blocks, 10)
	if blocks < 2 || blocks > len(l.rows) {
		return nil, fmt.Errorf("%w: %d blocks of %d rows; take at least 2", mlreg.ErrSetting, s.Blocks, len(l.rows))
	}
	of := make([]int, n)
	for t := range of {
		of[t] = -1
	}
	for i, t := range l.rows {
		of[t] = i * blocks / len(l.rows)
	}
	return of, nil
}

// foldErrors returns the mean squared error of every order in a fold, and its rows.
func (l *Lags) foldErrors(folds []int, k, gap int) ([]float64, int, error) {
	n := len(folds)
	test, train := make([]bool, n), make([]bool, n)
	near := 0 // times since the last of the fold
	for t := range n {
		test[t] = folds[t] == k
		train[t] = true
	}
	for _, up := range []bool{true, false} {
		near = gap + 1
		for i := range n {
			t := i
			if !up {
				t = n - 1 - i
			}
			if near++; test[t] {
				near = 0
			}
			train[t] = train[t] && near > gap
		}
	}
	held, err := l.Only(test)
	if err != nil {
		return nil, 0, err
	}
	rest, err := l.Only(train)
	if err != nil {
		return nil, 0, fmt.Errorf("%w; no row is left to fit: take more blocks, or a smaller gap", err)
	}
	fit, err := newOrders(rest)
	if err != nil {
		return nil, 0, err
	}
	on, err := newOrders(held)
	if err != nil {
		return nil, 0, err
	}
	loss, err := fit.errorsOn(on)
	return loss, held.NObs(), err
}

// errorsOn returns the mean squared errors of all orders on other rows.
func (o *lagOrders) errorsOn(on *lagOrders) ([]float64, error) {
	if n, k := o.sums.N, o.g.N+1; n <= k {
		return nil, fmt.Errorf("%w: %d coefficients for %d rows; take fewer lags", mlreg.ErrSaturated, k, n)
	}
	r, z, err := o.factor(0)
	if err != nil {
		return nil, err
	}
	w := float64(on.sums.N)
	loss := make([]float64, len(o.count))
	for k, count := range o.count {
		b := slices.Clone(z[:count])
		if count > 0 {
			t := lsq.Upper(r)
			t.N = count
			blas64.Trsv(blas.NoTrans, t, gram.Vector(b))
		}
		// About the means of the rows predicted: sum of squares plus that of the mean error.
		sum := on.yy - 2*gram.Dot(b, on.c[:count])
		if count > 0 {
			g := on.g
			g.N = count
			gb := make([]float64, count)
			blas64.Symv(1, g, gram.Vector(b), 0, gram.Vector(gb))
			sum += gram.Dot(b, gb)
		}
		if !o.l.settings.NoIntercept {
			off := on.sums.MeanY - o.sums.MeanY
			for i, v := range b {
				j := o.columns[i]
				off -= v * (on.sums.MeanX[j] - o.sums.MeanX[j])
			}
			sum += w * off * off
		}
		loss[k] = math.Max(sum, 0) / w
	}
	return loss, nil
}

// Tabulate returns the orders as a table.
func (LagOrder) Tabulate(r []LagOrder) *report.Table {
	t := tables.Rows("Orders of an autoregression",
		tables.Int("order", r, func(o LagOrder) int { return o.Order }),
		tables.Int("terms", r, func(o LagOrder) int { return o.Terms }),
		tables.Number("RSS", r, format.Digits+1, func(o LagOrder) float64 { return o.RSS }),
		tables.Decimal("AIC", r, 2, func(o LagOrder) float64 { return mlreg.AIC(o) }),
		tables.Decimal("BIC", r, 2, func(o LagOrder) float64 { return mlreg.BIC(o) }),
		tables.Decimal("log evidence", r, 2, func(o LagOrder) float64 { return o.LogEvidence }),
		tables.Decimal("bits", r, 1, func(o LagOrder) float64 { return mlreg.DescriptionLength(o).Total() }))
	for _, o := range r {
		if o.N != r[0].N {
			t.Notes = append(t.Notes, "each order has rows of its own: criteria do not compare")
			return t
		}
	}
	if len(r) > 0 {
		t.Notes = append(t.Notes, "the same "+format.Number(float64(r[0].N), 7)+" rows for all orders")
	}
	return t
}

// Describe returns the orders as a table.
func (r LagOrders) Describe() *report.Table { return LagOrder{}.Tabulate(r) }

// String writes the orders as text.
func (r LagOrders) String() string { return r.Describe().String() }

// String writes the order as text.
func (o LagOrder) String() string { return LagOrders{o}.String() }
