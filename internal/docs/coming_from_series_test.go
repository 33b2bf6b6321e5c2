package docs

import (
	"maps"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
)

// logLynx is the series of both scripts.
func logLynx() []float64 {
	x := must.M1(frames.Floats(datasets.Lynx(), "lynx"))
	for t, v := range x {
		x[t] = math.Log10(v)
	}
	return x
}

func lynxLags(q int) *tsa.Lags {
	x := logLynx()
	s := must.M1(tsa.NewSeries(mat.NewDense(len(x), 1, x), "x"))
	return must.M1(tsa.NewLags(s, q, nil))
}

// shifted has the series from its third year on as y, and a second channel.
func shifted() *tsa.Lags {
	x := logLynx()
	both := mat.NewDense(len(x)-2, 2, nil)
	both.SetCol(0, x[2:])
	for t := range len(x) - 2 {
		both.Set(t, 1, math.Sin(float64((t+1)*(t+1))))
	}
	s := must.M1(tsa.NewSeries(both, "y", "x"))
	return must.M1(tsa.NewLags(s, 4, nil))
}

func newey() *mlreg.Robust {
	return must.M1(ols(two()).HAC(two(), &mlreg.HACSettings{Lags: 4}))
}

func lynxFit() (*tsa.Lags, *mlreg.OLS) {
	l := lynxLags(4)
	return l, must.M1(mlreg.FitOLS(l, nil))
}

func ljungBox() []float64 {
	l, f := lynxFit()
	var values []float64
	for _, row := range must.M1(tsa.LjungBox(must.M1(l.Residuals(f)), 10, 4)) {
		values = append(values, row.Stat, row.P)
	}
	return values
}

func granger() []float64 {
	l := shifted()
	row := must.M1(tsa.GrangerTest(l, must.M1(mlreg.FitOLS(l, nil))))[0]
	return []float64{row.F, row.P}
}

func yuleWalker() ([]float64, float64) {
	coef, sigma2, err := tsa.YuleWalker(logLynx(), 4)
	if err != nil {
		panic(err)
	}
	return coef, sigma2
}

// With two maps, the calls of both.
func with(a, b map[string]func() []float64) map[string]func() []float64 {
	maps.Copy(a, b)
	return a
}

func seriesFromR() map[string]func() []float64 {
	return map[string]func() []float64{
		"acf(x, 20)":  func() []float64 { return must.M1(tsa.ACF(logLynx(), 20)).Value },
		"pacf(x, 20)": func() []float64 { return must.M1(tsa.PACF(logLynx(), 20)).Value },
		`Box.test(r, 10, "Ljung", fitdf = 4)`: func() []float64 {
			values := ljungBox()
			return values[len(values)-2:]
		},
		"ar(x, FALSE, 4)": func() []float64 { coef, sigma2 := yuleWalker(); return append(coef, sigma2) },
		"ar.ols(x, FALSE, 4)": func() []float64 {
			_, f := lynxFit()
			return f.Slopes()
		},
		"predict(a, n.ahead = 10)": func() []float64 {
			l, f := lynxFit()
			return must.M1(l.Forecast(f, 10, nil)).Mean
		},
		"spec.pgram(x, taper = 0, detrend = FALSE, fast = FALSE)": func() []float64 { return must.M1(tsa.Periodogram(logLynx())).Density },
		"spec.ar(b)": func() []float64 {
			coef, sigma2 := yuleWalker()
			return must.M1(tsa.ARSpectrum(coef, sigma2, 500)).Density
		},
		"lmtest::grangertest(y ~ x, order = 4)":             granger,
		"sandwich::NeweyWest(m, lag = 4, prewhite = FALSE)": func() []float64 { return rows(newey().VCov()) },
	}
}

func seriesFromPython() map[string]func() []float64 {
	return map[string]func() []float64{
		"AutoReg(x, 4).fit()": func() []float64 {
			_, f := lynxFit()
			return f.Coef()
		},
		"ar_select_order(x, 12)": func() []float64 {
			return []float64{float64(must.M1(tsa.FitLagOrders(lynxLags(12), nil)).Best(mlreg.BIC).Order)}
		},
		"ar_select_order(x, 8, glob=True)": func() []float64 {
			best := must.M1(mlreg.FitBestSubsets(lynxLags(8), &mlreg.SubsetSettings{Criterion: mlreg.ByBIC})).Models()[0]
			return []float64{float64(len(best.Terms)), best.RSS}
		},
		"acorr_ljungbox(r, lags=10, model_df=4)":       ljungBox,
		"grangercausalitytests(yx, [4])":               granger,
		`fit(cov_type="HAC", cov_kwds={"maxlags": 4})`: func() []float64 { return newey().StdErr() },
	}
}
