package quantreg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/quantiles"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Settings are the options of Fit, FitLAD and FitQuantiles.
type Settings struct {
	// L1 is the weight of the penalty L1 sum_j |b_j| on the slopes, in the units of the
	// design; FitPath goes through a grid. The default is 0.
	L1 float64
	// L2 is the weight of the penalty L2 sum_j b_j^2; the default is 0. A fit with it is no
	// vertex: it is found by an interior-point method. Where the intercept is not unique, it is in the
	// middle of its Range.
	L2 float64
	// Gap is the duality gap, relative to the objective, at which the interior-point
	// method stops if L2 > 0; the default 0 is 1e-10. The rows that lie on the fit are known then, and
	// solved for. Without L2 the fit is exact.
	Gap float64
	// MaxSteps limits the steps from vertex to vertex, or those of the interior-point
	// method; the default 0 is far beyond what a fit takes.
	MaxSteps int
}

// Quantile is a fit by Fit. It holds no data and does not change.
type Quantile struct {
	mlreg.Linear
	s state
}

type state struct {
	Tau, L1, L2 float64
	N, Rows     int     // rows of positive weight, and all
	W, LogW     float64 // sums of the weights and of their logarithms
	Loss, Null  float64
	Objective   float64
	Gap         float64
	Steps       int
	Passes      int
	Method      string
	Unique      bool
	Low, High   []float64 // of every coefficient over all minima, nil if unique
	Zero        []int     // rows on the fit: the basis first, then others
	ZeroDual    []float64 // their subgradients
	Basis       int       // rows that determine the fit
	Penalty     []float64 // subgradients of the penalty L1 |b_j|; nil without it
}

// Fit fits the tau-th quantile of the response, given the terms:
//
//	minimize  sum_i w_i rho(y_i - b_0 - x_i'b) + L1 |b|_1 + L2 |b|_2^2,
//	rho(r) = tau r for r >= 0,  (tau - 1) r for r < 0,
//
// 0 < tau < 1. About n tau of the rows lie below the fit. For tau = 1/2 the loss is half
// the sum of absolute residuals, see FitLAD. The intercept is not penalized, and there is
// no penalty unless L1 or L2 is set.
//
// The fit is exact: k = DoF rows lie on it, and determine it. It comes with its
// certificate, which Certify checks row by row: the dual problem
//
//	maximize sum_i y_i d_i,  A'd = 0,  (tau - 1) w_i <= d_i <= tau w_i,  A = [1 X],
//
// has the same value, see Gap. Whether it is the only fit with the least loss is said by
// Unique, and what other fits there are by Range.
//
// Large designs are solved on samples first. Rows far from a first fit, of least squares or
// to a sample, count by their signs alone, until every sign is right: the result is that of
// all rows.
//
// Nil settings are the defaults. Errors: mlreg.ErrSetting (tau, settings), mlreg.ErrNoData, mlreg.ErrShape,
// mlreg.ErrNotFinite; *mlreg.RankDeficientError for aliased terms, as there are if p >= n, unless
// there is a penalty; and *mlreg.ConvergenceError beside the best fit.
//
// Koenker and Bassett, Econometrica 46 (1978), 33-50; Koenker, Quantile Regression (2005),
// chapter 6. Method: steps from vertex to vertex as Barrodale and Roberts, SIAM Journal on
// Numerical Analysis 10 (1973), 839-848, with the preprocessing of Portnoy and Koenker,
// Statistical Science 12 (1997), 279-300.
func Fit(d *mlreg.Design, tau float64, settings *Settings) (*Quantile, error) {
	q, s, err := newFitting(d, []float64{tau}, settings)
	if err != nil {
		return nil, err
	}
	if s.L2 > 0 {
		return q.ridge(tau, s)
	}
	solution, err := quantiles.Solve(q.At(tau, s.L1), nil, s.MaxSteps)
	return q.fit(tau, s, solution, err)
}

