package tsa

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// timeSeries are the answers of R (testdata/lags.R) and statsmodels (testdata/lags.py).
type timeSeries struct {
	X, M, F                                          []float64
	ACF, PACF                                        []float64
	ACFHoles                                         []float64 `json:"acf_holes"`
	Box, YW                                          []float64
	YWVar                                            []float64 `json:"yw_var"`
	OLS                                              []float64
	OLSSE                                            []float64 `json:"ols_se"`
	OLSPred                                          []float64 `json:"ols_pred"`
	OLSVar                                           []float64 `json:"ols_var"`
	OLSPredSE                                        []float64 `json:"ols_pred_se"`
	CSS                                              []float64
	CSSSigma2                                        []float64 `json:"css_sigma2"`
	Pgram, Spec, Roots, Granger, NW4, NW4Adj, Season []float64
	GrangerHAC                                       []float64 `json:"granger_hac"`
}

func readR(t *testing.T) (r timeSeries, raw map[string][]float64) {
	t.Helper()
	expect.JSON(t, "testdata/lags_r.json", &raw)
	expect.JSON(t, "testdata/lags_r.json", &r)
	r.NW4Adj, r.Season, r.OLSSE = raw["nw4_adjusted"], raw["seasonal"], raw["ols_se"]
	return r, raw
}

func seriesOf(t *testing.T, names []string, columns ...[]float64) *Series {
	t.Helper()
	m := mat.NewDense(len(columns[0]), len(columns), nil)
	for j, c := range columns {
		m.SetCol(j, c)
	}
	return fatal.On(NewSeries(m, names...))(t)
}

func TestCorrelogramAgainstR(t *testing.T) {
	r, _ := readR(t)
	expect.NearAll(t, "acf", fatal.On(ACF(r.X, 12))(t).Value, r.ACF, 1e-12)
	expect.NearAll(t, "pacf", fatal.On(PACF(r.X, 12))(t).Value, r.PACF, 1e-10)
	holes := append([]float64(nil), r.X...)
	for _, i := range []int{5, 40, 41} {
		holes[i-1] = math.NaN()
	}
	expect.NearAll(t, "acf with missing values", fatal.On(ACF(holes, 12))(t).Value, r.ACFHoles, 1e-12)
	row := fatal.On(LjungBox(r.X, 7, 2))(t)[6]
	expect.Near(t, "Q", row.Stat, r.Box[0], 1e-12)
	expect.Near(t, "df", row.DF, r.Box[1], 0)
	coef, sigma2, err := YuleWalker(r.X, 4)
	if err != nil {
		t.Fatal(err)
	}
	expect.NearAll(t, "Yule-Walker", coef, r.YW, 1e-10)
	expect.Near(t, "variance", sigma2, r.YWVar[0], 1e-10)
	expect.NearAll(t, "periodogram", fatal.On(Periodogram(r.X))(t).Density, r.Pgram, 1e-9)
	expect.NearAll(t, "spectrum", fatal.On(ARSpectrum(coef, sigma2, 9))(t).Density, r.Spec, 1e-10)
	roots := fatal.On(ARRoots(coef))(t)
	for k, z := range roots.Inverse {
		expect.Near(t, "root", math.Hypot(real(z), imag(z)), r.Roots[k], 1e-9)
	}
	if !roots.Stable() || fatal.On(ARRoots([]float64{1.1}))(t).Stable() {
		t.Error("stability")
	}
}

