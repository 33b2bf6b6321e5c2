package tsa

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// simulated is an autoregression with the given coefficients and noise of variance 1.
func simulated(src *rand.Rand, n int, coef ...float64) []float64 {
	x := make([]float64, n+200)
	for t := range x {
		x[t] = src.NormFloat64()
		for i, b := range coef {
			if t > i {
				x[t] += b * x[t-1-i]
			}
		}
	}
	return x[200:]
}

// The standard error of a forecast is what forecasts of simulated series are off by, and
// limits hold the share they state.
func TestForecastLimitsBySimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats a computation")
	}
	src := rand.New(rand.NewPCG(7, 21))
	const runs, n, h, a1, a2 = 200, 120, 6, 1.2, -0.5
	inside := make([][]float64, h)
	for range runs {
		x := simulated(src, n, a1, a2)
		l := fatal.On(NewLags(seriesOf(t, []string{"x"}, x), 2, nil))(t)
		f := fatal.On(l.Forecast(fatal.On(mlreg.FitOLS(l, nil))(t), h, &ForecastSettings{Level: 0.9}))(t)
		// Given the series, the value k+1 steps ahead is normal: its mean is the recursion's,
		// its variance that of the noises since, of weights psi.
		mean := []float64{x[n-2], x[n-1]}
		psi, variance := []float64{0, 1}, 0.0
		for k := range h {
			mean = append(mean, a1*mean[k+1]+a2*mean[k])
			variance += psi[k+1] * psi[k+1]
			psi = append(psi, a1*psi[k+1]+a2*psi[k])
			law := distuv.Normal{Mu: mean[k+2], Sigma: math.Sqrt(variance)}
			inside[k] = append(inside[k], law.CDF(f.Upper[k])-law.CDF(f.Lower[k]))
		}
	}
	// Four standard errors of a mean; estimates of the variance at larger steps cost up
	// to two percent.
	for k, share := range inside {
		mean, sd := stat.MeanStdDev(share, nil)
		if math.Abs(mean-0.9) > 4*sd/math.Sqrt(runs)+0.02*float64(k)/h {
			t.Errorf("step %d: %v +- %v of the values are within limits of 90 %%", k+1, mean, sd/math.Sqrt(runs))
		}
	}
}

func TestForecastOneStepIsPrediction(t *testing.T) {
	s := driven(t, 200)
	s.Values.Set(199, 1, 3)
	l := fatal.On(NewLags(s, 3, nil))(t)
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	one := fatal.On(l.Forecast(fit, 1, nil))(t)
	// The row that the next time would have.
	longer := mat.NewDense(201, 3, nil)
	longer.Copy(s.Values)
	next := &Series{Values: longer, Names: s.Names}
	row := fatal.On(NewLags(next, 3, nil))(t).Design()
	row = row.Rows(row.NObs() - 1)
	band := fatal.On(fit.PredictionBand(row, 0.95))(t)
	expect.Near(t, "forecast", one.Mean[0], band.Fitted[0], 1e-10)
	expect.Near(t, "lower limit", one.Lower[0], band.Lower[0], 1e-10)
	expect.Near(t, "upper limit", one.Upper[0], band.Upper[0], 1e-10)
	expect.Near(t, "time", one.Time[0], s.Time[199]+0.5, 1e-12)
	expect.Near(t, "naive", one.Naive[0], s.Values.At(199, 0), 0)

	_, err := l.Forecast(fit, 2, nil)
	expect.Error(t, "unknown regressors", err, mlreg.ErrNoData, "lag(a, 1), lag(b, 1)")
	expect.Error(t, "unknown regressors", err, mlreg.ErrNoData, "step 2")
	future := seriesOf(t, []string{"b", "a"}, []float64{100, 101}, []float64{3, 2})
	two := fatal.On(l.Forecast(fit, 2, &ForecastSettings{Future: future}))(t)
	b := fit.Coef()
	y := func(i int) float64 { return s.Values.At(i, 0) }
	want := b[0] + b[1]*one.Mean[0] + b[2]*y(199) + b[3]*y(198) +
		b[4]*3 + b[5]*s.Values.At(199, 1) + b[6]*s.Values.At(198, 1) + b[7]*100 + b[8]*s.Values.At(199, 2) + b[9]*s.Values.At(198, 2)
	expect.Near(t, "second step", two.Mean[1], want, 1e-10)
	if !(two.StdErr[1] > two.StdErr[0]) {
		t.Error("limits do not grow")
	}
	// The lasso states no variance: that of its residuals.
	lasso := fatal.On(mlreg.FitLasso(l, 5, nil))(t)
	r := fatal.On(l.Residuals(lasso))(t)
	expect.Near(t, "standard error of the lasso", fatal.On(l.Forecast(lasso, 1, nil))(t).StdErr[0], math.Sqrt(gram.Squares(r)/(float64(len(r))-lasso.DoF())), 1e-9)
}

