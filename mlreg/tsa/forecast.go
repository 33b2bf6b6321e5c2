package tsa

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// ForecastSettings are the options of Lags.Forecast.
type ForecastSettings struct {
	// Level is that of the limits; the default 0 is 0.95.
	Level float64
	// Origin is the number of rows of the series that are known: forecasts are of the
	// times after them. The default 0 is all.
	Origin int
	// Future are values of other channels at the times to forecast, in their order: rows
	// as many as steps, or more, with those channels that it knows. Its times and
	// groups are not looked at.
	Future *Series
	// Sigma2 is the noise variance. The default 0 takes that of the fit or, if it
	// states none, RSS/(n - DoF) of the rows of l.
	Sigma2 float64
}

// Forecast are forecasts of a response with limits. It does not change.
type Forecast struct {
	Response           string
	Origin             int // rows known
	Level              float64
	Time               []float64 // of each step
	Calendar           Calendar  // of Time
	Mean               []float64
	StdErr             []float64 // of the error of the forecast
	Lower, Upper       []float64
	Naive              []float64 // the last value known, at every step
	LastTime, LastSeen float64   // of the response
}

// Forecast predicts the response steps ahead, 1 to h, by putting forecasts in the place
// of values that are not known yet. The variance of the error at step k is
//
//	sigma^2 (psi_0^2 + ... + psi_{k-1}^2) + g_k' V g_k,   psi_0 = 1, psi_j = sum_i phi_i psi_{j-i},
//
// with phi the coefficients of the response's own lags, V the covariance of the
// coefficients, and g_k the derivative of the forecast by them; the last term is left out
// for a fit without VCov. (R's predict of an ar leaves it out for all.) Limits are
// Student's t with InferenceDoF if the fit has it, and normal if not; they take sigma^2 for
// known at larger steps. If the autoregression is not stable (ARRoots), they grow
// without bound.
//
// Errors: ErrSetting for h < 1, a level or an origin out of range; ErrNoData for values that
// are needed and missing, which it names: lags at the end of the series, and other channels
// beyond it that Future does not have; ErrShape for a fit with terms that are not of l.
//
// Box, Jenkins, Reinsel and Ljung, Time Series Analysis, 5th ed., section 5.1.
func (l *Lags) Forecast(fit mlreg.CoefFit, h int, settings *ForecastSettings) (*Forecast, error) {
	s := args.OrDefaults(settings)
	if err := l.checkForecast(fit, h, &s); err != nil {
		return nil, err
	}
	b0, b, where, err := l.weights(fit)
	if err != nil {
		return nil, err
	}
	sigma2, dof, err := l.noise(fit, s.Sigma2)
	if err != nil {
		return nil, err
	}
	known := l.horizon(h, &s)
	out := l.newForecast(h, &s)
	phi, err := l.Autoregression(fit)
	if err != nil {
		return nil, err
	}
	vcov := vcovOf(fit)
	row, fixed := make([]float64, len(l.names)), l.fixed()
	var ahead propagation
	q := dist.TQuantile(1-s.Level, dof)
	for k := range h {
		l.fill(row, known.values, known.before+k, known.step(k), fixed)
		if err := l.unknown(row, b, k, &s); err != nil {
			return nil, err
		}
		mean := b0
		for j, v := range b {
			if v != 0 {
				mean += v * row[j]
			}
		}
		known.values.Set(known.before+k, l.response, mean)
		a := regressors(row, where)
		sum := ahead.step(phi, a, vcov != nil)
		out.add(mean, math.Sqrt(sigma2*sum+quadratic(vcov, a)), q)
	}
	return out, nil
}

// propagation is how errors of earlier steps come down to later ones.
type propagation struct {
	psi      []float64   // weights of the noise, by its age
	growth   []float64   // sums of their squares
	gradient [][]float64 // of each mean in the coefficients
}

