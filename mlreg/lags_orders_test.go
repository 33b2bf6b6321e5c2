package mlreg

import (
	"errors"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Each order of one factorization is the fit of that order to the same rows.
func TestLagOrdersAgainstFits(t *testing.T) {
	s := driven(t, 200)
	for _, settings := range []*LagsSettings{nil, {Horizon: 2, Trend: 1}, {NoIntercept: true}, {Use: scattered(200)}, {Channels: []ChannelLags{{"y", 1, 4}, {"a", 0, 2}, {"b", 0, 0}}}} {
		l := get(NewLags(s, 4, settings))(t)
		orders := get(FitLagOrders(l, &LagOrdersSettings{Tau2: 0.7}))(t)
		if len(orders) != 5 {
			t.Fatalf("%d orders", len(orders))
		}
		use := make([]bool, 200)
		for _, row := range l.Rows() {
			use[row] = true
		}
		own := get(FitLagOrders(l, &LagOrdersSettings{OwnSample: true}))(t)
		for k, o := range orders {
			if k == 0 && settings != nil && settings.NoIntercept {
				continue // the model that predicts 0
			}
			part := get(get(l.upTo(k))(t).Only(use))(t)
			fit := get(FitOLS(part.Design(), nil))(t)
			near(t, "RSS", o.RSS, fit.RSS(), 1e-10)
			near(t, "log-likelihood", o.LogLik(), fit.LogLik(), 1e-10)
			near(t, "AIC", AIC(o), AIC(fit), 1e-10)
			near(t, "BIC", BIC(o), BIC(fit), 1e-10)
			near(t, "sigma^2", o.Sigma2(), fit.Sigma2(), 1e-10)
			near(t, "bits", DescriptionLength(o).Total(), DescriptionLength(fit).Total(), 1e-10)
			if k > 0 {
				near(t, "evidence", o.LogEvidence, get(FitBayes(part.Design(), GaussianPrior{Tau2: 0.7}, InverseGamma{}, nil))(t).LogEvidence(), 1e-10)
			}
			near(t, "RSS of the own sample", own[k].RSS, get(FitOLS(get(l.upTo(k))(t), nil))(t).RSS(), 1e-9)
			if k > 0 && own[k].N > own[k-1].N || own[k].N < o.N {
				t.Errorf("order %d has %d rows of its own, %d of all", k, own[k].N, o.N)
			}
		}
		var sum float64
		for _, p := range orders.PostProb() {
			sum += p
		}
		near(t, "sum of probabilities", sum, 1, 1e-12)
		if best := orders.Best(BIC); best.Order != 2 && settings == nil {
			t.Errorf("BIC takes order %d of\n%v", best.Order, orders)
		}
		if best := orders.MostEvident(); best.Order != 2 && settings == nil {
			t.Errorf("the evidence takes order %d of\n%v", best.Order, orders)
		}
	}
}

// Errors of blocks are those of fits to rows and predictions of rows.
func TestCrossValidateLagOrders(t *testing.T) {
	l := get(NewLags(driven(t, 200), 3, nil))(t)
	cv := get(CrossValidateLagOrders(l, &LagsCVSettings{Blocks: 4, Gap: 5}))(t)
	rows := l.Rows()
	for k := range 4 {
		first, last := -1, 0
		for i, row := range rows {
			if i*4/len(rows) == k {
				if first < 0 {
					first = row
				}
				last = row
			}
		}
		test, train := make([]bool, 200), make([]bool, 200)
		for i := range 200 {
			test[i] = first <= i && i <= last
			train[i] = i < first-5 || i > last+5
		}
		for order := range 4 {
			part := get(l.upTo(order))(t)
			use := make([]bool, 200)
			for _, row := range rows {
				use[row] = true
			}
			part = get(part.Only(use))(t)
			fit := get(FitOLS(get(part.Only(train))(t).Design(), nil))(t)
			var sum float64
			held := get(part.Only(test))(t).Design()
			for _, r := range get(fit.Residuals(held))(t) {
				sum += r * r
			}
			near(t, "loss", cv.FoldLoss().At(k, order), sum/float64(held.NObs()), 1e-9)
		}
	}
	if cv.Len() != 4 || cv.Folds() != 4 {
		t.Errorf("%d candidates, %d folds", cv.Len(), cv.Folds())
	}
	own, longest := get(CrossValidateLagOrders(l, nil))(t), get(CrossValidateLagOrders(l, &LagsCVSettings{Blocks: 10, Gap: 3}))(t)
	nearAll(t, "loss of ten blocks with a gap of the lags", own.Mean(), longest.Mean(), 0)
	random := get(KFold(200, 5, rand.NewPCG(1, 2)))(t)
	get(CrossValidateLagOrders(l, &LagsCVSettings{Folds: random, Gap: -1}))(t)
	stop := errors.New("stop")
	part, err := CrossValidateLagOrders(l, &LagsCVSettings{Progress: func(done, total float64) error {
		if done == 2 {
			return stop
		}
		return nil
	}})
	if err != stop || part.Folds() != 2 || part.Planned() != 10 {
		t.Errorf("%v, %v", part, err)
	}
}

func TestLagOrdersRefuse(t *testing.T) {
	l := get(NewLags(driven(t, 200), 3, nil))(t)
	twice := driven(t, 200)
	for i := range 200 {
		twice.Values.Set(i, 2, 2*twice.Values.At(i, 1))
	}
	few := get(NewLags(must2series(t, 12), 4, nil))(t)
	for _, c := range []struct {
		err  error
		kind error
		says string
	}{
		{errorOf(FitLagOrders(nil, nil)), ErrNoData, "lags"},
		{errorOf(FitLagOrders(l, &LagOrdersSettings{Tau2: -1})), ErrSetting, "Tau2"},
		{errorOf(FitLagOrders(get(NewLags(twice, 3, nil))(t), nil)), ErrRankDeficient, "lag(b, 1)"},
		{errorOf(FitLagOrders(few, nil)), ErrSaturated, "fewer lags"},
		{errorOf(CrossValidateLagOrders(nil, nil)), ErrNoData, "lags"},
		{errorOf(CrossValidateLagOrders(l, &LagsCVSettings{Blocks: 1})), ErrSetting, "blocks"},
		{errorOf(CrossValidateLagOrders(l, &LagsCVSettings{Gap: -2})), ErrSetting, "Gap"},
		{errorOf(CrossValidateLagOrders(l, &LagsCVSettings{Gap: 500})), ErrNoData, "block 0"},
		{errorOf(CrossValidateLagOrders(l, &LagsCVSettings{Folds: get(LeaveOneOut(5))(t)})), ErrShape, "5 rows"},
	} {
		wantError(t, "bad input", c.err, c.kind, c.says)
	}
}

// must2series is white noise in two channels.
func must2series(t *testing.T, n int) *Series {
	src := rand.New(rand.NewPCG(5, 5))
	x := mat.NewDense(n, 2, nil)
	x.Apply(func(int, int, float64) float64 { return src.NormFloat64() }, x)
	return get(NewSeries(x, "u", "v"))(t)
}
