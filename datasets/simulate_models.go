package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// AllSubsets returns the true model of Murphy's section 13.2.1, whose figure
// 13.1 compares 1,024 models: ten terms without intercept and noise of variance
// 1. The terms {2, 3, 6, 8, 9} have weights that are not zero, two of them
// large. The book draws 20 rows:
//
//	src := rand.NewPCG(16, 13)
//	x, err := datasets.NormalDesign(20, 10, 0, src)
//	d, err := datasets.AllSubsets().Draw(x, src)
//
// Its random numbers are not published: other seeds give other data.
func AllSubsets() LinearModel {
	return LinearModel{Coef: []float64{0, -1.67, 0.13, 0, 0, 1.19, 0, -0.04, 0.33, 0}, Sigma: 1}
}

// SpikeSlabModel draws a linear model without intercept from the prior that
// mlreg.SpikeSlab assumes: each of d weights is 0 with probability 1 - pi0, and
// otherwise N(0, slabVar). Sigma is the standard deviation of the noise. Over many
// draws, the posterior probabilities that mlreg computes are the frequencies of the
// models. The error (mlreg.ErrSetting) says which of the first three numbers is out
// of range; Draw checks sigma.
func SpikeSlabModel(d int, pi0, slabVar, sigma float64, src rand.Source) (LinearModel, error) {
	switch {
	case d < 1:
		return LinearModel{}, fmt.Errorf("datasets: %w: %d terms; at least 1 is needed", mlreg.ErrSetting, d)
	case !(pi0 >= 0 && pi0 <= 1):
		return LinearModel{}, fmt.Errorf("datasets: %w: pi0 = %v is not a probability", mlreg.ErrSetting, pi0)
	case !(slabVar >= 0) || math.IsInf(slabVar, 1):
		return LinearModel{}, fmt.Errorf("datasets: %w: slabVar = %v is not a variance", mlreg.ErrSetting, slabVar)
	}
	if err := checkDraw(float64(d), src); err != nil {
		return LinearModel{}, err
	}
	rng := rand.New(src)
	m := LinearModel{Coef: make([]float64, d), Sigma: sigma}
	for j := range m.Coef {
		in, w := rng.Float64() < pi0, rng.NormFloat64()
		if in {
			m.Coef[j] = math.Sqrt(slabVar) * w
		}
	}
	return m, nil
}

// NormalDesign draws n rows of d normal predictors and standardizes the sample:
// mean 0, variance 1 with divisor n. Predictors k columns apart have correlation
// rho^k. There is no intercept and no response: LinearModel.Draw adds the
// response. The error (mlreg.ErrSetting) says which number is out of range: n is
// at least 2, d at least 1, and |rho| below 1.
func NormalDesign(n, d int, rho float64, src rand.Source) (*mlreg.Design, error) {
	if n < 2 || d < 1 {
		return nil, fmt.Errorf("datasets: %w: a design of %d rows and %d terms; it needs at least 2 rows and 1 term", mlreg.ErrSetting, n, d)
	}
	if !(rho > -1 && rho < 1) {
		return nil, fmt.Errorf("datasets: %w: rho = %v; a correlation is between -1 and 1", mlreg.ErrSetting, rho)
	}
	if err := checkDraw(float64(n)*float64(d), src); err != nil {
		return nil, err
	}
	rng := rand.New(src)
	x := mat.NewDense(n, d, nil)
	step := math.Sqrt(1 - rho*rho)
	for i := range n {
		row := x.RawRowView(i)
		row[0] = rng.NormFloat64()
		for j := 1; j < d; j++ {
			row[j] = rho*row[j-1] + step*rng.NormFloat64()
		}
	}
	raw, err := mlreg.NewDesign(x, nil)
	if err != nil {
		return nil, err
	}
	design, err := raw.Standardize(nil)
	if err != nil {
		return nil, err
	}
	design.NoIntercept, design.Scaling = true, nil
	return design, nil
}

// TrueTerms returns the names of the terms of d whose weights are not 0. The error
// is mlreg.ErrShape if Coef does not match the terms.
func (m LinearModel) TrueTerms(d *mlreg.Design) ([]string, error) {
	slopes, err := m.slopes(d)
	if err != nil {
		return nil, err
	}
	var names []string
	for j, w := range slopes {
		if w != 0 {
			names = append(names, d.Names[j])
		}
	}
	return names, nil
}
