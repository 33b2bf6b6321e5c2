package mlreg

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
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
	readJSON(t, "lags_r.json", &raw)
	readJSON(t, "lags_r.json", &r)
	r.NW4Adj, r.Season, r.OLSSE = raw["nw4_adjusted"], raw["seasonal"], raw["ols_se"]
	return r, raw
}

func seriesOf(t *testing.T, names []string, columns ...[]float64) *Series {
	t.Helper()
	m := mat.NewDense(len(columns[0]), len(columns), nil)
	for j, c := range columns {
		m.SetCol(j, c)
	}
	return get(NewSeries(m, names...))(t)
}

func TestCorrelogramAgainstR(t *testing.T) {
	r, _ := readR(t)
	nearAll(t, "acf", get(ACF(r.X, 12))(t).Value, r.ACF, 1e-12)
	nearAll(t, "pacf", get(PACF(r.X, 12))(t).Value, r.PACF, 1e-10)
	holes := append([]float64(nil), r.X...)
	for _, i := range []int{5, 40, 41} {
		holes[i-1] = math.NaN()
	}
	nearAll(t, "acf with missing values", get(ACF(holes, 12))(t).Value, r.ACFHoles, 1e-12)
	row := get(LjungBox(r.X, 7, 2))(t)[6]
	near(t, "Q", row.Stat, r.Box[0], 1e-12)
	near(t, "df", row.DF, r.Box[1], 0)
	coef, sigma2, err := YuleWalker(r.X, 4)
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "Yule-Walker", coef, r.YW, 1e-10)
	near(t, "variance", sigma2, r.YWVar[0], 1e-10)
	nearAll(t, "periodogram", get(Periodogram(r.X))(t).Density, r.Pgram, 1e-9)
	nearAll(t, "spectrum", get(ARSpectrum(coef, sigma2, 9))(t).Density, r.Spec, 1e-10)
	roots := get(ARRoots(coef))(t)
	for k, z := range roots.Inverse {
		near(t, "root", math.Hypot(real(z), imag(z)), r.Roots[k], 1e-9)
	}
	if !roots.Stable() || get(ARRoots([]float64{1.1}))(t).Stable() {
		t.Error("stability")
	}
}

func TestAutoregressionAgainstR(t *testing.T) {
	r, raw := readR(t)
	l := get(NewLags(seriesOf(t, []string{"x"}, r.X), 4, nil))(t)
	fit := get(FitOLS(l, nil))(t)
	nearAll(t, "ar.ols", fit.Coef(), r.OLS, 1e-9)
	near(t, "ar.ols variance", fit.RSS()/float64(fit.NObs()), r.OLSVar[0], 1e-10)
	near(t, "arima CSS variance", fit.RSS()/float64(fit.NObs()), r.CSSSigma2[0], 1e-7)
	nearAll(t, "arima CSS", fit.Slopes(), r.CSS[:4], 1e-6)
	// The likelihood of arima counts the 4 values that it conditions on.
	near(t, "arima CSS likelihood", fit.LogLik()*float64(len(r.X))/float64(fit.NObs()), raw["css_loglik"][0], 1e-8)
	// ar.ols fits every order to its own rows, and has n log(RSS/rows) for all.
	var own []float64
	for k, o := range get(FitLagOrders(get(NewLags(seriesOf(t, []string{"x"}, r.X), 8, nil))(t), &LagOrdersSettings{OwnSample: true}))(t) {
		own = append(own, float64(len(r.X))*math.Log(o.RSS/float64(o.N))+2*float64(k+1))
	}
	least := slices.Min(own)
	for k := range own {
		near(t, "AIC of ar.ols", own[k]-least, raw["own_aic"][k], 1e-8)
	}
	if best := slices.Index(own, least); best != int(raw["own_order"][0]) {
		t.Errorf("order %d, want that of ar.ols, %v", best, raw["own_order"][0])
	}
	var sum float64
	for _, b := range fit.Slopes() {
		sum += b
	}
	near(t, "arima CSS mean", fit.Intercept()/(1-sum), r.CSS[4], 1e-6)
	nearAll(t, "standard errors of R's ar.ols, which divide by n", scaled(fit.StdErr(), math.Sqrt(fit.DoFResidual()/float64(fit.NObs()))), r.OLSSE, 1e-9)
	// R's predict knows no error of coefficients.
	ahead := get(l.Forecast(withoutVCov{fit}, 10, &ForecastSettings{Sigma2: r.OLSVar[0]}))(t)
	nearAll(t, "forecasts", ahead.Mean, r.OLSPred, 1e-9)
	nearAll(t, "standard errors of forecasts", ahead.StdErr, r.OLSPredSE, 1e-9)

	t0 := get(NewLags(seriesOf(t, []string{"m"}, r.M), 1, &LagsSettings{Trend: 1, Seasons: []Season{{12, 2}}}))(t)
	nearAll(t, "trend and season", get(FitOLS(t0, nil))(t).Coef(), r.Season, 1e-8)

	both := get(NewLags(seriesOf(t, []string{"m", "f"}, r.M, r.F), 3, nil))(t)
	ols := get(FitOLS(both, nil))(t)
	g := get(GrangerTest(both, ols))(t)
	if len(g) != 1 || g[0].Channel != "f" {
		t.Fatalf("%v", g)
	}
	nearAll(t, "Granger", []float64{g[0].F, g[0].DF1, g[0].DF2, g[0].P}, r.Granger, 1e-8)
	d := both.Design()
	hac := get(ols.HAC(d, &HACSettings{Lags: 4}))(t)
	nearAll(t, "Newey-West", hac.StdErr(), r.NW4, 1e-7)
	nearAll(t, "Newey-West, adjusted", get(ols.HAC(d, &HACSettings{Lags: 4, Correct: true}))(t).StdErr(), r.NW4Adj, 1e-7)
	near(t, "Granger with HAC", get(GrangerTest(both, hac, "f"))(t)[0].F, r.GrangerHAC[0], 1e-7)
	nearAll(t, "HAC without lags", get(ols.HAC(d, &HACSettings{Lags: -1}))(t).StdErr(), get(ols.Robust(d, HC0))(t).StdErr(), 1e-10)
	if hac.Lags() != 4 || hac.HC() != HAC || hac.HC().String() != "HAC" || hac.Prewhitened() {
		t.Errorf("%v with %d lags", hac.HC(), hac.Lags())
	}
	hacDefaults(t, d, raw)
}