// FitLAD minimizes the sum of absolute residuals, sum_i w_i |y_i - b_0 - x_i'b|: Fit
// with tau = 1/2, whose loss is half of it, so that a penalty of L1 there is one of 2 L1
// beside the sum. It is the estimate of maximum likelihood if the noise is Laplace's.
func FitLAD(d *mlreg.Design, settings *Settings) (*Quantile, error) {
	return Fit(d, 0.5, settings)
}

// fitting is a design as package quantiles wants it.
type fitting struct {
	*quantiles.Family
	d *mlreg.Design
}

// prepare brings a design to that form, with rows for a lasso penalty if that is wanted.
func prepare(d *mlreg.Design, lasso bool) (*fitting, error) {
	d = d.LessOffset()
	below := 0
	if lasso {
		below = d.NTerms()
	}
	rows, err := door.Prepare(d, below)
	if err != nil {
		return nil, err
	}
	return &fitting{quantiles.NewFamily(rows, below), d}, nil
}

// setCoef takes coefficients from the units of the problem to those of the design.
func (q *fitting) setCoef(f *Quantile, solution func() (b, low []float64)) error {
	coef, low := q.Coefficients(solution())
	var err error
	f.Linear, err = mlreg.NewLinear(q.d, coef, low)
	return err
}

func (s *Settings) check() error {
	switch {
	case s.L1 < 0 || s.L1-s.L1 != 0:
		return fmt.Errorf("%w: Settings.L1 = %v; a penalty is finite and not negative", mlreg.ErrSetting, s.L1)
	case s.L2 < 0 || s.L2-s.L2 != 0:
		return fmt.Errorf("%w: Settings.L2 = %v; a penalty is finite and not negative", mlreg.ErrSetting, s.L2)
	case s.Gap < 0 || s.Gap-s.Gap != 0:
		return fmt.Errorf("%w: Settings.Gap = %v", mlreg.ErrSetting, s.Gap)
	case s.MaxSteps < 0:
		return fmt.Errorf("%w: Settings.MaxSteps = %d", mlreg.ErrSetting, s.MaxSteps)
	}
	s.Gap = cmp.Or(s.Gap, 1e-10)
	return nil
}

// checkTau refuses what is no quantile.
func checkTau(tau float64) error {
	if !(tau > 0 && tau < 1) {
		return fmt.Errorf("%w: tau = %v; it lies between 0 and 1, 0.5 for the median", mlreg.ErrSetting, tau)
	}
	return nil
}

// newFitting checks the data and the settings.
func newFitting(d *mlreg.Design, taus []float64, settings *Settings) (*fitting, *Settings, error) {
	s := args.OrDefaults(settings)
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	for _, tau := range taus {
		if err := checkTau(tau); err != nil {
			return nil, nil, err
		}
	}
	if err := d.CheckFit(); err != nil {
		return nil, nil, err
	}
	q, err := prepare(d, s.L1 > 0)
	return q, &s, err
}

// singular names the terms that are aliased.
func (q *fitting) singular(err error) error {
	if errors.Is(err, quantiles.ErrUnbounded) {
		return fmt.Errorf("%w: tau is so near to 0 or 1, or weights differ so much, that the loss of one side is lost to rounding; take tau from 1e-9 to 1 - 1e-9", mlreg.ErrSetting)
	}
	e := new(quantiles.SingularError)
	if !errors.As(err, &e) {
		return err
	}
	names := slices.Clone(q.d.Names)
	if q.First == 1 {
		names = append([]string{mlreg.InterceptName}, names...)
	}
	if e.Keep == nil {
		if _, err := mlreg.FitOLS(q.d, nil); errors.Is(err, mlreg.ErrRankDeficient) {
			return err
		}
		return fmt.Errorf("%w: rows that determine the fit are dependent to within rounding; standardize the terms", mlreg.ErrRankDeficient)
	}
	aliased := &mlreg.RankDeficientError{Rank: len(e.Keep), Columns: len(names), NObs: len(q.Rows), Advice: "set Settings.L2 to a positive penalty"}
	for j, name := range names {
		if !slices.Contains(e.Keep, j) {
			aliased.Aliased = append(aliased.Aliased, name)
		}
	}
	return aliased
}