// An explosive autoregression has limits that grow without bound.
func TestForecastExplosive(t *testing.T) {
	x := make([]float64, 30)
	x[0] = 1
	for i := 1; i < 30; i++ {
		x[i] = 1.5*x[i-1] + 0.1*math.Sin(float64(i*i))
	}
	l := fatal.On(NewLags(seriesOf(t, []string{"x"}, x), 1, nil))(t)
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	coef := fatal.On(l.Autoregression(fit))(t)
	roots := fatal.On(ARRoots(coef))(t)
	if roots.Stable() || !strings.Contains(roots.String(), "not stable") {
		t.Errorf("%v", roots)
	}
	ahead := fatal.On(l.Forecast(fit, 10, nil))(t)
	for k := 1; k < 10; k++ {
		if ahead.StdErr[k] < 1.4*ahead.StdErr[k-1] {
			t.Errorf("step %d: %v after %v", k, ahead.StdErr[k], ahead.StdErr[k-1])
		}
	}
}

// A backtest is the fits and forecasts done one by one.
func TestBacktestLags(t *testing.T) {
	src := rand.New(rand.NewPCG(8, 21))
	x := simulated(src, 150, 1.2, -0.5)
	s := seriesOf(t, []string{"x"}, x)
	l := fatal.On(NewLags(s, 2, nil))(t)
	for _, window := range []int{0, 40} {
		bt := fatal.On(BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{First: 100, Horizon: 3, Every: 7, Window: window, Period: 12}))(t)
		if len(bt.Origin) != 8 || bt.Origin[7] != 149 {
			t.Fatalf("origins %v", bt.Origin)
		}
		for i, origin := range bt.Origin {
			first := 0
			if window > 0 {
				first = origin - window - 2
			}
			part := fatal.On(NewLags(seriesOf(t, []string{"x"}, x[first:origin]), 2, nil))(t)
			want := fatal.On(part.Forecast(fatal.On(mlreg.FitOLS(part.Design(), nil))(t), 3, nil))(t)
			for k := range min(3, 150-origin) {
				expect.Near(t, "forecast", bt.Mean[i][k], want.Mean[k], 1e-8)
				expect.Near(t, "limit", bt.Upper[i][k], want.Upper[k], 1e-8)
				expect.Near(t, "actual", bt.Actual[i][k], x[origin+k], 0)
				expect.Near(t, "naive", bt.Naive[i][k], x[origin-1], 0)
				expect.Near(t, "seasonal", bt.Seasonal[i][k], x[origin+k-12], 0)
			}
		}
		errs := bt.Errors()
		var sum float64
		for i := range bt.Origin {
			sum += gram.Square(bt.Actual[i][0] - bt.Mean[i][0])
		}
		expect.Near(t, "RMSE", errs[0].RMSE, math.Sqrt(sum/8), 1e-10)
		if errs[2].N != 7 {
			t.Errorf("%d values at step 3", errs[2].N)
		}
	}
	stop := errors.New("stop")
	bt, err := BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{Progress: func(float64, float64) error { return stop }})
	if err != stop || len(bt.Origin) != 1 {
		t.Errorf("%v", err)
	}
}

