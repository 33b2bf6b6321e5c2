package tsa_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/mlreg/tsa"
)

// waves is a series of two channels: "y" follows "x" two steps later.
func waves(n int) *tsa.Series {
	values := mat.NewDense(n, 2, nil)
	for t := range n {
		values.Set(t, 1, math.Sin(float64(t*t)))
		if t >= 2 {
			values.Set(t, 0, 3+2*values.At(t-2, 1)+0.01*math.Cos(float64(7*t*t)))
		}
	}
	s, _ := tsa.NewSeries(values, "y", "x")
	return s
}

func ExampleNewSeries() {
	s, err := tsa.NewSeries(mat.NewDense(3, 1, []float64{5, math.NaN(), 7}), "level")
	if err != nil {
		panic(err)
	}
	s.Time = []float64{2021, 2022, 2023}
	fmt.Println(s.NObs(), s.Names)
	// Output: 3 [level]
}

func ExampleNewLags() {
	lags, err := tsa.NewLags(waves(500), 0, &tsa.LagsSettings{
		Channels: []tsa.ChannelLags{{Channel: "x", From: 1, To: 3}},
	})
	if err != nil {
		panic(err)
	}
	fit, err := mlreg.FitOLS(lags, nil) // no row of the design is built
	if err != nil {
		panic(err)
	}
	for j, name := range fit.Names() {
		fmt.Printf("%-12s %.2f\n", name, math.Abs(fit.Coef()[j]))
	}
	// Output:
	// (Intercept)  3.00
	// lag(x, 1)    0.00
	// lag(x, 2)    2.00
	// lag(x, 3)    0.00
}

// cycle is a series that swings with a period of about ten steps.
func cycle(n int) []float64 {
	x := make([]float64, n)
	for t := range x {
		x[t] = math.Sin(float64(t * t)) // noise
		if t >= 2 {
			x[t] += 1.5*x[t-1] - 0.9*x[t-2]
		}
	}
	return x
}

func cycleLags(n, q int) *tsa.Lags {
	s, err := tsa.NewSeries(mat.NewDense(n, 1, cycle(n)), "x")
	if err != nil {
		panic(err)
	}
	lags, err := tsa.NewLags(s, q, nil)
	if err != nil {
		panic(err)
	}
	return lags
}

