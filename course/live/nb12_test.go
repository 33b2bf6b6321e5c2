package live

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The numbers of every frame from counts of words, without a fit.
func TestSmoothing(t *testing.T) {
	all := presentWords()
	e := Smoothing()
	order := rand.New(rand.NewPCG(e.Seed, 12)).Perm(all.NObs())
	var mails [2]float64
	has := [2][]float64{make([]float64, all.NTerms()), make([]float64, all.NTerms())}
	for _, i := range order[:smoothingMails] {
		k := int(all.Y[i])
		mails[k]++
		for j := range has[k] {
			has[k][j] += all.X.At(i, j)
		}
	}
	for _, a := range e.Params[0].Frames {
		p := func(k, j int) float64 { return (has[k][j] + a) / (mails[k] + 2*a) }
		largest := 0.0
		for j := range all.NTerms() {
			largest = math.Max(largest, math.Abs(math.Log(p(1, j)/(1-p(1, j))*(1-p(0, j))/p(0, j))))
		}
		var wrong, bits float64
		for _, i := range order[smoothingMails:] {
			odds := math.Log(mails[1] / mails[0])
			for j := range all.NTerms() {
				if all.X.At(i, j) == 1 {
					odds += math.Log(p(1, j) / p(0, j))
				} else {
					odds += math.Log((1 - p(1, j)) / (1 - p(0, j)))
				}
			}
			if (odds >= 0) != (all.Y[i] == 1) {
				wrong++
			}
			bits += math.Log1p(math.Exp(-odds*(2*all.Y[i]-1))) / math.Ln2
		}
		rest := float64(len(order) - smoothingMails)
		wantNumbers(t, e, []float64{a}, wrong/rest, bits/rest, largest)
	}
}