// fit returns the fit of a solution, which came with an error.
func (q *fitting) fit(tau float64, s *Settings, solution *quantiles.Solution, failed error) (*Quantile, error) {
	if solution == nil {
		return nil, q.singular(failed)
	}
	if failed != nil && !errors.Is(failed, quantiles.ErrSteps) {
		return nil, q.singular(failed)
	}
	f := q.empty(tau, s)
	f.s.Steps, f.s.Passes = solution.Steps(), solution.Passes
	f.s.Method = "simplex"
	if solution.Sampled {
		f.s.Method = "simplex on samples, then on all rows"
	}
	if err := q.setCoef(f, solution.Coef); err != nil {
		return nil, err
	}
	value, gap := solution.Objective()
	f.s.Gap = gap / math.Max(value, math.SmallestNonzeroFloat64)
	if value == 0 {
		f.s.Gap = 0
	}
	q.setRows(f, solution)
	q.setLoss(f, solution.Residuals())
	if err := q.setRange(f, solution, s.MaxSteps+100_000); err != nil {
		return nil, err
	}
	if failed != nil {
		return f, &mlreg.ConvergenceError{Method: "simplex", Iterations: f.s.Steps, Measure: "gap", Value: f.s.Gap, Tol: 0}
	}
	return f, nil
}

// setRange finds out whether other fits have the same loss, and the ranges of their coefficients.
func (q *fitting) setRange(f *Quantile, solution *quantiles.Solution, most int) error {
	t := q.ToRaw()
	rows := make([][]float64, q.A.Cols)
	for j := range rows {
		rows[j] = t.RawRowView(j)
	}
	low, high, unique, err := solution.Range(rows, most)
	if errors.Is(err, quantiles.ErrSteps) {
		return &mlreg.ConvergenceError{Method: "the range of the fits with the same loss", Iterations: most, Measure: "gap", Value: f.s.Gap, Advice: "standardize the terms"}
	}
	if err != nil {
		return q.singular(err)
	}
	if f.s.Unique = unique; unique {
		return nil
	}
	for j, b := range f.Coef() { // rounded otherwise
		low[j], high[j] = math.Min(low[j], b), math.Max(high[j], b)
	}
	f.s.Low, f.s.High = low, high
	return nil
}

// empty is a fit without coefficients.
func (q *fitting) empty(tau float64, s *Settings) *Quantile {
	f := &Quantile{s: state{
		Tau: tau, L1: s.L1, L2: s.L2, N: len(q.Rows), Rows: len(q.d.Y), Unique: true,
	}}
	for _, w := range q.Weights {
		f.s.W += w
		f.s.LogW += math.Log(w)
	}
	f.s.Null = q.null(tau)
	return f
}

// null is the loss of the model without terms.
func (q *fitting) null(tau float64) float64 {
	var center float64
	if q.First == 1 {
		center = quantiles.Weighted(gram.Take(q.d.Y, q.Rows), q.Weights, tau)
	}
	var loss float64
	for r, i := range q.Rows {
		loss += q.Weights[r] * checkLoss(tau, q.d.Y[i]-center)
	}
	return loss
}

// checkLoss is rho of a residual.
func checkLoss(tau, r float64) float64 {
	if r < 0 {
		return (tau - 1) * r
	}
	return tau * r
}

// setRows keeps the rows on the fit and their duals, and those of the penalty.
func (q *fitting) setRows(f *Quantile, solution *quantiles.Solution) {
	d, n := solution.Dual(), len(q.Rows)
	keep := func(rows []int) {
		for _, r := range rows {
			if r < n {
				f.s.Zero, f.s.ZeroDual = append(f.s.Zero, q.Rows[r]), append(f.s.ZeroDual, d[r])
			}
		}
	}
	keep(solution.Basis())
	f.s.Basis = len(f.s.Zero)
	keep(solution.Ties())
	for j := range q.Lasso {
		f.s.Penalty = append(f.s.Penalty, q.XUnit[j].Out(d[n+j]))
	}
}

