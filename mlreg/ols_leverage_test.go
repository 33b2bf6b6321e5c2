package mlreg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Two rows that two columns have for themselves determine their own fitted values, also where the columns are
// all but collinear with others, so that rounding of leverages is larger than what their sum leaves.
func TestLeverageOfNearlyCollinearColumns(t *testing.T) {
	const n = 92
	kinks := map[int]float64{20: 0.001, 73: 0.0025}
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(35, seed))
		x, y := mat.NewDense(n, 4, nil), make([]float64, n)
		for i := range n {
			a, kink := 1000+20*rnd.NormFloat64(), 976.75+kinks[i]
			x.SetRow(i, []float64{kink, a, a * kink, 1e5 * rnd.NormFloat64()})
			y[i] = rnd.NormFloat64()
		}
		d := get(NewDesign(x, y))(t)
		f := get(FitOLS(d, nil))(t)
		inf := get(f.Influence(d))(t)
		for i := range kinks {
			if inf.Leverage[i] != 1 || inf.Residuals[i] != 0 || !math.IsNaN(inf.Standardized[i]) {
				t.Errorf("seed %d, row %d: leverage less %g than 1, residual %g, standardized %g, condition %.2g",
					seed, i, 1-inf.Leverage[i], inf.Residuals[i], inf.Standardized[i], f.Cond())
			}
		}
		near(t, "sum of leverages", floats.Sum(inf.Leverage), 5, 1e-6)
	}
}
