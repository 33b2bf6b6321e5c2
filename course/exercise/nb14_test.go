package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg/hier"
)

func init() {
	answers["14.1"] = func(t *testing.T) any {
		const s2, sigma2, n = 0.09, 0.57, 20
		return 1 / (1 + sigma2/(n*s2))
	}
	answers["14.2"] = func(t *testing.T) any {
		df := datasets.EightSchools()
		weights := df.Col("se").Float()
		for i, se := range weights {
			weights[i] = 1 / (100 + se*se)
		}
		effects := df.Col("effect").Float()
		typical := stat.Mean(effects, weights)
		return typical + 100*weights[0]*(effects[0]-typical)
	}
	answers["14.3"] = func(t *testing.T) any { return math.Erfc(math.Sqrt(2.706/2)) / 2 }
	answers["14.4"] = func(t *testing.T) any { return "b" }
	answers["14.5"] = func(t *testing.T) any { // by the fit's own weight of the group
		h, err := frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)")
		if err != nil {
			t.Fatal(err)
		}
		fit, err := hier.Fit(h.Design, h.Groups, hier.For(h, nil))
		if err != nil {
			t.Fatal(err)
		}
		coefs, err := fit.GroupCoefs("school")
		if err != nil {
			t.Fatal(err)
		}
		for _, school := range coefs.Rows {
			if school.Group == "48" {
				return 10 * school.Own[0]
			}
		}
		t.Fatal("no school 48")
		return nil
	}
}