// setLoss takes the loss from the residuals, in units of the problem.
func (q *fitting) setLoss(f *Quantile, r []float64) {
	var loss float64
	for i, w := range q.Weights {
		loss += w * checkLoss(f.s.Tau, r[i])
	}
	f.s.Loss = q.YUnit.Out(loss)
	f.s.Objective = f.s.Loss
	for j, b := range f.Slopes() {
		f.s.Objective += q.Factor[j] * (f.s.L1*math.Abs(b) + f.s.L2*b*b)
	}
}

// ridge is the fit with L2 > 0.
func (q *fitting) ridge(tau float64, s *Settings) (*Quantile, error) {
	l2 := make([]float64, q.A.Cols)
	for j, x := range q.XUnit {
		// The objective L2 b^2 is in units of y, and b in those of y over x.
		l2[q.First+j] = (2*x - q.YUnit).In(s.L2) * q.Factor[j]
	}
	most := cmp.Or(s.MaxSteps, 200)
	problem := q.At(tau, s.L1)
	in, err := quantiles.SolveRidge(problem, l2, s.Gap, most)
	if err != nil && !errors.Is(err, quantiles.ErrIterations) {
		return nil, q.singular(err)
	}
	f := q.empty(tau, s)
	var lower, upper float64
	if q.First == 1 && err == nil {
		low, high, failed := in.RangeOfFirst(problem, len(q.Rows), 100_000)
		if failed != nil {
			return nil, q.singular(failed)
		}
		f.s.Unique, in.Coef[0] = low == high, low+(high-low)/2
		lower, upper = q.YUnit.Out(low-in.Coef[0]), q.YUnit.Out(high-in.Coef[0])
	}
	f.s.Steps, f.s.Method = in.Iterations, "interior point"
	f.s.Gap = in.Gap / math.Max(in.Value, math.SmallestNonzeroFloat64)
	if failed := q.setCoef(f, func() ([]float64, []float64) { return in.Coef, make([]float64, len(in.Coef)) }); failed != nil {
		return nil, failed
	}
	if !f.s.Unique {
		f.s.Low, f.s.High = f.Coef(), f.Coef()
		f.s.Low[0] += lower
		f.s.High[0] += upper
	}
	r, failed := f.Residuals(q.d)
	if failed != nil {
		return nil, failed
	}
	some := make([]float64, len(q.Rows))
	for k, i := range q.Rows {
		some[k] = q.YUnit.In(r[i])
	}
	q.setLoss(f, some)
	if err != nil {
		return f, &mlreg.ConvergenceError{Method: "interior-point method", Iterations: f.s.Steps, Measure: "gap", Value: f.s.Gap, Tol: s.Gap}
	}
	return f, nil
}

// Tau returns the quantile fitted.
func (f *Quantile) Tau() float64 { return f.s.Tau }

// L1 returns the weight of the penalty on absolute slopes.
func (f *Quantile) L1() float64 { return f.s.L1 }

// L2 returns the weight of the penalty on squared slopes.
func (f *Quantile) L2() float64 { return f.s.L2 }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Quantile) NObs() int { return f.s.N }

// Loss returns sum_i w_i rho(r_i), without penalties.
func (f *Quantile) Loss() float64 { return f.s.Loss }

// NullLoss returns the loss of the null model, the intercept alone, or zero without one.
func (f *Quantile) NullLoss() float64 { return f.s.Null }

// Objective returns the loss with the penalties.
func (f *Quantile) Objective() float64 { return f.s.Objective }

