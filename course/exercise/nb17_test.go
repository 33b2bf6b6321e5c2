package exercise

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// fitOfFlights fits a formula to the page's flights, those of a condition if there is one, in memory.
func fitOfFlights(t *testing.T, formula, condition string) *mlreg.OLS {
	path := filepath.Join(t.TempDir(), "flights.csv")
	if err := datasets.WriteFlights(path, 300_000, rand.NewPCG(17, 1)); err != nil {
		t.Fatal(err)
	}
	file, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := file.Frame
	if condition != "" {
		if rows, err = frames.Where(rows, condition); err != nil {
			t.Fatal(err)
		}
	}
	design, err := frames.Design(rows, formula)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(design, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

func init() {
	answers["17.1"] = func(t *testing.T) any { // by counting
		sums := 1
		for j := range 101 {
			sums++ // its mean
			for k := range 101 {
				if k >= j {
					sums++
				}
			}
		}
		return sums
	}
	answers["17.2"] = func(t *testing.T) any { // by a fit to the rows
		return fitOfFlights(t, "delay ~ seats", "").Slopes()[0]
	}
	answers["17.3"] = func(t *testing.T) any { // n mean² + n variance, and n mean², each off by 1e-16 the worse way
		const n, ratio = 1000.0, 1e6
		squares, product := n*(ratio*ratio+1)*1e-16, n*ratio*ratio*1e-16
		return math.Round(1e5*(squares+product)/n) / 1e5
	}
	answers["17.4"] = func(t *testing.T) any { // from the two fits
		const others = "I((hour - 6)^2) + distance + seats + I(cos(2*pi*(month - 7)/12))"
		own := fitOfFlights(t, "delay ~ wind + "+others, `carrier == "HA"`)
		all := fitOfFlights(t, "delay ~ wind + carrier + "+others, "")
		return math.Round(own.StdErr()[1] / all.StdErr()[1])
	}
	answers["17.5"] = func(t *testing.T) any { // each block about its own mean
		sum := 0.0
		for _, block := range [][]float64{{0, 2}, {10, 12}} {
			for _, x := range block {
				sum += math.Pow(x-(block[0]+block[1])/2, 2)
			}
		}
		return sum
	}
	answers["17.6"] = func(t *testing.T) any { // the larger end, times 100 seats, is under a minute
		if 100*math.Max(0.0068, 0.0026) < 1 {
			return "b"
		}
		return "c"
	}
}