func TestAutoregressionAgainstR(t *testing.T) {
	r, raw := readR(t)
	l := fatal.On(NewLags(seriesOf(t, []string{"x"}, r.X), 4, nil))(t)
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	expect.NearAll(t, "ar.ols", fit.Coef(), r.OLS, 1e-9)
	expect.Near(t, "ar.ols variance", fit.RSS()/float64(fit.NObs()), r.OLSVar[0], 1e-10)
	expect.Near(t, "arima CSS variance", fit.RSS()/float64(fit.NObs()), r.CSSSigma2[0], 1e-7)
	expect.NearAll(t, "arima CSS", fit.Slopes(), r.CSS[:4], 1e-6)
	// The likelihood of arima counts the 4 values that it conditions on.
	expect.Near(t, "arima CSS likelihood", fit.LogLik()*float64(len(r.X))/float64(fit.NObs()), raw["css_loglik"][0], 1e-8)
	// ar.ols fits every order to its own rows, and has n log(RSS/rows) for all.
	var own []float64
	for k, o := range fatal.On(FitLagOrders(fatal.On(NewLags(seriesOf(t, []string{"x"}, r.X), 8, nil))(t), &LagOrdersSettings{OwnSample: true}))(t) {
		own = append(own, float64(len(r.X))*math.Log(o.RSS/float64(o.N))+2*float64(k+1))
	}
	least := slices.Min(own)
	for k := range own {
		expect.Near(t, "AIC of ar.ols", own[k]-least, raw["own_aic"][k], 1e-8)
	}
	if best := slices.Index(own, least); best != int(raw["own_order"][0]) {
		t.Errorf("order %d, want that of ar.ols, %v", best, raw["own_order"][0])
	}
	var sum float64
	for _, b := range fit.Slopes() {
		sum += b
	}
	expect.Near(t, "arima CSS mean", fit.Intercept()/(1-sum), r.CSS[4], 1e-6)
	expect.NearAll(t, "standard errors of R's ar.ols, which divide by n", scaled(fit.StdErr(), math.Sqrt(fit.DoFResidual()/float64(fit.NObs()))), r.OLSSE, 1e-9)
	// R's predict knows no error of coefficients.
	ahead := fatal.On(l.Forecast(withoutVCov{fit}, 10, &ForecastSettings{Sigma2: r.OLSVar[0]}))(t)
	expect.NearAll(t, "forecasts", ahead.Mean, r.OLSPred, 1e-9)
	expect.NearAll(t, "standard errors of forecasts", ahead.StdErr, r.OLSPredSE, 1e-9)

	t0 := fatal.On(NewLags(seriesOf(t, []string{"m"}, r.M), 1, &LagsSettings{Trend: 1, Seasons: []Season{{12, 2}}}))(t)
	expect.NearAll(t, "trend and season", fatal.On(mlreg.FitOLS(t0, nil))(t).Coef(), r.Season, 1e-8)

	both := fatal.On(NewLags(seriesOf(t, []string{"m", "f"}, r.M, r.F), 3, nil))(t)
	ols := fatal.On(mlreg.FitOLS(both, nil))(t)
	g := fatal.On(GrangerTest(both, ols))(t)
	if len(g) != 1 || g[0].Channel != "f" {
		t.Fatalf("%v", g)
	}
	expect.NearAll(t, "Granger", []float64{g[0].F, g[0].DF1, g[0].DF2, g[0].P}, r.Granger, 1e-8)
	d := both.Design()
	hac := fatal.On(ols.HAC(d, &mlreg.HACSettings{Lags: 4}))(t)
	expect.NearAll(t, "Newey-West", hac.StdErr(), r.NW4, 1e-7)
	expect.NearAll(t, "Newey-West, adjusted", fatal.On(ols.HAC(d, &mlreg.HACSettings{Lags: 4, Correct: true}))(t).StdErr(), r.NW4Adj, 1e-7)
	expect.Near(t, "Granger with HAC", fatal.On(GrangerTest(both, hac, "f"))(t)[0].F, r.GrangerHAC[0], 1e-7)
	expect.NearAll(t, "HAC without lags", fatal.On(ols.HAC(d, &mlreg.HACSettings{Lags: -1}))(t).StdErr(), fatal.On(ols.Robust(d, mlreg.HC0))(t).StdErr(), 1e-10)
	if hac.Lags() != 4 || hac.HC() != mlreg.HAC || hac.HC().String() != "HAC" || hac.Prewhitened() {
		t.Errorf("%v with %d lags", hac.HC(), hac.Lags())
	}
}

// withoutVCov hides the covariance of a fit.
type withoutVCov struct{ mlreg.CoefFit }

func scaled(v []float64, by float64) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] * by
	}
	return out
}