// Two channels of which one drives the other are told apart.
func TestGrangerFindsTheDriver(t *testing.T) {
	src := rand.New(rand.NewPCG(9, 21))
	x := mat.NewDense(600, 3, nil)
	for i := range 600 {
		for j := range 3 {
			x.Set(i, j, src.NormFloat64())
			if i > 1 {
				x.Set(i, j, x.At(i, j)+0.5*x.At(i-1, j))
			}
		}
		if i > 1 {
			x.Set(i, 0, x.At(i, 0)+0.6*x.At(i-2, 1))
		}
	}
	s := fatal.On(NewSeries(x, "driven", "driver", "other"))(t)
	p := make(map[string]float64)
	for _, response := range s.Names {
		l := fatal.On(NewLags(s, 4, &LagsSettings{Response: response}))(t)
		for _, row := range fatal.On(GrangerTest(l, fatal.On(mlreg.FitOLS(l, nil))(t)))(t) {
			p[row.Channel+" to "+response] = row.P
		}
	}
	for pair, v := range p {
		if helps := pair == "driver to driven"; (v < 1e-6) != helps || !helps && v < 0.005 {
			t.Errorf("%s: p = %v", pair, v)
		}
	}
}

// Coefficients of Yule-Walker and least squares tend to those that made the series.
func TestAutoregressionOfSimulatedSeries(t *testing.T) {
	truth := []float64{0.9, -0.6, 0.2}
	x := simulated(rand.New(rand.NewPCG(11, 21)), 20000, truth...)
	coef, sigma2, err := YuleWalker(x, 3)
	if err != nil {
		t.Fatal(err)
	}
	l := fatal.On(NewLags(seriesOf(t, []string{"x"}, x), 3, nil))(t)
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	ls := fatal.On(l.Autoregression(fit))(t)
	for k := range truth {
		if se := fit.StdErr()[k+1]; math.Abs(coef[k]-truth[k]) > 4*se || math.Abs(ls[k]-truth[k]) > 4*se {
			t.Errorf("lag %d: %v and %v, truth %v", k+1, coef[k], ls[k], truth[k])
		}
	}
	if math.Abs(sigma2-1) > 0.04 {
		t.Errorf("variance %v", sigma2)
	}
}