// step takes the regressors a of the next step, and makes of them the gradient of its mean if
// derive says so. It returns the variance of the error of noise, in units of that of the noise.
func (p *propagation) step(phi, a []float64, derive bool) float64 {
	k := len(p.psi)
	next := 0.0
	if k == 0 {
		next = 1
	}
	for i, f := range phi {
		if k-1-i < 0 {
			break
		}
		next += f * p.psi[k-1-i]
		if derive {
			for j, v := range p.gradient[k-1-i] {
				a[j] += f * v
			}
		}
	}
	p.psi, p.gradient = append(p.psi, next), append(p.gradient, a)
	sum := next * next
	if k > 0 {
		sum += p.growth[k-1]
	}
	p.growth = append(p.growth, sum)
	return sum
}

func (l *Lags) checkForecast(fit mlreg.CoefFit, h int, s *ForecastSettings) error {
	if err := args.Given("the lags", l); err != nil {
		return err
	}
	if err := args.Given("the fit", fit); err != nil {
		return err
	}
	if h < 1 {
		return fmt.Errorf("%w: a forecast of %d steps; take 1 or more", mlreg.ErrSetting, h)
	}
	numbers := (float64(l.series.NObs()) + float64(h)) * float64(len(l.series.Names)+len(l.names))
	if err := args.Size(fmt.Sprintf("a forecast of %d steps", h), numbers, "take fewer"); err != nil {
		return err
	}
	s.Level = cmp.Or(s.Level, 0.95)
	s.Origin = cmp.Or(s.Origin, l.series.NObs())
	if s.Origin < 1 || s.Origin > l.series.NObs() {
		return fmt.Errorf("%w: ForecastSettings.Origin = %d of %d rows", mlreg.ErrSetting, s.Origin, l.series.NObs())
	}
	if s.Sigma2 < 0 || s.Sigma2-s.Sigma2 != 0 {
		return fmt.Errorf("%w: ForecastSettings.Sigma2 = %v; a variance is positive and finite", mlreg.ErrSetting, s.Sigma2)
	}
	if s.Future != nil {
		if err := s.Future.check(); err != nil {
			return fmt.Errorf("ForecastSettings.Future: %w", err)
		}
		if _, err := args.Positions(s.Future.Names, l.series.Names); err != nil {
			return fmt.Errorf("ForecastSettings.Future: %w", err)
		}
	}
	return fault.Level(s.Level)
}

// weights returns the coefficients of a fit for the columns of l, and where each
// coefficient of the fit has its column, -1 for the intercept.
func (l *Lags) weights(fit mlreg.CoefFit) (b0 float64, b []float64, where []int, err error) {
	if err := args.Given("the fit", fit); err != nil {
		return 0, nil, nil, err
	}
	b = make([]float64, len(l.names))
	coef := fit.Coef()
	for i, name := range fit.Names() {
		if name == mlreg.InterceptName {
			b0, where = coef[i], append(where, -1)
			continue
		}
		j := slices.Index(l.names, name)
		if j < 0 {
			return 0, nil, nil, fmt.Errorf("%w: the fit has the term %q, and these lags have not", mlreg.ErrShape, name)
		}
		where = append(where, j)
		if !math.IsNaN(coef[i]) {
			b[j] = coef[i]
		}
	}
	return b0, b, where, nil
}

// noise returns the variance of the noise of a fit, and the degrees of freedom of its
// limits.
func (l *Lags) noise(fit mlreg.CoefFit, given float64) (sigma2, dof float64, err error) {
	dof = math.Inf(1)
	if w, ok := fit.(interface{ InferenceDoF() float64 }); ok {
		dof = w.InferenceDoF()
	}
	if given > 0 {
		return given, math.Inf(1), nil
	}
	if f, ok := fit.(interface{ Sigma2() float64 }); ok {
		return f.Sigma2(), dof, args.ResidualDoF(dof)
	}
	r, err := l.Residuals(fit)
	if err != nil {
		return 0, 0, err
	}
	used := float64(len(fit.Coef()))
	if f, ok := fit.(interface{ DoF() float64 }); ok {
		used = f.DoF()
	}
	left := float64(len(r)) - used
	return gram.Squares(r) / left, dof, args.ResidualDoF(left)
}

