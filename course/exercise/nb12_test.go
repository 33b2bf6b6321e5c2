package exercise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func init() {
	// posterior is that of spam from its prior odds and the log ratios of the words.
	posterior := func(prior float64, ratios ...float64) float64 {
		odds := math.Log(prior / (1 - prior))
		for _, r := range ratios {
			odds += math.Log(r)
		}
		return 1 / (1 + math.Exp(-odds))
	}
	const won, noDollar = 0.5 / 0.01, 0.3 / 0.98
	answers["12.1"] = func(t *testing.T) any { return posterior(0.1, won, noDollar) }
	answers["12.2"] = func(t *testing.T) any { return errorsElsewhere(t) }
	answers["12.3"] = func(t *testing.T) any { return posterior(0.01, won, won, noDollar) }
	answers["12.4"] = func(t *testing.T) any {
		low, high := 0.0, 1.0 // where both decisions cost the same
		for range 60 {
			if p := (low + high) / 2; 10*(1-p) > p {
				low = p
			} else {
				high = p
			}
		}
		return low
	}
	answers["12.5"] = func(t *testing.T) any {
		// Pulling every probability toward one half repairs 0.99 to 0.86 and leaves the order, so that the
		// probabilities are wrong and neither the mails nor the order need be.
		pull := func(p float64) float64 { return 1 / (1 + math.Pow((1-p)/p, math.Log(0.86/0.14)/math.Log(99))) }
		if math.Abs(pull(0.99)-0.86) > 1e-9 || pull(0.9) >= pull(0.99) {
			return "b"
		}
		return "c"
	}
}

// errorsElsewhere counts words and errors by hand.
func errorsElsewhere(t *testing.T) (errors int) {
	d, err := frames.Design(datasets.Spambase(), "type ~ . - capitalAve - capitalLong - capitalTotal")
	if err != nil {
		t.Fatal(err)
	}
	folds, err := mlreg.StratifiedKFold(d.Y, 3, rand.NewPCG(12, 1))
	if err != nil {
		t.Fatal(err)
	}
	place := []string{"hp", "hpl", "george", "lab", "labs", "num650", "telnet", "num857", "num415", "cs"}
	var n [2]float64
	has := [2][]float64{make([]float64, d.NTerms()), make([]float64, d.NTerms())}
	for _, i := range folds.Train(0) {
		k := int(d.Y[i])
		n[k]++
		for j := range has[k] {
			if d.X.At(i, j) > 0 {
				has[k][j]++
			}
		}
	}
	for _, i := range folds.Test(0) {
		odds := math.Log(n[1] / n[0])
		for j, name := range d.Names {
			if slices.Contains(place, name) {
				continue
			}
			p, q := (has[1][j]+1)/(n[1]+2), (has[0][j]+1)/(n[0]+2)
			if d.X.At(i, j) > 0 {
				odds += math.Log(p / q)
			} else {
				odds += math.Log((1 - p) / (1 - q))
			}
		}
		if (odds >= 0) != (d.Y[i] == 1) {
			errors++
		}
	}
	return errors
}
