package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// RidgeToy draws 200 points of a lecture's line, y = 2.5x + 3.28 plus noise of standard deviation
// 4 with x between 0 and 10, standardizes x, and sets the part of the noise that lies along x to
// what makes w0 the least-squares weight of the standardized x. Ridge regression
// then has the weight w0 200/(200 + lambda), whatever is drawn. The error is
// mlreg.ErrNotFinite for a w0 that is not finite.
func RidgeToy(w0 float64, src rand.Source) (*mlreg.Design, error) {
	if math.IsNaN(w0) || math.IsInf(w0, 0) {
		return nil, fmt.Errorf("datasets: %w: w0 = %v", mlreg.ErrNotFinite, w0)
	}
	const n = 200
	if err := checkDraw(n, src); err != nil {
		return nil, err
	}
	rng := rand.New(src)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 10 * rng.Float64()
		y[i] = 2.5*x[i] + 3.28 + 4*rng.NormFloat64()
	}
	raw, err := mlreg.NewDesign(mat.NewDense(n, 1, x), y, "x")
	if err != nil {
		return nil, err
	}
	d, err := raw.Standardize(nil)
	if err != nil {
		return nil, err
	}
	z := mat.Col(nil, 0, d.X)
	along := 0.0
	for i, v := range z {
		along += v * y[i] / n
	}
	for i, v := range z {
		d.Y[i] += (w0 - along) * v
	}
	return d, nil
}

// GroupedPredictors draws n rows of example 4 of Zou and Hastie (Journal of the Royal
// Statistical Society B 67 (2005), 301-320, section 5): three hidden normal variables of variance 1,
// each seen by five predictors with an error of variance 0.01 (x1 to x5, x6 to x10, x11 to x15),
// 25 predictors of noise (x16 to x40), and the response 3 (x1 + ... + x15) plus noise of
// standard deviation 15. Predictors are then standardized, mean 0 and variance 1 with
// divisor n. A lasso takes some predictor of each group, an elastic net takes them together.
// The error is mlreg.ErrSetting for fewer than two rows.
func GroupedPredictors(n int, src rand.Source) (*mlreg.Design, error) {
	if n < 2 {
		return nil, fmt.Errorf("datasets: %w: %d rows; at least 2 are needed", mlreg.ErrSetting, n)
	}
	const groups, copies, p = 3, 5, 40
	if err := checkDraw(float64(n)*p, src); err != nil {
		return nil, err
	}
	rng := rand.New(src)
	x, y := mat.NewDense(n, p, nil), make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		for g := range groups {
			hidden := rng.NormFloat64()
			for j := g * copies; j < (g+1)*copies; j++ {
				row[j] = hidden + 0.1*rng.NormFloat64()
				y[i] += 3 * row[j]
			}
		}
		for j := groups * copies; j < p; j++ {
			row[j] = rng.NormFloat64()
		}
		y[i] += 15 * rng.NormFloat64()
	}
	d, err := mlreg.NewDesign(x, y)
	if err != nil {
		return nil, err
	}
	return d.Standardize(nil)
}
