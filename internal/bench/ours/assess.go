package ours

import (
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// counts are how often resamples have each row, by the generator of Park and Miller: the
// peers draw the same.
func counts(n, p int) *mat.Dense {
	resamples := 10_000
	if p < 8 {
		resamples = 200 // to try it out
	}
	w := mat.NewDense(resamples, n, nil)
	state := 1
	for b := range resamples {
		for range n {
			state = state * 16807 % 2147483647
			w.Set(b, state%n, w.At(b, state%n)+1)
		}
	}
	return w
}

// bootstrapTask fits least squares to resamples whose counts are given; the answer is the
// mean and the standard deviation of every coefficient, whose sizes are near 1.
func bootstrapTask(d *mlreg.Design) func() []float64 {
	w := counts(d.NObs(), d.NTerms())
	return func() []float64 {
		boot := try.Get(assess.BootstrapOLS(d, nil, &assess.BootstrapSettings{Weights: w, SkipJackknife: true}))
		var mean []float64
		for j, bias := range boot.Bias() {
			mean = append(mean, boot.Estimate[j]+bias)
		}
		return append(mean, boot.StdErr()...)
	}
}

// jackknifePlusTask fits least squares and makes the limits of jackknife+ at 100 rows; the
// answer is the limits.
func jackknifePlusTask(d *mlreg.Design) func() []float64 {
	rows := make([]int, 100)
	for i := range rows {
		rows[i] = i
	}
	new := d.Rows(rows...)
	return func() []float64 {
		f := try.Get(mlreg.FitOLS(d, nil))
		band := try.Get(assess.JackknifePlus(f, d, new, 0.9))
		return append(band.Lower, band.Upper...)
	}
}