// R1 returns 1 - Loss/NullLoss, the analog of R2; NaN if the response does not vary.
// Koenker and Machado, Journal of the American Statistical Association 94 (1999),
// 1296-1310.
func (f *Quantile) R1() float64 { return 1 - f.s.Loss/f.s.Null }

// Gap returns the duality gap relative to the objective: the objective is at most so much
// above its minimum. A vertex has what rounding leaves.
func (f *Quantile) Gap() float64 { return f.s.Gap }

// Steps returns the number of vertices left behind, or of steps of the interior-point
// method.
func (f *Quantile) Steps() int { return f.s.Steps }

// Method names the algorithm.
func (f *Quantile) Method() string { return f.s.Method }

// Unique tells whether no other coefficients have the same loss; see Range.
func (f *Quantile) Unique() bool { return f.s.Unique }

// Range returns the least and the largest value of every coefficient among all fits with
// the least loss, both the coefficient itself if the fit is unique. Such fits are all
// mixtures of a few vertices, of which Coef is one.
func (f *Quantile) Range() report.Rows[mlreg.Interval] {
	low, high := f.s.Low, f.s.High
	if f.s.Unique {
		low, high = f.Coef(), f.Coef()
	}
	out := make([]mlreg.Interval, 0, len(low))
	for j, name := range f.Names() {
		out = append(out, mlreg.Interval{Term: name, Lower: low[j], Upper: high[j]})
	}
	return out
}

// Basis returns the rows that determine the fit, counted from 0: their residuals are zero.
// There are as many as coefficients that are not zero; none if L2 > 0.
func (f *Quantile) Basis() []int { return slices.Clone(f.s.Zero[:f.s.Basis]) }

// Scale returns Loss/n, the scale s of the asymmetric Laplace density
//
//	tau (1 - tau)/s exp(-rho(r)/s)
//
// at its maximum-likelihood estimate, n = NObs. For tau = 1/2 the noise is
// Laplace's, with the mean absolute deviation 2 s.
func (f *Quantile) Scale() float64 { return f.s.Loss / float64(f.s.N) }

// LogLik returns the log-likelihood at the estimate of that density, in which a row of
// weight w has the scale s/w:
//
//	sum_i log w_i + n (log(tau (1 - tau)) - 1 - log s),  s = Loss/n.
//
// It is +Inf for an exact fit.
func (f *Quantile) LogLik() float64 {
	n := float64(f.s.N)
	return f.s.LogW + n*(math.Log(f.s.Tau*(1-f.s.Tau))-1-math.Log(f.Scale()))
}

// LikelihoodModel says what the likelihood is of; see the type.
func (f *Quantile) LikelihoodModel() *mlreg.LikelihoodModel {
	l := &mlreg.LikelihoodModel{Model: fmt.Sprintf("the asymmetric Laplace distribution of tau = %v", f.s.Tau)}
	switch {
	case f.s.L2 > 0:
		l.Maximized = fmt.Sprintf("the likelihood less a penalty (L2 = %v)", f.s.L2)
	case f.s.L1 > 0:
		l.Maximized = fmt.Sprintf("the likelihood less a penalty (L1 = %v)", f.s.L1)
	}
	return l
}

// Parameters returns the number of coefficients that are not zero, and one for the scale.
// R's quantreg does not count the scale: its AIC is 2 less.
func (f *Quantile) Parameters() int { return int(f.DoF()) + 1 }

// DoF returns the number of coefficients; with L1 > 0 of those that are not zero.
func (f *Quantile) DoF() float64 {
	dof := len(f.Coef())
	if f.s.L1 > 0 {
		for _, b := range f.Slopes() {
			if b == 0 {
				dof--
			}
		}
	}
	return float64(dof)
}

// DoFResidual returns NObs - DoF.
func (f *Quantile) DoFResidual() float64 { return float64(f.s.N) - f.DoF() }

// Active returns the names of the terms whose slopes are not zero.
func (f *Quantile) Active() []string {
	var names []string
	terms := termsOf(&f.Linear)
	for j, b := range f.Slopes() {
		if b != 0 {
			names = append(names, terms[j])
		}
	}
	return names
}

