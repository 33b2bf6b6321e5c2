package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/plotting"
)

// The numbers of every degree by the projection onto powers of 2x - 1, made orthonormal over
// the inputs by Gram and Schmidt, and over new samples.
func TestOverfitting(t *testing.T) {
	for k := 1; k <= 11; k++ {
		overfits(t, k, datasets.Sine().X, 0.09, float64(k))
		overfits(t, k, plotting.Range(0, 1, 12), 0.25, float64(k), 12, 0.5)
		overfits(t, k, plotting.Range(0, 1, 31), 0.01, float64(k), 31, 0.1)
	}
}

// overfits holds the explorable's numbers at some values to those of degree k at inputs x.
func overfits(t *testing.T, k int, x []float64, sigma2 float64, values ...float64) {
	t.Helper()
	truth, n := datasets.Sine().F, len(x)
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
		ones := mat.NewDense(n, n, nil)
		for i := range n {
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
	training := here + sigma2*(1-r/float64(n))
	if k+1 == n {
		training = 0
	}
	wantNumbers(t, Overfitting(), values, training, here+sigma2*(1+r/float64(n)),
		bias2+variance+sigma2, math.Round(bias2*1e6)/1e6, variance)
}