func TestAutoregressionAgainstStatsmodels(t *testing.T) {
	r, _ := readR(t)
	var want struct {
		Params, Bics, LB, Resid, Granger, HAC, PACF []float64
		Glob, Ahead                                 []float64
		OwnLLF                                      []float64  `json:"own_llf"`
		TrendLLF                                    float64    `json:"trend_llf"`
		TrendLags                                   []float64  `json:"trend_lags"`
		AheadSE                                     []float64  `json:"ahead_se"`
		LBP                                         []*float64 `json:"lb_p"`
		LLF, AIC, BIC                               float64
		BICOrder                                    int `json:"bic_order"`
		AICOrder                                    int `json:"aic_order"`
	}
	expect.JSON(t, "testdata/lags_statsmodels.json", &want)
	s := seriesOf(t, []string{"x"}, r.X)
	l := fatal.On(NewLags(s, 4, nil))(t)
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	expect.NearAll(t, "AutoReg", fit.Coef(), want.Params, 1e-9)
	expect.Near(t, "llf", fit.LogLik(), want.LLF, 1e-9)
	expect.Near(t, "AIC", mlreg.AIC(fit), want.AIC, 1e-9)
	expect.Near(t, "BIC", mlreg.BIC(fit), want.BIC, 1e-9)
	orders := fatal.On(FitLagOrders(fatal.On(NewLags(s, 12, nil))(t), nil))(t)
	for k, o := range orders {
		expect.Near(t, "BIC of an order", mlreg.BIC(o), want.Bics[k], 1e-9)
	}
	if a, b := orders.Best(mlreg.AIC).Order, orders.Best(mlreg.BIC).Order; a != want.AICOrder || b != want.BICOrder {
		t.Errorf("orders %d and %d, want %d and %d", a, b, want.AICOrder, want.BICOrder)
	}
	eight := fatal.On(NewLags(s, 8, nil))(t)
	for k, o := range fatal.On(FitLagOrders(eight, &LagOrdersSettings{OwnSample: true}))(t) {
		expect.Near(t, "likelihood of an order on its own rows", o.LogLik(), want.OwnLLF[k], 1e-8)
	}
	var globbed []string
	for _, lag := range want.Glob {
		globbed = append(globbed, lagName("x", int(lag)))
	}
	if best := fatal.On(mlreg.FitBestSubsets(eight, &mlreg.SubsetSettings{Criterion: mlreg.ByBIC}))(t).Models()[0]; !slices.Equal(best.Terms, globbed) {
		t.Errorf("the best set of lags is %q, want %q", best.Terms, globbed)
	}
	// A trend counted from 1, ours from 0: the intercept is another.
	trend := fatal.On(mlreg.FitOLS(fatal.On(NewLags(s, 2, &LagsSettings{Trend: 1}))(t), nil))(t)
	expect.Near(t, "likelihood with a trend", trend.LogLik(), want.TrendLLF, 1e-9)
	expect.NearAll(t, "lags beside a trend", trend.Slopes()[:2], want.TrendLags, 1e-8)
	// statsmodels' variance is RSS/n, and it knows no error of coefficients.
	ahead := fatal.On(l.Forecast(withoutVCov{fit}, 6, &ForecastSettings{Sigma2: fit.RSS() / float64(fit.NObs())}))(t)
	expect.NearAll(t, "forecasts", ahead.Mean, want.Ahead, 1e-9)
	expect.NearAll(t, "standard errors of forecasts", ahead.StdErr, want.AheadSE, 1e-8)
	resid := fatal.On(l.Residuals(fit))(t)
	expect.NearAll(t, "residuals", resid, want.Resid, 1e-8)
	for k, row := range fatal.On(LjungBox(resid, 10, 4))(t) {
		expect.Near(t, "Ljung-Box", row.Stat, want.LB[k], 1e-7)
		if p := want.LBP[k]; p != nil {
			expect.Near(t, "p", row.P, *p, 1e-7)
		} else if !math.IsNaN(row.P) || !math.IsNaN(row.DF) {
			t.Errorf("lag %d: p = %v of %v degrees of freedom", k+1, row.P, row.DF)
		}
	}
	expect.NearAll(t, "pacf", fatal.On(PACF(r.X, 12))(t).Value, want.PACF, 1e-9)
	both := fatal.On(NewLags(seriesOf(t, []string{"m", "f"}, r.M, r.F), 3, nil))(t)
	ols := fatal.On(mlreg.FitOLS(both, nil))(t)
	g := fatal.On(GrangerTest(both, ols, "f"))(t)[0]
	expect.NearAll(t, "Granger", []float64{g.F, g.DF1, g.DF2, g.P}, want.Granger, 1e-8)
	expect.NearAll(t, "HAC", fatal.On(ols.HAC(both.Design(), &mlreg.HACSettings{Lags: 4, Correct: true}))(t).StdErr(), want.HAC, 1e-7)
}

// Values so sparse that no two are an odd number of rows apart.
func TestCorrelogramOfSparseValues(t *testing.T) {
	nan := math.NaN()
	x := []float64{1, nan, 2, nan, 5, nan, 3, nan, 2, nan, 1}
	acf := fatal.On(ACF(x, 8))(t).Value
	for k, r := range acf {
		if math.IsNaN(r) != (k%2 == 0) {
			t.Errorf("lag %d: %v", k+1, r)
		}
	}
	if row := fatal.On(LjungBox(x, 1, 0))(t)[0]; !math.IsNaN(row.Stat) || !math.IsNaN(row.P) {
		t.Errorf("Q = %v, p = %v of no pair", row.Stat, row.P)
	}
	_, _, err := YuleWalker(x, 3)
	expect.Error(t, "YuleWalker", err, mlreg.ErrNoData, "1 rows apart")
	// As many lags as values: n - k is not positive.
	dense := []float64{1, 3, 2, 5, nan, nan, 4, 4}
	for k, row := range fatal.On(LjungBox(dense, 7, 0))(t) {
		if math.IsNaN(row.Stat) != (k+1 >= 6) || math.IsNaN(row.P) != (k+1 >= 6) {
			t.Errorf("lag %d: Q = %v, p = %v", k+1, row.Stat, row.P)
		}
	}
	_, _, err = YuleWalker([]float64{1, 3, 2, 5}, 3)
	expect.Error(t, "YuleWalker", err, mlreg.ErrSaturated, "3 coefficients")
	// Autocorrelations of pairs that are there need not be those of any series.
	_, _, err = YuleWalker([]float64{5, -5, nan, nan, 5, nan, nan, -5, 5, nan, nan, 1, 1, 1, -1, -1}, 7)
	expect.Error(t, "YuleWalker", err, mlreg.ErrNoData, "not those of any series")
}