// termsOf are the names of the slopes.
func termsOf(f *mlreg.Linear) []string {
	if f.HasIntercept() {
		return f.Names()[1:]
	}
	return f.Names()
}

// Raw returns the same fit with coefficients in the raw units of the data; see mlreg.OLS.Raw.
// Range is that of the design's units, and so are the penalties.
func (f *Quantile) Raw() (*Quantile, error) {
	raw, err := f.RawLinear()
	if err != nil {
		return nil, err
	}
	g := &Quantile{raw, f.s}
	g.s.Low, g.s.High = rawRange(f.s.Low, f.Scaling()), rawRange(f.s.High, f.Scaling())
	return g, nil
}

// rawRange returns limits of coefficients in raw units; those of the intercept, which are not
// known of the slopes' alone, are NaN.
func rawRange(limits []float64, scaling *mlreg.Scaling) []float64 {
	if limits == nil || scaling == nil {
		return limits
	}
	out := slices.Clone(limits)
	for j := range out {
		out[j] = math.NaN()
		if t := j - len(out) + len(scaling.Scale); t >= 0 {
			out[j] = limits[j] / scaling.Scale[t]
		}
	}
	return out
}

// GobEncode implements gob.GobEncoder.
func (f *Quantile) GobEncode() ([]byte, error) { return stream.Encode(f, &f.Linear, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Quantile) GobDecode(b []byte) error { return stream.Decode(b, f, nil, &f.Linear, &f.s) }

// Describe returns the table of the coefficients, of which those that are zero are left
// out if there are more than 20, with the range of each if the fit is not unique, the
// size of the fit, and its certificate.
func (f *Quantile) Describe() *report.Table {
	title := fmt.Sprintf("Quantile regression of %s at τ = %s", f.Response(), format.Number(f.Tau(), 6))
	if f.Tau() == 0.5 {
		title = "Median regression of " + f.Response()
	}
	if f.L1() > 0 {
		title += ", λ₁ = " + format.Number(f.L1(), 6)
	}
	if f.L2() > 0 {
		title += ", λ₂ = " + format.Number(f.L2(), 6)
	}
	t, out := tables.Coefficients(title, f.Names(), f.Coef(), mlreg.InterceptName)
	if r := f.Range(); !f.Unique() && out == 0 {
		t.Columns = append(t.Columns,
			tables.Number("least", r, format.Digits+1, func(l mlreg.Interval) float64 { return l.Lower }),
			tables.Number("largest", r, format.Digits+1, func(l mlreg.Interval) float64 { return l.Upper }))
	}
	n := fmt.Sprintf("n = %d", f.NObs())
	if f.Omitted() > 0 {
		n += fmt.Sprintf(" (%d omitted for missing values)", f.Omitted())
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%s, residual df = %s, loss %s, R1 = %s", n, format.Number(f.DoFResidual(), 6), format.Number(f.Loss(), 5), format.Decimal(f.R1(), 4)))
	if l := f.LogLik(); !math.IsNaN(l) {
		t.Notes = append(t.Notes, fmt.Sprintf("log L = %s, AIC = %s, BIC = %s", format.Decimal(l, 2), format.Decimal(mlreg.AIC(f), 2), format.Decimal(mlreg.BIC(f), 2)))
	}
	certificate := f.Method() + ", duality gap at most " + format.PowerAbove(math.Max(f.Gap(), 1e-15)) + " of the objective"
	if f.Unique() {
		certificate += ", the only minimum"
	} else {
		certificate += ", one of many minima: least and largest are the ranges of the coefficients over all of them"
	}
	t.Notes = append(t.Notes, certificate)
	if out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d slopes of zero not shown", out))
	}
	t.Notes = tables.InScaledUnits(t.Notes, f.Scaling() != nil)
	return t
}

// String writes the table of the fit as text.
func (f *Quantile) String() string { return f.Describe().String() }