func ExampleFitLagOrders() {
	orders, err := tsa.FitLagOrders(cycleLags(300, 6), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(orders.Best(mlreg.BIC).Order)
	// Output: 2
}

// The posterior probability of every order, and the likelihood of the second.
func ExampleLagOrders_PostProb() {
	orders, err := tsa.FitLagOrders(cycleLags(300, 3), nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.3f\n", orders.PostProb())
	fmt.Printf("%d parameters, noise variance %.3f, log-likelihood %.1f\n", orders[2].Parameters(), orders[2].Sigma2(), orders[2].LogLik())
	fmt.Println(orders.Describe().Title)
	// Output:
	// [0.000 0.000 0.903 0.097]
	// 4 parameters, noise variance 0.505, log-likelihood -318.5
	// Orders of an autoregression
}

// What lags are to the fits that take them.
func ExampleLags() {
	lags := cycleLags(300, 2)
	moments, err := lags.Moments()
	if err != nil {
		panic(err)
	}
	fit, err := mlreg.FitOLS(moments, nil)
	if err != nil {
		panic(err)
	}
	yhat, err := lags.Predict(fit)
	if err != nil {
		panic(err)
	}
	fmt.Println(lags.Response(), lags.NTerms(), moments.NObs(), len(yhat))
	fmt.Println(lags.Describe())
	// Output:
	// x 2 298 298
	// Lags as regressors of x
	// channel  from lag  to lag
	// x               1       2
	// 298 rows of 300 times; 2 terms
}

// Every result makes its own table.
func Example_tables() {
	lags := cycleLags(300, 2)
	fit, err := mlreg.FitOLS(lags, nil)
	if err != nil {
		panic(err)
	}
	ahead, err := lags.Forecast(fit, 3, nil)
	if err != nil {
		panic(err)
	}
	backtest, err := tsa.BacktestLags[*mlreg.OLS](lags, nil, &tsa.BacktestSettings{First: 200, Horizon: 2})
	if err != nil {
		panic(err)
	}
	acf, err := tsa.ACF(cycle(300), 5)
	if err != nil {
		panic(err)
	}
	spectrum, err := tsa.Periodogram(cycle(300))
	if err != nil {
		panic(err)
	}
	roots, err := tsa.ARRoots(fit.Slopes())
	if err != nil {
		panic(err)
	}
	for _, table := range []*report.Table{
		lags.Series().Describe(), ahead.Describe(), backtest.Describe(), acf.Describe(), spectrum.Describe(), roots.Describe(),
	} {
		fmt.Println(table.Title)
	}
	// Output:
	// Series
	// Forecasts of x
	// Backtest of x
	// Autocorrelations
	// Spectral density: the largest
	// Inverse roots of the autoregression
}

func ExampleCrossValidateLagOrders() {
	cv, err := tsa.CrossValidateLagOrders(cycleLags(300, 6), &tsa.LagsCVSettings{Blocks: 5})
	if err != nil {
		panic(err)
	}
	fmt.Println("order", cv.OneSE())
	// Output: order 2
}

func ExampleLags_Forecast() {
	lags := cycleLags(300, 2)
	fit, err := mlreg.FitOLS(lags, nil)
	if err != nil {
		panic(err)
	}
	ahead, err := lags.Forecast(fit, 3, nil)
	if err != nil {
		panic(err)
	}
	for k, se := range ahead.StdErr {
		fmt.Printf("step %d, time %v: standard error %.1f\n", k+1, ahead.Time[k], se)
	}
	// Output:
	// step 1, time 300: standard error 0.7
	// step 2, time 301: standard error 1.3
	// step 3, time 302: standard error 1.6
}

func ExampleBacktestLags() {
	backtest, err := tsa.BacktestLags(cycleLags(300, 2), func(data mlreg.Data) (*mlreg.Ridge, error) {
		return mlreg.FitRidge(data, 1, nil)
	}, &tsa.BacktestSettings{First: 200, Horizon: 2})
	if err != nil {
		panic(err)
	}
	for _, row := range backtest.Errors() {
		fmt.Printf("step %d: %.1f, last value %.1f\n", row.Step, row.RMSE, row.NaiveRMSE)
	}
	// Output:
	// step 1: 0.7, last value 1.9
	// step 2: 1.3, last value 3.4
}

func ExampleACF() {
	g, err := tsa.ACF(cycle(300), 5)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f\n", g.Value)
	// Output: [0.8 0.3 -0.3 -0.7 -0.8]
}

func ExamplePACF() {
	g, err := tsa.PACF(cycle(300), 4)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f\n", g.Value[:2])
	// Output: [0.8 -0.9]
}

func ExampleYuleWalker() {
	coef, _, err := tsa.YuleWalker(cycle(300), 2)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f\n", coef)
	// Output: [1.5 -0.9]
}

func ExampleLjungBox() {
	lags := cycleLags(300, 1) // one lag is too few
	fit, err := mlreg.FitOLS(lags, nil)
	if err != nil {
		panic(err)
	}
	r, err := lags.Residuals(fit)
	if err != nil {
		panic(err)
	}
	tests, err := tsa.LjungBox(r, 10, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(tests[9].P < 0.001)
	// Output: true
}

func ExamplePeriodogram() {
	s, err := tsa.Periodogram(cycle(300))
	if err != nil {
		panic(err)
	}
	fmt.Printf("a period of %.0f steps\n", 1/s.Peak())
	// Output: a period of 10 steps
}

func ExampleARSpectrum() {
	s, err := tsa.ARSpectrum([]float64{1.5, -0.9}, 1, 501)
	if err != nil {
		panic(err)
	}
	fmt.Printf("a period of %.0f steps\n", 1/s.Peak())
	// Output: a period of 10 steps
}

func ExampleARRoots() {
	roots, err := tsa.ARRoots([]float64{1.5, -0.9})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f %v\n", roots.Largest, roots.Stable())
	// Output: 0.95 true
}

func ExampleGrangerTest() {
	lags, err := tsa.NewLags(waves(500), 3, nil)
	if err != nil {
		panic(err)
	}
	fit, err := mlreg.FitOLS(lags, nil)
	if err != nil {
		panic(err)
	}
	tests, err := tsa.GrangerTest(lags, fit)
	if err != nil {
		panic(err)
	}
	fmt.Println(tests[0].Channel, tests[0].P < 1e-6)
	// Output: x true
}

func ExampleLags_ByLag() {
	lags, err := tsa.NewLags(waves(500), 2, nil)
	if err != nil {
		panic(err)
	}
	for _, groups := range []report.Rows[mlreg.TermGroup]{lags.ByChannel(), lags.ByLag()} {
		for _, g := range groups {
			fmt.Println(g.Name, g.Terms)
		}
	}
	fmt.Println(lags.Series().Names)
	// Output:
	// y [lag(y, 1) lag(y, 2)]
	// x [lag(x, 1) lag(x, 2)]
	// lag 1 [lag(y, 1) lag(x, 1)]
	// lag 2 [lag(y, 2) lag(x, 2)]
	// [y x]
}

func ExampleLags_Only() {
	lags := cycleLags(300, 2)
	use := make([]bool, 300)
	for t := range 200 {
		use[t] = true
	}
	early, err := lags.Only(use)
	if err != nil {
		panic(err)
	}
	rows, last := 0, 0
	err = early.EachBlock(func(d *mlreg.Design) error {
		rows += d.NObs()
		last = d.RowNumber(d.NObs() - 1)
		return nil
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(rows, "rows, the last", last)
	// Output: 198 rows, the last 200
}

func ExampleLags_Autoregression() {
	lags := cycleLags(300, 2)
	fit, err := mlreg.FitOLS(lags, nil)
	if err != nil {
		panic(err)
	}
	phi, err := lags.Autoregression(fit)
	if err != nil {
		panic(err)
	}
	roots, err := tsa.ARRoots(phi)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(phi), roots.Stable())
	// Output: 2 true
}

func ExampleSeries_Lag() {
	s, err := tsa.NewSeries(mat.NewDense(4, 1, []float64{5, 6, 7, 9}), "level")
	if err != nil {
		panic(err)
	}
	s.Time = []float64{1, 2, 3, 5} // 4 is not there
	before, err := s.Lag("level", 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(before)
	// Output: [NaN 5 6 NaN]
}

func ExampleCalendar_Date() {
	fmt.Println(tsa.CalendarDays.Date(365).Format("2006-01-02"), tsa.CalendarMonths.Date(14).Format("2006-01-02"))
	// Output: 1971-01-01 1971-03-01
}

func ExampleCorrelogram_Limits() {
	g, err := tsa.ACF(cycle(300), 3)
	if err != nil {
		panic(err)
	}
	limit, err := g.Limit(0.95)
	if err != nil {
		panic(err)
	}
	limits, err := g.Limits(0.95)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f %.2f\n", limit, limits)
	// Output: 0.11 [0.11 0.17 0.18]
}