// vcovOf returns the covariance of the coefficients, nil if the fit has none.
func vcovOf(fit mlreg.CoefFit) *mat.SymDense {
	if w, ok := fit.(mlreg.Wald); ok {
		return w.VCov()
	}
	return nil
}

// regressors returns what the coefficients of a fit multiply.
func regressors(row []float64, where []int) []float64 {
	a := make([]float64, len(where))
	for i, j := range where {
		a[i] = 1
		if j >= 0 {
			a[i] = row[j]
		}
	}
	return a
}

// quadratic returns a'Va; coefficients without a variance do not count.
func quadratic(v *mat.SymDense, a []float64) float64 {
	if v == nil {
		return 0
	}
	var sum float64
	for i, x := range a {
		for j, y := range a {
			if c := v.At(i, j); !math.IsNaN(c) {
				sum += x * y * c
			}
		}
	}
	return math.Max(sum, 0)
}

// horizonValues are the last values known, and room for what follows.
type horizonValues struct {
	values *mat.Dense
	before int // rows known
	last   float64
}

func (v *horizonValues) step(k int) float64 { return v.last + float64(k+1) }

// horizon returns them.
func (l *Lags) horizon(h int, s *ForecastSettings) *horizonValues {
	before := l.longest()
	_, c := l.series.Values.Dims()
	v := &horizonValues{values: mat.NewDense(before+h, c, nil), before: before, last: l.clock.steps[s.Origin-1]}
	for i := range before + h {
		t := s.Origin - before + i
		for j := range c {
			value := math.NaN()
			if t < s.Origin && t >= l.clock.start[s.Origin-1] {
				value = l.series.Values.At(t, j)
			}
			v.values.Set(i, j, value)
		}
	}
	if s.Future != nil {
		at, _ := args.Positions(s.Future.Names, l.series.Names) // checked
		for i := range min(h, s.Future.NObs()) {
			for j, channel := range at {
				if channel != l.response {
					v.values.Set(before+i, channel, s.Future.Values.At(i, j))
				}
			}
		}
	}
	return v
}

// unknown names what is missing for step k, counted from 0, of what has a weight b.
func (l *Lags) unknown(row, b []float64, k int, s *ForecastSettings) error {
	var missing []string
	for j, v := range row {
		switch {
		case !math.IsNaN(v):
		case b[j] != 0:
			missing = append(missing, l.names[j])
		default:
			row[j] = 0
		}
	}
	if missing == nil {
		return nil
	}
	if len(missing) > 6 {
		missing = append(missing[:6], fmt.Sprintf("and %d more", len(missing)-6))
	}
	return fmt.Errorf("%w: the forecast of step %d after row %d needs %s, which is missing; give ForecastSettings.Future",
		mlreg.ErrNoData, k+1, s.Origin, format.Line(strings.Join(missing, ", ")))
}

func (l *Lags) newForecast(h int, s *ForecastSettings) *Forecast {
	f := &Forecast{Response: l.settings.Response, Calendar: l.series.Calendar, Origin: s.Origin, Level: s.Level, LastSeen: math.NaN(), LastTime: math.NaN()}
	for t := s.Origin - 1; t >= 0 && math.IsNaN(f.LastSeen); t-- {
		f.LastSeen = l.series.Values.At(t, l.response)
		f.LastTime = l.clock.origin + l.clock.steps[t]*l.clock.step
	}
	for k := range h {
		f.Time = append(f.Time, l.clock.origin+(l.clock.steps[s.Origin-1]+float64(k+1))*l.clock.step)
		f.Naive = append(f.Naive, f.LastSeen)
	}
	return f
}

