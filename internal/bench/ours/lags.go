package ours

import (
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
)

// lagsOf is the regression of the response on 50 lags of every column, 3 to try it out.
func lagsOf(d *mlreg.Design) (func() (*tsa.Lags, error), error) {
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
	s, err := tsa.NewSeries(values)
	if err != nil {
		return nil, err
	}
	var channels []tsa.ChannelLags
	for _, name := range s.Names[1:] {
		channels = append(channels, tsa.ChannelLags{Channel: name, From: 1, To: q})
	}
	return func() (*tsa.Lags, error) {
		return tsa.NewLags(s, q, &tsa.LagsSettings{Channels: channels})
	}, nil
}

// lagsTask fits least squares on lags; the answer is as for olsTask, channel by channel.
func lagsTask(d *mlreg.Design) (func() ([]float64, error), error) {
	lags, err := lagsOf(d)
	return func() ([]float64, error) {
		l, err := lags()
		if err != nil {
			return nil, err
		}
		f, err := mlreg.FitOLS(l, nil)
		if err != nil {
			return nil, err
		}
		return append(f.Coef(), f.StdErr()...), nil
	}, err
}

// lagOrdersTask fits all orders; the answer is their residual sums of squares.
func lagOrdersTask(d *mlreg.Design) (func() ([]float64, error), error) {
	lags, err := lagsOf(d)
	return func() ([]float64, error) {
		l, err := lags()
		if err != nil {
			return nil, err
		}
		orders, err := tsa.FitLagOrders(l, nil)
		if err != nil {
			return nil, err
		}
		var rss []float64
		for _, o := range orders {
			rss = append(rss, o.RSS)
		}
		return rss, nil
	}, err
}

// lagLassoTask fits a path of the lasso on lags; the answer is its residual sums of squares.
func lagLassoTask(d *mlreg.Design) (func() ([]float64, error), error) {
	lags, err := lagsOf(d)
	return func() ([]float64, error) {
		l, err := lags()
		if err != nil {
			return nil, err
		}
		path, err := mlreg.FitLassoPath(l, nil)
		if err != nil {
			return nil, err
		}
		return path.RSS(), nil
	}, err
}
