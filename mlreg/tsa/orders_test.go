package tsa

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// Each order of one factorization is the fit of that order to the same rows.
func TestLagOrdersAgainstFits(t *testing.T) {
	s := driven(t, 200)
	for _, settings := range []*LagsSettings{nil, {Horizon: 2, Trend: 1}, {NoIntercept: true}, {Use: scattered(200)}, {Channels: []ChannelLags{{"y", 1, 4}, {"a", 0, 2}, {"b", 0, 0}}}} {
		l := fatal.On(NewLags(s, 4, settings))(t)
		orders := fatal.On(FitLagOrders(l, &LagOrdersSettings{Tau2: 0.7}))(t)
		if len(orders) != 5 {
			t.Fatalf("%d orders", len(orders))
		}
		use := make([]bool, 200)
		for _, row := range l.Rows() {
			use[row] = true
		}
		own := fatal.On(FitLagOrders(l, &LagOrdersSettings{OwnSample: true}))(t)
		for k, o := range orders {
			if k == 0 && settings != nil && settings.NoIntercept {
				continue // the model that predicts 0
			}
			part := fatal.On(fatal.On(l.upTo(k))(t).Only(use))(t)
			fit := fatal.On(mlreg.FitOLS(part.Design(), nil))(t)
			expect.Near(t, "RSS", o.RSS, fit.RSS(), 1e-10)
			expect.Near(t, "log-likelihood", o.LogLik(), fit.LogLik(), 1e-10)
			expect.Near(t, "AIC", mlreg.AIC(o), mlreg.AIC(fit), 1e-10)
			expect.Near(t, "BIC", mlreg.BIC(o), mlreg.BIC(fit), 1e-10)
			expect.Near(t, "sigma^2", o.Sigma2(), fit.Sigma2(), 1e-10)
			expect.Near(t, "bits", mlreg.DescriptionLength(o).Total(), mlreg.DescriptionLength(fit).Total(), 1e-10)
			if k > 0 {
				expect.Near(t, "evidence", o.LogEvidence, fatal.On(mlreg.FitBayes(part.Design(), mlreg.GaussianPrior{Tau2: 0.7}, mlreg.InverseGamma{}, nil))(t).LogEvidence(), 1e-10)
			}
			expect.Near(t, "RSS of the own sample", own[k].RSS, fatal.On(mlreg.FitOLS(fatal.On(l.upTo(k))(t), nil))(t).RSS(), 1e-9)
			if k > 0 && own[k].N > own[k-1].N || own[k].N < o.N {
				t.Errorf("order %d has %d rows of its own, %d of all", k, own[k].N, o.N)
			}
		}
		var sum float64
		for _, p := range orders.PostProb() {
			sum += p
		}
		expect.Near(t, "sum of probabilities", sum, 1, 1e-12)
		if best := orders.Best(mlreg.BIC); best.Order != 2 && settings == nil {
			t.Errorf("BIC takes order %d of\n%v", best.Order, orders)
		}
		if p := orders.PostProb(); slices.Max(p) != p[2] && settings == nil {
			t.Errorf("the evidence does not take order 2 of\n%v", orders)
		}
	}
}

// Errors of blocks are those of fits to rows and predictions of rows.
func TestCrossValidateLagOrders(t *testing.T) {
	l := fatal.On(NewLags(driven(t, 200), 3, nil))(t)
	cv := fatal.On(CrossValidateLagOrders(l, &LagsCVSettings{Blocks: 4, Gap: 5}))(t)
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
			part := fatal.On(l.upTo(order))(t)
			use := make([]bool, 200)
			for _, row := range rows {
				use[row] = true
			}
			part = fatal.On(part.Only(use))(t)
			fit := fatal.On(mlreg.FitOLS(fatal.On(part.Only(train))(t).Design(), nil))(t)
			var sum float64
			held := fatal.On(part.Only(test))(t).Design()
			for _, r := range fatal.On(fit.Residuals(held))(t) {
				sum += r * r
			}
			expect.Near(t, "loss", cv.FoldLoss().At(k, order), sum/float64(held.NObs()), 1e-9)
		}
	}
	if cv.Len() != 4 || cv.Folds() != 4 {
		t.Errorf("%d candidates, %d folds", cv.Len(), cv.Folds())
	}
	own, longest := fatal.On(CrossValidateLagOrders(l, nil))(t), fatal.On(CrossValidateLagOrders(l, &LagsCVSettings{Blocks: 10, Gap: 3}))(t)
	expect.NearAll(t, "loss of ten blocks with a gap of the lags", own.Mean(), longest.Mean(), 0)
	random := fatal.On(mlreg.KFold(200, 5, rand.NewPCG(1, 2)))(t)
	fatal.On(CrossValidateLagOrders(l, &LagsCVSettings{Folds: random, Gap: -1}))(t)
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
	l := fatal.On(NewLags(driven(t, 200), 3, nil))(t)
	twice := driven(t, 200)
	for i := range 200 {
		twice.Values.Set(i, 2, 2*twice.Values.At(i, 1))
	}
	few := fatal.On(NewLags(must2series(t, 12), 4, nil))(t)
	for _, c := range []struct {
		err  error
		kind error
		says string
	}{
		{expect.ErrorOf(FitLagOrders(nil, nil)), mlreg.ErrNoData, "lags"},
		{expect.ErrorOf(FitLagOrders(l, &LagOrdersSettings{Tau2: -1})), mlreg.ErrSetting, "Tau2"},
		{expect.ErrorOf(FitLagOrders(fatal.On(NewLags(twice, 3, nil))(t), nil)), mlreg.ErrRankDeficient, "lag(b, 1)"},
		{expect.ErrorOf(FitLagOrders(few, nil)), mlreg.ErrSaturated, "fewer lags"},
		{expect.ErrorOf(CrossValidateLagOrders(nil, nil)), mlreg.ErrNoData, "lags"},
		{expect.ErrorOf(CrossValidateLagOrders(l, &LagsCVSettings{Blocks: 1})), mlreg.ErrSetting, "blocks"},
		{expect.ErrorOf(CrossValidateLagOrders(l, &LagsCVSettings{Gap: -2})), mlreg.ErrSetting, "Gap"},
		{expect.ErrorOf(CrossValidateLagOrders(l, &LagsCVSettings{Gap: 500})), mlreg.ErrNoData, "block 0"},
		{expect.ErrorOf(CrossValidateLagOrders(l, &LagsCVSettings{Folds: fatal.On(mlreg.LeaveOneOut(5))(t)})), mlreg.ErrShape, "5 rows"},
	} {
		expect.Error(t, "bad input", c.err, c.kind, c.says)
	}
}

// must2series is white noise in two channels.
func must2series(t *testing.T, n int) *Series {
	src := rand.New(rand.NewPCG(5, 5))
	x := mat.NewDense(n, 2, nil)
	x.Apply(func(int, int, float64) float64 { return src.NormFloat64() }, x)
	return fatal.On(NewSeries(x, "u", "v"))(t)
}