func (f *Forecast) add(mean, stderr, q float64) {
	f.Mean, f.StdErr = append(f.Mean, mean), append(f.StdErr, stderr)
	f.Lower, f.Upper = append(f.Lower, mean-q*stderr), append(f.Upper, mean+q*stderr)
}

// Describe returns the forecasts with their limits as a table.
func (f *Forecast) Describe() *report.Table {
	number := func(name string, values []float64) report.Column { return report.NumberColumn(name, values, 0) }
	lower, upper := format.Limits(f.Level, "")
	t := tables.Rows("Forecasts of "+f.Response, f.Calendar.column(f.Time), number("forecast", f.Mean), number(format.StdErr, f.StdErr),
		number(lower, f.Lower), number(upper, f.Upper))
	t.Notes = append(t.Notes, fmt.Sprintf("recursive, from %d rows known; the last value, %s, is the naive forecast", f.Origin, format.Number(f.LastSeen, format.Digits)))
	return t
}

// String writes the forecasts as text.
func (f *Forecast) String() string { return f.Describe().String() }

// BacktestSettings are the options of BacktestLags.
type BacktestSettings struct {
	// First is the number of rows known at the first origin; the default 0 is two
	// thirds of them.
	First int
	// Horizon is the number of steps forecast from each origin; the default 0 is 1.
	Horizon int
	// Every is the number of rows from an origin to the next; the default 0 is Horizon.
	Every int
	// Window is the number of rows before an origin that are fitted; the default 0 is
	// all of them.
	Window int
	// Period is the number of steps of the season of the seasonal naive forecast, the
	// value at the same time of the season before; the default 0 has none.
	Period int
	// Level is that of the limits; the default 0 is 0.95.
	Level float64
	// KnownFuture takes the values of other channels after the origin for known, as
	// they were.
	KnownFuture bool
	// Progress, if not nil, is told after every origin how many are done. An error from
	// it stops the work and is returned, with the result so far.
	Progress func(done, total float64) error
}

// Backtest are forecasts from one origin after the other of a series whose course is known.
type Backtest struct {
	Response string
	Level    float64
	Period   int
	Origin   []int     // rows known at each
	Time     []float64 // of the last of them
	Step     float64   // from a time to the next
	Calendar Calendar  // of Time
	// By origin, a row each, and step: what came, the forecast, its limits, the last
	// value known and that of the season before. NaN is missing.
	Actual, Mean, Lower, Upper, Naive, Seasonal [][]float64
}

// BacktestRow are the errors at a step.
type BacktestRow struct {
	Step, N             int
	RMSE, MAE           float64
	NaiveRMSE, NaiveMAE float64 // of the last value known
	SeasonalRMSE        float64 // NaN without a Period
	Covered             float64 // share of values within the limits
}

