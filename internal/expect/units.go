package expect

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// InUnits returns 60 weighted rows of a linear model, the same always, with the response and the
// columns multiplied by these powers of two.
func InUnits(unit int, units ...int) (x *mat.Dense, y, weights []float64) {
	const n = 60
	r := rand.New(rand.NewPCG(2, 9))
	x = mat.NewDense(n, len(units), nil)
	for i := range n {
		weights = append(weights, float64(r.IntN(3)))
		sum := r.NormFloat64()
		for j, e := range units {
			v := r.NormFloat64() + float64(j)
			sum += v
			x.Set(i, j, math.Ldexp(v, e))
		}
		y = append(y, math.Ldexp(sum, unit))
	}
	return x, y, weights
}
