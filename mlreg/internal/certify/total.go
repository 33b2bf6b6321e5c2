package certify

import "math"

// total adds up weights given by their logarithms, and parts of them: by event, and then by column the weights times coefficients.
type total struct {
	ref   float64 // sums are relative to e^ref
	sum   float64
	parts []float64
}

func newTotal(parts int) *total { return &total{ref: math.Inf(-1), parts: make([]float64, parts)} }

// relative returns e^(log - ref), and raises ref first if that is large.
func (t *total) relative(log float64) float64 {
	if math.IsInf(log, -1) {
		return 0
	}
	if log > t.ref+100 {
		f := math.Exp(t.ref - log)
		t.sum *= f
		for k := range t.parts {
			t.parts[k] *= f
		}
		t.ref = log
	}
	return math.Exp(log - t.ref)
}

func (t *total) log() float64 { return t.ref + math.Log(t.sum) }

// share is the share of a part, 0 of nothing.
func (t *total) share(k int) float64 {
	if t.sum == 0 {
		return 0
	}
	return t.parts[k] / t.sum
}
