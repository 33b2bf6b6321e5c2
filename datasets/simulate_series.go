package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
)

// ECoG is a simulated recording from the surface of a brain and the hand that some of its
// channels move, whose truth is known.
type ECoG struct {
	// Series has the channels "hand", "e1", "e2" ...
	Series *tsa.Series
	// Weights, channels x lags, are those by which the hand follows the channels:
	// column k is that of lag k+1. Rows of channels without effect are zero.
	Weights *mat.Dense
	// Active are the names of the channels with an effect.
	Active []string
	// SignalVar and NoiseVar are the variances, over the recording, of the part of the
	// hand's trajectory that the channels explain, and of the rest.
	SignalVar, NoiseVar float64
}

// SimulateECoG draws a recording of the given numbers of channels and samples. Each channel is
// a rhythm of its own, an autoregression of order 2 with a period between 8 and 40 samples, on
// top of a slow rhythm that all channels share, and white noise. Every fifth channel is active: the hand
// is
//
//	hand_t = sum_c sum_{k=1}^{lags} w_ck e_c(t-k) + drift_t
//
// with weights that are a smooth bump over lags, of a width of a tenth of them, and of
// alternating sign. The drift is an autoregression of order 1, coefficient 0.95, with
// half of the variance of the sum, and does not come from the brain. A recording of the
// size of a real one is
//
//	ecog, err := datasets.SimulateECoG(30, 50, 40000, rand.NewPCG(15, 1))
//
// The same source gives the same recording. The error (mlreg.ErrSetting) says which number
// is out of range: channels and lags at least 1, samples more than lags.
func SimulateECoG(channels, lags, samples int, src rand.Source) (*ECoG, error) {
	if channels < 1 || lags < 1 || samples <= lags {
		return nil, fmt.Errorf("datasets: %w: %d channels, %d lags, %d samples; it needs at least 1 channel and 1 lag, and more samples than lags",
			mlreg.ErrSetting, channels, lags, samples)
	}
	if err := checkDraw(float64(samples)*(float64(channels)+2)+float64(channels)*float64(lags), src); err != nil {
		return nil, err
	}
	rng := rand.New(src)
	const settle = 400
	n := samples + settle
	common := rhythm(n, 60, 0.98, rng)
	x := mat.NewDense(samples, channels+1, nil)
	names := []string{"hand"}
	e := &ECoG{Weights: mat.NewDense(channels, lags, nil)}
	for c := range channels {
		names = append(names, fmt.Sprintf("e%d", c+1))
		own := rhythm(n, 8+32*rng.Float64(), 0.95, rng)
		share := 0.5 + rng.Float64()
		for t := range samples {
			x.Set(t, c+1, own[settle+t]+share*common[settle+t]+0.3*rng.NormFloat64())
		}
		if c%5 == 0 {
			e.Active = append(e.Active, names[c+1])
			center, sign := (0.2+0.6*rng.Float64())*float64(lags), 1-2*float64(c/5%2)
			for k := range lags {
				z := (float64(k+1) - center) / (0.1*float64(lags) + 0.5)
				e.Weights.Set(c, k, sign*math.Exp(-z*z/2)/math.Sqrt(float64(lags)))
			}
		}
	}
	signal := make([]float64, samples)
	for t := range samples {
		for c := 0; c < channels; c += 5 {
			for k, w := range e.Weights.RawRowView(c) {
				if t > k {
					signal[t] += w * x.At(t-k-1, c+1)
				}
			}
		}
	}
	e.SignalVar = variance(signal)
	const stay = 0.95
	drift, at := make([]float64, samples), rng.NormFloat64()
	step := math.Sqrt(e.SignalVar / 2)
	for t := range drift {
		drift[t] = step * at
		at = stay*at + math.Sqrt(1-stay*stay)*rng.NormFloat64()
		x.Set(t, 0, signal[t]+drift[t])
	}
	e.NoiseVar = variance(drift)
	e.Series = &tsa.Series{Values: x, Names: names}
	return e, nil
}

// rhythm draws n values of an autoregression of order 2 of variance 1 with inverse roots of
// the given modulus that turn once in a period.
func rhythm(n int, period, modulus float64, rng *rand.Rand) []float64 {
	a, b := 2*modulus*math.Cos(2*math.Pi/period), -modulus*modulus
	// The variance of an autoregression of order 2 with noise of variance 1.
	scale := math.Sqrt((1 + b) * ((1-b)*(1-b) - a*a) / (1 - b))
	v := make([]float64, n)
	for t := range v {
		v[t] = scale * rng.NormFloat64()
		if t > 1 {
			v[t] += a*v[t-1] + b*v[t-2]
		}
	}
	return v
}

func variance(v []float64) float64 {
	var mean, ss float64
	for i, x := range v {
		d := x - mean
		mean += d / float64(i+1)
		ss += d * (x - mean)
	}
	return ss / float64(len(v))
}

// DrivenPair draws n values of two channels, one of which drives the other,
//
//	driver_t = 0.9 driver_{t-1} - 0.5 driver_{t-2} + u_t
//	driven_t = 0.6 driven_{t-1} + strength driver_{t-3} + v_t,
//
// with independent normal u and v of variance 1. The error (mlreg.ErrSetting) says if n is
// below 1 or the source nil.
func DrivenPair(n int, strength float64, src rand.Source) (*tsa.Series, error) {
	if n < 1 || src == nil || strength-strength != 0 {
		return nil, fmt.Errorf("datasets: %w: %d values of strength %v from the source %v; give at least 1, a finite strength and a source", mlreg.ErrSetting, n, strength, src)
	}
	if err := checkDraw(2*float64(n), src); err != nil {
		return nil, err
	}
	rng := rand.New(src)
	const settle = 100
	driver, driven := make([]float64, n+settle), make([]float64, n+settle)
	for t := range driver {
		driver[t], driven[t] = rng.NormFloat64(), rng.NormFloat64()
		if t > 2 {
			driver[t] += 0.9*driver[t-1] - 0.5*driver[t-2]
			driven[t] += 0.6*driven[t-1] + strength*driver[t-3]
		}
	}
	x := mat.NewDense(n, 2, nil)
	x.SetCol(0, driver[settle:])
	x.SetCol(1, driven[settle:])
	return tsa.NewSeries(x, "driver", "driven")
}
