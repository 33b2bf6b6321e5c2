package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/mlreg"
)

// The numbers of every frame are those of direct calls, and of the path in closed form.
func TestLassoPath(t *testing.T) {
	p := prostatePath()
	lars, err := mlreg.FitLARS(p.train, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range LassoPath().Params[0].Frames {
		exact, err := lars.At(lambda)
		if err != nil {
			t.Fatal(err)
		}
		norm, active := floats.Norm(exact.Slopes(), 1), 0
		for _, w := range exact.Slopes() {
			if math.Abs(w) > 1e-9 {
				active++
			}
		}
		r, err := exact.Residuals(p.train)
		if err != nil {
			t.Fatal(err)
		}
		rss := floats.Dot(r, r)
		wantNumbers(t, LassoPath(), []float64{lambda}, float64(active), norm, rss, rss+lambda*norm, rss+lambda*norm)
	}
}

// The weights of two terms, from the normal equations of each case.
func TestBudget(t *testing.T) {
	p := prostatePath()
	m, err := p.train.Moments()
	if err != nil {
		t.Fatal(err)
	}
	a, b := m.SXX().At(0, 0), m.SXX().At(0, 5) // of lcavol with itself and with lcp
	c, d := m.SXY()[0], m.SXY()[5]
	for _, lambda := range Budget().Params[0].Frames {
		l1, l2 := (c-lambda/2)/a, 0.0
		if math.Abs(d-b*l1) > lambda/2 { // lcp is in, of the sign of what is left
			s := math.Copysign(lambda/2, d-b*l1)
			det := a*a - b*b
			l1, l2 = (a*(c-lambda/2)-b*(d-s))/det, (a*(d-s)-b*(c-lambda/2))/det
		}
		e := a + lambda
		det := e*e - b*b
		r1, r2 := (e*c-b*d)/det, (e*d-b*c)/det
		wantNumbers(t, Budget(), []float64{lambda}, math.Abs(l1)+math.Abs(l2), l2, r1*r1+r2*r2, r2)
	}
}