func TestSeriesToolsRefuse(t *testing.T) {
	x := []float64{1, 3, 2, 5, 4, 6, 5, 8}
	l := fatal.On(NewLags(seriesOf(t, []string{"x"}, x), 1, nil))(t)
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	other := fatal.On(mlreg.FitOLS(fatal.On(NewLags(seriesOf(t, []string{"z"}, x), 1, nil))(t), nil))(t)
	_, _, yw := YuleWalker(x, 9)
	for _, c := range []struct {
		err  error
		kind error
		says string
	}{
		{expect.ErrorOf(ACF(nil, 1)), mlreg.ErrNoData, "0 values"},
		{expect.ErrorOf(ACF(x, 0)), mlreg.ErrSetting, "0 lags"},
		{expect.ErrorOf(ACF(x, 8)), mlreg.ErrSetting, "1 to 7"},
		{expect.ErrorOf(ACF([]float64{2, 2, 2}, 1)), mlreg.ErrConstant, "2"},
		{expect.ErrorOf(ACF([]float64{.1, .1, .1}, 1)), mlreg.ErrConstant, "0.1"},
		{expect.ErrorOf(PACF([]float64{1, math.Inf(1)}, 1)), mlreg.ErrNotFinite, "row 2"},
		{expect.ErrorOf(LjungBox(x, 2, -1)), mlreg.ErrSetting, "-1"},
		{expect.ErrorOf(LjungBox(x, 3, 4)), mlreg.ErrSetting, "-1 degrees of freedom, which must be positive"},
		{expect.ErrorOf(LjungBox(x, 3, 3)), mlreg.ErrSetting, "0 degrees of freedom"},
		{yw, mlreg.ErrSetting, "9 lags"},
		{expect.ErrorOf(fatal.On(ACF(x, 2))(t).Limits(1)), mlreg.ErrSetting, "level"},
		{expect.ErrorOf(Periodogram(x[:3])), mlreg.ErrNoData, "3 values"},
		{expect.ErrorOf(Periodogram([]float64{1, 2, math.NaN(), 3})), mlreg.ErrNotFinite, "row 3"},
		{expect.ErrorOf(ARSpectrum(nil, 0, 5)), mlreg.ErrSetting, "sigma^2"},
		{expect.ErrorOf(ARSpectrum(nil, 1, 1)), mlreg.ErrSetting, "1 frequencies"},
		{expect.ErrorOf(ARSpectrum([]float64{math.NaN()}, 1, 5)), mlreg.ErrNotFinite, "coefficients"},
		{expect.ErrorOf(ARRoots([]float64{math.Inf(1)})), mlreg.ErrNotFinite, "coefficients"},
		{expect.ErrorOf(l.Forecast(fit, 0, nil)), mlreg.ErrSetting, "0 steps"},
		{expect.ErrorOf(l.Forecast(nil, 1, nil)), mlreg.ErrNoData, "fit"},
		{expect.ErrorOf(l.Forecast(other, 1, nil)), mlreg.ErrShape, "lag(z, 1)"},
		{expect.ErrorOf(l.Forecast(fit, 1, &ForecastSettings{Level: 2})), mlreg.ErrSetting, "level"},
		{expect.ErrorOf(l.Forecast(fit, 1, &ForecastSettings{Origin: 9})), mlreg.ErrSetting, "Origin"},
		{expect.ErrorOf(l.Forecast(fit, 1, &ForecastSettings{Sigma2: -1})), mlreg.ErrSetting, "Sigma2"},
		{expect.ErrorOf(l.Forecast(fit, 1, &ForecastSettings{Future: &Series{}})), mlreg.ErrNoData, "Future"},
		{expect.ErrorOf(l.Forecast(fit, 1, &ForecastSettings{Future: seriesOf(t, []string{"q"}, x)})), mlreg.ErrShape, `"q"`},
		{expect.ErrorOf(BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{First: 8})), mlreg.ErrSetting, "First"},
		{expect.ErrorOf(BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{First: 1})), mlreg.ErrNoData, "origin 1"},
		{expect.ErrorOf(BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{Every: -1})), mlreg.ErrSetting, "Every"},
		{expect.ErrorOf(BacktestLags[*mlreg.OLS](nil, nil, nil)), mlreg.ErrNoData, "lags"},
		{expect.ErrorOf(GrangerTest(l, fit, "z")), mlreg.ErrShape, `"z"`},
		{expect.ErrorOf(GrangerTest(l, other, "x")), mlreg.ErrShape, "lag(x, 1)"},
		{expect.ErrorOf(GrangerTest(nil, fit)), mlreg.ErrNoData, "lags"},
		{expect.ErrorOf(l.Autoregression(nil)), mlreg.ErrNoData, "fit"},
	} {
		expect.Error(t, "bad input", c.err, c.kind, c.says)
	}
}

// withCoef is a fit with other coefficients.
type withCoef struct {
	mlreg.CoefFit
	coef []float64
}

func (f withCoef) Coef() []float64 { return f.coef }

