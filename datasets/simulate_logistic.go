package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// GaussianClasses are two equally frequent classes of points in the plane, each
// a round cloud,
//
//	x | y = k ~ N(Mean[k], SD[k]^2 I),   k = 0, 1.
type GaussianClasses struct {
	Mean [2][2]float64
	SD   [2]float64
}

// Girolami returns the classes of Murphy's figures 8.5 and 8.6 (Machine
// Learning: A Probabilistic Perspective; logregLaplaceGirolamiDemo of pmtk3),
// around (-5, 1) and (1, 5), with standard deviations 2.2 and 1. The book draws
// 30 points of each, and fits no intercept under the prior N(0, 100 I); its
// random numbers are not published.
func Girolami() GaussianClasses {
	return GaussianClasses{Mean: [2][2]float64{{-5, 1}, {1, 5}}, SD: [2]float64{2.2, 1}}
}

// Draw returns n points of each class, class 0 first, as a frame with the
// columns x1, x2 and y, which is 0 or 1. There is an error if n is below 1 or a
// standard deviation is not positive.
func (c GaussianClasses) Draw(n int, src rand.Source) (dataframe.DataFrame, error) {
	if n < 1 {
		return dataframe.DataFrame{}, fmt.Errorf("datasets: %w: %d points of each class; at least 1 is needed", mlreg.ErrSetting, n)
	}
	if err := checkDraw(2*float64(n), src); err != nil {
		return dataframe.DataFrame{}, err
	}
	rng := rand.New(src)
	var x1, x2 []float64
	var y []int
	for k, mean := range c.Mean {
		if !(c.SD[k] > 0) || math.IsInf(c.SD[k], 1) {
			return dataframe.DataFrame{}, fmt.Errorf("datasets: %w: the standard deviation of class %d is %v", mlreg.ErrSetting, k, c.SD[k])
		}
		for range n {
			x1 = append(x1, mean[0]+c.SD[k]*rng.NormFloat64())
			x2 = append(x2, mean[1]+c.SD[k]*rng.NormFloat64())
			y = append(y, k)
		}
	}
	return frames.Frame(frames.Col("x1", x1), frames.Col("x2", x2), frames.Col("y", y))
}

// LogOdds returns the logarithm of P(y = 1 | x)/P(y = 0 | x) by Bayes' rule. It
// is linear in x if both standard deviations are equal, and quadratic if not.
// The Bayes classifier predicts 1 where it is positive.
func (c GaussianClasses) LogOdds(x1, x2 float64) float64 {
	logDensity := func(k int) float64 {
		r := math.Hypot(x1-c.Mean[k][0], x2-c.Mean[k][1]) / c.SD[k]
		return -r*r/2 - 2*math.Log(c.SD[k])
	}
	return logDensity(1) - logDensity(0)
}

// LogisticSurface is a true model for two classes: points uniform on the square
// from -Reach to Reach, and labels that are 1 with probability
//
//	P(y = 1 | x) = 1/(1 + exp(-LogOdds(x1, x2))).
type LogisticSurface struct {
	LogOdds func(x1, x2 float64) float64
	Reach   float64
}

// Draw returns n points and their labels as a frame with the columns x1, x2 and
// y, which is 0 or 1. The error names the setting that is out of range.
func (s LogisticSurface) Draw(n int, src rand.Source) (dataframe.DataFrame, error) {
	if n < 1 || !(s.Reach > 0) || math.IsInf(s.Reach, 1) {
		return dataframe.DataFrame{}, fmt.Errorf("datasets: %w: %d points and Reach = %v; at least 1 and a positive number are needed", mlreg.ErrSetting, n, s.Reach)
	}
	if s.LogOdds == nil {
		return dataframe.DataFrame{}, fmt.Errorf("datasets: %w: LogOdds is nil", mlreg.ErrSetting)
	}
	if err := checkDraw(2*float64(n), src); err != nil {
		return dataframe.DataFrame{}, err
	}
	rng := rand.New(src)
	x1, x2, y := make([]float64, n), make([]float64, n), make([]int, n)
	for i := range n {
		x1[i], x2[i] = s.Reach*(2*rng.Float64()-1), s.Reach*(2*rng.Float64()-1)
		eta := s.LogOdds(x1[i], x2[i])
		if math.IsNaN(eta) {
			return dataframe.DataFrame{}, fmt.Errorf("datasets: %w: LogOdds(%v, %v) is NaN", mlreg.ErrNotFinite, x1[i], x2[i])
		}
		if rng.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
	}
	return frames.Frame(frames.Col("x1", x1), frames.Col("x2", x2), frames.Col("y", y))
}
