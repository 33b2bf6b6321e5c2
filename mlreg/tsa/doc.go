// Package tsa is time series on package mlreg: regressions on lags whose rows are never built,
// their forecasts, and what shows how a series depends on its past.
//
//	series, err := tsa.NewSeries(values, "y", "x")
//	lags, err := tsa.NewLags(series, 12, nil)
//	ols, err := mlreg.FitOLS(lags, nil)
//	ahead, err := lags.Forecast(ols, 6, nil)
//
// Lags are mlreg.Data, so that every fit of mlreg takes them.
//
// # Index by task
//
// As in R's ar and forecast, and in statsmodels' AutoReg and VAR:
//
//   - a regression on lags: [NewSeries], [NewLags], fitted by FitOLS and all that take Data; its
//     rows [Lags.Design], [Lags.EachBlock]; groups [Lags.ByChannel], [Lags.ByLag]; in formulas
//     lag(y, 1:12) and frames.Lags
//   - how many lags (ar_select_order): [FitLagOrders], [LagOrders.Best];
//     [CrossValidateLagOrders] by blocks with a gap
//   - forecasts with limits (predict): [Lags.Forecast]; what the errors would have been
//     (tsCV): [BacktestLags]
//   - autocorrelations (acf, pacf): [ACF], [PACF]; are residuals white (Box.test): [LjungBox];
//     [YuleWalker]
//   - spectra (spec.pgram, spec.ar): [Periodogram], [ARSpectrum]; does a shock die out: [ARRoots],
//     [Lags.Autoregression]
//   - does a channel help another (grangertest): [GrangerTest]
//   - standard errors under autocorrelation (NeweyWest): OLS.HAC of package mlreg
//   - dates: [Calendar]
package tsa
