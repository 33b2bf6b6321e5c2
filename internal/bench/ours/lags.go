package ours

import (
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
)

// lagsOf is the regression of the response on 50 lags of every column, 3 to try it out.
func lagsOf(d *mlreg.Design) func() *tsa.Lags {
	n, p := d.NObs(), d.NTerms()
	q := 50
	if n < 10_000 {
		q = 3
	}
	values := mat.NewDense(n, p+1, nil)
	values.SetCol(0, d.Y)
	for i := range n {
		copy(values.RawRowView(i)[1:], d.X.RawRowView(i))
	}
	s := try.Get(tsa.NewSeries(values))
	var channels []tsa.ChannelLags
	for _, name := range s.Names[1:] {
		channels = append(channels, tsa.ChannelLags{Channel: name, From: 1, To: q})
	}
	return func() *tsa.Lags {
		return try.Get(tsa.NewLags(s, q, &tsa.LagsSettings{Channels: channels}))
	}
}

// lagsTask fits least squares on lags; the answer is as for olsTask, channel by channel.
func lagsTask(d *mlreg.Design) func() []float64 {
	lags := lagsOf(d)
	return func() []float64 {
		l := lags()
		f := try.Get(mlreg.FitOLS(l, nil))
		return append(f.Coef(), f.StdErr()...)
	}
}

// lagOrdersTask fits all orders; the answer is their residual sums of squares.
func lagOrdersTask(d *mlreg.Design) func() []float64 {
	lags := lagsOf(d)
	return func() []float64 {
		l := lags()
		orders := try.Get(tsa.FitLagOrders(l, nil))
		var rss []float64
		for _, o := range orders {
			rss = append(rss, o.RSS)
		}
		return rss
	}
}

// lagLassoTask fits a path of the lasso on lags; the answer is its residual sums of squares.
func lagLassoTask(d *mlreg.Design) func() []float64 {
	lags := lagsOf(d)
	return func() []float64 {
		l := lags()
		path := try.Get(mlreg.FitLassoPath(l, nil))
		return path.RSS()
	}
}