// BacktestLags fits l to the rows before an origin, forecasts those after it (see
// Lags.Forecast), and moves the origin on (rolling origin, evaluation on a rolling
// forecasting origin): what the errors would have been. The moments of the rows between
// two origins are added to those before. Nil settings are the defaults; a nil fit is
// FitOLS.
//
// Errors: ErrSetting for settings out of range, ErrNoData if the first origin leaves no
// row to fit; and those of fit and of Lags.Forecast, with the origin.
//
// Hyndman and Athanasopoulos, Forecasting: Principles and Practice, 3rd ed., section 5.10.
func BacktestLags[F mlreg.CoefFit](l *Lags, fit func(data mlreg.Data) (F, error), settings *BacktestSettings) (*Backtest, error) {
	s := args.OrDefaults(settings)
	if err := args.Given("the lags", l); err != nil {
		return nil, err
	}
	if err := s.check(l); err != nil {
		return nil, err
	}
	n := l.series.NObs()
	bt := &Backtest{Response: l.settings.Response, Level: s.Level, Period: s.Period, Step: l.clock.step, Calendar: l.series.Calendar}
	var sums *mlreg.Moments
	from, total := 0, (n-s.First+s.Every-1)/s.Every
	for origin := s.First; origin < n; origin += s.Every {
		use := make([]bool, n)
		start := from
		if s.Window > 0 {
			start, sums = max(0, origin-s.Window), nil
		}
		for t := start; t < origin; t++ {
			use[t] = true
		}
		part, err := l.Only(use)
		if err != nil && sums == nil {
			return nil, fmt.Errorf("origin %d: %w: no row before it has all its lags; take a later First", origin, err)
		}
		if err == nil {
			block, err := part.Moments()
			if err != nil {
				return nil, fmt.Errorf("origin %d: %w", origin, err)
			}
			if sums == nil {
				sums = block
			} else if sums, err = sums.Merge(block); err != nil {
				return nil, fmt.Errorf("origin %d: %w", origin, err)
			}
		}
		from = origin
		var f mlreg.CoefFit
		if fit == nil {
			f, err = mlreg.FitOLS(sums, nil)
		} else {
			f, err = fit(sums)
		}
		if err != nil {
			return nil, fmt.Errorf("origin %d: %w", origin, err)
		}
		if err := bt.add(l, f, origin, &s); err != nil {
			return nil, fmt.Errorf("origin %d: %w", origin, err)
		}
		if s.Progress != nil {
			if err := s.Progress(float64(len(bt.Origin)), float64(total)); err != nil {
				return bt, err
			}
		}
	}
	return bt, nil
}

func (s *BacktestSettings) check(l *Lags) error {
	n := l.series.NObs()
	for _, v := range []struct {
		name  string
		value *int
		or    int
	}{{"First", &s.First, 2 * n / 3}, {"Horizon", &s.Horizon, 1}, {"Every", &s.Every, max(1, s.Horizon)}, {"Window", &s.Window, 0}, {"Period", &s.Period, 0}} {
		if *v.value == 0 {
			*v.value = v.or
		}
		if *v.value < 0 {
			return fmt.Errorf("%w: BacktestSettings.%s = %d; it is not negative", mlreg.ErrSetting, v.name, *v.value)
		}
	}
	if s.First < 1 || s.First >= n {
		return fmt.Errorf("%w: BacktestSettings.First = %d of %d rows; it leaves rows on both sides", mlreg.ErrSetting, s.First, n)
	}
	s.Horizon, s.Every = min(s.Horizon, n-s.First), min(s.Every, n) // no forecast is judged beyond the rows
	s.Level = cmp.Or(s.Level, 0.95)
	return fault.Level(s.Level)
}

// add adds the forecasts from an origin.
func (bt *Backtest) add(l *Lags, f mlreg.CoefFit, origin int, s *BacktestSettings) error {
	n := l.series.NObs()
	h := min(s.Horizon, n-origin)
	settings := ForecastSettings{Level: s.Level, Origin: origin}
	if s.KnownFuture {
		_, c := l.series.Values.Dims()
		settings.Future = &Series{Values: l.series.Values.Slice(origin, origin+h, 0, c).(*mat.Dense), Names: l.series.Names}
	}
	ahead, err := l.Forecast(f, h, &settings)
	if err != nil {
		return err
	}
	values := func(of func(k int) float64) []float64 {
		out := make([]float64, s.Horizon)
		for k := range out {
			out[k] = math.NaN()
			if k < h {
				out[k] = of(k)
			}
		}
		return out
	}
	y := func(t int) float64 { return l.series.Values.At(t, l.response) }
	bt.Origin, bt.Time = append(bt.Origin, origin), append(bt.Time, l.clock.origin+l.clock.steps[origin-1]*l.clock.step)
	bt.Actual = append(bt.Actual, values(func(k int) float64 {
		if l.clock.start[origin+k] != l.clock.start[origin-1] {
			return math.NaN() // beyond a gap
		}
		return y(origin + k)
	}))
	bt.Mean = append(bt.Mean, values(func(k int) float64 { return ahead.Mean[k] }))
	bt.Lower = append(bt.Lower, values(func(k int) float64 { return ahead.Lower[k] }))
	bt.Upper = append(bt.Upper, values(func(k int) float64 { return ahead.Upper[k] }))
	bt.Naive = append(bt.Naive, values(func(k int) float64 { return ahead.Naive[k] }))
	bt.Seasonal = append(bt.Seasonal, values(func(k int) float64 {
		if s.Period == 0 {
			return math.NaN()
		}
		t := origin + k - s.Period*(k/s.Period+1)
		if t < l.clock.start[origin-1] {
			return math.NaN()
		}
		return y(t)
	}))
	return nil
}