// The variance of a forecast is that of the noise, by the weights that shocks have, and of
// the coefficients, by differences of forecasts.
func TestForecastVariance(t *testing.T) {
	src := rand.New(rand.NewPCG(12, 21))
	s := seriesOf(t, []string{"y", "x"}, simulated(src, 60, 0.8, -0.4), simulated(src, 60, 0.5))
	l := fatal.On(NewLags(s, 2, &LagsSettings{Trend: 1}))(t)
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	settings := &ForecastSettings{Future: seriesOf(t, []string{"x"}, []float64{1, -1, 2, 0, 3})}
	const h, step = 5, 1e-5
	got := fatal.On(l.Forecast(fit, h, settings))(t)
	b, phi := fit.Coef(), fatal.On(l.Autoregression(fit))(t)
	psi := []float64{1, phi[0], phi[0]*phi[0] + phi[1]}
	psi = append(psi, phi[0]*psi[2]+phi[1]*psi[1])
	psi = append(psi, phi[0]*psi[3]+phi[1]*psi[2])
	for k := range h {
		g := make([]float64, len(b))
		for j := range b {
			mean := func(by float64) float64 {
				moved := append([]float64(nil), b...)
				moved[j] += by
				return fatal.On(l.Forecast(withCoef{fit, moved}, h, settings))(t).Mean[k]
			}
			g[j] = (mean(step) - mean(-step)) / (2 * step)
		}
		want := fit.Sigma2()*gram.Squares(psi[:k+1]) + mat.Inner(mat.NewVecDense(len(g), g), fit.VCov(), mat.NewVecDense(len(g), g))
		expect.Near(t, "variance", gram.Square(got.StdErr[k]), want, 1e-7)
		expect.Near(t, "upper limit", got.Upper[k], got.Mean[k]+dist.TQuantile(0.05, fit.DoFResidual())*got.StdErr[k], 1e-12)
	}
}

// Errors of a backtest, and the naive ones beside them, by hand: seasons shorter than the
// horizon, and a gap.
func TestBacktestByHand(t *testing.T) {
	x := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4}
	s := seriesOf(t, []string{"x"}, x)
	s.Time = make([]float64, 20)
	for i := range s.Time {
		s.Time[i] = float64(i)
		if i >= 14 {
			s.Time[i]++
		}
	}
	l := fatal.On(NewLags(s, 1, nil))(t)
	bt := fatal.On(BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{First: 10, Horizon: 5, Every: 5, Period: 2, Level: 0.3}))(t)
	nan := math.NaN()
	// The row of the second origin, 15, is beyond the gap, so its season began with it.
	for i, want := range [][]float64{{5, 3, 5, 3, 5}, {nan, 9, nan, 9, nan}} {
		for k, v := range want {
			if got := bt.Seasonal[i][k]; got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
				t.Errorf("origin %d, step %d: the season before is %v, want %v", bt.Origin[i], k+1, got, v)
			}
		}
	}
	if !math.IsNaN(bt.Actual[0][4]) || bt.Actual[0][3] != 7 || bt.Actual[1][4] != 4 {
		t.Errorf("actual values %v", bt.Actual)
	}
	for k, row := range bt.Errors() {
		var sum, naive, inside, n float64
		for i := range bt.Origin {
			if a := bt.Actual[i][k]; !math.IsNaN(a) {
				sum, naive, n = sum+math.Abs(a-bt.Mean[i][k]), naive+math.Abs(a-bt.Naive[i][k]), n+1
				if bt.Lower[i][k] <= a && a <= bt.Upper[i][k] {
					inside++
				}
			}
		}
		expect.Near(t, "MAE", row.MAE, sum/n, 1e-12)
		expect.Near(t, "MAE of the last value", row.NaiveMAE, naive/n, 1e-12)
		expect.Near(t, "share within limits", row.Covered, inside/n, 1e-12)
	}
	if covered := bt.Errors()[0].Covered; covered != 0.5 {
		t.Errorf("of two values %v are within limits: one is to be below them", covered)
	}
}

