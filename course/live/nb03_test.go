package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
)

// The numbers of every degree by the projection onto powers of 2x - 1, made orthonormal over
// the inputs by Gram and Schmidt, and over new samples.
func TestOverfitting(t *testing.T) {
	const sigma2 = 0.09
	x := datasets.Sine().X
	truth := datasets.Sine().F
	for k := 1; k <= 11; k++ {
		// The matrix S of yhat = S y at the grid: L_i of the least-squares polynomial.
		smooth := func(at []float64) *mat.Dense {
			design := func(at []float64) *mat.Dense {
				p := mat.NewDense(len(at), k+1, nil)
				for i, v := range at { // Chebyshev polynomials: well conditioned
					for j := 0; j <= k; j++ {
						p.Set(i, j, math.Cos(float64(j)*math.Acos(math.Max(-1, math.Min(1, 2*v-1)))))
					}
				}
				return p
			}
			var qr mat.QR
			qr.Factorize(design(x))
			ones := mat.NewDense(12, 12, nil)
			for i := range 12 {
				ones.Set(i, i, 1)
			}
			var coef, s mat.Dense
			if err := qr.SolveTo(&coef, false, ones); err != nil {
				t.Fatal(err)
			}
			s.Mul(design(at), &coef)
			return &s
		}
		errors := func(at []float64) (bias2, variance float64) {
			s := smooth(at)
			for i, v := range at {
				fit := 0.
				for j := range x {
					fit += s.At(i, j) * truth(x[j])
					variance += sigma2 * s.At(i, j) * s.At(i, j) / float64(len(at))
				}
				bias2 += (truth(v) - fit) * (truth(v) - fit) / float64(len(at))
			}
			return bias2, variance
		}
		grid := make([]float64, 401)
		for i := range grid {
			grid[i] = float64(i) / 400
		}
		here, _ := errors(x)
		bias2, variance := errors(grid)
		r := float64(k + 1)
		training := here + sigma2*(1-r/12)
		if k == 11 {
			training = 0
		}
		wantNumbers(t, Overfitting(), []float64{float64(k)}, training, here+sigma2*(1+r/12),
			bias2+variance+sigma2, math.Round(bias2*1e6)/1e6, variance)
	}
}
