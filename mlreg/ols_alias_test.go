package mlreg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// manyCells returns a design, large enough for QR in float64, of the dummies of 150 levels by 2, of very unequal sizes: their
// sum is the intercept, which only the last of them makes known.
func manyCells(t testing.TB, seed uint64) *Design {
	const n, levels, p = 3600, 150, 300
	rnd := rand.New(rand.NewPCG(seed, 5))
	x, y, names := mat.NewDense(n, p, nil), make([]float64, n), make([]string, p)
	for i := range n {
		cell := 2*int(levels*math.Pow(rnd.Float64(), 3)) + rnd.IntN(2)
		if i < p {
			cell = i
		}
		x.Set(i, cell, 1)
		y[i] = float64(cell%7) + rnd.NormFloat64()
	}
	for j := range names {
		names[j] = fmt.Sprint("cell", j)
	}
	return get(NewDesign(x, y, names...))(t)
}

// TestManyCells fits cells whose last one is aliased: FitOLS names it, or leaves it out, and everything is
// then as in the fit without it.
func TestManyCells(t *testing.T) {
	for seed := range uint64(2) {
		d := manyCells(t, seed)
		last := d.Names[len(d.Names)-1]
		var deficient *RankDeficientError
		if _, err := FitOLS(d, nil); !errors.As(err, &deficient) || !slices.Equal(deficient.Aliased, []string{last}) {
			t.Fatalf("error %v, want one that names %s", err, last)
		}
		f := get(FitOLS(d, &OLSSettings{Aliased: DropAliased}))(t)
		want := get(FitOLS(get(d.Select(d.Names[:len(d.Names)-1]...))(t), nil))(t)
		if !slices.Equal(f.Aliased(), []string{last}) {
			t.Fatalf("aliased: %v", f.Aliased())
		}
		if coef, se := f.Digits(); coef < 2 || se < 6 || f.Orthogonality() > 1e-13 {
			t.Errorf("%d and %d digits, orthogonal to %.1e", coef, se, f.Orthogonality())
		}
		coef, se := f.Coef(), f.StdErr()
		for j, b := range want.Coef() {
			if !(math.Abs(coef[j]-b) < 1e-9) || !(math.Abs(se[j]/want.StdErr()[j]-1) < 1e-9) {
				t.Errorf("coefficient %d is %g +- %g, want %g +- %g", j, coef[j], se[j], b, want.StdErr()[j])
			}
		}
		few := d.Rows(3, 500, 3599)
		got, exact := get(f.Predict(few))(t), get(want.Predict(few))(t)
		for i, y := range exact {
			if !(math.Abs(got[i]-y) < 1e-9) {
				t.Errorf("prediction %g, want %g", got[i], y)
			}
		}
	}
}