// hacDefaults holds prewhitened scores, and lags from the data, to sandwich's: of all terms, of
// the mean alone, and of no intercept.
func hacDefaults(t *testing.T, d *Design, r map[string][]float64) {
	mean := get(d.Select())(t)
	own := get(d.Select("lag(m, 1)", "lag(m, 2)", "lag(m, 3)"))(t)
	own.NoIntercept = true
	nearAll(t, "prewhitened", get(get(FitOLS(d, nil))(t).HAC(d, &HACSettings{Lags: 4, Prewhiten: true, Correct: true}))(t).StdErr(), r["nw_white4"], 1e-8)
	for k, c := range []struct {
		d         *Design
		prewhiten bool
		se        []float64
	}{
		{d, true, r["nw_default"]}, {d, false, r["nw_auto"]},
		{mean, true, r["nw_mean"][:1]}, {mean, false, r["nw_mean"][1:]}, {own, true, r["nw_origin"]},
	} {
		fit := get(FitOLS(c.d, nil))(t)
		scores, m := fit.scores(get(fit.fittedRows(c.d))(t)), 3
		if c.prewhiten {
			var err error
			if scores, _, err = scores.whitened(); err != nil {
				t.Fatal(err)
			}
			m = 2
		}
		near(t, "bandwidth", get(scores.bandwidth(fit.sumOfSlopes(), m, c.d.NObs()))(t), r["nw_lags"][k], 1e-8)
		hac := get(fit.HAC(c.d, &HACSettings{Automatic: true, Prewhiten: c.prewhiten}))(t)
		if hac.Lags() != int(r["nw_lags"][k]) || hac.Prewhitened() != c.prewhiten {
			t.Errorf("case %d: %d lags, want %v", k, hac.Lags(), r["nw_lags"][k])
		}
		nearAll(t, "Newey-West by sandwich's defaults", hac.StdErr(), c.se, 1e-8)
	}
}

