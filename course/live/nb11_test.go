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

// All seven points move. Where classes overlap, the numbers are those of a search; where a point separates them, from
// the one side or the other, they are known.
func TestSeparationOfMovedPoints(t *testing.T) {
	y := append([]float64{0}, sixPoints.y...)
	for _, x := range [][]float64{
		{1.5, -3, -2, -1, -0.5, 2, 3}, {0.2, -3, -2, 2.5, 1, 2, -1}, {3.5, 2, 1.5, 1, -3, -1.25, 2.75}, {-3.5, 3.5, 0, 0, 0.5, 0.5, -0.25},
	} {
		profile := func(w float64) float64 {
			return nll(x, y, lowest(func(b float64) float64 { return nll(x, y, b, w) }, -30, 30), w)
		}
		w := lowest(profile, -8, 8)
		wantNumbers(t, Separation(), x, 1/w, profile(w))
	}
	for _, c := range []struct{ x, least []float64 }{
		{[]float64{-0.5, -3, -2, -1, 1, 2, 3}, []float64{0}},
		{[]float64{1.5, 3, 2, 3.5, 1, -2, -3}, []float64{0}},                                              // falling
		{[]float64{1, -3, -2, 1, 1, 2, 3}, []float64{3*math.Log(3) - 2*math.Log(2)}},                      // two and one on the border
		{[]float64{1, 1, 2, 3, 1, 1, -3}, []float64{4 * math.Log(2)}},                                     // two and two, falling
		{[]float64{2, 2, 2, 2, 2, 3, 2}, []float64{6*math.Log(6) - 4*math.Log(4) - 2*math.Log(2)}},        // four and two
		{[]float64{-1, -1, -1, -1, -1, -1, -2}, []float64{6*math.Log(6) - 4*math.Log(4) - 2*math.Log(2)}}, // and falling
	} {
		wantNumbers(t, Separation(), c.x, 0, c.least[0])
	}
	// Classes with the same mean, and all points at one place: the slope is zero, or any, and every point has the
	// probability 3/7.
	for _, x := range [][]float64{{0, -1, 1, 0, 0, -1, 1}, {2, 2, 2, 2, 2, 2, 2}} {
		same, err := Separation().Draw(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := -4*math.Log(4./7) - 3*math.Log(3./7); !math.IsInf(same.Numbers[0].Value, 1) || math.Abs(same.Numbers[1].Value-want) > 1e-9 {
			t.Errorf("%g: %v, want a loss of %g", x, same.Numbers, want)
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
