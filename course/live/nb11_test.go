package live

import (
	"math"
	"testing"
)

// lowest returns where a convex function on (low, high) is least, by golden sections.
func lowest(f func(float64) float64, low, high float64) float64 {
	const g = 0.6180339887498949
	for range 200 {
		a, b := high-g*(high-low), low+g*(high-low)
		if f(a) < f(b) {
			high = b
		} else {
			low = a
		}
	}
	return (low + high) / 2
}

// nll is the negative log-likelihood of b + w x as a product of probabilities.
func nll(x, y []float64, b, w float64) float64 {
	p := 1.0
	for i := range x {
		one := 1 / (1 + math.Exp(-b-w*x[i]))
		p *= y[i]*one + (1-y[i])*(1-one)
	}
	return -math.Log(p)
}

func TestSeparation(t *testing.T) {
	for _, seventh := range Separation().Params[0].Frames {
		x, y := append([]float64{seventh}, sixPoints.x...), append([]float64{0}, sixPoints.y...)
		profile := func(w float64) float64 {
			return nll(x, y, lowest(func(b float64) float64 { return nll(x, y, b, w) }, -20, 20), w)
		}
		switch {
		case seventh < 1: // on the side of its class
			wantNumbers(t, Separation(), []float64{seventh}, 0, 0)
		case seventh == 1: // where a point of the other class is: each has probability 1/2
			wantNumbers(t, Separation(), []float64{seventh}, 0, 2*math.Log(2))
		default:
			w := lowest(profile, 0.01, 8)
			wantNumbers(t, Separation(), []float64{seventh}, 1/w, profile(w))
		}
	}
}

func TestLogisticPenalty(t *testing.T) {
	x, y := sixPoints.x, sixPoints.y
	for _, lambda := range LogisticPenalty().Params[0].Frames {
		w := lowest(func(w float64) float64 { return nll(x, y, 0, w) + lambda*w*w }, 0, 10)
		wantNumbers(t, LogisticPenalty(), []float64{lambda}, w, 1/(1+math.Exp(-w)), nll(x, y, 0, w), lambda*w*w)
	}
}