// Limits of correlograms, and the lags that HAC takes by itself, by their formulas.
func TestLimitsOfCorrelograms(t *testing.T) {
	x := simulated(rand.New(rand.NewPCG(13, 21)), 50, 0.7)
	const z = 1.959963984540054
	acf, pacf := fatal.On(ACF(x, 4))(t), fatal.On(PACF(x, 4))(t)
	expect.Near(t, "limit of white noise", fatal.On(acf.Limit(0.95))(t), z/math.Sqrt(50), 1e-12)
	sum := 1.0
	for k, limit := range fatal.On(acf.Limits(0.95))(t) {
		expect.Near(t, "Bartlett's limit", limit, z*math.Sqrt(sum/50), 1e-12)
		sum += 2 * gram.Square(acf.Value[k])
		expect.Near(t, "limit of a partial one", fatal.On(pacf.Limits(0.95))(t)[k], z/math.Sqrt(50), 1e-12)
	}
}

// Periodograms of any length, with and without small factors, are the sums they stand for.
func TestPeriodogramOfAnyLength(t *testing.T) {
	for _, n := range []int{4, 5, 63, 96, 131, 202} {
		x := simulated(rand.New(rand.NewPCG(14, 21)), n, 0.5)
		var mean float64
		for _, v := range x {
			mean += v / float64(n)
		}
		got := fatal.On(Periodogram(x))(t)
		if len(got.Density) != n/2 {
			t.Errorf("%d frequencies of %d values", len(got.Density), n)
		}
		for j, density := range got.Density {
			f := float64(j+1) / float64(n)
			var re, im float64
			for k, v := range x {
				sin, cos := math.Sincos(2 * math.Pi * f * float64(k))
				re, im = re+(v-mean)*cos, im+(v-mean)*sin
			}
			expect.Near(t, "frequency", got.Frequency[j], f, 1e-15)
			expect.Near(t, "density", density, (re*re+im*im)/float64(n), 1e-9)
		}
	}
}

// Horizons beyond all memory are refused, and those beyond the rows end with them.
func TestFarHorizons(t *testing.T) {
	l := fatal.On(NewLags(seriesOf(t, []string{"x"}, simulated(rand.New(rand.NewPCG(7, 22)), 60, 0.5)), 2, nil))(t)
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	for _, h := range []int{1 << 31, 1 << 40, math.MaxInt} {
		expect.Error(t, "recursive", expect.ErrorOf(l.Forecast(fit, h, nil)), mlreg.ErrTooLarge, "steps")
		far := fatal.On(BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{Horizon: h}))(t)
		near := fatal.On(BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{Horizon: 20, Every: 60}))(t)
		if len(far.Origin) != len(near.Origin) {
			t.Errorf("%d origins, want %d", len(far.Origin), len(near.Origin))
		}
	}
}

// TestForecastDates: forecasts of an hourly series say the hour, to the second although a
// twenty-fourth of a day is no float64; those of a daily series say the day only.
func TestForecastDates(t *testing.T) {
	for _, test := range []struct {
		step float64
		want string
	}{
		{1. / 24, "2025-01-03 01:00:00 2025-01-03 02:00:00 2025-01-03 03:00:00"},
		{1. / 1440, "2025-01-01 00:49:00 2025-01-01 00:50:00 2025-01-01 00:51:00"},
		{1, "2025-02-19 2025-02-20 2025-02-21"},
	} {
		x := simulated(rand.New(rand.NewPCG(3, 5)), 49, 0.5)
		s := seriesOf(t, []string{"x"}, x)
		s.Calendar, s.Time = CalendarDays, make([]float64, len(x))
		for i := range s.Time {
			s.Time[i] = 20089 + float64(i)*test.step // 2025-01-01
		}
		l := fatal.On(NewLags(s, 1, nil))(t)
		f := fatal.On(l.Forecast(fatal.On(mlreg.FitOLS(l, nil))(t), 3, nil))(t)
		if got := strings.Join(f.Describe().Columns[0].Cells, " "); got != test.want {
			t.Errorf("step %v: %s, want %s", test.step, got, test.want)
		}
		if got := s.Calendar.text(s.Time[1]); (len(got) > 10) != (test.step < 1) {
			t.Errorf("step %v: the second time is %s", test.step, got)
		}
	}
}
