package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
	"github.com/regbook/regbook/plotting"
)

func ExampleCorrelogramPlot() {
	x := datasets.Lynx().Col("lynx").Float()
	plotting.Show(plotting.CorrelogramPlot(must.M1(tsa.PACF(x, 20)), 0.95))
	// Output: Figure: partial autocorrelation against lag (horizontal 0 to 20.5, vertical -0.64 to 0.763)
}

func ExampleSpectrumPlot() {
	x := datasets.Lynx().Col("lynx").Float()
	coef, sigma2, err := tsa.YuleWalker(x, 8)
	must.M(err)
	plotting.Show(plotting.SpectrumPlot(must.M1(tsa.Periodogram(x)), must.M1(tsa.ARSpectrum(coef, sigma2, 200))))
	// Output: Figure: spectral density against frequency (cycles per step) (horizontal -0.02 to 0.52, vertical 3151 to 1.09e+08)
}

func ExampleForecastPlot() {
	s := must.M1(frames.SeriesOf(datasets.CO2(), &frames.SeriesSettings{Time: "month"}, "co2"))
	lags := must.M1(tsa.NewLags(s, 13, &tsa.LagsSettings{Trend: 1}))
	ahead := must.M1(lags.Forecast(must.M1(mlreg.FitOLS(lags, nil)), 36, nil))
	plotting.Show(plotting.ForecastPlot(ahead, s, nil))
	// Output: Figure: co2
}

func ExampleBacktestPlot() {
	s := must.M1(datasets.DrivenPair(300, 0.8, rand.NewPCG(1, 2)))
	lags := must.M1(tsa.NewLags(s, 2, &tsa.LagsSettings{Channels: []tsa.ChannelLags{{Channel: "driver", From: 1, To: 2}}}))
	backtest := must.M1(tsa.BacktestLags[*mlreg.OLS](lags, nil, &tsa.BacktestSettings{Horizon: 5}))
	plotting.Show(plotting.BacktestPlot(backtest))
	// Output: Figure: backtest of driver: forecasts from 20 origins, and errors by step beside those of naive forecasts
}