// Errors returns the errors at each step: of the forecasts, and beside them of the last
// value known and of the season before.
func (bt *Backtest) Errors() report.Rows[BacktestRow] {
	var table report.Rows[BacktestRow]
	if len(bt.Actual) == 0 {
		return table
	}
	for k := range bt.Actual[0] {
		row := BacktestRow{Step: k + 1}
		var inside float64
		of := func(forecasts [][]float64, absolute bool) float64 {
			var sum, count float64
			for i, actual := range bt.Actual {
				e := math.Abs(actual[k] - forecasts[i][k])
				if math.IsNaN(e) {
					continue
				}
				if !absolute {
					e *= e
				}
				sum += e
				count++
			}
			switch {
			case count == 0:
				return math.NaN()
			case absolute:
				return sum / count
			}
			return math.Sqrt(sum / count)
		}
		for i, actual := range bt.Actual {
			if math.IsNaN(actual[k]) {
				continue
			}
			row.N++
			if bt.Lower[i][k] <= actual[k] && actual[k] <= bt.Upper[i][k] {
				inside++
			}
		}
		row.RMSE, row.MAE = of(bt.Mean, false), of(bt.Mean, true)
		row.NaiveRMSE, row.NaiveMAE, row.SeasonalRMSE = of(bt.Naive, false), of(bt.Naive, true), of(bt.Seasonal, false)
		row.Covered = inside / float64(row.N)
		table = append(table, row)
	}
	return table
}

// Describe returns the errors at each step as a table.
func (bt *Backtest) Describe() *report.Table {
	t := bt.Errors().Describe()
	t.Title = "Backtest of " + bt.Response
	t.Notes = append(t.Notes, fmt.Sprintf("%d origins; limits of %s", len(bt.Origin), format.Percent(bt.Level)))
	return t
}

// String writes the errors as text.
func (bt *Backtest) String() string { return bt.Describe().String() }

// Tabulate returns the errors as a table.
func (BacktestRow) Tabulate(r []BacktestRow) *report.Table {
	return tables.Rows("Errors of forecasts",
		tables.Int("step", r, func(r BacktestRow) int { return r.Step }),
		tables.Int("n", r, func(r BacktestRow) int { return r.N }),
		tables.Number("RMSE", r, 0, func(r BacktestRow) float64 { return r.RMSE }),
		tables.Number("last value", r, 0, func(r BacktestRow) float64 { return r.NaiveRMSE }),
		tables.Blank(tables.Number("last season", r, 0, func(r BacktestRow) float64 { return r.SeasonalRMSE })),
		tables.Number("mean |error|", r, 0, func(r BacktestRow) float64 { return r.MAE }),
		tables.Number("last value's", r, 0, func(r BacktestRow) float64 { return r.NaiveMAE }),
		tables.Number("within limits", r, 3, func(r BacktestRow) float64 { return r.Covered }))
}

// String writes the line as text.
func (r BacktestRow) String() string { return report.Rows[BacktestRow]{r}.String() }