// withoutVCov hides the covariance of a fit.
type withoutVCov struct{ CoefFit }

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
	readJSON(t, "lags_statsmodels.json", &want)
	s := seriesOf(t, []string{"x"}, r.X)
	l := get(NewLags(s, 4, nil))(t)
	fit := get(FitOLS(l, nil))(t)
	nearAll(t, "AutoReg", fit.Coef(), want.Params, 1e-9)
	near(t, "llf", fit.LogLik(), want.LLF, 1e-9)
	near(t, "AIC", AIC(fit), want.AIC, 1e-9)
	near(t, "BIC", BIC(fit), want.BIC, 1e-9)
	orders := get(FitLagOrders(get(NewLags(s, 12, nil))(t), nil))(t)
	for k, o := range orders {
		near(t, "BIC of an order", BIC(o), want.Bics[k], 1e-9)
	}
	if a, b := orders.Best(AIC).Order, orders.Best(BIC).Order; a != want.AICOrder || b != want.BICOrder {
		t.Errorf("orders %d and %d, want %d and %d", a, b, want.AICOrder, want.BICOrder)
	}
	eight := get(NewLags(s, 8, nil))(t)
	for k, o := range get(FitLagOrders(eight, &LagOrdersSettings{OwnSample: true}))(t) {
		near(t, "likelihood of an order on its own rows", o.LogLik(), want.OwnLLF[k], 1e-8)
	}
	var globbed []string
	for _, lag := range want.Glob {
		globbed = append(globbed, lagName("x", int(lag)))
	}
	if best := get(FitBestSubsets(eight, &SubsetSettings{Criterion: ByBIC}))(t).Models()[0]; !slices.Equal(best.Terms, globbed) {
		t.Errorf("the best set of lags is %q, want %q", best.Terms, globbed)
	}
	// A trend counted from 1, ours from 0: the intercept is another.
	trend := get(FitOLS(get(NewLags(s, 2, &LagsSettings{Trend: 1}))(t), nil))(t)
	near(t, "likelihood with a trend", trend.LogLik(), want.TrendLLF, 1e-9)
	nearAll(t, "lags beside a trend", trend.Slopes()[:2], want.TrendLags, 1e-8)
	// statsmodels' variance is RSS/n, and it knows no error of coefficients.
	ahead := get(l.Forecast(withoutVCov{fit}, 6, &ForecastSettings{Sigma2: fit.RSS() / float64(fit.NObs())}))(t)
	nearAll(t, "forecasts", ahead.Mean, want.Ahead, 1e-9)
	nearAll(t, "standard errors of forecasts", ahead.StdErr, want.AheadSE, 1e-8)
	resid := get(l.Residuals(fit))(t)
	nearAll(t, "residuals", resid, want.Resid, 1e-8)
	for k, row := range get(LjungBox(resid, 10, 4))(t) {
		near(t, "Ljung-Box", row.Stat, want.LB[k], 1e-7)
		if p := want.LBP[k]; p != nil {
			near(t, "p", row.P, *p, 1e-7)
		} else if !math.IsNaN(row.P) || !math.IsNaN(row.DF) {
			t.Errorf("lag %d: p = %v of %v degrees of freedom", k+1, row.P, row.DF)
		}
	}
	nearAll(t, "pacf", get(PACF(r.X, 12))(t).Value, want.PACF, 1e-9)
	both := get(NewLags(seriesOf(t, []string{"m", "f"}, r.M, r.F), 3, nil))(t)
	ols := get(FitOLS(both, nil))(t)
	g := get(GrangerTest(both, ols, "f"))(t)[0]
	nearAll(t, "Granger", []float64{g.F, g.DF1, g.DF2, g.P}, want.Granger, 1e-8)
	nearAll(t, "HAC", get(ols.HAC(both.Design(), &HACSettings{Lags: 4, Correct: true}))(t).StdErr(), want.HAC, 1e-7)
}

// Values so sparse that no two are an odd number of rows apart.
func TestCorrelogramOfSparseValues(t *testing.T) {
	nan := math.NaN()
	x := []float64{1, nan, 2, nan, 5, nan, 3, nan, 2, nan, 1}
	acf := get(ACF(x, 8))(t).Value
	for k, r := range acf {
		if math.IsNaN(r) != (k%2 == 0) {
			t.Errorf("lag %d: %v", k+1, r)
		}
	}
	if row := get(LjungBox(x, 1, 0))(t)[0]; !math.IsNaN(row.Stat) || !math.IsNaN(row.P) {
		t.Errorf("Q = %v, p = %v of no pair", row.Stat, row.P)
	}
	_, _, err := YuleWalker(x, 3)
	wantError(t, "YuleWalker", err, ErrNoData, "1 rows apart")
	// As many lags as values: n - k is not positive.
	dense := []float64{1, 3, 2, 5, nan, nan, 4, 4}
	for k, row := range get(LjungBox(dense, 7, 0))(t) {
		if math.IsNaN(row.Stat) != (k+1 >= 6) || math.IsNaN(row.P) != (k+1 >= 6) {
			t.Errorf("lag %d: Q = %v, p = %v", k+1, row.Stat, row.P)
		}
	}
	_, _, err = YuleWalker([]float64{1, 3, 2, 5}, 3)
	wantError(t, "YuleWalker", err, ErrSaturated, "3 coefficients")
	// Autocorrelations of pairs that are there need not be those of any series.
	_, _, err = YuleWalker([]float64{5, -5, nan, nan, 5, nan, nan, -5, 5, nan, nan, 1, 1, 1, -1, -1}, 7)
	wantError(t, "YuleWalker", err, ErrNoData, "not those of any series")
}
