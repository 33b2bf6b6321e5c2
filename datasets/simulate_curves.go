package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// CurveModel is a regression on one input with a known truth,
//
//	y_i = F(x_i) + e_i,   e_i ~ N(0, Sigma2) independent,
//
// at the inputs X, which you may replace.
type CurveModel struct {
	F      func(x float64) float64
	Sigma2 float64
	X      []float64
}

// PolyVsDegree is the parabola of Murphy's figure 1.7 (Machine Learning: A
// Probabilistic Perspective; linregPolyVsDegree of pmtk3), 21 inputs 0, 1 ... 20:
//
//	F(x) = -1.5 x + x^2/9,   Sigma2 = 4.
func PolyVsDegree() CurveModel {
	return CurveModel{
		F:      func(x float64) float64 { return -1.5*x + x*x/9 },
		Sigma2: 4,
		X:      spaced(21, 0, 20),
	}
}

// PostPred is the parabola of Murphy's figure 7.12 (linregPostPredDemo of
// pmtk3), five inputs -3, -2, 0, 2, 3:
//
//	F(x) = 10 + x + x^2,   Sigma2 = 25.
func PostPred() CurveModel {
	return CurveModel{
		F:      func(x float64) float64 { return 10 + x + x*x },
		Sigma2: 25,
		X:      []float64{-3, -2, 0, 2, 3},
	}
}

// Sine is a full wave, 12 inputs equally spaced from 0 to 1:
//
//	F(x) = sin(2 pi x),   Sigma2 = 0.09.
//
// A polynomial of degree 3 follows it; one of degree 10 nearly interpolates the
// sample.
func Sine() CurveModel {
	return CurveModel{
		F:      func(x float64) float64 { return math.Sin(2 * math.Pi * x) },
		Sigma2: 0.09,
		X:      spaced(12, 0, 1),
	}
}

// spaced returns n numbers, equally spaced.
func spaced(n int, from, to float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = from + (to-from)*float64(i)/float64(n-1)
	}
	return x
}

// Draw returns a sample as a frame of x and y. The same source in the same state
// gives the same sample. There is an error if X is empty, if an input or its F
// is not finite, or if Sigma2 is negative or not finite.
func (c CurveModel) Draw(src rand.Source) (dataframe.DataFrame, error) {
	y, err := c.values(c.X)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if !(c.Sigma2 >= 0) || math.IsInf(c.Sigma2, 1) {
		return dataframe.DataFrame{}, fmt.Errorf("datasets: %w: the noise variance of a curve is %v", mlreg.ErrSetting, c.Sigma2)
	}
	if err := checkDraw(float64(len(y)), src); err != nil {
		return dataframe.DataFrame{}, err
	}
	for i := range y {
		y[i] += math.Sqrt(c.Sigma2) * NormalNoise(src)
	}
	return frames.Frame(frames.Col("x", c.X), frames.Col("y", y))
}

// Uniform returns the curve with n inputs drawn uniformly from an interval, in the order
// drawn. The same source in the same state gives the same inputs. Draw refuses the
// curve if n is below 1 or above 2^28, the source is nil or an end is not finite.
func (c CurveModel) Uniform(n int, from, to float64, src rand.Source) CurveModel {
	c.X = nil
	if checkDraw(float64(n), src) != nil {
		return c
	}
	rng := rand.New(src)
	c.X = make([]float64, max(n, 0))
	for i := range c.X {
		c.X[i] = from + (to-from)*rng.Float64()
	}
	return c
}

// Exact returns a frame of x and y = F(x), without noise, at the given inputs or,
// if x is nil, at X. mlreg.ExpectedErrorPath and ExpectedErrorAt take it as the
// truth. Errors are those of Draw.
func (c CurveModel) Exact(x []float64) (dataframe.DataFrame, error) {
	if x == nil {
		x = c.X
	}
	y, err := c.values(x)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return frames.Frame(frames.Col("x", x), frames.Col("y", y))
}

// values returns F at the inputs.
func (c CurveModel) values(x []float64) ([]float64, error) {
	switch {
	case c.F == nil:
		return nil, fmt.Errorf("datasets: %w: the curve has no function F", mlreg.ErrSetting)
	case len(x) == 0:
		return nil, fmt.Errorf("datasets: %w: the curve has no inputs", mlreg.ErrNoData)
	}
	y := make([]float64, len(x))
	for i, v := range x {
		if y[i] = c.F(v); v-v != 0 || y[i]-y[i] != 0 {
			return nil, fmt.Errorf("datasets: %w: input %d of the curve is %v, where F is %v", mlreg.ErrNotFinite, i+1, v, y[i])
		}
	}
	return y, nil
}
