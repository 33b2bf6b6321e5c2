package rlm_test

import (
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg/rlm"
)

// Value is the derivative of Rho, Slope that of Value, and Value is u Weight, for every loss, away from its corners.
func TestDerivativesOfPsi(t *testing.T) {
	const h = 1e-5
	for _, kind := range []rlm.PsiKind{rlm.HuberPsi, rlm.BisquarePsi, rlm.StudentPsi, rlm.AbsolutePsi, rlm.SquarePsi} {
		for _, c := range []float64{0, 2.3} {
			psi := rlm.Psi{Kind: kind, C: c}
			for _, u := range []float64{-7.1, -3.3, -0.8, 0.4, 1.2, 2.9, 5.5} {
				value, slope := (psi.Rho(u+h)-psi.Rho(u-h))/(2*h), (psi.Value(u+h)-psi.Value(u-h))/(2*h)
				if math.Abs(psi.Value(u)-value) > 1e-8 || math.Abs(psi.Slope(u)-slope) > 1e-8 || math.Abs(u*psi.Weight(u)-psi.Value(u)) > 1e-14 {
					t.Errorf("%v at %g: psi %g, slope %g, weight %g; the differences are %g and %g", psi, u, psi.Value(u), psi.Slope(u), psi.Weight(u), value, slope)
				}
			}
		}
	}
}

// No loss makes a number of a residual that is none.
func TestPsiOfNaN(t *testing.T) {
	for _, kind := range []rlm.PsiKind{rlm.HuberPsi, rlm.BisquarePsi, rlm.StudentPsi, rlm.AbsolutePsi, rlm.SquarePsi} {
		if v := (rlm.Psi{Kind: kind}).Value(math.NaN()); !math.IsNaN(v) {
			t.Errorf("%v: %g", kind, v)
		}
	}
}
