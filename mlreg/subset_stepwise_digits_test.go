package mlreg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Numbers of a selection from raw powers, whose sums have few digits, are those of
// least squares on the rows.
func TestSelectionFromRawPowers(t *testing.T) {
	const n, degree = 60, 9
	x, y := mat.NewDense(n, degree, nil), make([]float64, n)
	for i := range n {
		v := 1 + math.Round(47*float64((i*37)%n)/n)/10
		for j := range degree {
			x.Set(i, j, math.Pow(v, float64(j+1)))
		}
		y[i] = 30/v + 4*math.Sin(float64(i*i))
	}
	d := get(NewDesign(x, y))(t)
	check := func(what string, m SubsetModel) {
		t.Helper()
		f := get(FitOLS(get(d.Select(m.Terms...))(t), &OLSSettings{Aliased: DropAliased}))(t)
		if math.Abs(m.RSS-f.RSS()) > 1e-10*f.RSS() || math.Abs(m.AIC-AIC(f)) > 1e-8 {
			t.Errorf("%s, %d terms: RSS %.12g, AIC %.12g; least squares has %.12g and %.12g", what, len(m.Terms), m.RSS, m.AIC, f.RSS(), AIC(f))
		}
	}
	back := get(FitStepwise(d, &StepwiseSettings{Direction: Backward}))(t)
	for _, step := range back.Steps() {
		check("stepwise", step.Model)
	}
	subsets := get(FitBestSubsets(d, &SubsetSettings{MaxSize: 4}))(t)
	for _, m := range subsets.Models() {
		check("best subsets", m)
	}
}
